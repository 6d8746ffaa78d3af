//! Value targets: what the network should have thought of each position of a finished game.

use rules::Color;

use crate::record::{GameRecord, ValueWdl};

/// How many value targets with a short horizon there are.
pub const N_HORIZONS: usize = 2;

/// Value targets by horizon, of the side to move.
pub(crate) type ShortTargets = [ValueWdl; N_HORIZONS];

/// TD(lambda) targets, one per ply, each seen by the side to move at that ply.
///
/// With `root[t]` the search's value at ply t and `G[n]` the result at the end of a game of n
/// plies: `G[t] = flip((1 - lambda) * root[t + 1] + lambda * G[t + 1])`. A ply without a root
/// value passes `G` through. So `lambda = 1` gives the result everywhere, `lambda = 0` the
/// search's next opinion. Source: Sutton 1988; why it is used here: `docs/methods.md`.
pub(crate) fn td_targets(record: &GameRecord, lambda: f32) -> Vec<ValueWdl> {
    let mut targets = vec![[0.0; 3]; record.plies.len()];
    // What ply t + 1 says, seen by its own side to move.
    let mut ahead = outcome_wdl(record.outcome.winner, record.side_at(record.plies.len()));
    for (target, ply) in targets.iter_mut().zip(&record.plies).rev() {
        *target = flipped(ahead);
        ahead = match ply.value {
            Some(root) => mix(root, *target, lambda),
            None => *target,
        };
    }
    targets
}

/// TD targets that look ahead `horizons` plies on average, one per ply: [`td_targets`] with
/// `lambda = 1 - 1 / horizon`. Source: KataGo's short-term values.
pub(crate) fn short_targets(record: &GameRecord, horizons: [f32; N_HORIZONS]) -> Vec<ShortTargets> {
    let by_horizon = horizons.map(|horizon| td_targets(record, 1.0 - 1.0 / horizon));
    (0..record.plies.len())
        .map(|ply| std::array::from_fn(|horizon| by_horizon[horizon][ply]))
        .collect()
}

/// The result as a one-hot (win, draw, loss), seen by `side`.
pub(crate) fn outcome_wdl(winner: Option<Color>, side: Color) -> ValueWdl {
    match winner {
        None => [0.0, 1.0, 0.0],
        Some(winner) if winner == side => [1.0, 0.0, 0.0],
        Some(_) => [0.0, 0.0, 1.0],
    }
}

fn flipped([win, draw, loss]: ValueWdl) -> ValueWdl {
    [loss, draw, win]
}

/// `lambda` of `target` and the rest of `root`.
pub(crate) fn mix(root: ValueWdl, target: ValueWdl, lambda: f32) -> ValueWdl {
    std::array::from_fn(|i| (1.0 - lambda) * root[i] + lambda * target[i])
}

#[cfg(test)]
mod tests;
