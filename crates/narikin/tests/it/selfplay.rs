use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::program::{interrupted, narikin, run, stderr, stdout_of, test_folder, text};

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
    let output = interrupted(child);
    let games = games(&folder);
    assert!(!games.is_empty());
    let told = format!("{} games in ", games.len());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with(&told));
}

#[test]
fn a_game_is_played_again_from_its_number() {
    let folder = test_folder("selfplay-replay");
    play(&folder, "12", "2");
    let again = |id: &str, set: &[&str]| {
        let args = [
            "selfplay",
            "--model",
            "none",
            "--out",
            text(&folder),
            "--replay",
            id,
        ];
        run(&[args.as_slice(), &SHORT, set].concat())
    };
    for (id, _, _) in games(&folder) {
        let output = again(&id.to_string(), &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let line = String::from_utf8(output.stdout).unwrap();
        assert!(line.ends_with("plies: the same, byte for byte\n"), "{line}");
    }
    // A search of a single visit teaches no policy.
    let other = again("3", &["--set", "search.visits=1"]);
    assert_eq!(other.status.code(), Some(4), "{}", stderr(&other));
    let line = String::from_utf8(other.stdout).unwrap();
    assert!(line.starts_with("game 3, "), "{line}");
    for (id, set, message) in [
        ("3", "seed=2", "error: game 3 has the seed"),
        ("99", "seed=1", "error: game 99 in"),
    ] {
        let refused = again(id, &["--set", set]);
        assert_eq!(refused.status.code(), Some(3));
        assert!(
            stderr(&refused).starts_with(message),
            "{}",
            stderr(&refused)
        );
    }
}

#[test]
fn games_begin_with_the_positions_of_a_file() {
    let folder = test_folder("selfplay-starts");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("starts.txt");
    let bare = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2";
    fs::write(&file, format!("# two\nstartpos moves 7g7f\nsfen {bare}\n")).unwrap();
    let set = format!("selfplay.starts_file=\"{}\"", text(&file));
    let records = folder.join("games");
    let args = [
        "selfplay",
        "--model",
        "none",
        "--games",
        "20",
        "--out",
        text(&records),
    ];
    let starts = ["--set", set.as_str(), "--set", "selfplay.starts_share=1"];
    stdout_of(&[args.as_slice(), &SHORT, &starts].concat());
    let mut seen = std::collections::BTreeMap::new();
    for shard in data::list_shards(&records).unwrap() {
        for record in data::RecordReader::open(&shard.path).unwrap() {
            *seen.entry(record.unwrap().start.to_string()).or_insert(0) += 1;
        }
    }
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(seen[bare] > 0 && seen[after] > 0 && seen[bare] + seen[after] == 20);
    // What a run keeps of its configuration names the positions and no file.
    let config = stdout_of(&["config", "--set", &set]);
    assert!(config.contains(bare) && config.contains(after) && !config.contains("starts_file"));
    fs::write(&file, "no position\n").unwrap();
    let refused = run(&["config", "--set", &set]);
    assert_eq!(refused.status.code(), Some(3));
    let message = stderr(&refused);
    assert!(
        message.contains("selfplay.starts_file") && message.contains("line 1"),
        "{message}"
    );
}
