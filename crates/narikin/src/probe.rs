//! What a net answers to known questions, to tell whether two evaluators run the same net.

use search::{EvalAnswers, Evaluator, EvaluatorError, softmax};

use crate::speed;

/// Positions that every net is asked about.
const POSITIONS: usize = 8;

/// Answers further apart than this are not the same net's in the same evaluator, whatever the size of
/// its batches.
const SAME: f32 = 1e-3;

/// A net's answers to [`POSITIONS`] positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Probabilities of all moves of all positions, then each position's expected score.
    numbers: Vec<f32>,
}

impl Probe {
    /// Asks `evaluator`.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub fn of(evaluator: &mut dyn Evaluator) -> Result<Probe, EvaluatorError> {
        let positions = speed::positions(POSITIONS);
        let requests = speed::requests(&positions);
        let mut numbers = Vec::new();
        let mut answers = EvalAnswers::new();
        // One by one: the smallest batch that every evaluator takes.
        for request in &requests {
            evaluator.evaluate(std::slice::from_ref(request), &mut answers)?;
            let (logits, wdl) = answers.get(0);
            numbers.extend(probabilities(logits));
            numbers.push(wdl.expected());
        }
        Ok(Probe { numbers })
    }

    /// Whether both are answers of one net in one kind of evaluator.
    pub fn is_same(&self, other: &Probe) -> bool {
        self.distance(other) <= SAME
    }

    /// The largest difference of two numbers, each from 0 to 1; infinite where they are of other
    /// positions.
    pub fn distance(&self, other: &Probe) -> f32 {
        if self.numbers.len() != other.numbers.len() {
            return f32::INFINITY;
        }
        let differences = self.numbers.iter().zip(&other.numbers);
        differences.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }
}

/// Probabilities of logits.
pub fn probabilities(logits: &[f32]) -> Vec<f32> {
    let mut policy = logits.to_vec();
    softmax(&mut policy);
    policy
}

#[cfg(test)]
mod tests;
