use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::program::{check_refused, interrupted, json_of, narikin, stdout_of};

/// A mate in five.
const IN_FIVE: &str = "6+B1k/9/9/9/9/9/9/9/9 b S 1";

#[test]
fn a_mate_is_printed_in_usi_and_in_japanese() {
    let text = stdout_of(&["mate", "--sfen", IN_FIVE]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "mate in 5, the shortest",
            "S*2b 1a1b 2b1c+ 1b1a 1c2b",
            "▲２二銀 △１二玉 ▲１三銀成 △１一玉 ▲２二成銀",
        ]
    );
}

#[test]
fn the_json_has_result_line_plies_and_nodes() {
    let found = json_of(&["mate", "--sfen", IN_FIVE, "--json"]);
    assert_eq!(found["schema"], 1);
    assert_eq!(found["result"], "mate");
    assert_eq!(found["line"].as_array().unwrap().len(), 5);
    assert_eq!(found["plies"], 5);
    assert_eq!(found["shortest"], true);
    assert!(found["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn all_ways_of_typing_one_position_agree() {
    let sfen = format!("sfen {IN_FIVE} moves S*2b 1a1b");
    let found = json_of(&["mate", &sfen, "--json"]);
    assert_eq!(found["line"], json!(["2b1c+", "1b1a", "1c2b"]));
    let options = ["--sfen", IN_FIVE, "--moves", "S*2b", "1a1b", "--json"];
    assert_eq!(json_of(&[&["mate"], &options[..]].concat()), found);
}

#[test]
fn the_start_position_is_no_mate() {
    assert_eq!(stdout_of(&["mate"]), "no mate\n");
    let found = json_of(&["mate", "--json"]);
    assert_eq!(found["result"], "nomate");
    assert_eq!(found["line"], json!([]));
    assert_eq!(found["plies"], json!(null));
}

#[test]
fn too_few_nodes_are_said_to_be_too_few() {
    let args = ["mate", "--sfen", IN_FIVE, "--nodes", "1"];
    assert_eq!(stdout_of(&args), "unknown: 1 nodes were not enough\n");
    let found = json_of(&[&args[..], &["--json"]].concat());
    assert_eq!(found["result"], "unknown");
}

#[test]
fn a_mate_longer_than_asked_for_is_no_mate() {
    let args = ["mate", "--sfen", IN_FIVE, "--max-plies", "3"];
    assert_eq!(stdout_of(&args), "no mate\n");
}

#[test]
fn a_mate_does_not_enter_a_position_of_the_game() {
    let start = "sfen 6s1K/9/4+r4/9/9/9/9/9/9 w - 1";
    let first =
        |text: &str| json_of(&["mate", "--max-plies", "3", "--json", text])["line"][0].clone();
    assert_eq!(first(start), "5c1c");
    assert_ne!(first(&format!("{start} moves 5c1c 1a2a 1c5c 2a1a")), "5c1c");
}

#[test]
fn a_bad_position_is_refused() {
    check_refused(&["mate", "--sfen", "9/9 b - 1"], 3, &["position", "sfen"]);
    check_refused(&["mate", "startpos moves 7g7e"], 3, &["move 1 7g7e"]);
    check_refused(
        &["mate", "--sfen", "startpos moves 7g7f"],
        2,
        &["--sfen has moves in it"],
    );
}

/// Whether a process handles SIGINT by now, as Linux tells.
fn catches_sigint(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is signal 1, SIGINT is signal 2.
    mask.is_some_and(|mask| mask & 0b10 != 0)
}

#[test]
fn ctrl_c_ends_the_search_with_what_is_known_and_code_130() {
    let mut child = narikin()
        .args(["mate", "--nodes", "1000000000000", "--json"])
        .args(["--sfen", "4R1K2/2+S6/5B3/2+n4+b1/9/9/9/9/9 w NPrbl 1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !catches_sigint(child.id()) && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(20));
    }
    let output = interrupted(child);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["result"], "unknown");
}
