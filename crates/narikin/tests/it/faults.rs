//! Faults that are built into a quick run are each reported by a sentinel, and a sound run is not.

use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::program::{narikin, stderr, test_folder, text};
use crate::train::events;

/// A small net whose runs show within a minute or two what they are worth.
const QUICK: [&str; 17] = [
    "net.blocks=1",
    "net.channels=16",
    "net.value_channels=2",
    "net.value_hidden=16",
    "search.visits=5",
    "stages=[{from_games=0,visits=1},{from_games=500,visits=5,c_scale=0.5}]",
    "selfplay.games_at_once=16",
    "selfplay.max_ply=200",
    "learn.blind_games=500",
    "learn.batch=64",
    "learn.start_positions=5000",
    "learn.publish_samples=8000",
    "learn.window_min=20000",
    "learn.window_max=60000",
    "train.learning_rate=4e-3",
    "measure.every_minutes=0",
    "measure.final_games=0",
];

/// Training rows after which a fault must have been reported.
const SAMPLES: &str = "160000";

/// Names of the sentinels that have spoken.
fn spoken(folder: &Path) -> Vec<String> {
    let warnings = events(folder, "warning");
    let names = warnings.iter().filter(|warning| warning["over"] == false);
    names
        .map(|warning| warning["sentinel"].as_str().unwrap().to_owned())
        .collect()
}

/// Runs until a sentinel called one of `wanted` speaks, or until the budget is spent. Returns all that
/// have spoken.
fn run_until(name: &str, fault: Option<&str>, wanted: &[&str]) -> Vec<String> {
    let folder = test_folder(name);
    let mut command = narikin();
    command.args([
        "train",
        "--threads",
        "2",
        "--samples",
        SAMPLES,
        "--run",
        text(&folder),
    ]);
    for setting in QUICK {
        command.args(["--set", setting]);
    }
    if let Some(fault) = fault {
        command.args(["--set", &format!("fault={fault}")]);
    }
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let is_wanted = |spoken: &String| wanted.contains(&spoken.as_str());
    while child.try_wait().unwrap().is_none() {
        if spoken(&folder).iter().any(is_wanted) {
            child.kill().unwrap();
            child.wait().unwrap();
            return spoken(&folder);
        }
        thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    spoken(&folder)
}

#[track_caller]
fn check_reported(fault: &str, sentinels: &[&str]) {
    let spoken = run_until(&format!("fault-{fault}"), Some(fault), sentinels);
    let is_reported = spoken.iter().any(|name| sentinels.contains(&name.as_str()));
    assert!(is_reported, "{fault}: only {spoken:?} spoke");
}

fn slow_tests_are_off() -> bool {
    std::env::var_os("RUN_SLOW_TESTS").is_none()
}

#[test]
fn zeroed_learning_is_reported() {
    check_reported("no-learning", &["no-learning"]);
}

#[test]
fn frozen_players_are_reported() {
    check_reported("frozen-players", &["frozen-players"]);
}

#[test]
fn a_flipped_value_is_reported() {
    if slow_tests_are_off() {
        return;
    }
    check_reported("flipped-value", &["net-disagreement", "search-value-sign"]);
}

#[test]
fn swapped_planes_are_reported() {
    if slow_tests_are_off() {
        return;
    }
    check_reported("swapped-planes", &["net-disagreement"]);
}

#[test]
fn shuffled_labels_are_reported() {
    if slow_tests_are_off() {
        return;
    }
    check_reported("shuffled-labels", &["policy-learns-nothing"]);
}

#[test]
fn a_sound_run_raises_none_of_these_alarms() {
    if slow_tests_are_off() {
        return;
    }
    let faults = [
        "no-learning",
        "frozen-players",
        "net-disagreement",
        "search-value-sign",
        "value-sign",
        "policy-learns-nothing",
    ];
    let spoken = run_until("fault-none", None, &faults);
    assert!(
        !spoken.iter().any(|name| faults.contains(&name.as_str())),
        "{spoken:?}"
    );
}
