//! The plain loops that put a search and an evaluator together.

use crate::evaluator::{EvaluatorError, evaluate};
use crate::{EvalAnswers, EvalRequest, Evaluator, Search, Step};

/// Finishes one search, one evaluation at a time.
///
/// # Errors
///
/// If the evaluator fails or gives an answer that is refused.
pub fn run(search: &mut Search, evaluator: &mut dyn Evaluator) -> Result<(), EvaluatorError> {
    let mut answers = EvalAnswers::new();
    while let Step::Leaf = search.next_leaf() {
        evaluate(evaluator, &[search.request()], &mut answers)?;
        let (logits, value) = answers.get(0);
        search.apply(logits, value)?;
    }
    Ok(())
}

/// Many searches that share the batches of one evaluator.
///
/// The tree of a search does not depend on the others. Searches keep their places; a finished
/// one is started anew in place, by [`Search::restart`].
#[derive(Debug, Default)]
pub struct Pool {
    searches: Vec<Search>,
    /// Indices of the searches that wait for an answer.
    waiting: Vec<usize>,
    answers: EvalAnswers,
}

/// What one [`Pool::round`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Positions evaluated: the size of the batch.
    pub n_evaluations: usize,
    /// Searches that were found finished.
    pub n_finished: usize,
    /// Searches in the pool.
    pub n_searches: usize,
}

impl Round {
    /// Share of the searches that had a position in the batch, from 0 to 1; 0 for an empty pool.
    #[must_use]
    pub fn fill(&self) -> f32 {
        if self.n_searches == 0 {
            0.0
        } else {
            self.n_evaluations as f32 / self.n_searches as f32
        }
    }
}

impl Pool {
    /// A pool of these searches.
    #[must_use]
    pub fn new(searches: Vec<Search>) -> Self {
        Self {
            searches,
            ..Self::default()
        }
    }

    /// Adds a search, as the last one.
    pub fn push(&mut self, search: Search) {
        self.searches.push(search);
    }

    /// The searches.
    #[must_use]
    pub fn searches(&self) -> &[Search] {
        &self.searches
    }

    /// The searches, to be started anew or extended.
    #[must_use]
    pub fn searches_mut(&mut self) -> &mut [Search] {
        &mut self.searches
    }

    /// Takes a search out; the last one moves into its place.
    ///
    /// # Panics
    ///
    /// If there are not that many searches.
    pub fn swap_remove(&mut self, search_idx: usize) -> Search {
        self.searches.swap_remove(search_idx)
    }

    /// Gathers one position from each unfinished search, evaluates them in one batch and hands
    /// the answers back. No batch, and no call of the evaluator, when all searches are finished.
    ///
    /// # Errors
    ///
    /// If the evaluator fails or gives an answer that is refused. The round can then be tried
    /// again: the searches still wait for their answers.
    pub fn round(&mut self, evaluator: &mut dyn Evaluator) -> Result<Round, EvaluatorError> {
        self.waiting.clear();
        for (search_idx, search) in self.searches.iter_mut().enumerate() {
            if let Step::Leaf = search.next_leaf() {
                self.waiting.push(search_idx);
            }
        }
        let n_evaluations = self.waiting.len();
        if 0 < n_evaluations {
            let requests: Vec<EvalRequest<'_>> = self
                .waiting
                .iter()
                .map(|&search_idx| self.searches[search_idx].request())
                .collect();
            evaluate(evaluator, &requests, &mut self.answers)?;
            for (answer_idx, &search_idx) in self.waiting.iter().enumerate() {
                let (logits, value) = self.answers.get(answer_idx);
                self.searches[search_idx].apply(logits, value)?;
            }
        }
        let n_searches = self.searches.len();
        Ok(Round {
            n_evaluations,
            n_finished: n_searches - n_evaluations,
            n_searches,
        })
    }

    /// Rounds until every search is finished.
    ///
    /// # Errors
    ///
    /// As [`Pool::round`].
    pub fn run(&mut self, evaluator: &mut dyn Evaluator) -> Result<(), EvaluatorError> {
        while 0 < self.round(evaluator)?.n_evaluations {}
        Ok(())
    }
}

#[cfg(test)]
mod tests;
