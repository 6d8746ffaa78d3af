//! A search that has its buffers never allocates.

use allocation_counter::measure;

use super::{game, gumbel, puct};
use crate::{EvalAnswers, Evaluator, HashEvaluator, LeafMate, Pool, Search, SearchOptions, Step};

const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// Visits the tree until the search is finished.
fn visits(search: &mut Search, answers: &mut EvalAnswers) {
    while let Step::Leaf = search.next_leaf() {
        HashEvaluator { seed: 1 }
            .evaluate(&[search.request()], answers)
            .unwrap();
        let (logits, value) = answers.get(0);
        search.apply(logits, value).unwrap();
    }
}

fn with_noise(options: SearchOptions, leaf_mate: LeafMate) -> SearchOptions {
    SearchOptions {
        noise: true,
        leaf_mate,
        ..options
    }
}

#[test]
fn after_the_first_search_a_visit_allocates_nothing() {
    let game = game(MIDDLE);
    let mut answers = EvalAnswers::new();
    for options in [gumbel(300), puct(300)] {
        for leaf_mate in [LeafMate::None, LeafMate::One, LeafMate::Three] {
            let options = with_noise(options.clone(), leaf_mate);
            let mut search = Search::new(&game, &options, 1);
            // Another search of the same size grows another tree, with more or fewer moves.
            visits(&mut search, &mut answers);
            search.restart(&game, &options, 1);
            let count = measure(|| visits(&mut search, &mut answers)).count_total;
            assert_eq!(count, 0, "{leaf_mate:?}");
            assert_eq!(search.visit_count(), 300);
        }
    }
}

#[test]
fn a_round_of_a_pool_allocates_its_list_of_requests_alone() {
    let game = game(MIDDLE);
    let search = |seed| Search::new(&game, &gumbel(64), seed);
    let mut pool = Pool::new((0..16).map(search).collect());
    let evaluator = &mut HashEvaluator { seed: 1 };
    pool.run(evaluator).unwrap();
    for (search, seed) in pool.searches_mut().iter_mut().zip(0..) {
        search.restart(&game, &gumbel(64), seed);
    }
    for _ in 0..40 {
        let count = measure(|| assert_eq!(pool.round(evaluator).unwrap().n_evaluations, 16));
        assert_eq!(count.count_total, 1);
    }
}
