//! Learning from records: the loss falls, and going on is exact.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use model::Model;

use crate::arena::small_net;
use crate::program::{check_refused, narikin, run, stderr, stdout_of, test_folder, text};
use crate::train::events;

/// A net so small that an epoch takes a second.
const TINY: [&str; 10] = [
    "net.blocks=1",
    "net.channels=8",
    "net.value_channels=2",
    "net.value_hidden=8",
    "train.warmup_steps=10",
    "train.learning_rate=0.004",
    "learn.batch=32",
    "learn.publish_samples=1024",
    "records.pool=500",
    "records.held_out=0.1",
];

fn learn(out: &Path, files: &[PathBuf], more: &[&str]) -> Command {
    let mut command = narikin();
    command.args(["learn", "--json", "--out", text(out), "--device", "cpu"]);
    for setting in TINY.iter().chain(more) {
        command.args(["--set", setting]);
    }
    command
        .args(files)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The result of learning to the end.
#[track_caller]
fn learned(out: &Path, files: &[PathBuf], more: &[&str]) -> serde_json::Value {
    let output = learn(out, files, more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Records of a few games of a net with random opinions, which can be learned.
fn records(folder: &Path) -> PathBuf {
    let (games, net) = (folder.join("games"), small_net(folder));
    let mut model = Model::load(Path::new(&net)).unwrap();
    // The values of an untrained net would not be recorded.
    model.manifest.generation = 1;
    model.save(Path::new(&net)).unwrap();
    let mut command = narikin();
    command.args(["selfplay", "--model", &net, "--out", text(&games)]);
    command.args(["--games", "30", "--threads", "1"]);
    command.args(["--set", "search.visits=8", "--set", "selfplay.max_ply=80"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    games
}

fn tensors(out: &Path) -> impl PartialEq {
    let name = fs::read_to_string(out.join("models/current")).unwrap();
    let model = Model::load(&out.join("models").join(name.trim())).unwrap();
    (model.manifest.steps, model.manifest.samples, model.tensors)
}

#[test]
fn the_net_gets_better_on_games_that_it_is_not_taught() {
    let folder = test_folder("learn-better");
    let files = [records(&folder)];
    let out = folder.join("out");
    let first = learned(&out, &files, &["records.samples=32"]);
    let last = learned(&out, &files, &["records.epochs=3"]);
    assert_eq!(last["epochs"], 3);
    let loss = |outcome: &serde_json::Value, key: &str| outcome["held_out"][key].as_f64().unwrap();
    for (key, less) in [("value_loss", 0.05), ("policy_loss", 0.05)] {
        let (before, after) = (loss(&first, key), loss(&last, key));
        assert!(after < before - less, "{key}: {before} {after}");
    }
    let inspected = stdout_of(&["inspect", last["model"].as_str().unwrap()]);
    assert!(inspected.contains("1 blocks, 8 channels"), "{inspected}");
}

#[test]
fn the_report_tells_how_often_gradients_were_clipped() {
    let folder = test_folder("learn-clipped");
    let files = [records(&folder)];
    for (norm, share) in [("train.clip_norm=1e-9", 1.0), ("train.clip_norm=1e9", 0.0)] {
        let out = folder.join(norm);
        learned(&out, &files, &["records.samples=64", norm]);
        let told = events(&out, "learned");
        assert_eq!(told.last().unwrap()["clipped_share"], share, "{norm}");
    }
}

#[test]
fn learning_in_pieces_gives_the_net_of_learning_at_once() {
    let folder = test_folder("learn-pieces");
    let files = [records(&folder)];
    let heads = "train.auxiliary.reply_weight=0.1";
    let (whole, pieces) = (folder.join("whole"), folder.join("pieces"));
    learned(&whole, &files, &["records.epochs=2", heads]);
    for samples in ["records.samples=96", "records.samples=1600"] {
        learned(&pieces, &files, &["records.epochs=2", samples, heads]);
    }
    learned(&pieces, &files, &["records.epochs=1", heads]);
    learned(&pieces, &files, &["records.epochs=2", heads]);
    assert!(tensors(&whole) == tensors(&pieces));
}

#[test]
fn a_killed_and_an_interrupted_process_lose_nothing_but_time() {
    let folder = test_folder("learn-killed");
    let files = [records(&folder)];
    let (whole, killed) = (folder.join("whole"), folder.join("killed"));
    learned(&whole, &files, &["records.epochs=4"]);
    for (signal, generation) in [("-KILL", 1), ("-INT", 2)] {
        let mut child = learn(&killed, &files, &["records.epochs=4"])
            .spawn()
            .unwrap();
        let published = killed.join(format!("models/{generation:06}.safetensors"));
        while !published.exists() {
            assert_eq!(child.try_wait().unwrap(), None, "it has ended too early");
            thread::sleep(Duration::from_millis(5));
        }
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let ended = child.wait_with_output().unwrap();
        if signal == "-INT" {
            assert_eq!(ended.status.code(), Some(130), "{}", stderr(&ended));
        }
    }
    learned(&killed, &files, &["records.epochs=4"]);
    assert!(tensors(&whole) == tensors(&killed));
}

#[test]
fn a_trained_net_can_be_the_beginning() {
    let folder = test_folder("learn-from");
    let files = [records(&folder)];
    let (first, second) = (folder.join("first"), folder.join("second"));
    let before = learned(&first, &files, &[]);
    let mut command = narikin();
    let from = before["model"].as_str().unwrap();
    command.args(["learn", "--json", "--from", from, "--out", text(&second)]);
    command.args(["--set", "learn.batch=32", "--set", "records.samples=64"]);
    let output = command.args(&files).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let after: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let steps = |outcome: &serde_json::Value| outcome["steps"].as_u64().unwrap();
    assert_eq!(steps(&after), steps(&before) + 2);
    assert_eq!(after["samples"], 64);
}

#[test]
fn data_of_other_programs_is_learned_from() {
    let folder = test_folder("learn-foreign");
    let games = records(&folder);
    let files = ["games.hcpe3", "positions.psv", "positions.hcpe"].map(|name| folder.join(name));
    for file in &files {
        let output = run(&["convert", text(&games), text(file)]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    for (i, file) in files.iter().enumerate() {
        let out = folder.join(format!("out-{i}"));
        let outcome = learned(&out, std::slice::from_ref(file), &["records.samples=64"]);
        assert_eq!(outcome["samples"], 64, "{outcome}");
    }
}

#[test]
fn other_files_than_before_and_too_few_samples_are_refused() {
    let folder = test_folder("learn-refused");
    let files = [records(&folder)];
    let out = folder.join("out");
    learned(&out, &files, &["records.samples=32"]);
    let twice = [files[0].clone(), files[0].clone()];
    let output = learn(&out, &twice, &["records.samples=64"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    let message = stderr(&output);
    assert!(message.contains("30 games"), "{message}");
    assert!(message.contains("60 games"), "{message}");
    let output = learn(&folder.join("few"), &files, &["learn.batch=65536"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("expected a batch of 65536"),
        "{}",
        stderr(&output)
    );
    let missing = folder.join("missing.hcpe");
    let out = folder.join("none");
    check_part(&out, &missing, "missing.hcpe");
    check_refused(
        &[
            "learn",
            "--out",
            text(&out),
            text(&missing),
            "--set",
            "records.held_out=0.9",
        ],
        3,
        &["records.held_out = 0.9: expected a number from 0 to 0.5"],
    );
}

#[track_caller]
fn check_part(out: &Path, file: &Path, part: &str) {
    let output = learn(out, &[file.to_owned()], &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains(part), "{}", stderr(&output));
}
