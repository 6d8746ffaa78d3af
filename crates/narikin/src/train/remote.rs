//! Games from other machines, and the nets that they are played with.
//!
//! A thread looks at messages as they come ([`Judge`]); the learner's thread stores their games. A
//! message is acknowledged when its games are on disk and synced, so it is delivered again after
//! whatever happens before. Its games are known then: their numbers are in the records.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use fleet::{
    Broker, Hash, MESSAGE_FORMAT, ModelRef, Order, Receipt, RunCard, RunId, RunName, SeenGames,
    TrainerReport, TrainerSide, Verdict, worker_of,
};
use search::SearchOptions;

use super::intake::Intake;
use super::model_name;
use crate::config::Config;
use crate::exit::Refuse;
use crate::playing::worker::Played;
use crate::report::terminal::note;
use crate::run_folder::{RunFolder, VERSION};
use crate::wire::judge::{Judge, Judged};

/// Looked-at messages that may wait for the learner: few, so that a slow one has dealt with them before
/// the broker delivers them again.
const WAITING_MESSAGES: usize = 8;
/// Games that are stored at a time where the learner has nothing to do.
pub const GAMES_AT_ONCE: usize = 256;
/// Messages after which a sync is worth its time.
const SYNC_MESSAGES: usize = 64;
/// Time after which stored games are synced and acknowledged.
const SYNC_EVERY: Duration = Duration::from_millis(500);
/// How long the thread waits for a message before it looks whether it should end.
const PATIENCE: Duration = Duration::from_millis(200);

/// A message whose games are to be stored.
struct Accepted {
    games: Vec<Played>,
    receipt: Receipt,
}

/// What the thread and the learner share.
#[derive(Default)]
struct Shared {
    generation: AtomicU32,
    stop: AtomicBool,
    counts: Mutex<Counts>,
    /// Messages between delivery and acknowledgement: delivered again, they are not taken again.
    in_hand: Mutex<BTreeSet<u64>>,
}

/// What happened since the first start of the run.
#[derive(Debug, Clone, Default)]
struct Counts {
    games: u64,
    messages: u64,
    bytes: u64,
    duplicates: u64,
    refused: BTreeMap<String, u64>,
}

impl Shared {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn in_hand(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.in_hand.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The fleet of a run.
pub struct Remote {
    run: RunId,
    models: PathBuf,
    side: Arc<TrainerSide>,
    shared: Arc<Shared>,
    games: Receiver<Accepted>,
    thread: Option<JoinHandle<()>>,
    /// The order that workers have now.
    order: Option<Order>,
    /// Stored and not yet acknowledged.
    unsettled: Vec<Receipt>,
    unsettled_since: Instant,
    /// When and what was reported last.
    reported: (Instant, u64),
}

impl Remote {
    /// Opens the run at the broker. `before` is what an earlier process reported last.
    ///
    /// # Errors
    ///
    /// If the name belongs to another run, or the broker refuses.
    pub fn open(
        broker: &Broker,
        config: &Config,
        folder: &RunFolder,
        seen: SeenGames,
        before: Option<&TrainerReport>,
    ) -> anyhow::Result<Remote> {
        let run = folder.identity().refused()?;
        let name = RunName::new(&config.name)
            .with_context(|| format!("the name {:?} is too long for a broker", config.name))
            .refused()?;
        let card = RunCard {
            format: MESSAGE_FORMAT,
            run: run.to_string(),
            name: config.name.clone(),
            program: VERSION.to_owned(),
            records: data::RECORD_VERSION,
            encoding: data::ENCODING_VERSION,
            seed: config.seed,
            first_worker: 0,
            selfplay: serde_json::to_value(&config.selfplay).context("options are plain JSON")?,
        };
        let side = TrainerSide::open(broker, &name, card, seen.highest_worker());
        let side = Arc::new(side.refused()?);
        let visits = config.stages.iter().map(|stage| stage.visits);
        let judge = Judge {
            run,
            seed: config.seed,
            rules: config.selfplay.rules(),
            visits: visits.chain([config.search.visits]).max().unwrap_or(0),
            max_age_nets: config.fleet.max_age_nets,
            models: folder.models(),
            seen,
            hashes: BTreeMap::new(),
        };
        let shared = Arc::new(Shared::default());
        if let Some(before) = before.cloned() {
            *shared.counts() = Counts {
                games: before.games,
                messages: before.messages,
                bytes: before.bytes,
                duplicates: before.duplicates,
                refused: before.refused,
            };
        }
        let (sender, games) = mpsc::sync_channel(WAITING_MESSAGES);
        let thread = thread::Builder::new()
            .name("fleet".to_owned())
            .spawn({
                let (side, shared) = (side.clone(), shared.clone());
                move || receive(judge, &side, &shared, &sender)
            })
            .context("cannot start a thread for the games of workers")?;
        note(&format!(
            "open to workers: narikin worker --broker {} --run {name}",
            broker.address()
        ));
        let reported = (Instant::now(), shared.counts().games);
        Ok(Remote {
            run,
            models: folder.models(),
            side,
            shared,
            games,
            thread: Some(thread),
            order: None,
            unsettled: Vec::new(),
            unsettled_since: Instant::now(),
            reported,
        })
    }

    /// Tells workers which net plays from now on, and how it searches; nothing if they know. The net is
    /// the file of `generation` in the run's folder.
    ///
    /// # Errors
    ///
    /// If the net cannot be read.
    pub fn announce(&mut self, generation: u32, search: &SearchOptions) -> anyhow::Result<()> {
        self.shared.generation.store(generation, Ordering::Relaxed);
        let search = serde_json::to_value(search).context("options are plain JSON")?;
        let known = self.order.as_ref();
        if known.is_some_and(|order| order.generation == generation && order.search == search) {
            return Ok(());
        }
        let mut model = None;
        if generation > 0 {
            let path = self.models.join(model_name(generation));
            let bytes = fs::read(&path);
            let bytes = bytes.with_context(|| format!("cannot read {}", path.display()))?;
            model = Some(Arc::new(bytes));
        }
        let named = model.as_ref().map(|bytes| {
            let sha256 = Hash::of(bytes).to_string();
            ModelRef {
                object: format!("{generation:06}-{}", &sha256[..16]),
                sha256,
                bytes: bytes.len() as u64,
            }
        });
        self.give(
            Order {
                format: MESSAGE_FORMAT,
                run: self.run.to_string(),
                playing: true,
                generation,
                model: named,
                search,
            },
            model,
        );
        Ok(())
    }

    /// Tells workers to rest: the run has spent its budget.
    pub fn dismiss_workers(&mut self) {
        if let Some(order) = &self.order {
            let order = Order {
                playing: false,
                ..order.clone()
            };
            self.give(order, None);
        }
    }

    fn give(&mut self, order: Order, model: Option<Arc<Vec<u8>>>) {
        self.side.announce(order.clone(), model);
        self.order = Some(order);
    }

    /// Stores games that have come, up to `most` and the rest of the last message; waits for one no longer
    /// than `patience`.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn store_games(
        &mut self,
        intake: &mut Intake,
        patience: Duration,
        most: usize,
    ) -> anyhow::Result<()> {
        let mut next = self.games.recv_timeout(patience).ok();
        let mut n_games = 0;
        while let Some(message) = next {
            n_games += message.games.len();
            self.store(intake, message)?;
            next = match n_games < most {
                true => self.games.try_recv().ok(),
                false => None,
            };
        }
        let is_due =
            self.unsettled.len() >= SYNC_MESSAGES || self.unsettled_since.elapsed() >= SYNC_EVERY;
        if !self.unsettled.is_empty() && is_due {
            self.settle(intake)?;
        }
        Ok(())
    }

    fn store(&mut self, intake: &mut Intake, message: Accepted) -> anyhow::Result<()> {
        let n_games = message.games.len() as u64;
        for played in message.games {
            self.side.know_worker(worker_of(played.record.id));
            intake.store(played)?;
        }
        self.shared.counts().games += n_games;
        if self.unsettled.is_empty() {
            self.unsettled_since = Instant::now();
        }
        self.unsettled.push(message.receipt);
        Ok(())
    }

    /// Makes stored games safe, and acknowledges their messages.
    fn settle(&mut self, intake: &mut Intake) -> anyhow::Result<()> {
        intake.sync()?;
        for receipt in self.unsettled.drain(..) {
            let number = receipt.number();
            self.side.settle(receipt, Verdict::Stored);
            self.shared.in_hand().remove(&number);
        }
        Ok(())
    }

    /// How the fleet is. The next report's games per second begin here.
    pub fn report(&mut self) -> TrainerReport {
        let report = self.stands();
        self.reported = (Instant::now(), report.games);
        self.side.report(report.clone());
        report
    }

    /// Tells those who ask at the broker how the fleet is.
    pub fn show(&self) {
        self.side.report(self.stands());
    }

    fn stands(&self) -> TrainerReport {
        let counts = self.shared.counts().clone();
        let state = self.side.state();
        let (at, games) = self.reported;
        TrainerReport {
            connected: self.side.is_connected(),
            workers: state.workers,
            published: state.published,
            games: counts.games,
            games_per_s: (counts.games - games) as f64 / at.elapsed().as_secs_f64().max(1e-9),
            messages: counts.messages,
            bytes: counts.bytes,
            waiting_messages: state.waiting_messages,
            waiting_bytes: state.waiting_bytes,
            duplicates: counts.duplicates,
            refused: counts.refused,
            trouble: state.trouble,
        }
    }

    /// Takes no more messages, and stores what was looked at.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn stop_receiving(&mut self, intake: &mut Intake) -> anyhow::Result<()> {
        self.shared.stop.store(true, Ordering::Relaxed);
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        while !thread.is_finished() {
            if let Ok(message) = self.games.recv_timeout(PATIENCE) {
                self.store(intake, message)?;
            }
        }
        while let Ok(message) = self.games.try_recv() {
            self.store(intake, message)?;
        }
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
        self.settle(intake)
    }

    /// Ends the connection, after the last orders are out.
    pub fn close(self) {
        let Remote { side, games, .. } = self;
        drop(games);
        // The thread that had the other one has ended.
        if let Some(side) = Arc::into_inner(side) {
            side.close();
        }
    }
}

/// Looks at messages until the run ends.
fn receive(mut judge: Judge, side: &TrainerSide, shared: &Shared, games: &SyncSender<Accepted>) {
    while !shared.stop.load(Ordering::Relaxed) {
        let Some(delivery) = side.receive(PATIENCE) else {
            continue;
        };
        let number = delivery.receipt.number();
        if shared.in_hand().contains(&number) {
            // The first delivery is on its way to the disk; that one is acknowledged.
            continue;
        }
        let generation = shared.generation.load(Ordering::Relaxed);
        let judged = judge.judge(delivery.bytes(), delivery.sender, generation);
        count(shared, &judged, delivery.bytes().len());
        let receipt = delivery.receipt;
        if !judged.games.is_empty() {
            shared.in_hand().insert(number);
            let accepted = Accepted {
                games: judged.games,
                receipt,
            };
            if games.send(accepted).is_err() {
                return;
            }
        } else if judged.refused.is_empty() {
            side.settle(receipt, Verdict::Stored);
        } else {
            side.settle(receipt, Verdict::Refused);
        }
    }
}

fn count(shared: &Shared, judged: &Judged, n_bytes: usize) {
    let mut counts = shared.counts();
    counts.messages += 1;
    counts.bytes += n_bytes as u64;
    counts.duplicates += judged.duplicates;
    for (refusal, n) in &judged.refused {
        *counts.refused.entry(refusal.word().to_owned()).or_default() += n;
    }
}
