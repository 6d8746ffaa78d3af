use super::*;
use crate::testing::{Case, SMALL, anchor, cases, exported, library, lively_net, onnx_runtime};
use crate::{NetShape, OpenVinoEvaluator, Precision};
use tempfile::TempDir;

type Answer = (Vec<f32>, [f32; 3]);

fn evaluate(evaluator: &mut dyn Evaluator, cases: &[Case]) -> Vec<Answer> {
    let requests: Vec<_> = cases
        .iter()
        .map(|case| EvalRequest {
            position: &case.position,
            legal_moves: &case.legal_moves,
        })
        .collect();
    let mut answers = EvalAnswers::new();
    evaluator.evaluate(&requests, &mut answers).unwrap();
    assert_eq!(answers.len(), cases.len());
    let answer = |i| {
        let (logits, wdl) = answers.get(i);
        (logits.to_vec(), [wdl.win, wdl.draw, wdl.loss])
    };
    (0..cases.len()).map(answer).collect()
}

fn options(max_batch: usize) -> EvaluatorOptions {
    EvaluatorOptions {
        max_batch,
        precision: Precision::F32,
        threads: 1,
    }
}

#[track_caller]
fn check_near(left: &[Answer], right: &[Answer]) {
    assert_eq!(left.len(), right.len());
    for ((logits, wdl), (other_logits, other_wdl)) in left.iter().zip(right) {
        assert_eq!(logits.len(), other_logits.len());
        let pairs = logits
            .iter()
            .chain(wdl)
            .zip(other_logits.iter().chain(other_wdl));
        for (x, y) in pairs {
            assert!((x - y).abs() < 1e-4, "{x} {y}");
        }
    }
}

fn nets() -> Vec<OnnxNet> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.onnx");
    let model = lively_net(SMALL, 1);
    std::fs::write(&path, exported(&model, OnnxOutputs::Dlshogi)).unwrap();
    vec![
        OnnxNet::from_model(&model),
        OnnxNet::from_model(&lively_net(NetShape::default(), 2)),
        OnnxNet::load(&path).unwrap(),
        OnnxNet::load(&anchor()).unwrap(),
    ]
}

#[test]
fn both_libraries_give_the_same_answers() {
    let (Some(runtime), Some(openvino)) = (onnx_runtime(), library()) else {
        return;
    };
    let cases = cases(70);
    for net in nets() {
        let mut ours = OnnxRuntimeEvaluator::new(&runtime, &net, &options(64)).unwrap();
        let mut theirs = OpenVinoEvaluator::new(&openvino, net, &options(64)).unwrap();
        check_near(&evaluate(&mut ours, &cases), &evaluate(&mut theirs, &cases));
    }
}

#[test]
fn an_answer_does_not_depend_on_its_batch_or_on_what_came_before() {
    let Some(runtime) = onnx_runtime() else {
        return;
    };
    let cases = cases(40);
    let net = OnnxNet::from_model(&lively_net(SMALL, 1));
    let mut alone = OnnxRuntimeEvaluator::new(&runtime, &net, &options(1)).unwrap();
    let one_by_one = evaluate(&mut alone, &cases);
    for max_batch in [1, 7, 40, 64] {
        let mut together = OnnxRuntimeEvaluator::new(&runtime, &net, &options(max_batch)).unwrap();
        for n in [40, 3, 25] {
            check_near(&evaluate(&mut together, &cases[..n]), &one_by_one[..n]);
        }
    }
}

#[test]
fn a_request_without_legal_moves_is_refused() {
    let Some(runtime) = onnx_runtime() else {
        return;
    };
    let net = OnnxNet::from_model(&lively_net(SMALL, 1));
    let mut evaluator = OnnxRuntimeEvaluator::new(&runtime, &net, &options(8)).unwrap();
    let case = &cases(1)[0];
    let request = EvalRequest {
        position: &case.position,
        legal_moves: &[],
    };
    let error = evaluator
        .evaluate(&[request], &mut EvalAnswers::new())
        .unwrap_err();
    assert_eq!(
        crate::testing::chain(&error),
        "the evaluator failed: request 0 has no legal moves, expected at least one"
    );
}

#[test]
fn a_net_in_8_bits_is_refused() {
    let (Some(openvino), Some(library)) = (library(), onnx_runtime()) else {
        return;
    };
    let net = OnnxNet::quantized(&openvino, &lively_net(SMALL, 1)).unwrap();
    let error = OnnxRuntimeEvaluator::new(&library, &net, &options(1)).err();
    assert_eq!(
        crate::testing::chain(&error.unwrap()),
        "the evaluator failed: a net in 8 bits is for OpenVINO: give ONNX Runtime the net as it is"
    );
}
