//! Whether a net's value is a probability: is there a sigmoid, or something like it, behind it?

use crate::onnx::proto::{GraphProto, NodeProto};

/// What the nodes before an output say of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Squash<'a> {
    /// Something bounded makes it: a sigmoid, a tanh, a softmax.
    Bounded,
    /// This operator, whose results have no bounds, makes it.
    Unbounded(&'a str),
    /// Not known.
    Unknown,
}

/// Operators whose results are bounded.
const BOUNDED: [&str; 6] = ["Sigmoid", "HardSigmoid", "Tanh", "Softmax", "Erf", "Clip"];
/// Operators that move numbers, or scale or add them up, and so keep them bounded.
const PASSING: [&str; 17] = [
    "Cast",
    "Identity",
    "Reshape",
    "Flatten",
    "Squeeze",
    "Unsqueeze",
    "Slice",
    "Gather",
    "Transpose",
    "Split",
    "ReduceSum",
    "ReduceMean",
    "Neg",
    "Add",
    "Sub",
    "Mul",
    "Div",
];
/// Layers: sums of products of what may be anything.
const LAYERS: [&str; 3] = ["Gemm", "MatMul", "Conv"];
/// Activations without bounds.
const UNBOUNDED: [&str; 6] = [
    "Relu",
    "LeakyRelu",
    "Elu",
    "Selu",
    "PRelu",
    "BatchNormalization",
];

/// Longer chains of operators between the last layer and an output are not followed.
const MOST_STEPS: usize = 32;

/// What makes `output` of the graph.
pub(super) fn squash_of<'a>(graph: &'a GraphProto, output: &str) -> Squash<'a> {
    let Some(mut node) = producer(graph, output) else {
        return Squash::Unknown;
    };
    for _ in 0..MOST_STEPS {
        let op = node.op_type.as_str();
        if BOUNDED.contains(&op) {
            return Squash::Bounded;
        }
        if UNBOUNDED.contains(&op) {
            return Squash::Unbounded(op);
        }
        let before = match data_input(graph, node) {
            Some(name) => producer(graph, name),
            None => None,
        };
        // Probabilities times what they are worth may be written as a product of matrices.
        if LAYERS.contains(&op) && before.is_none_or(|before| before.op_type != "Softmax") {
            return Squash::Unbounded(op);
        }
        let passes = PASSING.contains(&op) || LAYERS.contains(&op);
        match before {
            Some(before) if passes => node = before,
            _ => return Squash::Unknown,
        }
    }
    Squash::Unknown
}

fn producer<'a>(graph: &'a GraphProto, value: &str) -> Option<&'a NodeProto> {
    let makes = |node: &&NodeProto| node.output.iter().any(|output| output == value);
    graph.node.iter().find(makes)
}

/// The one input of a node that is no constant; `None` if there are several. The second and later
/// inputs of a layer and of a moving operator are weights, shapes and places.
fn data_input<'a>(graph: &GraphProto, node: &'a NodeProto) -> Option<&'a str> {
    let is_constant = |name: &str| {
        graph.initializer.iter().any(|weight| weight.name == name)
            || producer(graph, name).is_some_and(|node| node.op_type == "Constant")
    };
    let mut inputs = node.input.iter().filter(|name| !is_constant(name));
    match (inputs.next(), inputs.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
