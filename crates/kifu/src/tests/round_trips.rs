//! Records that are written and read again.

use crate::testing::{n_games, random_record, what_survives};
use crate::{CsaVersion, Encoding, Format, GameWriter, Record, read, write};

#[track_caller]
fn check(record: &Record, format: Format, encoding: Encoding, seed: u64) {
    let bytes = write(record, format, encoding).expect("random records can be written");
    let shown = || String::from_utf8_lossy(&bytes).into_owned();
    let records = read(&bytes, format);
    let records = records.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", shown()));
    assert_eq!(records.len(), 1, "seed {seed}: {}", shown());
    let expected = what_survives(record, format);
    assert!(
        records[0] == expected,
        "seed {seed}, {}:\n{}\nfound {:#?}\nexpected {expected:#?}",
        format.name(),
        shown(),
        records[0]
    );
}

#[test]
fn what_a_format_can_hold_comes_back() {
    for seed in 0..n_games(200, 10_000) {
        let record = random_record(seed);
        for (format, encoding) in [
            (Format::Csa(CsaVersion::V22), Encoding::Utf8),
            (Format::Csa(CsaVersion::V30), Encoding::ShiftJis),
            (Format::Kif, Encoding::ShiftJis),
            (Format::Kif, Encoding::Utf8Bom),
            (Format::Ki2, Encoding::Utf8),
            (Format::Usi, Encoding::Utf8),
        ] {
            check(&record, format, encoding, seed);
        }
    }
}

#[test]
fn what_was_read_is_written_in_the_same_way() {
    for seed in 0..n_games(20, 200) {
        for format in [Format::Csa(CsaVersion::V30), Format::Kif, Format::Ki2] {
            let again = |text: &str| {
                let record = &read(text.as_bytes(), format).unwrap()[0];
                String::from_utf8(write(record, format, Encoding::Utf8).unwrap()).unwrap()
            };
            let first = write(&random_record(seed), format, Encoding::Utf8).unwrap();
            // What the format lacks is lost the first time, and nothing more the second.
            let second = again(&String::from_utf8(first).unwrap());
            assert_eq!(again(&second), second, "seed {seed}");
        }
    }
}

#[test]
fn a_file_of_many_games_gives_all_of_them() {
    let records: Vec<Record> = (0..10).map(random_record).collect();
    for format in [
        Format::Csa(CsaVersion::V22),
        Format::Csa(CsaVersion::V30),
        Format::Usi,
    ] {
        let mut writer = GameWriter::new(Vec::new(), format, Encoding::ShiftJis);
        for record in &records {
            writer.write(record).unwrap();
        }
        let found = read(&writer.into_inner(), format).unwrap();
        let expected: Vec<Record> = records
            .iter()
            .map(|record| what_survives(record, format))
            .collect();
        assert!(found == expected, "{}", format.name());
    }
}

#[test]
fn kif_games_behind_each_other_are_read_one_by_one() {
    for format in [Format::Kif, Format::Ki2] {
        let records: Vec<Record> = (0..10).map(random_record).collect();
        let mut bytes = Vec::new();
        for record in &records {
            bytes.extend(write(record, format, Encoding::Utf8).unwrap());
        }
        let found = read(&bytes, format).unwrap();
        let expected: Vec<Record> = records
            .iter()
            .map(|record| what_survives(record, format))
            .collect();
        assert!(found == expected, "{}", format.name());
    }
}
