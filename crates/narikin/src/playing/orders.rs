//! What the self-play threads are told (which net plays, how it searches, when to rest), and what they
//! tell beside their games.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use search::SearchOptions;
use selfplay::{PlayMemory, ResignStats};

use crate::nets::Net;
use crate::probe::Probe;

/// One order: everything a self-play thread has to know to go on.
#[derive(Debug, Clone)]
pub struct Order {
    /// The net that plays; `None` for generation 0, which knows nothing.
    pub net: Option<Net>,
    /// Its generation.
    pub generation: u32,
    /// The search of moves that begin from now on.
    pub search: SearchOptions,
}

/// The place where the trainer leaves its orders. Cheap to look at: threads compare a number
/// between two batches and take the lock only when it has changed.
#[derive(Debug)]
pub struct Orders {
    number: AtomicU64,
    order: Mutex<Order>,
    stop: AtomicBool,
    finish: AtomicBool,
    players: AtomicUsize,
    evaluations: AtomicU64,
    slots: AtomicU64,
    reports: Mutex<Reports>,
}

/// What the threads have told, by their numbers.
#[derive(Debug, Default)]
struct Reports {
    memories: BTreeMap<usize, PlayMemory>,
    resigning: BTreeMap<usize, ResignStats>,
    answers: BTreeMap<usize, (u32, Probe)>,
}

impl Orders {
    /// The first order has number 1.
    pub fn new(order: Order) -> Orders {
        Orders {
            number: AtomicU64::new(1),
            order: Mutex::new(order),
            stop: AtomicBool::new(false),
            finish: AtomicBool::new(false),
            players: AtomicUsize::new(usize::MAX),
            evaluations: AtomicU64::new(0),
            slots: AtomicU64::new(0),
            reports: Mutex::default(),
        }
    }

    fn reports(&self) -> MutexGuard<'_, Reports> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what thread `index` has taken from its games for later ones.
    pub fn remember(&self, index: usize, memory: PlayMemory) {
        self.reports().memories.insert(index, memory);
    }

    /// What the threads have taken from their games, by their numbers.
    pub fn memories(&self) -> Vec<PlayMemory> {
        self.reports().memories.values().cloned().collect()
    }

    /// Keeps what thread `index` has measured about resigning.
    pub fn measured_resigning(&self, index: usize, stats: ResignStats) {
        self.reports().resigning.insert(index, stats);
    }

    /// What all threads together have measured about resigning; the threshold is their mean. `None`
    /// where nobody resigns.
    pub fn resign_stats(&self) -> Option<ResignStats> {
        let reports = self.reports();
        let n = reports.resigning.len();
        let mut sum = ResignStats::default();
        for stats in reports.resigning.values() {
            sum.threshold += stats.threshold / n as f32;
            sum.n_played_out += stats.n_played_out;
            sum.n_resigning += stats.n_resigning;
            sum.n_mistakes += stats.n_mistakes;
        }
        (n > 0).then_some(sum)
    }

    /// Keeps what thread `index` was answered by the net that it believes to be of `generation`.
    pub fn answer(&self, index: usize, generation: u32, probe: Probe) {
        self.reports().answers.insert(index, (generation, probe));
    }

    /// The last such answers of all threads: their generations with them.
    pub fn answers(&self) -> Vec<(u32, Probe)> {
        self.reports().answers.values().cloned().collect()
    }

    /// Replaces the order.
    pub fn give(&self, order: Order) {
        *self.order.lock().unwrap_or_else(PoisonError::into_inner) = order;
        self.number.fetch_add(1, Ordering::Release);
    }

    /// Replaces the search of the order, if it is another one.
    pub fn set_search(&self, search: SearchOptions) {
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if order.search != search {
            order.search = search;
            self.number.fetch_add(1, Ordering::Release);
        }
    }

    /// The order and its number, if the number is not `seen`.
    pub fn newer_than(&self, seen: u64) -> Option<(u64, Order)> {
        let number = self.number.load(Ordering::Acquire);
        if number == seen {
            return None;
        }
        let order = self
            .order
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        Some((number, order))
    }

    /// Asks all threads to return.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether threads should return.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Asks all threads to begin no more games, and to return when those that were begun have ended.
    pub fn finish(&self) {
        self.finish.store(true, Ordering::Relaxed);
    }

    /// Whether threads should begin no more games.
    pub fn finishing(&self) -> bool {
        self.finish.load(Ordering::Relaxed)
    }

    /// Says how many threads should play; the others rest, so that the learner has their cores.
    pub fn set_players(&self, players: usize) {
        self.players.store(players, Ordering::Relaxed);
    }

    /// Whether thread `index`, counted from 0, should play.
    pub fn plays(&self, index: usize) -> bool {
        index < self.players.load(Ordering::Relaxed)
    }

    /// Counts one batch: `n_evaluations` positions of `n_slots` games.
    pub fn count(&self, n_evaluations: usize, n_slots: usize) {
        self.evaluations
            .fetch_add(n_evaluations as u64, Ordering::Relaxed);
        self.slots.fetch_add(n_slots as u64, Ordering::Relaxed);
    }

    /// Positions evaluated, and places in batches, since the start of the process.
    pub fn counted(&self) -> (u64, u64) {
        (
            self.evaluations.load(Ordering::Relaxed),
            self.slots.load(Ordering::Relaxed),
        )
    }
}

#[cfg(test)]
mod tests;
