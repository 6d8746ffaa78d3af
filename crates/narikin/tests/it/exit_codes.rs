use std::fs;
use std::path::PathBuf;

use crate::program::{check_refused, run, stdout_of, test_folder, text};

/// A folder with one shard of a few short games.
fn games(name: &str) -> PathBuf {
    let folder = test_folder(name);
    let keys = ["--set", "selfplay.max_ply=6", "--set", "search.visits=2"];
    let args = [
        "selfplay",
        "--model",
        "none",
        "--games",
        "3",
        "--out",
        text(&folder),
    ];
    stdout_of(
        &[
            args.as_slice(),
            &["--set", "selfplay.random_opening_plies=4"],
            &keys,
        ]
        .concat(),
    );
    folder.join("000001.nkg")
}

#[test]
fn a_mistyped_config_key_is_refused_with_its_place() {
    let path = test_folder("exit-config").join("x.toml");
    fs::write(&path, "[search]\nvisit = 100\n").unwrap();
    let parts = [
        "x.toml line 2: search.visit: unknown field `visit`",
        "`visits`",
    ];
    check_refused(&["config", "--config", text(&path)], 3, &parts);
    let parts = ["search.visits = 0: expected a whole number of at least 1"];
    check_refused(&["config", "--set", "search.visits=0"], 3, &parts);
    check_refused(
        &["config", "--config", "absent.toml"],
        3,
        &["absent.toml", "No such file"],
    );
}

#[test]
fn the_printed_config_is_accepted_again() {
    let path = test_folder("exit-config-print").join("x.toml");
    let printed = stdout_of(&["config", "--set", "search.visits=77"]);
    assert!(printed.contains("visits = 77"), "{printed}");
    fs::write(&path, &printed).unwrap();
    assert_eq!(stdout_of(&["config", "--config", text(&path)]), printed);
}

#[test]
fn a_bad_sfen_is_refused() {
    check_refused(&["position", "--sfen", "9/9 b - 1"], 3, &["position: "]);
}

#[test]
fn records_are_counted_and_a_truncated_one_is_refused() {
    let path = games("exit-records");
    assert!(stdout_of(&["inspect", text(&path)]).contains("games  3, "));
    let json = stdout_of(&["inspect", "--json", text(&path)]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["content"]["kind"], "records");
    assert_eq!(json["content"]["games"], 3);

    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    check_refused(&["inspect", text(&path)], 3, &["000001.nkg", "byte"]);
    let output = run(&["inspect", "--check", text(&path)]);
    assert_eq!(output.status.code(), Some(4));
}

/// A model file whose header says `after` where a whole one says `before`.
fn forged_model(name: &str, before: &str, after: &str) -> PathBuf {
    assert_eq!(before.len(), after.len(), "the header must keep its length");
    let path = test_folder(name).join("net.safetensors");
    let shape = model::NetShape {
        blocks: 2,
        channels: 4,
        value_channels: 1,
        value_hidden: 2,
        ..model::NetShape::default()
    };
    model::Model::random(shape, 1, true).save(&path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes
        .windows(before.len())
        .position(|part| part == before.as_bytes())
        .unwrap();
    bytes[at..at + before.len()].copy_from_slice(after.as_bytes());
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_model_of_another_shape_than_its_manifest_is_refused_by_every_reader() {
    let path = forged_model("exit-shape", r#"\"blocks\":2"#, r#"\"blocks\":3"#);
    let parts = ["net.safetensors", "blocks.2.conv1.weight"];
    check_refused(&["inspect", text(&path)], 3, &parts);
    check_refused(&["arena", text(&path), "random", "--games", "2"], 3, &parts);
    let out = test_folder("exit-shape-games");
    let args = [
        "selfplay",
        "--model",
        text(&path),
        "--games",
        "1",
        "--out",
        text(&out),
    ];
    check_refused(&args, 3, &parts);
    assert_eq!(
        run(&["inspect", "--check", text(&path)]).status.code(),
        Some(4)
    );
}

#[test]
fn a_model_of_another_encoding_is_refused() {
    let path = forged_model("exit-encoding", r#"\"encoding\":1"#, r#"\"encoding\":7"#);
    let parts = ["has encoding 7, this build uses 1"];
    check_refused(&["inspect", text(&path)], 3, &parts);
}

#[test]
fn an_event_log_is_counted_by_kind_and_a_line_that_is_none_is_refused() {
    let path = test_folder("exit-events").join("events.jsonl");
    let line = r#"{"time_s":1.0,"event":{"kind":"warning","message":"slow"}}"#;
    fs::write(&path, format!("{line}\n{line}\n{{\"torn")).unwrap();
    let printed = stdout_of(&["inspect", text(&path)]);
    assert!(printed.contains("events: 2 warning"), "{printed}");
    fs::write(&path, format!("{line}\nhello\n")).unwrap();
    check_refused(
        &["inspect", text(&path)],
        3,
        &["events.jsonl line 2: not an event"],
    );
}

#[test]
fn a_file_of_an_unknown_kind_is_refused() {
    let path = test_folder("exit-unknown").join("x.dat");
    fs::write(&path, "neither a net nor a game").unwrap();
    let parts = [
        "cannot tell what",
        "x.dat",
        "begins like none of hcpe, hcpe3 and psv",
    ];
    check_refused(&["inspect", text(&path)], 3, &parts);
    check_refused(&["inspect", "absent.dat"], 3, &["cannot read absent.dat"]);
}

#[test]
fn a_run_folder_without_a_net_is_refused() {
    let folder = test_folder("exit-no-net");
    let parts = ["has no net yet"];
    check_refused(
        &["arena", text(&folder), "random", "--games", "2"],
        3,
        &parts,
    );
}
