//! How large the activations of a net become, which 8 bits have to be spread over.

mod histogram;

use crate::evaluator::{compile, cpu_core, failed_to, zeros};
use crate::onnx::{INPUT_BOARD, INPUT_HANDS, Ranges, to_observed_onnx};
use crate::tensors::{EvaluationError, HandPlanes, write_boards};
use crate::{EvaluatorOptions, Model, Precision};
use data::{BOARD_PLANES, HAND_PLANES};
use histogram::Histogram;
use openvino::{CompiledModel, InferRequest, InferenceError, Tensor};
use rules::{Move, Position};
use search::EvalRequest;

/// Positions of games, one SFEN a line, in any order: 224 of self-play games of a net that had learned
/// for half an hour, and 96 of games of random moves with mates in one.
const POSITIONS: &str = include_str!("calibration/positions.txt");

/// Positions that run through the net at once.
const BATCH: usize = 32;

/// The input planes are zeros and ones: with this range a step is 1, and they stay what they are.
const EXACT: f32 = 255.0;

/// Input planes do not depend on the legal moves.
const NO_MOVES: &[Move] = &[];

/// Runs `model` in single precision on positions of games and finds the range of each activation
/// that loses least in 8 bits: see [`Histogram::best_range`].
pub(crate) fn calibrate(model: &Model) -> Result<Ranges, EvaluationError> {
    let positions: Vec<Position> = POSITIONS
        .lines()
        .map(|sfen| Position::from_sfen(sfen).expect("the calibration's positions are well formed"))
        .collect();
    let mut observed = Observed::new(model)?;
    let mut histograms = vec![Histogram::default(); observed.names.len()];
    for batch in positions.chunks_exact(BATCH) {
        observed.run(batch, &mut histograms)?;
    }
    let ranges = histograms.iter().map(Histogram::best_range);
    let mut ranges: Ranges = observed.names.into_iter().zip(ranges).collect();
    ranges.insert(INPUT_BOARD.to_owned(), EXACT);
    Ok(ranges)
}

/// A net whose outputs are its activations.
struct Observed {
    names: Vec<String>,
    request: InferRequest,
    board: Tensor,
    hands: Tensor,
    hand_planes: HandPlanes,
    /// Dropped after the request that it made.
    _compiled: CompiledModel,
}

impl Observed {
    fn new(model: &Model) -> Result<Self, EvaluationError> {
        let options = EvaluatorOptions {
            precision: Precision::F32,
            ..EvaluatorOptions::default()
        };
        let (bytes, names) = to_observed_onnx(model);
        let mut core = cpu_core(&options)?;
        let board_shape = [BATCH, BOARD_PLANES, 9, 9].map(|n| n as i64);
        let hands_shape = [BATCH, HAND_PLANES, 1, 1].map(|n| n as i64);
        let mut build = || -> Result<Self, InferenceError> {
            let mut compiled = compile(&mut core, &bytes, &board_shape, &hands_shape)?;
            let mut request = compiled.create_infer_request()?;
            let (board, hands) = (zeros(&board_shape)?, zeros(&hands_shape)?);
            request.set_tensor(INPUT_BOARD, &board)?;
            request.set_tensor(INPUT_HANDS, &hands)?;
            Ok(Self {
                names: names.clone(),
                request,
                board,
                hands,
                hand_planes: HandPlanes::new(BATCH, 1),
                _compiled: compiled,
            })
        };
        build().map_err(failed_to("compile the net for calibration"))
    }

    /// Adds the activations of these positions to their histograms.
    fn run(
        &mut self,
        positions: &[Position],
        histograms: &mut [Histogram],
    ) -> Result<(), EvaluationError> {
        let requests: Vec<EvalRequest<'_>> = positions
            .iter()
            .map(|position| EvalRequest {
                position,
                legal_moves: NO_MOVES,
            })
            .collect();
        let access = failed_to("calibrate the net");
        write_boards(&requests, self.board.get_data_mut().map_err(access)?);
        let hands = self.hands.get_data_mut().map_err(access)?;
        self.hand_planes.write(&requests, hands);
        self.request.infer().map_err(access)?;
        for (name, histogram) in self.names.iter().zip(histograms) {
            let activation = self.request.get_tensor(name).map_err(access)?;
            histogram.add(activation.get_data().map_err(access)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
