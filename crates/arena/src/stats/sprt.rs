//! The sequential probability ratio test: playing until it is clear whether a player is stronger.
//!
//! The likelihood ratio is the generalised one (each hypothesis at its most likely distribution of
//! results), taken over pairs of games. Shogi has few draws, so the forms that derive a draw rate
//! from the results, and fail without any, are not used; [`llr_by_drawelo`] is there to compare.
//!
//! ```
//! use arena::stats::sprt::{Sprt, Verdict};
//!
//! let test = Sprt { elo0: 0.0, elo1: 35.0, ..Sprt::default() };
//! assert_eq!(test.decide(&[12, 3, 50, 5, 30]), Some(Verdict::Accepted));
//! ```

use std::f64::consts::{LN_10, SQRT_2};

use search::OptionError;
use serde::{Deserialize, Serialize};

use super::{PAIR_SCORES, score_of_elo};

/// Games below which no test ends: the approximation behind the ratio needs some.
pub const LEAST_GAMES: u32 = 50;

/// What stands for a result that has not occurred, so that every distribution is possible.
const UNSEEN: f64 = 1e-3;

/// Steps of interval halving: enough to use up an `f64`'s precision.
const HALVINGS: u32 = 80;

/// A test of `elo0` against `elo1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sprt {
    /// Strength of the player measured under the hypothesis that is to be rejected, in Elo.
    pub elo0: f64,
    /// Its strength under the hypothesis that is to be accepted, above `elo0`.
    pub elo1: f64,
    /// Chance of accepting although `elo0` is true, above 0 and below one half.
    pub alpha: f64,
    /// Chance of rejecting although `elo1` is true, above 0 and below one half.
    pub beta: f64,
    /// What Elo means.
    pub scale: EloScale,
}

/// What the Elo of an [`Sprt`] means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloScale {
    /// The usual one: 400 is a score of ten to one.
    #[default]
    Logistic,
    /// The mean in units of the spread of single games, scaled so that it is about the logistic
    /// one between equals without draws. The length of a test then hardly depends on the openings.
    Normalized,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// `elo1` is the better explanation.
    Accepted,
    /// `elo0` is the better explanation.
    Rejected,
}

impl Default for Sprt {
    /// `[0, 50]` with 5 % errors: some hundred games, fit for two cores.
    fn default() -> Sprt {
        Sprt {
            elo0: 0.0,
            elo1: 50.0,
            alpha: 0.05,
            beta: 0.05,
            scale: EloScale::Logistic,
        }
    }
}

impl Sprt {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// Names the first key that is out of range, relative to this struct.
    pub fn check(&self) -> Result<(), OptionError> {
        let refuse = |key: &str, found: f64, expected: &str| {
            Err(OptionError {
                key: key.to_owned(),
                found: found.to_string(),
                expected: expected.to_owned(),
            })
        };
        if !self.elo0.is_finite() {
            return refuse("elo0", self.elo0, "a number");
        }
        if !(self.elo1.is_finite() && self.elo1 > self.elo0) {
            return refuse("elo1", self.elo1, "a number above elo0");
        }
        for (key, error) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(error > 0.0 && error < 0.5) {
                return refuse(key, error, "a number above 0 and below 0.5");
            }
        }
        Ok(())
    }

    /// The log likelihood ratios at which the test ends: at the first `elo0` is accepted, at the
    /// second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// Log likelihood ratio of `elo1` to `elo0` from pairs of games, counted as LL, LD, DD or WL,
    /// WD, WW; 0 without pairs.
    pub fn llr(&self, pentanomial: &[u32; 5]) -> f64 {
        let counted = std::array::from_fn(|i| (PAIR_SCORES[i], f64::from(pentanomial[i])));
        self.llr_of_scores::<5>(counted, SQRT_2)
    }

    /// Log likelihood ratio from single games, for results that are not in pairs.
    pub fn llr_of_games(&self, wins: u32, draws: u32, losses: u32) -> f64 {
        let counted = [(0.0, losses), (0.5, draws), (1.0, wins)];
        self.llr_of_scores(counted.map(|(score, n)| (score, f64::from(n))), 1.0)
    }

    /// What the pairs say so far: `None` while the test goes on.
    pub fn decide(&self, pentanomial: &[u32; 5]) -> Option<Verdict> {
        let games = 2 * pentanomial.iter().sum::<u32>();
        if games < LEAST_GAMES {
            return None;
        }
        let (lower, upper) = self.bounds();
        match self.llr(pentanomial) {
            llr if llr >= upper => Some(Verdict::Accepted),
            llr if llr <= lower => Some(Verdict::Rejected),
            _ => None,
        }
    }

    /// `spread` is the spread of a single game's score in units of the spread of these scores.
    fn llr_of_scores<const N: usize>(&self, counted: [(f64, f64); N], spread: f64) -> f64 {
        if counted.iter().all(|&(_, count)| count == 0.0) {
            return 0.0;
        }
        let observed = Distribution::of(counted);
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| match self.scale {
            EloScale::Logistic => observed.likeliest_with_mean(score_of_elo(elo)),
            EloScale::Normalized => observed.likeliest_with_ratio(elo * LN_10 / 800.0 * spread),
        });
        let terms = (0..N).map(|i| observed.share[i] * (under1[i] / under0[i]).ln());
        observed.n * terms.sum::<f64>()
    }
}

/// How often each score was seen.
struct Distribution<const N: usize> {
    n: f64,
    score: [f64; N],
    /// Sums to 1, none is 0.
    share: [f64; N],
}

impl<const N: usize> Distribution<N> {
    fn of(counted: [(f64, f64); N]) -> Distribution<N> {
        let counts = counted.map(|(_, count)| if count == 0.0 { UNSEEN } else { count });
        let n = counts.iter().sum();
        Distribution {
            n,
            score: counted.map(|(score, _)| score),
            share: counts.map(|count| count / n),
        }
    }

    /// The distribution with mean `mean` under which what was seen is likeliest.
    fn likeliest_with_mean(&self, mean: f64) -> [f64; N] {
        self.likeliest_with_zero(self.score.map(|score| score - mean))
    }

    /// The one in which the mean's distance from one half is `ratio` standard deviations.
    ///
    /// The condition is not linear in the distribution. It is replaced by its tangent at the last
    /// solution, again and again: `mean - 1/2 - ratio * deviation` changes with the share of a
    /// score `a` by `a - ratio * (a - mean)^2 / (2 * deviation)`.
    fn likeliest_with_ratio(&self, ratio: f64) -> [f64; N] {
        let mut share = [1.0 / N as f64; N];
        for _ in 0..30 {
            let mean: f64 = (0..N).map(|i| share[i] * self.score[i]).sum();
            let squares = (0..N).map(|i| share[i] * (self.score[i] - mean).powi(2));
            let deviation = squares.sum::<f64>().sqrt();
            let tangent = self.score.map(|score| {
                let bend = deviation + (score - mean).powi(2) / deviation;
                score - 0.5 - ratio * bend / 2.0
            });
            let last = share;
            share = self.likeliest_with_zero(tangent);
            if (0..N).all(|i| (share[i] - last[i]).abs() < 1e-9) {
                break;
            }
        }
        share
    }

    /// The likeliest distribution in which the mean of `values` is 0. By Lagrange its shares are
    /// `share / (1 + theta * value)`, with the one `theta` that gives this mean.
    fn likeliest_with_zero(&self, values: [f64; N]) -> [f64; N] {
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Between the poles the mean falls from plus to minus infinity as theta grows.
        let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
        for _ in 0..HALVINGS {
            let theta = f64::midpoint(low, high);
            let mean = (0..N).map(|i| self.share[i] * values[i] / (1.0 + theta * values[i]));
            if mean.sum::<f64>() > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
        }
        let theta = f64::midpoint(low, high);
        std::array::from_fn(|i| self.share[i] / (1.0 + theta * values[i]))
    }
}

/// The ratio in its quick form, from mean and variance of the pairs: close to
/// [`Sprt::llr`] for many pairs, 0 where all pairs have the same score. To compare.
pub fn llr_by_moments(sprt: &Sprt, pentanomial: &[u32; 5]) -> f64 {
    let counted = std::array::from_fn(|i| (PAIR_SCORES[i], f64::from(pentanomial[i])));
    by_moments::<5>(sprt, counted)
}

/// The quick form for single games. To compare.
pub fn llr_of_games_by_moments(sprt: &Sprt, wins: u32, draws: u32, losses: u32) -> f64 {
    let counted = [(0.0, losses), (0.5, draws), (1.0, wins)];
    by_moments(sprt, counted.map(|(score, n)| (score, f64::from(n))))
}

fn by_moments<const N: usize>(sprt: &Sprt, counted: [(f64, f64); N]) -> f64 {
    let n: f64 = counted.iter().map(|&(_, count)| count).sum();
    let mean = counted.iter().map(|&(a, count)| count * a).sum::<f64>() / n;
    let squares = counted.iter().map(|&(a, count)| count * (a - mean).powi(2));
    let variance = squares.sum::<f64>() / n;
    if variance.is_nan() || variance == 0.0 {
        return 0.0;
    }
    let [score0, score1] = [sprt.elo0, sprt.elo1].map(score_of_elo);
    n * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance)
}

/// How [`llr_by_drawelo`] takes the bounds and results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawModel {
    /// Bounds in the model's own Elo; 0 where wins, draws or losses are missing.
    Bare,
    /// Bounds in logistic Elo, scaled by the draw rate; half a game is added to each result.
    Scaled,
}

/// The ratio of the old draw model (`drawelo`) for single games, as some match runners still print
/// it. To compare: with few draws it knows nothing.
pub fn llr_by_drawelo(sprt: &Sprt, results: [u32; 3], model: DrawModel) -> f64 {
    let added = match model {
        DrawModel::Bare => 0.0,
        DrawModel::Scaled => 0.5,
    };
    let [wins, draws, losses] = results.map(|n| f64::from(n) + added);
    if wins == 0.0 || draws == 0.0 || losses == 0.0 {
        return 0.0;
    }
    let n = wins + draws + losses;
    let odds = |share: f64| ((1.0 - share) / share).log10();
    let draw_elo = 200.0 * (odds(wins / n) + odds(losses / n));
    let scale = match model {
        DrawModel::Bare => 1.0,
        DrawModel::Scaled => {
            let x = 10f64.powf(-draw_elo / 400.0);
            4.0 * x / (1.0 + x).powi(2)
        }
    };
    let chances = |elo: f64| {
        let win = score_of_elo(elo / scale - draw_elo);
        let loss = score_of_elo(-elo / scale - draw_elo);
        [win, 1.0 - win - loss, loss]
    };
    let (under0, under1) = (chances(sprt.elo0), chances(sprt.elo1));
    let counts = [wins, draws, losses];
    (0..3)
        .map(|i| counts[i] * (under1[i] / under0[i]).ln())
        .sum()
}

#[cfg(test)]
mod tests;
