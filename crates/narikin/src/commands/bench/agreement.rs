//! How near a net in the precision that is used comes to the net in single precision.

use search::{EvalAnswers, EvalRequest};
use serde::Serialize;

use crate::nets::{CpuPrecision, Net};
use crate::speed::Positions;

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
        let requests: Vec<EvalRequest<'_>> = positions
            .iter()
            .map(|(position, legal_moves)| EvalRequest {
                position,
                legal_moves,
            })
            .collect();
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
            let (policy, other) = (softmax(logits), softmax(other_logits));
            let parts = policy.iter().zip(&other).filter(|(p, _)| **p > 0.0);
            kl_nats += parts.map(|(p, q)| p * (p / q).ln()).sum::<f64>();
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

fn softmax(logits: &[f32]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> = logits.iter().map(|x| f64::from(x - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The index of the largest logit.
fn favourite(logits: &[f32]) -> Option<usize> {
    let indexed = logits.iter().enumerate();
    let most = indexed.max_by(|a, b| a.1.total_cmp(b.1));
    most.map(|(idx, _)| idx)
}

#[cfg(test)]
mod tests;
