//! A trained net as a file, and the evaluator that runs it on a CPU.
//!
//! Read first: [`Model`] (weights and manifest, one safetensors file) and [`OpenVinoEvaluator`]
//! (any net in dlshogi's ONNX interface behind [`search::Evaluator`]; [`OnnxRuntimeEvaluator`] is
//! the other one, and [`cpu_evaluator`] chooses). Between them stands [`OnnxNet`]: our nets run as
//! exactly the bytes that [`to_onnx`] exports for other engines, or those plus one output.
//! Training, checkpoints and GPUs are elsewhere.

mod calibration;
mod cpu;
mod evaluator;
mod library;
mod manifest;
mod model_file;
mod net;
mod onnx;
mod onnx_runtime;
mod random;
mod runtime;
mod shape;
mod tensor_file;
mod tensors;
#[cfg(test)]
mod testing;

pub use cpu::{CpuEvaluatorError, LibraryFailure, cpu_evaluator};
pub use data::{WholeFile, WriteError, write_whole};
pub use evaluator::{EvaluatorOptions, OpenVinoEvaluator, Precision};
pub use library::LibraryError;
pub use manifest::{MODEL_FORMAT, Manifest};
pub use model_file::{Model, ModelError, NamedTensor, TensorError};
pub use net::{OnnxError, OnnxNet};
pub use onnx::{OnnxOptions, OnnxOutputs, OnnxPrecision, OnnxWriteError, to_onnx};
pub use onnx_runtime::OnnxRuntimeEvaluator;
pub use runtime::{OnnxRuntime, OpenVino};
pub use shape::{
    BATCH_NORM_EPSILON, NetShape, POLICY_PLANES, SQUARES, expected_tensors, position_indices,
};
pub use tensor_file::TensorFile;
