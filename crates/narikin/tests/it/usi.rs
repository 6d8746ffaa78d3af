use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::arena::{has_openvino, small_net};
use crate::program::{narikin, stderr, talk, test_folder, text};

#[test]
fn it_introduces_itself_without_looking_for_a_net() {
    let mut command = narikin();
    command.arg("usi").current_dir(test_folder("usi-hello"));
    let output = talk(command, "usi\nquit\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("id name Narikin "), "{text}");
    assert!(text.trim_end().ends_with("usiok"), "{text}");
    assert!(
        text.contains("option name DNN_Model type filename"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_net_that_is_nowhere_is_told_to_the_gui_at_isready() {
    let mut command = narikin();
    command.args(["usi", "--model", "nowhere.safetensors"]);
    let output = talk(command, "usi\nisready\nquit\n");
    let text = String::from_utf8(output.stdout).unwrap();
    let told = text
        .lines()
        .any(|line| line.starts_with("info string") && line.contains("nowhere.safetensors"));
    assert!(told, "{text}");
    assert!(!text.contains("readyok"));
}

#[test]
fn the_net_that_comes_with_the_program_gets_ready_in_an_empty_folder_whatever_is_set() {
    if !has_openvino() {
        return;
    }
    for option in ["", "setoption name DNN_Model value <empty>\n"] {
        let mut command = narikin();
        command.arg("usi").current_dir(test_folder("usi-shipped"));
        let output = talk(command, &format!("usi\n{option}isready\nquit\n"));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains("DNN_Model type filename default narikin-1"),
            "{text}"
        );
        assert!(text.contains("readyok"), "{text}");
    }
}

#[test]
fn it_answers_go_with_a_legal_move() {
    if !has_openvino() {
        return;
    }
    let mut command = narikin();
    command.args(["usi", "--model", &small_net(&test_folder("usi-go"))]);
    let lines = "usi\nisready\nusinewgame\nposition startpos moves 7g7f\ngo nodes 8\n";
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines.as_bytes()).unwrap();
    let stdout = child.stdout.take().unwrap();
    let best = std::io::BufRead::lines(std::io::BufReader::new(stdout))
        .map_while(Result::ok)
        .find(|line| line.starts_with("bestmove "))
        .expect("the engine answers");
    stdin.write_all(b"quit\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mv = best.split(' ').nth(1).unwrap().parse().unwrap();
    let mut position = rules::Position::startpos();
    position.do_move("7g7f".parse().unwrap());
    assert!(position.is_legal(mv), "{best}");
}

/// A program without arguments, as match runners want it, that is the engine with a small net.
fn engine_script(folder: &Path) -> PathBuf {
    let engine = folder.join("engine.sh");
    let program = env!("CARGO_BIN_EXE_narikin");
    let net = small_net(folder);
    // By which OpenVINO is found; not every runner hands its environment on.
    let places = [
        "NARIKIN_OPENVINO",
        "NARIKIN_CACHE",
        "XDG_CACHE_HOME",
        "HOME",
    ];
    let set = places.iter().filter_map(|name| {
        let value = std::env::var(name).ok()?;
        Some(format!("export {name}='{value}'\n"))
    });
    let script = format!(
        "#!/bin/sh\n{}exec '{program}' usi --model '{net}'\n",
        set.collect::<String>()
    );
    fs::write(&engine, script).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    engine
}

/// Two games, one with each colour, under cshogi's match runner: a referee that is not ours.
/// `options` are the opponent's.
#[track_caller]
fn check_games_under_cshogi(folder: &Path, python: &str, opponent: &str, options: &[&str]) {
    let records = folder.join("records");
    fs::create_dir(&records).unwrap();
    let engine = engine_script(folder);
    let output = Command::new(python)
        .args(["-m", "cshogi.cli", text(&engine), opponent])
        .args(["--games", "2", "--byoyomi", "300", "--draw", "120"])
        .args(options)
        .args(["--csa", text(&records)])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", stderr(&output));
    let mut endings = Vec::new();
    for entry in fs::read_dir(&records).unwrap() {
        let record = fs::read(entry.unwrap().path()).unwrap();
        let record = String::from_utf8_lossy(&record).into_owned();
        let ending = record
            .lines()
            .rev()
            .find(|line| line.starts_with('%') || line.contains("ILLEGAL"));
        endings.push(ending.unwrap_or("none").to_owned());
    }
    assert_eq!(endings.len(), 2, "{told}");
    let fair = [
        "%TORYO",
        "%SENNICHITE",
        "%KACHI",
        "%JISHOGI",
        "%TSUMI",
        "%CHUDAN",
        "%MAX_MOVES",
    ];
    for ending in &endings {
        assert!(
            fair.iter().any(|fair| ending.starts_with(fair)),
            "{endings:?}\n{told}"
        );
    }
}

/// Needs `NARIKIN_TEST_PYTHON` with cshogi, and `NARIKIN_FAIRY_STOCKFISH`; they come with
/// `scripts/setup --test-tools` and Debian's package.
#[test]
fn games_against_fairy_stockfish_end_without_a_foul_or_a_lost_clock() {
    let tools = ["NARIKIN_TEST_PYTHON", "NARIKIN_FAIRY_STOCKFISH"].map(std::env::var);
    let [Ok(python), Ok(opponent)] = tools else {
        eprintln!("skipped: needs NARIKIN_TEST_PYTHON and NARIKIN_FAIRY_STOCKFISH");
        return;
    };
    if has_openvino() {
        check_games_under_cshogi(&test_folder("usi-referee"), &python, &opponent, &[]);
    }
}

/// The engine yaml of ShogiArena for a program without arguments.
fn arena_engine(folder: &Path, name: &str, program: &Path) {
    let text = format!(
        "name: {name:?}\nengine_path: {:?}\nworking_directory: {:?}\n",
        program.display(),
        folder.display()
    );
    fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
}

/// A round robin under ShogiArena, the client that refuses most: it checks every answer, and an engine
/// that lacks an option which it wants is not let in. With a limit of nodes, as clocks would test the
/// machine. Needs `NARIKIN_SHOGIARENA` (`scripts/setup --test-tools`).
#[test]
fn games_under_shogiarena_end_without_an_error() {
    let Ok(runner) = std::env::var("NARIKIN_SHOGIARENA") else {
        eprintln!("skipped: needs NARIKIN_SHOGIARENA");
        return;
    };
    if !has_openvino() {
        return;
    }
    let folder = test_folder("usi-shogiarena");
    let engine = engine_script(&folder);
    arena_engine(&folder, "first", &engine);
    arena_engine(&folder, "second", &engine);
    let tournament = folder.join("tournament.yaml");
    fs::write(&tournament, SHOGIARENA_TOURNAMENT).unwrap();
    let run = folder.join("run");
    let output = Command::new(runner)
        .args([
            "run",
            "tournament",
            text(&tournament),
            "--run-dir",
            text(&run),
        ])
        .current_dir(&folder)
        .env("HOME", &folder)
        .output()
        .unwrap();
    let told = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        stderr(&output)
    );
    assert!(output.status.success(), "{told}");
    let status = fs::read_to_string(run.join("completion_status.json")).expect(&told);
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["status"], "clean", "{status:#}\n{told}");
    assert_eq!(status["completed"], 4, "{status:#}\n{told}");
    assert_eq!(status["error_games"], 0, "{status:#}\n{told}");
    assert!(!told.contains("unhandled USI line"), "{told}");
}

const SHOGIARENA_TOURNAMENT: &str = "\
experiment_name: narikin
engines:
  - engine_path: first.yaml
  - engine_path: second.yaml
tournament:
  scheduler: round_robin
  games_per_pair: 4
  num_parallel: 1
rules:
  time_control: {node_limit: 20}
  adjudication: {max_plies: 100}
dashboard:
  enabled: false
";

/// The black-box probe of `crates/usi/testdata`, with the program as it is built: handshake, options,
/// positions, clocks, races, mates, malformed input, exits.
#[test]
fn the_probe_finds_no_fault() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    let Ok(python) = std::env::var("NARIKIN_TEST_PYTHON") else {
        eprintln!("skipped: needs NARIKIN_TEST_PYTHON");
        return;
    };
    if !has_openvino() {
        return;
    }
    let probe = concat!(env!("CARGO_MANIFEST_DIR"), "/../usi/testdata/usi_probe.py");
    let output = Command::new(python)
        .args([probe, "--", env!("CARGO_BIN_EXE_narikin"), "usi", "--model"])
        .arg(small_net(&test_folder("usi-probe")))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("advisories not met: 0"), "{told}");
}
