use std::path::Path;

use model::Precision;
use trainer::{ComputeDevice, Placement, TrainOptions};

use super::*;
use crate::testing::{games, test_folder, tiny_shape};

const CPU: Placement = Placement {
    device: ComputeDevice::Cpu,
    threads: 1,
    precision: Precision::F32,
};

/// Some games in the window.
fn intake(folder: &Path) -> Intake {
    let mut intake = Intake::open(folder, SampleOptions::default(), |_| 1000, None).unwrap();
    for game in games(1, 5) {
        intake.store(game).unwrap();
    }
    intake.admit(1000);
    intake
}

fn untrained() -> Trainer {
    Trainer::new(tiny_shape(), &TrainOptions::default(), &CPU, 1).unwrap()
}

fn learner(trainer: Trainer, state: &RunState) -> Learner {
    let options = LoopOptions {
        batch: 8,
        ..LoopOptions::default()
    };
    Learner::new(trainer, options, SampleOptions::default(), None, state)
}

#[test]
fn a_learner_goes_on_from_a_checkpoint_as_one_that_is_resumed_from_it() {
    let folder = test_folder("learner-resume");
    let intake = intake(&folder);
    let checkpoints = Checkpoints::in_folder(folder);
    let mut straight = learner(untrained(), &RunState::first(1));
    for _ in 0..3 {
        straight.step(&intake).unwrap();
    }
    let state = RunState {
        sampling: straight.sampling().clone(),
        ..RunState::first(1)
    };
    straight.save(&checkpoints, &state).unwrap();
    let (checkpoint, state) = checkpoints.newest::<RunState>().unwrap().unwrap();
    let trainer = Trainer::resume(&checkpoint, &TrainOptions::default(), &CPU).unwrap();
    let mut resumed = learner(trainer, &state);
    for _ in 0..3 {
        straight.step(&intake).unwrap();
        resumed.step(&intake).unwrap();
    }
    assert_eq!(straight.sampling(), resumed.sampling());
    assert_eq!(straight.steps(), 6);
    assert!(straight.publish(1, 5) == resumed.publish(1, 5));
}
