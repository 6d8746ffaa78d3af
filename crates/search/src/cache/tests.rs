use rules::{Move, Position};

use super::{Entries, EvalCache};
use crate::search::tests::{ValueOf, game, gumbel, search, with_q};
use crate::{
    EvalAnswers, EvalRequest, Evaluator, EvaluatorError, HashEvaluator, Pool, Search, Wdl,
};

#[test]
fn a_cache_changes_no_result_however_small_it_is() {
    for n_bytes in [0, 1, 1_000, 50_000, 1 << 20] {
        let mut cached = EvalCache::with_bytes(HashEvaluator { seed: 5 }, n_bytes);
        for usi in ["startpos", "startpos moves 7g7f", "startpos"] {
            let expected = search(&game(usi), &gumbel(300), &mut HashEvaluator { seed: 5 });
            assert_eq!(search(&game(usi), &gumbel(300), &mut cached), expected);
        }
    }
}

#[test]
fn a_second_search_of_the_same_position_asks_nothing() {
    let mut cached = EvalCache::new(HashEvaluator { seed: 5 }, 1);
    search(&game("startpos"), &gumbel(40), &mut cached);
    let first = cached.stats();
    assert_eq!(first.n_requests, 40);
    search(&game("startpos"), &gumbel(40), &mut cached);
    let both = cached.stats();
    assert_eq!((both.n_requests, both.n_hits), (80, first.n_hits + 40));
    assert!(0.5 <= both.hit_rate());
}

#[test]
fn hits_and_misses_of_one_batch_keep_their_order() {
    let mut cached = EvalCache::with_bytes(HashEvaluator { seed: 5 }, 3_000);
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

/// Counts the positions that it is asked about.
struct Counting(usize);

impl Evaluator for Counting {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        self.0 += requests.len();
        HashEvaluator { seed: 5 }.evaluate(requests, answers)
    }
}

#[test]
fn a_position_that_many_games_ask_about_at_once_is_evaluated_once() {
    let mut cached = EvalCache::new(Counting(0), 1);
    let searches = (0..64).map(|seed| Search::new(&game("startpos"), &gumbel(9), seed));
    let mut pool = Pool::new(searches.collect());
    pool.run(&mut cached).unwrap();
    assert_eq!(cached.stats().n_requests, 64 * 9);
    assert_eq!(cached.inner_mut().0, 9);
    let mut alone = Search::new(&game("startpos"), &gumbel(9), 0);
    crate::run(&mut alone, &mut HashEvaluator { seed: 5 }).unwrap();
    assert!(
        pool.searches()
            .iter()
            .all(|one| one.result() == alone.result())
    );
}

#[test]
fn a_cleared_cache_has_forgotten_everything() {
    let mut cached = EvalCache::new(HashEvaluator { seed: 5 }, 1);
    search(&game("startpos"), &gumbel(10), &mut cached);
    *cached.inner_mut() = HashEvaluator { seed: 6 };
    cached.resize(1);
    assert_eq!(
        search(&game("startpos"), &gumbel(1), &mut cached).n_evaluations,
        1
    );
    assert_eq!(cached.stats().n_hits, 1, "nothing was forgotten yet");
    cached.clear();
    let found = search(&game("startpos"), &gumbel(10), &mut cached);
    let expected = search(
        &game("startpos"),
        &gumbel(10),
        &mut HashEvaluator { seed: 6 },
    );
    assert_eq!(found, expected);
    cached.resize(2);
    search(&game("startpos"), &gumbel(10), &mut cached);
    assert_eq!(cached.stats().n_hits, 1);
}

/// The same position at another ply and with another history has the same answer; what its path
/// makes of it (a repetition, a draw by the ply limit) never enters the cache.
#[test]
fn what_a_path_makes_of_a_position_stays_out() {
    let repeating = game("startpos moves 2h3h 8b7b 3h2h");
    let fresh = game("startpos moves 2h3h 8b7b 3h4h");
    let mut cached = EvalCache::new(ValueOf(|_: &Position| with_q(0.3)), 1);
    let searched = |game: &rules::Game, cached: &mut EvalCache<_>| {
        let result = search(game, &crate::search::tests::puct(500), cached);
        let alone = &mut ValueOf(|_: &Position| with_q(0.3));
        assert_eq!(
            result,
            search(game, &crate::search::tests::puct(500), alone)
        );
        result.value
    };
    let before = searched(&repeating, &mut cached);
    assert!(0.0 < before.draw, "the search has met repetitions");
    searched(&fresh, &mut cached);
    searched(&game("startpos"), &mut cached);
    assert_eq!(searched(&repeating, &mut cached), before);
}

#[test]
fn an_entry_is_taken_for_exactly_its_moves_only() {
    let mut entries = Entries::new(10_000);
    let moves: Vec<Move> = Position::startpos().legal_moves().to_vec();
    entries.put(7, &moves, &[0.5; 30], Wdl::DRAW);
    let slot = entries.find(7, &moves).unwrap();
    assert_eq!(entries.get(slot), ([0.5; 30].as_slice(), Wdl::DRAW));
    let mut turned = moves.clone();
    turned.reverse();
    assert_eq!(entries.find(7, &turned), None);
    assert_eq!(entries.find(7, &moves[..29]), None);
    assert_eq!(entries.find(7, &[]), None);
    assert_eq!(entries.find(8, &moves), None);
    // A key that shares the slot, and the key of the empty slot.
    assert_eq!(entries.find(7 + (1 << 40), &moves), None);
    assert_eq!(entries.find(0, &moves), None);
}

#[test]
fn the_oldest_entries_make_room_and_the_memory_stays() {
    let n_bytes = 20_000;
    let mut entries = Entries::new(n_bytes);
    let all: Vec<Move> = Position::startpos().legal_moves().to_vec();
    let n_places = entries.moves.len();
    assert!(n_places * 6 + entries.slots.len() * size_of::<super::Slot>() <= n_bytes);
    for key in 0..2_000u64 {
        // Lengths from 1 to 30, so that ends of the ring are met in every way.
        let moves = &all[..1 + (key * 7 % 30) as usize];
        let logits = vec![key as f32; moves.len()];
        entries.put(key, moves, &logits, Wdl::WIN);
        let slot = entries.find(key, moves).unwrap();
        assert_eq!(entries.get(slot).0, logits);
        for old in key.saturating_sub(600)..key {
            let old_moves = &all[..1 + (old * 7 % 30) as usize];
            if let Some(slot) = entries.find(old, old_moves) {
                assert!(entries.get(slot).0.iter().all(|&logit| logit == old as f32));
            }
        }
    }
    assert_eq!(entries.moves.len(), n_places);
}

#[test]
fn a_refused_answer_is_not_kept() {
    struct OneShort;
    impl Evaluator for OneShort {
        fn evaluate(
            &mut self,
            requests: &[EvalRequest<'_>],
            answers: &mut EvalAnswers,
        ) -> Result<(), EvaluatorError> {
            answers.clear();
            for _ in requests {
                answers.push(&[0.0; 29], Wdl::EVEN);
            }
            Ok(())
        }
    }
    let mut cached = EvalCache::new(OneShort, 1);
    for _ in 0..2 {
        let mut search = Search::new(&game("startpos"), &gumbel(9), 1);
        assert!(crate::run(&mut search, &mut cached).is_err());
    }
    assert_eq!(cached.stats().n_hits, 0);
}

#[test]
fn without_memory_every_request_is_passed_on() {
    let mut cached = EvalCache::new(Counting(0), 0);
    for _ in 0..2 {
        search(&game("startpos"), &gumbel(40), &mut cached);
    }
    let stats = cached.stats();
    assert_eq!(
        (stats.n_requests, stats.n_hits, stats.hit_rate()),
        (80, 0, 0.0)
    );
    assert_eq!(cached.inner_mut().0, 80);
}

#[test]
fn what_was_evaluated_elsewhere_is_kept_and_recalled() {
    let mut cached = EvalCache::new(Counting(0), 1);
    let position = Position::startpos();
    let legal_moves = position.legal_moves();
    let request = EvalRequest {
        position: &position,
        legal_moves: &legal_moves,
    };
    assert!(cached.recall(request).is_none());
    cached.keep(request, &[1.0, 2.0], Wdl::WIN);
    assert!(cached.recall(request).is_none(), "that was no answer");
    let logits: Vec<f32> = (0..legal_moves.len()).map(|idx| idx as f32).collect();
    cached.keep(request, &logits, Wdl::WIN);
    let recalled = cached.recall(request);
    assert_eq!(recalled, Some((&logits[..], Wdl::WIN)));
    let mut answers = EvalAnswers::new();
    cached.evaluate(&[request], &mut answers).unwrap();
    assert_eq!(answers.get(0), (&logits[..], Wdl::WIN));
    assert_eq!(cached.inner_mut().0, 0);
    let stats = cached.stats();
    assert_eq!((stats.n_requests, stats.n_hits), (4, 2));
}

#[test]
fn a_cache_without_memory_recalls_nothing() {
    let mut cached = EvalCache::new(Counting(0), 0);
    let position = Position::startpos();
    let legal_moves = position.legal_moves();
    let request = EvalRequest {
        position: &position,
        legal_moves: &legal_moves,
    };
    cached.keep(request, &vec![0.0; legal_moves.len()], Wdl::EVEN);
    assert!(cached.recall(request).is_none());
}
