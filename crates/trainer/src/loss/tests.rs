use super::*;
use crate::auxiliary::AuxiliaryOutputs;
use crate::testing::{batch, cpu};
use model::Precision;
use tch::Device;

fn place() -> Placed {
    cpu(Precision::F32).resolve().unwrap()
}

fn outputs(n: i64, seed: i64) -> Outputs {
    let float = (Kind::Float, Device::Cpu);
    let policy = (Tensor::arange(n * N_LABELS as i64, float) * seed as f64).sin();
    let wdl = (Tensor::arange(n * 3, float) * seed as f64).cos();
    Outputs {
        policy: policy.view([n, -1]).set_requires_grad(true),
        wdl: wdl.view([n, 3]).set_requires_grad(true),
        auxiliary: AuxiliaryOutputs::default(),
    }
}

fn report(outputs: &Outputs, batch: &Batch) -> Result<LossReport, TrainError> {
    let batch = BatchTensors::new(batch, &place())?;
    let (report, _) = Losses::new(outputs, &batch, &TrainOptions::default()).read(1, &[])?;
    Ok(report)
}

/// The same by plain loops in float64.
fn expected_policy_loss(outputs: &Outputs, batch: &Batch) -> (f64, f64) {
    let (mut loss, mut entropy, mut weights) = (0.0, 0.0, 0.0);
    for i in 0..batch.policy_weight.len() {
        let logits = crate::layout::to_vec(&outputs.policy.get(i as i64));
        let legal: Vec<usize> = (0..N_LABELS)
            .filter(|&l| batch.legal[[i, l]] == 1.0)
            .collect();
        let total: f64 = legal.iter().map(|&l| f64::from(logits[l]).exp()).sum();
        let weight = f64::from(batch.policy_weight[i]);
        weights += weight;
        for &label in &legal {
            let log_probability = f64::from(logits[label]) - total.ln();
            loss -= weight * f64::from(batch.policy[[i, label]]) * log_probability;
            entropy -= weight * log_probability.exp() * log_probability;
        }
    }
    (loss / weights, entropy / weights)
}

#[test]
fn policy_loss_is_the_cross_entropy_over_legal_moves() {
    let (outputs, batch) = (outputs(8, 3), batch(8, 1));
    let report = report(&outputs, &batch).unwrap();
    let (loss, entropy) = expected_policy_loss(&outputs, &batch);
    assert!(
        (report.policy_loss - loss).abs() < 1e-4,
        "{report:?} {loss}"
    );
    assert!(
        (report.policy_entropy - entropy).abs() < 1e-4,
        "{report:?} {entropy}"
    );
    assert!(0.0 < report.policy_kl);
}

#[test]
fn a_policy_equal_to_its_target_has_no_divergence_and_full_agreement() {
    let batch = batch(8, 1);
    let mut outputs = outputs(8, 3);
    let target = Tensor::from_slice(batch.policy.as_slice().unwrap()).view([8, -1]);
    outputs.policy = (target + 1e-20).log();
    let report = report(&outputs, &batch).unwrap();
    assert!(report.policy_kl.abs() < 1e-5, "{report:?}");
    assert!((report.policy_entropy - report.policy_target_entropy).abs() < 1e-4);
    assert_eq!(report.policy_top1, 1.0);
}

#[test]
fn illegal_moves_have_no_gradient() {
    let (outputs, batch) = (outputs(4, 3), batch(4, 1));
    let tensors = BatchTensors::new(&batch, &place()).unwrap();
    let losses = Losses::new(&outputs, &tensors, &TrainOptions::default());
    let gradient = Tensor::run_backward(&[&losses.total], &[&outputs.policy], false, false);
    let gradient = crate::layout::to_vec(&gradient[0]);
    let with_target = |i: usize| batch.policy_weight[i / N_LABELS] == 1.0;
    for (i, (&gradient, &legal)) in gradient.iter().zip(&batch.legal).enumerate() {
        let moves = legal == 1.0 && with_target(i);
        assert_eq!(gradient != 0.0, moves, "element {i}: {gradient}");
    }
}

#[test]
fn value_loss_is_weighted_and_its_sign_counts_decided_games() {
    let mut batch = batch(5, 1);
    batch.wdl.fill(0.0);
    batch.wdl.column_mut(0).fill(1.0);
    batch.value_weight.fill(0.0);
    batch.value_weight[1] = 2.0;
    let wdl = [3.0_f32, 0.0, 1.0].repeat(5);
    let outputs = Outputs {
        wdl: Tensor::from_slice(&wdl).view([5, 3]),
        ..outputs(5, 3)
    };
    let report = report(&outputs, &batch).unwrap();
    let log_sum = (3.0_f64.exp() + 1.0 + 1.0_f64.exp()).ln();
    assert!((report.value_loss - (log_sum - 3.0)).abs() < 1e-6);
    // Results: won, lost, lost, won, drawn.
    assert_eq!(report.value_sign, Some(0.5));
    let outcome_loss = log_sum - (2.0 * 3.0 + 2.0 * 1.0) / 5.0;
    assert!((report.outcome_loss - outcome_loss).abs() < 1e-6);
}

#[test]
fn a_batch_without_targets_or_decided_games_has_no_loss_and_no_sign() {
    let mut batch = batch(4, 1);
    batch.policy.fill(0.0);
    batch.policy_weight.fill(0.0);
    batch.value_weight.fill(0.0);
    batch.outcome.fill(0.0);
    batch.outcome.column_mut(1).fill(1.0);
    let report = report(&outputs(4, 3), &batch).unwrap();
    assert_eq!((report.policy_loss, report.value_loss), (0.0, 0.0));
    assert_eq!(report.value_sign, None);
}

#[test]
fn targets_for_illegal_moves_are_refused() {
    let mut batch = batch(4, 1);
    let label = (0..N_LABELS).find(|&l| batch.legal[[0, l]] == 0.0).unwrap();
    batch.policy[[0, label]] = 0.25;
    let error = report(&outputs(4, 3), &batch).unwrap_err();
    assert_eq!(
        error.to_string(),
        "step 1: the batch's policy targets give 0.25 to illegal moves, expected 0; the step was \
         not taken"
    );
}

#[test]
fn batches_of_another_shape_are_refused() {
    let mut wrong = batch(4, 1);
    wrong.wdl = ndarray::Array2::zeros((4, 2));
    let error = report(&outputs(4, 3), &wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        "batch.wdl has shape [4, 2], expected [4, 3]"
    );
    let error = report(&outputs(1, 3), &batch(0, 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "batch.board has shape [0, 62, 81], expected [1, 62, 81]"
    );
}
