use rules::Game;

use super::{Pool, Round, run};
use crate::search::tests::{game, gumbel, puct};
use crate::{
    EvalAnswers, EvalRequest, Evaluator, EvaluatorError, HashEvaluator, Search, SearchOptions, Wdl,
    mix_seed,
};

/// 64 games that have gone different ways for 0 to 63 plies, by moves that a hash chose.
fn games() -> Vec<Game> {
    (0..64u64)
        .map(|stream| {
            let mut game = game("startpos");
            for ply in 0..stream {
                let moves = game.position().legal_moves();
                if moves.is_empty() || game.outcome().is_some() {
                    game.undo();
                    break;
                }
                let pick = mix_seed(stream, ply) % moves.len() as u64;
                game.play(moves[pick as usize]).unwrap();
            }
            game
        })
        .collect()
}

fn searches(options: &SearchOptions) -> Vec<Search> {
    let games = games();
    let with_seed = games.iter().zip(0..);
    with_seed
        .map(|(game, seed)| Search::new(game, options, seed))
        .collect()
}

#[test]
fn a_game_alone_has_the_same_tree_as_among_sixty_four() {
    let gumbel_with_noise = SearchOptions {
        noise: true,
        ..gumbel(40)
    };
    for options in [gumbel_with_noise, puct(40)] {
        let mut pool = Pool::new(searches(&options));
        pool.run(&mut HashEvaluator { seed: 5 }).unwrap();
        for (pooled, mut alone) in pool.searches().iter().zip(searches(&options)) {
            run(&mut alone, &mut HashEvaluator { seed: 5 }).unwrap();
            assert_eq!(alone.result(), pooled.result());
        }
    }
}

/// Passes requests on and keeps the size of each batch.
#[derive(Default)]
struct BatchSizes(Vec<usize>);

impl Evaluator for BatchSizes {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        self.0.push(requests.len());
        HashEvaluator { seed: 5 }.evaluate(requests, answers)
    }
}

#[test]
fn a_round_is_one_batch_of_one_position_from_each_unfinished_search() {
    let short = Search::new(&game("startpos"), &gumbel(1), 1);
    let long = Search::new(&game("startpos"), &gumbel(3), 1);
    let mut pool = Pool::new(vec![short]);
    pool.push(long);
    let mut sizes = BatchSizes::default();
    let round = pool.round(&mut sizes).unwrap();
    assert_eq!(
        round,
        Round {
            n_evaluations: 2,
            n_finished: 0,
            n_searches: 2
        }
    );
    let round = pool.round(&mut sizes).unwrap();
    assert_eq!(
        round,
        Round {
            n_evaluations: 1,
            n_finished: 1,
            n_searches: 2
        }
    );
    assert_eq!(round.fill(), 0.5);
    pool.run(&mut sizes).unwrap();
    assert_eq!(sizes.0, [2, 1, 1], "no batch is empty");
    assert_eq!(pool.swap_remove(0).visit_count(), 1);
    assert_eq!(pool.searches()[0].visit_count(), 3);
}

#[test]
fn an_empty_pool_asks_nothing() {
    let mut sizes = BatchSizes::default();
    let round = Pool::default().round(&mut sizes).unwrap();
    assert_eq!((round.n_searches, round.fill(), sizes.0.len()), (0, 0.0, 0));
}

/// Answers all positions but the last.
struct Forgetful;

impl Evaluator for Forgetful {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        HashEvaluator { seed: 5 }.evaluate(&requests[1..], answers)
    }
}

/// Answers with one value, whatever the question.
struct Always(Wdl);

impl Evaluator for Always {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for request in requests {
            answers.push_with(self.0, request.legal_moves.len(), |_| {});
        }
        Ok(())
    }
}

#[test]
fn a_bad_answer_stops_the_round_and_the_round_can_be_repeated() {
    let options = gumbel(40);
    let mut pool = Pool::new(searches(&options));
    let error = pool.round(&mut Forgetful).unwrap_err().to_string();
    assert_eq!(error, "the evaluator gave 63 answers to 64 requests");
    let nonsense = Wdl {
        win: f32::NAN,
        ..Wdl::EVEN
    };
    let error = pool.round(&mut Always(nonsense)).unwrap_err().to_string();
    assert!(
        error.ends_with("in sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    );

    pool.run(&mut HashEvaluator { seed: 5 }).unwrap();
    let mut undisturbed = Pool::new(searches(&options));
    undisturbed.run(&mut HashEvaluator { seed: 5 }).unwrap();
    for (search, expected) in pool.searches().iter().zip(undisturbed.searches()) {
        assert_eq!(search.result(), expected.result());
    }
}
