use super::*;
use crate::OnnxOutputs;
use crate::onnx::proto::{ModelProto, TensorProto};
use crate::testing::{SMALL, anchor, exported, lively_net};
use prost::Message;

/// A chain of operators from `x` to `value`, each written `Op` or `Op constant`.
fn graph(chain: &[&str]) -> GraphProto {
    let name = |i: usize| match i {
        0 => "x".to_owned(),
        i if i == chain.len() => "value".to_owned(),
        i => format!("v{i}"),
    };
    let mut graph = GraphProto::default();
    for (i, step) in chain.iter().enumerate() {
        let mut words = step.split(' ');
        let op_type = words.next().unwrap().to_owned();
        let mut input = vec![name(i)];
        for constant in words {
            input.push(constant.to_owned());
            graph.initializer.push(TensorProto {
                name: constant.to_owned(),
                ..TensorProto::default()
            });
        }
        graph.node.push(NodeProto {
            input,
            output: vec![name(i + 1)],
            op_type,
            ..NodeProto::default()
        });
    }
    graph
}

#[track_caller]
fn check(chain: &[&str], expected: Squash<'_>) {
    assert_eq!(squash_of(&graph(chain), "value"), expected);
}

#[test]
fn a_sigmoid_however_it_is_written_bounds_the_value() {
    check(&["Gemm w b", "Sigmoid"], Squash::Bounded);
    check(&["Gemm w b", "Sigmoid", "Cast"], Squash::Bounded);
    check(
        &["MatMul w", "Add b", "Sigmoid", "Reshape s"],
        Squash::Bounded,
    );
    check(
        &["Gemm w b", "Mul half", "Tanh", "Mul half", "Add half"],
        Squash::Bounded,
    );
    check(
        &["Gemm w b", "Softmax", "Mul worth", "ReduceSum axes"],
        Squash::Bounded,
    );
    check(&["Gemm w b", "Softmax", "MatMul worth"], Squash::Bounded);
    check(&["Gemm w b", "Softmax", "Slice start end"], Squash::Bounded);
}

#[test]
fn a_layer_or_an_activation_at_the_end_does_not() {
    check(&["Relu", "Gemm w b"], Squash::Unbounded("Gemm"));
    check(&["Gemm w b", "Cast"], Squash::Unbounded("Gemm"));
    check(&["Relu", "MatMul w", "Add b"], Squash::Unbounded("MatMul"));
    check(&["Conv w b", "Flatten"], Squash::Unbounded("Conv"));
    check(&["Gemm w b", "Relu"], Squash::Unbounded("Relu"));
    // The hidden layer's activation does not count.
    check(
        &["Gemm w b", "Tanh", "Gemm w2 b2"],
        Squash::Unbounded("Gemm"),
    );
}

#[test]
fn what_cannot_be_followed_is_not_judged() {
    check(&["Gemm w b", "Exp"], Squash::Unknown);
    check(&["Identity"], Squash::Unknown);
    check(&["Add"; 100], Squash::Unknown);
    assert_eq!(squash_of(&GraphProto::default(), "value"), Squash::Unknown);
    let mut two_inputs = graph(&["Relu", "Add"]);
    two_inputs.node[1].input.push("x".to_owned());
    assert_eq!(squash_of(&two_inputs, "value"), Squash::Unknown);
}

#[test]
fn real_nets_are_bounded() {
    let ours = exported(&lively_net(SMALL, 1), OnnxOutputs::Dlshogi);
    for bytes in [ours, std::fs::read(anchor()).unwrap()] {
        let graph = ModelProto::decode(&*bytes).unwrap().graph.unwrap();
        assert_eq!(squash_of(&graph, "output_value"), Squash::Bounded);
    }
}
