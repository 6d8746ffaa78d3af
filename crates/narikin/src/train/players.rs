//! Who plays the training games: threads of their own, or the learner's thread in turn with learning.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use selfplay::PlayMemory;

use super::intake::{GROUP, Intake};
use crate::playing::orders::Orders;
use crate::playing::worker::{Played, Worker, WorkerSettings};

/// Finished games that may wait for the disk; then their players wait.
const WAITING_GAMES: usize = 256;

/// How long a resting thread sleeps before it looks again.
const REST: Duration = Duration::from_millis(20);

/// The players of a run.
pub enum Players {
    /// Beside the learner.
    Beside {
        /// One for each self-play thread.
        threads: Vec<JoinHandle<anyhow::Result<()>>>,
        /// Their finished games.
        games: Receiver<Played>,
    },
    /// In turn with the learner, in its thread: what happens depends on nothing but the seed.
    InTurn(Box<Worker>),
    /// Elsewhere only.
    Elsewhere,
}

impl Players {
    /// Starts `n_threads` players; a single one plays in turn with the learner, and none is for runs whose
    /// games come from elsewhere. `memories` is what earlier players had taken from their games.
    ///
    /// # Errors
    ///
    /// If the system starts no thread, or the net cannot be evaluated.
    pub fn start(
        n_threads: usize,
        settings: &WorkerSettings,
        orders: &Arc<Orders>,
        memories: &[PlayMemory],
    ) -> anyhow::Result<Players> {
        if n_threads == 0 {
            return Ok(Players::Elsewhere);
        }
        let memory = |index: usize| memories.get(index).cloned().unwrap_or_default();
        if n_threads == 1 {
            let worker = Worker::new(0, settings.clone(), orders, memory(0))?;
            return Ok(Players::InTurn(Box::new(worker)));
        }
        let (sender, games) = mpsc::sync_channel(WAITING_GAMES);
        let threads = (0..n_threads)
            .map(|index| {
                let (settings, orders) = (settings.clone(), orders.clone());
                let (memory, sender) = (memory(index), sender.clone());
                thread::Builder::new()
                    .name(format!("selfplay-{index}"))
                    .spawn(move || work(index, settings, &orders, memory, &sender))
                    .context("cannot start a self-play thread")
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Players::Beside { threads, games })
    }

    /// Gives games that have finished to the intake, as many as are scored together. If none has and
    /// the learner has time (`patience` is not zero), waits for one, or plays a step.
    ///
    /// # Errors
    ///
    /// If the disk refuses, an evaluator fails, or a thread has ended.
    pub fn play(
        &mut self,
        orders: &Orders,
        intake: &mut Intake,
        patience: Duration,
    ) -> anyhow::Result<()> {
        match self {
            Players::InTurn(worker) if !patience.is_zero() => {
                let mut finished = Vec::new();
                worker.advance(orders, &mut |played| finished.push(played))?;
                finished
                    .into_iter()
                    .try_for_each(|played| intake.store(played))
            }
            Players::InTurn(_) | Players::Elsewhere => Ok(()),
            Players::Beside { threads, games } => {
                anyhow::ensure!(
                    !threads.iter().any(JoinHandle::is_finished),
                    "a player has ended"
                );
                receive(games, intake, patience)
            }
        }
    }

    /// Number of threads that play.
    pub fn n_threads(&self) -> usize {
        match self {
            Players::InTurn(_) => 1,
            Players::Elsewhere => 0,
            Players::Beside { threads, .. } => threads.len(),
        }
    }

    /// Ends all threads and keeps the games that they had finished.
    ///
    /// # Errors
    ///
    /// The error of a thread that had failed, else that of the disk.
    pub fn dismiss(&mut self, orders: &Orders, intake: &mut Intake) -> anyhow::Result<()> {
        orders.stop();
        let Players::Beside { threads, games } = self else {
            return intake.sync();
        };
        // Games that are kept no more still have to be taken, else their players would wait for ever.
        let mut kept = Ok(());
        let mut take = |games: &Receiver<Played>| {
            for played in games.try_iter() {
                if kept.is_ok() {
                    kept = intake.store(played);
                }
            }
        };
        while !threads.iter().all(JoinHandle::is_finished) {
            take(games);
            thread::sleep(Duration::from_millis(5));
        }
        take(games);
        let mut failed = None;
        for thread in threads.drain(..) {
            match thread.join() {
                Ok(result) => failed = failed.or(result.err()),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        // A player that failed is the reason of whatever else went wrong.
        failed.map_or(Ok(()), Err)?;
        kept?;
        intake.sync()
    }
}

fn work(
    index: usize,
    settings: WorkerSettings,
    orders: &Orders,
    memory: PlayMemory,
    games: &SyncSender<Played>,
) -> anyhow::Result<()> {
    let mut worker = Worker::new(index, settings, orders, memory)?;
    let mut trainer_gone = false;
    while !orders.stopped() && !trainer_gone {
        if orders.plays(index) {
            worker.advance(orders, &mut |played| {
                trainer_gone |= games.send(played).is_err();
            })?;
        } else {
            thread::sleep(REST);
        }
    }
    Ok(())
}

fn receive(
    games: &Receiver<Played>,
    intake: &mut Intake,
    patience: Duration,
) -> anyhow::Result<()> {
    let mut patience = patience;
    for _ in 0..GROUP {
        match games.recv_timeout(patience) {
            Ok(played) => intake.store(played)?,
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                anyhow::bail!("all self-play threads have ended")
            }
        }
        patience = Duration::ZERO;
    }
    Ok(())
}
