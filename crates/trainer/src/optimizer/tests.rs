use super::*;
use tch::nn::{self, OptimizerConfig};

const STEPS: u64 = 20;

fn start() -> Tensor {
    Tensor::from_slice(&[1.0_f32, -2.0, 0.5, 3.0, -0.01])
}

/// The gradient of a bowl that is steeper in later directions.
fn gradient(parameters: &Tensor) -> Tensor {
    let steepness = Tensor::from_slice(&[0.1_f32, 0.5, 1.0, 3.0, 10.0]);
    let centre = Tensor::from_slice(&[0.3_f32, 0.1, -0.2, 0.0, 0.7]);
    (parameters - centre) * steepness
}

fn ours(rule: OptimizerOptions, weight_decay: f64, n_decayed: usize) -> Tensor {
    let mut parameters = start();
    let mut optimizer = Optimizer::new(rule, 5, Device::Cpu);
    for _ in 0..STEPS {
        let gradient = gradient(&parameters);
        let update = Update {
            learning_rate: 0.05,
            weight_decay,
            n_decayed,
        };
        optimizer.update(&mut parameters, &gradient, update);
    }
    parameters
}

fn tchs(config: impl OptimizerConfig) -> Tensor {
    let store = nn::VarStore::new(Device::Cpu);
    let mut parameters = store.root().var_copy("parameters", &start());
    let mut optimizer = config.build(&store, 0.05).unwrap();
    for _ in 0..STEPS {
        let direction = gradient(&parameters.detach());
        parameters.zero_grad();
        (&parameters * direction).sum(Kind::Float).backward();
        optimizer.step();
    }
    parameters.detach()
}

#[track_caller]
fn check_close(found: &Tensor, expected: &Tensor) {
    let difference = (found - expected).abs().max().double_value(&[]);
    assert!(difference < 1e-6, "{difference}");
}

#[test]
fn adamw_agrees_with_pytorchs() {
    let rule = OptimizerOptions::Adamw(AdamwOptions::default());
    let theirs = nn::AdamW {
        wd: 0.1,
        ..nn::AdamW::default()
    };
    check_close(&ours(rule, 0.1, 5), &tchs(theirs));
}

#[test]
fn sgd_agrees_with_pytorchs() {
    let rule = OptimizerOptions::Sgd(SgdOptions { momentum: 0.8 });
    let theirs = nn::Sgd {
        momentum: 0.8,
        dampening: 0.0,
        wd: 0.0,
        nesterov: true,
    };
    check_close(&ours(rule, 0.0, 5), &tchs(theirs));
}

#[test]
fn weight_decay_leaves_later_parameters_alone() {
    let rule = || OptimizerOptions::Adamw(AdamwOptions::default());
    let (with, without) = (ours(rule(), 0.1, 2), ours(rule(), 0.0, 2));
    let equal = with.eq_tensor(&without).to_kind(Kind::Int64);
    assert_eq!(
        Vec::<i64>::try_from(equal).unwrap(),
        [0, 0, 1, 1, 1],
        "{with:?} {without:?}"
    );
}
