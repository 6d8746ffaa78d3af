use std::path::Path;

use trainer::{ComputeDevice, Placement, TrainOptions};

use super::*;
use crate::testing::{test_folder, tiny_shape};

fn trainer() -> Trainer {
    let placement = Placement {
        device: ComputeDevice::Cpu,
        ..Placement::default()
    };
    Trainer::new(tiny_shape(), &TrainOptions::default(), &placement, 1).unwrap()
}

/// An empty file that looks like the checkpoint of an earlier step.
fn older(folder: &Path, steps: u64) {
    fs::write(folder.join(format!("{steps:09}.safetensors")), "").unwrap();
}

#[test]
fn the_newest_checkpoint_comes_back_with_where_the_run_stood() {
    let checkpoints = Checkpoints::in_folder(test_folder("checkpoint-newest"));
    assert!(checkpoints.newest::<RunState>().unwrap().is_none());
    let mut state = RunState::first(7);
    state.generation = 3;
    state.published_samples = Some(12);
    state.c_scale = Some(0.5);
    state.memories = vec![PlayMemory {
        resigning: ResignMemory {
            sides: vec![(0.1, true)],
        },
        late_starts: vec![selfplay::Start(rules::Position::startpos())],
    }];
    checkpoints.save(&trainer(), &state).unwrap();
    let (checkpoint, found) = checkpoints.newest::<RunState>().unwrap().unwrap();
    assert_eq!(found, state);
    assert_eq!(checkpoint.manifest.model.steps, 0);
}

#[test]
fn a_new_checkpoint_leaves_the_last_three_and_what_is_none() {
    let folder = test_folder("checkpoint-kept");
    fs::write(folder.join("notes.safetensors"), "").unwrap();
    let checkpoints = Checkpoints::in_folder(folder.clone());
    // The one that is saved is the one after 0 steps, so all others count as newer.
    for steps in [5, 6, 7, 8] {
        older(&folder, steps);
    }
    checkpoints.save(&trainer(), &RunState::first(1)).unwrap();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let kept = ["000000006", "000000007", "000000008", "notes"];
    assert_eq!(names, kept.map(|name| format!("{name}.safetensors")));
}

#[test]
fn a_checkpoint_that_is_not_one_of_a_run_is_refused() {
    let folder = test_folder("checkpoint-foreign");
    let path = folder.join("000000000.safetensors");
    trainer()
        .checkpoint(serde_json::json!({"mine": true}))
        .save(&path)
        .unwrap();
    let error = Checkpoints::in_folder(folder)
        .newest::<RunState>()
        .unwrap_err();
    let (code, message) = crate::exit::classify(&error);
    assert_eq!(code, crate::exit::REFUSED);
    assert!(message.unwrap().contains("was not made by this command"));
}

#[test]
fn a_checkpoint_that_was_cut_short_is_refused() {
    let folder = test_folder("checkpoint-cut");
    older(&folder, 5);
    let error = Checkpoints::in_folder(folder)
        .newest::<RunState>()
        .unwrap_err();
    assert_eq!(crate::exit::classify(&error).0, crate::exit::REFUSED);
}

#[test]
fn what_early_checkpoints_knew_about_resigning_is_read() {
    let mut early = serde_json::to_value(RunState::first(1)).unwrap();
    early["resigning"] = serde_json::json!([{ "sides": [[0.25, true]] }]);
    let state: RunState = serde_json::from_value(early).unwrap();
    let memories = state.memories();
    assert_eq!(memories.len(), 1);
    assert_eq!(memories[0].resigning.sides, [(0.25, true)]);
}
