//! A run that goes on with another net.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::Model;

use crate::program::{check_refused, json_of, narikin, stderr, test_folder, text};
use crate::train::trained;

/// A run with a few nets.
#[track_caller]
fn run_of(name: &str) -> PathBuf {
    let folder = test_folder(name).join("run");
    trained(&folder, &["budget.games=160", "learn.publish_samples=2048"]);
    folder
}

/// Games of the run so far.
fn games_of(folder: &Path) -> u64 {
    let status = json_of(&["status", "--json", text(folder)]);
    status["progress"]["games"].as_u64().unwrap()
}

fn grow(folder: &Path, score: &str) -> Command {
    let mut command = narikin();
    command.args(["grow", "--device", "cpu", "--epochs", "1", "--games", "20"]);
    command.args(["--set", "net.channels=12", "--set", "net.squeeze_ratio=3"]);
    command.args(["--least-score", score, "--run", text(folder)]);
    command
}

fn current(folder: &Path) -> Model {
    let name = fs::read_to_string(folder.join("models/current")).unwrap();
    Model::load(&folder.join("models").join(name.trim())).unwrap()
}

#[test]
fn a_run_goes_on_with_the_grown_net() {
    let folder = run_of("grow-better");
    let before = current(&folder).manifest;
    let output = grow(&folder, "0").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let grown = current(&folder).manifest;
    assert_eq!((grown.shape.channels, grown.shape.squeeze_ratio), (12, 3));
    assert_eq!(grown.generation, before.generation + 1);
    assert!(!folder.join("growing").exists());
    let config = folder.join("config.toml");
    let mut command = narikin();
    command.args([
        "train",
        "--threads",
        "2",
        "--device",
        "cpu",
        "--run",
        text(&folder),
    ]);
    // A fast player may have gone beyond the first budget.
    let budget = format!("budget.games={}", games_of(&folder) + 100);
    command.args(["--config", text(&config), "--set", &budget]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let later = current(&folder).manifest;
    assert_eq!(later.shape, grown.shape);
    assert!(grown.generation < later.generation && grown.steps < later.steps);
}

#[test]
fn a_net_that_is_not_better_changes_nothing_and_the_next_try_goes_on() {
    let folder = run_of("grow-worse");
    let before = current(&folder);
    let config = fs::read_to_string(folder.join("config.toml")).unwrap();
    for _ in 0..2 {
        // Nets like these do not win twenty games in a row.
        let output = grow(&folder, "1").output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
        assert!(current(&folder) == before);
        let now = fs::read_to_string(folder.join("config.toml")).unwrap();
        assert_eq!(now, config);
    }
    let tries = fs::read_dir(folder.join("growing")).unwrap().count();
    assert_eq!(tries, 1, "the same games are the same try");
}

#[test]
fn only_another_net_can_grow() {
    let folder = run_of("grow-refused");
    let run = text(&folder);
    check_refused(
        &["grow", "--run", run, "--set", "net.channels=8"],
        3,
        &["the run has 1 blocks, 8 channels already"],
    );
    check_refused(
        &["grow", "--run", run, "--set", "learn.batch=8"],
        3,
        &["learn.batch differ, but only keys of `net` can grow"],
    );
    let nowhere = folder.join("nowhere");
    check_refused(
        &["grow", "--run", text(&nowhere), "--set", "net.channels=12"],
        3,
        &["is neither empty nor a run folder"],
    );
}
