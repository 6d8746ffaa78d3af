//! How well a net fits games that it was not taught.

use std::fmt;

use anyhow::Context;
use data::Batch;
use serde::Serialize;
use trainer::Trainer;

/// How well the averaged net fits held-out games. Losses are in nats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// Positions that were scored.
    pub positions: u64,
    /// Cross-entropy of the policy with its target, over legal moves.
    pub policy_loss: f64,
    /// The least that `policy_loss` can be.
    pub policy_target_entropy: f64,
    /// Share of positions whose most probable move is the target's.
    pub policy_top1: f64,
    /// Cross-entropy of win, draw and loss with their target.
    pub value_loss: f64,
    /// Cross-entropy of win, draw and loss with the result.
    pub outcome_loss: f64,
    /// Share of positions of decided games in which the net prefers the winner.
    pub value_sign: Option<f64>,
}

impl Score {
    /// Scores the averaged net; `None` without positions.
    ///
    /// # Errors
    ///
    /// If the net's numbers went bad.
    pub fn of(trainer: &Trainer, batches: &[Batch]) -> anyhow::Result<Option<Score>> {
        let (mut positions, mut decided, mut right) = (0.0, 0.0, 0.0);
        let mut sums = [0.0; 5];
        for batch in batches {
            let report = trainer
                .evaluate(batch)
                .context("the averaged net is unusable")?;
            let n = batch.len() as f64;
            positions += n;
            let numbers = [
                report.policy_loss,
                report.policy_target_entropy,
                report.policy_top1,
                report.value_loss,
                report.outcome_loss,
            ];
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += n * number;
            }
            if let Some(value_sign) = report.value_sign {
                decided += n;
                right += n * value_sign;
            }
        }
        if positions == 0.0 {
            return Ok(None);
        }
        let [
            policy_loss,
            policy_target_entropy,
            policy_top1,
            value_loss,
            outcome_loss,
        ] = sums.map(|sum| sum / positions);
        Ok(Some(Score {
            positions: positions as u64,
            policy_loss,
            policy_target_entropy,
            policy_top1,
            value_loss,
            outcome_loss,
            value_sign: (0.0 < decided).then(|| right / decided),
        }))
    }
}

/// For people.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "policy {:.3} (target {:.3}, first move {:.1} %), value {:.3}, result {:.3}",
            self.policy_loss,
            self.policy_target_entropy,
            100.0 * self.policy_top1,
            self.value_loss,
            self.outcome_loss,
        )?;
        match self.value_sign {
            Some(share) => write!(f, ", winner {:.1} %", 100.0 * share),
            None => Ok(()),
        }
    }
}
