//! Three-visit trees computed by hand.

use rules::Move;

use super::{game, puct, with_q};
use crate::{PuctOptions, RootOptions, Search, SearchOptions, Step};

/// Logits that give 7g7f and 2g2f these priors, and the other moves the rest.
fn logits(moves: &[Move], first: f32, second: f32) -> Vec<f32> {
    let rest = (1.0 - first - second) / (moves.len() - 2) as f32;
    let prior = |mv: &Move| match mv.to_string().as_str() {
        "7g7f" => first,
        "2g2f" => second,
        _ => rest,
    };
    moves.iter().map(|mv| prior(mv).ln()).collect()
}

/// Hands out a leaf and says by which moves it was reached.
#[track_caller]
fn next_line(search: &mut Search) -> Vec<String> {
    assert_eq!(search.next_leaf(), Step::Leaf);
    search
        .game
        .moves()
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Root with these two priors and q 0; the first walk must take 7g7f and finds this q for Black.
#[track_caller]
fn after_two_visits(first: f32, second: f32, q_of_7g7f: f32) -> Search {
    let mut search = Search::new(&game("startpos"), &puct(10), 1);
    assert!(next_line(&mut search).is_empty());
    let moves = search.request().legal_moves.to_vec();
    search
        .apply(&logits(&moves, first, second), with_q(0.0))
        .unwrap();

    assert_eq!(next_line(&mut search), ["7g7f"]);
    // White is to move there.
    search.apply(&[0.0; 30], with_q(-q_of_7g7f)).unwrap();
    search
}

#[test]
fn a_move_that_turned_out_bad_gives_way_to_the_next() {
    // Weight (ln(19655/19652) + 1.25) * sqrt(2) = 1.768; parent q (0 - 0.6) / 2 = -0.3.
    // 7g7f: -0.6 + 1.768 * 0.5 / 2 = -0.158; 2g2f: -0.3 - 0.2 * sqrt(0.5) + 1.768 * 0.3 = 0.089.
    let mut search = after_two_visits(0.5, 0.3, -0.6);
    assert_eq!(next_line(&mut search), ["2g2f"]);
    search.apply(&[0.0; 30], with_q(-0.3)).unwrap();
    // (0 - 0.6 + 0.3) / 3
    assert!((search.result().value.q() + 0.1).abs() < 1e-6);
    assert_eq!(
        search.result().best,
        "7g7f".parse().unwrap(),
        "equal visits: the prior decides"
    );
}

#[test]
fn the_first_play_urgency_starts_from_the_parent_s_value() {
    // 7g7f: -0.158 as above; 2g2f: -0.441 + 1.768 * 0.1 = -0.265. Starting from 0, or from the
    // opponent's view of the parent, 2g2f would have been taken.
    let mut search = after_two_visits(0.5, 0.1, -0.6);
    let line = next_line(&mut search);
    assert_eq!(line.len(), 2);
    assert_eq!(line[0], "7g7f");
}

#[test]
fn the_first_play_urgency_is_below_the_parent_s_value() {
    // Parent q 0.05. 7g7f: 0.1 + 1.768 * 0.25 = 0.542; 2g2f: 0.05 - 0.141 + 1.768 * 0.31 = 0.457.
    // Without the reduction it would have been 0.598.
    let mut search = after_two_visits(0.5, 0.31, 0.1);
    assert_eq!(next_line(&mut search)[0], "7g7f");
}

#[test]
fn a_deeper_walk_flips_the_value_at_every_ply() {
    let mut search = after_two_visits(0.5, 0.1, 0.6);
    assert_eq!(next_line(&mut search).len(), 2);
    // Black is to move after two plies, and stands well.
    search
        .apply(&vec![0.0; search.request().legal_moves.len()], with_q(0.9))
        .unwrap();
    // Root (0 + 0.6 + 0.9) / 3; 7g7f (0.6 + 0.9) / 2; its reply 0.9; all for Black.
    assert!((search.result().value.q() - 0.5).abs() < 1e-6);
    let opening = "7g7f".parse().unwrap();
    let root_move = search
        .root_moves()
        .find(|root_move| root_move.mv == opening)
        .unwrap();
    assert!((root_move.value.unwrap().q() - 0.75).abs() < 1e-6);
    assert_eq!(search.result().depth, 2);
}

#[test]
fn dirichlet_noise_mixes_into_the_prior_and_leaves_the_network_s_policy_alone() {
    let root = RootOptions::Puct(PuctOptions {
        noise_weight: 0.25,
        ..PuctOptions::default()
    });
    let options = SearchOptions {
        root,
        noise: true,
        ..puct(1)
    };
    let mut search = Search::new(&game("startpos"), &options, 1);
    next_line(&mut search);
    search.apply(&[0.0; 30], with_q(0.0)).unwrap();
    let priors: Vec<f32> = search
        .root_moves()
        .map(|root_move| root_move.prior)
        .collect();
    assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    assert!(priors.iter().all(|&prior| 0.75 / 30.0 - 1e-6 <= prior));
    assert!(priors.iter().any(|&prior| 0.05 < prior), "{priors:?}");
    assert!((search.result().network.unwrap().entropy_nats - 30f32.ln()).abs() < 1e-5);
}

/// A root with noise, and with forced visits if `forced_playouts` is not 0.
fn with_forcing(forced_playouts: f32, prune_target: bool) -> SearchOptions {
    let root = PuctOptions {
        forced_playouts,
        prune_target,
        ..PuctOptions::default()
    };
    SearchOptions {
        root: RootOptions::Puct(root),
        noise: true,
        ..puct(400)
    }
}

fn finished(options: &SearchOptions, seed: u64) -> Search {
    let mut search = Search::new(&game("startpos"), options, seed);
    crate::run(&mut search, &mut crate::HashEvaluator { seed }).unwrap();
    search
}

#[test]
fn a_move_once_visited_gets_the_visits_it_is_owed() {
    let mut n_lagging = 0;
    for seed in 0..10 {
        let owed = |search: &Search| {
            let lags = search.root_moves().filter(|root_move| {
                let owed = crate::puct::forced_visits(2.0, root_move.prior, 399);
                // Only one move can be served at a time, so a move may be one behind.
                0 < root_move.visits && (root_move.visits as f32) < owed - 1.0
            });
            lags.count()
        };
        assert_eq!(owed(&finished(&with_forcing(2.0, true), seed)), 0);
        n_lagging += owed(&finished(&with_forcing(0.0, true), seed));
    }
    assert!(n_lagging > 0, "without forcing some moves lag behind");
}

#[test]
fn forced_visits_are_made_but_not_taught() {
    for seed in 0..10 {
        let pruned = finished(&with_forcing(2.0, true), seed).result();
        let raw = finished(&with_forcing(2.0, false), seed).result();
        assert_eq!((&pruned.visits, pruned.best), (&raw.visits, raw.best));
        let sum: f32 = pruned.policy.iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-5);
        let share = |policy: &[(Move, f32)], mv| policy.iter().find(|(m, _)| *m == mv).unwrap().1;
        assert!(share(&raw.policy, raw.best) < share(&pruned.policy, raw.best));
        let taught = |policy: &[(Move, f32)]| policy.iter().filter(|(_, p)| 0.0 < *p).count();
        assert!(taught(&pruned.policy) <= taught(&raw.policy));
        for (&(mv, p), (_, n)) in pruned.policy.iter().zip(&pruned.visits) {
            assert!(p == 0.0 || 1 < *n, "{mv}");
        }
    }
}

#[test]
fn without_noise_nothing_is_forced() {
    let forcing = SearchOptions {
        noise: false,
        ..with_forcing(2.0, true)
    };
    assert_eq!(
        finished(&forcing, 1).result(),
        finished(&puct(400), 1).result()
    );
}
