mod allocations;
mod aside;
mod golden;
mod gumbel_root;
mod proofs;
mod puct_root;
mod reuse;
mod symmetry;

use rules::{Color, Game, GameRules, Position};

use super::{Search, Step};
use crate::{
    EvalAnswers, EvalRequest, Evaluator, EvaluatorError, GumbelOptions, HashEvaluator, PuctOptions,
    RootOptions, SearchOptions, SearchResult, UniformEvaluator, Wdl, run,
};

/// The game that a USI tail stands for: `startpos moves ...`, or an SFEN with or without moves.
pub(crate) fn game(usi: &str) -> Game {
    game_with(usi, GameRules::default())
}

pub(crate) fn game_with(usi: &str, rules: GameRules) -> Game {
    let (start, moves) = usi.split_once(" moves ").unwrap_or((usi, ""));
    let mut game = Game::new(Position::from_sfen(start).unwrap(), rules);
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap()).unwrap();
    }
    game
}

/// A PUCT search without noise.
pub(crate) fn puct(visits: u32) -> SearchOptions {
    let root = RootOptions::Puct(PuctOptions::default());
    SearchOptions {
        visits,
        root,
        noise: false,
        ..SearchOptions::default()
    }
}

/// A Gumbel search without noise.
pub(crate) fn gumbel(visits: u32) -> SearchOptions {
    let root = RootOptions::Gumbel(GumbelOptions::default());
    SearchOptions {
        visits,
        root,
        noise: false,
        ..SearchOptions::default()
    }
}

/// A Gumbel search without noise that considers every legal move.
pub(crate) fn wide_gumbel(visits: u32) -> SearchOptions {
    let options = GumbelOptions {
        considered: 600,
        ..GumbelOptions::default()
    };
    SearchOptions {
        root: RootOptions::Gumbel(options),
        ..gumbel(visits)
    }
}

/// The result of a finished search.
pub(crate) fn search(
    game: &Game,
    options: &SearchOptions,
    evaluator: &mut dyn Evaluator,
) -> SearchResult {
    let mut search = Search::new(game, options, 1);
    run(&mut search, evaluator).unwrap();
    search.result()
}

/// An evaluator made of a function from a position to its value; all moves alike.
pub(crate) struct ValueOf<F>(pub(crate) F);

impl<F: FnMut(&Position) -> Wdl + Send> Evaluator for ValueOf<F> {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for request in requests {
            answers.push_with(
                (self.0)(request.position),
                request.legal_moves.len(),
                |_| {},
            );
        }
        Ok(())
    }
}

/// The value with this q and no draws.
pub(crate) fn with_q(q: f32) -> Wdl {
    Wdl {
        win: (1.0 + q) / 2.0,
        draw: 0.0,
        loss: (1.0 - q) / 2.0,
    }
}

/// Says that Black wins with this q, whoever is to move.
pub(crate) fn black_has(q: f32) -> ValueOf<impl FnMut(&Position) -> Wdl + Send> {
    ValueOf(move |position: &Position| with_q(q).for_color(Color::Black, position.side_to_move()))
}

pub(crate) const MATSURI: &str =
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

#[test]
fn a_win_for_black_is_a_loss_for_white_at_every_root() {
    for options in [puct(50), gumbel(50)] {
        for (usi, value) in [("startpos", Wdl::WIN), ("startpos moves 7g7f", Wdl::LOSS)] {
            let result = search(&game(usi), &options, &mut black_has(1.0));
            assert_eq!(result.value, value, "{usi}");
            assert_eq!((result.n_visits, result.n_evaluations), (50, 50));
        }
    }
}

#[test]
fn the_root_value_is_the_mean_of_all_evaluations_with_alternating_signs() {
    let mut sum_for_black = 0.0;
    let mut evaluator = ValueOf(|position: &Position| {
        let q = 0.01 * (position.key() % 100) as f32 - 0.5;
        sum_for_black += with_q(q)
            .for_color(position.side_to_move(), Color::Black)
            .q();
        with_q(q)
    });
    let result = search(
        &game("startpos moves 7g7f 3c3d"),
        &gumbel(64),
        &mut evaluator,
    );
    assert_eq!(result.n_evaluations, 64);
    assert!((result.value.q() - sum_for_black / 64.0).abs() < 1e-5);
}

#[test]
fn the_policy_sums_to_one_and_the_visits_to_the_walks() {
    for options in [
        puct(40),
        gumbel(40),
        SearchOptions {
            visits: 40,
            ..SearchOptions::default()
        },
    ] {
        for usi in ["startpos", MATSURI, "9/k8/1L7/P8/9/9/RP7/3K5/9 b - 1"] {
            let game = game(usi);
            let result = search(&game, &options, &mut HashEvaluator { seed: 5 });
            let sum: f32 = result.policy.iter().map(|(_, p)| p).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{usi}: {sum}");
            let moves: Vec<_> = result.policy.iter().map(|&(mv, _)| mv).collect();
            assert_eq!(moves, game.position().legal_moves().to_vec());
            let n_walks: u32 = result.visits.iter().map(|(_, n)| n).sum();
            assert_eq!(n_walks, result.n_visits - 1);
            assert_eq!(result.pv[0], result.best);
        }
    }
}

#[test]
fn a_single_visit_gives_the_network_s_policy() {
    for options in [puct(1), gumbel(1)] {
        let result = search(&game("startpos"), &options, &mut HashEvaluator { seed: 5 });
        assert_eq!(
            (result.n_visits, result.n_evaluations, result.depth),
            (1, 1, 0)
        );
        let network = result.network.unwrap();
        assert_eq!(result.value.q(), network.value.q());
        assert!(network.kl_nats < 1e-5, "{}", network.kl_nats);
        let entropy: f32 = result.policy.iter().map(|(_, p)| -p * p.ln()).sum();
        assert!((network.entropy_nats - entropy).abs() < 1e-4);
    }
    let result = search(
        &game("startpos"),
        &gumbel(1),
        &mut HashEvaluator { seed: 5 },
    );
    let likeliest = result
        .policy
        .iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap()
        .0;
    assert_eq!(result.best, likeliest);
}

#[test]
fn a_mate_in_one_needs_no_evaluation() {
    for options in [puct(100), gumbel(100)] {
        let mut search = Search::new(&game("8k/9/8P/9/9/9/9/9/K8 b G 1"), &options, 1);
        assert_eq!(search.next_leaf(), Step::Finished);
        let result = search.result();
        assert_eq!(result.best, "G*1b".parse().unwrap());
        assert_eq!(
            (result.mate, result.value, result.n_visits),
            (Some(1), Wdl::WIN, 0)
        );
        assert_eq!(result.pv, [result.best]);
        assert_eq!(result.network, None);
        for (mv, probability) in result.policy {
            assert_eq!(
                probability,
                if mv == result.best { 1.0 } else { 0.0 },
                "{mv}"
            );
        }
    }
}

#[test]
fn a_forced_move_is_evaluated_once_and_searched_only_on_request() {
    let game = game("k8/9/9/9/9/9/9/1r7/K8 b - 1");
    for options in [puct(100), gumbel(100)] {
        let mut search = Search::new(&game, &options, 1);
        run(&mut search, &mut black_has(0.25)).unwrap();
        let result = search.result();
        assert_eq!(result.policy, [("9i8h".parse().unwrap(), 1.0)]);
        assert_eq!((result.n_visits, result.value.q()), (1, 0.25));
        search.extend(9);
        run(&mut search, &mut black_has(0.25)).unwrap();
        assert_eq!(search.visit_count(), 10);
    }
}

#[test]
fn a_draw_is_worth_to_the_root_side_what_the_options_say() {
    // Black's first move decides: a sure draw (after 7g7f) or an even fight.
    let after = game("startpos moves 7g7f").position().key();
    let mut evaluator = ValueOf(|position: &Position| {
        if position.key() == after {
            Wdl::DRAW
        } else {
            Wdl::EVEN
        }
    });
    for (draw_value, is_best) in [(0.9, true), (-0.9, false)] {
        for options in [puct(60), gumbel(60)] {
            let options = SearchOptions {
                draw_value,
                ..options
            };
            let result = search(&game("startpos"), &options, &mut evaluator);
            assert_eq!(
                result.best == "7g7f".parse().unwrap(),
                is_best,
                "{draw_value}"
            );
        }
    }
}

/// Row 33 of the rules' list of other programs' faults: whoever is to move in the tree, a draw has
/// the root side's value, and for the opponent the opposite.
#[test]
fn the_opponent_values_a_draw_the_other_way_round() {
    // White's reply 3c3d draws for sure. If Black likes draws, White keeps away from it.
    let drawn = game("startpos moves 7g7f 3c3d").position().key();
    let mut evaluator = ValueOf(|position: &Position| {
        if position.key() == drawn {
            Wdl::DRAW
        } else {
            Wdl::EVEN
        }
    });
    let root = game("startpos moves 7g7f");
    for (draw_value, is_best) in [(0.9, true), (-0.9, false)] {
        // Seen from a root where White moves, then from one ply above.
        let options = SearchOptions {
            draw_value,
            ..puct(60)
        };
        let result = search(&root, &options, &mut evaluator);
        assert_eq!(result.best == "3c3d".parse().unwrap(), is_best);

        let mut above = Search::new(&game("startpos"), &options, 1);
        above.extend(4_000);
        run(&mut above, &mut evaluator).unwrap();
        let reply_is_drawn = line_below(&above, "7g7f").contains("3c3d");
        assert_eq!(reply_is_drawn, !is_best, "{draw_value}");
    }
}

/// The most visited reply to a root move, as text.
fn line_below(search: &Search, mv: &str) -> String {
    let mv = mv.parse().unwrap();
    let edges = search.tree.edges(crate::tree::NodeId::ROOT);
    let child = edges
        .iter()
        .find(|edge| edge.mv == mv)
        .unwrap()
        .child
        .unwrap();
    let reply = crate::root::most_visited(&search.tree, child).unwrap();
    search.tree.edges(child)[reply].mv.to_string()
}

#[test]
fn the_same_seed_gives_the_same_result_and_another_seed_another() {
    for root in [
        RootOptions::default(),
        RootOptions::Puct(PuctOptions::default()),
    ] {
        let options = SearchOptions {
            visits: 40,
            root,
            ..SearchOptions::default()
        };
        let result = |seed: u64| {
            let mut search = Search::new(&game("startpos"), &options, seed);
            run(&mut search, &mut HashEvaluator { seed: 5 }).unwrap();
            search.result()
        };
        assert_eq!(result(1), result(1));
        assert_ne!(result(1).visits, result(2).visits);
    }
}

#[test]
fn without_noise_the_seed_has_no_say() {
    for options in [puct(40), gumbel(40)] {
        let mut first = Search::new(&game("startpos"), &options, 1);
        let mut second = Search::new(&game("startpos"), &options, 2);
        run(&mut first, &mut HashEvaluator { seed: 5 }).unwrap();
        run(&mut second, &mut HashEvaluator { seed: 5 }).unwrap();
        assert_eq!(first.result(), second.result());
    }
}

#[test]
fn a_restarted_search_equals_a_new_one_wherever_the_old_one_stood() {
    let options = SearchOptions {
        visits: 40,
        ..SearchOptions::default()
    };
    let mut evaluator = HashEvaluator { seed: 5 };
    let mut fresh = Search::new(&game("startpos"), &options, 3);
    run(&mut fresh, &mut evaluator).unwrap();

    let mut reused = Search::new(&game(MATSURI), &puct(300), 4);
    run(&mut reused, &mut evaluator).unwrap();
    reused.extend(1);
    assert_eq!(reused.next_leaf(), Step::Leaf);
    reused.restart(&game("startpos"), &options, 3);
    run(&mut reused, &mut evaluator).unwrap();
    assert_eq!(reused.result(), fresh.result());
}

#[test]
fn a_waiting_leaf_is_handed_out_again() {
    let mut search = Search::new(&game("startpos"), &puct(3), 1);
    assert_eq!(search.next_leaf(), Step::Leaf);
    search.apply(&[0.0; 30], Wdl::EVEN).unwrap();
    assert_eq!(search.next_leaf(), Step::Leaf);
    let sfen = search.request().position.to_string();
    assert_eq!(search.next_leaf(), Step::Leaf);
    assert_eq!(search.request().position.to_string(), sfen);
}

#[test]
fn a_refused_answer_leaves_the_search_as_it_was() {
    let mut search = Search::new(&game("startpos"), &puct(2), 1);
    assert_eq!(search.next_leaf(), Step::Leaf);
    assert!(search.apply(&[0.0; 29], Wdl::EVEN).is_err());
    assert!(search.apply(&[f32::NAN; 30], Wdl::EVEN).is_err());
    assert!(
        search
            .apply(
                &[0.0; 30],
                Wdl {
                    win: 0.9,
                    ..Wdl::EVEN
                }
            )
            .is_err()
    );
    assert_eq!(search.visit_count(), 0);
    search.apply(&[0.0; 30], Wdl::EVEN).unwrap();
    assert_eq!(search.visit_count(), 1);
}

#[test]
fn an_extended_search_goes_on_until_the_nodes_are_used_up() {
    for options in [puct(10), gumbel(10)] {
        let options = SearchOptions {
            max_nodes: 500,
            ..options
        };
        let mut search = Search::new(&game("startpos"), &options, 1);
        run(&mut search, &mut UniformEvaluator).unwrap();
        assert_eq!(search.visit_count(), 10);
        search.extend(90);
        run(&mut search, &mut UniformEvaluator).unwrap();
        assert_eq!(search.visit_count(), 100);
        search.extend(u32::MAX);
        run(&mut search, &mut UniformEvaluator).unwrap();
        assert_eq!(search.node_count(), 500);
        assert!(search.is_finished());
    }
}

#[test]
fn an_unasked_search_already_has_a_legal_move() {
    let search = Search::new(&game(MATSURI), &gumbel(10), 1);
    let result = search.result();
    assert!(game(MATSURI).position().is_legal(result.best));
    let sum: f32 = result.policy.iter().map(|(_, p)| p).sum();
    assert!((sum - 1.0).abs() < 1e-5);
}

#[test]
fn root_moves_are_seen_by_the_side_to_move_at_the_root() {
    let mut search = Search::new(&game("startpos moves 7g7f"), &puct(60), 1);
    run(&mut search, &mut black_has(0.5)).unwrap();
    let visited = search.root_moves().filter(|root_move| 0 < root_move.visits);
    for root_move in visited {
        assert_eq!(root_move.value, Some(with_q(-0.5)), "{}", root_move.mv);
        assert_eq!(root_move.mate, None);
    }
}
