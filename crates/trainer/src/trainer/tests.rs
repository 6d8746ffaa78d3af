use super::*;
use crate::auxiliary::AuxiliaryLosses;
use crate::options::{AuxiliaryOptions, OptimizerOptions, SgdOptions};
use crate::testing::{
    Folder, all_heads, batch, batch_with_auxiliary, cpu, tiny, tiny_with_all_parts,
};
use data::N_LABELS;
use model::NamedTensor;
use std::collections::BTreeMap;

fn trainer(precision: Precision) -> Trainer {
    Trainer::new(tiny(), &options(), &cpu(precision), 1).unwrap()
}

fn options() -> TrainOptions {
    TrainOptions {
        warmup_steps: 4,
        learning_rate: 3e-3,
        ..TrainOptions::default()
    }
}

fn with_heads() -> TrainOptions {
    TrainOptions {
        auxiliary: all_heads(),
        ..options()
    }
}

fn largest_difference(a: &BTreeMap<String, NamedTensor>, b: &BTreeMap<String, NamedTensor>) -> f32 {
    let differences = a.iter().flat_map(|(name, tensor)| {
        let other = b[name].data.iter();
        tensor.data.iter().zip(other).map(|(x, y)| (x - y).abs())
    });
    differences.fold(0.0, f32::max)
}

#[test]
fn loss_falls_on_one_repeated_batch() {
    let cases = [
        (tiny(), Precision::F32),
        (tiny(), Precision::Bf16),
        (tiny_with_all_parts(), Precision::F32),
        (tiny_with_all_parts(), Precision::Bf16),
    ];
    for (shape, precision) in cases {
        let mut trainer = Trainer::new(shape, &options(), &cpu(precision), 1).unwrap();
        let batch = batch(32, 1);
        let first = trainer.step(&batch).unwrap();
        for _ in 0..60 {
            trainer.step(&batch).unwrap();
        }
        let last = trainer.step(&batch).unwrap();
        assert_eq!((last.step, last.samples), (62, 62 * 32));
        assert!(
            last.loss.policy_kl < 0.7 * first.loss.policy_kl,
            "{precision:?} {first:?} {last:?}"
        );
        assert!(
            last.loss.value_loss < first.loss.value_loss - 0.02,
            "{precision:?} {first:?} {last:?}"
        );
    }
}

#[test]
fn every_parameter_of_every_part_learns() {
    for precision in [Precision::F32, Precision::Bf16] {
        let shape = tiny_with_all_parts();
        let options = TrainOptions {
            weight_decay: 0.0,
            ..options()
        };
        let mut trainer = Trainer::new(shape, &options, &cpu(precision), 1).unwrap();
        let before = trainer.raw_model().tensors;
        // The last layers are zero at first, and let nothing through.
        for i in 0..3 {
            trainer.step(&batch(16, i)).unwrap();
        }
        for (name, tensor) in trainer.raw_model().tensors {
            assert_ne!(before[&name], tensor, "{name} {precision:?}");
        }
    }
}

#[test]
fn both_precisions_learn_alike() {
    let [exact, short] = [Precision::F32, Precision::Bf16].map(|precision| {
        let mut trainer = trainer(precision);
        let reports = (0..20).map(|i| trainer.step(&batch(32, i)).unwrap());
        reports
            .map(|report| report.loss.policy_loss)
            .collect::<Vec<f64>>()
    });
    for (exact, short) in exact.iter().zip(&short) {
        assert!((exact - short).abs() < 0.02, "{exact} {short}");
    }
}

#[test]
fn first_loss_is_that_of_an_untrained_net() {
    let report = trainer(Precision::F32).step(&batch(32, 1)).unwrap();
    assert!((report.loss.value_loss - 3.0_f64.ln()).abs() < 1e-6);
    assert!((report.loss.policy_loss - report.loss.policy_entropy).abs() < 1e-5);
    assert_eq!(report.learning_rate, 3e-3 / 4.0);
}

#[track_caller]
fn check_resumes(shape: NetShape, precision: Precision, options: &TrainOptions) {
    let folder = Folder::new(&format!("resume-{precision:?}"));
    let file = folder.file("checkpoint.safetensors");
    let mut straight = Trainer::new(shape, options, &cpu(precision), 1).unwrap();
    let mut halves = Trainer::new(shape, options, &cpu(precision), 1).unwrap();
    let batch = if options.auxiliary.is_any() {
        batch_with_auxiliary
    } else {
        batch
    };
    for i in 0..20 {
        if i == 10 {
            let note = serde_json::json!({ "next": 10 });
            halves.checkpoint(note.clone()).save(&file).unwrap();
            let checkpoint = Checkpoint::load(&file).unwrap();
            assert_eq!(checkpoint.manifest.note, note);
            halves = Trainer::resume(&checkpoint, options, &cpu(precision)).unwrap();
        }
        let batch = batch(16, i);
        assert_eq!(straight.step(&batch).unwrap(), halves.step(&batch).unwrap());
    }
    let end = |trainer: &Trainer| trainer.checkpoint(serde_json::Value::Null);
    assert_eq!(end(&straight), end(&halves));
    assert_eq!(halves.steps(), 20);
    assert_eq!(halves.samples(), 320);
}

#[test]
fn resumed_training_equals_straight_training() {
    let sgd = TrainOptions {
        optimizer: OptimizerOptions::Sgd(SgdOptions::default()),
        learning_rate: 0.02,
        ..options()
    };
    for precision in [Precision::F32, Precision::Bf16] {
        check_resumes(tiny(), precision, &options());
        check_resumes(tiny(), precision, &sgd);
        check_resumes(tiny_with_all_parts(), precision, &options());
        check_resumes(tiny(), precision, &with_heads());
    }
}

#[test]
fn moments_of_another_optimizer_are_refused() {
    let checkpoint = trainer(Precision::F32).checkpoint(serde_json::Value::Null);
    let options = TrainOptions {
        optimizer: OptimizerOptions::Sgd(SgdOptions::default()),
        ..options()
    };
    let error = Trainer::resume(&checkpoint, &options, &cpu(Precision::F32)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the checkpoint has moments mean, mean_square, this optimizer needs velocity"
    );
}

#[test]
fn a_batch_with_a_nan_changes_nothing() {
    for precision in [Precision::F32, Precision::Bf16] {
        let mut trainer = trainer(precision);
        trainer.step(&batch(8, 1)).unwrap();
        let before = trainer.checkpoint(serde_json::Value::Null);
        let poisoned: [fn(&mut Batch); 4] = [
            |batch| batch.board[[3, 0, 0]] = f32::NAN,
            |batch| batch.hands[[3, 0]] = f32::INFINITY,
            |batch| batch.policy[[3, 0]] = f32::NAN,
            |batch| batch.wdl[[3, 0]] = f32::NAN,
        ];
        for poison in poisoned {
            let mut batch = batch(8, 2);
            poison(&mut batch);
            let error = trainer.step(&batch).unwrap_err();
            assert!(
                matches!(error, TrainError::NonFinite { step: 2, .. }),
                "{error}"
            );
            let after = trainer.checkpoint(serde_json::Value::Null);
            assert!(before == after, "{precision:?}");
        }
        assert_eq!(trainer.step(&batch(8, 2)).unwrap().step, 2);
    }
}

#[test]
fn average_forgets_the_start_quickly_and_follows_slowly_later() {
    let mut trainer = trainer(Precision::F32);
    let start = trainer.model().tensors;
    trainer.step(&batch(8, 1)).unwrap();
    let (raw, average) = (trainer.raw_model().tensors, trainer.model().tensors);
    for (name, tensor) in &average {
        for (i, &found) in tensor.data.iter().enumerate() {
            // The first decay is 1 / 10.
            let expected = 0.1 * start[name].data[i] + 0.9 * raw[name].data[i];
            let scale = 1.0 + expected.abs();
            assert!((found - expected).abs() < 1e-6 * scale, "{name} {i}");
        }
    }
    for i in 0..40 {
        trainer.step(&batch(8, i)).unwrap();
    }
    let before = trainer.model().tensors;
    trainer.step(&batch(8, 99)).unwrap();
    let (raw, after) = (trainer.raw_model().tensors, trainer.model().tensors);
    // After 41 steps the decay is 42 / 51.
    let moved = largest_difference(&after, &before) / largest_difference(&raw, &before);
    assert!((moved - 9.0 / 51.0).abs() < 1e-3, "{moved}");
}

#[test]
fn averaged_net_is_consistent_with_its_running_statistics() {
    let mut trainer = trainer(Precision::F32);
    let batch = batch(64, 1);
    for _ in 0..100 {
        trainer.step(&batch).unwrap();
    }
    let train = trainer.step(&batch).unwrap().loss;
    let averaged = trainer.evaluate(&batch).unwrap();
    assert!(
        (train.policy_loss - averaged.policy_loss).abs() < 0.1,
        "{train:?} {averaged:?}"
    );
    assert!((train.value_loss - averaged.value_loss).abs() < 0.1);
}

#[test]
fn evaluation_changes_nothing() {
    let mut trainer = trainer(Precision::F32);
    trainer.step(&batch(8, 1)).unwrap();
    let before = trainer.checkpoint(serde_json::Value::Null);
    let report = trainer.evaluate(&batch(8, 2)).unwrap();
    assert_eq!(report, trainer.evaluate(&batch(8, 2)).unwrap());
    assert_eq!(before, trainer.checkpoint(serde_json::Value::Null));
}

#[test]
fn large_gradients_are_clipped_and_small_ones_are_not() {
    for (clip_norm, clipped) in [(1e-3, true), (1e3, false)] {
        let options = TrainOptions {
            clip_norm,
            optimizer: OptimizerOptions::Sgd(SgdOptions { momentum: 0.0 }),
            learning_rate: 1.0,
            warmup_steps: 0,
            weight_decay: 0.0,
            ..TrainOptions::default()
        };
        let mut trainer = Trainer::new(tiny(), &options, &cpu(Precision::F32), 1).unwrap();
        let before = trainer.weights.parameters.copy();
        let report = trainer.step(&batch(8, 1)).unwrap();
        assert_eq!(report.clipped, clipped);
        let moved = (&trainer.weights.parameters - before)
            .norm()
            .double_value(&[]);
        let expected = report.gradient_norm.min(clip_norm);
        assert!((moved / expected - 1.0).abs() < 1e-3, "{moved} {expected}");
    }
}

#[test]
fn training_goes_on_from_a_model() {
    let mut first = trainer(Precision::F32);
    for i in 0..3 {
        first.step(&batch(8, i)).unwrap();
    }
    first.set_lineage(7, 1234);
    let model = first.model();
    assert_eq!(model.check(), Ok(()));
    let manifest = &model.manifest;
    assert_eq!((manifest.steps, manifest.samples), (3, 24));
    assert_eq!((manifest.generation, manifest.games), (7, 1234));
    let mut second = Trainer::from_model(&model, &options(), &cpu(Precision::F32)).unwrap();
    assert_eq!(second.model(), model);
    assert_eq!(second.raw_model().tensors, model.tensors);
    assert_eq!(second.step(&batch(8, 3)).unwrap().step, 4);
}

#[test]
fn options_and_nets_are_checked_first() {
    let wrong = TrainOptions {
        learning_rate: -1.0,
        ..options()
    };
    let error = Trainer::new(tiny(), &wrong, &cpu(Precision::F32), 1).unwrap_err();
    let message = "learning_rate = -1: expected a number above 0";
    assert_eq!(error.to_string(), message);
    let mut model = Model::random(tiny(), 1, false);
    model.manifest.shape.channels = 9;
    let error = Trainer::from_model(&model, &options(), &cpu(Precision::F32)).unwrap_err();
    assert_eq!(error.to_string(), "the net to start from is refused");
}

#[test]
fn only_the_seed_decides_how_a_net_starts() {
    let net = |seed| {
        let trainer = Trainer::new(tiny(), &options(), &cpu(Precision::F32), seed).unwrap();
        trainer.model()
    };
    assert_eq!(net(1), net(1));
    assert_ne!(net(1), net(2));
}

#[test]
fn auxiliary_heads_learn_and_stay_out_of_the_model() {
    for precision in [Precision::F32, Precision::Bf16] {
        let mut trainer = Trainer::new(tiny(), &with_heads(), &cpu(precision), 1).unwrap();
        let batch = batch_with_auxiliary(32, 1);
        let first = trainer.step(&batch).unwrap().loss;
        for _ in 0..60 {
            trainer.step(&batch).unwrap();
        }
        let last = trainer.step(&batch).unwrap().loss;
        let losses = |loss: LossReport| {
            let AuxiliaryLosses {
                reply,
                moves_left,
                short_values,
            } = loss.auxiliary;
            [reply, moves_left, short_values].map(Option::unwrap)
        };
        let (first, last) = (losses(first), losses(last));
        assert!((first[0] - (N_LABELS as f64).ln()).abs() < 1e-4);
        assert!((first[2] - 3.0_f64.ln()).abs() < 1e-5);
        for (first, last) in first.iter().zip(last) {
            assert!(last < 0.98 * first, "{precision:?} {first} {last}");
        }
        assert_eq!(trainer.model().check(), Ok(()));
        assert_eq!(trainer.raw_model().check(), Ok(()));
    }
}

#[test]
fn an_auxiliary_head_changes_what_the_trunk_learns() {
    let trunk = |auxiliary: AuxiliaryOptions| {
        let options = TrainOptions {
            auxiliary,
            ..options()
        };
        let mut trainer = Trainer::new(tiny(), &options, &cpu(Precision::F32), 1).unwrap();
        for i in 0..3 {
            trainer.step(&batch_with_auxiliary(16, i)).unwrap();
        }
        trainer.model().tensors["stem.board.weight"].data.clone()
    };
    let heads = [
        AuxiliaryOptions::default(),
        AuxiliaryOptions {
            reply_weight: 1.0,
            ..AuxiliaryOptions::default()
        },
        AuxiliaryOptions {
            moves_left_weight: 1.0,
            ..AuxiliaryOptions::default()
        },
        AuxiliaryOptions {
            short_value_weight: 1.0,
            ..AuxiliaryOptions::default()
        },
    ];
    let trunks = heads.map(trunk);
    for (i, one) in trunks.iter().enumerate() {
        for other in &trunks[i + 1..] {
            assert!(one != other);
        }
    }
}

#[test]
fn the_total_is_what_the_losses_sum_up_to() {
    let mut trainer = Trainer::new(tiny(), &with_heads(), &cpu(Precision::F32), 1).unwrap();
    let loss = trainer.step(&batch_with_auxiliary(16, 1)).unwrap().loss;
    let AuxiliaryLosses {
        reply,
        moves_left,
        short_values,
    } = loss.auxiliary;
    let auxiliary =
        0.15 * reply.unwrap() + 0.02 * moves_left.unwrap() + 0.2 * short_values.unwrap();
    let expected = loss.policy_loss + loss.value_loss + auxiliary;
    assert!((loss.total - expected).abs() < 1e-5, "{loss:?}");
}

#[test]
fn a_batch_without_targets_for_the_heads_is_refused() {
    let mut trainer = Trainer::new(tiny(), &with_heads(), &cpu(Precision::F32), 1).unwrap();
    let error = trainer.step(&batch(8, 1)).unwrap_err();
    let message = "the network has auxiliary heads, but the batch has no targets for them";
    assert_eq!(error.to_string(), message);
    // To be scored, a net needs none.
    let report = trainer.evaluate(&batch(8, 1)).unwrap();
    assert_eq!(report.auxiliary, AuxiliaryLosses::default());
}

#[test]
fn heads_can_come_and_go_between_a_checkpoint_and_the_next_step() {
    let mut trainer = Trainer::new(tiny(), &with_heads(), &cpu(Precision::F32), 1).unwrap();
    trainer.step(&batch_with_auxiliary(8, 1)).unwrap();
    let checkpoint = trainer.checkpoint(serde_json::Value::Null);
    let mut without = Trainer::resume(&checkpoint, &options(), &cpu(Precision::F32)).unwrap();
    assert_eq!(without.model(), trainer.model());
    without.step(&batch(8, 2)).unwrap();
    let checkpoint = without.checkpoint(serde_json::Value::Null);
    assert_eq!(checkpoint.check(), Ok(()));
    let mut again = Trainer::resume(&checkpoint, &with_heads(), &cpu(Precision::F32)).unwrap();
    assert_eq!(again.model(), without.model());
    let loss = again.step(&batch_with_auxiliary(8, 3)).unwrap().loss;
    let reply = loss.auxiliary.reply.unwrap();
    assert!((reply - (N_LABELS as f64).ln()).abs() < 1e-4);
}

#[test]
fn predictions_are_what_evaluation_scores() {
    let mut trainer = trainer(Precision::F32);
    let batch = batch(16, 1);
    trainer.step(&batch).unwrap();
    let predictions = trainer.predict(&batch).unwrap();
    let report = trainer.evaluate(&batch).unwrap();
    let loss: f32 = (&batch.outcome * &predictions.wdl.mapv(f32::ln)).sum() / -16.0;
    assert!((f64::from(loss) - report.outcome_loss).abs() < 1e-5);
    for row in 0..16 {
        let policy = predictions.policy.row(row);
        assert!((policy.sum() - 1.0).abs() < 1e-5);
        let illegal = policy.iter().zip(batch.legal.row(row));
        assert!(
            illegal
                .filter(|(_, legal)| **legal == 0.0)
                .all(|(p, _)| *p == 0.0)
        );
        assert!((0.0..=1.0).contains(&predictions.illegal_mass[row]));
    }
}
