//! What the net says of positions of games that it was not trained on, against what came of them.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::games::NEAR_END;

/// Positions that are looked at together.
const KEPT: usize = 8192;

/// Bins of the calibration.
const BINS: usize = 10;

/// Plies before the end from which on a position counts as far from it.
const FAR: usize = 30;

/// One position, scored before its game was trained on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Scored {
    /// Plies until the end of the game, this one included, at least 1.
    pub plies_to_end: u32,
    /// Whether Black is to move.
    pub black: bool,
    /// Score that the net expects, of the side to move, from 0 to 1.
    pub expected: f32,
    /// Score that came, of the side to move: 0, 1/2 or 1.
    pub came: f32,
    /// The policy against its target; none where there is no target.
    pub policy: Option<ScoredPolicy>,
    /// Probability of illegal moves where nothing is left out.
    pub illegal_mass: f32,
    /// How far the expected score is from that of the mirrored position; none where that was not
    /// asked.
    pub mirror_difference: Option<f32>,
}

/// A policy against its target, in nats.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ScoredPolicy {
    /// Cross entropy.
    pub loss: f32,
    /// The least that it can be: the target's own entropy.
    pub target_entropy: f32,
    /// Cross entropy of a policy that knows nothing: the logarithm of the number of legal moves.
    pub uniform_loss: f32,
    /// Whether the target is a proven mate.
    pub mates: bool,
    /// Whether both prefer the same move.
    pub agrees: bool,
}

/// What the net says of the newest unseen positions, up to 8,192. Shares are in [0, 1].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PositionHealth {
    /// How many they are.
    pub positions: u64,
    /// Mean square of expected minus actual score; 0.25 is what always expecting 1/2 gives where
    /// nothing is drawn.
    pub brier: f64,
    /// Mean of expected minus actual score, from the view of the side to move.
    pub bias: f64,
    /// The same from Black's view: the net's love for a colour.
    pub black_bias: f64,
    /// By expected score, in tenths: what was expected and what came. Empty bins are left out.
    pub calibration: Vec<CalibrationBin>,
    /// Mean distance of expected and actual score over the bins, by their positions.
    pub calibration_error: f64,
    /// Share of decided positions in which the winner is expected: within ten plies of the end ...
    pub sign_near: Option<f64>,
    /// ... within thirty ...
    pub sign_middle: Option<f64>,
    /// ... and further from it.
    pub sign_far: Option<f64>,
    /// Positions behind `sign_near`.
    pub near_positions: u64,
    /// What has been learned of the policy: 0 where it is no better than knowing nothing, 1 where
    /// it is its target.
    pub policy_learned: Option<f64>,
    /// Share of positions in which policy and target prefer the same move.
    pub top1_share: Option<f64>,
    /// The same of positions with a proven mate: does the net alone see mates in one?
    pub mate_top1_share: Option<f64>,
    /// Mean probability of illegal moves where nothing is left out.
    pub illegal_mass: f64,
    /// Mean difference of the expected scores of a position and its mirror image.
    pub mirror_difference: Option<f64>,
}

/// One bin of a calibration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Mean expected score.
    pub expected: f64,
    /// Mean actual score.
    pub came: f64,
    /// Positions.
    pub positions: u64,
}

/// Keeps the newest scored positions in mind.
#[derive(Debug, Clone, Default)]
pub struct RecentPositions {
    positions: VecDeque<Scored>,
}

impl RecentPositions {
    /// Takes scored positions.
    pub fn add(&mut self, scored: impl IntoIterator<Item = Scored>) {
        self.positions.extend(scored);
        let surplus = self.positions.len().saturating_sub(KEPT);
        self.positions.drain(..surplus);
    }

    /// What they are like together; none where there are none.
    pub fn health(&self) -> Option<PositionHealth> {
        let all = || self.positions.iter();
        let n = self.positions.len();
        if n == 0 {
            return None;
        }
        let error = |scored: &Scored| f64::from(scored.expected) - f64::from(scored.came);
        let policies = || all().filter_map(|scored| scored.policy.as_ref());
        let signs = |low: usize, high: usize| {
            let within = all().filter(move |scored| {
                (low..high).contains(&(scored.plies_to_end as usize)) && scored.came != 0.5
            });
            let right = |scored: &Scored| (scored.expected > 0.5) == (scored.came > 0.5);
            share(within.map(right))
        };
        let calibration = calibration(&self.positions);
        let distance =
            |bin: &CalibrationBin| bin.positions as f64 * (bin.expected - bin.came).abs();
        let near =
            |scored: &&Scored| scored.plies_to_end as usize <= NEAR_END && scored.came != 0.5;
        let by_colour = |scored: &Scored| if scored.black { 1.0 } else { -1.0 } * error(scored);
        Some(PositionHealth {
            positions: n as u64,
            brier: all().map(|scored| error(scored).powi(2)).sum::<f64>() / n as f64,
            bias: all().map(error).sum::<f64>() / n as f64,
            black_bias: all().map(by_colour).sum::<f64>() / n as f64,
            calibration_error: calibration.iter().map(distance).sum::<f64>() / n as f64,
            calibration,
            sign_near: signs(1, NEAR_END + 1),
            sign_middle: signs(NEAR_END + 1, FAR + 1),
            sign_far: signs(FAR + 1, usize::MAX),
            near_positions: all().filter(near).count() as u64,
            policy_learned: learned(policies()),
            top1_share: share(policies().map(|policy| policy.agrees)),
            mate_top1_share: share(policies().filter(|p| p.mates).map(|p| p.agrees)),
            illegal_mass: all().map(|s| f64::from(s.illegal_mass)).sum::<f64>() / n as f64,
            mirror_difference: mean(all().filter_map(|s| s.mirror_difference).map(f64::from)),
        })
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = numbers.fold((0_u64, 0.0), |(n, sum), number| (n + 1, sum + number));
    (n > 0).then(|| sum / n as f64)
}

fn share(hits: impl Iterator<Item = bool>) -> Option<f64> {
    mean(hits.map(|hit| f64::from(u8::from(hit))))
}

/// The part of the way from knowing nothing to the target.
fn learned<'a>(policies: impl Iterator<Item = &'a ScoredPolicy>) -> Option<f64> {
    let (mut gained, mut possible) = (0.0, 0.0);
    for policy in policies {
        gained += f64::from(policy.uniform_loss - policy.loss);
        possible += f64::from(policy.uniform_loss - policy.target_entropy);
    }
    (possible > 0.0).then(|| gained / possible)
}

fn calibration(positions: &VecDeque<Scored>) -> Vec<CalibrationBin> {
    let mut bins = vec![CalibrationBin::default(); BINS];
    for scored in positions {
        let bin = ((scored.expected * BINS as f32) as usize).min(BINS - 1);
        bins[bin].positions += 1;
        bins[bin].expected += f64::from(scored.expected);
        bins[bin].came += f64::from(scored.came);
    }
    bins.retain(|bin| bin.positions > 0);
    for bin in &mut bins {
        bin.expected /= bin.positions as f64;
        bin.came /= bin.positions as f64;
    }
    bins
}

#[cfg(test)]
mod tests;
