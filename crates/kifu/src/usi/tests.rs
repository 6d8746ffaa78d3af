use super::*;
use crate::{Format, read};

const HANDICAP: &str = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

#[track_caller]
fn one(text: &str) -> Record {
    let mut records = read(text.as_bytes(), Format::Usi).unwrap();
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

#[test]
fn all_ways_of_writing_a_line_agree() {
    let expected = one(&format!("position sfen {HANDICAP} moves 6a5b 7g7f\n"));
    assert_eq!(expected.main.plies.len(), 2);
    for text in [
        format!("sfen {HANDICAP} moves 6a5b 7g7f"),
        format!("{HANDICAP} moves 6a5b 7g7f"),
        format!("  position  sfen  {HANDICAP}  moves  6a5b  7g7f  \r\n"),
        format!("sfen {} moves 6a5b 7g7f", HANDICAP.trim_end_matches(" 1")),
    ] {
        assert_eq!(one(&text), expected, "{text}");
    }
    assert_eq!(one("position startpos moves").main.plies.len(), 0);
    assert_eq!(one(HANDICAP).main.plies.len(), 0);
}

#[test]
fn the_move_number_is_kept() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let text = format!("position sfen {sfen} moves 3c3d\n");
    assert_eq!(write_usi(&one(&text)), text);
}

#[test]
fn a_list_may_say_how_the_game_ended() {
    let record = one("startpos moves 7g7f resign\n");
    assert_eq!(record.ending(), Some(Ending::Resign));
    assert_eq!(
        one("startpos moves win\n").ending(),
        Some(Ending::Declaration)
    );
    // Engines know no such words in a position: they are not written.
    assert_eq!(write_usi(&record), "position startpos moves 7g7f\n");
}

#[test]
fn an_illegal_last_move_is_kept() {
    let text = "position startpos moves 7g7f 3c3e\n";
    assert_eq!(write_usi(&one(text)), text);
}
