//! The files in `testdata/samples`, and what stands in them by `expected.tsv`.

use std::fs;
use std::path::{Path, PathBuf};

use rules::Color;

use crate::{Ending, Format, GameResult, Record, read};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/samples")
}

/// The games of a sample, in the format of its ending.
pub(super) fn read_sample(name: &str) -> Vec<Record> {
    let bytes = fs::read(folder().join(name)).expect(name);
    let (_, extension) = name.rsplit_once('.').expect("samples have endings");
    let (format, _) = Format::from_extension(extension).expect(extension);
    read(&bytes, format).expect(name)
}

fn ending_name(ending: Option<Ending>) -> &'static str {
    match ending {
        None => "none",
        Some(Ending::Resign) => "resign",
        Some(Ending::MaxMoves) => "max_moves",
        Some(Ending::Interrupt) => "interrupt",
        Some(Ending::Mate) => "mate",
        Some(Ending::Repetition) => "repetition",
        Some(Ending::Declaration) => "declare",
        Some(Ending::TimeUp) => "time_up",
        Some(Ending::Foul(_)) => "illegal_move",
        Some(other) => panic!("no sample ends with {other:?}"),
    }
}

fn result_name(result: GameResult) -> &'static str {
    match result {
        GameResult::Win(Color::Black) => "black_win",
        GameResult::Win(Color::White) => "white_win",
        GameResult::Draw => "draw",
        GameResult::Unknown => "none",
    }
}

fn moves_text(record: &Record) -> String {
    let moves: Vec<String> = record.moves().map(|mv| mv.to_string()).collect();
    match moves.is_empty() {
        true => "-".to_owned(),
        false => moves.join(" "),
    }
}

#[test]
fn every_sample_is_read_as_expected() {
    let table = fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').collect())
        .collect();
    let n_files = fs::read_dir(folder()).unwrap().count();
    assert_eq!(rows.len(), n_files - 1, "each file but the table has a row");
    for row in rows {
        let [name, _, start, moves, ending, result, ..] = row[..] else {
            panic!("short row {row:?}");
        };
        if name == "usi_01.txt" {
            continue;
        }
        let records = read_sample(name);
        let [record] = &records[..] else {
            panic!("{name}: found {} games", records.len());
        };
        assert_eq!(record.start.to_string(), start, "{name}");
        assert_eq!(moves_text(record), moves, "{name}");
        assert_eq!(ending_name(record.ending()), ending, "{name}");
        assert_eq!(result_name(record.result()), result, "{name}");
        record.check().expect(name);
    }
}

#[test]
fn a_usi_list_has_a_game_on_each_line() {
    let table = fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let row = table
        .lines()
        .find(|row| row.starts_with("usi_01.txt"))
        .unwrap();
    let moves: Vec<&str> = row.split('\t').nth(3).unwrap().split(" | ").collect();
    let records = read_sample("usi_01.txt");
    assert_eq!(records.iter().map(moves_text).collect::<Vec<_>>(), moves);
    let starts: Vec<String> = records
        .iter()
        .map(|record| record.start.to_string())
        .collect();
    assert_eq!(starts[0], rules::STARTPOS_SFEN);
    assert_eq!(starts[1], rules::STARTPOS_SFEN);
    assert_eq!(starts[2], rules::Handicap::TwoPiece.position().to_string());
    assert_eq!(starts[3], "4k4/9/4S4/9/9/9/9/9/4K4 w 2RB2Gb2g3s4n4l18p 1");
    assert_eq!(starts[4], rules::STARTPOS_SFEN);
    assert!(records.iter().all(|record| record.ending().is_none()));
}

#[test]
fn the_illegal_move_of_a_sample_is_its_last_and_loses() {
    let [record] = &read_sample("csa_11_illegal_move.csa")[..] else {
        panic!("one game");
    };
    let (game, illegal) = record.replay();
    assert_eq!(game.moves().len(), 4);
    assert_eq!(illegal.unwrap().mv.to_string(), "P*2c");
    let outcome = record.outcome().unwrap();
    assert_eq!(outcome.winner, Some(Color::White));
    assert_eq!(outcome.reason.as_str(), "not-in-hand");
}

#[test]
fn variations_of_samples_hang_where_they_belong() {
    for name in ["kif_04_variations.kif", "ki2_03_variations.ki2"] {
        let [record] = &read_sample(name)[..] else {
            panic!("{name}: one game");
        };
        let found: Vec<(usize, String)> = record
            .main
            .variations
            .iter()
            .map(|v| {
                let moves: Vec<_> = v.line.plies.iter().map(|ply| ply.mv.to_string()).collect();
                (v.at, moves.join(" "))
            })
            .collect();
        let expected = [(2, "6g6f 8c8d 7i6h".to_owned()), (4, "2h7h".to_owned())];
        assert_eq!(found, expected, "{name}");
    }
}
