//! When a run ends.

use serde::{Deserialize, Serialize};

use crate::report::events::Progress;

/// The longest budget: some 20,000 years.
pub const MAX_MINUTES: f64 = 1e10;

/// When a run ends: at the first of these that is reached. It may be raised later; the run then
/// goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Minutes of training and self-play, all starts of the run together, > 0; 1e10 is the most,
    /// and no limit.
    pub minutes: f64,
    /// Finished games, at least 1; absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Training rows, at least 1; absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Elo above `greedy` as measured in the run (`measure`): the lower end of its 95 % interval
    /// has to reach this; absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<f64>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            minutes: 30.0,
            ..Budget::endless()
        }
    }
}

impl Budget {
    /// No limit at all.
    pub fn endless() -> Budget {
        Budget {
            minutes: MAX_MINUTES,
            games: None,
            samples: None,
            elo: None,
        }
    }

    /// Whether a run that stands at `progress` and has measured `elo` has reached its end.
    pub fn is_spent(&self, progress: &Progress, elo: Option<f64>) -> bool {
        self.share(progress) >= 1.0
            || self
                .elo
                .is_some_and(|goal| elo.is_some_and(|elo| elo >= goal))
    }

    /// How much of the budget is spent, from 0 to 1 and more: the largest of the shares of its
    /// limits. A goal in Elo has no share.
    pub fn share(&self, progress: &Progress) -> f64 {
        let of = |done: u64, most: Option<u64>| most.map_or(0.0, |most| done as f64 / most as f64);
        (progress.elapsed_s / (60.0 * self.minutes))
            .max(of(progress.games, self.games))
            .max(of(progress.samples, self.samples))
    }

    /// Seconds that are left at the pace so far: the mean from the start until `progress`, but
    /// never more than the minutes allow. `None` where nothing limits the run.
    pub fn seconds_left(&self, progress: &Progress) -> Option<f64> {
        let share = self.share(progress);
        let by_pace = (share > 0.0).then(|| progress.elapsed_s * (1.0 / share - 1.0));
        let by_clock =
            (self.minutes < MAX_MINUTES).then_some(60.0 * self.minutes - progress.elapsed_s);
        let limited = self.minutes < MAX_MINUTES || self.games.is_some() || self.samples.is_some();
        let least = match (by_pace.filter(|_| limited), by_clock) {
            (Some(pace), Some(clock)) => Some(pace.min(clock)),
            (pace, clock) => pace.or(clock),
        };
        least.map(|seconds| seconds.max(0.0))
    }

    /// The limits in words, such as `30 minutes or 1000 games`.
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        if self.minutes < MAX_MINUTES {
            words.push(format!("{} minutes", self.minutes));
        }
        words.extend(self.games.map(|games| format!("{games} games")));
        words.extend(self.samples.map(|samples| format!("{samples} samples")));
        words.extend(self.elo.map(|elo| format!("{elo:+} Elo against greedy")));
        match words.is_empty() {
            true => "no limit".to_owned(),
            false => words.join(" or "),
        }
    }

    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if !(self.minutes > 0.0 && self.minutes <= MAX_MINUTES) {
            let message = format!(
                "{}: expected a number > 0, at most {MAX_MINUTES}",
                self.minutes
            );
            return Err(("minutes", message));
        }
        for (key, limit) in [("games", self.games), ("samples", self.samples)] {
            if limit == Some(0) {
                return Err((key, "0: expected a number from 1".to_owned()));
            }
        }
        match self.elo {
            Some(elo) if !elo.is_finite() => Err(("elo", format!("{elo}: expected a number"))),
            _ => Ok(()),
        }
    }
}

/// Minutes of a text such as `30m`, `90s`, `1h30m` or `2d`.
///
/// # Errors
///
/// What was found and what is expected.
pub fn parse_minutes(text: &str) -> Result<f64, String> {
    let error = || format!("found {text:?}, expected a time such as 90s, 30m, 1h30m or 2d");
    let mut minutes = 0.0;
    let mut left = text;
    while !left.is_empty() {
        let end = left
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .ok_or_else(error)?;
        let number: f64 = left[..end].parse().map_err(|_| error())?;
        let unit = left[end..].chars().next().ok_or_else(error)?;
        minutes += number
            * match unit {
                's' => 1.0 / 60.0,
                'm' => 1.0,
                'h' => 60.0,
                'd' => 1440.0,
                _ => return Err(error()),
            };
        left = &left[end + unit.len_utf8()..];
    }
    match minutes > 0.0 && minutes <= MAX_MINUTES {
        true => Ok(minutes),
        false => Err(error()),
    }
}

#[cfg(test)]
mod tests;
