//! The Gumbel root as a whole; its formulas are tested beside them.

use rules::{Color, Position};

use super::{ValueOf, game, gumbel, search, with_q};
use crate::{GumbelOptions, HashEvaluator, RootOptions, SearchOptions, SearchResult, Wdl};

/// The root's visit counts, most first.
fn sorted_visits(result: &SearchResult) -> Vec<u32> {
    let mut visits: Vec<u32> = result
        .visits
        .iter()
        .map(|&(_, n)| n)
        .filter(|&n| 0 < n)
        .collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    visits
}

#[track_caller]
fn check_visits(visits: u32, considered: u32, expected: &[u32]) {
    let root = RootOptions::Gumbel(GumbelOptions {
        considered,
        ..GumbelOptions::default()
    });
    let options = SearchOptions {
        root,
        visits,
        ..SearchOptions::default()
    };
    let result = search(&game("startpos"), &options, &mut HashEvaluator { seed: 5 });
    assert_eq!(sorted_visits(&result), expected);
}

#[test]
fn the_visits_are_those_of_sequential_halving() {
    check_visits(17, 16, &[1; 16]);
    check_visits(33, 16, &[4, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
    check_visits(33, 8, &[11, 11, 3, 3, 1, 1, 1, 1]);
    check_visits(9, 4, &[3, 3, 1, 1]);
    check_visits(4, 1, &[3]);
    // Fewer walks than moves to consider.
    check_visits(4, 16, &[1; 3]);
    // More moves to consider than there are.
    check_visits(31, 100, &[1; 30]);
}

/// Black stands well if, and only if, the pawn has gone to 2f.
fn only_2g2f_is_good(position: &Position) -> Wdl {
    let is_good = position.piece_at("2f".parse().unwrap()).is_some();
    with_q(if is_good { 0.8 } else { -0.8 }).for_color(Color::Black, position.side_to_move())
}

#[test]
fn the_good_move_among_many_is_played_and_taught() {
    let root = RootOptions::Gumbel(GumbelOptions {
        considered: 30,
        ..GumbelOptions::default()
    });
    let options = SearchOptions {
        root,
        visits: 61,
        ..gumbel(1)
    };
    let result = search(&game("startpos"), &options, &mut ValueOf(only_2g2f_is_good));
    assert_eq!(result.best, "2g2f".parse().unwrap());
    let taught = result
        .policy
        .iter()
        .find(|(mv, _)| *mv == result.best)
        .unwrap()
        .1;
    assert!(0.9 < taught, "{taught}");
    assert!(3.0 < result.network.unwrap().kl_nats);
}

#[test]
fn an_unvisited_move_is_taught_less_than_a_good_and_more_than_a_bad_one() {
    // Eight of thirty moves visited; which ones, the noise decides.
    let root = RootOptions::Gumbel(GumbelOptions {
        considered: 8,
        c_scale: 0.1,
        c_visit: 50.0,
    });
    let options = SearchOptions {
        root,
        visits: 9,
        ..SearchOptions::default()
    };
    let mut evaluator = ValueOf(|position: &Position| match position.ply() {
        0 => with_q(0.0),
        _ => with_q(if position.key().is_multiple_of(2) {
            0.5
        } else {
            -0.5
        }),
    });
    let mut search = crate::Search::new(&game("startpos"), &options, 1);
    crate::run(&mut search, &mut evaluator).unwrap();
    let (mut good, mut bad, mut unvisited) = (Vec::new(), Vec::new(), Vec::new());
    for (root_move, (_, probability)) in search.root_moves().zip(search.result().policy) {
        match root_move.value {
            Some(value) if 0.0 < value.q() => good.push(probability),
            Some(_) => bad.push(probability),
            None => unvisited.push(probability),
        }
    }
    assert!(!good.is_empty() && !bad.is_empty() && unvisited.len() == 22);
    for &probability in &unvisited {
        assert!(good.iter().all(|&good| probability < good));
        assert!(bad.iter().all(|&bad| bad < probability));
    }
}

#[test]
fn a_smaller_c_scale_trusts_the_value_less() {
    let kl = |c_scale: f32| {
        let root = RootOptions::Gumbel(GumbelOptions {
            c_scale,
            ..GumbelOptions::default()
        });
        let options = SearchOptions { root, ..gumbel(33) };
        let result = search(&game("startpos"), &options, &mut HashEvaluator { seed: 5 });
        result.network.unwrap().kl_nats
    };
    assert!(kl(0.1) < kl(0.3));
    assert!(kl(0.3) < kl(1.0));
}

/// With uniform logits the first of `considered` moves is uniform over the 30 legal moves; 600
/// seeds, so each expects 20 and, with a probability of about 10^-6, fails to be in 3..=45.
#[test]
fn noise_makes_every_move_a_candidate() {
    let mut counts = [0u32; 30];
    for seed in 0..600 {
        let root = RootOptions::Gumbel(GumbelOptions {
            considered: 1,
            ..GumbelOptions::default()
        });
        let options = SearchOptions {
            root,
            visits: 2,
            ..SearchOptions::default()
        };
        let mut search = crate::Search::new(&game("startpos"), &options, seed);
        crate::run(&mut search, &mut crate::UniformEvaluator).unwrap();
        let visited = search
            .root_moves()
            .position(|root_move| root_move.visits == 1)
            .unwrap();
        counts[visited] += 1;
        assert_eq!(search.result().best, search.result().visits[visited].0);
    }
    assert!(
        counts.iter().all(|count| (3..=45).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn the_improved_policy_is_the_one_computed_by_hand() {
    let root = RootOptions::Gumbel(GumbelOptions {
        considered: 2,
        c_visit: 9.0,
        c_scale: 0.1,
    });
    let options = SearchOptions { root, ..gumbel(3) };
    let mut search = crate::Search::new(&game("startpos"), &options, 1);
    let prior = |mv: &str| match mv {
        "7g7f" => 0.5,
        "2g2f" => 0.3,
        _ => 0.2 / 28.0,
    };
    assert_eq!(search.next_leaf(), crate::Step::Leaf);
    let moves = search.request().legal_moves.to_vec();
    let logits: Vec<f32> = moves
        .iter()
        .map(|mv| f32::ln(prior(&mv.to_string())))
        .collect();
    search.apply(&logits, with_q(0.6)).unwrap();
    // 7g7f turns out to be worth -0.2 for Black, 2g2f 0.4.
    for q_for_black in [-0.2, 0.4] {
        assert_eq!(search.next_leaf(), crate::Step::Leaf);
        search.apply(&[0.0; 30], with_q(-q_for_black)).unwrap();
    }
    assert_eq!(search.next_leaf(), crate::Step::Finished);
    // v_mix = (0.6 + 2 * (0.5 * -0.2 + 0.3 * 0.4) / 0.8) / 3; weight (9 + 1) * 0.1 = 1.
    let v_mix: f32 = 0.65 / 3.0;
    let unscaled = |mv: &str| match mv {
        "7g7f" => 0.5 * f32::exp(0.4),
        "2g2f" => 0.3 * f32::exp(0.7),
        _ => 0.2 / 28.0 * f32::exp((v_mix + 1.0) / 2.0),
    };
    let sum: f32 = moves.iter().map(|mv| unscaled(&mv.to_string())).sum();
    for (mv, probability) in search.result().policy {
        let expected = unscaled(&mv.to_string()) / sum;
        assert!(
            (probability - expected).abs() < 1e-5,
            "{mv}: {probability}, expected {expected}"
        );
    }
}
