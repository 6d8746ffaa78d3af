//! Means over the steps since the last report.

use std::time::{Duration, Instant};

use trainer::{StepReport, Trainer};

use crate::report::events::Learned;

/// What happened in the steps since the last report.
pub struct Tally {
    since: Instant,
    steps: u64,
    samples: u64,
    clipped: u64,
    /// Sums over the steps; the learning rate is that of the last.
    sums: Learned,
}

impl Tally {
    /// Nothing yet.
    pub fn new() -> Tally {
        Tally {
            since: Instant::now(),
            steps: 0,
            samples: 0,
            clipped: 0,
            sums: Learned::default(),
        }
    }

    /// Time since the last report.
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// Counts a step on so many training rows.
    pub fn add(&mut self, report: &StepReport, samples: u64) {
        self.steps += 1;
        self.samples += samples;
        self.clipped += u64::from(report.clipped);
        let sums = &mut self.sums;
        sums.loss += report.loss.total;
        sums.policy_loss += report.loss.policy_loss;
        sums.policy_target_entropy += report.loss.policy_target_entropy;
        sums.value_loss += report.loss.value_loss;
        sums.top1_share += report.loss.policy_top1;
        sums.gradient_norm += report.gradient_norm;
        sums.learning_rate = report.learning_rate;
    }

    /// The means so far, which are forgotten; `None` if there was no step. What is not about the
    /// steps themselves (unseen positions, the window) is left empty.
    pub fn take(&mut self, trainer: &Trainer) -> Option<Learned> {
        let Tally {
            since,
            steps,
            samples,
            clipped,
            sums,
        } = std::mem::replace(self, Tally::new());
        if steps == 0 {
            return None;
        }
        let mean = |sum: f64| sum / steps as f64;
        Some(Learned {
            steps: trainer.steps(),
            samples: trainer.samples(),
            loss: mean(sums.loss),
            policy_loss: mean(sums.policy_loss),
            policy_target_entropy: mean(sums.policy_target_entropy),
            value_loss: mean(sums.value_loss),
            top1_share: mean(sums.top1_share),
            gradient_norm: mean(sums.gradient_norm),
            clipped_share: mean(clipped as f64),
            samples_per_s: samples as f64 / since.elapsed().as_secs_f64().max(1e-9),
            ..sums
        })
    }
}
