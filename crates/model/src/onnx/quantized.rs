//! Convolutions in 8 bits: how activations and weights become whole numbers.
//!
//! A quantized value is written as ONNX wants it: a `QuantizeLinear` and a `DequantizeLinear` one
//! after the other, which a library that computes in 8 bits takes together with the layer between
//! two such pairs, and any other library computes as they stand.

use super::INPUT_BOARD;
use super::graph::{Graph, int};
use super::proto::{FLOAT, INT8, UINT8};
use crate::model_file::little_endian;
use std::collections::{BTreeMap, BTreeSet};

/// The activation at which 8 bits end, by the name of the value: none is below 0.
pub(crate) type Ranges = BTreeMap<String, f32>;

/// The largest number of 8 bits without a sign, for activations.
const MOST: f32 = 255.0;
/// The largest number of 8 bits with a sign that is used for weights: the same on both sides of 0.
const MOST_SIGNED: f32 = 127.0;

/// What a graph does with the activations that it could quantize.
#[derive(Debug, Default)]
pub(super) struct Activations {
    /// Those to quantize.
    ranges: Ranges,
    /// Names of all of them.
    seen: Vec<String>,
    /// Outputs of `DequantizeLinear` nodes.
    dequantized: BTreeSet<String>,
}

impl Activations {
    pub(super) fn quantized(ranges: Ranges) -> Self {
        Self {
            ranges,
            ..Self::default()
        }
    }

    /// Whether the board planes are taken as bytes.
    pub(super) fn takes_bytes(&self) -> bool {
        self.ranges.contains_key(INPUT_BOARD)
    }

    /// The values that could be quantized, in the order of the forward pass.
    pub(super) fn seen(&self) -> &[String] {
        &self.seen
    }

    /// Whether `value` is one that was quantized, so that what takes it should be, too.
    pub(super) fn is_quantized(&self, value: &str) -> bool {
        self.dequantized.contains(value)
    }
}

impl Graph<'_> {
    /// A value of numbers from 0 on, in 8 bits if the graph quantizes it. The board planes then come in
    /// 8 bits as they are.
    pub(super) fn activation(&mut self, value: &str) -> String {
        self.activations.seen.push(value.to_owned());
        let Some(&range) = self.activations.ranges.get(value) else {
            return value.to_owned();
        };
        let scale = self.float_constant(&format!("{value}.scale"), &[], &[range / MOST]);
        let zero = self.initializer(&format!("{value}.zero"), UINT8, &[], vec![0]);
        let quantized = if value == INPUT_BOARD {
            value.to_owned()
        } else {
            let name = format!("{value}.quantized");
            self.node("QuantizeLinear", &[value, &scale, &zero], &name, vec![])
        };
        let name = format!("{value}.dequantized");
        let inputs = [&*quantized, &scale, &zero];
        let dequantized = self.node("DequantizeLinear", &inputs, &name, vec![]);
        self.activations.dequantized.insert(dequantized.clone());
        dequantized
    }

    /// The weight of a convolution, `[out, in, height, width]`, in 8 bits with a scale for each
    /// output channel.
    pub(super) fn quantized_weight(&mut self, name: &str, shape: &[usize], data: &[f32]) -> String {
        let (scales, whole) = quantize_rows(data, shape[0]);
        let stored = format!("{name}.int8");
        let bytes = whole.into_iter().map(i8::cast_unsigned).collect();
        let whole = self.initializer(&stored, INT8, shape, bytes);
        let scale = format!("{name}.scale");
        let scale = self.initializer(&scale, FLOAT, &[shape[0]], little_endian(&scales));
        let zeros = vec![0; shape[0]];
        let zero = self.initializer(&format!("{name}.zero"), INT8, &[shape[0]], zeros);
        let inputs = [&*whole, &scale, &zero];
        self.node("DequantizeLinear", &inputs, name, vec![int("axis", 0)])
    }
}

/// Rows of `data` as a scale and whole numbers from -127 to 127 that it is to be multiplied with.
fn quantize_rows(data: &[f32], n_rows: usize) -> (Vec<f32>, Vec<i8>) {
    let rows = data.chunks_exact(data.len() / n_rows);
    let scale_of = |row: &[f32]| match row.iter().fold(0.0_f32, |most, x| most.max(x.abs())) {
        // Any scale will do for a row of zeros.
        0.0 => 1.0,
        most => most / MOST_SIGNED,
    };
    let scales: Vec<f32> = rows.clone().map(scale_of).collect();
    let whole = rows.zip(&scales).flat_map(|(row, scale)| {
        row.iter()
            .map(move |x| (x / scale).round().clamp(-MOST_SIGNED, MOST_SIGNED) as i8)
    });
    let whole = whole.collect();
    (scales, whole)
}

#[cfg(test)]
mod tests;
