use std::fs;

use super::*;
use crate::testing::test_folder;

#[track_caller]
fn check_refused(path: &Path, config: &Config, expected: &str) {
    let error = RunFolder::create_or_open(path, config)
        .unwrap_err()
        .to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_new_run_has_its_config_description_and_folders() {
    let path = test_folder("run-new").join("first");
    let config = Config::default();
    RunFolder::create_or_open(&path, &config).unwrap();
    assert_eq!(
        Config::load(Some(&path.join("config.toml")), &[]).unwrap(),
        config
    );
    let run: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path.join("run.json")).unwrap()).unwrap();
    assert_eq!(run["seed"], 1);
    assert_eq!(run["starts"].as_array().unwrap().len(), 1);
    for name in ["games", "checkpoints", "models", "arena", "tensorboard"] {
        assert!(path.join(name).is_dir(), "{name}");
    }
}

#[test]
fn a_second_trainer_on_one_folder_is_refused_until_the_first_has_left() {
    let path = test_folder("run-lock");
    let config = Config::default();
    let first = RunFolder::create_or_open(&path, &config).unwrap();
    check_refused(&path, &config, "another process is working in");
    drop(first);
    RunFolder::create_or_open(&path, &config).unwrap();
}

#[test]
fn a_run_continues_with_a_new_budget_but_not_with_another_search() {
    let path = test_folder("run-continue");
    let mut config = Config::default();
    drop(RunFolder::create_or_open(&path, &config).unwrap());
    config.budget.minutes += 1.0;
    drop(RunFolder::create_or_open(&path, &config).unwrap());
    assert_eq!(
        Config::load(Some(&path.join("config.toml")), &[]).unwrap(),
        config
    );
    let run = fs::read_to_string(path.join("run.json")).unwrap();
    assert_eq!(run.matches("\"commit\"").count(), 2);

    config.search.visits += 1;
    check_refused(
        &path,
        &config,
        "another configuration: search.visits differ",
    );
}

#[test]
fn a_folder_with_foreign_files_is_not_taken_for_a_run() {
    let path = test_folder("run-foreign");
    fs::write(path.join("thesis.txt"), "…").unwrap();
    check_refused(
        &path,
        &Config::default(),
        "is neither empty nor a run folder",
    );
    assert!(!path.join("config.toml").exists());
}

#[test]
fn a_start_that_was_killed_before_the_config_was_written_is_repeated() {
    let path = test_folder("run-killed");
    fs::write(path.join("lock"), "").unwrap();
    fs::write(path.join("config.toml.tmp"), "na").unwrap();
    RunFolder::create_or_open(&path, &Config::default()).unwrap();
}

#[test]
fn the_current_model_is_a_file_of_the_models_folder() {
    let path = test_folder("run-current");
    let folder = RunFolder::create_or_open(&path, &Config::default()).unwrap();
    let error = current_model(&path).unwrap_err().to_string();
    assert!(error.contains("has no net yet"), "{error}");
    folder.set_current_model("000002.safetensors").unwrap();
    assert_eq!(
        current_model(&path).unwrap(),
        folder.models().join("000002.safetensors")
    );
    folder.set_current_model("../elsewhere").unwrap();
    let error = current_model(&path).unwrap_err().to_string();
    assert!(
        error.contains("expected the name of a file in the same folder"),
        "{error}"
    );
}
