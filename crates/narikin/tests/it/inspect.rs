use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::arena::small_net;
use crate::program::{check_refused, json_of, run, stderr, stdout_of, test_folder, text};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/testdata");

/// The published records in column `column` of their table, as a file.
fn positions(path: &Path, column: usize) {
    let table = fs::read_to_string(format!("{DATA}/hcpe_psv_records.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let hex: String = rows
        .map(|row| row.split('\t').nth(column).unwrap())
        .collect();
    let byte = |i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap();
    let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
    fs::write(path, bytes).unwrap();
}

#[track_caller]
fn check_bad(path: &Path, parts: &[&str]) {
    let output = run(&["inspect", "--check", text(path)]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(4), "{message}");
    assert!(message.starts_with("bad file: "), "{message}");
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in: {message}");
    }
}

#[test]
fn positions_of_other_programs_are_known_by_their_content() {
    let folder = test_folder("inspect 教師データ");
    for (name, column, format, moves) in [
        ("a.bin", 5, "hcpe", "dlshogi"),
        ("b.bin", 6, "psv", "YaneuraOu"),
    ] {
        let path = folder.join(name);
        positions(&path, column);
        let content = json_of(&["inspect", text(&path), "--json", "--check"])["content"].take();
        assert_eq!(
            content,
            json!({
                "kind": "positions",
                "format": format,
                "moves": moves,
                "positions": 6,
                "black_wins": 3,
                "white_wins": 2,
                "draws": 1,
                "first": [{
                    "sfen": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                    "move": "7g7f",
                    "eval": 34,
                    "value": null,
                    "winner": "black",
                }],
            })
        );
    }
}

#[test]
fn the_first_positions_are_drawn() {
    let path = test_folder("inspect-drawn").join("records.hcpe");
    positions(&path, 5);
    let shown = stdout_of(&["inspect", text(&path), "--positions", "2"]);
    for part in [
        "positions  6",
        "won        3 by Black, 2 by White, 1 drawn",
        "move       7g7f, 34 centipawns for the side to move",
        "sfen       lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "move       5a5b, -900 centipawns",
    ] {
        assert!(shown.contains(part), "{part:?} is not in: {shown}");
    }
    let first = |n| json_of(&["inspect", text(&path), "--json", "--positions", n]);
    assert_eq!(first("0")["content"]["first"], json!([]));
    assert_eq!(
        first("100")["content"]["first"].as_array().unwrap().len(),
        6
    );
}

#[test]
fn games_of_dlshogi_are_counted() {
    let sample = PathBuf::from(format!("{DATA}/sample.hcpe3"));
    let content = json_of(&["inspect", text(&sample), "--json", "--check"])["content"].take();
    assert_eq!(content["kind"], "games");
    assert_eq!(content["format"], "hcpe3");
    let numbers = [
        "games",
        "plies",
        "positions",
        "black_wins",
        "white_wins",
        "draws",
    ];
    let numbers = numbers.map(|key| content[key].as_u64().unwrap());
    assert_eq!(numbers, [2, 8, 7, 1, 1, 0]);
    assert_eq!(content["first"][0]["move"], "7g7f");
    assert_eq!(content["first"][0]["eval"], 35);
}

#[test]
fn what_is_wrong_in_data_of_other_programs_is_found_by_checking() {
    let folder = test_folder("inspect-bad");
    let path = folder.join("games");
    let mut bytes = fs::read(format!("{DATA}/sample.hcpe3")).unwrap();
    // The last game's last move becomes an illegal one: only a replay can tell.
    bytes[162] ^= 1;
    fs::write(&path, &bytes).unwrap();
    stdout_of(&["inspect", text(&path)]);
    check_bad(
        &path,
        &["damaged hcpe3 file", "at byte 162, record 1", "illegal"],
    );
    fs::write(&path, &bytes[..100]).unwrap();
    check_refused(&["inspect", text(&path)], 3, &["games", "at byte"]);

    positions(&path, 6);
    let mut bytes = fs::read(&path).unwrap();
    bytes[40 + 34] ^= 1;
    fs::write(&path, &bytes).unwrap();
    stdout_of(&["inspect", text(&path)]);
    check_bad(&path, &["damaged psv file", "at byte 74, record 1"]);
    fs::write(&path, b"").unwrap();
    check_bad(&path, &["is empty"]);
}

#[test]
fn a_run_folder_is_summed_up() {
    let folder = test_folder("inspect-run");
    fs::write(folder.join("config.toml"), stdout_of(&["config"])).unwrap();
    fs::write(
        folder.join("run.json"),
        r#"{"format":1,"name":"first","seed":7,"starts":[{},{}]}"#,
    )
    .unwrap();
    let event = r#"{"time_s":1.0,"event":{"kind":"warning","message":"slow"}}"#;
    fs::write(folder.join("events.jsonl"), format!("{event}\n")).unwrap();
    for subfolder in ["games", "checkpoints", "models"] {
        fs::create_dir(folder.join(subfolder)).unwrap();
    }
    small_net(&folder.join("models"));
    let look = |extra: &[&str]| json_of(&[&["inspect", text(&folder), "--json"], extra].concat());
    let content = look(&[])["content"].take();
    assert_eq!(content["kind"], "run");
    assert_eq!(content["name"], "first");
    assert_eq!(content["starts"], 2);
    assert_eq!(content["model"], json!(null));
    assert_eq!(content["records"], json!(null));
    assert_eq!(content["by_kind"], json!({"warning": 1}));

    fs::write(folder.join("models/current"), "net.safetensors\n").unwrap();
    let content = look(&["--check"])["content"].take();
    assert_eq!(content["model"]["file"], "net.safetensors");
    assert_eq!(content["records"]["games"], 0);
    // A net that nothing uses is looked at only by a check.
    let net = fs::read(folder.join("models/net.safetensors")).unwrap();
    fs::write(folder.join("models/old.safetensors"), &net[..net.len() - 9]).unwrap();
    look(&[]);
    check_bad(
        &folder,
        &["old.safetensors", "is not a whole safetensors file"],
    );
}

#[test]
fn folders_of_records_and_other_folders_are_told_apart() {
    let folder = test_folder("inspect-folder");
    check_refused(
        &["inspect", text(&folder)],
        3,
        &["neither a run folder", "nor a folder of records"],
    );
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
            &args[..],
            &["--set", "selfplay.random_opening_plies=2"],
            &keys,
        ]
        .concat(),
    );
    let content = json_of(&["inspect", text(&folder), "--json"])["content"].take();
    assert_eq!(content["kind"], "records");
    assert_eq!(
        (&content["games"], &content["files"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(content["first"].as_array().unwrap().len(), 1);
}

#[test]
fn a_safetensors_file_of_another_program_is_refused_with_what_is_in_it() {
    let path = test_folder("inspect-foreign").join("other.safetensors");
    let header =
        r#"{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(1.0_f32.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    check_refused(
        &["inspect", text(&path)],
        3,
        &["neither a model nor a checkpoint", "1 tensors", "[format]"],
    );
}

#[test]
fn a_configuration_is_known() {
    let path = test_folder("inspect-config").join("x.toml");
    fs::write(&path, stdout_of(&["config", "--set", "seed=3"])).unwrap();
    let content = json_of(&["inspect", text(&path), "--json"])["content"].take();
    assert_eq!(
        (&content["kind"], &content["seed"]),
        (&json!("config"), &json!(3))
    );
}

#[test]
fn game_records_are_counted() {
    let path = test_folder("inspect-csa").join("games.csa");
    let games = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n/\nPI\n+\n+2726FU\n%CHUDAN\n";
    fs::write(&path, games).unwrap();
    let content = json_of(&["inspect", text(&path), "--json", "--check"])["content"].take();
    assert_eq!(
        [&content["kind"], &content["format"], &content["positions"]],
        [&json!("games"), &json!("csa"), &json!(null)]
    );
    let numbers = [
        "games",
        "plies",
        "black_wins",
        "white_wins",
        "draws",
        "unfinished",
    ];
    let numbers = numbers.map(|key| content[key].as_u64().unwrap());
    assert_eq!(numbers, [2, 3, 0, 1, 0, 1]);
    let shown = stdout_of(&["inspect", text(&path)]);
    assert!(shown.contains("0 drawn, 1 without a result"), "{shown}");
    fs::write(&path, games.replace("+7776FU", "+7776KI")).unwrap();
    check_bad(&path, &["games.csa", "line 4"]);
}
