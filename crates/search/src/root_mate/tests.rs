use rules::{DeclarationRule, GameRules, Move};

use super::find;
use crate::search::tests::{game, game_with, puct, search, wide_gumbel};
use crate::{LeafMate, Search, SearchOptions, UniformEvaluator, run};

/// A mate in five.
const IN_FIVE: &str = "6+B1k/9/9/9/9/9/9/9/9 b S 1";

fn with_nodes(options: SearchOptions, root_mate_nodes: u32) -> SearchOptions {
    SearchOptions {
        root_mate_nodes,
        ..options
    }
}

#[test]
fn a_long_mate_is_played_at_once_and_is_the_policy() {
    for options in [puct(100), wide_gumbel(100)] {
        let options = with_nodes(options, 1_000);
        let result = search(&game(IN_FIVE), &options, &mut UniformEvaluator);
        let line: Vec<String> = result.pv.iter().map(ToString::to_string).collect();
        assert_eq!(line, ["S*2b", "1a1b", "2b1c+", "1b1a", "1c2b"]);
        assert_eq!(result.best, result.pv[0]);
        assert_eq!((result.mate, result.n_evaluations), (Some(5), 0));
        for &(mv, share) in &result.policy {
            assert_eq!(share, if mv == result.best { 1.0 } else { 0.0 }, "{mv}");
        }
    }
}

#[test]
fn without_nodes_or_with_too_few_no_mate_is_seen_before_the_search() {
    for nodes in [0, 1] {
        let options = with_nodes(puct(2), nodes);
        let result = search(&game(IN_FIVE), &options, &mut UniformEvaluator);
        assert_eq!((result.mate, result.n_evaluations), (None, 2), "{nodes}");
    }
}

#[test]
fn a_kept_tree_takes_a_mate_at_its_new_root() {
    let blind = SearchOptions {
        leaf_mate: LeafMate::None,
        ..puct(150)
    };
    // Its pawn keeps White from being stalemated.
    let start = "6+B1k/9/9/9/9/9/p8/9/9 b S 1";
    let mut search = Search::new(&game(start), &blind, 1);
    run(&mut search, &mut UniformEvaluator).unwrap();
    assert_eq!(search.result().mate, None);
    let later = game(&format!("{start} moves S*2b 1a1b"));
    let reuse = search.advance_to(&later, &with_nodes(blind, 1_000), 1);
    assert!(0 < reuse.n_visits, "the tree must be kept");
    let result = search.result();
    assert_eq!((result.mate, result.n_evaluations), (Some(3), 0));
    let line: Vec<String> = result.pv.iter().map(ToString::to_string).collect();
    assert_eq!(line, ["2b1c+", "1b1a", "1c2b"]);
}

#[track_caller]
fn check_limit(sfen: &str, max_ply: u32, finds: bool) {
    let rules = GameRules {
        max_ply: Some(max_ply),
        ..GameRules::default()
    };
    let line = find(&game_with(sfen, rules), 10_000);
    assert_eq!(line.is_some(), finds, "{sfen} within {max_ply}");
}

#[test]
fn a_mate_must_be_over_before_the_ply_limit_whatever_is_put_between() {
    // Five plies, and two for each of two pieces that the king may take.
    check_limit(IN_FIVE, 9, true);
    check_limit(IN_FIVE, 8, false);
    let with_hand = "6+B1k/9/9/9/9/9/9/9/9 b S2p 1";
    check_limit(with_hand, 13, true);
    check_limit(with_hand, 12, false);
}

#[test]
fn where_a_king_can_win_by_a_step_no_mate_is_looked_for() {
    let rules = GameRules {
        declaration: DeclarationRule::Try,
        ..GameRules::default()
    };
    assert_eq!(find(&game_with(IN_FIVE, rules), 10_000), None);
}

#[test]
fn a_mate_enters_no_position_that_the_game_has_had() {
    let start = "6s1K/9/4+r4/9/9/9/9/9/9 w - 1";
    let repeating: Move = "5c1c".parse().unwrap();
    let first = |usi: &str| find(&game(usi), 10_000).map(|line| line[0]);
    assert_eq!(first(start), Some(repeating));
    let again = format!("{start} moves 5c1c 1a2a 1c5c 2a1a");
    assert_ne!(first(&again), Some(repeating));
}
