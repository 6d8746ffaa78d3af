//! A net's weights, how far they moved, and whether the net that plays is the net that learned.

use model::Model;
use serde::{Deserialize, Deserializer, Serialize};

/// The newest net against the one before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct NetHealth {
    /// Norm of all parameters, running statistics left out.
    pub weight_norm: f64,
    /// Norm of what changed since the net before, in shares of `weight_norm`; none where there is no
    /// net before, or it has another shape.
    #[serde(deserialize_with = "known_change")]
    pub change: Option<f64>,
    /// Smallest running variance of a batch normalisation; 0 is a dead channel.
    pub variance_min: f64,
    /// Largest.
    pub variance_max: f64,
    /// Mean distance of the policies of the players' evaluator and of the learner on the same
    /// positions: half the sum of differences, from 0 to 1. None where nothing was compared.
    pub policy_distance: Option<f64>,
    /// Mean difference of their expected scores.
    pub value_distance: Option<f64>,
    /// Correlation of their expected scores, from -1 to 1; none where these hardly differ from
    /// position to position, as a young net's do.
    #[serde(default)]
    pub value_correlation: Option<f64>,
    /// Threads whose evaluator runs another net than it should.
    pub strangers: u32,
}

impl NetHealth {
    /// Looks at the weights of a net and of the one before it, if there is one.
    pub fn of(net: &Model, before: Option<&Model>) -> NetHealth {
        let before = before.filter(|before| before.manifest.shape == net.manifest.shape);
        let (mut norm, mut moved) = (0.0, 0.0);
        let (mut variance_min, mut variance_max) = (f64::INFINITY, 0.0_f64);
        for (name, tensor) in &net.tensors {
            let numbers = tensor.data.iter().map(|&number| f64::from(number));
            if name.ends_with("running_var") {
                for variance in numbers {
                    variance_min = variance_min.min(variance);
                    variance_max = variance_max.max(variance);
                }
            } else if !name.ends_with("running_mean") {
                norm += numbers.clone().map(|number| number * number).sum::<f64>();
                let old = before.and_then(|before| before.tensors.get(name));
                let old = old.map_or(&[][..], |tensor| &tensor.data);
                let differences = numbers.zip(old).map(|(new, &old)| new - f64::from(old));
                moved += differences.map(|change| change * change).sum::<f64>();
            }
        }
        NetHealth {
            weight_norm: norm.sqrt(),
            change: before.map(|_| (moved / norm.max(f64::MIN_POSITIVE)).sqrt()),
            variance_min: if variance_min.is_finite() {
                variance_min
            } else {
                0.0
            },
            variance_max,
            ..NetHealth::default()
        }
    }
}

/// Early events say exactly 1 where nothing was known.
fn known_change<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let change: Option<f64> = Option::deserialize(deserializer)?;
    Ok(change.filter(|&change| change != 1.0))
}

/// Scores whose standard deviation is below this are all the same: 16 bits are no finer.
const SPREAD: f64 = 0.005;

/// Correlation of pairs of scores; none where one side hardly varies.
pub fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (mean_a, mean_b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        let (a, b) = (a - mean_a, b - mean_b);
        aa += a * a;
        bb += b * b;
        ab += a * b;
    }
    let is_spread = |squares: f64| (squares / n).sqrt() >= SPREAD;
    (is_spread(aa) && is_spread(bb)).then(|| ab / (aa * bb).sqrt())
}

#[cfg(test)]
mod tests;
