//! The real program is killed at random moments, again and again, and then runs to its end.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::program::{json_of, run, stderr, test_folder, text};
use crate::train::{events, game_ids, train};

/// Bytes of all files below `folder`.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => size(&entry.path()),
            _ => entry.metadata().map_or(0, |file| file.len()),
        })
        .sum()
}

/// Kills the run once its folder has changed by `growth` bytes since it was started.
fn kill_after(mut child: Child, folder: &Path, growth: u64) {
    let before = size(folder);
    while size(folder).abs_diff(before) < growth {
        assert_eq!(
            child.try_wait().unwrap(),
            None,
            "the run has ended by itself"
        );
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Numbers of the games that a reader finds now, a torn last one left out.
fn readable(folder: &Path) -> BTreeSet<u64> {
    let shards = data::list_shards(&folder.join("games")).unwrap_or_default();
    let games = shards.iter().flat_map(|shard| {
        let reader = data::RecordReader::open(&shard.path);
        reader
            .into_iter()
            .flat_map(|games| games.map_while(Result::ok))
    });
    games.map(|game| game.id).collect()
}

#[test]
fn a_run_that_is_killed_at_random_moments_loses_nothing() {
    let kills = if std::env::var_os("RUN_SLOW_TESTS").is_some() {
        20
    } else {
        4
    };
    let folder = test_folder("kill-random");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut known = BTreeSet::new();
    for _ in 0..kills {
        // From the first bytes of a start to several nets later.
        let growth = 10_u64.pow(rng.random_range(2..=5)) * rng.random_range(1..=5);
        let child = train(&folder, &["budget.games=1000000"]).spawn().unwrap();
        kill_after(child, &folder, growth);
        let now = readable(&folder);
        assert!(now.is_superset(&known), "games were lost");
        known = now;
    }
    let enough = format!("budget.games={}", known.len() + 50);
    let output = train(&folder, &[&enough]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));

    // Every finished game is there, once.
    assert!(game_ids(&folder).is_superset(&known));
    // Everything is readable.
    let check = run(&["inspect", text(&folder), "--check"]);
    assert!(check.status.success(), "{}", stderr(&check));
    // What was learned up to a checkpoint was never learned again, and games were counted on.
    let of = |kind: &str, key: &str| -> Vec<u64> {
        let numbers = events(&folder, kind);
        numbers
            .iter()
            .map(|event| event["progress"][key].as_u64().unwrap())
            .collect()
    };
    for key in ["games", "samples", "generation"] {
        let starts = of("started", key);
        assert!(starts.is_sorted(), "{key} at the starts: {starts:?}");
        let checkpoints = of("checkpoint", key);
        assert!(
            checkpoints.is_sorted(),
            "{key} at the checkpoints: {checkpoints:?}"
        );
    }
    let total_games = events(&folder, "games");
    let total_games = total_games
        .iter()
        .map(|event| event["total_games"].as_u64().unwrap());
    assert!(total_games.is_sorted_by(|a, b| a < b));
    let status = json_of(&["status", "--json", text(&folder)]);
    assert_eq!(status["state"], "finished");
    assert_eq!(status["progress"]["games"], game_ids(&folder).len());
}
