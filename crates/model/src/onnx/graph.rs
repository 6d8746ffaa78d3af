//! A graph under construction, and how layers become nodes of it.

use super::half::{MAX, f16_bits};
use super::proto::{Attribute, FLOAT, FLOAT16, INT64, NodeProto, TensorProto};
use super::quantized::Activations;
use super::{OnnxPrecision, OnnxWriteError};
use crate::model_file::little_endian;
use crate::shape::BATCH_NORM_EPSILON;
use crate::{Model, NamedTensor};
use std::ops::Range;

/// A graph under construction. Values are addressed by name; a node's name is that of its output.
pub(super) struct Graph<'a> {
    pub(super) model: &'a Model,
    precision: OnnxPrecision,
    /// What happens to the activations between 3x3 convolutions.
    pub(super) activations: Activations,
    nodes: Vec<NodeProto>,
    initializers: Vec<TensorProto>,
    /// The first weight that the precision cannot hold.
    refused: Option<OnnxWriteError>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(model: &'a Model, precision: OnnxPrecision) -> Self {
        Self {
            model,
            precision,
            activations: Activations::default(),
            nodes: Vec::new(),
            initializers: Vec::new(),
            refused: None,
        }
    }

    /// The nodes and the weights.
    pub(super) fn finish(self) -> Result<(Vec<NodeProto>, Vec<TensorProto>), OnnxWriteError> {
        match self.refused {
            None => Ok((self.nodes, self.initializers)),
            Some(error) => Err(error),
        }
    }

    /// An input in the numbers that the graph computes in.
    pub(super) fn input(&mut self, name: &str) -> String {
        match self.precision {
            OnnxPrecision::F32 => name.to_owned(),
            OnnxPrecision::F16 => self.cast(name, &format!("{name}.half"), FLOAT16),
        }
    }

    /// A value in float32: softmax and the outputs are computed in it whatever the precision.
    pub(super) fn as_float(&mut self, value: &str) -> String {
        match self.precision {
            OnnxPrecision::F32 => value.to_owned(),
            OnnxPrecision::F16 => self.cast(value, &format!("{value}.float"), FLOAT),
        }
    }

    fn cast(&mut self, value: &str, output: &str, element: i32) -> String {
        self.node(
            "Cast",
            &[value],
            output,
            vec![int("to", i64::from(element))],
        )
    }

    /// What a batch normalisation does to each channel: `scale * x + bias`.
    pub(super) fn batch_norm(&self, name: &str) -> Folded {
        let part = |part: &str| &self.model.tensors[&format!("{name}.{part}")].data;
        let (weight, bias) = (part("weight"), part("bias"));
        let (mean, variance) = (part("running_mean"), part("running_var"));
        let scale: Vec<f64> = weight
            .iter()
            .zip(variance)
            .map(|(&w, &v)| f64::from(w) / (f64::from(v) + f64::from(BATCH_NORM_EPSILON)).sqrt())
            .collect();
        let bias = (0..scale.len())
            .map(|i| (f64::from(bias[i]) - f64::from(mean[i]) * scale[i]) as f32)
            .collect();
        Folded { scale, bias }
    }

    /// A convolution that keeps the 9x9 board, its output channels scaled by `scale`.
    pub(super) fn convolution(
        &mut self,
        name: &str,
        input: &str,
        scale: &[f64],
        bias: Option<&[f32]>,
    ) -> String {
        let weight = format!("{name}.weight");
        let NamedTensor { shape, data } = &self.model.tensors[&weight];
        let per_channel = data.len() / shape[0];
        let scaled: Vec<f32> = data
            .iter()
            .enumerate()
            .map(|(i, &x)| (f64::from(x) * scale[i / per_channel]) as f32)
            .collect();
        let kernel = shape[2] as i64;
        let shape = shape.clone();
        let weight = if self.activations.is_quantized(input) {
            self.quantized_weight(&weight, &shape, &scaled)
        } else {
            self.constant(&weight, &shape, &scaled)
        };
        let mut inputs = vec![input.to_owned(), weight];
        if let Some(bias) = bias {
            inputs.push(self.constant(&format!("{name}.bias"), &[bias.len()], bias));
        }
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let attributes = vec![
            ints("kernel_shape", &[kernel; 2]),
            ints("pads", &[kernel / 2; 4]),
        ];
        self.node("Conv", &inputs, name, attributes)
    }

    /// A fully connected layer on `[N, C, 1, 1]`, behind `n_before` channels that are always 0.
    pub(super) fn channelwise(&mut self, name: &str, input: &str, n_before: usize) -> String {
        let [weight, bias] = ["weight", "bias"].map(|part| format!("{name}.{part}"));
        let tensors = &self.model.tensors;
        let (from, n_out) = (
            tensors[&weight].shape[1],
            tensors[&weight].shape[0] + n_before,
        );
        let behind = |n_zeros: usize, name: &str| {
            let mut data = vec![0.0; n_zeros];
            data.extend_from_slice(&tensors[name].data);
            data
        };
        let weights = behind(n_before * from, &weight);
        let biases = behind(n_before, &bias);
        let weight = self.constant(&weight, &[n_out, from, 1, 1], &weights);
        let bias = self.constant(&bias, &[n_out], &biases);
        self.node("Conv", &[input, &weight, &bias], name, vec![])
    }

    /// Some of the channels of `[N, C, 9, 9]`.
    pub(super) fn channels(&mut self, name: &str, input: &str, which: Range<usize>) -> String {
        let bounds = [("start", which.start), ("end", which.end), ("axis", 1)];
        let [start, end, axis] =
            bounds.map(|(part, value)| self.integers(&format!("{name}.{part}"), &[value as i64]));
        self.node("Slice", &[input, &start, &end, &axis], name, vec![])
    }

    /// A list of whole numbers, as lengths and axes are given.
    pub(super) fn integers(&mut self, name: &str, values: &[i64]) -> String {
        let raw = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.initializer(name, INT64, &[values.len()], raw)
    }

    /// A fully connected layer on `[N, C]`.
    pub(super) fn fully_connected(&mut self, name: &str, input: &str) -> String {
        let weight = self.copied(&format!("{name}.weight"));
        let bias = self.copied(&format!("{name}.bias"));
        let transposed = vec![int("transB", 1)];
        self.node("Gemm", &[input, &weight, &bias], name, transposed)
    }

    fn copied(&mut self, name: &str) -> String {
        let NamedTensor { shape, data } = &self.model.tensors[name];
        self.constant(name, shape, data)
    }

    /// A constant in the numbers that the graph computes in.
    pub(super) fn constant(&mut self, name: &str, shape: &[usize], data: &[f32]) -> String {
        match self.precision {
            OnnxPrecision::F32 => self.float_constant(name, shape, data),
            OnnxPrecision::F16 => {
                if let Some(index) = data.iter().position(|x| MAX < x.abs())
                    && self.refused.is_none()
                {
                    self.refused = Some(OnnxWriteError::TooLarge {
                        tensor: name.to_owned(),
                        index,
                        found: data[index],
                    });
                }
                let raw = data.iter().flat_map(|&x| f16_bits(x).to_le_bytes());
                self.initializer(name, FLOAT16, shape, raw.collect())
            }
        }
    }

    /// A constant in float32, for what follows [`as_float`](Self::as_float).
    pub(super) fn float_constant(&mut self, name: &str, shape: &[usize], data: &[f32]) -> String {
        self.initializer(name, FLOAT, shape, little_endian(data))
    }

    pub(super) fn initializer(
        &mut self,
        name: &str,
        data_type: i32,
        shape: &[usize],
        raw_data: Vec<u8>,
    ) -> String {
        self.initializers.push(TensorProto {
            dims: shape.iter().map(|&n| n as i64).collect(),
            data_type,
            name: name.to_owned(),
            raw_data,
            data_location: 0,
        });
        name.to_owned()
    }

    /// Appends a node with one output, and returns the output's name.
    pub(super) fn node(
        &mut self,
        op_type: &str,
        inputs: &[&str],
        output: &str,
        attribute: Vec<Attribute>,
    ) -> String {
        self.nodes.push(NodeProto {
            input: inputs.iter().map(|&name| name.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: output.to_owned(),
            op_type: op_type.to_owned(),
            attribute,
        });
        output.to_owned()
    }
}

/// A batch normalisation by running statistics, per channel.
pub(super) struct Folded {
    pub(super) scale: Vec<f64>,
    pub(super) bias: Vec<f32>,
}

pub(super) fn int(name: &str, value: i64) -> Attribute {
    Attribute {
        name: name.to_owned(),
        int: Some(value),
        ints: Vec::new(),
        kind: 2,
    }
}

pub(crate) fn ints(name: &str, values: &[i64]) -> Attribute {
    Attribute {
        name: name.to_owned(),
        int: None,
        ints: values.to_vec(),
        kind: 7,
    }
}
