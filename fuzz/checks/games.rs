//! What must hold for any bytes that are read as game records.

use kifu::{CsaVersion, Encoding, Format, Games, ReadError, Record};

/// The formats that are read.
const READ: [Format; 4] = [
    Format::Csa(CsaVersion::V30),
    Format::Kif,
    Format::Ki2,
    Format::Usi,
];

/// Reads `data` as games in a format.
pub(crate) fn check(data: &[u8], format: Format) {
    for game in Games::new(data, format) {
        match game {
            Ok(record) => check_record(&record),
            Err(ReadError::Refused(refusal)) => {
                assert!(refusal.line > 0 && refusal.column > 0, "{refusal}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// What was read can be written in every format, and is the same game when that is read.
fn check_record(record: &Record) {
    assert!(record.check().is_ok());
    // Nothing to assert about what these say, but they must say it.
    let _ = (record.outcome(), record.replay());
    for format in READ {
        for encoding in [Encoding::Utf8, Encoding::ShiftJis] {
            check_written(record, format, encoding);
        }
    }
    assert!(kifu::write(record, Format::Pgn, Encoding::Utf8).is_ok());
}

fn check_written(record: &Record, format: Format, encoding: Encoding) {
    let bytes = kifu::write(record, format, encoding).expect("a record that holds together");
    let shown = || format!("{}:\n{}", format.name(), String::from_utf8_lossy(&bytes));
    let again = match kifu::read(&bytes, format) {
        Ok(records) => records,
        Err(error) => panic!("{error} in {}", shown()),
    };
    assert_eq!(again.len(), 1, "{}", shown());
    assert_eq!(again[0].start.key(), record.start.key(), "{}", shown());
    assert!(again[0].moves().eq(record.moves()), "{}", shown());
}
