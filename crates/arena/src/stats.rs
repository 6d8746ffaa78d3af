//! The statistics of a match: score, Elo with its error, likelihood of superiority. When to stop is
//! [`sprt`]'s subject, ratings of many players [`rating`]'s.
//!
//! The formulas are those of the usual engine match runners (logistic Elo, normal approximation).
//! With openings played in pairs use [`Estimate::of_pairs`]: results within a pair are correlated,
//! and the variance between pairs is the honest one.
//!
//! Undefined values are `None`, never NaN. A score of 0 or 1 has an Elo of minus or plus infinity,
//! as has an end of an interval whose score leaves `(0, 1)`; see [`finite`].

mod matrix;
pub mod rating;
pub mod sprt;

use std::f64::consts::{LN_10, PI, SQRT_2};

/// Quantile of the normal distribution for a two-sided 95 % interval.
pub const Z95: f64 = 1.959_964;

/// Elo per unit of logit, times two: the scale of normalized Elo.
const NORMALIZED_SCALE: f64 = 800.0 / LN_10;

/// Scores of a pair for the player measured: LL, LD, DD or WL, WD, WW.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What a set of results says about strength, from the view of the player measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Mean score in `[0, 1]`, draws half.
    pub score: f64,
    /// Standard error of `score`.
    pub se: f64,
    /// Elo difference, possibly infinite.
    pub elo: f64,
    /// Lower end of the 95 % interval, possibly minus infinity.
    pub elo_low: f64,
    /// Upper end of the 95 % interval, possibly plus infinity.
    pub elo_high: f64,
    /// Half the width of the interval; `None` if an end is infinite.
    pub elo_error: Option<f64>,
    /// Likelihood of superiority in `[0, 1]`.
    pub los: f64,
    /// Normalized Elo; `None` without variance.
    pub normalized_elo: Option<f64>,
    /// Half the width of normalized Elo's 95 % interval; `None` without variance.
    pub normalized_elo_error: Option<f64>,
}

impl Estimate {
    /// From single games; `None` without games.
    pub fn of_games(wins: u32, draws: u32, losses: u32) -> Option<Estimate> {
        Estimate::of_scores(&[(1.0, wins), (0.5, draws), (0.0, losses)], 1.0)
    }

    /// From pairs of games with the same opening and colours swapped, counted as
    /// LL, LD, DD or WL, WD, WW; `None` without pairs.
    pub fn of_pairs(pentanomial: &[u32; 5]) -> Option<Estimate> {
        let mut counted = [(0.0, 0); 5];
        for (slot, (score, count)) in counted.iter_mut().zip(PAIR_SCORES.iter().zip(pentanomial)) {
            *slot = (*score, *count);
        }
        Estimate::of_scores(&counted, 2.0)
    }

    fn of_scores(counted: &[(f64, u32)], games_per_score: f64) -> Option<Estimate> {
        let n: f64 = counted.iter().map(|&(_, count)| f64::from(count)).sum();
        if n == 0.0 {
            return None;
        }
        let mean = |f: &dyn Fn(f64) -> f64| -> f64 {
            counted
                .iter()
                .map(|&(score, count)| f64::from(count) * f(score))
                .sum::<f64>()
                / n
        };
        let score = mean(&|s| s);
        let variance = mean(&|s| (s - score) * (s - score));
        let se = (variance / n).sqrt();
        let (elo_low, elo_high) = (
            elo_of_score(score - Z95 * se),
            elo_of_score(score + Z95 * se),
        );
        let half_width = (elo_high - elo_low) / 2.0;
        let spread = variance > 0.0;
        Some(Estimate {
            score,
            se,
            elo: elo_of_score(score),
            elo_low,
            elo_high,
            elo_error: half_width.is_finite().then_some(half_width),
            los: likelihood(score - 0.5, se),
            normalized_elo: spread
                .then(|| (score - 0.5) / (variance * games_per_score).sqrt() * NORMALIZED_SCALE),
            normalized_elo_error: spread
                .then(|| Z95 / (n * games_per_score).sqrt() * NORMALIZED_SCALE),
        })
    }

    /// Half the width of the 95 % interval by the slope of Elo at the score (delta method);
    /// `None` at a score of 0 or 1. A little smaller than [`Estimate::elo_error`], and defined more
    /// often.
    pub fn elo_error_by_slope(&self) -> Option<f64> {
        let slope = 400.0 / LN_10 / (self.score * (1.0 - self.score));
        slope.is_finite().then_some(Z95 * self.se * slope)
    }
}

/// `elo` if it is a number, else `None`: what a report shows of an estimate.
pub fn finite(elo: f64) -> Option<f64> {
    elo.is_finite().then_some(elo)
}

/// Elo difference at which the expected score is `score`: infinite at 0 and below, 1 and above.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Adding zero turns the -0 of an even score into 0.
        -400.0 * (1.0 / score - 1.0).log10() + 0.0
    }
}

/// Expected score of a player that is `elo` stronger, in `[0, 1]`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Likelihood of superiority from decisive games alone, in `[0, 1]`; one half without any.
pub fn los_of_decisive_games(wins: u32, losses: u32) -> f64 {
    let (wins, losses) = (f64::from(wins), f64::from(losses));
    likelihood(wins - losses, (wins + losses).sqrt())
}

/// Chance of at least `wins` wins in `wins + losses` decisive games between equals (one-sided
/// sign test); `None` without decisive games.
pub fn sign_test(wins: u32, losses: u32) -> Option<f64> {
    let n = wins + losses;
    if n == 0 {
        return None;
    }
    // Term by term from the likeliest-to-underflow end, in logarithms.
    let mut ln_term = -f64::from(n) * std::f64::consts::LN_2;
    let mut chance = ln_term.exp();
    for k in 0..losses {
        ln_term += (f64::from(n - k) / f64::from(k + 1)).ln();
        chance += ln_term.exp();
    }
    Some(chance.min(1.0))
}

/// Probability that the true difference is above 0, seen `difference` with error `se`.
fn likelihood(difference: f64, se: f64) -> f64 {
    if se > 0.0 {
        normal_cdf(difference / se)
    } else if difference == 0.0 {
        0.5
    } else {
        f64::from(u8::from(difference > 0.0))
    }
}

/// Distribution function of the standard normal distribution.
fn normal_cdf(x: f64) -> f64 {
    let tail = half_erfc(x.abs() / SQRT_2);
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// `erfc(x) / 2` for `x >= 0`, to about 1e-12: power series near 0, continued fraction beyond.
fn half_erfc(x: f64) -> f64 {
    if x < 2.5 {
        let mut term = x;
        let mut sum = x;
        for k in 1..60 {
            let k = f64::from(k);
            term *= -x * x / k;
            sum += term / (2.0 * k + 1.0);
        }
        0.5 - sum / PI.sqrt()
    } else {
        let mut fraction = x;
        for k in (1..60).rev() {
            fraction = x + f64::from(k) / 2.0 / fraction;
        }
        (-x * x).exp() / (2.0 * PI.sqrt() * fraction)
    }
}

#[cfg(test)]
mod tests;
