//! Matches of a rating pool played by workers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::arena::{has_openvino, small_net};
use crate::nats::{self, Nats, signal};
use crate::program::{json_of, narikin, run, stderr, stdout_of, test_folder, text};

fn worker(nats: &Nats) -> Child {
    let mut command = narikin();
    command.args(["worker", "--threads", "1", "--grace", "0"]);
    command.args(["--broker", &nats.url(), "--label", "anna"]);
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().unwrap()
}

fn rate(nats: &Nats, pool: &Path, more: &[&str]) -> Command {
    let mut command = narikin();
    command.args(["rate", text(pool), "--broker", &nats.url()]);
    command.args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What the broker says about pairs.
fn pairs(nats: &Nats) -> serde_json::Value {
    json_of(&["fleet", "status", "--json", "--broker", &nats.url()])["pairs"].clone()
}

/// The games of each pair of a pool: which of its two games there are.
#[track_caller]
fn games_of_pairs(pool: &Path) -> BTreeMap<(String, String, u64), Vec<u64>> {
    let mut found: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for line in fs::read_to_string(pool.join("games.jsonl"))
        .unwrap()
        .lines()
    {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = |key: &str| game[key].as_str().unwrap().to_owned();
        let key = (name("a"), name("b"), game["pair"].as_u64().unwrap());
        let number = game["game"]["game"].as_u64().unwrap() % 2;
        found.entry(key).or_default().push(number);
    }
    found
}

#[track_caller]
fn check_pool(pool: &Path, n_games: usize) {
    let pairs = games_of_pairs(pool);
    assert_eq!(pairs.len(), n_games / 2);
    for (pair, mut games) in pairs {
        games.sort_unstable();
        assert_eq!(games, [0, 1], "{pair:?}");
    }
}

#[test]
fn workers_play_the_games_of_a_pool_without_any_run() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::start("fleet-rate-nats");
    let pool = test_folder("fleet-rate");
    // Games of this machine come first, and the others go on with them.
    stdout_of(&["rate", text(&pool), "random@elo=0", "mate1", "--games", "8"]);
    let workers = [worker(&nats), worker(&nats)];
    let rating = rate(&nats, &pool, &["greedy", "--games", "60", "--json"]);
    let output = { rating }.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["games"], 68);
    assert_eq!(report["players"][0]["name"], "greedy");
    check_pool(&pool, 68);
    // Nothing stays behind.
    assert_eq!(
        pairs(&nats),
        serde_json::json!({"waiting": 0, "in_play": 0, "results": 0})
    );
    workers.into_iter().for_each(end);
    // The same pool goes on at home.
    let report = json_of(&["rate", text(&pool), "--games", "8", "--json"]);
    assert_eq!(report["games"], 76);
    check_pool(&pool, 76);
}

#[test]
fn a_pair_whose_worker_is_killed_is_played_by_another_and_counted_once() {
    if !nats::is_there() || !has_openvino() {
        return;
    }
    let nats = Nats::start("fleet-rate-killed-nats");
    let pool = test_folder("fleet-rate-killed");
    let net = small_net(&pool);
    // Slow enough to be killed with a pair in hand.
    let slow = format!("{net}@visits=3000,name=slow");
    let first = worker(&nats);
    let more = ["mate1", &slow, "--games", "4", "--max-ply", "16"];
    let mut rating = { rate(&nats, &pool, &more) }.spawn().unwrap();
    loop {
        while pairs(&nats)["in_play"] == 0 {
            assert_eq!(rating.try_wait().unwrap(), None, "all has been played");
            thread::sleep(Duration::from_millis(20));
        }
        signal(first.id(), "STOP");
        // It may have brought its result meanwhile.
        if pairs(&nats)["in_play"] != 0 {
            break;
        }
        signal(first.id(), "CONT");
    }
    end(first);
    let second = worker(&nats);
    let output = rating.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    check_pool(&pool, 4);
    end(second);
}

#[test]
fn what_cannot_be_played_elsewhere_is_said_and_refused() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::start("fleet-rate-refused-nats");
    let pool = test_folder("fleet-rate-refused");
    let output = rate(
        &nats,
        &pool,
        &["random", "usi:false@nodes=1", "--games", "4"],
    )
    .output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("usi:false"), "{said}");
    assert!(said.contains("fewer than two players"), "{said}");
    let url = nats.url();
    let both = ["rate", text(&pool), "--broker", &url, "--threads", "2"];
    assert_eq!(run(&both).status.code(), Some(2), "nobody plays here");
}

#[test]
fn results_that_cannot_be_are_refused_and_the_pair_is_played_again() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::start("fleet-rate-rubbish-nats");
    let pool = test_folder("fleet-rate-rubbish");
    let rating = rate(&nats, &pool, &["random", "mate1", "--games", "8"]);
    let mut rating = { rating }.spawn().unwrap();
    while pairs(&nats)["waiting"] != 4 {
        assert_eq!(rating.try_wait().unwrap(), None, "it has ended");
        thread::sleep(Duration::from_millis(20));
    }
    let identity = fs::read_to_string(pool.join("identity")).unwrap();
    let subject = format!("narikin.results.{}", identity.trim());
    nats.publish(&subject, b"rubbish");
    // A result without games.
    let id = serde_json::json!({"a": 0, "b": 1, "pair": 0});
    let none = serde_json::json!({"format": 1, "id": id, "worker": "eve", "games": []});
    nats.publish(&subject, none.to_string().as_bytes());
    let playing = worker(&nats);
    let output = rating.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("2 results were refused"), "{said}");
    assert!(said.contains("eve"), "{said}");
    check_pool(&pool, 8);
    end(playing);
    let output = run(&["rate", text(&pool), "--games", "0"]);
    assert!(output.status.success(), "{}", stderr(&output));
}
