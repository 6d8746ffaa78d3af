//! PUCT: which move a walk takes at a node (Silver et al. 2018, "A general reinforcement learning
//! algorithm that masters chess, shogi, and Go through self-play").
//!
//! Pure formulas, and [`select`], the loop over a node's moves that uses them.

use crate::SearchOptions;
use crate::tree::{NodeId, Tree};

/// Weight of the priors at a node with `n_visits` >= 1 visits: the exploration rate
/// `ln((1 + N + c_base) / c_base) + c_init`, times `sqrt(N)`.
///
/// `N` counts the visit that made the node, so that the prior decides between moves already at
/// the second visit.
pub(crate) fn prior_weight(n_visits: u32, c_init: f32, c_base: f32) -> f32 {
    let n = n_visits as f32;
    (((1.0 + n + c_base) / c_base).ln() + c_init) * n.sqrt()
}

/// How much a walk wants a move: its `q` in `[-1, 1]` of the player who chooses, plus
/// `prior_weight * prior / (1 + n_visits)` with the visits of the move.
pub(crate) fn score(q: f32, prior: f32, prior_weight: f32, n_visits: u32) -> f32 {
    q + prior_weight * prior / (1.0 + n_visits as f32)
}

/// The q that a move without visits counts as ("first play urgency"): worse than its parent, by
/// the more, the more of the prior has been visited (KataGo's form).
///
/// `parent_q` and the result belong to the player who chooses. Scoring such a move as a draw, or
/// with the sign of the other player, costs hundreds of rating points.
pub(crate) fn first_play_q(parent_q: f32, reduction: f32, visited_prior: f32) -> f32 {
    parent_q - reduction * visited_prior.sqrt()
}

/// Visits that a root move must have as soon as it has one: `sqrt(k * prior * N)` with the visits
/// `N` of all moves (Wu 2019, "Accelerating self-play learning in Go", section 3.2).
pub(crate) fn forced_visits(k: f32, prior: f32, sum_visits: u32) -> f32 {
    (k * prior * sum_visits as f32).sqrt()
}

/// The visits of a move that count for the policy: of `n_visits` up to `forced_visits` are taken
/// away as long as `score_at` (its score with so many visits) stays below `best_score`, the score of
/// the most visited move. A single visit that is left is none (Wu 2019, the same section).
pub(crate) fn pruned_visits(
    n_visits: u32,
    forced_visits: f32,
    best_score: f32,
    score_at: impl Fn(u32) -> f32,
) -> u32 {
    let least = n_visits.saturating_sub(forced_visits as u32);
    let mut kept = n_visits;
    while least < kept && score_at(kept - 1) < best_score {
        kept -= 1;
    }
    if kept <= 1 { 0 } else { kept }
}

/// The move that a walk takes at the open node `id`, as index into its edges; among equals the
/// first. `draw_value` is what a draw is worth to the player who chooses.
///
/// A move that is proven to lose is left alone.
pub(crate) fn select(tree: &Tree, id: NodeId, options: &SearchOptions, draw_value: f32) -> usize {
    let node = tree.node(id);
    let weight = prior_weight(node.n_walks(), options.c_init, options.c_base);
    let mut visited_prior = 0.0;
    let mut best: Option<(f32, usize)> = None;
    // Moves without visits differ by their prior alone.
    let mut best_fresh: Option<(f32, usize)> = None;
    for (edge_idx, edge) in tree.edges(id).iter().enumerate() {
        // A node without walks is one whose answer was not waited for.
        let Some(child) = tree.child(edge).filter(|child| !child.is_untouched()) else {
            if best_fresh.is_none_or(|(prior, _)| prior < edge.prior) {
                best_fresh = Some((edge.prior, edge_idx));
            }
            continue;
        };
        visited_prior += edge.prior;
        if tree.is_proven_loss(edge) {
            continue;
        }
        let score = score(
            child.q_for_parent(draw_value),
            edge.prior,
            weight,
            child.n_walks(),
        );
        if best.is_none_or(|(best_score, _)| best_score < score) {
            best = Some((score, edge_idx));
        }
    }
    if let Some((prior, edge_idx)) = best_fresh {
        let q = first_play_q(node.q(draw_value), options.fpu_reduction, visited_prior);
        let score = score(q, prior, weight, 0);
        if best.is_none_or(|(best_score, _)| best_score < score) {
            best = Some((score, edge_idx));
        }
    }
    best.expect("an open node has a move that is not proven to lose")
        .1
}

#[cfg(test)]
mod tests;
