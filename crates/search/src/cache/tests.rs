use super::CachedEvaluator;
use crate::search::tests::{black_has, game, gumbel, search};
use crate::{HashEvaluator, Pool, Search};

#[test]
fn a_cache_changes_no_result_however_small_it_is() {
    for n_slots in [0, 1, 64, 100_000] {
        let mut cached = CachedEvaluator::new(HashEvaluator { seed: 5 }, n_slots);
        for usi in ["startpos", "startpos moves 7g7f", "startpos"] {
            let expected = search(&game(usi), &gumbel(40), &mut HashEvaluator { seed: 5 });
            assert_eq!(search(&game(usi), &gumbel(40), &mut cached), expected);
        }
    }
}

#[test]
fn a_second_search_of_the_same_position_asks_nothing() {
    let mut cached = CachedEvaluator::new(HashEvaluator { seed: 5 }, 100_000);
    search(&game("startpos"), &gumbel(40), &mut cached);
    let (n_requests, n_hits) = cached.requests_and_hits();
    assert_eq!(n_requests, 40);
    search(&game("startpos"), &gumbel(40), &mut cached);
    assert_eq!(cached.requests_and_hits(), (80, n_hits + 40));
}

#[test]
fn hits_and_misses_of_one_batch_keep_their_order() {
    let mut cached = CachedEvaluator::new(HashEvaluator { seed: 5 }, 4);
    let lines = ["startpos", "startpos moves 7g7f", "startpos moves 2g2f"];
    let searches = |lines: &[&str]| {
        let searches = lines
            .iter()
            .map(|usi| Search::new(&game(usi), &gumbel(20), 1));
        Pool::new(searches.collect())
    };
    for batch in [&lines[1..2], &lines, &lines[..2], &lines] {
        let (mut with, mut without) = (searches(batch), searches(batch));
        with.run(&mut cached).unwrap();
        without.run(&mut HashEvaluator { seed: 5 }).unwrap();
        for (with, without) in with.searches().iter().zip(without.searches()) {
            assert_eq!(with.result(), without.result());
        }
    }
}

#[test]
fn a_cleared_cache_has_forgotten_everything() {
    let mut cached = CachedEvaluator::new(black_has(0.5), 1_000);
    search(&game("startpos"), &gumbel(10), &mut cached);
    *cached.inner_mut() = black_has(0.5);
    cached.clear();
    search(&game("startpos"), &gumbel(10), &mut cached);
    assert_eq!(cached.requests_and_hits(), (20, 0));
}
