use super::*;

#[track_caller]
fn check_refused(change: impl FnOnce(&mut TrainOptions), message: &str) {
    let mut options = TrainOptions::default();
    change(&mut options);
    assert_eq!(options.check().unwrap_err().to_string(), message);
}

#[test]
fn defaults_are_in_range() {
    assert_eq!(TrainOptions::default().check(), Ok(()));
}

#[test]
fn values_out_of_range_are_named_by_dotted_key() {
    check_refused(
        |options| options.learning_rate = 0.0,
        "learning_rate = 0: expected a number above 0",
    );
    check_refused(
        |options| options.clip_norm = f64::INFINITY,
        "clip_norm = inf: expected a number above 0",
    );
    check_refused(
        |options| options.average_decay = 1.0,
        "average_decay = 1: expected a number from 0 to below 1",
    );
    check_refused(
        |options| options.weight_decay = f64::NAN,
        "weight_decay = NaN: expected a number of at least 0",
    );
    check_refused(
        |options| {
            options.decay = Decay::Halving {
                samples: 0,
                floor: 0.1,
            }
        },
        "decay.samples = 0: expected a whole number of at least 1",
    );
    check_refused(
        |options| options.optimizer = OptimizerOptions::Sgd(SgdOptions { momentum: 1.5 }),
        "optimizer.momentum = 1.5: expected a number from 0 to below 1",
    );
    check_refused(
        |options| options.auxiliary.reply_weight = -0.1,
        "auxiliary.reply_weight = -0.1: expected a number of at least 0",
    );
    check_refused(
        |options| options.auxiliary.short_value_weight = f64::INFINITY,
        "auxiliary.short_value_weight = inf: expected a number of at least 0",
    );
}

#[test]
fn unknown_keys_are_refused() {
    for text in [
        r#"{"learning_rat": 0.1}"#,
        r#"{"optimizer": {"kind": "adamw", "beta3": 0.1}}"#,
        r#"{"decay": {"kind": "cosine", "samples": 1, "floor": 0, "steps": 1}}"#,
        r#"{"optimizer": {"kind": "adam"}}"#,
    ] {
        let error = serde_json::from_str::<TrainOptions>(text).unwrap_err();
        assert!(error.to_string().starts_with("unknown "), "{text}: {error}");
    }
}

#[test]
fn options_come_back_from_json_as_they_were() {
    let options = TrainOptions {
        decay: Decay::Cosine {
            samples: 1000,
            floor: 0.1,
        },
        optimizer: OptimizerOptions::Sgd(SgdOptions { momentum: 0.8 }),
        ..TrainOptions::default()
    };
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(
        serde_json::from_str::<TrainOptions>(&text).unwrap(),
        options
    );
}

#[track_caller]
fn check_rates(decay: Decay, expected: &[(u64, f64)]) {
    let options = TrainOptions {
        learning_rate: 0.1,
        warmup_steps: 0,
        decay,
        ..TrainOptions::default()
    };
    for &(samples, rate) in expected {
        let found = options.learning_rate_at(1000, samples);
        assert!((found - rate).abs() < 1e-12, "{samples}: {found}");
    }
}

#[test]
fn learning_rate_falls_as_told() {
    check_rates(Decay::Constant, &[(0, 0.1), (1_000_000, 0.1)]);
    check_rates(
        Decay::Cosine {
            samples: 1000,
            floor: 0.2,
        },
        &[(0, 0.1), (500, 0.06), (1000, 0.02), (5000, 0.02)],
    );
    check_rates(
        Decay::Halving {
            samples: 1000,
            floor: 0.2,
        },
        &[
            (0, 0.1),
            (999, 0.1),
            (1000, 0.05),
            (2500, 0.025),
            (3000, 0.02),
        ],
    );
}

#[test]
fn warmup_rises_in_a_straight_line() {
    let options = TrainOptions {
        learning_rate: 0.1,
        warmup_steps: 4,
        ..TrainOptions::default()
    };
    let rates: Vec<f64> = (0..6)
        .map(|step| options.learning_rate_at(step, 0))
        .collect();
    assert_eq!(rates, [0.025, 0.05, 0.1 * 0.75, 0.1, 0.1, 0.1]);
}
