//! An evaluator for a CPU, by whichever library is here and can run the net.

use crate::tensors::EvaluationError;
use crate::{
    EvaluatorOptions, LibraryError, OnnxNet, OnnxRuntime, OnnxRuntimeEvaluator, OpenVino,
    OpenVinoEvaluator,
};
use rules::Position;
use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError};

/// Positions that a net is tried on before it plays: even ones, and ones in which one side has
/// everything. A value without its sigmoid leaves `[0, 1]` in some of them.
const PROBES: [&str; 8] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1",
    "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b RB 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL w rb 1",
];

/// Why a net cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum CpuEvaluatorError {
    /// It runs, but its answers are no logits and probabilities.
    #[error("the net answers nonsense")]
    Nonsense(#[source] EvaluatorError),
    /// No library can run it.
    #[error("cannot run the net: {openvino}; {onnx_runtime}")]
    NoLibrary {
        /// What keeps OpenVINO from it.
        openvino: Box<LibraryFailure>,
        /// What keeps ONNX Runtime from it.
        onnx_runtime: Box<LibraryFailure>,
    },
}

/// Why a library does not run a net.
#[derive(Debug, thiserror::Error)]
pub enum LibraryFailure {
    /// It is not here.
    #[error("{}", chain(.0))]
    Absent(LibraryError),
    /// It is here, and cannot.
    #[error("{}", chain(.0))]
    Refused(EvaluatorError),
}

/// An evaluator for `net` that has answered for a few positions: OpenVINO's, else ONNX Runtime's
/// where OpenVINO is absent or cannot run it.
///
/// # Errors
///
/// If no library is here, or none can run the net, or its answers are no logits and probabilities.
pub fn cpu_evaluator(
    net: &OnnxNet,
    options: &EvaluatorOptions,
) -> Result<Box<dyn Evaluator>, CpuEvaluatorError> {
    let by_openvino = OpenVino::load()
        .map(|library| tried(OpenVinoEvaluator::new(&library, net.clone(), options).map(boxed)));
    let openvino = match by_openvino {
        Ok(Ok(evaluator)) => return Ok(evaluator),
        Ok(Err(error)) if is_nonsense(&error) => return Err(CpuEvaluatorError::Nonsense(error)),
        Ok(Err(error)) => LibraryFailure::Refused(error),
        Err(absent) => LibraryFailure::Absent(absent),
    };
    let by_onnx_runtime = OnnxRuntime::load()
        .map(|library| tried(OnnxRuntimeEvaluator::new(&library, net, options).map(boxed)));
    let onnx_runtime = match by_onnx_runtime {
        Ok(Ok(evaluator)) => return Ok(evaluator),
        Ok(Err(error)) if is_nonsense(&error) => return Err(CpuEvaluatorError::Nonsense(error)),
        Ok(Err(error)) => LibraryFailure::Refused(error),
        Err(absent) => LibraryFailure::Absent(absent),
    };
    Err(CpuEvaluatorError::NoLibrary {
        openvino: Box::new(openvino),
        onnx_runtime: Box::new(onnx_runtime),
    })
}

fn boxed(evaluator: impl Evaluator + 'static) -> Box<dyn Evaluator> {
    Box::new(evaluator)
}

/// The evaluator, if it was made and answers as one should.
fn tried(
    made: Result<Box<dyn Evaluator>, EvaluatorError>,
) -> Result<Box<dyn Evaluator>, EvaluatorError> {
    let mut evaluator = made?;
    for sfen in PROBES {
        let position = Position::from_sfen(sfen).expect("the probes are positions");
        let request = EvalRequest {
            position: &position,
            legal_moves: &position.legal_moves(),
        };
        evaluator.evaluate(&[request], &mut EvalAnswers::new())?;
    }
    Ok(evaluator)
}

/// Whether the net was run, and its answer refused.
fn is_nonsense(error: &EvaluatorError) -> bool {
    let EvaluatorError::Failed(source) = error else {
        return false;
    };
    matches!(
        source.downcast_ref(),
        Some(EvaluationError::BadOutput { .. })
    )
}

/// An error and its sources on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        text += &format!(": {source}");
        next = source.source();
    }
    text
}

#[cfg(test)]
mod tests;
