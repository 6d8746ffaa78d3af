//! Running a net on a CPU with ONNX Runtime, where OpenVINO is absent or cannot run it.

use crate::onnx::{INPUT_BOARD, INPUT_HANDS, OUTPUT_POLICY, OUTPUT_VALUE, OUTPUT_WDL};
use crate::tensors::{
    BOARD_LENGTH, EvaluationError, HandPlanes, check_requests, read_answers, write_boards,
};
use crate::{EvaluatorOptions, OnnxNet, OnnxOutputs, OnnxRuntime, SQUARES};
use data::{BOARD_PLANES, HAND_PLANES, N_LABELS};
use ort::logging::LogLevel;
use ort::session::{Session, SessionOutputs};
use ort::value::TensorRef;
use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError};

const HANDS_LENGTH: usize = HAND_PLANES * SQUARES;

/// One net on one thread of a CPU, in ONNX Runtime and single precision.
///
/// Slower than [`OpenVinoEvaluator`](crate::OpenVinoEvaluator), but runs every operator of ONNX.
/// A request longer than `max_batch` is cut up; nothing is padded. An answer does not depend on the
/// rest of its batch, but for rounding. Threads want an evaluator each.
pub struct OnnxRuntimeEvaluator {
    session: Session,
    outputs: OnnxOutputs,
    max_batch: usize,
    /// `[max_batch, 62, 9, 9]`.
    boards: Vec<f32>,
    /// `[max_batch, 57, 9, 9]`.
    hands: Vec<f32>,
    hand_planes: HandPlanes,
}

impl OnnxRuntimeEvaluator {
    /// Loads `net`. The options' precision is not looked at.
    ///
    /// # Errors
    ///
    /// A net that ONNX Runtime refuses, or one of ours in 8 bits ([`OnnxNet::quantized`]).
    ///
    /// # Panics
    ///
    /// If `max_batch` is 0.
    pub fn new(
        library: &OnnxRuntime,
        net: &OnnxNet,
        options: &EvaluatorOptions,
    ) -> Result<Self, EvaluatorError> {
        let &EvaluatorOptions {
            max_batch, threads, ..
        } = options;
        assert!(0 < max_batch, "an evaluator takes at least one position");
        if net.board_bytes() {
            return Err(EvaluationError::Quantized.into());
        }
        let session = session(library, net, threads).map_err(failed_to("load the net"))?;
        Ok(Self {
            session,
            outputs: net.outputs(),
            max_batch,
            boards: vec![0.0; max_batch * BOARD_LENGTH],
            hands: vec![0.0; max_batch * HANDS_LENGTH],
            hand_planes: HandPlanes::new(max_batch, SQUARES),
        })
    }

    /// Evaluates at most `max_batch` positions.
    fn run(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluationError> {
        let n = requests.len();
        write_boards(requests, &mut self.boards);
        self.hand_planes.write(requests, &mut self.hands);
        let boards = &self.boards[..n * BOARD_LENGTH];
        let hands = &self.hands[..n * HANDS_LENGTH];
        let bind = failed_to("bind the net's inputs");
        let inputs = ort::inputs![
            INPUT_BOARD => TensorRef::from_array_view(([n, BOARD_PLANES, 9, 9], boards)).map_err(bind)?,
            INPUT_HANDS => TensorRef::from_array_view(([n, HAND_PLANES, 9, 9], hands)).map_err(bind)?,
        ];
        let outputs = self.session.run(inputs).map_err(failed_to("run the net"))?;
        let policy = numbers(&outputs, OUTPUT_POLICY, n * N_LABELS)?;
        let value = match self.outputs {
            OnnxOutputs::WithWdl => numbers(&outputs, OUTPUT_WDL, 3 * n)?,
            OnnxOutputs::Dlshogi => numbers(&outputs, OUTPUT_VALUE, n)?,
        };
        read_answers(requests, self.outputs, policy, value, answers)
    }
}

impl Evaluator for OnnxRuntimeEvaluator {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        check_requests(requests)?;
        for part in requests.chunks(self.max_batch) {
            self.run(part, answers)?;
        }
        Ok(())
    }
}

fn session(library: &OnnxRuntime, net: &OnnxNet, threads: usize) -> ort::Result<Session> {
    Session::builder(library.environment())?
        .with_log_level(LogLevel::Fatal)?
        .with_intra_threads(threads.max(1))?
        .with_inter_threads(1)?
        .commit_from_memory(net.bytes())
}

/// An output's numbers, which must be so many.
fn numbers<'a>(
    outputs: &'a SessionOutputs<'_>,
    output: &'static str,
    expected: usize,
) -> Result<&'a [f32], EvaluationError> {
    let extracted = outputs[output].try_extract_tensor::<f32>();
    let (_, numbers) = extracted.map_err(failed_to("hand out an output"))?;
    if numbers.len() == expected {
        Ok(numbers)
    } else {
        Err(EvaluationError::OutputLength {
            output,
            found: numbers.len(),
            expected,
        })
    }
}

fn failed_to(action: &'static str) -> impl Fn(ort::Error) -> EvaluationError + Copy {
    move |source| EvaluationError::OnnxRuntime { action, source }
}

#[cfg(test)]
mod tests;
