//! Running a net in libtorch: on GPUs, and on CPUs without OpenVINO.

use crate::device::{DeviceError, Placed, Placement};
use crate::folded::FoldedNet;
use data::{BOARD_PLANES, HAND_PLANES, MoveLabel, N_LABELS, PACKED_BYTES, encode_packed};
use model::{Model, SQUARES, TensorError};
use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError, Wdl};
use tch::{Device, Kind, TchError, Tensor};

/// Positions per call of the network, smallest first. Fixed, since libraries below libtorch
/// prepare themselves for each new shape and keep what they prepared.
const BATCH_SIZES: [usize; 9] = [1, 8, 32, 64, 128, 256, 512, 1024, 2048];

const BOARD_LEN: i64 = (BOARD_PLANES * SQUARES) as i64;

/// One net on one device, for one thread; batch normalisations are folded into the convolutions.
///
/// Requests are cut into batches of fixed sizes and the last one is padded, with copies of nothing
/// that anybody reads. On the way to the device a value of a plane is one bit, and only the logits of
/// legal moves come back. On a CPU `model::OpenVinoEvaluator` is a good deal faster.
pub struct TchEvaluator {
    net: FoldedNet,
    place: Placed,
    max_batch: usize,
    /// The values of the bits of a byte, `[8]`.
    bits: Tensor,
    /// `[N, PACKED_BYTES]` for the next call.
    planes: Vec<u8>,
    /// Where the legal moves of all positions are in the policy, `[N, 2187]`, of the next call.
    places: Vec<i32>,
    /// Of the last call: win, draw and loss, `[N, 3]`, then the logits of `places`.
    outputs: Vec<f32>,
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
            bits: Tensor::from_slice(&[1_u8, 2, 4, 8, 16, 32, 64, 128]).to_device(place.device),
            planes: Vec::new(),
            places: Vec::new(),
            outputs: Vec::new(),
        })
    }

    /// Runs the net on a batch of `size` positions, of which `requests` are the first.
    fn run(&mut self, size: usize, requests: &[EvalRequest<'_>]) -> Result<(), TchError> {
        self.planes.resize(size * PACKED_BYTES, 0);
        self.places.clear();
        let rows = self.planes.chunks_exact_mut(PACKED_BYTES).enumerate();
        for (request, (row, planes)) in requests.iter().zip(rows) {
            encode_packed(request.position, planes);
            let side = request.position.side_to_move();
            let label = |&mv| (row * N_LABELS + MoveLabel::of(mv, side).index()) as i32;
            self.places.extend(request.legal_moves.iter().map(label));
        }
        let device = self.place.device;
        let planes = Tensor::f_from_slice(&self.planes)?.f_to_device(device)?;
        let places = Tensor::f_from_slice(&self.places)?.f_to_device(device)?;
        let (board, hands) = self.unpack(&planes, size as i64)?;
        let outputs = self.net.forward(&board, &hands);
        let wdl = outputs.wdl.f_softmax(1, None)?.f_flatten(0, 1)?;
        let logits = outputs.policy.f_flatten(0, 1)?.f_index_select(0, &places)?;
        // In one piece, since each copy waits for the device.
        let outputs = Tensor::f_cat(&[wdl, logits], 0)?;
        let n_outputs = 3 * size + self.places.len();
        self.outputs.resize(n_outputs, 0.0);
        outputs.f_copy_data(&mut self.outputs, n_outputs)
    }

    /// Board planes `[n, 62, 9, 9]` and hand planes `[n, 57]` of `n` packed positions, on the device.
    fn unpack(&self, planes: &Tensor, n: i64) -> Result<(Tensor, Tensor), TchError> {
        let values = planes
            .f_view([n, PACKED_BYTES as i64, 1])?
            .f_bitwise_and_tensor(&self.bits)?
            .f_ne(0)?
            .f_flatten(1, 2)?;
        let board = values
            .f_narrow(1, 0, BOARD_LEN)?
            .f_view([n, BOARD_PLANES as i64, 9, 9])?;
        let hands = values.f_narrow(1, BOARD_LEN, HAND_PLANES as i64)?;
        Ok((board, hands.f_to_kind(Kind::Float)?))
    }

    /// Hands over the answers of the last call, which was for `size` positions.
    fn read(&self, size: usize, requests: &[EvalRequest<'_>], answers: &mut EvalAnswers) {
        let (wdl, mut logits) = self.outputs.split_at(3 * size);
        for (request, wdl) in requests.iter().zip(wdl.chunks_exact(3)) {
            let wdl = Wdl {
                win: wdl[0],
                draw: wdl[1],
                loss: wdl[2],
            };
            let (its_logits, others) = logits.split_at(request.legal_moves.len());
            answers.push(its_logits, wdl);
            logits = others;
        }
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
            self.read(size, now, answers);
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

#[cfg(test)]
mod tests;
