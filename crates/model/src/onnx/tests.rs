use super::proto::{FLOAT16, INT64};
use super::*;
use crate::testing::{PARTS, SMALL, exported, lively_net};
use std::collections::BTreeSet;

fn written(outputs: OnnxOutputs) -> ModelProto {
    ModelProto::decode(&*exported(&lively_net(SMALL, 1), outputs)).unwrap()
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

fn written_in_half() -> ModelProto {
    let options = OnnxOptions {
        precision: OnnxPrecision::F16,
        ..OnnxOptions::default()
    };
    ModelProto::decode(&*to_onnx(&lively_net(SMALL, 1), &options).unwrap()).unwrap()
}

#[test]
fn half_precision_ends_at_the_edges() {
    let (file, single) = (written_in_half(), written(OnnxOutputs::Dlshogi));
    let (graph, single) = (file.graph.unwrap(), single.graph.unwrap());
    assert_eq!(declared(&graph.input), declared(&single.input));
    assert_eq!(declared(&graph.output), declared(&single.output));
    let casts: Vec<_> = graph
        .node
        .iter()
        .filter(|node| node.op_type == "Cast")
        .map(|node| (&*node.input[0], node.attribute[0].int.unwrap()))
        .collect();
    let (half, float) = (i64::from(FLOAT16), i64::from(FLOAT));
    assert_eq!(
        casts,
        [
            ("input1", half),
            ("input2", half),
            ("policy.flat", float),
            ("value.fc2", float)
        ]
    );
    let floats: Vec<&str> = graph
        .initializer
        .iter()
        .filter(|weight| weight.data_type == FLOAT)
        .map(|weight| &*weight.name)
        .collect();
    assert_eq!(floats, ["policy.bias", "value.worth"]);
}

#[test]
fn a_weight_that_half_precision_cannot_hold_is_refused_by_name() {
    let mut model = lively_net(SMALL, 1);
    model.tensors.get_mut("value.fc1.weight").unwrap().data[7] = -70_000.0;
    let options = OnnxOptions {
        precision: OnnxPrecision::F16,
        ..OnnxOptions::default()
    };
    assert_eq!(
        to_onnx(&model, &options).unwrap_err().to_string(),
        "weight 7 of `value.fc1.weight` is -70000, expected at most 65504 for half precision: \
         export in float32"
    );
    to_onnx(&model, &OnnxOptions::default()).unwrap();
}

#[test]
fn the_manifest_goes_with_the_file() {
    let model = lively_net(SMALL, 1);
    let file = written(OnnxOutputs::Dlshogi);
    assert_eq!(file.producer_name, "narikin");
    let [entry] = &file.metadata[..] else {
        panic!("one entry")
    };
    assert_eq!(entry.key, "narikin");
    let manifest: crate::Manifest = serde_json::from_str(&entry.value).unwrap();
    assert_eq!(manifest, model.manifest);
}

#[test]
fn every_value_is_made_once_before_it_is_used_and_used() {
    check_values(written(OnnxOutputs::Dlshogi).graph.unwrap());
    check_values(written_in_half().graph.unwrap());
    for (_, shape) in PARTS {
        let file = exported(&lively_net(shape, 1), OnnxOutputs::Dlshogi);
        check_values(ModelProto::decode(&*file).unwrap().graph.unwrap());
    }
}

fn check_values(graph: GraphProto) {
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
    for weight in &written_in_half().graph.unwrap().initializer {
        let n_elements: i64 = weight.dims.iter().product();
        let width = match weight.data_type {
            INT64 => 8,
            FLOAT => 4,
            _ => 2,
        };
        assert_eq!(weight.raw_data.len() as i64, width * n_elements);
    }
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
    let bytes = || exported(&model, OnnxOutputs::Dlshogi);
    assert_eq!(bytes(), bytes());
}
