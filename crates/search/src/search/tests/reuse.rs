//! Trees that are kept from move to move.

use rules::{DeclarationRule, Game, GameRules};

use super::{black_has, game, game_with, gumbel, puct};
use crate::{HashEvaluator, Reuse, Search, SearchOptions, Step, UniformEvaluator, Wdl, run};

const NET: HashEvaluator = HashEvaluator { seed: 5 };

fn noisy(options: SearchOptions) -> SearchOptions {
    SearchOptions {
        noise: true,
        ..options
    }
}

/// A finished search of `usi`.
fn searched(usi: &str, options: &SearchOptions) -> Search {
    let mut search = Search::new(&game(usi), options, 1);
    run(&mut search, &mut NET.clone()).unwrap();
    search
}

/// `game` after one more move.
fn after(game: &Game, mv: rules::Move) -> Game {
    let mut game = game.clone();
    game.play(mv).unwrap();
    game
}

/// Every node must have the visits of its children and one more, and its children in place.
#[track_caller]
fn check_sums(search: &Search) {
    let result = search.result();
    let walks: u32 = result.visits.iter().map(|(_, n)| n).sum();
    assert_eq!(walks + 1, result.n_visits);
    let policy: f32 = result.policy.iter().map(|(_, p)| p).sum();
    assert!((policy - 1.0).abs() < 1e-4);
    let mut game = search.game.clone();
    for &mv in &result.pv {
        game.play(mv).unwrap();
    }
}

#[test]
fn the_tree_below_the_move_played_stays_as_it_is() {
    for options in [puct(400), gumbel(400)] {
        let mut search = searched("startpos", &options);
        let best = search.result().best;
        let line = search.pv();
        let root_move = search.root_moves().find(|root| root.mv == best).unwrap();
        let played = after(&game("startpos"), best);
        let reuse = search.advance_to(
            &played,
            &SearchOptions {
                visits: 1,
                ..options
            },
            2,
        );
        assert_eq!(reuse.n_visits, root_move.visits);
        assert!(0 < reuse.n_nodes && reuse.n_nodes <= root_move.visits as usize);
        let result = search.result();
        assert_eq!(result.value, root_move.value.unwrap().flipped());
        assert_eq!(
            (result.n_visits, result.n_evaluations),
            (root_move.visits, 0)
        );
        assert_eq!(search.next_leaf(), Step::Finished);
        assert_eq!(search.pv_after(line[1]), line[1..]);
        check_sums(&search);
    }
}

#[test]
fn a_kept_tree_is_the_one_that_a_search_without_noise_would_have_grown() {
    // PUCT below the root is a function of the node alone, so the walks through 2g2f have grown
    // the tree that a search of that position grows by as many visits.
    let mut above = searched("startpos", &puct(600));
    let below = game("startpos moves 2g2f");
    let reuse = above.advance_to(&below, &puct(1), 1);
    let mut fresh = Search::new(&below, &puct(reuse.n_visits), 1);
    run(&mut fresh, &mut NET.clone()).unwrap();
    for (kept, grown) in above.root_moves().zip(fresh.root_moves()) {
        assert_eq!((kept.mv, kept.visits), (grown.mv, grown.visits));
        assert!((kept.prior - grown.prior).abs() < 1e-6);
        assert_eq!(kept.value, grown.value);
    }
    // And they go on alike.
    above.extend(200);
    fresh.extend(200);
    run(&mut above, &mut NET.clone()).unwrap();
    run(&mut fresh, &mut NET.clone()).unwrap();
    assert_eq!(above.result().visits, fresh.result().visits);
}

#[test]
fn a_whole_game_is_searched_in_one_tree_of_bounded_size() {
    for options in [puct(60), noisy(puct(60)), gumbel(60), noisy(gumbel(60))] {
        let options = SearchOptions {
            max_nodes: 300,
            ..options
        };
        let mut game = game("startpos");
        let mut search = Search::new(&game, &options, 1);
        let mut n_kept = 0;
        for seed in 0..80 {
            run(&mut search, &mut NET.clone()).unwrap();
            check_sums(&search);
            assert!(search.node_count() <= 300);
            game.play(search.best_move()).unwrap();
            if game.outcome().is_some() {
                break;
            }
            let reuse = search.advance_to(&game, &options, seed);
            assert_eq!(reuse.n_visits, search.inherited_visits());
            n_kept += u32::from(0 < reuse.n_visits);
            if reuse.n_visits > 0 {
                check_sums(&search);
            }
        }
        assert!(20 < n_kept, "{n_kept} trees kept");
    }
}

#[test]
fn what_the_tree_does_not_know_is_searched_anew() {
    let options = gumbel(20);
    let rules = GameRules {
        declaration: DeclarationRule::Try,
        ..GameRules::default()
    };
    let unvisited = searched("startpos", &options)
        .root_moves()
        .find(|root_move| root_move.visits == 0)
        .unwrap();
    let others = [
        after(&game("startpos"), unvisited.mv),
        game_with("startpos", rules),
        game("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        game("startpos moves 7g7f 3c3d 8h2b+ 3a2b 6i7h"),
    ];
    for other in others {
        let mut search = searched("startpos", &options);
        assert_eq!(search.advance_to(&other, &options, 3), Reuse::default());
        run(&mut search, &mut NET.clone()).unwrap();
        let mut fresh = Search::new(&other, &options, 3);
        run(&mut fresh, &mut NET.clone()).unwrap();
        assert_eq!(search.result(), fresh.result());
    }
    // Nor does a game go backwards.
    let mut search = searched("startpos moves 7g7f", &options);
    assert_eq!(
        search.advance_to(&game("startpos"), &options, 3),
        Reuse::default()
    );
}

#[test]
fn the_walk_to_a_leaf_that_waits_is_forgotten() {
    let options = puct(300);
    for n_walks in [0, 1, 5, 100] {
        let mut search = Search::new(&game("startpos"), &options, 1);
        let mut without = search.clone();
        for _ in 0..n_walks {
            for search in [&mut search, &mut without] {
                assert_eq!(search.next_leaf(), Step::Leaf);
                let n_moves = search.request().legal_moves.len();
                search.apply(&vec![0.0; n_moves], Wdl::EVEN).unwrap();
            }
        }
        assert_eq!(search.next_leaf(), Step::Leaf);
        search.advance_to(&game("startpos"), &options, 1);
        without.advance_to(&game("startpos"), &options, 1);
        assert_eq!(search.node_count(), without.node_count());
        run(&mut search, &mut NET.clone()).unwrap();
        run(&mut without, &mut NET.clone()).unwrap();
        assert_eq!(search.result(), without.result());
    }
}

#[test]
fn noise_is_drawn_anew_and_never_twice() {
    let options = noisy(puct(50));
    let mut search = searched("startpos", &options);
    let entropy = search.result().network.unwrap().entropy_nats;
    let priors = |search: &Search| search.root_moves().map(|one| one.prior).collect::<Vec<_>>();
    let first = priors(&search);
    search.advance_to(&game("startpos"), &options, 9);
    assert_ne!(priors(&search), first);
    let again = search.result().network.unwrap().entropy_nats;
    assert!(
        (entropy - again).abs() < 1e-4,
        "the network's policy has not changed"
    );
    search.advance_to(&game("startpos"), &puct(50), 9);
    let mut fresh = searched("startpos", &puct(1));
    run(&mut fresh, &mut NET.clone()).unwrap();
    for (kept, network) in priors(&search).into_iter().zip(priors(&fresh)) {
        assert!((kept - network).abs() < 1e-6);
    }
}

#[test]
fn sequential_halving_counts_the_visits_since() {
    let options = noisy(gumbel(33));
    let mut search = searched("startpos", &options);
    let best = search.best_move();
    let played = after(&game("startpos"), best);
    let reuse = search.advance_to(&played, &options, 4);
    assert!(1 < reuse.n_visits);
    let before: Vec<u32> = search
        .root_moves()
        .map(|root_move| root_move.visits)
        .collect();
    run(&mut search, &mut NET.clone()).unwrap();
    let since = search.root_moves().zip(before);
    let mut since: Vec<u32> = since.map(|(now, before)| now.visits - before).collect();
    since.sort_unstable_by(|a, b| b.cmp(a));
    since.retain(|&n| 0 < n);
    assert_eq!(since, [4, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(search.result().n_visits, reuse.n_visits + 32);
    let same = {
        let mut again = searched("startpos", &options);
        again.advance_to(&played, &options, 4);
        run(&mut again, &mut NET.clone()).unwrap();
        again.result()
    };
    assert_eq!(search.result(), same, "game, options and seeds decide");
}

#[test]
fn repetitions_are_the_same_in_a_kept_tree() {
    let mut search = Search::new(&game("startpos moves 2h3h 8b7b"), &puct(4_000), 1);
    run(&mut search, &mut UniformEvaluator).unwrap();
    let repeats = game("startpos moves 2h3h 8b7b 3h2h");
    let reuse = search.advance_to(&repeats, &puct(300), 1);
    assert!(0 < reuse.n_visits);
    run(&mut search, &mut UniformEvaluator).unwrap();
    let back = search
        .root_moves()
        .find(|root_move| root_move.mv == "7b8b".parse().unwrap())
        .unwrap();
    assert_eq!((back.value, back.mate), (Some(Wdl::DRAW), None));

    // The repeated position itself counts as a draw for the walks above it, but when the game
    // comes to it, it goes on: nothing is kept.
    let again = game("startpos moves 2h3h 8b7b 3h2h 7b8b");
    assert_eq!(search.advance_to(&again, &puct(300), 1), Reuse::default());
    run(&mut search, &mut UniformEvaluator).unwrap();
    assert!(search.result().value.draw < 0.5);
}

#[test]
fn a_perpetual_check_is_the_same_in_a_kept_tree() {
    let start = "8k/R8/9/9/4p4/9/9/9/K8 b - 1 moves";
    let mut search = Search::new(&game(&format!("{start} 9b9a 1a1b 9a9b")), &puct(300), 1);
    run(&mut search, &mut black_has(0.5)).unwrap();
    let checks = game(&format!("{start} 9b9a 1a1b 9a9b 1b1c"));
    let reuse = search.advance_to(&checks, &puct(300), 1);
    assert!(0 < reuse.n_visits);
    run(&mut search, &mut black_has(0.5)).unwrap();
    let mut fresh = Search::new(&checks, &puct(300), 1);
    run(&mut fresh, &mut black_has(0.5)).unwrap();
    let legal = |search: &Search| search.root_moves().map(|root| root.mv).collect::<Vec<_>>();
    assert_eq!(legal(&search), legal(&fresh));
    check_sums(&search);
}

#[test]
fn a_proof_is_kept_and_needs_no_more_visits() {
    let mate = game("9/k8/1L7/P8/9/9/RP7/3K5/9 b - 1");
    let mut search = Search::new(&mate, &puct(3_000), 1);
    run(&mut search, &mut UniformEvaluator).unwrap();
    let line = search.pv();
    assert_eq!(line.len(), 3);
    let mut played = after(&mate, line[0]);
    let reuse = search.advance_to(&played, &puct(3_000), 1);
    assert!(0 < reuse.n_visits);
    assert_eq!(search.next_leaf(), Step::Finished);
    assert_eq!(search.result().mate, Some(-2));
    // Two plies later the mate in one is seen before anything is kept.
    played.play(line[1]).unwrap();
    search.advance_to(&played, &puct(3_000), 1);
    assert_eq!(search.result().mate, Some(1));
    assert_eq!(search.best_move(), line[2]);
}
