use std::fs;

use super::*;
use crate::testing::test_folder;

fn warning(message: &str) -> Event {
    Event::Warning(Warning {
        sentinel: "cap-share".to_owned(),
        message: message.to_owned(),
        over: false,
    })
}

#[test]
fn events_read_back_as_they_were_written() {
    let path = test_folder("events-round-trip").join("events.jsonl");
    let mut log = EventLog::open(&path).unwrap();
    let games = Games {
        games: 2,
        plies: Histogram::of([100, 131], 20),
        by_reason: BTreeMap::from([("checkmate".to_owned(), 2)]),
        ..Games::default()
    };
    let written = vec![
        log.append(Event::Games(games)).unwrap(),
        log.append(Event::Finished(Progress {
            steps: 7,
            ..Progress::default()
        }))
        .unwrap(),
    ];
    assert_eq!(read_events(&path).unwrap(), written);
}

#[test]
fn every_float_of_an_event_reads_back_bit_for_bit() {
    // A reader that rounds twice makes 1796005974.5956361 of the first.
    for time_s in [
        1_796_005_974.595_636,
        1_796_005_974.595_605,
        0.1 + 0.2,
        1e-300 / 3.0,
    ] {
        let entry = Entry {
            time_s,
            event: warning("late"),
        };
        let line = serde_json::to_string(&entry).unwrap();
        let back: Entry = serde_json::from_str(&line).unwrap();
        assert_eq!(back.time_s.to_bits(), time_s.to_bits(), "{line}");
    }
}

#[test]
fn a_torn_last_line_is_ignored_by_readers_and_cut_off_by_the_next_writer() {
    let path = test_folder("events-torn").join("events.jsonl");
    EventLog::open(&path)
        .unwrap()
        .append(warning("first"))
        .unwrap();
    let mut text = fs::read(&path).unwrap();
    text.extend_from_slice(br#"{"time_s":1.0,"event":{"kind":"wa"#);
    fs::write(&path, &text).unwrap();
    assert_eq!(read_events(&path).unwrap().len(), 1);

    EventLog::open(&path)
        .unwrap()
        .append(warning("second"))
        .unwrap();
    let events = read_events(&path).unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!(events[1].event, warning("second"));
}

#[test]
fn a_whole_line_that_is_no_event_is_named() {
    let path = test_folder("events-bad").join("events.jsonl");
    EventLog::open(&path)
        .unwrap()
        .append(warning("first"))
        .unwrap();
    let text = fs::read_to_string(&path).unwrap() + "{\"kind\":\"unknown\"}\n";
    fs::write(&path, text).unwrap();
    let error = read_events(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("events.jsonl line 2: not an event of this version"),
        "{error}"
    );
}

#[test]
fn the_kind_of_an_event_stands_beside_its_numbers() {
    let event = Event::Checkpoint(Checkpoint {
        name: "9".into(),
        progress: Progress::default(),
    });
    let json = serde_json::to_value(&event).unwrap();
    assert_eq!(json["kind"], "checkpoint");
    assert_eq!(json["kind"], event.kind());
    assert_eq!(json["name"], "9");
}

#[test]
fn histogram_has_the_mean_and_deviation_of_its_values() {
    let histogram = Histogram::of([10, 20, 30, 40], 20);
    assert_eq!(histogram.counts, [1, 2, 1]);
    assert_eq!((histogram.min, histogram.max, histogram.len()), (10, 40, 4));
    assert_eq!(histogram.mean(), 25.0);
    assert!((histogram.deviation() - 125f64.sqrt()).abs() < 1e-12);
    assert_eq!(Histogram::of([], 20).mean(), 0.0);
}
