//! Our network as ONNX, in the interface of the deep-learning shogi ecosystem.

pub(crate) mod proto;

use crate::model_file::little_endian;
use crate::shape::BATCH_NORM_EPSILON;
use crate::{Model, NamedTensor};
use data::{BOARD_PLANES, HAND_PLANES, N_LABELS};
use prost::Message;
use proto::{
    Attribute, Dimension, FLOAT, GraphProto, INT64, Length, ModelProto, NodeProto, OperatorSetId,
    TensorProto, TensorShape, TensorType, TypeProto, ValueInfo,
};

/// Operator set of the exported graph: old enough for onnxruntime 1.7 and TensorRT 7.2.
const OPSET: i64 = 13;
/// Version of the file format that belongs to [`OPSET`].
const IR_VERSION: i64 = 7;

/// Board planes, `[N, 62, 9, 9]`.
pub(crate) const INPUT_BOARD: &str = "input1";
/// Hand and check planes, `[N, 57, 9, 9]`.
pub(crate) const INPUT_HANDS: &str = "input2";
/// Raw logits of the move labels, `[N, 2187]`.
pub(crate) const OUTPUT_POLICY: &str = "output_policy";
/// Win probability of the side to move, a draw counted as half a win, `[N, 1]`.
pub(crate) const OUTPUT_VALUE: &str = "output_value";
/// Probabilities of win, draw and loss of the side to move, `[N, 3]`.
pub(crate) const OUTPUT_WDL: &str = "output_wdl";

/// Which outputs the graph has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnnxOutputs {
    /// `output_policy` and `output_value`: what FukauraOu and dlshogi expect.
    Dlshogi,
    /// The same and `output_wdl`, `[N, 3]`: probabilities of win, draw and loss of the side to
    /// move. The other engines ignore it; our evaluator reads it.
    WithWdl,
}

/// Writes the network as an ONNX file (opset 13, IR version 7).
///
/// Inputs are `input1` `[batch, 62, 9, 9]` and `input2` `[batch, 57, 9, 9]`, outputs
/// `output_policy` `[batch, 2187]` (raw logits) and `output_value` `[batch, 1]` (probability of a
/// win of the side to move plus half that of a draw); all float32, `batch` is symbolic. The same
/// model gives the same bytes. Batch normalisations are folded into the convolutions before them.
///
/// The forward pass, with BN for batch normalisation by the running statistics:
///
/// - stem: ReLU(BN(`stem.board`(input1) + `stem.hands`(input2))); 3x3 and 1x1 convolution
/// - each block: ReLU(x + BN(conv2(ReLU(BN(conv1(x)))))); 3x3 convolutions
/// - policy: 1x1 convolution to 27 planes, flattened to `81 * plane + square`, plus bias
/// - value: ReLU(BN(1x1 convolution)), flattened, ReLU(fc1), fc2, softmax over win, draw, loss
///
/// # Panics
///
/// If [`Model::check`] refuses the tensors.
#[must_use]
pub fn to_onnx(model: &Model, outputs: OnnxOutputs) -> Vec<u8> {
    if let Err(error) = model.check() {
        panic!("only a checked model can be written as ONNX: {error}");
    }
    let mut graph = Graph {
        model,
        nodes: Vec::new(),
        initializers: Vec::new(),
    };
    let trunk = graph.trunk();
    graph.policy_head(&trunk);
    graph.value_head(&trunk);
    let mut declared = vec![
        tensor_info(OUTPUT_POLICY, &[N_LABELS]),
        tensor_info(OUTPUT_VALUE, &[1]),
    ];
    if outputs == OnnxOutputs::WithWdl {
        declared.push(tensor_info(OUTPUT_WDL, &[3]));
    }
    let file = ModelProto {
        ir_version: IR_VERSION,
        producer_name: "narikin".to_owned(),
        graph: Some(GraphProto {
            node: graph.nodes,
            name: "narikin".to_owned(),
            initializer: graph.initializers,
            input: vec![
                tensor_info(INPUT_BOARD, &[BOARD_PLANES, 9, 9]),
                tensor_info(INPUT_HANDS, &[HAND_PLANES, 9, 9]),
            ],
            output: declared,
        }),
        opset_import: vec![OperatorSetId {
            domain: String::new(),
            version: OPSET,
        }],
    };
    file.encode_to_vec()
}

/// A graph under construction. Values are addressed by name; a node's name is that of its output.
struct Graph<'a> {
    model: &'a Model,
    nodes: Vec<NodeProto>,
    initializers: Vec<TensorProto>,
}

impl Graph<'_> {
    /// Stem and blocks; the name of the last block's output, `[N, C, 9, 9]`.
    fn trunk(&mut self) -> String {
        let Folded { scale, bias } = self.batch_norm("stem.bn");
        let board = self.convolution("stem.board", INPUT_BOARD, &scale, Some(&bias));
        let hands = self.convolution("stem.hands", INPUT_HANDS, &scale, None);
        let sum = self.node("Add", &[&board, &hands], "stem.sum", vec![]);
        let mut x = self.node("Relu", &[&sum], "stem", vec![]);
        for block in 0..self.model.manifest.shape.blocks {
            let name = |part: &str| format!("blocks.{block}.{part}");
            let first = self.batch_norm(&name("bn1"));
            let y = self.convolution(&name("conv1"), &x, &first.scale, Some(&first.bias));
            let y = self.node("Relu", &[&y], &name("relu1"), vec![]);
            let second = self.batch_norm(&name("bn2"));
            let y = self.convolution(&name("conv2"), &y, &second.scale, Some(&second.bias));
            let y = self.node("Add", &[&y, &x], &name("sum"), vec![]);
            x = self.node("Relu", &[&y], &name("relu2"), vec![]);
        }
        x
    }

    fn policy_head(&mut self, trunk: &str) {
        let n_planes = self.model.tensors["policy.weight"].shape[0];
        let planes = self.convolution("policy", trunk, &vec![1.0; n_planes], None);
        let flat = self.node("Flatten", &[&planes], "policy.flat", vec![int("axis", 1)]);
        let bias = self.copied("policy.bias");
        self.node("Add", &[&flat, &bias], OUTPUT_POLICY, vec![]);
    }

    fn value_head(&mut self, trunk: &str) {
        let Folded { scale, bias } = self.batch_norm("value.bn");
        let planes = self.convolution("value.conv", trunk, &scale, Some(&bias));
        let planes = self.node("Relu", &[&planes], "value.relu1", vec![]);
        let flat = self.node("Flatten", &[&planes], "value.flat", vec![int("axis", 1)]);
        let hidden = self.fully_connected("value.fc1", &flat);
        let hidden = self.node("Relu", &[&hidden], "value.relu2", vec![]);
        let logits = self.fully_connected("value.fc2", &hidden);
        let wdl = self.node("Softmax", &[&logits], OUTPUT_WDL, vec![int("axis", 1)]);
        // Not a matrix product: that would be rounded to bf16 where the convolutions are.
        let worth = self.constant("value.worth", &[3], &[1.0, 0.5, 0.0]);
        let parts = self.node("Mul", &[&wdl, &worth], "value.parts", vec![]);
        let axes = self.initializer("value.axes", INT64, &[1], 1_i64.to_le_bytes().to_vec());
        let keep = vec![int("keepdims", 1)];
        self.node("ReduceSum", &[&parts, &axes], OUTPUT_VALUE, keep);
    }

    /// What a batch normalisation does to each channel: `scale * x + bias`.
    fn batch_norm(&self, name: &str) -> Folded {
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
    fn convolution(
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
        let mut inputs = vec![input.to_owned(), self.constant(&weight, &shape, &scaled)];
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

    fn fully_connected(&mut self, name: &str, input: &str) -> String {
        let weight = self.copied(&format!("{name}.weight"));
        let bias = self.copied(&format!("{name}.bias"));
        let transposed = vec![int("transB", 1)];
        self.node("Gemm", &[input, &weight, &bias], name, transposed)
    }

    fn copied(&mut self, name: &str) -> String {
        let NamedTensor { shape, data } = &self.model.tensors[name];
        self.constant(name, shape, data)
    }

    fn constant(&mut self, name: &str, shape: &[usize], data: &[f32]) -> String {
        self.initializer(name, FLOAT, shape, little_endian(data))
    }

    fn initializer(
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
        });
        name.to_owned()
    }

    fn node(
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
struct Folded {
    scale: Vec<f64>,
    bias: Vec<f32>,
}

fn int(name: &str, value: i64) -> Attribute {
    Attribute {
        name: name.to_owned(),
        int: Some(value),
        ints: Vec::new(),
        kind: 2,
    }
}

fn ints(name: &str, values: &[i64]) -> Attribute {
    Attribute {
        name: name.to_owned(),
        int: None,
        ints: values.to_vec(),
        kind: 7,
    }
}

/// A float32 input or output with a symbolic batch in front.
fn tensor_info(name: &str, shape: &[usize]) -> ValueInfo {
    let batch = Length::Named("batch".to_owned());
    let lengths = shape.iter().map(|&n| Length::Fixed(n as i64));
    ValueInfo {
        name: name.to_owned(),
        kind: Some(TypeProto {
            tensor: Some(TensorType {
                element: FLOAT,
                shape: Some(TensorShape {
                    dim: std::iter::once(batch)
                        .chain(lengths)
                        .map(|length| Dimension {
                            length: Some(length),
                        })
                        .collect(),
                }),
            }),
        }),
    }
}

#[cfg(test)]
mod tests;
