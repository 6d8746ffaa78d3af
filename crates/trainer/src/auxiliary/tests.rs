use super::*;
use crate::layout::to_vec;
use crate::testing::{all_heads, batch_with_auxiliary, tiny};
use data::{AuxiliaryBatch, Batch};
use tch::{Device, Kind};

fn targets(batch: &Batch) -> (&AuxiliaryBatch, AuxiliaryTensors) {
    let auxiliary = batch.auxiliary.as_ref().unwrap();
    let tensors = AuxiliaryTensors::new(auxiliary, |_, array, shape, _| {
        let shape: Vec<i64> = shape.iter().map(|&len| len as i64).collect();
        let tensor = Tensor::from_slice(array.unwrap()).view(shape.as_slice());
        Ok::<Tensor, ()>(tensor)
    });
    (auxiliary, tensors.unwrap())
}

fn waves(n: i64, row: i64) -> Tensor {
    let numbers = Tensor::arange(n * row, (Kind::Float, Device::Cpu));
    (numbers * 1.7).sin().view([n, row])
}

/// Cross-entropy of a row of logits, by plain loops in float64.
fn cross_entropy_of(logits: &[f32], target: &[f32]) -> f64 {
    let total: f64 = logits.iter().map(|&x| f64::from(x).exp()).sum();
    let rows = logits.iter().zip(target);
    rows.map(|(&x, &p)| f64::from(p) * (total.ln() - f64::from(x)))
        .sum()
}

#[test]
fn losses_are_means_over_the_samples_whose_game_is_known() {
    let batch = batch_with_auxiliary(8, 1);
    let (auxiliary, tensors) = targets(&batch);
    let outputs = AuxiliaryOutputs {
        reply: Some(waves(8, N_LABELS as i64)),
        moves_left: Some(waves(8, 1)),
        short_values: Some(waves(8, 6)),
    };
    let (mut reply, mut moves_left, mut short) = (0.0, 0.0, 0.0);
    let known: Vec<usize> = (0..8).filter(|i| i % 3 != 2).collect();
    for &i in &known {
        let row = |tensor: &Option<Tensor>| to_vec(&tensor.as_ref().unwrap().get(i as i64));
        let target = auxiliary.reply.row(i).to_vec();
        reply += cross_entropy_of(&row(&outputs.reply), &target);
        let plies = f64::from(auxiliary.moves_left[i]) / 100.0;
        let off = (f64::from(row(&outputs.moves_left)[0]) - plies).abs();
        moves_left += if off < 1.0 {
            off * off / 2.0
        } else {
            off - 0.5
        };
        let logits = row(&outputs.short_values);
        let target = auxiliary.short_wdl.row(i).to_vec();
        for (logits, target) in logits.chunks(3).zip(target.chunks(3)) {
            short += cross_entropy_of(logits, target) / 2.0;
        }
    }
    let losses = outputs.losses(&tensors);
    let numbers: Vec<f64> = losses
        .present()
        .map(|loss| loss.double_value(&[]))
        .collect();
    let found = losses.read(&numbers);
    let n = known.len() as f64;
    let expected = [reply / n, moves_left / n, short / n];
    let found = [found.reply, found.moves_left, found.short_values].map(Option::unwrap);
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
    let total = losses.added_to(Tensor::from(1.0_f32), &all_heads());
    let expected = 1.0 + 0.15 * found[0] + 0.02 * found[1] + 0.2 * found[2];
    assert!((total.double_value(&[]) - expected).abs() < 1e-4);
}

#[test]
fn heads_without_weight_are_not_there() {
    let options = AuxiliaryOptions::default();
    assert!(!options.is_any());
    assert_eq!(auxiliary_tensors(&tiny(), &options), []);
    let options = AuxiliaryOptions {
        moves_left_weight: 0.1,
        ..options
    };
    assert!(options.is_any());
    let expected = [
        ("auxiliary.moves_left.weight".to_owned(), vec![1, 8]),
        ("auxiliary.moves_left.bias".to_owned(), vec![1]),
    ];
    assert_eq!(auxiliary_tensors(&tiny(), &options), expected);
    let batch = batch_with_auxiliary(4, 1);
    let outputs = AuxiliaryOutputs {
        moves_left: Some(waves(4, 1)),
        ..AuxiliaryOutputs::default()
    };
    let losses = outputs.losses(&targets(&batch).1);
    let found = losses.read(&[0.5]);
    assert_eq!(found.moves_left, Some(0.5));
    assert_eq!((found.reply, found.short_values), (None, None));
}
