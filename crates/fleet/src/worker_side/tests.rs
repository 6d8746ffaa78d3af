use serde_json::json;

use super::*;

fn card() -> serde_json::Value {
    json!({
        "format": 1,
        "run": "0123456789abcdef",
        "name": "quick",
        "program": "0.1.0",
        "records": data::RECORD_VERSION,
        "encoding": data::ENCODING_VERSION,
        "seed": 1,
        "first_worker": 0,
        "selfplay": {},
    })
}

fn read(card: &serde_json::Value) -> Result<RunId, String> {
    let name = RunName::new("quick").unwrap();
    let read = read_card(&name, card.to_string().as_bytes());
    read.map(|(_, run)| run).map_err(|error| error.line())
}

#[test]
fn a_card_of_this_version_is_read() {
    assert_eq!(read(&card()).unwrap().to_string(), "0123456789abcdef");
}

#[test]
fn cards_of_other_versions_are_refused_with_found_and_expected() {
    let with = |key: &str, value: serde_json::Value| {
        let mut card = card();
        card[key] = value;
        read(&card).unwrap_err()
    };
    assert_eq!(
        with("format", json!(2)),
        "the card of run quick has format 2, this program reads 1: use the trainer's version of \
         narikin"
    );
    assert!(with("records", json!(9)).contains("asks for records of format 9, this program has 1"));
    assert!(with("encoding", json!(0)).contains("asks for encoding 0"));
    assert!(with("run", json!("x")).contains("has no identity"));
    assert!(with("seed", json!(-1)).contains("cannot be read"));
    assert!(read(&json!({})).unwrap_err().contains("has no format"));
    assert!(read(&json!("text")).unwrap_err().contains("has no format"));
}
