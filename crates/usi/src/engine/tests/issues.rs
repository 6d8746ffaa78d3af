//! Faults of other engines that users reported: `testdata/issues.tsv`. What a row needs beyond the
//! tests that are elsewhere.

use std::fs;
use std::path::Path;

use super::*;

/// Every row names a test that exists, or says why there is none.
#[test]
fn every_row_of_the_list_is_tested_or_says_why_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let list = fs::read_to_string(root.join("crates/usi/testdata/issues.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(rows.len(), 40);
    for row in &rows {
        let [id, _, _, _, _, _, proof] = row[..] else {
            panic!("{row:?}")
        };
        if proof.starts_with("none: ") {
            continue;
        }
        for named in proof.split("; ") {
            let (file, test) = named.split_once(' ').expect(named);
            let text = fs::read_to_string(root.join(file)).expect(file);
            let head = format!("fn {test}()");
            assert!(text.contains(&head), "row {id}: {file} has no {test}");
        }
    }
}

/// Row 7.
#[test]
fn the_end_of_a_game_ends_pondering_for_good() {
    for result in ["gameover win", "gameover lose", "gameover draw", "gameover"] {
        let mut talk = Talk::ready();
        talk.say("setoption name USI_Ponder value true");
        talk.say("position startpos moves 7g7f 3c3d");
        talk.say("go ponder btime 3000 wtime 3000 byoyomi 100");
        talk.think(20);
        only_bestmove(&talk.say(result));
        assert!(!talk.engine.is_thinking());
        assert!(talk.say("ponderhit").is_empty());
        assert!(!talk.engine.is_thinking());
    }
}

/// Row 8.
#[test]
fn a_ponder_that_is_stopped_at_any_time_has_one_answer_and_never_an_early_one() {
    let mut talk = Talk::ready();
    let mut lot = 1_u64;
    for _ in 0..100 {
        lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        talk.say("position startpos moves 7g7f 3c3d");
        let mut out = talk.say("go ponder btime 0 wtime 0 byoyomi 100");
        out.extend(talk.think((lot >> 33) as usize % 150));
        assert!(bestmoves(&out).is_empty(), "{out:#?}");
        let end = ["stop", "ponderhit"][(lot >> 60) as usize % 2];
        out.extend(talk.say(end));
        out.extend(talk.think(100_000));
        only_bestmove(&out);
        assert!(talk.say("stop").is_empty());
    }
}

/// Row 9.
#[test]
fn a_declaration_comes_before_a_repetition() {
    for times in [1, 2, 3] {
        let cycle = " 9a9b 5i4i 9b9a 4i5i".repeat(times);
        let position = format!("position {DECLARE} moves{cycle}");
        let out = Talk::ready().answer_to(&[&position, "go byoyomi 300"]);
        assert_eq!(only_bestmove(&out), "win");
    }
}

/// Row 12.
#[test]
fn the_clock_of_the_side_to_move_is_the_own_one() {
    for (position, go) in [
        ("startpos moves 7g7f", "go btime 600000 wtime 1000"),
        ("startpos", "go wtime 600000 btime 1000 winc 0 binc 0"),
    ] {
        let mut talk = Talk::ready();
        let start = talk.now.get();
        only_bestmove(&talk.answer_to(&[&format!("position {position}"), go]));
        assert!(talk.now.get() - start < Duration::from_secs(1));
    }
}

/// Row 28.
#[test]
fn a_position_without_a_king_is_answered_or_refused() {
    let mut talk = Talk::ready();
    let out = talk.answer_to(&["position sfen 6+B1k/9/9/9/9/9/9/9/9 b S 1", "go nodes 20"]);
    assert_ne!(only_bestmove(&out), "resign");
    let out = talk.answer_to(&["go mate infinite"]);
    assert_eq!(out[1], "checkmate S*2b 1a1b 2b1c+ 1b1a 1c2b");
    let out = talk.answer_to(&["position sfen 9/9/9/9/9/9/9/9/9 b - 1", "go nodes 20"]);
    assert_eq!(bestmoves(&out).len(), 1, "{out:#?}");
}

/// Row 49.
#[test]
fn stop_position_and_go_at_once_have_two_answers_in_order() {
    let mut talk = Talk::ready();
    let mut out = Vec::new();
    for line in [
        "position startpos moves 7g7f 3c3d",
        "go ponder btime 3000 wtime 3000",
        "stop",
        "position startpos moves 7g7f 8c8d",
        "go nodes 30",
    ] {
        out.extend(talk.say(line));
    }
    out.extend(talk.think(100_000));
    assert_eq!(bestmoves(&out).len(), 2);
    check_pv_is_legal("startpos moves 7g7f 8c8d", &out[out.len() - 2]);
}

/// Row 53.
#[test]
fn a_strict_client_finds_the_options_that_it_asks_for() {
    let out = Talk::ready().say("usi");
    for name in [
        "USI_Ponder",
        "USI_Hash",
        "MaxMovesToDraw",
        "EnteringKingRule",
        "MultiPV",
        "Threads",
    ] {
        let start = format!("option name {name} type ");
        assert!(out.iter().any(|line| line.starts_with(&start)), "{name}");
    }
}
