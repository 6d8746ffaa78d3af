//! A trained net as a file, and the evaluator that runs it on a CPU.
//!
//! Read first: [`Model`] (weights and manifest, one safetensors file) and [`OpenVinoEvaluator`]
//! (any net in dlshogi's ONNX interface behind [`search::Evaluator`]). Between them stands
//! [`OnnxNet`]: our nets run as exactly the bytes that [`to_onnx`] exports for other engines, or
//! those plus one output. Training, checkpoints and GPUs are elsewhere.

mod evaluator;
mod manifest;
mod model_file;
mod net;
mod onnx;
mod random;
mod runtime;
mod shape;
#[cfg(test)]
mod testing;
mod whole_file;

pub use evaluator::{EvaluatorOptions, OpenVinoEvaluator, Precision};
pub use manifest::{MODEL_FORMAT, Manifest};
pub use model_file::{Model, ModelError, NamedTensor, TensorError};
pub use net::{OnnxError, OnnxNet};
pub use onnx::{OnnxOutputs, to_onnx};
pub use runtime::{OpenVino, OpenVinoError};
pub use shape::{BATCH_NORM_EPSILON, NetShape, POLICY_PLANES, SQUARES, expected_tensors};
pub use whole_file::{WholeFile, WriteError, write_whole};
