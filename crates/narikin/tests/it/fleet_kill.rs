//! Trainer, workers and broker are killed and stopped in turn. At the end every game that a worker had
//! finished is in the run folder once, and learning went on.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use crate::fleet::{
    check_all_there, games_in, games_of_workers, number_of, terminated, trainer, wait_until, worker,
};
use crate::nats::{self, Nats, signal};
use crate::program::{interrupted, run, stderr, test_folder, text};
use crate::train::events;

/// It does not end by itself.
const SETTINGS: [&str; 1] = ["budget.games=100000000"];
/// Games that have to come after each blow.
const MORE: usize = 50;
/// How long the tests wait for anything: far longer than it takes.
const PATIENCE: Duration = Duration::from_secs(180);

/// A trainer, three workers and a broker.
struct Scene {
    nats: Nats,
    folder: PathBuf,
    spools: [PathBuf; 3],
    training: Child,
    workers: Vec<Child>,
}

impl Scene {
    fn begin(name: &str) -> Scene {
        let nats = Nats::start(&format!("{name}-nats"));
        let folder = test_folder(name);
        let spools = [0, 1, 2].map(|index| test_folder(&format!("{name}-spool-{index}")));
        let training = trainer(&nats, &folder, &SETTINGS).spawn().unwrap();
        let mut scene = Scene {
            nats,
            folder,
            spools,
            training,
            workers: Vec::new(),
        };
        for index in 0..3 {
            let worker = scene.worker(index);
            scene.workers.push(worker);
        }
        scene.wait_for_games();
        scene
    }

    fn worker(&self, index: usize) -> Child {
        worker(&self.nats, &["--spool", text(&self.spools[index])])
            .spawn()
            .unwrap()
    }

    /// Waits until the run has taken more games and published another net.
    #[track_caller]
    fn wait_for_games(&mut self) {
        let (games, before) = (games_in(&self.folder), nets(&self.folder));
        let began = Instant::now();
        while games_in(&self.folder) < games + MORE || nets(&self.folder) <= before {
            if let Some(status) = self.training.try_wait().unwrap() {
                panic!("the trainer has ended: {status}");
            }
            assert!(began.elapsed() < PATIENCE, "nothing goes on");
            thread::sleep(Duration::from_millis(500));
        }
    }

    fn kill_worker(&mut self, index: usize) {
        self.workers[index].kill().unwrap();
        self.workers[index].wait().unwrap();
        self.workers[index] = self.worker(index);
    }

    fn kill_trainer(&mut self) {
        self.training.kill().unwrap();
        self.training.wait().unwrap();
        self.training = trainer(&self.nats, &self.folder, &SETTINGS)
            .spawn()
            .unwrap();
    }

    /// Stops a process as a machine does that hangs, and lets it go on.
    fn stop(&mut self, pid: u32, time: Duration) {
        signal(pid, "STOP");
        thread::sleep(time);
        signal(pid, "CONT");
        self.wait_for_games();
    }

    /// Ends everything in good order and looks at what is in the folder.
    fn end(self) {
        let Scene {
            nats,
            folder,
            mut training,
            workers,
            ..
        } = self;
        let said: Vec<String> = workers.into_iter().map(terminated).collect();
        wait_until(&nats, &mut training, |seen| {
            seen["status"]["waiting_messages"] == 0
        });
        interrupted(training);
        let games = games_of_workers(&folder);
        for said in &said {
            check_all_there(&games, number_of(said));
        }
        let told = events(&folder, "fleet");
        let refused = &told.last().unwrap()["trainer"]["refused"];
        assert_eq!(*refused, serde_json::json!({}), "no game was refused");
        let check = run(&["inspect", text(&folder), "--check"]);
        assert!(check.status.success(), "{}", stderr(&check));
    }
}

/// Nets that the run has published, all starts together.
fn nets(folder: &Path) -> usize {
    events(folder, "published").len()
}

#[test]
fn workers_trainer_and_broker_are_killed_and_no_finished_game_is_lost() {
    if !nats::is_there() {
        return;
    }
    let rounds = if std::env::var_os("RUN_SLOW_TESTS").is_some() {
        4
    } else {
        1
    };
    let mut scene = Scene::begin("fleet-kill");
    for _ in 0..rounds {
        for index in 0..3 {
            scene.kill_worker(index);
            scene.wait_for_games();
        }
        scene.kill_trainer();
        scene.wait_for_games();
        scene.nats.kill_and_restart();
        scene.wait_for_games();
        // All at once, with messages under way.
        scene.kill_trainer();
        scene.nats.kill_and_restart();
        scene.kill_worker(0);
        scene.wait_for_games();
    }
    scene.end();
}

#[test]
fn workers_trainer_and_broker_hang_for_half_a_minute_and_no_finished_game_is_lost() {
    if !nats::is_there() || std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    let mut scene = Scene::begin("fleet-stop");
    // Longer than the broker waits before it delivers a message again.
    let half_a_minute = Duration::from_secs(33);
    for index in 0..3 {
        let pid = scene.workers[index].id();
        scene.stop(pid, half_a_minute);
    }
    let pids = [scene.training.id(), scene.nats.pid()];
    for pid in pids {
        scene.stop(pid, half_a_minute);
    }
    scene.end();
}
