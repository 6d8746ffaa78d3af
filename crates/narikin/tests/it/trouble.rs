//! What can go wrong around a run: no room, no permission, a clock that jumps.

use std::fs;
use std::process::{Command, Stdio};

use crate::program::{check_refused, json_of, narikin, stderr, test_folder, text};
use crate::train::{events, game_ids, train, trained, with_settings};

/// `script` in a shell that finds the arguments of a tiny run in `"$@"`.
fn in_shell(script: &str, folder: &std::path::Path, more: &[&str]) -> Command {
    let program = narikin();
    let mut command = Command::new("sh");
    command
        .args(["-c", script, "sh"])
        .arg(program.get_program());
    command.args(["train", "--threads", "2", "--run", text(folder)]);
    let mut command = with_settings(command, more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_with_its_name() {
    let folder = test_folder("trouble-unwritable");
    let file = folder.join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("run");
    check_refused(
        &["train", "--run", text(&below)],
        3,
        &["cannot create", "file/run"],
    );
    // Below a run: a part that is no folder.
    let run = folder.join("run");
    fs::create_dir(&run).unwrap();
    trained(&run, &["budget.games=12"]);
    fs::remove_dir_all(run.join("tensorboard")).unwrap();
    fs::write(run.join("tensorboard"), "").unwrap();
    let output = train(&run, &["budget.games=12"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("tensorboard"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_file_that_can_grow_no_more_ends_the_run_and_nothing_is_lost() {
    let folder = test_folder("trouble-full");
    trained(&folder, &["budget.games=20"]);
    let before = game_ids(&folder);
    // No file may be longer than 32 KiB: a checkpoint, or the games, will not fit.
    let script = "trap '' XFSZ; ulimit -f 64 2>/dev/null; exec \"$@\"";
    let output = in_shell(script, &folder, &["budget.games=1000000"])
        .output()
        .unwrap();
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let last = message.trim_end().lines().last().unwrap();
    assert!(last.starts_with("error: "), "{message}");
    assert!(last.contains(text(&folder)), "{message}");
    let enough = format!("budget.games={}", before.len() + 60);
    let output = train(&folder, &[&enough]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(game_ids(&folder).is_superset(&before));
}

#[test]
fn a_disk_without_room_stops_the_run_before_it_is_full() {
    let folder = test_folder("trouble-small-disk");
    // A disk of 64 MiB in a world of its own; then the same one with room.
    let script = "mount -t tmpfs -o size=64m none \"$DISK\" || exit 77\n\
                  \"$@\" && exit 1\n\
                  mount -o remount,size=4g \"$DISK\" || exit 77\n\
                  exec \"$@\"";
    let script = format!("exec unshare --mount sh -c '{script}' sh \"$@\"");
    let run = folder.join("run");
    let mut command = in_shell(&script, &run, &["budget.games=20"]);
    let output = command.env("DISK", &folder).output().unwrap();
    let message = stderr(&output);
    if output.status.code() == Some(77) || message.contains("unshare") {
        eprintln!("skipped: this user can mount no disk: {message}");
        return;
    }
    assert!(output.status.success(), "{message}");
    assert!(message.contains("the disk is full: "), "{message}");
    assert!(
        message.contains("error: the run was stopped, and everything is kept"),
        "{message}"
    );
}

#[test]
fn a_clock_that_jumps_changes_no_time_of_the_run() {
    let folder = test_folder("trouble-clock");
    trained(&folder, &["budget.games=20"]);
    let spent = events(&folder, "finished")[0]["elapsed_s"]
        .as_f64()
        .unwrap();
    // As if the clock had been a year ahead until now.
    let log = folder.join("events.jsonl");
    let entries: Vec<String> = fs::read_to_string(&log)
        .unwrap()
        .lines()
        .map(|line| {
            let mut entry: serde_json::Value = serde_json::from_str(line).unwrap();
            entry["time_s"] = (entry["time_s"].as_f64().unwrap() + 3e7).into();
            format!("{entry}\n")
        })
        .collect();
    fs::write(&log, entries.concat()).unwrap();
    trained(&folder, &["budget.games=40"]);
    let started = events(&folder, "started")[1]["progress"]["elapsed_s"]
        .as_f64()
        .unwrap();
    let finished = events(&folder, "finished")[1]["elapsed_s"]
        .as_f64()
        .unwrap();
    assert!(
        spent <= started && started < spent + 60.0,
        "{spent} {started}"
    );
    assert!(
        started < finished && finished < started + 600.0,
        "{finished}"
    );
    let status = json_of(&["status", "--json", text(&folder)]);
    assert!(status["told_s"].as_f64().unwrap() >= 0.0);
}
