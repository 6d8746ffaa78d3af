//! The seam between search and network: [`Evaluator`], what goes in and what comes out.

use std::error::Error;

use rules::{Move, Position};
use thiserror::Error;

use crate::{Wdl, mix_seed};

/// One question to an evaluator: a position and its legal moves.
#[derive(Debug, Clone, Copy)]
pub struct EvalRequest<'a> {
    /// The position to judge. It is never over: it has legal moves.
    pub position: &'a Position,
    /// All legal moves of `position`, in the order in which the logits must come back. Never empty.
    pub legal_moves: &'a [Move],
}

/// Judges positions: logits for the legal moves, and win/draw/loss, for batches of any size.
///
/// Object-safe and blocking. Search never sees planes or move labels, an evaluator never sees a
/// tree or a game's history (so repetition is not its business). Caches and splitters are
/// wrappers with the same trait.
///
/// ```
/// use rules::Position;
/// use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError, Wdl};
///
/// /// Prefers drops and believes that the side to move is a little better.
/// struct DropLover;
///
/// impl Evaluator for DropLover {
///     fn evaluate(
///         &mut self,
///         requests: &[EvalRequest<'_>],
///         answers: &mut EvalAnswers,
///     ) -> Result<(), EvaluatorError> {
///         answers.clear();
///         for request in requests {
///             let wdl = Wdl { win: 0.5, draw: 0.1, loss: 0.4 };
///             answers.push_with(wdl, request.legal_moves.len(), |logits| {
///                 for (logit, mv) in logits.iter_mut().zip(request.legal_moves) {
///                     *logit = if mv.is_drop() { 1.0 } else { 0.0 };
///                 }
///             });
///         }
///         Ok(())
///     }
/// }
///
/// # fn main() -> Result<(), EvaluatorError> {
/// let position = Position::startpos();
/// let legal_moves = position.legal_moves();
/// let request = EvalRequest { position: &position, legal_moves: &legal_moves };
/// let mut answers = EvalAnswers::new();
/// DropLover.evaluate(&[request], &mut answers)?;
/// let (logits, wdl) = answers.get(0);
/// assert_eq!(logits.len(), 30);
/// assert_eq!(wdl.loss, 0.4);
/// # Ok(())
/// # }
/// ```
pub trait Evaluator: Send {
    /// Clears `answers`, then writes one answer per request, in the order of the requests.
    ///
    /// Logits may have any finite value (only differences between moves of one position count);
    /// the [`Wdl`] is the side to move's and sums to 1 within 1e-3. An answer must depend on board,
    /// hands and side to move of its own request alone, not on its ply or the rest of the batch.
    ///
    /// # Errors
    ///
    /// Whatever keeps the implementation from answering the whole batch. Nothing of `answers`
    /// may be used then.
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError>;
}

/// Has `evaluator` answer one batch; refuses another number of answers than there are requests.
///
/// # Errors
///
/// The evaluator's own, or [`EvaluatorError::AnswerCount`].
pub fn evaluate(
    evaluator: &mut dyn Evaluator,
    requests: &[EvalRequest<'_>],
    answers: &mut EvalAnswers,
) -> Result<(), EvaluatorError> {
    evaluator.evaluate(requests, answers)?;
    let (found, expected) = (answers.len(), requests.len());
    if found == expected {
        Ok(())
    } else {
        Err(EvaluatorError::AnswerCount { found, expected })
    }
}

impl<E: Evaluator + ?Sized> Evaluator for Box<E> {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        (**self).evaluate(requests, answers)
    }
}

impl<E: Evaluator + ?Sized> Evaluator for &mut E {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        (**self).evaluate(requests, answers)
    }
}

/// The answers to one batch: for each request its logits and its [`Wdl`].
///
/// One flat buffer, so that a reused value does not allocate.
#[derive(Debug, Clone, Default)]
pub struct EvalAnswers {
    /// Logits of all answers, one after the other.
    logits: Vec<f32>,
    /// For each answer the end of its logits in `logits`, and its value.
    answers: Vec<(usize, Wdl)>,
}

impl EvalAnswers {
    /// No answers yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all answers and keeps the memory.
    pub fn clear(&mut self) {
        self.logits.clear();
        self.answers.clear();
    }

    /// Adds one answer: `logits` in the order of the request's legal moves.
    pub fn push(&mut self, logits: &[f32], wdl: Wdl) {
        self.logits.extend_from_slice(logits);
        self.answers.push((self.logits.len(), wdl));
    }

    /// Adds one answer whose `n_moves` logits (0 at first) are written in place by `fill`.
    pub fn push_with(&mut self, wdl: Wdl, n_moves: usize, fill: impl FnOnce(&mut [f32])) {
        let start = self.logits.len();
        self.logits.resize(start + n_moves, 0.0);
        fill(&mut self.logits[start..]);
        self.answers.push((self.logits.len(), wdl));
    }

    /// Number of answers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there is no answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Logits and value of answer `answer_idx`.
    ///
    /// # Panics
    ///
    /// If there are not that many answers.
    #[must_use]
    pub fn get(&self, answer_idx: usize) -> (&[f32], Wdl) {
        let start = match answer_idx {
            0 => 0,
            _ => self.answers[answer_idx - 1].0,
        };
        let (end, wdl) = self.answers[answer_idx];
        (&self.logits[start..end], wdl)
    }
}

/// Why a batch could not be evaluated, or why an answer was refused.
#[derive(Debug, Error)]
pub enum EvaluatorError {
    /// The evaluator itself failed; the source says how.
    #[error("the evaluator failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
    /// The evaluator answered another number of positions than it was asked.
    #[error("the evaluator gave {found} answers to {expected} requests")]
    AnswerCount {
        /// Answers given.
        found: usize,
        /// Requests made.
        expected: usize,
    },
    /// An answer has another number of logits than its position has legal moves.
    #[error("the evaluator gave {found} logits for {expected} legal moves of sfen {sfen}")]
    LogitCount {
        /// The position.
        sfen: String,
        /// Logits given.
        found: usize,
        /// Legal moves of the position.
        expected: usize,
    },
    /// A logit is not a finite number.
    #[error("the evaluator gave {mv} the logit {found}, expected a finite number, in sfen {sfen}")]
    Logit {
        /// The position.
        sfen: String,
        /// The move.
        mv: Move,
        /// Its logit.
        found: f32,
    },
    /// A value is not three probabilities that sum to 1.
    #[error(
        "the evaluator gave {found:?}, expected three probabilities that sum to 1, in sfen {sfen}"
    )]
    Value {
        /// The position.
        sfen: String,
        /// The value.
        found: Wdl,
    },
}

impl EvaluatorError {
    /// A failure of the evaluator itself, for implementations of [`Evaluator`].
    #[must_use]
    pub fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(source.into())
    }
}

/// Refuses an answer to `request` that is no policy over its moves or no probabilities.
pub(crate) fn check_answer(
    request: EvalRequest<'_>,
    logits: &[f32],
    wdl: Wdl,
) -> Result<(), EvaluatorError> {
    let sfen = || request.position.to_string();
    if logits.len() != request.legal_moves.len() {
        let (found, expected) = (logits.len(), request.legal_moves.len());
        return Err(EvaluatorError::LogitCount {
            sfen: sfen(),
            found,
            expected,
        });
    }
    if let Some(bad_idx) = logits.iter().position(|logit| !logit.is_finite()) {
        let (mv, found) = (request.legal_moves[bad_idx], logits[bad_idx]);
        return Err(EvaluatorError::Logit {
            sfen: sfen(),
            mv,
            found,
        });
    }
    if !wdl.is_probability() {
        return Err(EvaluatorError::Value {
            sfen: sfen(),
            found: wdl,
        });
    }
    Ok(())
}

/// Knows nothing: all moves alike, both sides win half of the time.
///
/// With the search's own mate tests this is what a first generation of games can be played with.
#[derive(Debug, Clone, Copy, Default)]
pub struct UniformEvaluator;

impl Evaluator for UniformEvaluator {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for request in requests {
            answers.push_with(Wdl::EVEN, request.legal_moves.len(), |_| {});
        }
        Ok(())
    }
}

/// A pseudo-random "network": a fixed function of the position's key, the move and the seed.
///
/// For tests and benchmarks: it knows nothing about shogi, and gives every position another
/// policy (logits from -2 to 2) and value, the same in every batch, order and run.
#[derive(Debug, Clone, Copy, Default)]
pub struct HashEvaluator {
    /// Another seed is another network.
    pub seed: u64,
}

impl HashEvaluator {
    /// The value this evaluator gives to a position with hash `seed`: two cuts of `[0, 1]`.
    fn value(seed: u64) -> Wdl {
        let (a, b) = (unit(mix_seed(seed, 1)), unit(mix_seed(seed, 2)));
        let (low, high) = (a.min(b), a.max(b));
        Wdl {
            win: low,
            draw: high - low,
            loss: 1.0 - high,
        }
    }
}

impl Evaluator for HashEvaluator {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for request in requests {
            let seed = mix_seed(self.seed, request.position.key());
            answers.push_with(Self::value(seed), request.legal_moves.len(), |logits| {
                for (logit, mv) in logits.iter_mut().zip(request.legal_moves) {
                    // The move's stream never meets streams 1 and 2, which made the value.
                    *logit = 4.0 * unit(mix_seed(seed, 3 + u64::from(mv.raw()))) - 2.0;
                }
            });
        }
        Ok(())
    }
}

/// The upper bits of `bits` as a number in `[0, 1)`.
fn unit(bits: u64) -> f32 {
    (bits >> 40) as f32 / (1u64 << 24) as f32
}

#[cfg(test)]
mod tests;
