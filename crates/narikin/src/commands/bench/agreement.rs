//! How near a net in the precision that is used comes to the net in single precision.

use search::{EvalAnswers, argmax, kl_divergence};
use serde::Serialize;

use crate::nets::{CpuPrecision, Net};
use crate::probe::probabilities;
use crate::speed::{self, Positions};

/// Means over some positions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Agreement {
    /// Positions compared.
    pub(super) positions: usize,
    /// Divergence of the policy over the legal moves from that of single precision, in nats.
    pub(super) kl_nats: f64,
    /// Difference of the expected scores, from 0 to 1.
    pub(super) value_error: f64,
    /// Share of the positions in which both prefer the same move.
    pub(super) same_favourite: f64,
}

impl Agreement {
    /// Compares `net` with itself in single precision.
    pub(super) fn of(net: &Net, positions: &Positions) -> anyhow::Result<Agreement> {
        const BATCH: usize = 64;
        let exact = net.clone().with_precision(CpuPrecision::F32)?;
        let (mut exact, mut used) = (exact.evaluator(BATCH)?, net.evaluator(BATCH)?);
        let requests = speed::requests(positions);
        let (mut by_exact, mut by_used) = (EvalAnswers::new(), EvalAnswers::new());
        exact.evaluate(&requests, &mut by_exact)?;
        used.evaluate(&requests, &mut by_used)?;
        Ok(Agreement::between(&by_exact, &by_used))
    }

    fn between(exact: &EvalAnswers, used: &EvalAnswers) -> Agreement {
        let n = exact.len();
        let [mut kl_nats, mut value_error, mut same_favourite] = [0.0; 3];
        for idx in 0..n {
            let ((logits, value), (other_logits, other_value)) = (exact.get(idx), used.get(idx));
            let (policy, other) = (probabilities(logits), probabilities(other_logits));
            kl_nats += f64::from(kl_divergence(policy.into_iter(), &other));
            value_error += f64::from((value.expected() - other_value.expected()).abs());
            same_favourite += f64::from(u8::from(favourite(logits) == favourite(other_logits)));
        }
        let mean = |sum: f64| sum / n.max(1) as f64;
        Agreement {
            positions: n,
            kl_nats: mean(kl_nats),
            value_error: mean(value_error),
            same_favourite: mean(same_favourite),
        }
    }
}

/// The index of the largest logit.
fn favourite(logits: &[f32]) -> Option<usize> {
    argmax(logits.iter().copied().enumerate())
}

#[cfg(test)]
mod tests;
