//! Positions that speed and behaviour are measured on, and how.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rules::{Game, GameRules, MoveList, Position};
use search::{
    EvalAnswers, EvalRequest, Evaluator, EvaluatorError, HashEvaluator, PuctOptions, RootOptions,
    Search, SearchOptions, mix_seed,
};

use crate::machine::thread_time;

/// What the checksum's searches start from: the start, a middle game, the position with the most
/// legal moves, an endgame with a mate near, a check to answer, and a declaration within reach.
const CHECKSUM_SFENS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "6k2/6p2/9/7+B1/5+R3/3B2R2/9/9/K8 b S 1",
    "4kb2R/9/2N1G4/9/1K7/9/9/9/9 b P 1",
    "K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b P 1",
];

/// Visits of each of the checksum's searches.
const CHECKSUM_VISITS: u32 = 200;

/// One number made from all root visit counts of fixed searches with [`HashEvaluator`]: as long as
/// it stays the same, the search behaves the same.
///
/// # Errors
///
/// Never for the evaluator used; the search's own checks could fail.
pub fn checksum() -> Result<u32, EvaluatorError> {
    let puct = RootOptions::Puct(PuctOptions::default());
    let mut sum = 0;
    for root in [RootOptions::default(), puct] {
        let options = SearchOptions {
            visits: CHECKSUM_VISITS,
            root,
            ..SearchOptions::default()
        };
        for (number, sfen) in (0..).zip(CHECKSUM_SFENS) {
            let start =
                Position::from_sfen(sfen).expect("the checksum's positions are well formed");
            let game = Game::new(start, GameRules::default());
            let mut search = Search::new(&game, &options, number);
            search::run(&mut search, &mut HashEvaluator { seed: 1 })?;
            for root_move in search.root_moves() {
                let count = u64::from(root_move.visits);
                sum = mix_seed(sum, u64::from(root_move.mv.raw()) << 32 | count);
            }
        }
    }
    Ok((sum >> 32) as u32)
}

/// Positions with their legal moves, as an evaluator gets them.
pub type Positions = Vec<(Position, MoveList)>;

/// The positions as questions to an evaluator.
pub fn requests(positions: &Positions) -> Vec<EvalRequest<'_>> {
    positions
        .iter()
        .map(|(position, legal_moves)| EvalRequest {
            position,
            legal_moves,
        })
        .collect()
}

/// `n` positions of random games, always the same ones; none of them is an end.
pub fn positions(n: usize) -> Positions {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut game = Game::new(Position::startpos(), GameRules::default());
    let mut positions = Vec::with_capacity(n);
    while positions.len() < n {
        if game.outcome().is_some() {
            game = Game::new(Position::startpos(), GameRules::default());
        }
        let legal_moves = game.position().legal_moves();
        let mv = legal_moves[rng.random_range(0..legal_moves.len())];
        positions.push((game.position().clone(), legal_moves));
        game.play_unchecked(mv);
    }
    positions
}

/// Evaluations per second of `evaluator` in batches of `batch`, over at least `time`.
///
/// # Errors
///
/// If the evaluator fails.
pub fn evals_per_s(
    evaluator: &mut dyn Evaluator,
    positions: &Positions,
    batch: usize,
    time: Duration,
) -> Result<f64, EvaluatorError> {
    let requests = requests(positions);
    let mut answers = EvalAnswers::default();
    let mut n_evaluations = 0;
    let started = Instant::now();
    for batch in requests.chunks_exact(batch).cycle() {
        evaluator.evaluate(batch, &mut answers)?;
        n_evaluations += batch.len();
        if started.elapsed() >= time {
            break;
        }
    }
    Ok(n_evaluations as f64 / started.elapsed().as_secs_f64())
}

/// Seconds of the processor that `work` takes for one position, over at least `time`; 0 without positions. It gets a
/// list of moves to write into.
pub fn seconds_each(
    positions: &Positions,
    time: Duration,
    mut work: impl FnMut(&Position, &mut MoveList),
) -> f64 {
    if positions.is_empty() {
        return 0.0;
    }
    let mut n_positions = 0;
    let mut moves = MoveList::new();
    let started = thread_time();
    while thread_time() - started < time {
        for (position, _) in positions {
            work(position, &mut moves);
        }
        n_positions += positions.len();
    }
    (thread_time() - started).as_secs_f64() / n_positions as f64
}

#[cfg(test)]
mod tests;
