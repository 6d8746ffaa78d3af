mod issues;
mod mates;
mod readers;
mod settings;

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use rules::{GameRules, Move};
use search::{EvalAnswers, EvalRequest, EvaluatorError, HashEvaluator, UniformEvaluator, Wdl};

use super::*;

const MATED: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1";
const MATE_IN_1: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
const MATE_IN_3: &str = "sfen 6k2/9/7G1/5s1gp/9/9/9/9/4K4 b RSr2b2g2s4n4l17p 1";
const DECLARE: &str = "sfen +R+P1+P5/1K+B+P+P4/+P+P+P+P5/9/9/9/9/9/4k4 b RB10P4g4s4n4l 1";
const MIDGAME: &str = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const ONE_REPLY: &str =
    "sfen l1s1kg3/1r1g2sbl/p1np2np1/1p2p3p/1Pp2pp2/4PK3/P1PPSPPPP/1BS3GR1/LNG4NL b - 31";

/// A conversation with an engine whose clock moves by a millisecond each time that it is read.
struct Talk {
    engine: UsiEngine,
    now: Rc<Cell<Instant>>,
    /// Times that a network was asked for.
    n_loads: usize,
    network: Box<dyn Fn() -> Loaded>,
}

impl Talk {
    fn new(evaluator: fn() -> Box<dyn Evaluator>) -> Talk {
        Talk::with_network(move || evaluator().into())
    }

    fn with_network(network: impl Fn() -> Loaded + 'static) -> Talk {
        let now = Rc::new(Cell::new(Instant::now()));
        let hands = Rc::clone(&now);
        let clock = move || {
            hands.set(hands.get() + Duration::from_millis(1));
            hands.get()
        };
        let options = EngineOptions {
            name: "test".to_owned(),
            author: "tester".to_owned(),
            settings: Settings::default(),
        };
        Talk {
            engine: UsiEngine::new(options, Box::new(clock)),
            now,
            n_loads: 0,
            network: Box::new(network),
        }
    }

    /// An engine that is ready.
    fn ready() -> Talk {
        let mut talk = Talk::new(|| Box::new(HashEvaluator { seed: 1 }));
        assert_eq!(talk.say("isready"), ["readyok"]);
        talk
    }

    /// What the engine says to a line before it goes on thinking.
    fn say(&mut self, line: &str) -> Vec<String> {
        let mut out = Vec::new();
        match self.engine.handle(line, self.now.get(), &mut out) {
            Next::GoOn => {}
            Next::Load(_) => {
                self.n_loads += 1;
                self.engine.network_loaded((self.network)(), &mut out);
            }
            Next::Quit => panic!("the engine quits at {line:?}"),
        }
        out
    }

    /// What it says while it thinks on for at most `visits` visits.
    fn think(&mut self, visits: usize) -> Vec<String> {
        let mut out = Vec::new();
        for _ in 0..visits {
            if !self.engine.is_thinking() {
                break;
            }
            self.engine.think(&mut out);
        }
        out
    }

    /// Says the lines and lets it think up to its answer.
    fn answer_to(&mut self, lines: &[&str]) -> Vec<String> {
        let mut out: Vec<String> = lines.iter().flat_map(|line| self.say(line)).collect();
        out.extend(self.think(100_000));
        out
    }
}

fn bestmoves(out: &[String]) -> Vec<&str> {
    out.iter()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .collect()
}

/// The one answer, after a line with a score that shows it as the first move of its pv.
#[track_caller]
fn only_bestmove(out: &[String]) -> &str {
    let [answer] = bestmoves(out)[..] else {
        panic!("{out:#?}")
    };
    let [.., info, last] = out else {
        panic!("{out:#?}")
    };
    assert!(last.starts_with("bestmove "), "{out:#?}");
    assert!(
        info.starts_with("info ") && info.contains(" score "),
        "{info}"
    );
    if let Some((_, pv)) = info.split_once(" pv ") {
        let first = pv.split(' ').next();
        assert!(
            answer == "resign" || answer.split(' ').next() == first,
            "{info} / {answer}"
        );
    }
    answer
}

#[track_caller]
fn check_pv_is_legal(position: &str, info: &str) {
    let mut game = GivenGame::parse(position)
        .unwrap()
        .game(GameRules::default());
    let (_, pv) = info.split_once(" pv ").unwrap();
    for text in pv.split(' ') {
        game.play(text.parse::<Move>().unwrap()).unwrap();
    }
}

#[test]
fn usi_is_answered_without_loading_anything() {
    let mut talk = Talk::new(|| Box::new(UniformEvaluator));
    let out = talk.say("usi");
    assert_eq!(out[..2], ["id name test", "id author tester"]);
    assert!(
        out[2..out.len() - 1]
            .iter()
            .all(|line| line.starts_with("option name "))
    );
    assert_eq!(out.last().unwrap(), "usiok");
    assert_eq!(talk.say("usi"), out);
    assert_eq!(talk.n_loads, 0);
}

#[test]
fn the_network_is_loaded_once_and_again_when_its_options_change() {
    let mut talk = Talk::ready();
    assert_eq!(talk.say("isready"), ["readyok"]);
    assert_eq!(talk.n_loads, 1);
    talk.say("setoption name USI_Hash value 64");
    talk.say("isready");
    assert_eq!(talk.n_loads, 1);
    talk.say("setoption name DNN_Model value other.onnx");
    talk.say("isready");
    assert_eq!(talk.n_loads, 2);
}

#[test]
fn go_without_isready_loads_the_network_and_answers() {
    let mut talk = Talk::new(|| Box::new(UniformEvaluator));
    let out = talk.answer_to(&["go nodes 10"]);
    only_bestmove(&out);
    assert_eq!(talk.n_loads, 1);
}

#[test]
fn fixed_visits_are_kept_exactly() {
    let mut talk = Talk::ready();
    for nodes in [1, 2, 200] {
        let out = talk.answer_to(&["position startpos moves 7g7f", &format!("go nodes {nodes}")]);
        only_bestmove(&out);
        let info = &out[out.len() - 2];
        assert!(info.contains(&format!(" nodes {nodes} ")), "{info}");
        check_pv_is_legal("startpos moves 7g7f", info);
    }
    talk.say("setoption name NodesLimit value 30");
    let out = talk.answer_to(&["go btime 60000 wtime 60000"]);
    assert!(out[out.len() - 2].contains(" nodes 30 "), "{out:#?}");
}

#[test]
fn every_kind_of_go_gets_exactly_one_bestmove() {
    let mut talk = Talk::ready();
    talk.say(&format!("position {MIDGAME}"));
    for go in [
        "go btime 0 wtime 0 byoyomi 300",
        "go btime 3000 wtime 3000 byoyomi 100",
        "go binc 20 winc 20 wtime 200 btime 200",
        "go btime 0 wtime 0 byoyomi 0",
        "go btime -500 wtime -500",
        "go movetime 100",
        "go nodes -1",
        "go depth 2",
        "go depth 0",
    ] {
        let out = talk.answer_to(&[go]);
        only_bestmove(&out);
        assert!(bestmoves(&talk.say("stop")).is_empty(), "{go}");
    }
}

#[test]
fn the_answer_comes_within_byoyomi() {
    let mut talk = Talk::ready();
    let start = talk.now.get();
    let out = talk.answer_to(&["position startpos", "go btime 0 wtime 0 byoyomi 600"]);
    only_bestmove(&out);
    let taken = talk.now.get() - start;
    assert!(taken <= Duration::from_millis(600), "{taken:?}");
    assert!(taken >= Duration::from_millis(400), "{taken:?}");
}

#[test]
fn infinite_waits_for_stop_even_when_nothing_is_left_to_find() {
    for position in ["startpos", MATE_IN_1, MATED, DECLARE] {
        let mut talk = Talk::ready();
        talk.say("setoption name UCT_NodeLimit value 100");
        let mut out = talk.answer_to(&[&format!("position {position}"), "go infinite"]);
        assert!(bestmoves(&out).is_empty(), "{out:#?}");
        assert!(!talk.engine.is_thinking(), "still busy in {position}");
        out.extend(talk.say("stop"));
        only_bestmove(&out);
    }
}

#[test]
fn go_without_limits_says_so_and_waits_for_stop() {
    let mut talk = Talk::ready();
    assert_eq!(
        talk.say("go byoyomi"),
        ["info string go without a limit: thinking until stop"]
    );
    assert!(bestmoves(&talk.think(100)).is_empty());
    only_bestmove(&talk.say("stop"));
}

#[test]
fn stop_right_behind_go_is_answered_with_one_visit() {
    let mut talk = Talk::ready();
    for _ in 0..20 {
        assert!(talk.say("go infinite").is_empty());
        only_bestmove(&talk.say("stop"));
    }
}

#[test]
fn pondering_is_answered_after_ponderhit() {
    let mut talk = Talk::ready();
    talk.say("position startpos moves 7g7f 3c3d");
    talk.say("go ponder btime 0 wtime 0 byoyomi 300");
    assert!(bestmoves(&talk.think(2_000)).is_empty());
    let hit = talk.now.get();
    let mut out = talk.say("ponderhit");
    out.extend(talk.think(100_000));
    only_bestmove(&out);
    assert!(talk.now.get() - hit <= Duration::from_millis(300));
}

#[test]
fn early_ponder_takes_its_clocks_from_ponderhit() {
    let mut talk = Talk::ready();
    assert!(talk.say("go ponder").is_empty());
    assert!(bestmoves(&talk.think(500)).is_empty());
    let out = talk.answer_to(&["ponderhit btime 0 wtime 0 byoyomi 200"]);
    only_bestmove(&out);
}

#[test]
fn a_missed_ponder_is_answered_too_and_the_replies_pair_up() {
    let mut talk = Talk::ready();
    let mut out = talk.say("position startpos moves 7g7f 3c3d");
    out.extend(talk.say("go ponder btime 3000 wtime 3000 byoyomi 100"));
    out.extend(talk.think(50));
    out.extend(talk.say("stop"));
    only_bestmove(&out);
    only_bestmove(&talk.answer_to(&["position startpos moves 7g7f 8c8d", "go nodes 20"]));
}

#[test]
fn a_second_go_first_answers_the_first_one() {
    let mut talk = Talk::ready();
    talk.say("go infinite");
    talk.think(5);
    let out = talk.answer_to(&["go nodes 20"]);
    assert_eq!(bestmoves(&out).len(), 2);
}

#[test]
fn gameover_ends_a_search_with_one_answer_and_is_silent_otherwise() {
    let mut talk = Talk::ready();
    assert!(talk.say("gameover win").is_empty());
    talk.say("go ponder btime 3000 wtime 3000");
    talk.think(5);
    only_bestmove(&talk.say("gameover lose"));
    assert!(!talk.engine.is_thinking());
    assert!(talk.say("gameover").is_empty());
}

#[test]
fn commands_for_later_do_not_disturb_a_search() {
    let mut talk = Talk::ready();
    talk.say(&format!("position {MIDGAME}"));
    talk.say("go infinite");
    talk.think(5);
    assert!(talk.say("setoption name MultiPV value 3").is_empty());
    assert!(talk.say("position startpos").is_empty());
    assert_eq!(talk.say("isready"), ["readyok"]);
    talk.think(5);
    let out = talk.say("stop");
    only_bestmove(&out);
    check_pv_is_legal(MIDGAME, &out[0]);
}

#[test]
fn what_makes_no_sense_now_is_ignored() {
    let mut talk = Talk::ready();
    for line in ["stop", "ponderhit", "", "xyzzy", "usinewgame", "go-fish"] {
        assert!(talk.say(line).is_empty(), "{line}");
    }
    assert!(!talk.engine.is_thinking());
}

#[test]
fn a_refused_position_leaves_the_previous_one() {
    let mut talk = Talk::ready();
    talk.say(&format!("position {ONE_REPLY}"));
    let only_reply = only_bestmove(&talk.answer_to(&["go nodes 5"])).to_owned();
    for line in [
        "position sfen xxx b - 1",
        // Row 25 of the rules' list of other programs' faults.
        "position sfen sfen",
        "position startpos moves 7g7e",
        "position",
    ] {
        let out = talk.say(line);
        assert_eq!(out.len(), 1, "{line}");
        assert!(out[0].starts_with("info string position ignored, the previous one stays: "));
        assert_eq!(only_bestmove(&talk.answer_to(&["go nodes 5"])), only_reply);
    }
}

#[test]
fn bad_options_are_told_and_survived() {
    let mut talk = Talk::ready();
    for line in [
        "setoption",
        "setoption name",
        "setoption name NoSuch value 1",
        "setoption name MultiPV value many",
        "setoption name Eval_Coef value 0",
        "setoption name USI_Ponder value <empty>",
    ] {
        let out = talk.say(line);
        assert!(
            out.len() == 1 && out[0].starts_with("info string setoption ignored: "),
            "{line}"
        );
    }
    only_bestmove(&talk.answer_to(&["go nodes 5"]));
}

#[test]
fn a_mated_side_resigns() {
    let out = Talk::ready().answer_to(&[&format!("position {MATED}"), "go byoyomi 300"]);
    assert_eq!(out.len(), 2);
    assert!(out[0].ends_with(" score mate -"), "{}", out[0]);
    assert_eq!(out[1], "bestmove resign");
}

#[test]
fn a_declaration_is_made_if_its_rule_is_in_force() {
    let mut talk = Talk::ready();
    let position = format!("position {DECLARE}");
    let out = talk.answer_to(&[&position, "go byoyomi 300"]);
    assert_eq!(only_bestmove(&out), "win");
    talk.say("setoption name EnteringKingRule value NoEnteringKing");
    assert_ne!(only_bestmove(&talk.answer_to(&["go nodes 10"])), "win");
}

/// Row 24 of the rules' list of other programs' faults.
#[test]
fn twenty_eight_points_of_black_are_declared() {
    let position = "position sfen K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b 2P 1";
    let out = Talk::ready().answer_to(&[position, "go byoyomi 300"]);
    assert_eq!(only_bestmove(&out), "win");
}

#[test]
fn a_draw_is_not_declared() {
    let mut talk = Talk::ready();
    talk.say("setoption name EnteringKingRule value CSARule24");
    let position = "position sfen K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b 4P 1";
    assert_ne!(
        only_bestmove(&talk.answer_to(&[position, "go nodes 10"])),
        "win"
    );
    let position = position.replace("4P", "5P");
    assert_eq!(
        only_bestmove(&talk.answer_to(&[&position, "go nodes 10"])),
        "win"
    );
}

#[test]
fn the_giver_of_a_handicap_is_credited_if_the_rule_says_so() {
    // Four pieces were given: rook, bishop and both lances.
    let start = "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let points = |name: &str| {
        let mut settings = Settings::default();
        settings.set("EnteringKingRule", name).unwrap();
        let given = GivenGame::parse(&format!("sfen {start}")).unwrap();
        given
            .game(settings.rules())
            .declaration_points(rules::Color::White)
    };
    assert_eq!((points("CSARule27"), points("CSARule27H")), (0, 12));
}

#[test]
fn a_try_is_a_move() {
    let mut talk = Talk::ready();
    talk.say("setoption name EnteringKingRule value TryRule");
    let position = "position sfen 9/4K4/9/9/9/9/9/9/k8 b - 1";
    assert_eq!(
        only_bestmove(&talk.answer_to(&[position, "go byoyomi 300"])),
        "5b5a"
    );
}

/// Row 12 of the rules' list of other programs' faults.
#[test]
fn every_move_of_a_line_is_legal() {
    let mut talk = Talk::ready();
    talk.say("setoption name MultiPV value 5");
    let start = "startpos moves 7g7f 3c3d 2g2f";
    let out = talk.answer_to(&[&format!("position {start}"), "go nodes 400"]);
    let lines: Vec<&String> = out.iter().filter(|line| line.contains(" pv ")).collect();
    assert!(lines.len() >= 5, "{out:#?}");
    for line in lines {
        check_pv_is_legal(start, line);
    }
}

#[test]
fn mates_are_played_and_counted_in_plies() {
    let mut talk = Talk::ready();
    let out = talk.answer_to(&[&format!("position {MATE_IN_1}"), "go byoyomi 1000"]);
    assert!(out[out.len() - 2].contains(" score mate 1 "), "{out:#?}");
    only_bestmove(&out);
    let out = talk.answer_to(&[&format!("position {MATE_IN_3}"), "go nodes 20000"]);
    assert!(
        out[out.len() - 2].contains(" score mate 3 pv R*3b "),
        "{out:#?}"
    );
}

#[test]
fn a_hopeless_side_resigns_unless_told_never_to() {
    /// Lost for everyone who asks.
    struct Hopeless;
    impl Evaluator for Hopeless {
        fn evaluate(
            &mut self,
            requests: &[EvalRequest<'_>],
            answers: &mut EvalAnswers,
        ) -> Result<(), EvaluatorError> {
            answers.clear();
            for request in requests {
                let black = request.position.side_to_move() == rules::Color::Black;
                let wdl = if black { Wdl::LOSS } else { Wdl::WIN };
                answers.push_with(wdl, request.legal_moves.len(), |logits| logits.fill(0.0));
            }
            Ok(())
        }
    }
    let mut talk = Talk::new(|| Box::new(Hopeless));
    let go = ["position startpos", "go nodes 20"];
    assert_eq!(only_bestmove(&talk.answer_to(&go)), "resign");
    talk.say("setoption name Resign_Threshold value 0");
    assert_ne!(only_bestmove(&talk.answer_to(&go)), "resign");
}

#[test]
fn multi_pv_shows_different_first_moves_best_first() {
    let mut talk = Talk::ready();
    talk.say("setoption name MultiPV value 3");
    let out = talk.answer_to(&["position startpos", "go nodes 300"]);
    let [.., first, second, third, answer] = &out[..] else {
        panic!("{out:#?}")
    };
    let mut moves = Vec::new();
    for (idx, info) in [first, second, third].into_iter().enumerate() {
        assert!(info.contains(&format!(" multipv {} ", idx + 1)), "{info}");
        check_pv_is_legal("startpos", info);
        moves.push(
            info.split_once(" pv ")
                .unwrap()
                .1
                .split(' ')
                .next()
                .unwrap(),
        );
    }
    assert_eq!(answer.split(' ').nth(1).unwrap(), moves[0]);
    assert!(moves[0] != moves[1] && moves[1] != moves[2] && moves[0] != moves[2]);
}

#[test]
fn a_ponder_move_is_named_when_the_gui_ponders() {
    let mut talk = Talk::ready();
    let go = ["position startpos", "go nodes 200"];
    assert!(!only_bestmove(&talk.answer_to(&go)).contains("ponder"));
    talk.say("setoption name USI_Ponder value true");
    let out = talk.answer_to(&go);
    let answer = only_bestmove(&out);
    let (mv, ponder) = answer.split_once(" ponder ").unwrap();
    check_pv_is_legal("startpos", &format!("info pv {mv} {ponder}"));
}

#[test]
fn reports_come_at_the_chosen_interval() {
    let mut talk = Talk::ready();
    talk.say("setoption name PV_Interval value 100");
    let out = talk.answer_to(&["position startpos", "go movetime 1000"]);
    let n_infos = out.iter().filter(|line| line.starts_with("info ")).count();
    assert!((7..=11).contains(&n_infos), "{out:#?}");
}

#[test]
fn a_position_four_times_or_past_the_limit_is_still_answered() {
    let cycle = " 2h3h 8b7b 3h2h 7b8b";
    let mut talk = Talk::ready();
    talk.say("setoption name MaxMovesToDraw value 10");
    for times in [3, 375] {
        let position = format!("position startpos moves{}", cycle.repeat(times));
        let out = talk.answer_to(&[&position, "go nodes 50"]);
        assert_ne!(only_bestmove(&out), "resign");
    }
}

#[test]
fn a_failing_network_costs_neither_the_answer_nor_the_engine() {
    struct Broken;
    impl Evaluator for Broken {
        fn evaluate(
            &mut self,
            _: &[EvalRequest<'_>],
            _: &mut EvalAnswers,
        ) -> Result<(), EvaluatorError> {
            Err(EvaluatorError::new("out of order"))
        }
    }
    let mut talk = Talk::new(|| Box::new(Broken));
    let out = talk.answer_to(&["position startpos", "go nodes 10"]);
    assert_eq!(bestmoves(&out).len(), 1);
    assert!(
        out[0].starts_with("info string evaluation failed: "),
        "{out:#?}"
    );
    talk.network = Box::new(|| (Box::new(UniformEvaluator) as Box<dyn Evaluator>).into());
    only_bestmove(&talk.answer_to(&["go nodes 10"]));
}

#[test]
fn quit_says_nothing() {
    let mut talk = Talk::ready();
    talk.say("go infinite");
    let mut out = Vec::new();
    assert_eq!(
        talk.engine.handle("quit", talk.now.get(), &mut out),
        Next::Quit
    );
    assert!(out.is_empty());
}

/// The nodes in the tree, per mille of `UCT_NodeLimit`.
fn hashfull(out: &[String]) -> u32 {
    let info = &out[out.len() - 2];
    let (_, rest) = info.split_once(" hashfull ").unwrap();
    rest.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_tree_is_kept_within_a_game_if_the_option_says_so() {
    for (reuse, kept) in [("true", true), ("false", false)] {
        let mut talk = Talk::ready();
        talk.say("setoption name UCT_NodeLimit value 1000");
        talk.say(&format!("setoption name ReuseSubtree value {reuse}"));
        let out = talk.answer_to(&["position startpos", "go nodes 300"]);
        let info = &out[out.len() - 2];
        let (_, pv) = info.split_once(" pv ").unwrap();
        let line: Vec<&str> = pv.split(' ').take(2).collect();
        let position = format!("position startpos moves {}", line.join(" "));
        let out = talk.answer_to(&[&position, "go nodes 100"]);
        assert!(out[out.len() - 2].contains(" nodes 100 "), "{out:#?}");
        assert_eq!(100 < hashfull(&out), kept, "{out:#?}");
        check_pv_is_legal(&position["position ".len()..], &out[out.len() - 2]);

        // The same position again goes on where it stood, another game begins anew.
        let again = talk.answer_to(&["go nodes 100"]);
        assert_eq!(200 < hashfull(&again), kept, "{again:#?}");
        let other = talk.answer_to(&["position startpos moves 7g7f", "go nodes 100"]);
        assert!(hashfull(&other) <= 100, "{other:#?}");
    }
}

#[test]
fn another_network_begins_with_an_empty_tree() {
    let mut talk = Talk::ready();
    talk.say("setoption name UCT_NodeLimit value 1000");
    talk.answer_to(&["position startpos", "go nodes 300"]);
    talk.say("setoption name DNN_Model value another");
    let out = talk.answer_to(&["go nodes 100"]);
    assert_eq!(talk.n_loads, 2);
    assert!(hashfull(&out) <= 100, "{out:#?}");
}
