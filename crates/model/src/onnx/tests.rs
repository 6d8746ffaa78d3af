use super::*;
use crate::testing::{SMALL, lively_net};
use std::collections::BTreeSet;

fn written(outputs: OnnxOutputs) -> ModelProto {
    ModelProto::decode(&*to_onnx(&lively_net(SMALL, 1), outputs)).unwrap()
}

/// Name, element type and lengths, in ONNX's own notation.
fn declared(tensors: &[ValueInfo]) -> Vec<String> {
    tensors
        .iter()
        .map(|tensor| {
            let declared = tensor.kind.clone().unwrap().tensor.unwrap();
            assert_eq!(declared.element, FLOAT);
            let lengths: Vec<String> = declared
                .shape
                .unwrap()
                .dim
                .into_iter()
                .map(|dim| match dim.length.unwrap() {
                    Length::Fixed(n) => n.to_string(),
                    Length::Named(name) => name,
                })
                .collect();
            format!("{}[{}]", tensor.name, lengths.join(","))
        })
        .collect()
}

#[test]
fn the_file_declares_dlshogis_interface() {
    let file = written(OnnxOutputs::Dlshogi);
    assert_eq!(file.ir_version, 7);
    assert_eq!(file.opset_import.len(), 1);
    assert_eq!(file.opset_import[0].version, 13);
    let graph = file.graph.unwrap();
    assert_eq!(
        declared(&graph.input),
        ["input1[batch,62,9,9]", "input2[batch,57,9,9]"]
    );
    assert_eq!(
        declared(&graph.output),
        ["output_policy[batch,2187]", "output_value[batch,1]"]
    );
}

#[test]
fn our_evaluators_variant_differs_by_one_output() {
    let mut ours = written(OnnxOutputs::WithWdl);
    let graph = ours.graph.as_mut().unwrap();
    let third = graph.output.pop().unwrap();
    assert_eq!(declared(&[third]), ["output_wdl[batch,3]"]);
    assert_eq!(ours, written(OnnxOutputs::Dlshogi));
}

#[test]
fn every_value_is_made_once_before_it_is_used_and_used() {
    let graph = written(OnnxOutputs::Dlshogi).graph.unwrap();
    let mut known: BTreeSet<&str> = graph.input.iter().map(|x| &*x.name).collect();
    for weight in &graph.initializer {
        assert!(known.insert(&weight.name), "{} twice", weight.name);
    }
    let mut unused = known.clone();
    for node in &graph.node {
        for input in &node.input {
            assert!(known.contains(&**input), "{} before it is made", input);
            unused.remove(&**input);
        }
        for output in &node.output {
            assert!(known.insert(output), "{output} twice");
            unused.insert(output);
        }
    }
    let outputs: BTreeSet<&str> = graph.output.iter().map(|x| &*x.name).collect();
    assert_eq!(unused, outputs);
}

#[test]
fn weights_fill_their_shape_and_batch_normalisation_is_gone() {
    let graph = written(OnnxOutputs::Dlshogi).graph.unwrap();
    for weight in &graph.initializer {
        let n_elements: i64 = weight.dims.iter().product();
        let width = if weight.data_type == INT64 { 8 } else { 4 };
        assert_eq!(weight.raw_data.len() as i64, width * n_elements);
        assert!(!weight.name.contains("bn"), "{}", weight.name);
    }
    let operators: BTreeSet<&str> = graph.node.iter().map(|node| &*node.op_type).collect();
    let expected = [
        "Add",
        "Conv",
        "Flatten",
        "Gemm",
        "Mul",
        "ReduceSum",
        "Relu",
        "Softmax",
    ];
    assert_eq!(operators, BTreeSet::from(expected));
}

#[test]
fn the_same_model_gives_the_same_file() {
    let model = lively_net(SMALL, 1);
    let bytes = || to_onnx(&model, OnnxOutputs::Dlshogi);
    assert_eq!(bytes(), bytes());
}
