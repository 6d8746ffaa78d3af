//! [`EvalCache`]: an evaluator that remembers what another one said.

use std::collections::HashMap;
use std::ops::{AddAssign, Range};

use rules::Move;

use crate::evaluator::EvaluatorError;
use crate::{EvalAnswers, EvalRequest, Evaluator, Wdl};

/// Moves that an entry is expected to have: what the memory is divided by. Games have some 80 to
/// 100 on average.
const EXPECTED_MOVES: usize = 90;

/// Slots that an entry can lie in. With fewer, entries drive one another out long before the memory
/// is full.
const WAYS: usize = 4;

/// Keeps answers of another evaluator and asks it only about positions that it has not kept.
///
/// An entry holds what the network said, nothing that a search found out, so it is right on every
/// path: search settles repetition and ends of games before it asks. It is found by
/// [`rules::Position::key`] (board, both hands and side to move) and only taken if it has exactly
/// the legal moves asked about, in their order.
///
/// The memory is taken once and never grows. When it is full, each new answer takes the place of
/// the oldest ones. A position that several requests of one batch ask about is evaluated once.
///
/// If the inner evaluator's answers differ in their last bits between batch sizes, so do the kept
/// ones: what a game gets then depends on the games that asked before. Evaluators whose answers
/// depend on the request alone give exactly the same through a cache.
#[derive(Debug, Clone)]
pub struct EvalCache<E> {
    inner: E,
    n_bytes: usize,
    entries: Entries,
    /// For each request of the present batch where its answer comes from.
    sources: Vec<Source>,
    /// Positions of the present batch that the inner evaluator is asked about, by key.
    asked: HashMap<u64, usize>,
    /// Answers of the inner evaluator to the present batch.
    fresh: EvalAnswers,
    stats: CacheStats,
}

/// How much an [`EvalCache`] has spared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheStats {
    /// Requests that came in.
    pub n_requests: u64,
    /// Requests that the inner evaluator was not asked about.
    pub n_hits: u64,
}

impl AddAssign for CacheStats {
    fn add_assign(&mut self, other: CacheStats) {
        self.n_requests += other.n_requests;
        self.n_hits += other.n_hits;
    }
}

impl CacheStats {
    /// Share of the requests that were hits, from 0 to 1; 0 without requests.
    #[must_use]
    pub fn hit_rate(self) -> f64 {
        if self.n_requests == 0 {
            0.0
        } else {
            self.n_hits as f64 / self.n_requests as f64
        }
    }
}

/// Where the answer to one request comes from.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// The entry in this slot.
    Kept(usize),
    /// The inner evaluator's answer with this index.
    Fresh(usize),
}

impl<E: Evaluator> EvalCache<E> {
    /// Wraps `inner` and takes `memory_mib` MiB for its answers: some 1,700 positions each. With 0
    /// every request is passed on as it is.
    #[must_use]
    pub fn new(inner: E, memory_mib: usize) -> Self {
        Self::with_bytes(inner, memory_mib << 20)
    }

    fn with_bytes(inner: E, n_bytes: usize) -> Self {
        Self {
            inner,
            n_bytes,
            entries: Entries::new(n_bytes),
            sources: Vec::new(),
            asked: HashMap::new(),
            fresh: EvalAnswers::new(),
            stats: CacheStats::default(),
        }
    }

    /// Takes another amount of memory and forgets all answers; nothing happens if the amount is the
    /// same.
    pub fn resize(&mut self, memory_mib: usize) {
        let n_bytes = memory_mib << 20;
        if n_bytes != self.n_bytes {
            self.n_bytes = n_bytes;
            self.entries = Entries::new(n_bytes);
        }
    }

    /// Forgets all answers, not the counts. To be called when the inner evaluator gets another
    /// network.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The kept answer to `request`; counts as a request. For callers that evaluate elsewhere what is
    /// not kept, and then [`EvalCache::keep`] it.
    pub fn recall(&mut self, request: EvalRequest<'_>) -> Option<(&[f32], Wdl)> {
        self.stats.n_requests += 1;
        let slot_idx = self
            .entries
            .find(request.position.key(), request.legal_moves)?;
        self.stats.n_hits += 1;
        Some(self.entries.get(slot_idx))
    }

    /// Keeps an answer to `request` that was made elsewhere, by an evaluator that answers as the inner
    /// one does. What is no answer to it is for the search to refuse, and not kept.
    pub fn keep(&mut self, request: EvalRequest<'_>, logits: &[f32], wdl: Wdl) {
        if logits.len() == request.legal_moves.len() {
            let key = request.position.key();
            self.entries.put(key, request.legal_moves, logits, wdl);
        }
    }

    /// The inner evaluator. If it changes its mind, [`EvalCache::clear`] must follow.
    pub fn inner_mut(&mut self) -> &mut E {
        &mut self.inner
    }

    /// Requests and hits so far.
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        self.stats
    }

    /// Finds for each request where its answer will come from, and returns the requests that the
    /// inner evaluator must be asked about.
    fn divide<'a>(&mut self, requests: &[EvalRequest<'a>]) -> Vec<EvalRequest<'a>> {
        self.sources.clear();
        self.asked.clear();
        let mut asked: Vec<EvalRequest<'a>> = Vec::new();
        for &request in requests {
            let key = request.position.key();
            let source = if let Some(slot_idx) = self.entries.find(key, request.legal_moves) {
                Source::Kept(slot_idx)
            } else {
                match self.asked.get(&key) {
                    Some(&idx) if asked[idx].legal_moves == request.legal_moves => {
                        Source::Fresh(idx)
                    }
                    _ => {
                        self.asked.insert(key, asked.len());
                        asked.push(request);
                        Source::Fresh(asked.len() - 1)
                    }
                }
            };
            self.sources.push(source);
        }
        asked
    }
}

impl<E: Evaluator> Evaluator for EvalCache<E> {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        if self.n_bytes == 0 {
            self.stats.n_requests += requests.len() as u64;
            return self.inner.evaluate(requests, answers);
        }
        answers.clear();
        let asked = self.divide(requests);
        self.fresh.clear();
        if !asked.is_empty() {
            self.inner.evaluate(&asked, &mut self.fresh)?;
        }
        let (found, expected) = (self.fresh.len(), asked.len());
        if found != expected {
            return Err(EvaluatorError::AnswerCount { found, expected });
        }
        for &source in &self.sources {
            let (logits, wdl) = match source {
                Source::Kept(slot_idx) => self.entries.get(slot_idx),
                Source::Fresh(idx) => self.fresh.get(idx),
            };
            answers.push(logits, wdl);
        }
        // Only now: a new answer may take the place of one that this batch has used.
        let fresh = std::mem::take(&mut self.fresh);
        for (idx, &request) in asked.iter().enumerate() {
            let (logits, wdl) = fresh.get(idx);
            self.keep(request, logits, wdl);
        }
        self.fresh = fresh;
        self.stats.n_requests += requests.len() as u64;
        self.stats.n_hits += (requests.len() - asked.len()) as u64;
        Ok(())
    }
}

/// The kept answers: slots found by key, and one ring that holds moves and logits of all.
#[derive(Debug, Clone)]
struct Entries {
    /// As many as a power of two, at least [`WAYS`].
    slots: Box<[Slot]>,
    /// By [`Move::raw`]: memory of zeros costs nothing before it is used.
    moves: Box<[u16]>,
    logits: Box<[f32]>,
    /// Places of the ring used since the beginning, those skipped at its end included.
    n_written: u64,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u64,
    /// `n_written` when the entry was written: it is gone once the ring has come round.
    start: u64,
    n_moves: u16,
    wdl: Wdl,
}

/// No position is without legal moves, so this one is never found.
const EMPTY: Slot = Slot {
    key: 0,
    start: 0,
    n_moves: 0,
    wdl: Wdl::EVEN,
};

impl Entries {
    fn new(n_bytes: usize) -> Self {
        let per_place = size_of::<Move>() + size_of::<f32>();
        let per_entry = size_of::<Slot>() + EXPECTED_MOVES * per_place;
        let n_slots = (n_bytes / per_entry).next_power_of_two().max(WAYS);
        let n_places = n_bytes.saturating_sub(n_slots * size_of::<Slot>()) / per_place;
        Self {
            slots: vec![EMPTY; n_slots].into(),
            moves: vec![0; n_places].into(),
            logits: vec![0.0; n_places].into(),
            n_written: 0,
        }
    }

    fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.n_written = 0;
    }

    /// The slots that an entry with this key can lie in.
    fn ways(&self, key: u64) -> Range<usize> {
        let first = key as usize & (self.slots.len() - 1) & !(WAYS - 1);
        first..first + WAYS
    }

    /// Where in the ring an entry begins.
    fn place(&self, slot: &Slot) -> usize {
        (slot.start % self.moves.len() as u64) as usize
    }

    /// The slot of the kept answer for this position and these moves.
    fn find(&self, key: u64, legal_moves: &[Move]) -> Option<usize> {
        let is_it = |&slot_idx: &usize| {
            let slot = &self.slots[slot_idx];
            slot.key == key
                && slot.n_moves > 0
                && self
                    .moves_of(slot)
                    .is_some_and(|kept| is_same(kept, legal_moves))
        };
        self.ways(key).find(is_it)
    }

    /// The moves of an entry; `None` once others have taken their place.
    fn moves_of(&self, slot: &Slot) -> Option<&[u16]> {
        let n_since = self.n_written - slot.start;
        if n_since > self.moves.len() as u64 {
            return None;
        }
        let place = self.place(slot);
        Some(&self.moves[place..place + usize::from(slot.n_moves)])
    }

    fn get(&self, slot_idx: usize) -> (&[f32], Wdl) {
        let slot = &self.slots[slot_idx];
        let place = self.place(slot);
        (
            &self.logits[place..place + usize::from(slot.n_moves)],
            slot.wdl,
        )
    }

    fn put(&mut self, key: u64, legal_moves: &[Move], logits: &[f32], wdl: Wdl) {
        let (n_moves, n_places) = (legal_moves.len(), self.moves.len());
        let Ok(length) = u16::try_from(n_moves) else {
            return;
        };
        if n_places < n_moves {
            return;
        }
        let mut place = (self.n_written % n_places as u64) as usize;
        if n_places < place + n_moves {
            // An entry lies in one piece: the rest of this round stays unused.
            self.n_written += (n_places - place) as u64;
            place = 0;
        }
        for (kept, mv) in self.moves[place..].iter_mut().zip(legal_moves) {
            *kept = mv.raw();
        }
        self.logits[place..place + n_moves].copy_from_slice(logits);
        // The slot of the same position, else the one written longest ago.
        let ways = || self.ways(key);
        let same = ways().find(|&slot_idx| self.slots[slot_idx].key == key);
        let oldest = ways().min_by_key(|&slot_idx| self.slots[slot_idx].start);
        let slot_idx = same.or(oldest).expect("a key has slots");
        self.slots[slot_idx] = Slot {
            key,
            start: self.n_written,
            n_moves: length,
            wdl,
        };
        self.n_written += n_moves as u64;
    }
}

fn is_same(kept: &[u16], moves: &[Move]) -> bool {
    kept.len() == moves.len() && kept.iter().zip(moves).all(|(&raw, mv)| raw == mv.raw())
}

#[cfg(test)]
mod tests;
