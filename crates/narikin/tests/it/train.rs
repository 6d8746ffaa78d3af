//! The whole loop with a tiny net: it trains, ends, goes on, and survives being killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::program::{
    check_refused, interrupted, json_of, narikin, run, stderr, test_folder, text,
};

/// A net and games so small that a generation takes a second.
const TINY: [&str; 16] = [
    "net.blocks=1",
    "net.channels=8",
    "net.value_channels=2",
    "net.value_hidden=8",
    "search.visits=3",
    "selfplay.max_ply=40",
    "selfplay.games_at_once=8",
    "train.value_weight=0.5",
    "learn.blind_games=10",
    "learn.batch=16",
    "learn.start_positions=100",
    "learn.publish_samples=128",
    "learn.unseen_positions=16",
    "measure.every_minutes=0",
    "measure.final_games=2",
    "measure.search.visits=2",
];

pub fn train(folder: &Path, more: &[&str]) -> Command {
    let mut command = narikin();
    command.args(["train", "--threads", "2", "--run", text(folder)]);
    with_settings(command, more)
}

/// Trains to the end.
#[track_caller]
pub fn trained(folder: &Path, more: &[&str]) {
    let output = train(folder, more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// `narikin train` that plays and learns in one thread.
pub fn train_in_one_thread(folder: &Path, more: &[&str]) -> Command {
    let mut command = narikin();
    command.args(["train", "--threads", "1", "--run", text(folder)]);
    with_settings(command, more)
}

/// `command` with the settings of a tiny run.
pub fn with_settings(mut command: Command, more: &[&str]) -> Command {
    for setting in TINY.iter().chain(more) {
        command.args(["--set", setting]);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Numbers of all games on disk, each of which must be there once.
#[track_caller]
pub fn game_ids(folder: &Path) -> BTreeSet<u64> {
    let mut ids = BTreeSet::new();
    for shard in data::list_shards(&folder.join("games")).unwrap() {
        for record in data::RecordReader::open(&shard.path).unwrap() {
            let id = record.unwrap().id;
            assert!(ids.insert(id), "game {id} is there twice");
        }
    }
    ids
}

/// The events of one kind, oldest first.
pub fn events(folder: &Path, kind: &str) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(folder.join("events.jsonl")).unwrap_or_default();
    let entries = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    entries
        .map(|entry: serde_json::Value| entry["event"].clone())
        .filter(|event| event["kind"] == kind)
        .collect()
}

/// Waits until the run in `folder` has published `n` nets; fails with the run's own words.
#[track_caller]
pub fn wait_for_nets(folder: &Path, n: usize, child: &mut Child) {
    while events(folder, "published").len() < n {
        assert_eq!(
            child.try_wait().unwrap(),
            None,
            "the run has ended too early"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_run_trains_publishes_nets_and_ends_with_a_table() {
    let folder = test_folder("train-whole");
    let output = train(&folder, &["budget.games=120"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let table = String::from_utf8(output.stdout).unwrap();
    for opponent in ["random", "mate1", "greedy"] {
        assert!(table.contains(opponent), "{table}");
    }
    assert!(game_ids(&folder).len() >= 120);
    let published = events(&folder, "published");
    assert!(!published.is_empty());
    let model = fs::read_to_string(folder.join("models/current")).unwrap();
    assert_eq!(published.last().unwrap()["model"], model.trim());
    let inspected = json_of(&[
        "inspect",
        "--json",
        text(&folder.join("models").join(model.trim())),
    ]);
    let manifest = inspected.to_string();
    assert!(
        manifest.contains("\"generation\":") && manifest.contains("\"samples\":"),
        "{manifest}"
    );
    let learned = events(&folder, "learned");
    for event in &learned {
        let [loss, policy, value] =
            ["loss", "policy_loss", "value_loss"].map(|key| event[key].as_f64().unwrap());
        assert!((loss - policy - 0.5 * value).abs() < 1e-5, "{event}");
    }
    assert!(
        learned
            .iter()
            .all(|event| event["policy_loss"].as_f64().unwrap().is_finite())
    );
    assert!(
        learned
            .iter()
            .any(|event| event["unseen_outcome_loss"].is_number())
    );
    assert_eq!(events(&folder, "measured").len(), 3);
    assert_eq!(events(&folder, "finished").len(), 1);
    let curves = fs::read_dir(folder.join("tensorboard")).unwrap().next();
    assert!(curves.unwrap().unwrap().metadata().unwrap().len() > 0);
}

#[test]
fn a_finished_run_goes_on_where_it_stood_when_its_budget_is_raised() {
    let folder = test_folder("train-more");
    assert!(
        train(&folder, &["budget.games=30"])
            .output()
            .unwrap()
            .status
            .success()
    );
    let (first, finished) = (game_ids(&folder), events(&folder, "finished"));
    assert!(
        train(&folder, &["budget.games=60"])
            .output()
            .unwrap()
            .status
            .success()
    );
    assert!(game_ids(&folder).is_superset(&first));
    let started = &events(&folder, "started")[1];
    assert_eq!(started["resumed"], true);
    for counter in ["steps", "samples", "games", "generation"] {
        assert_eq!(
            started["progress"][counter], finished[0][counter],
            "{counter}"
        );
    }
}

#[test]
fn the_first_net_after_a_restart_is_compared_with_the_last_one_before_it() {
    let folder = test_folder("train-change");
    // Beyond the first few, one net in five seconds is looked at.
    trained(&folder, &["budget.samples=1600"]);
    let before = events(&folder, "health").len();
    trained(&folder, &["budget.samples=2400"]);
    let changes: Vec<f64> = events(&folder, "health")[before..]
        .iter()
        .filter_map(|event| event["net"]["change"].as_f64())
        .collect();
    assert!(!changes.is_empty());
    assert!(
        changes.iter().all(|&change| 0.0 < change && change < 1.0),
        "{changes:?}"
    );
}

#[test]
fn a_killed_run_goes_on_and_keeps_every_finished_game() {
    let folder = test_folder("train-killed");
    let mut known = BTreeSet::new();
    for kill in 1..=3 {
        let mut child = train(&folder, &["budget.games=1000000"]).spawn().unwrap();
        wait_for_nets(&folder, 2 * kill, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        // What a reader finds now, a torn last game left out, must be there for ever.
        let open = data::list_shards(&folder.join("games"))
            .unwrap()
            .pop()
            .unwrap();
        let whole = data::RecordReader::open(&open.path)
            .unwrap()
            .map_while(Result::ok);
        known.extend(whole.map(|record| record.id));
    }
    let stands = game_ids_after_recovery(&folder);
    assert!(stands.is_superset(&known), "{known:?} {stands:?}");
    let samples: Vec<u64> = events(&folder, "started")
        .iter()
        .map(|event| event["progress"]["samples"].as_u64().unwrap())
        .collect();
    assert_eq!(samples[0], 0);
    assert!(
        samples.windows(2).all(|pair| pair[0] < pair[1]),
        "{samples:?}"
    );
}

/// Numbers of all games after one more start of the run, which ends at once.
fn game_ids_after_recovery(folder: &Path) -> BTreeSet<u64> {
    let output = train(folder, &["budget.games=1"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    game_ids(folder)
}

#[test]
fn ctrl_c_leaves_a_run_that_goes_on_from_that_very_step() {
    let folder = test_folder("train-interrupt");
    let mut child = train(&folder, &["budget.games=1000000"]).spawn().unwrap();
    wait_for_nets(&folder, 1, &mut child);
    interrupted(child);
    let interrupted = events(&folder, "interrupted");
    assert!(
        train(&folder, &["budget.games=1"])
            .output()
            .unwrap()
            .status
            .success()
    );
    let started = &events(&folder, "started")[1];
    assert_eq!(started["progress"]["steps"], interrupted[0]["steps"]);
}

#[test]
fn another_configuration_in_the_same_folder_is_refused_with_the_key() {
    let folder = test_folder("train-other");
    assert!(
        train(&folder, &["budget.games=12"])
            .output()
            .unwrap()
            .status
            .success()
    );
    let output = train(&folder, &["budget.games=12", "search.visits=9"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("search.visits"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn two_trainers_in_one_folder_are_one_too_many() {
    let folder = test_folder("train-twice");
    let mut first = train(&folder, &["budget.games=1000000"]).spawn().unwrap();
    wait_for_nets(&folder, 1, &mut first);
    let second = train(&folder, &["budget.games=1000000"]).output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(3));
    assert!(stderr(&second).contains("another process is working in"));
}

#[test]
fn the_options_of_a_budget_replace_that_of_the_configuration() {
    let folder = test_folder("train-budget");
    let mut command = train(&folder, &["budget.games=1"]);
    let output = command.args(["--samples", "300"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let finished = &events(&folder, "finished")[0];
    let samples = finished["samples"].as_u64().unwrap();
    assert!((300..400).contains(&samples), "{samples}");
    let config = fs::read_to_string(folder.join("config.toml")).unwrap();
    assert!(config.contains("samples = 300"), "{config}");
    assert!(!config.contains("games = 1\n"), "{config}");
    let path = text(&folder);
    let typed = run(&["train", "--run", path, "--for", "30"]);
    assert_eq!(typed.status.code(), Some(2));
    assert!(stderr(&typed).contains("1h30m"), "{}", stderr(&typed));
    let elo = ["train", "--run", path, "--until-elo", "50", "--set"];
    check_refused(
        &[&elo[..], &["measure.every_minutes=0"]].concat(),
        3,
        &["budget.elo = 50", "measure.every_minutes"],
    );
}

#[test]
fn a_net_has_to_pass_the_gate_where_there_is_one() {
    let folder = test_folder("train-gate");
    // Nobody wins every game of so few visits.
    let closed = "learn.gate={match={games=2,score=1.0}}";
    let output = train_in_one_thread(
        &folder,
        &["budget.games=40", "learn.publish_samples=1500", closed],
    )
    .output()
    .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let gated = events(&folder, "gated");
    let accepted = gated
        .iter()
        .filter(|event| event["accepted"] == true)
        .count();
    // The first net has nobody to play.
    assert_eq!(events(&folder, "published").len(), 1 + accepted);
    assert!(gated.len() > accepted, "{gated:?}");
    for event in &gated {
        assert_eq!(event["games"], 2);
        let won = event["wins"] == 2;
        assert_eq!(event["accepted"], won, "{event}");
    }
}

#[test]
fn a_mistyped_key_or_a_stage_out_of_order_is_refused_before_anything_is_written() {
    let folder = test_folder("train-refused").join("run");
    let path = text(&folder);
    check_refused(
        &["train", "--run", path, "--set", "learn.reus=3"],
        3,
        &["reus", "reuse"],
    );
    check_refused(
        &["train", "--run", path, "--set", "learn.reuse=0"],
        3,
        &["learn.reuse = 0"],
    );
    let stages = "stages=[{from_games=5,visits=4},{from_games=5,visits=8}]";
    check_refused(
        &["train", "--run", path, "--set", stages],
        3,
        &["stages[1].from_games = 5"],
    );
    assert!(!folder.exists());
}

#[test]
fn a_device_that_is_absent_is_an_error() {
    let folder = test_folder("train-device").join("run");
    let output = run(&["train", "--run", text(&folder), "--device", "cuda:7"]);
    assert!(
        matches!(output.status.code(), Some(1 | 3)),
        "{:?}",
        output.status
    );
    assert!(stderr(&output).contains("cuda:7"), "{}", stderr(&output));
}
