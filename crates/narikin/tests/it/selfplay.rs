use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::program::{narikin, run, stderr, stdout_of, test_folder, text};

/// Short games, so that tests take no time.
const SHORT: [&str; 6] = [
    "--set",
    "selfplay.max_ply=8",
    "--set",
    "selfplay.random_opening_plies=2",
    "--set",
    "search.visits=4",
];

fn play(folder: &Path, n_games: &str, threads: &str) {
    let args = ["selfplay", "--model", "none", "--out", text(folder)];
    let numbers = ["--games", n_games, "--threads", threads];
    stdout_of(&[args.as_slice(), &numbers, &SHORT].concat());
}

/// Number, seed and moves of all games in a folder, by number.
fn games(folder: &Path) -> Vec<(u64, u64, String)> {
    let mut games = Vec::new();
    for shard in data::list_shards(folder).unwrap() {
        for record in data::RecordReader::open(&shard.path).unwrap() {
            let record = record.unwrap();
            let moves: Vec<String> = record.plies.iter().map(|ply| ply.mv.to_string()).collect();
            games.push((record.id, record.seed, moves.join(" ")));
        }
    }
    games.sort();
    games
}

#[test]
fn the_number_of_threads_does_not_change_the_games() {
    let [one, three] = ["selfplay-one", "selfplay-three"].map(test_folder);
    play(&one, "20", "1");
    play(&three, "20", "3");
    assert_eq!(games(&one).len(), 20);
    assert_eq!(games(&one), games(&three));
}

#[test]
fn a_folder_that_has_games_gets_new_ones() {
    let folder = test_folder("selfplay-more");
    play(&folder, "5", "1");
    let first = games(&folder);
    play(&folder, "5", "1");
    let all = games(&folder);
    assert_eq!(all[..5], first);
    assert_eq!(
        all.iter().map(|(id, _, _)| *id).collect::<Vec<_>>(),
        (0..10).collect::<Vec<_>>()
    );
}

#[test]
fn a_config_that_is_out_of_range_is_refused_before_a_game_is_played() {
    let folder = test_folder("selfplay-refused").join("games");
    let args = [
        "selfplay",
        "--model",
        "none",
        "--games",
        "1",
        "--out",
        text(&folder),
    ];
    let output = run(&[args.as_slice(), &["--set", "selfplay.max_ply=0"]].concat());
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("selfplay.max_ply = 0: expected"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.exists());
}

#[test]
fn ctrl_c_leaves_whole_games_and_code_130() {
    let folder = test_folder("selfplay-interrupt");
    let mut child = narikin()
        .args([
            "selfplay",
            "--model",
            "none",
            "--games",
            "100000000",
            "--out",
            text(&folder),
        ])
        .args(SHORT)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let has_games = || fs::read_dir(&folder).unwrap().next().is_some();
    while !has_games() && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let games = games(&folder);
    assert!(!games.is_empty());
    let told = format!("{} games in ", games.len());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with(&told));
}
