//! The learning side of a run: steps, publishing, checkpoints, and the report of both.

use anyhow::Context;
use data::{Batch, SampleOptions, UnseenPositions, unseen_positions};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use trainer::{Predictions, Trainer};

use super::checkpoints::{Checkpoints, RunState};
use super::fault;
use super::intake::Intake;
use super::scores::scored;
use super::tally::Tally;
use crate::ahead::Ahead;
use crate::config::{Fault, LoopOptions};
use crate::health::PositionHealth;
use crate::health::positions::RecentPositions;
use crate::report::events::Learned;

/// Of each group of unseen positions, those that are scored in mirrored form as well.
const MIRRORED: usize = 32;

/// The learning side of a run.
pub struct Learner {
    trainer: Trainer,
    options: LoopOptions,
    sample_options: SampleOptions,
    rng: Xoshiro256PlusPlus,
    /// Batches from the window. None outlives a checkpoint: the run goes on from there as one that is
    /// resumed from it.
    batches: Ahead<Batch>,
    published_samples: u64,
    tally: Tally,
    unseen: UnseenTally,
    recent: RecentPositions,
    /// Share of decided unseen positions since the last publication whose winner was preferred.
    signs: Signs,
    /// What is broken on purpose.
    fault: Option<Fault>,
}

/// Decided unseen positions, and those whose winner the value preferred.
#[derive(Debug, Clone, Copy, Default)]
struct Signs {
    decided: f64,
    right: f64,
}

/// Losses on games that had not been trained on, weighted by the positions scored.
#[derive(Default)]
struct UnseenTally {
    positions: f64,
    policy_loss: f64,
    value_loss: f64,
    outcome_loss: f64,
    /// Positions of batches with a decided game: the weight of `value_sign`.
    decided: f64,
    value_sign: f64,
}

impl Learner {
    /// The learner of a run that stands at `state`.
    pub fn new(
        trainer: Trainer,
        options: LoopOptions,
        sample_options: SampleOptions,
        fault: Option<Fault>,
        state: &RunState,
    ) -> Learner {
        let rng = state.sampling.clone();
        let published_samples = state.published_samples.unwrap_or(trainer.samples());
        Learner {
            trainer,
            options,
            sample_options,
            rng,
            batches: Ahead::default(),
            published_samples,
            tally: Tally::new(),
            unseen: UnseenTally::default(),
            recent: RecentPositions::default(),
            signs: Signs::default(),
            fault,
        }
    }

    /// Optimizer updates so far.
    pub fn steps(&self) -> u64 {
        self.trainer.steps()
    }

    /// Training rows so far.
    pub fn samples(&self) -> u64 {
        self.trainer.samples()
    }

    /// The state of the stream that samples are drawn by.
    pub fn sampling(&self) -> &Xoshiro256PlusPlus {
        &self.rng
    }

    /// Training rows that may still be used for the positions played so far, 0 or more.
    pub fn backlog(&self, positions: u64) -> f64 {
        (positions as f64 * self.options.reuse - self.samples() as f64).max(0.0)
    }

    /// Whether there is enough to learn from for a step now.
    pub fn is_due(&self, intake: &Intake) -> bool {
        let played = intake.stored().positions;
        intake.window().n_positions() > 0
            && self.options.start_positions <= played
            && f64::from(self.options.batch) <= self.backlog(played)
    }

    /// One step on one batch from the window, while another thread draws the next one from it.
    ///
    /// # Errors
    ///
    /// If the numbers went bad; nothing was updated then.
    pub fn step(&mut self, intake: &Intake) -> anyhow::Result<()> {
        let (n, fault, rng) = (self.options.batch, self.fault, &mut self.rng);
        let draw = || {
            let mut batch = intake.window().sample_batch(n as usize, rng);
            if let Some(fault) = fault {
                fault::spoil(fault, &mut batch, rng);
            }
            batch
        };
        let report = self
            .batches
            .work_on_next(draw, |batch| self.trainer.step(&batch))
            .context("cannot start a thread to draw a batch")?
            .context(
                "training cannot go on, the last checkpoint is good: start again with a smaller \
                 train.learning_rate in a copy of the run, or with --precision f32",
            )?;
        self.tally.add(&report, u64::from(n));
        Ok(())
    }

    /// Scores the games that have not been trained on, if there are any.
    ///
    /// # Errors
    ///
    /// If the numbers went bad.
    pub fn score_unseen(&mut self, intake: &Intake) -> anyhow::Result<()> {
        let limit = self.options.unseen_positions as usize;
        if limit == 0 || intake.unseen().is_empty() || self.trainer.steps() == 0 {
            return Ok(());
        }
        // A seed of its own, so that scoring more or less does not change what is learned.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.rng.next_u64());
        let UnseenPositions {
            mut batch,
            mut mirrored,
            places,
        } = unseen_positions(
            intake.unseen(),
            limit,
            MIRRORED,
            &self.sample_options,
            &mut rng,
        );
        if batch.is_empty() {
            return Ok(());
        }
        self.spoil(&mut batch);
        self.spoil(&mut mirrored);
        let unusable = "the averaged net is unusable";
        let report = self.trainer.evaluate(&batch).context(unusable)?;
        let predictions = self.trainer.predict(&batch).context(unusable)?;
        let reflections = self.trainer.predict(&mirrored).context(unusable)?;
        self.recent.add(scored(
            intake.unseen(),
            &places,
            &batch,
            &predictions,
            &reflections,
        ));
        let n = batch.len() as f64;
        let unseen = &mut self.unseen;
        unseen.positions += n;
        unseen.policy_loss += n * report.policy_loss;
        unseen.value_loss += n * report.value_loss;
        unseen.outcome_loss += n * report.outcome_loss;
        if let Some(value_sign) = report.value_sign {
            unseen.decided += n;
            unseen.value_sign += n * value_sign;
            self.signs.decided += n;
            self.signs.right += n * value_sign;
        }
        Ok(())
    }

    /// [`Config::fault`](crate::config::Config::fault).
    fn spoil(&mut self, batch: &mut Batch) {
        if let Some(fault) = self.fault {
            fault::spoil(fault, batch, &mut self.rng);
        }
    }

    /// What the averaged net says of a batch.
    ///
    /// # Errors
    ///
    /// If the numbers went bad.
    pub fn predict(&mut self, mut batch: Batch) -> anyhow::Result<Predictions> {
        self.spoil(&mut batch);
        Ok(self.trainer.predict(&batch)?)
    }

    /// What the net said of unseen positions lately.
    pub fn health(&self) -> Option<PositionHealth> {
        self.recent.health()
    }

    /// Share of decided unseen positions since the last call whose winner the value preferred.
    pub fn take_value_sign(&mut self) -> Option<f64> {
        let Signs { decided, right } = std::mem::take(&mut self.signs);
        (decided > 0.0).then(|| right / decided)
    }

    /// Training rows at the last publication.
    pub fn published_samples(&self) -> u64 {
        self.published_samples
    }

    /// Whether the next net should be published.
    pub fn publish_due(&self, games: u64) -> bool {
        games >= self.options.blind_games
            && self.samples() >= self.published_samples + self.options.publish_samples
    }

    /// Whether anything has been learned since the last net was published.
    pub fn has_news(&self) -> bool {
        self.samples() > self.published_samples
    }

    /// The averaged net as it is now; the next one is due `publish_samples` later.
    pub fn publish(&mut self, generation: u32, games: u64) -> model::Model {
        self.published_samples = self.samples();
        self.trainer.set_lineage(generation, games);
        self.trainer.model()
    }

    /// Writes a checkpoint: the trainer and where the run stands.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn save(&mut self, checkpoints: &Checkpoints, state: &RunState) -> anyhow::Result<String> {
        self.batches.forget();
        checkpoints.save(&self.trainer, state)
    }

    /// A report of the steps since the last one; `None` if there were none. Scores without steps wait
    /// for the next report.
    pub fn report(&mut self, intake: &Intake) -> Option<Learned> {
        let learned = self.tally.take(&self.trainer)?;
        let tally = std::mem::take(&mut self.unseen);
        let of = |sum: f64, n: f64| (n > 0.0).then(|| sum / n);
        let unseen = |sum: f64| of(sum, tally.positions);
        Some(Learned {
            unseen_policy_loss: unseen(tally.policy_loss),
            unseen_value_loss: unseen(tally.value_loss),
            unseen_outcome_loss: unseen(tally.outcome_loss),
            unseen_value_sign: of(tally.value_sign, tally.decided),
            window_positions: intake.window().n_positions() as u64,
            reuse: self.samples() as f64 / intake.stored().positions.max(1) as f64,
            ..learned
        })
    }
}

#[cfg(test)]
mod tests;
