use super::*;
use crate::onnx::proto::TensorProto;
use crate::testing::{SMALL, anchor, chain, exported, lively_net};
use tempfile::TempDir;

fn ours() -> ModelProto {
    let bytes = exported(&lively_net(SMALL, 1), OnnxOutputs::Dlshogi);
    ModelProto::decode(&*bytes).unwrap()
}

fn load_bytes(bytes: &[u8]) -> Result<OnnxNet, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.onnx");
    std::fs::write(&path, bytes).unwrap();
    OnnxNet::load(&path).map_err(|error| chain(&error).replace(&path.display().to_string(), "FILE"))
}

#[track_caller]
fn load_changed(change: impl FnOnce(&mut GraphProto)) -> Result<OnnxNet, String> {
    let mut file = ours();
    change(file.graph.as_mut().unwrap());
    load_bytes(&file.encode_to_vec())
}

#[track_caller]
fn check_refused(change: impl FnOnce(&mut GraphProto), expected: &str) {
    assert_eq!(load_changed(change).unwrap_err(), expected);
}

fn lengths(tensor: &mut ValueInfo) -> &mut Vec<Dimension> {
    let declared = tensor.kind.as_mut().unwrap().tensor.as_mut().unwrap();
    &mut declared.shape.as_mut().unwrap().dim
}

fn fixed(n: i64) -> Dimension {
    Dimension {
        length: Some(Length::Fixed(n)),
    }
}

#[test]
fn exported_nets_and_foreign_nets_are_taken() {
    let exported = load_changed(|_| ()).unwrap();
    assert_eq!(exported.outputs(), OnnxOutputs::Dlshogi);
    let ours = OnnxNet::from_model(&lively_net(SMALL, 1));
    assert_eq!(
        load_bytes(ours.bytes()).unwrap().outputs(),
        OnnxOutputs::WithWdl
    );
    assert_eq!(exported.manifest(), Some(&lively_net(SMALL, 1).manifest));
    let foreign = OnnxNet::load(&anchor()).unwrap();
    assert_eq!(foreign.outputs(), OnnxOutputs::Dlshogi);
    assert_eq!(foreign.manifest(), None);
}

#[test]
fn what_other_engines_tolerate_is_tolerated() {
    load_changed(|graph| graph.output.swap(0, 1)).unwrap();
    load_changed(|graph| {
        let mut extra = graph.output[0].clone();
        extra.name = "output_moves_left".to_owned();
        graph.output.push(extra);
    })
    .unwrap();
    load_changed(|graph| lengths(&mut graph.output[0])[1] = Dimension { length: None }).unwrap();
    load_changed(|graph| {
        let name = graph.initializer[0].name.clone();
        graph.input.push(ValueInfo { name, kind: None });
        graph.initializer.push(TensorProto::default());
    })
    .unwrap();
}

#[test]
fn other_inputs_are_refused() {
    check_refused(
        |graph| lengths(&mut graph.input[1])[1] = fixed(119),
        "net FILE: input `input2` is float32 [batch, 119, 9, 9], expected float32 [batch, 57, 9, 9]",
    );
    check_refused(
        |graph| lengths(&mut graph.input[0])[0] = fixed(1),
        "net FILE: input `input1` is float32 [1, 62, 9, 9], expected float32 [batch, 62, 9, 9]",
    );
    check_refused(
        |graph| {
            graph.input[0]
                .kind
                .as_mut()
                .unwrap()
                .tensor
                .as_mut()
                .unwrap()
                .element = 10
        },
        "net FILE: input `input1` is float16 [batch, 62, 9, 9], expected float32 [batch, 62, 9, 9]",
    );
    check_refused(
        |graph| graph.input.swap(0, 1),
        "net FILE: the list of inputs is input2, input1, expected input1, input2",
    );
    check_refused(
        |graph| graph.input.clear(),
        "net FILE: the list of inputs is empty, expected input1, input2",
    );
    check_refused(
        |graph| graph.input[0].kind = None,
        "net FILE: input `input1` is not a tensor, expected float32 [batch, 62, 9, 9]",
    );
}

#[test]
fn other_outputs_are_refused() {
    check_refused(
        |graph| graph.output[1].name = "value".to_owned(),
        "net FILE: the list of outputs is output_policy, value, \
         expected output_policy, output_value",
    );
    check_refused(
        |graph| lengths(&mut graph.output[0])[1] = fixed(1496),
        "net FILE: output `output_policy` is float32 [batch, 1496], \
         expected float32 [batch, 2187]",
    );
    check_refused(
        |graph| {
            lengths(&mut graph.output[1]).pop();
        },
        "net FILE: output `output_value` is float32 [batch], expected float32 [batch, 1]",
    );
}

#[test]
fn other_files_are_refused() {
    assert_eq!(
        load_bytes(b"").unwrap_err(),
        "net FILE: the graph is missing, expected one"
    );
    let text = load_bytes(b"lnsgkgsnl/1r5b1/ppppppppp").unwrap_err();
    assert!(text.starts_with("net FILE is not an ONNX file: "), "{text}");
    assert_eq!(
        chain(&OnnxNet::load(Path::new("nowhere.onnx")).unwrap_err()),
        "cannot read net nowhere.onnx: No such file or directory (os error 2)"
    );
}

#[test]
fn a_value_without_a_sigmoid_is_refused() {
    check_refused(
        |graph| {
            // The last node but one, which makes the sum of parts, is cut out with the softmax.
            let logits = "value.fc2".to_owned();
            for node in &mut graph.node {
                if node.output[0] == "output_value" {
                    node.input = vec![logits.clone()];
                    node.op_type = "Identity".to_owned();
                }
            }
        },
        "net FILE: output `output_value` is made by Gemm, a logit, expected a win probability: a \
         Sigmoid before the output",
    );
}

#[test]
fn weights_in_another_file_are_refused() {
    check_refused(
        |graph| graph.initializer[3].data_location = 1,
        "net FILE: weight `blocks.0.conv1.weight` is in another file, expected in the file itself",
    );
}
