//! The network in libtorch: training step, optimizer, checkpoints, and the evaluator for GPUs.
//!
//! Read first: [`Trainer`] (`step` takes a [`data::Batch`], `model` gives the averaged net) and
//! [`TchEvaluator`]. All parameters of a network lie in one flat tensor, so that optimizer,
//! clipping, averaging and the cast to bfloat16 are a few large operations (`layout`); the network
//! itself is a struct of layers over views into it (`network`).
//!
//! This is the only crate that links libtorch. Deliberately elsewhere: drawing samples (`data`),
//! the model file and ONNX (`model`), and when to step, save or publish (`narikin`).
//!
//! libtorch's operations panic where they fail. What a caller can get wrong is checked before; what
//! remains is a device that runs out of memory.

mod auxiliary;
mod checkpoint;
mod device;
mod evaluator;
mod folded;
mod layout;
mod loss;
mod naive;
mod network;
mod optimizer;
mod options;
mod parts;
mod predictions;
mod trainer;

pub use auxiliary::AuxiliaryLosses;
pub use checkpoint::{CHECKPOINT_FORMAT, Checkpoint, CheckpointError, CheckpointManifest};
pub use device::{
    ComputeDevice, DeviceCheck, DeviceError, DeviceReport, Placement, TORCH_VERSION, devices,
};
pub use evaluator::{TchEvaluator, TchEvaluatorError};
pub use loss::LossReport;
pub use naive::NaiveEvaluator;
pub use options::{
    AdamwOptions, AuxiliaryOptions, Decay, OptimizerOptions, SgdOptions, TrainOptions,
};
pub use predictions::Predictions;
pub use trainer::{StepReport, TrainError, Trainer};

#[cfg(test)]
mod testing;
