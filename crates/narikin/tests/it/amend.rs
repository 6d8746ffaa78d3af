//! A run that goes on with other settings.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{check_refused, json_of, narikin, stderr, stdout_of, test_folder, text};
use crate::train::trained;

/// A run with a few nets.
#[track_caller]
fn run_of(name: &str) -> PathBuf {
    let folder = test_folder(name).join("run");
    trained(&folder, &["budget.games=120", "learn.publish_samples=2048"]);
    folder
}

fn config_of(folder: &Path) -> String {
    fs::read_to_string(folder.join("config.toml")).unwrap()
}

#[test]
fn a_run_goes_on_with_amended_settings_and_tells_what_changed() {
    let folder = run_of("amended");
    let amend = ["amend", "--run", text(&folder)];
    let settings = [
        "--set",
        "selfplay.max_ply=30",
        "--set",
        "train.decay={kind=\"cosine\",samples=100000,floor=0.1}",
        "--set",
        "train.auxiliary.reply_weight=0.15",
        "--set",
        "learn.window_max=60000",
    ];
    let told = stdout_of(&[&amend[..], &settings].concat());
    assert!(told.contains("selfplay.max_ply: 40 -> 30"), "{told}");
    assert!(told.contains("learn.window_max:"), "{told}");
    assert!(told.contains("-> \"cosine\""), "{told}");

    // Without --config the run's own configuration counts, with the amended values.
    let games = json_of(&["status", "--json", text(&folder)])["progress"]["games"].clone();
    let more = (games.as_u64().unwrap() + 60).to_string();
    let mut command = narikin();
    command.args(["train", "--threads", "2", "--run", text(&folder)]);
    let output = command.args(["--games", &more]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(config_of(&folder).contains("max_ply = 30"));

    let events = fs::read_to_string(folder.join("events.jsonl")).unwrap();
    let after = events
        .lines()
        .skip_while(|line| !line.contains("\"kind\":\"amended\""));
    assert!(after.count() > 1, "the run went on after the change");
    let page = folder.join("page.html");
    stdout_of(&["report", text(&folder), "--html", text(&page)]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Settings changed on the way"));
}

#[test]
fn what_a_run_rests_on_cannot_be_amended() {
    let folder = run_of("amend-refused");
    let before = config_of(&folder);
    for (setting, why) in [
        ("seed=2", "seed cannot be amended"),
        ("name=other", "name cannot be amended"),
        ("net.channels=16", "narikin grow"),
        ("selfplay.max_ply=40", "nothing would change"),
        ("train.optimizer={kind=\"sgd\"}", "moment"),
        ("search.visit=3", "unknown field"),
    ] {
        check_refused(
            &["amend", "--run", text(&folder), "--set", setting],
            3,
            &[why],
        );
        assert_eq!(config_of(&folder), before, "{setting}");
    }
    let events = fs::read_to_string(folder.join("events.jsonl")).unwrap();
    assert!(!events.contains("amended"));
}
