//! The training step.

use crate::auxiliary::{self, auxiliary_tensors, begin};
use crate::checkpoint::{CHECKPOINT_FORMAT, Checkpoint, CheckpointManifest};
use crate::device::{DeviceError, Placed, Placement, TORCH_VERSION};
use crate::layout::{Layout, Weights};
use crate::loss::{BatchTensors, LossReport, Losses};
use crate::network::{Outputs, Statistics};
use crate::optimizer::{Optimizer, Update};
use crate::options::TrainOptions;
use crate::predictions::Predictions;
use data::Batch;
use model::{Manifest, Model, NetShape, Precision, TensorError};
use search::OptionError;
use tch::Tensor;

/// A network in training: parameters, their moving average, and the optimizer's memory.
///
/// The *averaged* net is the one to play and to publish; the *raw* one is where the next step
/// starts. On the CPU with one thread a step is a function of the trainer's state and the batch,
/// bit for bit, and so is training after [`checkpoint`](Self::checkpoint) and
/// [`resume`](Self::resume). Knows nothing of samples to come, files or time.
#[derive(Debug)]
pub struct Trainer {
    options: TrainOptions,
    place: Placed,
    layout: Layout,
    /// Its parameters are what gradients are taken for.
    weights: Weights,
    average: Weights,
    optimizer: Optimizer,
    /// Of the averaged net, as far as it is known here.
    manifest: Manifest,
}

/// What one step did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// Steps so far, this one included.
    pub step: u64,
    /// Samples trained on so far, repeats and this batch included.
    pub samples: u64,
    /// How well the raw net fitted the batch *before* the step, with the batch's own statistics.
    pub loss: LossReport,
    /// Norm of the gradient, before clipping.
    pub gradient_norm: f64,
    /// Whether the gradient was scaled down to `clip_norm`.
    pub clipped: bool,
    /// Learning rate of this step.
    pub learning_rate: f64,
}

/// Why a trainer was not made, or a step not taken. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TrainError {
    /// An option out of range.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// A device that is not there.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Tensors that are not the network of the manifest's shape.
    #[error("the net to start from is refused")]
    Model(#[from] TensorError),
    /// An optimizer that does not know what to do with a checkpoint's moments.
    #[error("the checkpoint has moments {found}, this optimizer needs {expected}")]
    Moments {
        /// Names in the checkpoint.
        found: String,
        /// Names that the options' optimizer uses.
        expected: String,
    },
    /// A batch that is empty or not shaped as [`Batch`] documents.
    #[error("batch.{field} has shape {found:?}, expected {expected:?}")]
    BatchShape {
        /// Field of [`Batch`].
        field: &'static str,
        /// Its shape.
        found: Vec<usize>,
        /// The shape that it should have.
        expected: Vec<usize>,
    },
    /// A network with auxiliary heads, and a batch without targets for them.
    #[error("the network has auxiliary heads, but the batch has no targets for them")]
    NoAuxiliaryTargets,
    /// A loss or a gradient that is infinite or not a number.
    #[error("step {step}: the {what} is {found}, expected a finite number; the step was not taken")]
    NonFinite {
        /// The step that was not taken, counted from 1.
        step: u64,
        /// What is not finite.
        what: &'static str,
        /// Its value.
        found: f64,
    },
    /// A batch whose policy target has probabilities for moves that it does not mark as legal.
    #[error(
        "step {step}: the batch's policy targets give {illegal_mass} to illegal moves, expected 0; \
         the step was not taken"
    )]
    IllegalTarget {
        /// The step that was not taken, counted from 1.
        step: u64,
        /// Probability of illegal moves, summed over the batch.
        illegal_mass: f64,
    },
}

impl Trainer {
    /// An untrained net: random convolutions, and last layers of zeros, so that it gives all moves
    /// and results alike. A function of its arguments only.
    ///
    /// # Errors
    ///
    /// Options out of range, or a device that is absent.
    pub fn new(
        shape: NetShape,
        options: &TrainOptions,
        placement: &Placement,
        seed: u64,
    ) -> Result<Self, TrainError> {
        Self::from_model(&Model::random(shape, seed, false), options, placement)
    }

    /// Goes on from a net with a fresh optimizer: the learning rate is warmed up again. The net's
    /// steps and samples are counted on.
    ///
    /// # Errors
    ///
    /// Options out of range, a device that is absent, or tensors that do not fit the manifest.
    pub fn from_model(
        model: &Model,
        options: &TrainOptions,
        placement: &Placement,
    ) -> Result<Self, TrainError> {
        options.check()?;
        let place = placement.resolve()?;
        model.check()?;
        let shape = model.manifest.shape;
        let layout = Layout::new(shape, &options.auxiliary);
        let tensors = begin(
            &model.tensors,
            &auxiliary_tensors(&shape, &options.auxiliary),
        );
        let optimizer = Optimizer::new(
            options.optimizer.clone(),
            layout.n_parameters(),
            place.device,
        );
        Ok(Self {
            options: options.clone(),
            place,
            weights: trainable(layout.pack(&tensors, place.device)),
            average: layout.pack(&tensors, place.device),
            layout,
            optimizer,
            manifest: model.manifest.clone(),
        })
    }

    /// Takes up training where a checkpoint left it, with these options, which may be others than
    /// the checkpoint's: only the kind of the optimizer has to be the same. Auxiliary heads that the
    /// checkpoint lacks begin anew, and those without a weight now are dropped.
    ///
    /// # Errors
    ///
    /// Options out of range, a device that is absent, or moments of another kind of optimizer.
    pub fn resume(
        checkpoint: &Checkpoint,
        options: &TrainOptions,
        placement: &Placement,
    ) -> Result<Self, TrainError> {
        options.check()?;
        let place = placement.resolve()?;
        checkpoint.check()?;
        let expected = options.optimizer.moment_names();
        if !checkpoint.moments.keys().eq(expected.iter()) {
            let found: Vec<&str> = checkpoint.moments.keys().map(|name| &**name).collect();
            return Err(TrainError::Moments {
                found: found.join(", "),
                expected: expected.join(", "),
            });
        }
        let shape = checkpoint.manifest.model.shape;
        let layout = Layout::new(shape, &options.auxiliary);
        let heads = auxiliary_tensors(&shape, &options.auxiliary);
        let moments = checkpoint
            .moments
            .values()
            .map(|moment| layout.pack_parameters(&begin(moment, &heads), place.device))
            .collect();
        let pack = |tensors| layout.pack(&begin(tensors, &heads), place.device);
        Ok(Self {
            options: options.clone(),
            place,
            weights: trainable(pack(&checkpoint.weights)),
            average: pack(&checkpoint.average),
            layout,
            optimizer: Optimizer::resume(
                options.optimizer.clone(),
                moments,
                checkpoint.manifest.updates,
            ),
            manifest: checkpoint.manifest.model.clone(),
        })
    }

    /// One optimizer step on one batch.
    ///
    /// # Errors
    ///
    /// A batch that is not shaped as documented, has targets for illegal moves, or leads to a loss
    /// or a gradient that is not finite. Nothing has changed then.
    pub fn step(&mut self, batch: &Batch) -> Result<StepReport, TrainError> {
        self.place.use_threads();
        let step = self.manifest.steps + 1;
        if self.options.auxiliary.is_any() && batch.auxiliary.is_none() {
            return Err(TrainError::NoAuxiliaryTargets);
        }
        let batch = BatchTensors::new(batch, &self.place)?;
        // Running statistics are moved by the forward pass, before anybody knows whether the step
        // will be taken.
        let weights = Weights {
            parameters: self.weights.parameters.shallow_clone(),
            statistics: self.weights.statistics.copy(),
        };
        let outputs = self.layout.network(&weights, self.place.kind).forward_t(
            &batch.board,
            &batch.hands,
            Statistics::Batch(self.options.batch_norm_momentum),
        );
        let losses = Losses::new(&outputs, &batch, &self.options);
        let gradient =
            Tensor::run_backward(&[&losses.total], &[&self.weights.parameters], false, false)
                .swap_remove(0);
        let _no_grad = tch::no_grad_guard();
        let (loss, others) = losses.read(step, &[&gradient.norm()])?;
        let gradient_norm = others[0];
        if !gradient_norm.is_finite() {
            return Err(TrainError::NonFinite {
                step,
                what: "gradient norm",
                found: gradient_norm,
            });
        }
        self.weights.statistics = weights.statistics;
        let clipped = self.options.clip_norm < gradient_norm;
        let learning_rate = self.update(gradient, gradient_norm);
        self.manifest.steps = step;
        self.manifest.samples += batch.hands.size()[0] as u64;
        Ok(StepReport {
            step,
            samples: self.manifest.samples,
            loss,
            gradient_norm,
            clipped,
            learning_rate,
        })
    }

    /// Clips the gradient, moves the parameters and their average, and returns the learning rate.
    fn update(&mut self, mut gradient: Tensor, gradient_norm: f64) -> f64 {
        let Manifest { steps, samples, .. } = self.manifest;
        if self.options.clip_norm < gradient_norm {
            gradient *= self.options.clip_norm / gradient_norm;
        }
        let learning_rate = self
            .options
            .learning_rate_at(self.optimizer.updates(), samples);
        let update = Update {
            learning_rate,
            weight_decay: self.options.weight_decay,
            n_decayed: self.layout.n_decayed(),
        };
        self.optimizer
            .update(&mut self.weights.parameters, &gradient, update);
        // In its first steps the average would be mostly the random start.
        let decay = (1 + steps) as f64 / (10 + steps) as f64;
        let moved = 1.0 - decay.min(self.options.average_decay);
        let _ = self
            .average
            .parameters
            .lerp_(&self.weights.parameters, moved);
        let _ = self
            .average
            .statistics
            .lerp_(&self.weights.statistics, moved);
        learning_rate
    }

    /// How well the averaged net fits a batch, with its running statistics, as when it plays. On
    /// games that were not trained on yet this is the figure to watch.
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step).
    pub fn evaluate(&self, batch: &Batch) -> Result<LossReport, TrainError> {
        self.place.use_threads();
        let _no_grad = tch::no_grad_guard();
        let batch = BatchTensors::new(batch, &self.place)?;
        let outputs = self.averaged_outputs(&batch);
        let losses = Losses::new(&outputs, &batch, &self.options);
        let (report, _) = losses.read(self.manifest.steps + 1, &[])?;
        Ok(report)
    }

    /// What the averaged net says about each position of a batch, as when it plays.
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step).
    pub fn predict(&self, batch: &Batch) -> Result<Predictions, TrainError> {
        self.place.use_threads();
        let _no_grad = tch::no_grad_guard();
        let batch = BatchTensors::new(batch, &self.place)?;
        let outputs = self.averaged_outputs(&batch);
        Ok(Predictions::new(&outputs, &batch))
    }

    /// What the averaged net answers, with its running statistics, as when it plays.
    fn averaged_outputs(&self, batch: &BatchTensors) -> Outputs {
        self.layout
            .network(&self.average, self.place.kind)
            .forward_t(&batch.board, &batch.hands, Statistics::Running)
    }

    /// The averaged net. Generation, games, name and run are those of the net that training began
    /// with, unless [`set_lineage`](Self::set_lineage) said otherwise.
    #[must_use]
    pub fn model(&self) -> Model {
        self.model_of(&self.average)
    }

    /// The net as the last step left it, not averaged.
    #[must_use]
    pub fn raw_model(&self) -> Model {
        self.model_of(&self.weights)
    }

    fn model_of(&self, weights: &Weights) -> Model {
        let mut tensors = self.layout.unpack(weights);
        tensors.retain(|name, _| !name.starts_with(auxiliary::PREFIX));
        Model {
            manifest: self.manifest.clone(),
            tensors,
        }
    }

    /// Says which generation the next models are, and how many games were played for them.
    pub fn set_lineage(&mut self, generation: u32, games: u64) {
        self.manifest.generation = generation;
        self.manifest.games = games;
    }

    /// Everything that [`resume`](Self::resume) needs. `note` is the caller's and comes back as it
    /// is: state that has to be saved in the same instant, such as that of its random numbers.
    #[must_use]
    pub fn checkpoint(&self, note: serde_json::Value) -> Checkpoint {
        let names = self.options.optimizer.moment_names();
        Checkpoint {
            manifest: CheckpointManifest {
                format: CHECKPOINT_FORMAT,
                model: self.manifest.clone(),
                updates: self.optimizer.updates(),
                options: self.options.clone(),
                torch: TORCH_VERSION.to_owned(),
                note,
            },
            weights: self.layout.unpack(&self.weights),
            average: self.layout.unpack(&self.average),
            moments: names
                .iter()
                .zip(self.optimizer.moments())
                .map(|(name, moment)| ((*name).to_owned(), self.layout.unpack_parameters(moment)))
                .collect(),
        }
    }

    /// Steps so far, those behind the net that training began with included.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.manifest.steps
    }

    /// Samples trained on so far, repeats included.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.manifest.samples
    }

    /// Size of the network.
    #[must_use]
    pub fn shape(&self) -> NetShape {
        self.layout.shape()
    }

    /// How exactly convolutions are computed: `F32` or `Bf16`.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.place.precision()
    }
}

fn trainable(weights: Weights) -> Weights {
    Weights {
        parameters: weights.parameters.set_requires_grad(true),
        ..weights
    }
}

#[cfg(test)]
mod tests;
