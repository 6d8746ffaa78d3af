use kifu::{CsaVersion, Encoding, Format};
use rules::Position;

use super::*;
use crate::external::EngineFault;
use crate::finished::GameEnd;

fn stored(reason: &str, winner: Winner) -> StoredGame {
    StoredGame {
        game: 6,
        replay: 0,
        replayed: false,
        seed: 1,
        pair_seed: 2,
        black: Seat::B,
        winner,
        reason: reason.to_owned(),
        ended_s: None,
        message: None,
        start: Position::startpos().to_string(),
        moves: "7g7f 3c3d 8h2b+".to_owned(),
        opening_plies: 1,
        scores: vec!["cp 30".to_owned(), "mate 3".to_owned()],
        times_ms: vec![1500, 0],
    }
}

fn heading() -> Heading {
    Heading {
        event: "match".to_owned(),
        a: "new".to_owned(),
        b: "old".to_owned(),
        time_a: Some("0+1".parse().unwrap()),
        time_b: Some("0+1".parse().unwrap()),
        max_ply: 512,
    }
}

fn written(game: &StoredGame, format: Format) -> String {
    let record = record(game, &heading()).unwrap();
    String::from_utf8(kifu::write(&record, format, Encoding::Utf8).unwrap()).unwrap()
}

#[test]
fn a_csa_record_has_names_times_scores_and_the_end() {
    let text = written(
        &stored("resignation", Winner::Black),
        Format::Csa(CsaVersion::V30),
    );
    for line in [
        "N+old",
        "N-new",
        "$EVENT:match game 7",
        "$TIME:0+1+0",
        "$MAX_MOVES:512",
        "+7776FU",
        "-3334FU",
        "+8822UM",
        "%TORYO",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
    // White's 30 is -30 for Black, whose mate in three is near 30,000.
    assert!(text.contains("'** -30"), "{text}");
    assert!(text.contains("'** 29997"), "{text}");
    assert!(
        text.contains("T1.5") || text.contains("T1500") || text.contains("T1"),
        "{text}"
    );
}

#[test]
fn a_record_reads_back_with_result_and_moves() {
    for (reason, winner) in [
        ("resignation", Winner::Black),
        ("repetition", Winner::Draw),
        ("engine-crash", Winner::White),
        ("engine-stall", Winner::Black),
        ("adjudicated", Winner::Draw),
        ("ply-limit", Winner::Draw),
    ] {
        let game = stored(reason, winner);
        let text = written(&game, Format::Csa(CsaVersion::V30));
        let format = Format::Csa(CsaVersion::V30);
        let read = kifu::read(text.as_bytes(), format).unwrap();
        assert_eq!(read.len(), 1);
        let moves: Vec<String> = read[0].moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves.join(" "), game.moves, "{reason}");
        let expected = match winner {
            Winner::Black => kifu::GameResult::Win(Color::Black),
            Winner::White => kifu::GameResult::Win(Color::White),
            Winner::Draw => kifu::GameResult::Draw,
        };
        if reason != "repetition" {
            assert_eq!(read[0].result(), expected, "{reason}");
        }
        assert_eq!(
            record(&game, &heading()).unwrap().result(),
            expected,
            "{reason}"
        );
    }
}

#[test]
fn kif_and_pgn_can_be_written_too() {
    let game = stored("adjudicated", Winner::Black);
    let kif = written(&game, Format::Kif);
    assert!(kif.contains("先手：old") && kif.contains("投了"), "{kif}");
    let pgn = written(&game, Format::Pgn);
    assert!(
        pgn.contains("[White \"old\"]") && pgn.contains("[Result \"1-0\"]"),
        "{pgn}"
    );
}

#[test]
fn every_end_of_a_match_is_the_same_by_the_rules_here_and_there() {
    let black = Color::Black;
    let faults = [
        EngineFault::Crash,
        EngineFault::Stall,
        EngineFault::Late,
        EngineFault::IllegalAnswer,
        EngineFault::ExtraAnswer,
        EngineFault::Rubbish,
        EngineFault::NotReady,
    ];
    let faulty = faults.map(|fault| GameEnd::EngineFault {
        loser: black,
        fault,
        message: String::new(),
    });
    let others = [
        GameEnd::Adjudicated {
            winner: Some(black),
        },
        GameEnd::Adjudicated { winner: None },
        GameEnd::TimeUp { loser: black },
        GameEnd::Rules(Outcome::win(black, EndReason::Checkmate)),
        GameEnd::Rules(Outcome::draw(EndReason::Repetition)),
    ];
    for end in faulty.iter().chain(&others) {
        let expected = end.outcome();
        let found = rule_of(end.reason(), expected.winner.is_some());
        assert_eq!(found, expected.reason, "{end:?}");
    }
}

#[test]
fn a_record_says_when_the_game_ended_if_that_is_known() {
    let mut game = stored("resignation", Winner::Black);
    let csa = Format::Csa(CsaVersion::V30);
    assert!(!written(&game, csa).contains("$END_TIME"));
    game.ended_s = Some(1_767_322_800.9);
    let text = written(&game, csa);
    assert!(text.contains("$END_TIME:2026/01/02 03:00:00\n"), "{text}");
    let text = written(&game, Format::Pgn);
    assert!(text.contains("[Date \"2026.01.02\"]\n"), "{text}");
    for outside in [f64::INFINITY, f64::NEG_INFINITY, 1e30] {
        assert_eq!(csa_date(outside), None);
    }
}
