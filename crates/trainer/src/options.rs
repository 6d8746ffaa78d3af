//! What training can be told, with defaults and ranges, and the learning rate that follows.

use search::OptionError;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// How a network learns from batches. Where and how exactly it computes is a
/// [`Placement`](crate::Placement); what a batch holds is `data::SampleOptions`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainOptions {
    /// Learning rate after the warm-up and before any decay, above 0.
    pub learning_rate: f64,
    /// Updates of a fresh optimizer in which the learning rate rises from 0 in a straight line; 0
    /// for none.
    pub warmup_steps: u64,
    /// What becomes of the learning rate later.
    pub decay: Decay,
    /// The rule of one update.
    pub optimizer: OptimizerOptions,
    /// Decoupled decay of the weights of convolutions and fully connected layers, 0 or more: each
    /// step takes this times the learning rate of every weight. Biases and batch normalisations
    /// are left alone.
    pub weight_decay: f64,
    /// Gradients of a larger norm than this are scaled down to it, above 0.
    pub clip_norm: f64,
    /// Weight of the value loss beside the policy loss, 0 or more.
    pub value_weight: f64,
    /// Heads that only help the trunk learn.
    pub auxiliary: AuxiliaryOptions,
    /// Share of its past that the averaged net keeps at each step, 0 to 1 (exclusive): 0.995 is a
    /// mean over some 200 steps. Less in the first steps, so that the average forgets the start.
    pub average_decay: f64,
    /// Share of each batch's statistics in the running ones of batch normalisation, 0 to 1
    /// (PyTorch: 0.1).
    pub batch_norm_momentum: f64,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            learning_rate: 1e-3,
            warmup_steps: 100,
            decay: Decay::Constant,
            optimizer: OptimizerOptions::default(),
            weight_decay: 1e-4,
            clip_norm: 5.0,
            value_weight: 1.0,
            auxiliary: AuxiliaryOptions::default(),
            average_decay: 0.995,
            batch_norm_momentum: 0.1,
        }
    }
}

/// Heads that exist in training only: what they predict is easier to learn than who wins, and the
/// trunk learns from it. Each has the weight of its loss beside the policy loss; 0: no such head.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AuxiliaryOptions {
    /// The opponent's policy at the next ply (KataGo: 0.15).
    pub reply_weight: f64,
    /// Plies to the end of the game (0.02 is a guess).
    pub moves_left_weight: f64,
    /// The value some plies from now, by `sample.short_horizons` (0.2 is a guess).
    pub short_value_weight: f64,
}

impl AuxiliaryOptions {
    /// Whether there is any such head, so that batches need targets for them.
    #[must_use]
    pub fn is_any(&self) -> bool {
        let &Self {
            reply_weight,
            moves_left_weight,
            short_value_weight,
        } = self;
        0.0 < reply_weight || 0.0 < moves_left_weight || 0.0 < short_value_weight
    }
}

/// How the learning rate falls with the samples trained on, repeats included.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decay {
    /// Not at all.
    #[default]
    Constant,
    /// Along half a cosine to `floor` times the learning rate, where it stays.
    Cosine {
        /// Samples until the floor is reached, at least 1.
        samples: u64,
        /// Share of the learning rate that remains, 0 to 1.
        floor: f64,
    },
    /// To one half after every `samples`, never below `floor` times the learning rate.
    Halving {
        /// Samples between two halvings, at least 1.
        samples: u64,
        /// Share of the learning rate that remains, 0 to 1.
        floor: f64,
    },
}

/// The rule of one update.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum OptimizerOptions {
    /// Adam with decoupled weight decay (Loshchilov and Hutter 2019).
    Adamw(AdamwOptions),
    /// Stochastic gradient descent with Nesterov's momentum.
    Sgd(SgdOptions),
}

impl Default for OptimizerOptions {
    fn default() -> Self {
        Self::Adamw(AdamwOptions::default())
    }
}

/// The constants of AdamW, by default PyTorch's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamwOptions {
    /// Share of its past in the mean of gradients, 0 to 1 (exclusive).
    pub beta1: f64,
    /// Share of its past in the mean of squared gradients, 0 to 1 (exclusive).
    pub beta2: f64,
    /// Added to the root of the mean square, above 0.
    pub epsilon: f64,
}

impl Default for AdamwOptions {
    fn default() -> Self {
        Self {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
        }
    }
}

/// The constant of momentum descent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SgdOptions {
    /// Share of the last update that is carried on, 0 to 1 (exclusive).
    pub momentum: f64,
}

impl Default for SgdOptions {
    fn default() -> Self {
        Self { momentum: 0.9 }
    }
}

impl TrainOptions {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// Names the first key that is out of range, relative to this struct (`optimizer.beta1`).
    pub fn check(&self) -> Result<(), OptionError> {
        let Self {
            learning_rate,
            warmup_steps: _,
            decay,
            optimizer,
            weight_decay,
            clip_norm,
            value_weight,
            auxiliary,
            average_decay,
            batch_norm_momentum,
        } = self;
        above_zero("learning_rate", *learning_rate)?;
        match decay {
            Decay::Constant => {}
            Decay::Cosine { samples, floor } | Decay::Halving { samples, floor } => {
                if *samples == 0 {
                    return refuse("decay.samples", 0, "a whole number of at least 1");
                }
                share("decay.floor", *floor)?;
            }
        }
        match optimizer {
            OptimizerOptions::Adamw(AdamwOptions {
                beta1,
                beta2,
                epsilon,
            }) => {
                below_one("optimizer.beta1", *beta1)?;
                below_one("optimizer.beta2", *beta2)?;
                above_zero("optimizer.epsilon", *epsilon)?;
            }
            OptimizerOptions::Sgd(SgdOptions { momentum }) => {
                below_one("optimizer.momentum", *momentum)?;
            }
        }
        not_negative("weight_decay", *weight_decay)?;
        above_zero("clip_norm", *clip_norm)?;
        not_negative("value_weight", *value_weight)?;
        let AuxiliaryOptions {
            reply_weight,
            moves_left_weight,
            short_value_weight,
        } = auxiliary;
        not_negative("auxiliary.reply_weight", *reply_weight)?;
        not_negative("auxiliary.moves_left_weight", *moves_left_weight)?;
        not_negative("auxiliary.short_value_weight", *short_value_weight)?;
        below_one("average_decay", *average_decay)?;
        share("batch_norm_momentum", *batch_norm_momentum)
    }

    /// The learning rate of the next update, after `updates` updates of the optimizer and
    /// `samples` samples behind the net.
    #[must_use]
    pub fn learning_rate_at(&self, updates: u64, samples: u64) -> f64 {
        let warmth = ((updates + 1) as f64 / self.warmup_steps.max(1) as f64).min(1.0);
        let left = match self.decay {
            Decay::Constant => 1.0,
            Decay::Cosine {
                samples: all,
                floor,
            } => {
                let progress = (samples as f64 / all as f64).min(1.0);
                floor + (1.0 - floor) * (1.0 + (PI * progress).cos()) / 2.0
            }
            Decay::Halving {
                samples: each,
                floor,
            } => 0.5_f64.powf((samples / each) as f64).max(floor),
        };
        self.learning_rate * warmth * left
    }
}

fn above_zero(key: &str, found: f64) -> Result<(), OptionError> {
    expect(key, found, "a number above 0", 0.0 < found)
}

fn not_negative(key: &str, found: f64) -> Result<(), OptionError> {
    expect(key, found, "a number of at least 0", 0.0 <= found)
}

fn share(key: &str, found: f64) -> Result<(), OptionError> {
    let in_range = (0.0..=1.0).contains(&found);
    expect(key, found, "a number from 0 to 1", in_range)
}

fn below_one(key: &str, found: f64) -> Result<(), OptionError> {
    let in_range = (0.0..1.0).contains(&found);
    expect(key, found, "a number from 0 to below 1", in_range)
}

fn expect(key: &str, found: f64, expected: &str, is_right: bool) -> Result<(), OptionError> {
    if is_right && found.is_finite() {
        Ok(())
    } else {
        refuse(key, found, expected)
    }
}

fn refuse(key: &str, found: impl ToString, expected: &str) -> Result<(), OptionError> {
    Err(OptionError {
        key: key.into(),
        found: found.to_string(),
        expected: expected.into(),
    })
}

#[cfg(test)]
mod tests;
