//! What options change.

use super::*;
use crate::book::Book;

#[test]
fn two_threads_spend_exactly_the_nodes_asked_for() {
    let mut talk = Talk::with_network(|| Loaded {
        evaluators: (0..2)
            .map(|_| Box::new(HashEvaluator { seed: 1 }) as Box<dyn Evaluator>)
            .collect(),
        book: Book::default(),
        notes: Vec::new(),
    });
    for batch_size in [1, 4] {
        talk.say(&format!("setoption name DNN_Batch_Size value {batch_size}"));
        let out = talk.answer_to(&["position startpos", "go nodes 200"]);
        only_bestmove(&out);
        assert!(out[out.len() - 2].contains(" nodes 200 "), "{out:#?}");
        for _ in 0..5 {
            talk.say("go infinite");
            talk.think(3);
            only_bestmove(&talk.say("stop"));
        }
    }
}

/// A network with a book.
fn with_book() -> Loaded {
    let text = "startpos moves 2g2f 8c8d 2f2e\nstartpos moves 2g2f 3c3d\n";
    let evaluator: Box<dyn Evaluator> = Box::new(HashEvaluator { seed: 1 });
    Loaded {
        book: Book::read(text.as_bytes()).unwrap(),
        notes: vec!["a note".to_owned()],
        ..evaluator.into()
    }
}

#[test]
fn the_book_is_played_as_far_as_it_goes_and_the_user_wants() {
    let mut talk = Talk::with_network(with_book);
    assert_eq!(talk.say("isready"), ["info string a note", "readyok"]);
    let out = talk.answer_to(&["position startpos", "go byoyomi 1000"]);
    assert_eq!(only_bestmove(&out), "2g2f");
    let out = talk.answer_to(&["position startpos moves 2g2f", "go nodes 10"]);
    assert!(["8c8d", "3c3d"].contains(&only_bestmove(&out)));
    let out = talk.answer_to(&["position startpos moves 7g7f", "go nodes 10"]);
    assert!(out[0].contains(" nodes 10 "), "{out:#?}");
    for (option, value) in [("BookMoves", "0"), ("USI_OwnBook", "false")] {
        let mut talk = Talk::with_network(with_book);
        talk.say(&format!("setoption name {option} value {value}"));
        talk.say("isready");
        let out = talk.answer_to(&["position startpos", "go nodes 10"]);
        assert!(out[0].contains(" nodes 10 "), "{out:#?}");
    }
}

#[test]
fn an_analysis_does_not_end_in_the_book() {
    let mut talk = Talk::with_network(with_book);
    talk.say("isready");
    talk.say("position startpos");
    talk.say("go infinite");
    assert!(talk.engine.is_thinking());
    talk.think(30);
    assert!(!talk.say("stop")[0].contains(" nodes 0 "));
}

#[test]
fn first_moves_are_drawn_by_lot_if_the_user_wants() {
    let mut played = std::collections::BTreeSet::new();
    let mut talk = Talk::ready();
    talk.say("setoption name Random_Cutoff value 1000");
    talk.say("setoption name Random_Temperature value 100000");
    for (random_ply, position) in [(0, "startpos"), (2, "startpos moves 7g7f 3c3d")] {
        talk.say(&format!("setoption name Random_Ply value {random_ply}"));
        let mut same = std::collections::BTreeSet::new();
        for _ in 0..5 {
            talk.say("usinewgame");
            let out = talk.answer_to(&[&format!("position {position}"), "go nodes 50"]);
            same.insert(only_bestmove(&out).to_owned());
        }
        assert_eq!(same.len(), 1, "{random_ply} {position}");
    }
    for _ in 0..20 {
        let out = talk.answer_to(&["position startpos", "go nodes 50"]);
        check_pv_is_legal("startpos", &out[out.len() - 2]);
        played.insert(only_bestmove(&out).to_owned());
    }
    assert!(2 < played.len(), "{played:?}");
}

#[test]
fn a_new_game_begins_with_an_empty_tree() {
    let mut talk = Talk::ready();
    talk.say("setoption name UCT_NodeLimit value 1000");
    talk.answer_to(&["position startpos", "go nodes 300"]);
    talk.say("usinewgame");
    let out = talk.answer_to(&["position startpos", "go nodes 100"]);
    assert!(hashfull(&out) <= 100, "{out:#?}");
}

#[test]
fn no_answer_comes_before_the_shortest_thinking_time() {
    let mut talk = Talk::ready();
    let time = |talk: &mut Talk| {
        let start = talk.now.get();
        only_bestmove(&talk.answer_to(&["position startpos", "go btime 20000 wtime 20000"]));
        talk.now.get() - start
    };
    talk.say("setoption name MinimumThinkingTime value 3000");
    assert!(Duration::from_millis(2900) <= time(&mut talk));
    // More than the clock has.
    talk.say("setoption name MinimumThinkingTime value 3600000");
    assert!(time(&mut talk) <= Duration::from_millis(20_000));
}

#[test]
fn pondering_on_all_moves_goes_on_with_the_one_that_was_made() {
    let mut talk = Talk::ready();
    talk.say("setoption name Stochastic_Ponder value true");
    talk.say("setoption name UCT_NodeLimit value 10000");
    talk.say("position startpos moves 7g7f 3c3d");
    talk.say("go ponder btime 0 wtime 0 byoyomi 300");
    assert!(bestmoves(&talk.think(2_000)).is_empty());
    let hit = talk.now.get();
    let mut out = talk.say("ponderhit");
    out.extend(talk.think(100_000));
    only_bestmove(&out);
    check_pv_is_legal("startpos moves 7g7f 3c3d", &out[out.len() - 2]);
    assert!(talk.now.get() - hit <= Duration::from_millis(300));
    // Another move than the one guessed: what was thought about it is kept too.
    let mut talk = Talk::ready();
    talk.say("setoption name Stochastic_Ponder value true");
    talk.say("setoption name UCT_NodeLimit value 10000");
    talk.say("position startpos moves 7g7f 3c3d");
    talk.say("go ponder btime 0 wtime 0 byoyomi 300");
    talk.think(5_000);
    let out = talk.say("stop");
    check_pv_is_legal("startpos moves 7g7f 3c3d", &out[out.len() - 2]);
    only_bestmove(&out);
    let out = talk.answer_to(&["position startpos moves 7g7f 8c8d", "go nodes 10"]);
    assert!(1 < hashfull(&out), "{out:#?}");
}

#[test]
fn early_ponder_on_all_moves_takes_its_clocks_from_ponderhit() {
    let mut talk = Talk::ready();
    talk.say("setoption name Stochastic_Ponder value true");
    talk.say("position startpos moves 7g7f 3c3d");
    assert!(talk.say("go ponder").is_empty());
    assert!(bestmoves(&talk.think(500)).is_empty());
    let out = talk.answer_to(&["ponderhit btime 0 wtime 0 byoyomi 200"]);
    only_bestmove(&out);
}
