use super::*;
use crate::onnx::ints;
use crate::onnx::proto::{GraphProto, ModelProto, NodeProto};
use crate::testing::{
    Case, SMALL, cases, chain as chained, exported, library, lively_net, onnx_runtime,
};
use crate::{OnnxOutputs, OpenVinoEvaluator};
use prost::Message;
use tempfile::TempDir;

fn changed(change: impl FnOnce(&mut GraphProto)) -> OnnxNet {
    let bytes = exported(&lively_net(SMALL, 1), OnnxOutputs::Dlshogi);
    let mut file = ModelProto::decode(&*bytes).unwrap();
    change(file.graph.as_mut().unwrap());
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.onnx");
    std::fs::write(&path, file.encode_to_vec()).unwrap();
    OnnxNet::load(&path).unwrap()
}

fn answers(evaluator: &mut dyn Evaluator, cases: &[Case]) -> Vec<(Vec<f32>, f32)> {
    let requests: Vec<_> = cases
        .iter()
        .map(|case| EvalRequest {
            position: &case.position,
            legal_moves: &case.legal_moves,
        })
        .collect();
    let mut answers = EvalAnswers::new();
    evaluator.evaluate(&requests, &mut answers).unwrap();
    let answer = |i| {
        let (logits, wdl) = answers.get(i);
        (logits.to_vec(), wdl.win)
    };
    (0..cases.len()).map(answer).collect()
}

#[test]
fn a_net_that_openvino_runs_is_run_by_it() {
    let Some(library) = library() else { return };
    let (net, options) = (changed(|_| ()), EvaluatorOptions::default());
    let cases = cases(5);
    let mut chosen = cpu_evaluator(&net, &options).unwrap();
    let mut openvino = OpenVinoEvaluator::new(&library, net, &options).unwrap();
    assert_eq!(
        answers(&mut *chosen, &cases),
        answers(&mut openvino, &cases)
    );
}

#[test]
fn a_net_that_only_onnx_runtime_runs_is_run_by_it() {
    let Some(runtime) = onnx_runtime() else {
        return;
    };
    // Pooling single squares and taking it back changes nothing, but OpenVINO cannot take it back.
    let net = changed(|graph| {
        let stem = graph
            .node
            .iter()
            .position(|node| node.output[0] == "stem")
            .unwrap();
        graph.node[stem].output[0] = "unpooled".to_owned();
        let node = |op_type: &str, input: &[&str], output: &[&str]| NodeProto {
            input: input.iter().map(|&name| name.to_owned()).collect(),
            output: output.iter().map(|&name| name.to_owned()).collect(),
            name: op_type.to_owned(),
            op_type: op_type.to_owned(),
            attribute: vec![ints("kernel_shape", &[1, 1])],
        };
        let back = node("MaxUnpool", &["pooled", "places"], &["stem"]);
        let pool = node("MaxPool", &["unpooled"], &["pooled", "places"]);
        graph.node.splice(stem + 1..stem + 1, [pool, back]);
    });
    let options = EvaluatorOptions::default();
    let cases = cases(5);
    let mut chosen = cpu_evaluator(&net, &options).unwrap();
    let mut alone = OnnxRuntimeEvaluator::new(&runtime, &net, &options).unwrap();
    assert_eq!(answers(&mut *chosen, &cases), answers(&mut alone, &cases));
    let mut plain = OnnxRuntimeEvaluator::new(&runtime, &changed(|_| ()), &options).unwrap();
    assert_eq!(answers(&mut *chosen, &cases), answers(&mut plain, &cases));
    if let Some(library) = library() {
        let openvino = OpenVinoEvaluator::new(&library, net, &options);
        assert!(tried(openvino.map(boxed)).is_err());
    }
}

#[test]
fn a_value_that_is_no_probability_is_nonsense() {
    if library().is_none() && onnx_runtime().is_none() {
        return;
    }
    // The check of the file does not know what a logarithm does.
    let net = changed(|graph| {
        let value = graph
            .node
            .iter_mut()
            .find(|node| node.output[0] == "output_value");
        value.unwrap().output[0] = "p".to_owned();
        let node = |op_type: &str, input: &str, output: &str| NodeProto {
            input: vec![input.to_owned()],
            output: vec![output.to_owned()],
            name: output.to_owned(),
            op_type: op_type.to_owned(),
            attribute: Vec::new(),
        };
        graph.node.push(node("Log", "p", "output_value"));
    });
    let Err(error) = cpu_evaluator(&net, &EvaluatorOptions::default()) else {
        panic!("values below 0 were taken");
    };
    let text = chained(&error);
    assert!(text.starts_with("the net answers nonsense: "), "{text}");
    assert!(text.contains("the net's output_value for `"), "{text}");
    assert!(
        text.ends_with("expected a win probability from 0 to 1 (is there a sigmoid before it?)"),
        "{text}"
    );
}

#[test]
fn a_net_that_no_library_runs_is_refused_with_what_each_says() {
    if library().is_none() && onnx_runtime().is_none() {
        return;
    }
    let net = changed(|graph| graph.node[5].op_type = "Nonsense".to_owned());
    let Err(error) = cpu_evaluator(&net, &EvaluatorOptions::default()) else {
        panic!("an operator that does not exist was run");
    };
    let text = chained(&error);
    assert!(text.starts_with("cannot run the net: "), "{text}");
    if library().is_some() {
        assert!(
            text.contains("OpenVINO failed to compile the net"),
            "{text}"
        );
    }
    if onnx_runtime().is_some() {
        assert!(
            text.contains("ONNX Runtime failed to load the net"),
            "{text}"
        );
    }
}
