//! Between requests and a net's tensors, whatever library runs it.

use crate::onnx::{OUTPUT_POLICY, OUTPUT_VALUE};
use crate::{OnnxOutputs, SQUARES};
use data::{
    BOARD_PLANES, HAND_PLANES, MoveLabel, N_LABELS, encode_board, encode_board_bytes, encode_hands,
};
use openvino::{InferenceError, SetupError};
use search::{EvalAnswers, EvalRequest, EvaluatorError, Wdl};

/// Numbers of a position in the first input.
pub(crate) const BOARD_LENGTH: usize = BOARD_PLANES * SQUARES;

/// What can go wrong in an evaluation.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EvaluationError {
    #[error("request {request} has no legal moves, expected at least one")]
    NoLegalMoves { request: usize },
    #[error("the net's {output} for `{position}` is {found}, expected {expected}")]
    BadOutput {
        output: &'static str,
        position: String,
        found: String,
        expected: &'static str,
    },
    #[error("OpenVINO failed to {action}")]
    OpenVino {
        action: &'static str,
        #[source]
        source: InferenceError,
    },
    #[error("OpenVINO failed to start")]
    Start {
        #[source]
        source: SetupError,
    },
    #[error("ONNX Runtime failed to {action}")]
    OnnxRuntime {
        action: &'static str,
        #[source]
        source: ort::Error,
    },
    #[error("a net in 8 bits is for OpenVINO: give ONNX Runtime the net as it is")]
    Quantized,
    #[error("the net's {output} has {found} numbers, expected {expected}")]
    OutputLength {
        output: &'static str,
        found: usize,
        expected: usize,
    },
}

impl From<EvaluationError> for EvaluatorError {
    fn from(error: EvaluationError) -> Self {
        Self::new(error)
    }
}

/// Refuses requests that no policy could answer.
pub(crate) fn check_requests(requests: &[EvalRequest<'_>]) -> Result<(), EvaluationError> {
    match requests.iter().position(|r| r.legal_moves.is_empty()) {
        None => Ok(()),
        Some(request) => Err(EvaluationError::NoLegalMoves { request }),
    }
}

/// Writes the first input, `[N, 62, 9, 9]`, as bytes. What is behind the requests keeps what it had.
pub(crate) fn write_board_bytes(requests: &[EvalRequest<'_>], boards: &mut [u8]) {
    for (request, planes) in requests.iter().zip(boards.chunks_exact_mut(BOARD_LENGTH)) {
        encode_board_bytes(request.position, planes);
    }
}

/// Writes the first input, `[N, 62, 9, 9]`. What is behind the requests keeps what it had.
pub(crate) fn write_boards(requests: &[EvalRequest<'_>], boards: &mut [f32]) {
    for (request, planes) in requests.iter().zip(boards.chunks_exact_mut(BOARD_LENGTH)) {
        encode_board(request.position, planes);
    }
}

/// Writes the second input, and knows what is in it: most planes stay as they are.
pub(crate) struct HandPlanes {
    /// Which of the 57 planes of each position are ones now, a bit each.
    ones: Vec<u64>,
    /// Numbers of a plane: 81, or 1 where the net takes it so.
    area: usize,
}

impl HandPlanes {
    /// For `n` positions whose planes are all zero and `area` numbers long.
    pub(crate) fn new(n: usize, area: usize) -> Self {
        let ones = vec![0; n];
        Self { ones, area }
    }

    /// Writes `[N, 57, area]`. What is behind the requests keeps what it had.
    pub(crate) fn write(&mut self, requests: &[EvalRequest<'_>], hands: &mut [f32]) {
        let area = self.area;
        let mut values = [0.0; HAND_PLANES];
        for ((request, planes), known) in requests
            .iter()
            .zip(hands.chunks_exact_mut(HAND_PLANES * area))
            .zip(&mut self.ones)
        {
            encode_hands(request.position, &mut values);
            let ones = (0..HAND_PLANES).fold(0, |bits, i| bits | u64::from(values[i] != 0.0) << i);
            let mut changed = ones ^ *known;
            while changed != 0 {
                let plane = changed.trailing_zeros() as usize;
                planes[plane * area..][..area].fill(values[plane]);
                changed &= changed - 1;
            }
            *known = ones;
        }
    }
}

/// Reads the logits of the legal moves and the value of each request: `policy` is `[N, 2187]`,
/// `value` win, draw and loss `[N, 3]` or the win probability `[N, 1]`, as `outputs` says.
pub(crate) fn read_answers(
    requests: &[EvalRequest<'_>],
    outputs: OnnxOutputs,
    policy: &[f32],
    value: &[f32],
    answers: &mut EvalAnswers,
) -> Result<(), EvaluationError> {
    for (i, request) in requests.iter().enumerate() {
        let wdl = match (outputs, value) {
            (OnnxOutputs::WithWdl, wdl) => [wdl[3 * i], wdl[3 * i + 1], wdl[3 * i + 2]],
            (OnnxOutputs::Dlshogi, win) => [win[i], 0.0, 1.0 - win[i]],
        };
        let wdl = checked_wdl(wdl, outputs, request)?;
        let all_labels = &policy[i * N_LABELS..][..N_LABELS];
        let side = request.position.side_to_move();
        let mut all_finite = true;
        answers.push_with(wdl, request.legal_moves.len(), |logits| {
            for (logit, &mv) in logits.iter_mut().zip(request.legal_moves) {
                *logit = all_labels[MoveLabel::of(mv, side).index()];
                all_finite &= logit.is_finite();
            }
        });
        if !all_finite {
            return Err(EvaluationError::BadOutput {
                output: OUTPUT_POLICY,
                position: request.position.to_string(),
                found: "infinite or not a number".to_owned(),
                expected: "finite logits",
            });
        }
    }
    Ok(())
}

/// Takes probabilities that sum to 1 within rounding; a NaN fails both comparisons.
fn checked_wdl(
    wdl: [f32; 3],
    outputs: OnnxOutputs,
    request: &EvalRequest<'_>,
) -> Result<Wdl, EvaluationError> {
    let in_range = wdl.iter().all(|p| (0.0..=1.0).contains(p));
    let off = (wdl.iter().sum::<f32>() - 1.0).abs();
    let [win, draw, loss] = wdl;
    if in_range && off < 1e-3 {
        return Ok(Wdl { win, draw, loss });
    }
    let position = request.position.to_string();
    Err(match outputs {
        OnnxOutputs::WithWdl => EvaluationError::BadOutput {
            output: "win, draw and loss",
            position,
            found: format!("{wdl:?}"),
            expected: "probabilities that sum to 1",
        },
        OnnxOutputs::Dlshogi => EvaluationError::BadOutput {
            output: OUTPUT_VALUE,
            position,
            found: win.to_string(),
            expected: "a win probability from 0 to 1 (is there a sigmoid before it?)",
        },
    })
}
