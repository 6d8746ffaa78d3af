//! The Gumbel root: "Policy improvement by planning with Gumbel" (Danihelka, Guez, Schrittwieser
//! and Silver, ICLR 2022).
//!
//! Pure formulas and the visit schedule of sequential halving; `Search` puts them together.
//! Values are q in `[-1, 1]` of the player to move at the root.

use crate::options::GumbelOptions;

/// Which visit count the next visited move of the root must have, by sequential halving.
///
/// Each call of `next` is one walk: the walk goes to the best of the moves that have exactly the
/// returned number of visits. A phase gives each of `considered` moves the same number of visits,
/// then the better half goes on; the last phase, with two moves, repeats until all walks are
/// spent. Never allocates.
#[derive(Debug, Clone, Default)]
pub(crate) struct HalvingSchedule {
    /// Walks not handed out yet.
    n_left: u32,
    /// Walks in total, and phases planned: they fix the length of each phase.
    n_walks: u32,
    n_phases: u32,
    /// Moves that take part in this phase.
    n_considered: u32,
    /// Rounds of this phase not finished yet, the present one included.
    n_rounds_left: u32,
    /// Moves already visited in the present round.
    n_done_in_round: u32,
    /// Visits that each move of the present round has had before.
    level: u32,
}

impl HalvingSchedule {
    /// The schedule of `n_walks` walks that begin with `n_considered` >= 1 moves.
    pub(crate) fn new(n_considered: u32, n_walks: u32) -> Self {
        // Rounded up: with 5 to 8 moves three halvings lead to one.
        let n_phases = n_considered.next_power_of_two().ilog2().max(1);
        let mut schedule = Self {
            n_left: n_walks,
            n_walks,
            n_phases,
            n_considered,
            ..Self::default()
        };
        schedule.start_phase();
        schedule
    }

    fn start_phase(&mut self) {
        let planned = u64::from(self.n_phases) * u64::from(self.n_considered);
        self.n_rounds_left = (u64::from(self.n_walks) / planned).max(1) as u32;
    }
}

impl Iterator for HalvingSchedule {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.n_left = self.n_left.checked_sub(1)?;
        let level = self.level;
        self.n_done_in_round += 1;
        if self.n_done_in_round == self.n_considered {
            self.n_done_in_round = 0;
            self.level += 1;
            self.n_rounds_left -= 1;
        }
        if self.n_rounds_left == 0 {
            // One move alone has nobody to be compared with and keeps all visits.
            self.n_considered = if self.n_considered == 1 {
                1
            } else {
                (self.n_considered / 2).max(2)
            };
            self.start_phase();
        }
        Some(level)
    }
}

/// The weight of values against logits: `(c_visit + max N(b)) * c_scale` with the most visits of
/// any move. It multiplies q scaled to `[0, 1]`, for which the paper's `c_scale` of 1.0 is meant.
pub(crate) fn value_weight(options: &GumbelOptions, max_visits: u32) -> f32 {
    (options.c_visit + max_visits as f32) * options.c_scale
}

/// What a value adds to a logit: the paper's sigma, `weight * (q + 1) / 2`.
pub(crate) fn sigma(weight: f32, q: f32) -> f32 {
    weight * (q + 1.0) / 2.0
}

/// The value that a move without visits counts as: the paper's `v_mix` (appendix D, equation 33).
///
/// `(v + N * sum(prior * q) / sum(prior)) / (1 + N)`, sums over the visited moves given as
/// (visits, prior, q), `N` their visits and `v` the network's value of the root.
pub(crate) fn mixed_value(
    network_q: f32,
    visited_moves: impl Iterator<Item = (u32, f32, f32)>,
) -> f32 {
    let (mut n_visits, mut sum_prior, mut sum_value) = (0.0, 0.0, 0.0);
    for (n, prior, q) in visited_moves {
        // A prior that underflowed to 0 must not divide 0 by 0.
        let prior = prior.max(f32::MIN_POSITIVE);
        n_visits += n as f32;
        sum_prior += prior;
        sum_value += prior * q;
    }
    if n_visits == 0.0 {
        return network_q;
    }
    (network_q + n_visits * sum_value / sum_prior) / (1.0 + n_visits)
}

/// How much a walk beyond the schedule wants a move: the improved policy minus the share of
/// visits the move already has, `policy - n / (1 + N)`, so that visits come to follow the policy.
///
/// The paper's rule for nodes below the root (equation 14); unlike sequential halving it needs no
/// planned end.
pub(crate) fn policy_deficit(policy: f32, n_visits: u32, sum_visits: u32) -> f32 {
    policy - n_visits as f32 / (1.0 + sum_visits as f32)
}

#[cfg(test)]
mod tests;
