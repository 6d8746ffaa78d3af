use super::*;
use crate::seeds;

#[path = "../../../../fuzz/checks/position.rs"]
mod position;

#[track_caller]
fn position_after(text: &str) -> String {
    let given = GivenGame::parse(text).unwrap();
    given.game(GameRules::default()).position().to_string()
}

#[track_caller]
fn check_refused(text: &str, start_of_message: &str) {
    let message = GivenGame::parse(text).unwrap_err().to_string();
    assert!(message.starts_with(start_of_message), "{message}");
}

#[test]
fn startpos_and_its_sfen_are_the_same() {
    let start = Position::startpos().to_string();
    let without_number = start.rsplit_once(' ').unwrap().0;
    assert_eq!(position_after("startpos"), start);
    assert_eq!(position_after("startpos moves"), start);
    assert_eq!(position_after(&format!("sfen {start}")), start);
    assert_eq!(position_after(&start), start);
    assert_eq!(position_after(&format!("sfen {without_number}")), start);
}

#[test]
fn blanks_between_words_do_not_matter() {
    assert_eq!(
        position_after("  startpos \t moves  7g7f   3c3d "),
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
    );
}

#[test]
fn moves_without_promotion_are_legal_in_a_list() {
    assert_eq!(
        position_after("startpos moves 7g7f 3c3d 8h2b 3a2b"),
        "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5"
    );
}

#[test]
fn hands_may_be_written_in_any_order() {
    let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    assert_eq!(
        position_after(&format!("sfen {}", sfen.replace("RGgsn5p", "GR5pnsg"))),
        position_after(&format!("sfen {sfen}"))
    );
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    check_refused("", "expected startpos or sfen, found \"\"");
    check_refused(
        "fen 8/8 w - -",
        "expected startpos or sfen, found \"fen 8/8 w - -\"",
    );
    check_refused(
        "startpos foo",
        "expected startpos or sfen, found \"startpos foo\"",
    );
    check_refused("sfen", "sfen: ");
    check_refused("sfen xxx b - 1", "sfen: ");
    check_refused(
        "startpos moves 7g7f resign",
        "move 2 \"resign\" is not a move",
    );
    check_refused(
        "startpos moves 7g7f 3c3d 8h1a",
        "move 3 8h1a is illegal in \
         lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3: \
         another piece stands in the way",
    );
}

#[test]
fn a_game_is_written_as_the_line_that_gives_it() {
    for line in [
        "position startpos",
        "position startpos moves 7g7f 3c3d",
        "position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a4b",
    ] {
        let given = GivenGame::parse(line.trim_start_matches("position ")).unwrap();
        assert_eq!(position_line(&given.game(GameRules::default())), line);
    }
}

/// What the fuzz target checks, on its seeds and on mutations of them.
#[test]
fn no_text_breaks_the_reader() {
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    seeds::check_all(
        "fuzz/seeds/position",
        if slow { 20_000 } else { 1000 },
        position::check,
    );
}
