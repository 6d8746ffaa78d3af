//! A long run holds no more memory than a short one.

use std::fs;
use std::process::Child;
use std::thread;
use std::time::Duration;

use crate::program::test_folder;
use crate::train::{events, train, wait_for_nets};

/// Training rows between two nets.
const ROWS_PER_NET: usize = 10_000;

/// The least memory that a process holds within some seconds, in MiB: what it keeps. A net that is being
/// compiled for the players, just when it has been published, takes a hundred more for a moment.
fn kept_mib(child: &Child) -> f64 {
    let looks = (0..30).map(|_| {
        thread::sleep(Duration::from_millis(100));
        memory_mib(child)
    });
    looks.fold(f64::INFINITY, f64::min)
}

/// Memory that a process holds, in MiB.
fn memory_mib(child: &Child) -> f64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.unwrap().trim().strip_suffix(" kB").unwrap();
    kib.parse::<f64>().unwrap() / 1024.0
}

#[test]
fn memory_stays_flat_while_a_run_plays_and_learns_a_million_positions() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() || !cfg!(target_os = "linux") {
        return;
    }
    let folder = test_folder("memory");
    let publish = format!("learn.publish_samples={ROWS_PER_NET}");
    // Each position once, from a window that is full long before the first look.
    let settings = [
        "budget.samples=2000000",
        "selfplay.max_ply=100",
        "selfplay.games_at_once=32",
        "learn.batch=256",
        "learn.reuse=1",
        "learn.window_min=100000",
        "learn.window_max=100000",
        &publish,
    ];
    let mut child = train(&folder, &settings).spawn().unwrap();
    let looks = [250_000, 500_000, 750_000, 1_000_000].map(|rows| {
        wait_for_nets(&folder, rows / ROWS_PER_NET, &mut child);
        kept_mib(&child)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    eprintln!("memory at each quarter of a million positions, MiB: {looks:.0?}");
    let samples = events(&folder, "published").last().unwrap()["progress"]["samples"].clone();
    assert!(1_000_000 <= samples.as_u64().unwrap(), "{samples}");
    // What leaks is never given back, so the least of the later looks has it too.
    let later = looks[2].min(looks[3]);
    assert!(later <= 1.1 * looks[0], "{looks:.0?}");
}
