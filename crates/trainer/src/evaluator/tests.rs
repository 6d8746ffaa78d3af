use super::*;
use crate::testing::{cpu, positions, tiny, tiny_with_all_parts, uniform};
use crate::{ComputeDevice, NaiveEvaluator};
use model::{EvaluatorOptions, NetShape, OnnxNet, OpenVino, OpenVinoEvaluator, Precision};

mod gpu;

/// A net whose every tensor matters: random heads, and batch normalisations far from the identity.
fn model() -> Model {
    model_of(tiny())
}

fn model_of(shape: NetShape) -> Model {
    let mut model = Model::random(shape, 1, true);
    let mut next = uniform(2);
    for (name, tensor) in &mut model.tensors {
        let is_norm = name.contains(".bn");
        if is_norm || name.ends_with(".bias") || name.ends_with(".position") {
            let lowest = match name.rsplit('.').next() {
                Some("running_var" | "weight") => 0.5,
                _ => -0.5,
            };
            tensor.data.iter_mut().for_each(|x| *x = lowest + next());
        }
    }
    model
}

fn evaluator(model: &Model, precision: Precision) -> TchEvaluator {
    TchEvaluator::new(model, &cpu(precision), 64).unwrap()
}

fn answers(evaluator: &mut dyn Evaluator, n: usize) -> EvalAnswers {
    let positions = positions(n);
    let requests: Vec<EvalRequest<'_>> = positions
        .iter()
        .map(|(position, legal_moves)| EvalRequest {
            position,
            legal_moves,
        })
        .collect();
    let mut answers = EvalAnswers::new();
    evaluator.evaluate(&requests, &mut answers).unwrap();
    assert_eq!(answers.len(), n);
    answers
}

/// The largest differences of logits and of values.
fn differences(a: &EvalAnswers, b: &EvalAnswers) -> (f32, f32) {
    let (mut of_logits, mut of_values) = (0.0_f32, 0.0_f32);
    for i in 0..a.len().min(b.len()) {
        let ((logits, wdl), (other_logits, other_wdl)) = (a.get(i), b.get(i));
        assert_eq!(logits.len(), other_logits.len());
        for (x, y) in logits.iter().zip(other_logits) {
            of_logits = of_logits.max((x - y).abs());
        }
        for (x, y) in [(wdl.win, other_wdl.win), (wdl.draw, other_wdl.draw)] {
            of_values = of_values.max((x - y).abs());
        }
    }
    (of_logits, of_values)
}

#[track_caller]
fn check_close(a: &EvalAnswers, b: &EvalAnswers, of_logits: f32, of_values: f32) {
    let found = differences(a, b);
    assert!(found.0 < of_logits && found.1 < of_values, "{found:?}");
}

#[test]
fn folded_evaluator_agrees_with_the_training_network() {
    check_folded(&model(), 0.05);
    // Bfloat16 rounds at every layer, and here are more of them.
    check_folded(&model_of(tiny_with_all_parts()), 0.2);
}

#[track_caller]
fn check_folded(model: &Model, of_logits: f32) {
    let mut naive = NaiveEvaluator::new(model).unwrap();
    let two = answers(&mut naive, 2);
    assert_ne!(
        two.get(0).1,
        two.get(1).1,
        "a net without opinions proves nothing"
    );
    for n in [1, 8, 64] {
        let expected = answers(&mut naive, n);
        let exact = answers(&mut evaluator(model, Precision::F32), n);
        check_close(&exact, &expected, 1e-4, 1e-4);
        let short = answers(&mut evaluator(model, Precision::Bf16), n);
        check_close(&short, &expected, of_logits, 0.005);
    }
}

#[test]
fn openvino_agrees_with_the_training_network() {
    let Ok(library) = OpenVino::load() else {
        eprintln!("no OpenVINO here: nothing compared");
        return;
    };
    for shape in [tiny(), tiny_with_all_parts()] {
        let model = model_of(shape);
        let mut naive = NaiveEvaluator::new(&model).unwrap();
        let options = EvaluatorOptions {
            precision: Precision::F32,
            ..EvaluatorOptions::default()
        };
        let net = OnnxNet::from_model(&model);
        let mut openvino = OpenVinoEvaluator::new(&library, net, &options).unwrap();
        for n in [1, 64] {
            let (found, expected) = (answers(&mut openvino, n), answers(&mut naive, n));
            check_close(&found, &expected, 1e-4, 1e-4);
        }
    }
}

#[test]
fn padding_and_neighbours_change_nothing() {
    let model = model();
    for precision in [Precision::F32, Precision::Bf16] {
        let mut evaluator = evaluator(&model, precision);
        let whole = answers(&mut evaluator, 8);
        for n in 4..8 {
            let padded = answers(&mut evaluator, n);
            assert_eq!(differences(&whole, &padded), (0.0, 0.0), "{n} of 8");
        }
    }
}

#[test]
fn requests_of_any_size_are_answered_in_order() {
    let model = model();
    let mut small = TchEvaluator::new(&model, &cpu(Precision::F32), 8).unwrap();
    let mut large = TchEvaluator::new(&model, &cpu(Precision::F32), 256).unwrap();
    assert!(answers(&mut small, 0).is_empty());
    for n in [3, 11, 100] {
        let (small, large) = (answers(&mut small, n), answers(&mut large, n));
        check_close(&small, &large, 1e-4, 1e-4);
    }
}

#[test]
fn gradient_tracking_is_as_before_after_an_evaluation() {
    answers(&mut evaluator(&model(), Precision::F32), 1);
    let x = Tensor::from_slice(&[1.0_f32]).set_requires_grad(true);
    assert!((x * 2.0).requires_grad());
}

#[track_caller]
fn check_batches(n: usize, max_batch: usize, padding_is_free: bool, expected: &[usize]) {
    let mut left = n;
    let mut found = Vec::new();
    while 0 < left {
        let size = next_batch(left, max_batch, padding_is_free);
        found.push(size);
        left = left.saturating_sub(size);
    }
    assert_eq!(found, expected);
}

#[test]
fn batches_have_few_sizes_and_little_padding() {
    check_batches(1, 64, false, &[1]);
    check_batches(3, 64, false, &[1, 1, 1]);
    check_batches(4, 64, false, &[8]);
    check_batches(64, 64, false, &[64]);
    check_batches(47, 64, false, &[32, 8, 8]);
    check_batches(5, 4, false, &[1, 1, 1, 1, 1]);
    check_batches(200, 64, false, &[64, 64, 64, 8]);
    check_batches(3, 64, true, &[8]);
    check_batches(200, 256, true, &[256]);
    check_batches(200, 64, true, &[64, 64, 64, 8]);
}

#[test]
fn an_absent_device_is_an_error() {
    let placement = Placement {
        device: ComputeDevice::Cuda(99),
        ..Placement::default()
    };
    let error = TchEvaluator::new(&model(), &placement, 8).err().unwrap();
    let start = "device cuda:99 is absent: libtorch ";
    assert!(error.to_string().starts_with(start), "{error}");
}
