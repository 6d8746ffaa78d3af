use super::*;

#[test]
fn the_anchors_of_the_program_can_be_used() {
    let anchors = Anchors::load(None).unwrap();
    for anchor in &anchors.anchor {
        anchor.settings().unwrap();
    }
    let fairy = anchors.find("fairy-n100").unwrap();
    assert_eq!(fairy.effort().unwrap(), Effort::Nodes(100));
    assert!(fairy.settings().unwrap().swapped_clocks);
    let gps = anchors.find("gps-d4").unwrap().settings().unwrap();
    assert_eq!(gps.margin, Duration::from_secs(3));
    assert!(
        gps.options
            .contains(&("BookDepth".to_owned(), "0".to_owned()))
    );
}

#[track_caller]
fn check_refused(text: &str, part: &str) {
    let message = format!("{:#}", Anchors::parse(text).unwrap_err());
    assert!(message.contains(part), "{part:?} is not in {message}");
}

#[test]
fn lists_that_make_no_sense_are_refused() {
    let anchor = |name: &str, limit: &str| {
        format!("[[anchor]]\nname = \"{name}\"\ncommand = \"e\"\nlimit = \"{limit}\"\n")
    };
    check_refused(
        &anchor("a", "nodes=0"),
        "anchor a: limit \"nodes=0\": expected a whole number of at least 1",
    );
    check_refused(&anchor("a", "fast"), "limit \"fast\": expected KEY=VALUE");
    check_refused(
        &(anchor("a", "depth=1") + &anchor("a", "depth=2")),
        "anchor a: there are two of this name",
    );
    check_refused(&(anchor("a", "depth=1") + "eol = 1\n"), "eol");
}

#[test]
fn an_unknown_name_is_refused_with_those_that_there_are() {
    let error = Anchors::load(None).unwrap().find("fairy").unwrap_err();
    let message = format!("{error:#}");
    assert!(
        message.starts_with("no anchor is called \"fairy\": expected one of fairy-n1, "),
        "{message}"
    );
}
