//! What is decided by lot: moves of the book, and moves for variety.

use rules::Move;
use search::{RootMove, mix_seed};

use crate::book::BookMove;
use crate::options::Settings;

#[cfg(test)]
mod tests;

/// One of the book's moves, by how often each was played.
pub(crate) fn draw_from_book(moves: &[BookMove], seed: u64) -> Option<BookMove> {
    let weights = moves.iter().map(|entry| f64::from(entry.count));
    let idx = draw_weighted(&weights.collect::<Vec<f64>>(), seed)?;
    Some(moves[idx])
}

/// A move other than `best`, if the lot falls on one: each has its visits raised to 1000 over
/// `Random_Temperature` as weight, if its expected score is no more than `Random_Cutoff` below the
/// best move's and it is not known to lose.
pub(crate) fn draw(moves: &[RootMove], best: Move, settings: &Settings, seed: u64) -> Option<Move> {
    let expected = |root_move: &RootMove| root_move.value.map(|value| value.expected());
    let best_expected = moves
        .iter()
        .find(|root_move| root_move.mv == best)
        .and_then(expected)?;
    let least = best_expected - settings.random_cutoff as f32 / 1000.0;
    let exponent = 1000.0 / f64::from(settings.random_temperature);
    let most_visits = moves.iter().map(|root_move| root_move.visits).max()?;
    let weight = |root_move: &RootMove| {
        let is_lost = root_move.mate.is_some_and(|plies| plies <= 0);
        match expected(root_move) {
            Some(expected) if least <= expected && !is_lost => {
                // As a share of the most, so that no power overflows.
                (f64::from(root_move.visits) / f64::from(most_visits.max(1))).powf(exponent)
            }
            _ => 0.0,
        }
    };
    let weights: Vec<f64> = moves.iter().map(weight).collect();
    let mv = moves[draw_weighted(&weights, seed)?].mv;
    (mv != best).then_some(mv)
}

/// An index, in proportion to the weights; `None` if all are 0.
fn draw_weighted(weights: &[f64], seed: u64) -> Option<usize> {
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        return None;
    }
    // The upper 53 bits as a number in [0, 1).
    let share = (mix_seed(seed, 0) >> 11) as f64 / (1u64 << 53) as f64;
    let mut rest = share * sum;
    for (idx, &weight) in weights.iter().enumerate() {
        if rest < weight {
            return Some(idx);
        }
        rest -= weight;
    }
    // Rounding: the last one that can be drawn.
    weights.iter().rposition(|&weight| 0.0 < weight)
}
