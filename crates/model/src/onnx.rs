//! Our network as ONNX, in the interface of the deep-learning shogi ecosystem.
//!
//! `network.rs` says what the network computes, `graph.rs` how layers become nodes: a new layer is
//! a function there, and a call here.

mod attention;
mod graph;
mod half;
mod network;
pub(crate) mod proto;
mod quantized;

use crate::Model;
use data::{BOARD_PLANES, HAND_PLANES, N_LABELS};
use graph::Graph;
#[cfg(test)]
pub(crate) use graph::ints;
use prost::Message;
use proto::{
    Dimension, FLOAT, GraphProto, Length, MetadataEntry, ModelProto, OperatorSetId, TensorShape,
    TensorType, TypeProto, UINT8, ValueInfo,
};
use quantized::Activations;
pub(crate) use quantized::Ranges;

/// Operator set of the exported graph: old enough for onnxruntime 1.7 and TensorRT 7.2.
const OPSET: i64 = 13;
/// Version of the file format that belongs to [`OPSET`].
const IR_VERSION: i64 = 7;
/// Key of the model's manifest, as JSON, in the file's metadata.
pub(crate) const METADATA_KEY: &str = "narikin";

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

/// How a network is written as ONNX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnnxOptions {
    /// Which outputs the graph has.
    pub outputs: OnnxOutputs,
    /// In what numbers it computes.
    pub precision: OnnxPrecision,
}

impl Default for OnnxOptions {
    /// What FukauraOu and dlshogi expect, in float32: each engine makes of it what it likes best.
    fn default() -> Self {
        Self {
            outputs: OnnxOutputs::Dlshogi,
            precision: OnnxPrecision::F32,
        }
    }
}

/// Which outputs the graph has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnnxOutputs {
    /// `output_policy` and `output_value`: what FukauraOu and dlshogi expect.
    Dlshogi,
    /// The same and `output_wdl`, `[N, 3]`: probabilities of win, draw and loss of the side to
    /// move. The other engines ignore it; our evaluator reads it.
    WithWdl,
}

/// In what numbers the graph computes. Inputs and outputs are float32 in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnnxPrecision {
    /// Single precision.
    F32,
    /// Half precision from behind the inputs to the logits; half the size. Activations above
    /// 65,504 become infinite.
    F16,
}

/// Why a network was not written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OnnxWriteError {
    /// A weight, batch normalisation folded in, that half precision cannot hold.
    #[error(
        "weight {index} of `{tensor}` is {found}, expected at most {} for half precision: export \
         in float32",
        half::MAX
    )]
    TooLarge {
        /// Name of the tensor.
        tensor: String,
        /// Row-major position of the weight.
        index: usize,
        /// The weight.
        found: f32,
    },
}

/// Writes the network as an ONNX file (opset 13, IR version 7).
///
/// Inputs are `input1` `[batch, 62, 9, 9]` and `input2` `[batch, 57, 9, 9]`, outputs
/// `output_policy` `[batch, 2187]` (raw logits) and `output_value` `[batch, 1]` (probability of a
/// win of the side to move plus half that of a draw); all float32, `batch` is symbolic. The same
/// model gives the same bytes. Batch normalisations are folded into the convolutions before them.
/// The manifest is in the file's metadata.
///
/// The forward pass, with BN for batch normalisation by the running statistics:
///
/// - stem: ReLU(BN(`stem.board`(input1) + `stem.hands`(input2))); 3x3 and 1x1 convolution
/// - each block: ReLU(x + BN(conv2(ReLU(BN(conv1(x)))))); 3x3 convolutions. With global pooling,
///   `pool` of the means and maxima of ReLU of the first channels of BN(conv1(x)) is added to the
///   others. With squeeze-excite, each channel of BN(conv2(…)) is multiplied by the sigmoid of
///   `se.fc2`(ReLU(`se.fc1`(its means)))
/// - each attention block: ReLU(x + BN(out(A(BN(qkv(x)))))), then ReLU(x + BN(fc2(ReLU(BN(fc1(x))))));
///   1x1 convolutions. A is attention of all squares to all, with `position` by their distance
///   added to the scores
/// - policy: 1x1 convolution to 27 planes, flattened to `81 * plane + square`, plus bias
/// - value: ReLU(BN(1x1 convolution)), flattened, ReLU(fc1), fc2, softmax over win, draw, loss
///
/// # Errors
///
/// A weight that half precision cannot hold, where that was asked for.
///
/// # Panics
///
/// If [`Model::check`] refuses the tensors.
pub fn to_onnx(model: &Model, options: &OnnxOptions) -> Result<Vec<u8>, OnnxWriteError> {
    if let Err(error) = model.check() {
        panic!("only a checked model can be written as ONNX: {error}");
    }
    let mut graph = Graph::new(model, options.precision);
    graph.network();
    let mut output = vec![
        tensor_info(OUTPUT_POLICY, &[N_LABELS]),
        tensor_info(OUTPUT_VALUE, &[1]),
    ];
    if options.outputs == OnnxOutputs::WithWdl {
        output.push(tensor_info(OUTPUT_WDL, &[3]));
    }
    written(graph, output)
}

/// Our evaluator's variant with the activations of `ranges` and the convolutions that take them in 8
/// bits. If the board planes are among them, `input1` is bytes.
pub(crate) fn to_quantized_onnx(model: &Model, ranges: Ranges) -> Vec<u8> {
    let mut graph = Graph::new(model, OnnxPrecision::F32);
    graph.activations = Activations::quantized(ranges);
    graph.network();
    let output = vec![
        tensor_info(OUTPUT_POLICY, &[N_LABELS]),
        tensor_info(OUTPUT_VALUE, &[1]),
        tensor_info(OUTPUT_WDL, &[3]),
    ];
    written(graph, output).expect("float32 holds every weight")
}

/// A graph whose outputs are the activations that could be quantized, and their names. Each is
/// `[N, C, 9, 9]`.
pub(crate) fn to_observed_onnx(model: &Model) -> (Vec<u8>, Vec<String>) {
    let mut graph = Graph::new(model, OnnxPrecision::F32);
    graph.network();
    let is_input = |name: &String| name == INPUT_BOARD;
    let mut names = graph.activations.seen().to_vec();
    names.retain(|name| !is_input(name));
    let channels = model.manifest.shape.channels as usize;
    let output = names
        .iter()
        .map(|name| tensor_info(name, &[channels, 9, 9]))
        .collect();
    let bytes = written(graph, output).expect("float32 holds every weight");
    (bytes, names)
}

/// The finished file.
fn written(graph: Graph<'_>, output: Vec<ValueInfo>) -> Result<Vec<u8>, OnnxWriteError> {
    let model = graph.model;
    let board_element = if graph.activations.takes_bytes() {
        UINT8
    } else {
        FLOAT
    };
    let (node, initializer) = graph.finish()?;
    let manifest = serde_json::to_string(&model.manifest);
    let file = ModelProto {
        ir_version: IR_VERSION,
        producer_name: "narikin".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        graph: Some(GraphProto {
            node,
            name: "narikin".to_owned(),
            initializer,
            input: vec![
                batch_info(INPUT_BOARD, board_element, &[BOARD_PLANES, 9, 9]),
                tensor_info(INPUT_HANDS, &[HAND_PLANES, 9, 9]),
            ],
            output,
        }),
        opset_import: vec![OperatorSetId {
            domain: String::new(),
            version: OPSET,
        }],
        metadata: vec![MetadataEntry {
            key: METADATA_KEY.to_owned(),
            value: manifest.expect("a manifest holds numbers and strings"),
        }],
    };
    Ok(file.encode_to_vec())
}

/// A float32 input or output with a symbolic batch in front.
fn tensor_info(name: &str, shape: &[usize]) -> ValueInfo {
    batch_info(name, FLOAT, shape)
}

/// An input or output of such numbers with a symbolic batch in front.
fn batch_info(name: &str, element: i32, shape: &[usize]) -> ValueInfo {
    let batch = Length::Named("batch".to_owned());
    let lengths = shape.iter().map(|&n| Length::Fixed(n as i64));
    ValueInfo {
        name: name.to_owned(),
        kind: Some(TypeProto {
            tensor: Some(TensorType {
                element,
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
