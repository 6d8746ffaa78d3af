//! Ends of games, mates, repetitions: what a search knows for certain.

use rules::{Game, GameRules, Position};

use super::{black_has, game, game_with, puct, search, wide_gumbel};
use crate::{HashEvaluator, LeafMate, RootMove, Search, SearchOptions, UniformEvaluator, Wdl, run};

/// The slow truth: plies to the end if the side to move wins (positive) or loses (0 or negative)
/// against every defence within `depth` plies. Shortest win, longest defence.
fn exhaustive(position: &mut Position, depth: u32) -> Option<i32> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some(0);
    }
    let ends: Vec<Option<i32>> = match depth.checked_sub(1) {
        None => return None,
        Some(depth) => {
            let mut end_after = |&mv: &rules::Move| {
                let undo = position.do_move(mv);
                let end = exhaustive(position, depth);
                position.undo_move(undo);
                end
            };
            moves.iter().map(&mut end_after).collect()
        }
    };
    let win = ends
        .iter()
        .flatten()
        .filter(|&&end| end <= 0)
        .map(|end| 1 - end)
        .min();
    win.or_else(|| {
        ends.into_iter()
            .try_fold(0, |longest, end| Some(longest.min(-1 - end?)))
    })
}

/// The same position with the colours exchanged.
fn rotated(sfen: &str) -> String {
    let mut fields = sfen.split(' ');
    let mut next = || fields.next().unwrap();
    let swap = |c: char| match c {
        c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
        c => c.to_ascii_lowercase(),
    };
    let board: String = next().chars().rev().map(swap).collect();
    assert!(
        !board.contains('+'),
        "a reversed + would stand behind its piece"
    );
    let side = if next() == "b" { "w" } else { "b" };
    let hands: String = next().chars().map(swap).collect();
    format!("{board} {side} {hands} {}", next())
}

/// Searches with both kinds of root, both colours, and mates of both lengths seen at new nodes.
#[track_caller]
fn check_searches(sfen: &str, visits: u32, check: impl Fn(&Game, &Search)) {
    let roots = [puct(visits), wide_gumbel(visits)];
    let leaf_mates = [LeafMate::One, LeafMate::Three];
    for (root, leaf_mate) in roots
        .iter()
        .flat_map(|root| leaf_mates.map(|mate| (root, mate)))
    {
        for sfen in [sfen.to_string(), rotated(sfen)] {
            let options = SearchOptions {
                leaf_mate,
                ..root.clone()
            };
            let game = game(&sfen);
            let mut search = Search::new(&game, &options, 1);
            run(&mut search, &mut UniformEvaluator).unwrap();
            check(&game, &search);
        }
    }
}

#[track_caller]
fn check_mate(sfen: &str, depth: u32, expected: i32) {
    assert_eq!(
        exhaustive(&mut Position::from_sfen(sfen).unwrap(), depth),
        Some(expected)
    );
    check_searches(sfen, 3_000, |game, search| {
        let result = search.result();
        let sfen = game.position();
        assert_eq!(result.mate, Some(expected), "{sfen}");
        assert_eq!(
            result.value,
            if 0 < expected { Wdl::WIN } else { Wdl::LOSS },
            "{sfen}"
        );
        assert_eq!(
            result.pv.len(),
            expected.unsigned_abs() as usize,
            "{sfen}: {:?}",
            result.pv
        );
        let mut end = game.clone();
        result.pv.iter().for_each(|&mv| end.play(mv).unwrap());
        assert!(end.outcome().is_some(), "{sfen}");
        assert!(result.n_evaluations < 3_000);
    });
}

#[test]
fn a_mate_in_three_is_found_by_visits() {
    check_mate("9/k8/1L7/P8/9/9/RP7/3K5/9 b - 1", 3, 3);
    check_mate("pk2ps3/5p3/S8/2L2l3/9/1N7/9/K8/9 b - 1", 3, 3);
    check_mate("5k3/3sL4/4G2S1/9/9/9/9/9/K8 b - 1", 3, 3);
}

#[test]
fn a_lost_side_plays_the_longest_defence() {
    // Has moves that lose in two plies and moves that last four.
    check_mate("9/9/5k3/9/9/9/2s3g2/5p3/7K1 b r 1", 4, -4);
    check_mate("8p/9/3k5/9/1l3P3/9/K8/3p5/9 b r 1", 4, -4);
}

#[test]
fn the_only_move_that_is_not_mated_at_once_is_played() {
    for sfen in [
        "1k7/7G1/5L3/9/9/9/9/2g6/K8 b r 1",
        "6k2/9/1P7/9/3G5/2n6/5s3/9/2G2K3 b r 1",
    ] {
        check_searches(sfen, 200, |game, search| {
            let safe = |root_move: &RootMove| {
                let mut after = game.clone();
                after.play(root_move.mv).unwrap();
                after.position().mate_in_one().is_none()
            };
            let safe_moves: Vec<_> = search.root_moves().filter(safe).collect();
            assert_eq!(safe_moves.len(), 1);
            assert_eq!(search.best_move(), safe_moves[0].mv, "{}", game.position());
            for lost in search.root_moves().filter(|root_move| !safe(root_move)) {
                assert!(lost.visits <= 1, "{} visited again", lost.mv);
                assert!(lost.visits == 0 || lost.mate == Some(-2), "{lost:?}");
            }
        });
    }
}

#[test]
fn a_proven_loss_is_neither_taught_nor_visited_again() {
    let result = search(
        &game("1k7/7G1/5L3/9/9/9/9/2g6/K8 b r 1"),
        &puct(200),
        &mut UniformEvaluator,
    );
    let best = result
        .policy
        .iter()
        .find(|(mv, _)| *mv == result.best)
        .unwrap()
        .1;
    assert_eq!(best, 1.0);
}

/// What the search says about one root move.
#[track_caller]
fn root_move(game: &Game, options: &SearchOptions, mv: &str) -> RootMove {
    let mut search = Search::new(game, options, 1);
    run(&mut search, &mut UniformEvaluator).unwrap();
    search
        .root_moves()
        .find(|root_move| root_move.mv == mv.parse().unwrap())
        .unwrap()
}

#[test]
fn the_second_occurrence_of_a_position_is_a_draw() {
    let repeats = root_move(&game("startpos moves 2h3h 8b7b 3h2h"), &puct(200), "7b8b");
    assert_eq!((repeats.value, repeats.mate), (Some(Wdl::DRAW), None));
    let new = root_move(&game("startpos moves 2h3h 8b7b 3h2h"), &puct(200), "7b6b");
    assert_eq!(new.value.map(|value| value.draw), Some(0.0));
}

#[test]
fn the_side_that_stands_worse_repeats_and_the_other_does_not() {
    let game = game("startpos moves 2h3h 8b7b 3h2h");
    let repetition = "7b8b".parse().unwrap();
    for options in [puct(200), wide_gumbel(200)] {
        assert_eq!(
            search(&game, &options, &mut black_has(0.8)).best,
            repetition
        );
        assert_ne!(
            search(&game, &options, &mut black_has(-0.8)).best,
            repetition
        );
    }
}

#[test]
fn a_repetition_on_the_walk_alone_is_a_draw() {
    // Two kings far apart: walks of four plies come back to the root.
    let mut search = Search::new(&game("k8/9/9/9/9/9/9/9/8K b - 1"), &puct(2_000), 1);
    run(&mut search, &mut UniformEvaluator).unwrap();
    let result = search.result();
    assert!(4 <= result.depth);
    assert!(
        result.n_evaluations < result.n_visits,
        "no walk ended at a repetition"
    );
    assert!(0.0 < result.value.draw);
}

#[test]
fn perpetual_check_loses_for_the_checker_but_proves_nothing() {
    let black_checks = game("8k/R8/9/9/4p4/9/9/9/K8 b - 1 moves 9b9a 1a1b 9a9b 1b1a");
    let check = root_move(&black_checks, &puct(300), "9b9a");
    assert_eq!((check.value, check.mate), (Some(Wdl::LOSS), None));

    let white_checks = game("8k/9/9/9/4P4/9/9/8r/K8 w - 1 moves 1h1i 9i9h 1i1h 9h9i");
    let check = root_move(&white_checks, &puct(300), "1h1i");
    assert_eq!((check.value, check.mate), (Some(Wdl::LOSS), None));
}

#[test]
fn the_checked_side_gladly_completes_a_perpetual_check() {
    // Black to answer a check: 9h9i repeats the position in which White started to check.
    let checked = game("8k/9/9/9/9/9/9/8r/K8 w - 1 moves 1h1i 9i9h 1i1h");
    let answer = root_move(&checked, &puct(300), "9h9i");
    assert_eq!((answer.value, answer.mate), (Some(Wdl::WIN), None));
    for options in [puct(300), wide_gumbel(300)] {
        assert_eq!(
            search(&checked, &options, &mut black_has(-0.9))
                .best
                .to_string(),
            "9h9i"
        );
    }
}

#[test]
fn the_fourth_occurrence_of_a_perpetual_check_is_proven() {
    let cycle = "9b9a 1a1b 9a9b 1b1a";
    let game = game(&format!(
        "8k/R8/9/9/9/9/9/9/K8 b - 1 moves {cycle} {cycle} 9b9a 1a1b 9a9b"
    ));
    let result = search(&game, &puct(300), &mut UniformEvaluator);
    let escape = result
        .visits
        .iter()
        .map(|(mv, _)| mv.to_string())
        .find(|mv| mv == "1b1a");
    assert!(
        escape.is_some(),
        "White completes the fourth occurrence by 1b1a"
    );
    assert_eq!(
        (result.best.to_string().as_str(), result.mate),
        ("1b1a", Some(1))
    );
}

#[test]
fn the_ply_limit_is_a_draw_unless_the_last_move_mates() {
    let rules = GameRules {
        max_ply: Some(2),
        ..GameRules::default()
    };
    let result = search(
        &game_with("startpos", rules),
        &puct(2_000),
        &mut black_has(0.9),
    );
    assert_eq!(result.depth, 2);
    assert!(0.9 < result.value.draw);

    let rules = GameRules {
        max_ply: Some(3),
        ..GameRules::default()
    };
    let mate = "9/k8/1L7/P8/9/9/RP7/3K5/9 b - 1";
    let result = search(&game_with(mate, rules), &puct(3_000), &mut UniformEvaluator);
    assert_eq!(result.mate, Some(3));
}

#[test]
fn the_right_to_declare_is_a_win_that_takes_one_ply() {
    // Black: king, ten pieces and 18 points in the zone, ten points in hand. White cannot stop it.
    let entered = "+R+B2K4/GGSS5/PPPP5/9/9/9/9/9/4k4 w RB 1";
    let result = search(&game(entered), &puct(100), &mut black_has(-0.9));
    assert_eq!(result.mate, Some(-2));
    let rules = GameRules {
        declaration: rules::DeclarationRule::None,
        ..GameRules::default()
    };
    let result = search(&game_with(entered, rules), &puct(100), &mut black_has(-0.9));
    assert_eq!(result.mate, None);
}

#[test]
fn a_try_is_played_without_an_evaluation_and_feared() {
    let rules = GameRules {
        declaration: rules::DeclarationRule::Try,
        ..GameRules::default()
    };
    let root = game_with("9/4K4/9/9/9/9/9/9/4k4 b - 1", rules);
    for options in [puct(100), wide_gumbel(100)] {
        let result = search(&root, &options, &mut black_has(-0.9));
        assert_eq!(
            (result.best.to_string().as_str(), result.mate),
            ("5b5a", Some(1))
        );
        assert_eq!(result.n_evaluations, 0);
    }
    // White cannot keep the king away from 5a: every move loses.
    let lost = game_with("9/4K4/9/9/9/9/9/9/k8 w - 1", rules);
    let result = search(&lost, &puct(100), &mut black_has(-0.9));
    assert_eq!(result.mate, Some(-2));
}

#[test]
fn proofs_agree_with_exhaustive_search_whatever_the_evaluator_believes() {
    let sfens = [
        "9/8k/9/7P1/9/1p5L1/9/9/8K b r 1",
        "9/9/5k3/9/9/9/2s3g2/5p3/7K1 b r 1",
        "9/9/1k7/5G3/9/7p1/8s/1Nl6/8K b r 1",
        "5k3/3sL4/4G2S1/9/9/9/9/9/K8 b - 1",
    ];
    for sfen in sfens {
        for seed in 0..20 {
            let result = search(&game(sfen), &wide_gumbel(300), &mut HashEvaluator { seed });
            let Some(mate) = result.mate else { continue };
            let depth = mate.unsigned_abs().min(4);
            let truth = exhaustive(&mut Position::from_sfen(sfen).unwrap(), depth);
            let agrees = match truth {
                Some(plies) => (0 < plies) == (0 < mate) && plies.abs() <= mate.abs(),
                None => depth < mate.unsigned_abs(),
            };
            assert!(agrees, "{sfen}, seed {seed}: {mate}, but {truth:?}");
        }
    }
}

#[test]
fn a_mate_in_three_at_the_root_needs_no_evaluation_and_has_its_whole_line() {
    for options in [puct(100), wide_gumbel(100)] {
        let options = SearchOptions {
            leaf_mate: LeafMate::Three,
            ..options
        };
        let result = search(
            &game("9/k8/1L7/P8/9/9/RP7/3K5/9 b - 1"),
            &options,
            &mut UniformEvaluator,
        );
        assert_eq!((result.mate, result.n_evaluations), (Some(3), 0));
        assert_eq!((result.n_visits, result.pv.len()), (0, 3));
    }
}

#[test]
fn without_any_mate_test_a_mate_in_one_is_found_by_visits() {
    let options = SearchOptions {
        leaf_mate: LeafMate::None,
        ..puct(300)
    };
    let root = game("8k/9/8P/9/9/9/9/9/K8 b G 1");
    let result = search(&root, &options, &mut UniformEvaluator);
    assert_eq!(
        (result.mate, result.best.to_string().as_str()),
        (Some(1), "G*1b")
    );
    assert!(1 < result.n_evaluations);
}
