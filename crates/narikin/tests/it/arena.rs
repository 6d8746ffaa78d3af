use std::path::Path;

use crate::program::{check_refused, json_of, narikin, run, stderr, stdout_of, test_folder, text};

const MATCH: [&str; 8] = [
    "arena", "greedy", "random", "--games", "8", "--seed", "7", "--json",
];

#[test]
fn the_json_of_one_match_has_the_agreed_fields() {
    let report = json_of(&MATCH);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["a"], "greedy");
    assert_eq!(report["b"], "random");
    let count = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(count("games"), 8);
    assert_eq!(count("wins") + count("draws") + count("losses"), 8);
    assert_eq!(report["pentanomial"].as_array().unwrap().len(), 5);
    assert!(report["score"].as_f64().unwrap() > 0.5);
    for key in ["elo", "elo_low", "elo_high", "by_reason"] {
        assert!(report.get(key).is_some(), "{key}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_games() {
    let with = |threads: &str| json_of(&[MATCH.as_slice(), &["--threads", threads]].concat());
    assert_eq!(with("1"), with("3"));
}

#[test]
fn several_opponents_make_a_table_with_a_line_each() {
    let table = stdout_of(&["arena", "mate1", "random", "mate1", "--games", "4"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    assert!(lines[0].contains("W-D-L"));
    assert!(lines[1].starts_with("random"));
    assert!(lines[2].starts_with("mate1"));
    let json = json_of(&[
        "arena", "mate1", "random", "mate1", "--games", "2", "--json",
    ]);
    assert_eq!(json["matches"].as_array().unwrap().len(), 2);
}

#[test]
fn an_odd_number_of_games_is_a_usage_error() {
    let output = run(&["arena", "random", "random", "--games", "3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("games = 3: expected an even number"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_player_that_is_no_file_is_refused() {
    check_refused(
        &["arena", "randon", "mate1"],
        3,
        &["player randon", "No such file"],
    );
}

#[test]
fn an_engine_that_does_not_start_fails_with_its_name() {
    let parts = ["usi:./no-such-engine"];
    check_refused(
        &["arena", "random", "usi:./no-such-engine", "--games", "2"],
        1,
        &parts,
    );
}

/// Whether the library that runs nets is on this machine.
pub fn has_openvino() -> bool {
    let found = model::OpenVino::load().is_ok();
    if !found {
        eprintln!("skipped: there is no OpenVINO");
    }
    found
}

/// A small untrained net with random heads.
pub fn small_net(folder: &Path) -> String {
    let shape = model::NetShape {
        blocks: 1,
        channels: 8,
        value_channels: 1,
        value_hidden: 4,
    };
    let path = folder.join("net.safetensors");
    model::Model::random(shape, 1, true).save(&path).unwrap();
    text(&path).to_owned()
}

#[test]
fn a_net_and_its_own_usi_engine_can_play() {
    if !has_openvino() {
        return;
    }
    let net = small_net(&test_folder("arena-net"));
    let engine = format!(
        "usi:'{}' usi --model '{net}'",
        env!("CARGO_BIN_EXE_narikin")
    );
    let args = [
        "--games",
        "2",
        "--visits",
        "2",
        "--max-ply",
        "30",
        "--threads",
        "1",
        "--json",
    ];
    let report = json_of(&[&["arena", &net, &engine], args.as_slice()].concat());
    assert_eq!(report["games"], 2);
    assert_eq!(report["by_reason"].get("engine-failure"), None, "{report}");
    assert_eq!(report["by_reason"].get("illegal-move"), None, "{report}");
}

#[test]
fn nothing_but_the_result_is_on_stdout() {
    let output = narikin().args(MATCH).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
    assert_eq!(stderr(&output), "");
}
