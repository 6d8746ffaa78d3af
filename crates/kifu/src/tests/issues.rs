//! Public reports about other programs: the smallest input, and what is right.
//!
//! The numbers are rows of our list of reports; the repository and its issue follow.

use std::time::Duration;

use rules::{Color, Handicap, Position, STARTPOS_SFEN};

use super::samples::read_sample;
use crate::{CsaVersion, Encoding, Ending, Format, GameResult, Record, read, write};

const CSA: Format = Format::Csa(CsaVersion::V22);

#[track_caller]
fn one(text: &str, format: Format) -> Record {
    let mut records = read(text.as_bytes(), format).unwrap();
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

#[track_caller]
fn check_start(text: &str, format: Format, sfen: &str) {
    assert_eq!(one(text, format).start.to_string(), sfen, "{text}");
}

#[track_caller]
fn check_moves(text: &str, format: Format, moves: &str) {
    let found: Vec<String> = one(text, format).moves().map(|mv| mv.to_string()).collect();
    assert_eq!(found.join(" "), moves, "{text}");
}

/// Row 6: TadaoYamaoka/cshogi#60.
#[test]
fn a_time_before_any_move_is_nothing() {
    let record = one("V2.2\nPI\n+\n'+2726FU\nT1\n", CSA);
    assert_eq!(record, Record::new(Position::startpos(), []));
}

/// Row 7: TadaoYamaoka/cshogi#38; row 26 of the rules' reports: TadaoYamaoka/cshogi#43.
#[test]
fn all_pieces_of_a_hand_line_are_counted() {
    let kings = "P-51OU\nP+59OU\n";
    for (hands, expected) in [
        ("P+00FU00FU\n", "2P"),
        ("P+00FU\nP+00FU\n", "2P"),
        ("P+00FU00KY00FU00HI\nP-00KI00KI00FU\n", "RL2P2gp"),
    ] {
        let text = format!("V2.2\n{kings}{hands}+\n");
        check_start(&text, CSA, &format!("4k4/9/9/9/9/9/9/9/4K4 b {expected} 1"));
    }
    let [record] = &read_sample("csa_08_kachi.csa")[..] else {
        panic!("one game");
    };
    assert!(record.start.to_string().contains(" b RB2G4S4N3L6Pg6p 1"));
}

/// Row 8: gunyarakun/python-shogi#27.
#[test]
fn pi_is_the_even_start_less_the_pieces_behind_it() {
    check_start("V2.2\nPI\n+\n", CSA, STARTPOS_SFEN);
    let two_piece = Handicap::TwoPiece.position().to_string();
    check_start("V2.2\nPI82HI22KA\n-\n", CSA, &two_piece);
}

/// Row 9: gunyarakun/python-shogi#16.
#[test]
fn blanks_before_a_time_do_not_matter() {
    let record = one("1 ７六歩(77)   ( 1:00/00:01:00)\n", Format::Kif);
    assert_eq!(record.main.plies[0].mv.to_string(), "7g7f");
    let clock = record.main.plies[0].clock.unwrap();
    assert_eq!(clock.spent, Duration::from_secs(60));
    assert_eq!(clock.total, Some(Duration::from_secs(60)));
}

/// Row 10: gunyarakun/python-shogi#42.
#[test]
fn eight_pieces_are_given_away() {
    let start = "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    check_start("手合割：八枚落ち\n", Format::Kif, start);
}

/// Row 11: gunyarakun/python-shogi#66.
#[test]
fn hands_may_have_any_blanks_between_the_pieces() {
    let board = "|v玉 ・ ・ ・ ・ ・ ・ ・ ・|一\n".to_owned()
        + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7)
        + "| ・ ・ ・ ・ ・ ・ ・ ・ 玉|九\n";
    for hand in ["飛二 金四", "飛二　金四", "飛二　金四　", "飛二  金４"] {
        let text = format!("手合割：その他\n{board}先手の持駒：{hand}\n");
        check_start(&text, Format::Kif, "k8/9/9/9/9/9/9/9/8K b 2R4G 1");
    }
}

/// Row 12: na2hiro/Kifu-for-JS#38.
#[test]
fn the_same_square_needs_no_blank_behind_it() {
    for same in ["同歩(23)", "同　歩(23)", "同 歩(23)"] {
        let text = format!(
            "1 ２六歩(27)\n2 ３四歩(33)\n3 ２五歩(26)\n4 ４四歩(43)\n5 ２四歩(25)\n6 {same}\n"
        );
        check_moves(&text, Format::Kif, "2g2f 3c3d 2f2e 4c4d 2e2d 2c2d");
    }
}

/// Row 13: na2hiro/Kifu-for-JS#25.
#[test]
fn a_diagram_wins_over_the_named_start_and_hands_alone_mean_nothing() {
    let text = "手合割：平手\n後手の持駒：なし\n先手の持駒：歩\n盤面反転\n1 ７六歩(77)\n";
    check_start(text, Format::Kif, STARTPOS_SFEN);
    let board = "|v玉 ・ ・ ・ ・ ・ ・ ・ ・|一\n".to_owned()
        + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7)
        + "| ・ ・ ・ ・ ・ ・ ・ ・ 玉|九\n";
    let text = format!("手合割：平手\n後手の持駒：\n{board}先手の持駒：歩\n盤面反転\n");
    check_start(&text, Format::Kif, "k8/9/9/9/9/9/9/9/8K b P 1");
}

/// Row 14: sunfish-shogi/shogihome#741.
#[test]
fn a_problem_is_its_diagram() {
    let [record] = &read_sample("kif_10_tsume.kifu")[..] else {
        panic!("one game");
    };
    assert_eq!(
        record.start.to_string(),
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
    );
    let bare = read("手合割：詰将棋\n1 ５二金打\n".as_bytes(), Format::Kif);
    let message = bare.unwrap_err().to_string();
    assert!(
        message.starts_with("line 1, column 5: found \"詰将棋\", expected 平手"),
        "{message}"
    );
}

/// Row 15: sunfish-shogi/shogihome#249.
#[test]
fn marks_that_shift_jis_lacks_become_those_it_has() {
    let mut record = Record::new(Position::startpos(), []);
    record.add_header(crate::HeaderKey::Black, "☗ 🐶");
    record.add_header(crate::HeaderKey::White, "☖");
    let name = |encoding| {
        let bytes = write(&record, Format::Kif, encoding).unwrap();
        let again = read(&bytes, Format::Kif).unwrap().remove(0);
        again
            .headers
            .into_iter()
            .map(|header| header.value)
            .collect::<Vec<_>>()
    };
    assert_eq!(name(Encoding::ShiftJis), ["▲ 〓", "△"]);
    assert_eq!(name(Encoding::Utf8), ["☗ 🐶", "☖"]);
}

/// Row 16: WandererXII/lishogi#431 and #170.
#[test]
fn kif_is_shift_jis_and_kifu_is_utf8() {
    for (extension, expected) in [
        ("kif", Encoding::ShiftJis),
        ("KIF", Encoding::ShiftJis),
        ("kifu", Encoding::Utf8),
        ("ki2", Encoding::ShiftJis),
        ("ki2u", Encoding::Utf8),
    ] {
        let (_, encoding) = Format::from_extension(extension).unwrap();
        assert_eq!(encoding, expected, "{extension}");
    }
    // Reading looks at the bytes, whatever the ending or the first line say.
    let text = "#KIF version=2.0 encoding=Shift_JIS\n先手：羽生\n1 ７六歩(77)\n";
    let shift_jis = crate::encode(text, Encoding::ShiftJis);
    for bytes in [text.as_bytes(), &shift_jis] {
        let record = read(bytes, Format::Kif).unwrap().remove(0);
        assert_eq!(record.header(&crate::HeaderKey::Black), Some("羽生"));
    }
}

/// Row 17: na2hiro/json-kifu-format#62, sunfish-shogi/tsshogi#136.
#[test]
fn an_illegal_action_is_of_the_side_that_it_names() {
    for (moves, name, loser) in [
        ("", "%+ILLEGAL_ACTION", Color::Black),
        ("+7776FU\n", "%+ILLEGAL_ACTION", Color::Black),
        ("", "%-ILLEGAL_ACTION", Color::White),
        ("+7776FU\n", "%-ILLEGAL_ACTION", Color::White),
    ] {
        let record = one(&format!("V2.2\nPI\n+\n{moves}{name}\n"), CSA);
        assert_eq!(record.ending(), Some(Ending::Foul(loser)));
        assert_eq!(record.result(), GameResult::Win(loser.flipped()));
    }
}

/// Row 18: na2hiro/json-kifu-format#27 and #52.
#[test]
fn version_2_and_empty_hand_lines_are_valid() {
    check_moves("V2\nPI\nP+\nP-\n+\n+7776FU\n", CSA, "7g7f");
}

/// Row 19: sunfish-shogi/shogihome#473 and #1721.
#[test]
fn times_in_files_are_seconds() {
    let record = one("V2.2\nPI\n+\n+7776FU\nT3\n", CSA);
    assert_eq!(
        record.main.plies[0].clock.unwrap().spent,
        Duration::from_secs(3)
    );
    let written = write(&record, CSA, Encoding::Utf8).unwrap();
    assert!(
        String::from_utf8(written)
            .unwrap()
            .contains("\n+7776FU\nT3\n")
    );
}

/// mogproject/mog-playground#285: a king left in check, and 反則勝ち.
#[test]
fn a_game_may_end_with_a_king_left_in_check() {
    let text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ５八玉(59)\n4 ８八角成(22)\n5 ６八玉(58)\n\
                6 ７八馬(88)\n7 ９六歩(97)\n8 反則勝ち\n";
    let record = one(text, Format::Kif);
    assert_eq!(record.result(), GameResult::Win(Color::White));
    assert_eq!(record.outcome().unwrap().reason.as_str(), "left-in-check");
}

/// AobaZero's remarks behind moves, floodgate's glued ones, boards without all of their blanks.
#[test]
fn csa_is_read_as_programs_write_it() {
    let text = "V2.2\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI * * * * * -KA *\n\
                P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  *\nP5*********\n\
                P6 *  *  *  *  *  *  *  *  * \nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n\
                P8 * +KA * * * * * +HI *\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n\
                +7776FU'*glued\n-3334FU,v=0.523,1600,+2726FU\n+2726FU,'v=0.5\nT1\n";
    let record = one(text, CSA);
    assert_eq!(record.start, Position::startpos());
    let moves: Vec<String> = record.moves().map(|mv| mv.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "2g2f"]);
    assert_eq!(
        record.main.plies[0].notes,
        [crate::Note::Text("glued".to_owned())]
    );
}

/// What is missing or odd in times must not cost the moves.
#[test]
fn odd_times_are_no_times() {
    let text = "1 ７六歩(77)\n2 ３四歩(33) ( 0:x/00)\n3 ２六歩(27) (0:05)\n4 ８四歩(83)( 0:01/)+\n\
                5 ２五歩(26) ()\n6 ８五歩(84) (00:07 / 00:00:08)\n";
    let record = one(text, Format::Kif);
    let spent: Vec<Option<u64>> = record
        .main
        .plies
        .iter()
        .map(|ply| ply.clock.map(|clock| clock.spent.as_secs()))
        .collect();
    assert_eq!(spent, [None, None, Some(5), Some(1), None, Some(7)]);
}

#[test]
fn a_variation_that_begins_with_the_same_square_finds_it_in_its_line() {
    let text = "1 ２六歩(27)\n2 ３四歩(33)\n3 ２五歩(26)\n4 ４四歩(43)\n5 ２四歩(25)\n6 同　歩(23)\n\
                7 同　飛(28)\n\n変化：6手\n6 ３三角(22)\n\n変化：3手\n3 ７六歩(77)\n";
    let record = one(text, Format::Kif);
    let variations = &record.main.variations;
    assert_eq!(variations.iter().map(|v| v.at).collect::<Vec<_>>(), [2, 5]);

    let text = "1 ２六歩(27)\n2 ３四歩(33)\n3 ２五歩(26)\n4 ４四歩(43)\n5 ２四歩(25)\n6 ３三角(22)\n\n\
                変化：6手\n6 同　歩(23)\n7 同　飛(28)\n";
    let record = one(text, Format::Kif);
    let line = &record.main.variations[0].line;
    let moves: Vec<String> = line.plies.iter().map(|ply| ply.mv.to_string()).collect();
    assert_eq!(moves, ["2c2d", "2h2d"]);
}

#[test]
fn an_unfinished_game_is_no_draw() {
    for text in ["V2.2\nPI\n+\n+7776FU\n", "V2.2\nPI\n+\n+7776FU\n%CHUDAN\n"] {
        assert_eq!(one(text, CSA).result(), GameResult::Unknown);
        assert_eq!(one(text, CSA).outcome(), None);
    }
}

#[test]
fn a_repetition_by_perpetual_check_is_lost() {
    let moves = "9b9a 1a1b 9a9b 1b1a ".repeat(3);
    let text = format!("sfen 8k/R8/9/9/9/9/9/9/K8 b - 1 moves {moves}");
    let mut record = one(&text, Format::Usi);
    record.main.end = Some(crate::End::new(Ending::Repetition));
    assert_eq!(record.result(), GameResult::Win(Color::White));
    let outcome = record.outcome().unwrap();
    assert_eq!(outcome.reason.as_str(), "perpetual-check");
    // Other programs see a foul, and so the right winner.
    assert_eq!(
        Ending::of(outcome, record.side_at_end()),
        Ending::Foul(Color::Black)
    );
}

#[test]
fn illegal_move_is_the_side_to_moves_unless_the_record_holds_it() {
    // By CSA's definition the illegal move is not in the record.
    let record = one("V2.2\nPI\n+\n+7776FU\n-3334FU\n%ILLEGAL_MOVE\n", CSA);
    assert_eq!(record.result(), GameResult::Win(Color::White));
    // Black drops a pawn that it does not have.
    let record = one(
        "V2.2\nPI\n+\n+7776FU\n-3334FU\n+0055FU\n%ILLEGAL_MOVE\n",
        CSA,
    );
    assert_eq!(record.result(), GameResult::Win(Color::White));
    // Then the definition has another statement for it.
    let written = String::from_utf8(write(&record, CSA, Encoding::Utf8).unwrap()).unwrap();
    assert!(
        written.ends_with("+0055FU\n%+ILLEGAL_ACTION\n"),
        "{written}"
    );
}
