//! `narikin bench --learning`: what it measures is learning, on the records that it was given.

use std::fs;
use std::path::{Path, PathBuf};

use crate::arena::small_net;
use crate::program::{check_refused, json_of, run, stderr, stdout_of, test_folder, text};

/// A few short games without a net.
fn games(folder: &Path, n: &str) -> PathBuf {
    let games = folder.join("games");
    let args = ["selfplay", "--model", "none", "--out", text(&games)];
    let short = ["--set", "selfplay.max_ply=20", "--set", "search.visits=4"];
    stdout_of(&[args.as_slice(), &["--games", n], &short].concat());
    games
}

const BRIEF: [&str; 6] = ["--batch", "32", "--seconds", "0.05", "--rounds", "1"];

#[test]
fn steps_in_both_precisions_begin_with_the_same_net_and_batches() {
    let folder = test_folder("bench-learning");
    let (games, net, batches) = (
        games(&folder, "30"),
        small_net(&folder),
        folder.join("batches"),
    );
    let files = ["bench", "--learning", text(&games), "--model", &net];
    let more = ["--batches-to", text(&batches), "--json"];
    let bench = json_of(&[files.as_slice(), &BRIEF, &more].concat());
    let rates = bench["rates"].as_array().unwrap();
    assert_eq!(rates.len(), 2, "{bench}");
    let losses = |rate: usize| -> Vec<f64> {
        let losses = rates[rate]["first_losses"].as_array().unwrap();
        losses.iter().map(|loss| loss.as_f64().unwrap()).collect()
    };
    for (exact, short) in losses(0).iter().zip(losses(1)) {
        assert!((exact - short).abs() < 0.05 * exact, "{bench}");
    }
    assert_eq!(rates[0]["precision"], "f32");
    assert_eq!(rates[1]["precision"], "bf16");
    for rate in rates {
        assert!(0.0 < rate["samples_per_s"].as_f64().unwrap(), "{bench}");
    }
    for cost in ["draw_ms", "window_draw_ms"] {
        assert!(0.0 < bench[cost].as_f64().unwrap(), "{cost}: {bench}");
    }
    let numbers = losses(0).len() * 32 * (62 * 81 + 57 + 2187 + 2187 + 1 + 3 + 1);
    assert_eq!(fs::metadata(&batches).unwrap().len(), 4 * numbers as u64);
}

#[test]
fn records_that_fill_no_batch_and_learning_in_8_bits_are_refused() {
    let folder = test_folder("bench-refused");
    let games = games(&folder, "1");
    let args = ["bench", "--learning", text(&games)];
    check_refused(
        &[args.as_slice(), &["--batch", "4096"]].concat(),
        3,
        &["fewer samples than one batch of 4096"],
    );
    let output = run(&[args.as_slice(), &["--precision", "int8"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
