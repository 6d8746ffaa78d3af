//! Pairs of games for rating pools elsewhere, played beside the training games.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use arena::{ArenaEvent, Match, Progress, StoredGame};
use fleet::{Broker, HEARD_WITHIN, MatchSeat, ModelRef, PairTask};
use model::Model;

use crate::interrupt;
use crate::nets::Net;
use crate::report::terminal::note;
use crate::wire::pair::{PairOrder, PairResult};

/// Time between two questions whether there is a pair, where there was none.
const ASK_EVERY: Duration = Duration::from_secs(3);
/// Rest after a pair that cannot be played here, so that others get it.
const REST: Duration = Duration::from_secs(30);
/// Time between two looks whether the worker is to end.
const GLANCE: Duration = Duration::from_millis(50);
/// How often a result is brought before the pair is left to others.
const ATTEMPTS: u32 = 60;
/// Nets that a thread keeps.
const KEPT_NETS: usize = 4;

/// Threads that play pairs.
pub struct MatchCrew {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    label: String,
    stop: AtomicBool,
    busy: AtomicUsize,
    pairs: AtomicU64,
}

impl Shared {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || interrupt::requested()
    }

    fn rest(&self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.is_over() && Instant::now() < deadline {
            thread::sleep(GLANCE);
        }
    }
}

impl MatchCrew {
    /// Begins to ask for pairs, on `n_threads`.
    ///
    /// # Errors
    ///
    /// If there is no thread to be had.
    pub fn start(broker: &Broker, n_threads: usize, label: &str) -> anyhow::Result<MatchCrew> {
        let shared = Arc::new(Shared {
            label: label.to_owned(),
            ..Shared::default()
        });
        let threads = (0..n_threads)
            .map(|index| {
                let (broker, shared) = (broker.clone(), shared.clone());
                thread::Builder::new()
                    .name(format!("match-{index}"))
                    .spawn(move || play_matches(&broker, &shared))
                    .context("cannot start a thread for matches")
            })
            .collect::<anyhow::Result<_>>()?;
        Ok(MatchCrew { shared, threads })
    }

    /// Threads that have a pair.
    pub fn busy(&self) -> usize {
        self.shared.busy.load(Ordering::Relaxed)
    }

    /// Pairs played so far.
    pub fn pairs(&self) -> u64 {
        self.shared.pairs.load(Ordering::Relaxed)
    }

    /// Gives back what is being played, and ends.
    pub fn end(self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        for thread in self.threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

fn play_matches(broker: &Broker, shared: &Shared) {
    let mut seat = MatchSeat::new(broker);
    let mut nets = BTreeMap::new();
    let mut told = String::new();
    while !shared.is_over() {
        // An error is told by whoever waits for games or orders.
        let Ok(Some(task)) = seat.take() else {
            shared.rest(ASK_EVERY);
            continue;
        };
        shared.busy.fetch_add(1, Ordering::Relaxed);
        let played = play(&task, shared, &mut nets);
        shared.busy.fetch_sub(1, Ordering::Relaxed);
        match played {
            Ok(true) => {
                shared.pairs.fetch_add(1, Ordering::Relaxed);
            }
            Ok(false) => task.give_back(),
            Err(error) => {
                task.give_back();
                let line = format!("a pair of a match is left to others: {error:#}");
                if line != told {
                    note(&line);
                    told = line;
                }
                shared.rest(REST);
            }
        }
    }
}

/// Plays a pair and brings its result; false if the worker was asked to stop first.
fn play(
    task: &PairTask,
    shared: &Shared,
    nets: &mut BTreeMap<String, Net>,
) -> anyhow::Result<bool> {
    let order = PairOrder::read(task.bytes())?;
    let mut player =
        |player: &crate::wire::pair::PairPlayer| player.player(|named| net_of(task, named, nets));
    let (a, b) = (player(&order.a)?, player(&order.b)?);
    let mut game = Match::new(&order.options, a, b)?;
    let mut games = Vec::new();
    let mut on_event = |event| {
        if let ArenaEvent::GameFinished(game) = event {
            games.push(StoredGame::new(&game, false));
        }
    };
    let mut told = Instant::now();
    while game.advance(&mut on_event)? == Progress::Running {
        if shared.is_over() {
            return Ok(false);
        }
        if told.elapsed() > HEARD_WITHIN / 3 {
            task.still_playing();
            told = Instant::now();
        }
    }
    games.sort_by_key(|game| game.game);
    let result = PairResult::new(order.id, &shared.label, games).to_bytes();
    for _ in 0..ATTEMPTS {
        if task.finish(&result).is_ok() {
            return Ok(true);
        }
        if shared.is_over() {
            return Ok(false);
        }
        shared.rest(Duration::from_secs(1));
    }
    anyhow::bail!("the broker does not take its result")
}

/// The net that is meant: one that is here, or the broker's.
fn net_of(
    task: &PairTask,
    named: &ModelRef,
    nets: &mut BTreeMap<String, Net>,
) -> anyhow::Result<Net> {
    if let Some(net) = nets.get(&named.sha256) {
        return Ok(net.clone());
    }
    // It may take its time.
    task.still_playing();
    let bytes = task.net(named)?;
    let model = Model::from_bytes(&bytes, named.object.as_ref())?;
    let net = Net::from_model(&named.object, &model);
    if nets.len() >= KEPT_NETS {
        nets.clear();
    }
    nets.insert(named.sha256.clone(), net.clone());
    Ok(net)
}
