use rules::{Game, GameRules, Position};
use search::{HashEvaluator, PuctOptions, RootOptions, SearchOptions};

use super::*;

fn options(visits: u32) -> SearchOptions {
    SearchOptions {
        visits,
        root: RootOptions::Puct(PuctOptions::default()),
        noise: false,
        ..SearchOptions::default()
    }
}

fn search(visits: u32) -> Search {
    let game = Game::new(Position::startpos(), GameRules::default());
    Search::new(&game, &options(visits), 1)
}

fn crew(n: usize, batch_size: usize, memory_mib: usize) -> Crew {
    let evaluators = (0..n).map(|_| Box::new(HashEvaluator { seed: 1 }) as Box<dyn Evaluator>);
    Crew::new(evaluators.collect(), batch_size, memory_mib)
}

fn finish(crew: &mut Crew, search: &mut Search) {
    while !search.is_finished() {
        crew.work(search).unwrap();
    }
}

#[test]
fn one_evaluator_makes_the_tree_of_a_plain_search() {
    let mut plain = search(400);
    search::run(&mut plain, &mut HashEvaluator { seed: 1 }).unwrap();
    for memory_mib in [0, 1] {
        let mut crew = crew(1, 1, memory_mib);
        // The second time everything comes from the cache.
        for _ in 0..2 {
            let mut search = search(400);
            finish(&mut crew, &mut search);
            assert_eq!(search.result(), plain.result());
        }
    }
}

#[test]
fn helpers_and_batches_spend_exactly_the_visits() {
    for (n, batch_size) in [(1, 8), (2, 1), (2, 4), (4, 1)] {
        let mut crew = crew(n, batch_size, 1);
        let mut search = search(600);
        finish(&mut crew, &mut search);
        let result = search.result();
        assert_eq!(result.n_visits, 600, "{n} x {batch_size}");
        let below: u32 = result.visits.iter().map(|(_, n)| n).sum();
        assert_eq!(below, 599);
        assert!(crew.open.is_empty());
    }
}

#[test]
fn work_that_is_dropped_leaves_a_search_that_can_go_on() {
    let mut crew = crew(3, 2, 0);
    let mut search = search(10_000);
    for n in 1..=40 {
        search.allow(n);
        for _ in 0..n {
            crew.work(&mut search).unwrap();
        }
        crew.drop_work(&mut search);
    }
    let made = search.visit_count();
    search.allow(100);
    finish(&mut crew, &mut search);
    assert_eq!(search.visit_count(), made + 100);
}

#[test]
fn late_answers_to_another_search_do_no_harm() {
    let mut crew = crew(2, 1, 1);
    let mut first = search(10_000);
    for _ in 0..20 {
        crew.work(&mut first).unwrap();
    }
    crew.drop_work(&mut first);
    let mut second = search(300);
    finish(&mut crew, &mut second);
    assert_eq!(second.visit_count(), 300);
}

#[test]
fn a_helper_that_fails_ends_the_work_with_its_reason() {
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
    let mut crew = Crew::new(
        vec![Box::new(HashEvaluator { seed: 1 }), Box::new(Broken)],
        1,
        0,
    );
    let mut search = search(1_000_000);
    let error = loop {
        if let Err(error) = crew.work(&mut search) {
            break error;
        }
    };
    assert!(matches!(error, EvaluatorError::Failed(_)), "{error}");
    assert!(crew.open.is_empty());
}

#[test]
fn a_helper_that_panics_is_noticed() {
    struct Panicking;
    impl Evaluator for Panicking {
        fn evaluate(
            &mut self,
            _: &[EvalRequest<'_>],
            _: &mut EvalAnswers,
        ) -> Result<(), EvaluatorError> {
            panic!("expected by the test")
        }
    }
    let own = Box::new(HashEvaluator { seed: 1 });
    let mut crew = Crew::new(vec![own, Box::new(Panicking)], 1, 0);
    // So few visits that all that is left soon waits for the helper.
    let mut search = search(8);
    let worked = loop {
        let worked = crew.work(&mut search);
        if worked.is_err() || search.is_finished() {
            break worked;
        }
    };
    assert!(worked.is_err());
}
