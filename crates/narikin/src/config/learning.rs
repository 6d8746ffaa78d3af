//! How self-play and learning go together.

use search::{RootOptions, SearchOptions};
use serde::{Deserialize, Serialize};

use super::Gate;

/// How self-play and learning go together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoopOptions {
    /// Games that are played before the first net is published, by search without a network:
    /// cheap, and full of mates. 0 publishes as soon as anything has been learned.
    pub blind_games: u64,
    /// Rows of one training step, from 2 (batch normalisation needs two) to 65,536.
    pub batch: u32,
    /// Positions that must be there before learning begins, at least 1.
    pub start_positions: u64,
    /// Training rows per position played, above 0: the learner waits for self-play rather than
    /// use a position more often.
    pub reuse: f64,
    /// The replay window holds this share of all positions so far, above 0 and at most 1, ...
    pub window_share: f64,
    /// ... but not less than this many, ...
    pub window_min: u64,
    /// ... and not more than this many.
    pub window_max: u64,
    /// Training rows between two published nets (each with a checkpoint), at least 1.
    pub publish_samples: u64,
    /// Positions of each group of new games that are scored before they are trained on; 0 for
    /// none. Costs as much as a third of as many training rows.
    pub unseen_positions: u64,
    /// Whether a new net has to prove itself before it makes games: `"always"` lets every net play.
    pub gate: Gate,
    /// A rule that keeps the search's policy at a distance from the network's; absent: `c_scale` is
    /// what the search and the stages say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sharpness: Option<Sharpness>,
}

/// How the trust in values (`c_scale` of a Gumbel root) follows from what the search makes of the
/// network's policy: at each new net it is turned up while the search hardly changes the policy, and
/// down while it changes it more than the values deserve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sharpness {
    /// Where it begins, above 0, at most 10.
    pub c_scale: f32,
    /// The divergence of the search's policy from the network's should not be below this, in nats, ...
    pub low: f64,
    /// ... nor above this, above `low`.
    pub high: f64,
    /// `c_scale` is never below this, above 0, ...
    pub least: f32,
    /// ... and never above this.
    pub most: f32,
    /// The most that one new net changes: a factor above 1.
    pub step: f32,
    /// `c_scale` does not rise while the value prefers the winner in a smaller share of unseen
    /// positions than this, from 0 to 1: a value that knows nothing deserves no more trust.
    pub value_sign: f64,
}

impl Default for Sharpness {
    /// The range is the prototype's; the other numbers are guesses.
    fn default() -> Sharpness {
        Sharpness {
            c_scale: 0.5,
            low: 0.2,
            high: 0.4,
            least: 0.1,
            most: 2.0,
            step: 1.15,
            value_sign: 0.52,
        }
    }
}

impl Sharpness {
    /// The next `c_scale`, from the present one and what was seen with it: the mean divergence of
    /// the search's policy from the network's, and the share of unseen positions whose winner the
    /// value prefers. Where one of them is unknown, nothing rises.
    pub fn next(&self, c_scale: f32, divergence: Option<f64>, value_sign: Option<f64>) -> f32 {
        let deserves_trust = value_sign.is_some_and(|share| share >= self.value_sign);
        let next = match divergence {
            Some(divergence) if divergence > self.high => c_scale / self.step,
            Some(divergence) if divergence < self.low && deserves_trust => c_scale * self.step,
            _ => c_scale,
        };
        next.clamp(self.least, self.most)
    }

    fn check(&self) -> Result<(), (&'static str, String)> {
        let refuse = |key, found: &dyn std::fmt::Display, expected: &str| {
            Err((key, format!("{found}: expected {expected}")))
        };
        let Sharpness {
            c_scale,
            low,
            high,
            least,
            most,
            step,
            value_sign,
        } = self;
        if !(*least > 0.0 && least.is_finite()) {
            return refuse("sharpness.least", least, "a number above 0");
        }
        if !(least <= most && *most <= 10.0) {
            return refuse("sharpness.most", most, "a number from least to 10");
        }
        if !(least <= c_scale && c_scale <= most) {
            return refuse("sharpness.c_scale", c_scale, "a number from least to most");
        }
        if !(*low >= 0.0 && low.is_finite()) {
            return refuse("sharpness.low", low, "a number of at least 0");
        }
        if !(high > low && high.is_finite()) {
            return refuse("sharpness.high", high, "a number above low");
        }
        if !(*step > 1.0 && *step <= 10.0) {
            return refuse("sharpness.step", step, "a number above 1, at most 10");
        }
        if !(0.0..=1.0).contains(value_sign) {
            return refuse("sharpness.value_sign", value_sign, "a number from 0 to 1");
        }
        Ok(())
    }
}

impl Default for LoopOptions {
    fn default() -> LoopOptions {
        LoopOptions {
            blind_games: 2000,
            batch: 256,
            start_positions: 10_000,
            reuse: 4.0,
            window_share: 0.5,
            window_min: 50_000,
            window_max: 1_000_000,
            publish_samples: 30_000,
            unseen_positions: 256,
            gate: Gate::Always,
            sharpness: None,
        }
    }
}

impl LoopOptions {
    /// Positions that the window may hold when `played` have been played in all.
    pub fn window_positions(&self, played: u64) -> u64 {
        let share = (played as f64 * self.window_share) as u64;
        share.clamp(self.window_min, self.window_max)
    }

    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self, search: &SearchOptions) -> Result<(), (String, String)> {
        self.check_numbers()
            .map_err(|(key, message)| (key.to_owned(), message))?;
        if let (Some(_), RootOptions::Puct(_)) = (&self.sharpness, &search.root) {
            let message = "expected none, as search.root is not a gumbel root";
            return Err(("sharpness".to_owned(), message.to_owned()));
        }
        self.gate
            .check()
            .map_err(|(key, message)| (format!("gate.{key}"), message))
    }

    fn check_numbers(&self) -> Result<(), (&'static str, String)> {
        let at_least_one = |key, found: u64| match found {
            0 => Err((key, "0: expected a whole number of at least 1".to_owned())),
            _ => Ok(()),
        };
        if !(2..=65_536).contains(&self.batch) {
            let message = format!("{}: expected a whole number from 2 to 65536", self.batch);
            return Err(("batch", message));
        }
        at_least_one("start_positions", self.start_positions)?;
        at_least_one("window_min", self.window_min)?;
        at_least_one("publish_samples", self.publish_samples)?;
        if self.window_max < self.window_min {
            let expected = format!("at least window_min = {}", self.window_min);
            return Err((
                "window_max",
                format!("{}: expected {expected}", self.window_max),
            ));
        }
        if !(self.reuse > 0.0 && self.reuse.is_finite()) {
            return Err((
                "reuse",
                format!("{}: expected a number above 0", self.reuse),
            ));
        }
        if !(self.window_share > 0.0 && self.window_share <= 1.0) {
            let message = format!(
                "{}: expected a number above 0, at most 1",
                self.window_share
            );
            return Err(("window_share", message));
        }
        self.sharpness.as_ref().map_or(Ok(()), Sharpness::check)
    }
}

/// From a number of games on, the search is another one: little trust in values and few visits at
/// first, more of both as the net learns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Games of the run from which the stage holds.
    pub from_games: u64,
    /// Replaces `search.visits`.
    pub visits: u32,
    /// Replaces `search.root.c_scale`; refused where the root is not a Gumbel root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c_scale: Option<f32>,
}

impl Stage {
    /// The search in this stage.
    pub fn search(&self, base: &SearchOptions) -> SearchOptions {
        let mut search = SearchOptions {
            visits: self.visits,
            ..base.clone()
        };
        if let (RootOptions::Gumbel(root), Some(c_scale)) = (&mut search.root, self.c_scale) {
            root.c_scale = c_scale;
        }
        search
    }
}

/// The search of training games when `games` have been finished.
pub fn search_at(base: &SearchOptions, stages: &[Stage], games: u64) -> SearchOptions {
    match stages.iter().rev().find(|stage| stage.from_games <= games) {
        Some(stage) => stage.search(base),
        None => base.clone(),
    }
}

/// Refuses stages out of order, and stages whose search is out of range.
///
/// # Errors
///
/// The key relative to the array, and what was found and expected.
pub fn check_stages(base: &SearchOptions, stages: &[Stage]) -> Result<(), (String, String)> {
    for (index, stage) in stages.iter().enumerate() {
        let key = |name: &str| format!("stages[{index}].{name}");
        if index > 0 && stage.from_games <= stages[index - 1].from_games {
            let found = stage.from_games;
            return Err((
                key("from_games"),
                format!("{found}: expected more than the stage before"),
            ));
        }
        if let (Some(c_scale), RootOptions::Puct(_)) = (stage.c_scale, &base.root) {
            let message = format!("{c_scale}: expected none, as search.root is not a gumbel root");
            return Err((key("c_scale"), message));
        }
        if let Err(error) = stage.search(base).check() {
            return Err((
                key(&error.key),
                format!("{}: expected {}", error.found, error.expected),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
