//! Running a net in libtorch: on GPUs, and on CPUs without OpenVINO.

use crate::device::{DeviceError, Placed, Placement};
use crate::folded::FoldedNet;
use data::{BOARD_PLANES, HAND_PLANES, MoveLabel, N_LABELS, encode_board, encode_hands};
use model::{Model, SQUARES, TensorError};
use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError, Wdl};
use tch::{Device, Tensor};

/// Positions per call of the network, smallest first. Fixed, since libraries below libtorch
/// prepare themselves for each new shape and keep what they prepared.
const BATCH_SIZES: [usize; 9] = [1, 8, 32, 64, 128, 256, 512, 1024, 2048];

const BOARD_LEN: usize = BOARD_PLANES * SQUARES;

/// One net on one device, for one thread; batch normalisations are folded into the convolutions.
///
/// Requests are cut into batches of fixed sizes and the last one is padded, with copies of nothing
/// that anybody reads. On a CPU `model::OpenVinoEvaluator` is a good deal faster.
pub struct TchEvaluator {
    net: FoldedNet,
    place: Placed,
    max_batch: usize,
    /// `[N, 62, 81]` for the next call.
    board: Vec<f32>,
    /// `[N, 57]` for the next call.
    hands: Vec<f32>,
    /// Logits of the last call, `[N, 2187]`.
    policy: Vec<f32>,
    /// Win, draw and loss of the last call, `[N, 3]`.
    wdl: Vec<f32>,
}

/// Why an evaluator was not made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TchEvaluatorError {
    /// A device that is not there.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Tensors that are not the network of the manifest's shape.
    #[error("the net is refused")]
    Model(#[from] TensorError),
}

impl TchEvaluator {
    /// Gets ready to run `model` on batches of at most `max_batch` positions.
    ///
    /// # Errors
    ///
    /// A device that is absent, or tensors that do not fit the manifest.
    ///
    /// # Panics
    ///
    /// If `max_batch` is 0.
    pub fn new(
        model: &Model,
        placement: &Placement,
        max_batch: usize,
    ) -> Result<Self, TchEvaluatorError> {
        assert!(0 < max_batch, "an evaluator takes at least one position");
        let place = placement.resolve()?;
        model.check()?;
        let _no_grad = tch::no_grad_guard();
        place.use_threads();
        Ok(Self {
            net: FoldedNet::new(model, &place),
            place,
            max_batch,
            board: Vec::new(),
            hands: Vec::new(),
            policy: Vec::new(),
            wdl: Vec::new(),
        })
    }

    /// Runs the net on a batch of `size` positions, of which `requests` are the first.
    fn run(&mut self, size: usize, requests: &[EvalRequest<'_>]) -> Result<(), tch::TchError> {
        self.board.resize(size * BOARD_LEN, 0.0);
        self.hands.resize(size * HAND_PLANES, 0.0);
        for ((request, board), hands) in requests
            .iter()
            .zip(self.board.chunks_exact_mut(BOARD_LEN))
            .zip(self.hands.chunks_exact_mut(HAND_PLANES))
        {
            encode_board(request.position, board);
            encode_hands(request.position, hands);
        }
        let n = size as i64;
        let board = Tensor::f_from_slice(&self.board)?
            .f_to_device(self.place.device)?
            .f_view([n, BOARD_PLANES as i64, 9, 9])?;
        let hands = Tensor::f_from_slice(&self.hands)?
            .f_to_device(self.place.device)?
            .f_view([n, HAND_PLANES as i64])?;
        let outputs = self.net.forward(&board, &hands);
        let wdl = outputs.wdl.f_softmax(1, None)?;
        self.policy.resize(size * N_LABELS, 0.0);
        self.wdl.resize(size * 3, 0.0);
        outputs
            .policy
            .f_copy_data(&mut self.policy, size * N_LABELS)?;
        wdl.f_copy_data(&mut self.wdl, size * 3)
    }
}

impl Evaluator for TchEvaluator {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        let _no_grad = tch::no_grad_guard();
        self.place.use_threads();
        let padding_is_free = self.place.device != Device::Cpu;
        let mut left = requests;
        while !left.is_empty() {
            let size = next_batch(left.len(), self.max_batch, padding_is_free);
            let (now, later) = left.split_at(size.min(left.len()));
            self.run(size, now).map_err(EvaluatorError::new)?;
            read(now, &self.policy, &self.wdl, answers);
            left = later;
        }
        Ok(())
    }
}

/// Size of the batch that takes the first of `n_left` positions: one of [`BATCH_SIZES`], never
/// above `max_batch`.
///
/// Where padding is free (a GPU is idle in small batches), all positions go into one batch if that
/// is possible; else only the last few are padded, where that costs less than calls one by one.
fn next_batch(n_left: usize, max_batch: usize, padding_is_free: bool) -> usize {
    let allowed = BATCH_SIZES.iter().filter(|&&size| size <= max_batch);
    let filled = *allowed
        .clone()
        .rfind(|&&size| size <= n_left)
        .expect("a batch of one is always allowed and filled");
    let padded = *allowed
        .clone()
        .find(|&&size| n_left <= size)
        .unwrap_or(&filled);
    // Called one by one, four positions take about as long as eight in a batch.
    let pads = padding_is_free || filled == 1 && 4 <= n_left;
    if pads { padded } else { filled }
}

/// Picks the logits of legal moves out of all labels.
pub(crate) fn read(
    requests: &[EvalRequest<'_>],
    policy: &[f32],
    wdl: &[f32],
    answers: &mut EvalAnswers,
) {
    let rows = policy.chunks_exact(N_LABELS).zip(wdl.chunks_exact(3));
    for (request, (policy, wdl)) in requests.iter().zip(rows) {
        let wdl = Wdl {
            win: wdl[0],
            draw: wdl[1],
            loss: wdl[2],
        };
        let side = request.position.side_to_move();
        answers.push_with(wdl, request.legal_moves.len(), |logits| {
            for (logit, &mv) in logits.iter_mut().zip(request.legal_moves) {
                *logit = policy[MoveLabel::of(mv, side).index()];
            }
        });
    }
}

#[cfg(test)]
mod tests;
