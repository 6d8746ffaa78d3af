use rules::{Handicap, Position};

use super::*;
use crate::{End, Ending, Format, read};

#[test]
fn a_game_has_its_tags_its_moves_and_its_result() {
    let moves = "7g7f 3c3d 8h2b+ 3a2b B*4e";
    let text = format!("startpos moves {moves}");
    let mut record = read(text.as_bytes(), Format::Usi).unwrap().remove(0);
    record.add_header(HeaderKey::Black, "first \"a\\b\"");
    record.add_header(HeaderKey::White, "second");
    record.add_header(HeaderKey::StartTime, "2026/1/2 03:04:05");
    record.main.end = Some(End::new(Ending::Resign));
    let expected = "\
[Event \"?\"]
[Site \"?\"]
[Date \"2026.01.02\"]
[Round \"?\"]
[White \"first \\\"a\\\\b\\\"\"]
[Black \"second\"]
[Result \"1-0\"]
[Variant \"Shogi\"]

1. P-7f P-3d 2. Bx2b+ Sx2b 3. B*4e 1-0
";
    assert_eq!(write_pgn(&record), expected);
}

#[test]
fn a_game_that_white_begins_starts_with_half_a_number() {
    let text = format!("sfen {} moves 6a5b 7g7f", Handicap::TwoPiece.position());
    let record = read(text.as_bytes(), Format::Usi).unwrap().remove(0);
    let text = write_pgn(&record);
    let start =
        "[SetUp \"1\"]\n[FEN \"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\"]\n";
    assert!(text.contains(start), "{text}");
    assert!(text.contains("\n\n1... G6a-5b 2. P-7f *\n"), "{text}");
}

#[test]
fn results_are_seen_by_the_side_called_white() {
    let mut record = Record::new(Position::startpos(), []);
    for (ending, result) in [
        (Ending::Resign, "0-1"),
        (Ending::Declaration, "1-0"),
        (Ending::Repetition, "1/2-1/2"),
        (Ending::Interrupt, "*"),
    ] {
        record.main.end = Some(End::new(ending));
        let text = write_pgn(&record);
        assert!(text.contains(&format!("[Result \"{result}\"]")), "{text}");
        assert!(text.ends_with(&format!("\n\n{result}\n")), "{text}");
    }
}

#[test]
fn lines_are_shorter_than_80_characters_and_an_illegal_move_is_left_out() {
    let moves = "2h3h 8b7b 3h2h 7b8b ".repeat(20) + "2h2b";
    let text = format!("startpos moves {moves}");
    let record = read(text.as_bytes(), Format::Usi).unwrap().remove(0);
    let text = write_pgn(&record);
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
    let (_, moves) = text.split_once("\n\n").unwrap();
    let n_moves = moves
        .split_whitespace()
        .filter(|word| word.contains('-'))
        .count();
    assert_eq!(n_moves, 80);
}
