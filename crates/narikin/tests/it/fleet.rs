//! A trainer and workers with a real broker between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::nats::{self, Nats, signal};
use crate::program::{
    check_refused, interrupted, json_of, narikin, run, stderr, test_folder, text,
};
use crate::train::{events, game_ids, wait_for_nets, with_settings};

/// Nets of a tiny run follow each other in a second or less: none is too old, and not all are published. Games
/// take longer than elsewhere, so that a busy machine is not buried under them.
const PATIENT: [&str; 3] = [
    "fleet.max_age_nets=1000000",
    "learn.publish_samples=2048",
    "search.visits=24",
];

/// A tiny run that takes all its games from workers.
pub fn trainer(nats: &Nats, folder: &Path, more: &[&str]) -> Command {
    let mut command = narikin();
    command.args(["train", "--threads", "0", "--run", text(folder)]);
    command.args(["--broker", &nats.url()]);
    with_settings(command, &[&PATIENT[..], more].concat())
}

pub fn worker(nats: &Nats, more: &[&str]) -> Command {
    let mut command = narikin();
    command.args(["worker", "--threads", "1", "--grace", "60"]);
    command.args(["--broker", &nats.url()]).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Asks a worker to stop as systems do. It finishes its games and sends them.
#[track_caller]
pub fn terminated(child: Child) -> String {
    signal(child.id(), "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    stderr(&output)
}

fn fleet(nats: &Nats, more: &[&str]) -> serde_json::Value {
    let url = nats.url();
    json_of(&[&["fleet", "status", "--json", "--broker", &url], more].concat())
}

/// Waits until `done` says so of what the fleet says.
#[track_caller]
pub fn wait_until(nats: &Nats, child: &mut Child, done: impl Fn(&serde_json::Value) -> bool) {
    while !done(&fleet(nats, &[])) {
        assert_eq!(child.try_wait().unwrap(), None, "the process has ended");
        thread::sleep(Duration::from_millis(200));
    }
}

/// Games of each worker in the run folder, by their numbers.
pub fn games_of_workers(folder: &Path) -> BTreeMap<u64, BTreeSet<u64>> {
    let mut workers: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for id in game_ids(folder) {
        let of_worker = workers.entry(id >> 32).or_default();
        of_worker.insert(id & u64::from(u32::MAX));
    }
    workers
}

/// The number that a worker was given, from what it said.
#[track_caller]
pub fn number_of(said: &str) -> u64 {
    let number = said.lines().find_map(|line| {
        let rest = line.strip_prefix("worker ")?;
        rest.split(' ').next()?.parse().ok()
    });
    number.expect(said)
}

/// A worker that was asked to stop has finished and sent all games that it had begun, so its numbers have
/// no gap; and `game_ids` has seen that none is there twice.
#[track_caller]
pub fn check_all_there(games: &BTreeMap<u64, BTreeSet<u64>>, worker: u64) {
    let there = games.get(&worker).expect("games of the worker");
    let expected: BTreeSet<u64> = (1..=there.len() as u64).collect();
    assert_eq!(*there, expected, "games of worker {worker}");
}

#[test]
fn a_run_learns_from_the_games_of_its_workers() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::start("fleet-whole-nats");
    let folder = test_folder("fleet-whole");
    let mut training = trainer(&nats, &folder, &["budget.games=1000000"])
        .spawn()
        .unwrap();
    let workers = [
        worker(&nats, &["--label", "anna"]).spawn().unwrap(),
        worker(&nats, &["--label", "bert", "--run", "run"])
            .spawn()
            .unwrap(),
    ];
    wait_for_nets(&folder, 3, &mut training);
    wait_until(&nats, &mut training, |seen| {
        let workers = seen["status"]["workers"].as_object();
        let generation = |worker: &serde_json::Value| worker["generation"].as_u64() >= Some(2);
        workers.is_some_and(|workers| workers.len() == 2 && workers.values().all(generation))
    });
    let seen = fleet(&nats, &["--run", "run"]);
    let labels: BTreeSet<_> = seen["status"]["workers"]
        .as_object()
        .unwrap()
        .values()
        .map(|worker| worker["label"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        labels,
        BTreeSet::from(["anna".to_owned(), "bert".to_owned()])
    );
    let words = run(&["fleet", "status", "--broker", &nats.url()]);
    let words = String::from_utf8(words.stdout).unwrap();
    assert!(
        words.contains("workers   2,") && words.contains("anna"),
        "{words}"
    );

    let said = workers.map(terminated);
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["waiting_messages"] == 0
    });
    interrupted(training);
    let games = games_of_workers(&folder);
    assert_eq!(games.len(), 2, "nobody else has played");
    for said in &said {
        check_all_there(&games, number_of(said));
    }
    let told = events(&folder, "fleet");
    let last = &told.last().unwrap()["trainer"];
    let n_games: usize = games.values().map(BTreeSet::len).sum();
    assert_eq!(last["games"], n_games);
    assert_eq!(last["refused"], serde_json::json!({}));
    assert!(!events(&folder, "learned").is_empty());
    // Games of later nets, too: workers have taken what was published.
    let generations: BTreeSet<u32> = data::list_shards(&folder.join("games"))
        .unwrap()
        .iter()
        .flat_map(|shard| data::RecordReader::open(&shard.path).unwrap())
        .map(|game| game.unwrap().generation)
        .collect();
    assert!(generations.len() >= 3, "{generations:?}");
    let check = run(&["inspect", text(&folder), "--check"]);
    assert!(check.status.success(), "{}", stderr(&check));
}

#[test]
fn a_run_plays_at_home_and_elsewhere() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::start("fleet-both-nats");
    let folder = test_folder("fleet-both");
    let mut command = narikin();
    command.args(["train", "--threads", "2", "--run", text(&folder)]);
    command.args(["--broker", &nats.url()]);
    // The last start is soon done with what these have played.
    let lazy = [&PATIENT[..], &["learn.reuse=0.01"]].concat();
    let settings = [&lazy[..], &["budget.games=1000000"]].concat();
    let mut training = with_settings(command, &settings).spawn().unwrap();
    let away = worker(&nats, &[]).spawn().unwrap();
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["trainer"]["games"].as_u64() >= Some(100)
    });
    let said = terminated(away);
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["waiting_messages"] == 0
    });
    interrupted(training);
    let games = games_of_workers(&folder);
    assert_eq!(games.len(), 2);
    assert!(!games[&0].is_empty(), "the trainer has played as well");
    check_all_there(&games, number_of(&said));

    // The next start goes on with numbers of its own, and knows the games of workers.
    let output = {
        let mut command = narikin();
        command.args(["train", "--threads", "1", "--run", text(&folder)]);
        let n_games: usize = games.values().map(BTreeSet::len).sum();
        let enough = format!("budget.games={}", n_games + 30);
        with_settings(command, &[&lazy[..], &[enough.as_str()]].concat())
            .output()
            .unwrap()
    };
    assert!(output.status.success(), "{}", stderr(&output));
    let later = games_of_workers(&folder);
    assert_eq!(later.len(), 2);
    assert!(later[&0].is_superset(&games[&0]) && later[&0].len() >= games[&0].len() + 30);
}

#[test]
fn messages_of_strangers_are_refused_counted_and_gone() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::start("fleet-strangers-nats");
    let folder = test_folder("fleet-strangers");
    let mut training = trainer(&nats, &folder, &[]).spawn().unwrap();
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["trainer"]["connected"] == true
    });
    nats.publish("narikin.games.run.7", b"rubbish");
    nats.publish("narikin.games.run.x", b"rubbish");
    let chunk = fleet::Chunk {
        run: fleet::RunId::of(&["another"]),
        worker: 7,
        models: Vec::new(),
        games: Vec::new(),
    };
    let foreign = chunk.encode();
    nats.publish("narikin.games.run.7", &foreign);
    let mut damaged = foreign.clone();
    damaged[20] ^= 1;
    nats.publish("narikin.games.run.7", &damaged);
    let mut newer = foreign.clone();
    newer[8] = 9;
    nats.publish("narikin.games.run.7", &newer);
    // Larger than the stream takes: the broker itself refuses it.
    nats.publish("narikin.games.run.7", &vec![0; 1_010_000]);
    wait_until(&nats, &mut training, |seen| {
        let refused = &seen["status"]["trainer"]["refused"];
        seen["status"]["waiting_messages"] == 0 && refused["version"] == 1
    });
    let seen = fleet(&nats, &[]);
    let expected = serde_json::json!({"format": 2, "foreign": 1, "damaged": 1, "version": 1});
    assert_eq!(seen["status"]["trainer"]["refused"], expected);
    let words = run(&["fleet", "status", "--broker", &nats.url()]);
    let words = String::from_utf8(words.stdout).unwrap();
    assert!(words.contains("refused   2 format"), "{words}");
    interrupted(training);
    assert!(game_ids(&folder).is_empty());

    // Counts go on after a restart.
    let mut training = trainer(&nats, &folder, &[]).spawn().unwrap();
    nats.publish("narikin.games.run.7", b"rubbish");
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["trainer"]["refused"]["format"] == 3
    });
    interrupted(training);
}

#[test]
fn games_that_come_too_late_are_refused_and_the_run_goes_on() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::start("fleet-late-nats");
    let folder = test_folder("fleet-late");
    // No net is missed, and the next one comes with the next few games.
    let strict = ["fleet.max_age_nets=0", "learn.publish_samples=128"];
    let mut training = trainer(&nats, &folder, &strict).spawn().unwrap();
    let playing = worker(&nats, &[]).spawn().unwrap();
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["trainer"]["refused"]["late"].as_u64() >= Some(5)
    });
    let nets = events(&folder, "published").len();
    wait_for_nets(&folder, nets + 1, &mut training);
    terminated(playing);
    interrupted(training);
    let told = events(&folder, "fleet");
    let refused = told.last().unwrap()["trainer"]["refused"].clone();
    let reasons: Vec<&String> = refused.as_object().unwrap().keys().collect();
    assert_eq!(reasons, ["late"]);
}

#[test]
fn a_worker_keeps_its_games_while_the_broker_is_away() {
    if !nats::is_there() {
        return;
    }
    let mut nats = Nats::start("fleet-away-nats");
    let folder = test_folder("fleet-away");
    let spool = test_folder("fleet-away-spool");
    let mut training = trainer(&nats, &folder, &[]).spawn().unwrap();
    let mut away = worker(&nats, &["--spool", text(&spool)]).spawn().unwrap();
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["trainer"]["games"].as_u64() >= Some(10)
    });
    nats.kill();
    let chunks = || {
        let files = std::fs::read_dir(&spool).unwrap().flatten();
        let is_chunk = |name: &str| name.ends_with(".chunk");
        files
            .filter(|file| is_chunk(&file.file_name().to_string_lossy()))
            .count()
    };
    while chunks() < 3 {
        assert_eq!(away.try_wait().unwrap(), None, "the worker has ended");
        thread::sleep(Duration::from_millis(20));
    }
    // Killed with games in the spool: another worker sends them.
    away.kill().unwrap();
    let killed = stderr(&away.wait_with_output().unwrap());
    let kept = chunks();
    assert!(kept >= 3);
    nats.restart();
    let next = worker(&nats, &["--spool", text(&spool)]).spawn().unwrap();
    wait_until(&nats, &mut training, |_| chunks() == 0);
    let said = terminated(next);
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["waiting_messages"] == 0
    });
    interrupted(training);
    let games = games_of_workers(&folder);
    check_all_there(&games, number_of(&said));
    assert_ne!(number_of(&killed), number_of(&said));
    assert!(games[&number_of(&killed)].len() > 10);
}

#[test]
fn workers_and_trainers_need_the_right_credentials_and_never_show_them() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::with_config("fleet-token-nats", "authorization { token: geheim }\n");
    let folder = test_folder("fleet-token");
    let [right, wrong] = ["geheim", "falsch"].map(|token| {
        let file = folder.join(token);
        std::fs::write(&file, format!("{token}\n")).unwrap();
        file
    });
    let url = nats.url();
    check_refused(
        &["worker", "--broker", &url],
        3,
        &["refuses these credentials", &url],
    );
    check_refused(
        &["worker", "--broker", &url, "--token-file", text(&wrong)],
        3,
        &["refuses these credentials"],
    );
    let in_url = url.replace("nats://", "nats://falsch@");
    let output = run(&["fleet", "status", "--broker", &in_url]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!stderr(&output).contains("falsch"), "{}", stderr(&output));
    let output = run(&[
        "fleet",
        "status",
        "--broker",
        &url,
        "--token-file",
        text(&right),
    ]);
    assert!(output.status.success(), "{}", stderr(&output));

    let run_folder = test_folder("fleet-token-run");
    let mut command = narikin();
    command.args(["train", "--threads", "0", "--run", text(&run_folder)]);
    let in_url = url.replace("nats://", "nats://geheim@");
    command.args(["--broker", &in_url]);
    let training = with_settings(command, &PATIENT).spawn().unwrap();
    let mut command = narikin();
    command.args(["worker", "--broker", &url, "--token-file", text(&right)]);
    command.args(["--threads", "1", "--grace", "0"]);
    let playing = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while games_in(&run_folder) < 20 {
        thread::sleep(Duration::from_millis(50));
    }
    let said = terminated(playing);
    let told = stderr(&interrupted(training));
    let events = std::fs::read_to_string(run_folder.join("events.jsonl")).unwrap();
    for text in [said, told, events] {
        assert!(!text.contains("geheim"), "{text}");
    }
}

#[test]
fn a_worker_needs_no_more_than_the_documented_permissions() {
    if !nats::is_there() {
        return;
    }
    let page = include_str!("../../../../docs/fleet.md");
    let permissions = page
        .split("permissions: {")
        .nth(1)
        .and_then(|rest| rest.split("] } }").next())
        .expect("the page shows a worker's permissions")
        .replace("big", "run");
    let users = format!(
        "authorization {{ users = [
            {{ user: trainer, password: chef }}
            {{ user: worker7, password: geheim, permissions: {{ {permissions} ] }} }}
        ] }}"
    );
    let nats = Nats::with_config("fleet-rights-nats", &users);
    let folder = test_folder("fleet-rights");
    let [chef, geheim] = ["chef", "geheim"].map(|password| {
        let file = folder.join(password);
        std::fs::write(&file, password).unwrap();
        file
    });
    let as_chef = ["--user", "trainer", "--password-file", text(&chef)];
    let as_worker = ["--user", "worker7", "--password-file", text(&geheim)];
    let run_folder = test_folder("fleet-rights-run");
    let training = trainer(&nats, &run_folder, &[]).args(as_chef).spawn();
    let mut training = training.unwrap();
    let spools = [7, 8].map(|number| test_folder(&format!("fleet-rights-spool-{number}")));
    let numbered = |number, spool| {
        let own = ["--number", number, "--spool", text(spool)];
        worker(&nats, &[&as_worker[..], &own].concat())
    };
    let playing = numbered("7", &spools[0]).spawn().unwrap();
    // Another's number is no use to it.
    let mut thief = numbered("8", &spools[1]).spawn().unwrap();
    let [own, stolen] = [7_u64, 8].map(|member| (1 << 30) + (member << 14));
    // Its own games come through, and nets the other way.
    loop {
        let workers = fleet(&nats, &as_chef)["status"]["workers"].clone();
        let of = |worker: u64, key: &str| workers[worker.to_string()][key].as_u64() > Some(0);
        if of(own, "generation") && of(own, "sent_chunks") && of(stolen, "waiting_chunks") {
            break;
        }
        assert_eq!(training.try_wait().unwrap(), None, "the trainer has ended");
        thread::sleep(Duration::from_millis(100));
    }
    let url = nats.url();
    let removing = [&["fleet", "remove", "--broker", &url], &as_worker[..]].concat();
    assert_eq!(
        run(&removing).status.code(),
        Some(1),
        "a worker removes no run"
    );
    assert_eq!(fleet(&nats, &as_chef)["runs"], serde_json::json!(["run"]));
    // Matches, too.
    let pool = test_folder("fleet-rights-pool");
    let rating = ["rate", text(&pool), "random", "mate1", "--games", "4"];
    let rated = run(&[&rating[..], &["--broker", &url], &as_chef].concat());
    assert!(rated.status.success(), "{}", stderr(&rated));
    let said = terminated(playing);
    thief.kill().unwrap();
    thief.wait().unwrap();
    while fleet(&nats, &as_chef)["status"]["waiting_messages"] != 0 {
        thread::sleep(Duration::from_millis(100));
    }
    interrupted(training);
    let games = games_of_workers(&run_folder);
    check_all_there(&games, number_of(&said));
    assert_eq!(number_of(&said), own);
    assert_eq!(games.len(), 1, "nobody else's games came through");
}

/// Whole games in a run folder at which a trainer is at work.
pub fn games_in(folder: &Path) -> usize {
    let shards = data::list_shards(&folder.join("games")).unwrap_or_default();
    let games = shards
        .iter()
        .filter_map(|shard| data::RecordReader::open(&shard.path).ok())
        .flat_map(|reader| reader.map_while(Result::ok));
    games.count()
}

#[test]
fn a_worker_refuses_a_run_of_another_version_with_a_clear_word() {
    if !nats::is_there() {
        return;
    }
    let nats = Nats::start("fleet-version-nats");
    let folder = test_folder("fleet-version");
    let mut training = trainer(&nats, &folder, &[]).spawn().unwrap();
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["order"]["playing"] == true
    });
    let url = nats.url();
    let card = fleet(&nats, &[])["status"]["card"].clone();
    let publish = |card: &serde_json::Value| {
        nats.publish("$KV.narikin-run-run.run", card.to_string().as_bytes());
    };
    let mut newer = card.clone();
    newer["format"] = 2.into();
    publish(&newer);
    check_refused(
        &["worker", "--broker", &url, "--run", "run"],
        3,
        &["has format 2", "reads 1"],
    );
    let mut other = card.clone();
    other["records"] = 9.into();
    publish(&other);
    check_refused(
        &["worker", "--broker", &url, "--run", "run"],
        3,
        &["records of format 9"],
    );
    let mut options = card.clone();
    options["selfplay"]["new_option"] = 1.into();
    publish(&options);
    check_refused(
        &["worker", "--broker", &url, "--run", "run"],
        3,
        &["new_option", "use the same one"],
    );
    publish(&card);

    // The name belongs to the first run that had it, until it is removed.
    let second = test_folder("fleet-version-second");
    let output = trainer(&nats, &second, &["seed=2"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("another one"),
        "{}",
        stderr(&output)
    );
    interrupted(training);
    let removed = run(&["fleet", "remove", "--broker", &url]);
    assert!(removed.status.success(), "{}", stderr(&removed));
    let mut training = trainer(&nats, &second, &["seed=2"]).spawn().unwrap();
    wait_until(&nats, &mut training, |seen| {
        seen["status"]["card"]["seed"] == 2
    });
    interrupted(training);
}
