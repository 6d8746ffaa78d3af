use super::*;
use crate::{Aside, Question, Reach};

/// Leaves on their way, oldest first.
type Waiting = std::collections::VecDeque<(Aside, Question)>;

/// Answers the leaf at `idx`.
fn answer(search: &mut Search, waiting: &mut Waiting, idx: usize) {
    let (aside, question) = waiting.remove(idx).unwrap();
    let mut answers = EvalAnswers::new();
    HashEvaluator { seed: 1 }
        .evaluate(&[question.request()], &mut answers)
        .unwrap();
    let (logits, value) = answers.get(0);
    search.apply_aside(aside, &question, logits, value).unwrap();
}

/// Searches with up to `n_aside` leaves on their way; the answers come in an order that `order`
/// chooses from the number of those that wait.
fn search_aside(
    game: &Game,
    options: &SearchOptions,
    n_aside: usize,
    mut order: impl FnMut(usize) -> usize,
) -> Search {
    let mut search = Search::new(game, options, 1);
    let mut waiting = Waiting::new();
    loop {
        if waiting.len() < n_aside {
            match search.walk() {
                Reach::Leaf => {
                    waiting.push_back(search.set_aside());
                    continue;
                }
                Reach::Busy => assert!(!waiting.is_empty()),
                Reach::Finished if waiting.is_empty() => return search,
                Reach::Finished => {}
            }
        }
        let idx = order(waiting.len());
        answer(&mut search, &mut waiting, idx);
    }
}

#[test]
fn a_leaf_set_aside_and_answered_at_once_makes_the_same_tree() {
    for usi in ["startpos", MATSURI] {
        for options in [puct(300), gumbel(64)] {
            let game = game(usi);
            let expected = search(&game, &options, &mut HashEvaluator { seed: 1 });
            let result = search_aside(&game, &options, 1, |_| 0).result();
            assert_eq!(result, expected);
        }
    }
}

#[test]
fn many_leaves_on_their_way_spend_exactly_the_visits_in_any_order() {
    for order in [(|_| 0) as fn(usize) -> usize, |n| n - 1, |n| n / 2] {
        let search = search_aside(&game(MATSURI), &puct(500), 6, order);
        let result = search.result();
        assert_eq!(result.n_visits, 500);
        let below: u32 = result.visits.iter().map(|(_, n)| n).sum();
        assert_eq!(below, 499);
        assert!(result.n_evaluations <= 500);
    }
}

#[test]
fn leaves_on_their_way_are_different_positions() {
    let mut search = Search::new(&game(MATSURI), &puct(1000), 1);
    let mut waiting = Waiting::new();
    assert_eq!(search.walk(), Reach::Leaf);
    waiting.push_back(search.set_aside());
    // All walks begin at the root, which has not been answered.
    assert_eq!(search.walk(), Reach::Busy);
    answer(&mut search, &mut waiting, 0);
    let mut keys = Vec::new();
    while search.walk() == Reach::Leaf && keys.len() < 8 {
        let (aside, question) = search.set_aside();
        keys.push(question.position.key());
        waiting.push_back((aside, question));
    }
    assert!(4 <= keys.len(), "{keys:?}");
    keys.sort_unstable();
    let n_all = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), n_all);
}

#[test]
fn a_forgotten_leaf_leaves_no_trace_in_the_result() {
    let (game, options) = (game(MATSURI), puct(300));
    let expected = search(&game, &options, &mut HashEvaluator { seed: 1 });
    let mut search = Search::new(&game, &options, 1);
    let mut waiting = Waiting::new();
    let mut n_forgotten = 0;
    while search.walk() == Reach::Leaf {
        let (aside, question) = search.set_aside();
        if question.position.key() % 3 == 0 && n_forgotten < 100 {
            n_forgotten += 1;
            search.forget(aside);
            // The next walk comes to the same leaf, and asks the same.
            assert_eq!(search.walk(), Reach::Leaf);
            let (again, same) = search.set_aside();
            assert_eq!(same.position, question.position);
            assert_eq!(&*same.legal_moves, &*question.legal_moves);
            waiting.push_back((again, same));
        } else {
            waiting.push_back((aside, question));
        }
        answer(&mut search, &mut waiting, 0);
    }
    assert!(50 <= n_forgotten);
    assert_eq!(search.result(), expected);
}

#[test]
fn visits_on_their_way_count_against_the_budget() {
    let mut search = Search::new(&game("startpos"), &puct(3), 1);
    let mut waiting = Waiting::new();
    assert_eq!(search.walk(), Reach::Leaf);
    waiting.push_back(search.set_aside());
    answer(&mut search, &mut waiting, 0);
    for _ in 0..2 {
        assert_eq!(search.walk(), Reach::Leaf);
        waiting.push_back(search.set_aside());
    }
    assert_eq!(search.walk(), Reach::Busy);
    answer(&mut search, &mut waiting, 1);
    answer(&mut search, &mut waiting, 0);
    assert_eq!(search.walk(), Reach::Finished);
    assert_eq!(search.visit_count(), 3);
}

#[test]
fn a_proof_found_by_one_walk_stands_when_later_answers_come() {
    // R*3b mates in three; nothing else does.
    let usi = "6k2/9/7G1/5s1gp/9/9/9/9/4K4 b RSr2b2g2s4n4l17p 1";
    for n_aside in [1, 4, 16] {
        let search = search_aside(&game(usi), &puct(20_000), n_aside, |n| n - 1);
        let result = search.result();
        assert_eq!(
            (result.mate, result.best.to_string()),
            (Some(3), "R*3b".to_owned())
        );
    }
}

#[test]
fn a_refused_answer_forgets_its_leaf() {
    let mut search = Search::new(&game("startpos"), &puct(10), 1);
    assert_eq!(search.walk(), Reach::Leaf);
    let (aside, question) = search.set_aside();
    let refused = search.apply_aside(aside, &question, &[0.0], Wdl::EVEN);
    assert!(matches!(refused, Err(EvaluatorError::LogitCount { .. })));
    run(&mut search, &mut HashEvaluator { seed: 1 }).unwrap();
    assert_eq!(search.visit_count(), 10);
}

#[test]
fn an_allowance_counts_from_the_visits_made() {
    let mut search = Search::new(&game("startpos"), &puct(10), 1);
    for (allowed, visits) in [(4, 4), (0, 4), (100, 104), (3, 107)] {
        search.allow(allowed);
        run(&mut search, &mut HashEvaluator { seed: 1 }).unwrap();
        assert_eq!(search.visit_count(), visits);
    }
}
