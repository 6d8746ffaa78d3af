//! `go mate`, and mates that a search plays.

use super::*;

/// Mates by checks alone, with their length as another solver (cshogi's) found it.
const LONG_MATES: [(&str, usize); 3] = [
    (
        "sfen 1nk2r3/4r1gn1/G1p6/+P3p4/6S1P/P1GL1P3/3KPNlP1/1B1S1GS1+n/3L5 b BSL9Pp 127",
        9,
    ),
    (
        "sfen 1s4+PG1/l2+N2P2/p3rs3/3P3pp/7rk/2P6/P2N3B1/LK7/6L2 w BSN5P3gsnl5p 152",
        11,
    ),
    (
        "sfen 3s5/5k3/pp3p1g1/2n1p3P/2G6/9/P2g4L/LP7/1N2SK3 w RGNLPr2b2snl10p 122",
        13,
    ),
];

/// The moves of the one `checkmate` line, which ends in mate.
#[track_caller]
fn mate_in(position: &str, out: &[String]) -> Vec<String> {
    let [.., last] = out else { panic!("{out:#?}") };
    let (_, line) = last.split_once("checkmate ").expect(last);
    let mut game = GivenGame::parse(position)
        .unwrap()
        .game(GameRules::default());
    for text in line.split(' ') {
        game.play(text.parse::<Move>().unwrap()).unwrap();
    }
    assert!(!game.position().has_legal_move(), "{last}");
    line.split(' ').map(str::to_owned).collect()
}

#[test]
fn go_mate_is_answered_with_the_whole_mate() {
    for (position, plies) in [(MATE_IN_1, 1), (MATE_IN_3, 3)].iter().chain(&LONG_MATES) {
        let mut talk = Talk::new(|| panic!("no network is needed"));
        talk.say(&format!("position {position}"));
        let mut out = talk.say("go mate infinite");
        out.extend(talk.think(100_000));
        let mate = mate_in(position, &out);
        assert!(mate.len() <= *plies && mate.len() % 2 == 1, "{out:#?}");
        assert!(out[out.len() - 2].contains(&format!(" score mate {} pv ", mate.len())));
        assert!(talk.say("stop").is_empty());
    }
}

#[test]
fn go_mate_without_a_mate_says_so() {
    let mut talk = Talk::ready();
    let out = talk.answer_to(&["position startpos", "go mate 3000"]);
    assert_eq!(out, ["checkmate nomate"]);
    let out = talk.answer_to(&[&format!("position {MATED}"), "go mate"]);
    assert_eq!(out, ["checkmate nomate"]);
}

/// Row 4 of the engines' list of other programs' faults: the number is milliseconds.
#[test]
fn go_mate_is_given_up_in_time() {
    let mut talk = Talk::ready();
    let start = talk.now.get();
    let (hard, _) = LONG_MATES[2];
    let out = talk.answer_to(&[&format!("position {hard}"), "go mate 1"]);
    assert_eq!(out, ["checkmate timeout"]);
    assert!(talk.now.get() - start <= Duration::from_millis(2));
}

#[test]
fn stop_and_the_next_go_end_a_hunt_with_one_answer() {
    let (hard, _) = LONG_MATES[2];
    for next in ["stop", "gameover lose"] {
        let mut talk = Talk::ready();
        talk.say(&format!("position {hard}"));
        assert!(talk.say("go mate infinite").is_empty());
        assert_eq!(talk.say("isready"), ["readyok"]);
        assert_eq!(talk.say(next), ["checkmate timeout"]);
        assert!(talk.say("stop").is_empty());
        assert!(!talk.engine.is_thinking());
    }
    let mut talk = Talk::ready();
    talk.say(&format!("position {hard}"));
    talk.say("go mate");
    let out = talk.answer_to(&["position startpos", "go nodes 10"]);
    assert_eq!(out[0], "checkmate timeout");
    only_bestmove(&out[1..]);
}

/// Row 5 of the engines' list of other programs' faults.
#[test]
fn a_mate_that_is_proven_is_played() {
    for (position, plies) in LONG_MATES {
        let mut talk = Talk::ready();
        let out = talk.answer_to(&[&format!("position {position}"), "go byoyomi 30000"]);
        let info = &out[out.len() - 2];
        let (_, rest) = info.split_once(" score mate ").expect(info);
        let found: usize = rest.split(' ').next().unwrap().parse().unwrap();
        // Not always the shortest one, which would take longer to find.
        assert!(found % 2 == 1 && plies / 2 <= found, "{info}");
        check_pv_is_legal(position, info);
        only_bestmove(&out);
    }
}

#[test]
fn a_mate_does_not_end_an_infinite_search_and_other_lines_stay() {
    let (position, _) = LONG_MATES[0];
    let mut talk = Talk::ready();
    talk.say("setoption name MultiPV value 2");
    talk.say(&format!("position {position}"));
    talk.say("go infinite");
    assert!(bestmoves(&talk.think(20_000)).is_empty());
    let out = talk.say("stop");
    let [first, second, _] = &out[..] else {
        panic!("{out:#?}")
    };
    assert!(first.contains(" multipv 1 score mate "), "{first}");
    assert!(second.contains(" multipv 2 "), "{second}");
    only_bestmove(&[first.clone(), out[2].clone()]);
}

#[test]
fn without_nodes_for_the_solver_the_search_is_alone() {
    let (position, _) = LONG_MATES[2];
    let mut talk = Talk::ready();
    talk.say("setoption name RootMateSearchNodesLimit value 0");
    let out = talk.answer_to(&[&format!("position {position}"), "go nodes 500"]);
    assert!(!out[out.len() - 2].contains(" mate "), "{out:#?}");
}
