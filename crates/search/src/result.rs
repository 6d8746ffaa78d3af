//! What a search has to say.

use rules::Move;

use crate::Wdl;

/// The result of one search. Values belong to the side to move at the root.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    /// The move to play.
    pub best: Move,
    /// Value of the root: mean over its visits, or certain when `mate` says so.
    pub value: Wdl,
    /// The policy that the search recommends as target, for every legal move in the order of
    /// [`rules::Position::legal_moves`]; sums to 1. At a Gumbel root the improved policy, at a
    /// PUCT root the shares of visits; the network's after a single visit; all on `best` when a
    /// win is proven.
    pub policy: Vec<(Move, f32)>,
    /// Visits of every legal move, in the same order.
    pub visits: Vec<(Move, u32)>,
    /// Plies until the game ends if the result is proven: positive if the side to move wins,
    /// negative if it loses.
    pub mate: Option<i32>,
    /// The best line, `best` first.
    pub pv: Vec<Move>,
    /// Visits of the root, the one that evaluated it and those kept from a search before included;
    /// 0 when a mate in one made any evaluation needless.
    pub n_visits: u32,
    /// Positions that the evaluator was asked about: never more than `n_visits`, less where
    /// walks ended at ends of games.
    pub n_evaluations: u32,
    /// Plies of the longest walk.
    pub depth: u32,
    /// What the network said about the root; `None` when it was not asked.
    pub network: Option<RootNetwork>,
}

/// What the network said about the root, beside what the search made of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootNetwork {
    /// The network's value of the root, for the side to move.
    pub value: Wdl,
    /// Entropy of the network's policy over the legal moves, in nats.
    pub entropy_nats: f32,
    /// Kullback-Leibler divergence of the search's policy from the network's, in nats: how much
    /// the search changed. At 0 it adds nothing.
    pub kl_nats: f32,
}

/// One legal move of the root as the search sees it at the moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Visits.
    pub visits: u32,
    /// The prior that walks used, Dirichlet noise included; 0 before the root is evaluated.
    pub prior: f32,
    /// Value of the move **for the side to move at the root**; `None` without visits.
    pub value: Option<Wdl>,
    /// Plies until the game ends after this move, this move included, if that is proven: positive
    /// if the side to move at the root wins, negative if it loses.
    pub mate: Option<i32>,
}
