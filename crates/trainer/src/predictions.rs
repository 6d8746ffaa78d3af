//! What a network says about a batch, as plain arrays.

use crate::loss::BatchTensors;
use crate::network::Outputs;
use data::N_LABELS;
use ndarray::{Array1, Array2};
use tch::{Kind, Tensor};

/// What a network says about each position of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// Probabilities of the labels, `[N, N_LABELS]`, over legal moves only: they sum to 1.
    pub policy: Array2<f32>,
    /// Probability that illegal moves have where nothing is left out, `[N]`, 0 to 1. Nobody teaches
    /// the network that they are illegal, so this says little about it.
    pub illegal_mass: Array1<f32>,
    /// Win, draw and loss of the side to move, `[N, 3]`: they sum to 1.
    pub wdl: Array2<f32>,
}

impl Predictions {
    pub(crate) fn new(outputs: &Outputs, batch: &BatchTensors) -> Self {
        let n = batch.n_rows();
        let everything = outputs.policy.softmax(1, Kind::Float);
        let illegal_mass =
            (everything * batch.illegal()).sum_dim_intlist([1_i64].as_slice(), false, Kind::Float);
        Self {
            policy: rows(
                &batch.legal_logits(&outputs.policy).softmax(1, Kind::Float),
                n,
                N_LABELS,
            ),
            illegal_mass: Array1::from_vec(numbers(&illegal_mass)),
            wdl: rows(&outputs.wdl.softmax(1, Kind::Float), n, 3),
        }
    }
}

fn rows(tensor: &Tensor, n: usize, width: usize) -> Array2<f32> {
    Array2::from_shape_vec((n, width), numbers(tensor)).expect("a row for each sample")
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    let flat = tensor.to_kind(Kind::Float).flatten(0, -1);
    Vec::<f32>::try_from(flat).expect("numbers in one dimension")
}
