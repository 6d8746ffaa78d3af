//! [`CachedEvaluator`]: an evaluator that remembers what another one said.

use crate::evaluator::EvaluatorError;
use crate::{EvalAnswers, EvalRequest, Evaluator, Wdl};

/// Keeps answers of another evaluator and asks it only about positions that it has not kept.
///
/// A table of fixed size, addressed by [`rules::Position::key`]; a new answer takes the place of the
/// old one in its slot. Search resolves repetitions and ends before it asks, so an answer that
/// depends on board, hands and side to move alone, as the trait demands, is right on every path.
///
/// If the inner evaluator's answers differ in their last bits between batch sizes, so do the kept
/// ones: a run through a cache then repeats exactly only with the same batches.
#[derive(Debug, Clone)]
pub struct CachedEvaluator<E> {
    inner: E,
    slots: Vec<Slot>,
    /// Answers of the inner evaluator to the present batch.
    fresh: EvalAnswers,
    n_requests: u64,
    n_hits: u64,
}

/// One kept answer. Empty at first: no position has no legal moves.
#[derive(Debug, Clone)]
struct Slot {
    key: u64,
    wdl: Wdl,
    logits: Vec<f32>,
}

impl<E: Evaluator> CachedEvaluator<E> {
    /// Wraps `inner`; keeps at most `n_slots` answers (rounded up to a power of two, at least 1)
    /// of some 400 bytes each.
    #[must_use]
    pub fn new(inner: E, n_slots: usize) -> Self {
        let empty = Slot {
            key: 0,
            wdl: Wdl::EVEN,
            logits: Vec::new(),
        };
        Self {
            inner,
            slots: vec![empty; n_slots.next_power_of_two()],
            fresh: EvalAnswers::new(),
            n_requests: 0,
            n_hits: 0,
        }
    }

    /// Forgets all answers. To be called when the inner evaluator gets another network.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            slot.logits.clear();
        }
    }

    /// The inner evaluator. If it changes its mind, [`CachedEvaluator::clear`] must follow.
    pub fn inner_mut(&mut self) -> &mut E {
        &mut self.inner
    }

    /// Requests so far, and how many of them were answered from the table.
    #[must_use]
    pub fn requests_and_hits(&self) -> (u64, u64) {
        (self.n_requests, self.n_hits)
    }

    fn slot_idx(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// The kept answer to `request`.
    fn kept(&self, request: &EvalRequest<'_>) -> Option<&Slot> {
        let key = request.position.key();
        let slot = &self.slots[self.slot_idx(key)];
        (slot.key == key && slot.logits.len() == request.legal_moves.len()).then_some(slot)
    }
}

impl<E: Evaluator> Evaluator for CachedEvaluator<E> {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        let is_new = |request: &&EvalRequest<'_>| self.kept(request).is_none();
        let asked: Vec<EvalRequest<'_>> = requests.iter().filter(is_new).copied().collect();
        self.fresh.clear();
        if !asked.is_empty() {
            self.inner.evaluate(&asked, &mut self.fresh)?;
        }
        let (found, expected) = (self.fresh.len(), asked.len());
        if found != expected {
            return Err(EvaluatorError::AnswerCount { found, expected });
        }
        let mut fresh_idx = 0;
        for request in requests {
            if let Some(kept) = self.kept(request) {
                answers.push(&kept.logits, kept.wdl);
            } else {
                let (logits, wdl) = self.fresh.get(fresh_idx);
                answers.push(logits, wdl);
                fresh_idx += 1;
            }
        }
        // Only now: a new answer may take the slot of one that this batch has used.
        for (fresh_idx, request) in asked.iter().enumerate() {
            let (logits, wdl) = self.fresh.get(fresh_idx);
            let key = request.position.key();
            let slot_idx = self.slot_idx(key);
            let slot = &mut self.slots[slot_idx];
            slot.key = key;
            slot.wdl = wdl;
            slot.logits.clear();
            slot.logits.extend_from_slice(logits);
        }
        self.n_requests += requests.len() as u64;
        self.n_hits += (requests.len() - asked.len()) as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
