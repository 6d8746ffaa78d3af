//! Clocks: how much time a player has, and what a move costs.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rules::Color;
use serde::{Deserialize, Serialize};
use usi::GoLimits;

/// The federation's stopwatch counts whole minutes.
const MINUTE: Duration = Duration::from_secs(60);

/// How much time a player has for a game.
///
/// As text: `MAIN+BYOYOMI+INCREMENT` in seconds, the latter two optional, and `/stopwatch` behind
/// it. `600` is sudden death, `0+1` a second per move, `300+0+5` Fischer's clock, `3600+60/stopwatch`
/// an hour and a minute on the stopwatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// For the whole game.
    pub main: Duration,
    /// For each move once `main` is used up.
    pub byoyomi: Duration,
    /// Added for each move.
    pub increment: Duration,
    /// How the time of a move is charged.
    pub charge: Charge,
}

/// How the time of a move is charged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Charge {
    /// As it was.
    #[default]
    Exact,
    /// Rounded down to whole minutes (the federation's stopwatch): a move below a minute is free.
    WholeMinutes,
}

/// A text that is not a time control.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "time {text:?}: expected seconds as MAIN, MAIN+BYOYOMI or MAIN+BYOYOMI+INCREMENT, \
     with /stopwatch behind it or not, and more than 0 in all"
)]
pub struct TimeControlError {
    /// The text.
    pub text: String,
}

impl TimeControl {
    /// A fixed time per move.
    pub fn per_move(byoyomi: Duration) -> TimeControl {
        TimeControl {
            main: Duration::ZERO,
            byoyomi,
            increment: Duration::ZERO,
            charge: Charge::Exact,
        }
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let error = || TimeControlError {
            text: text.to_owned(),
        };
        let (numbers, charge) = match text.strip_suffix("/stopwatch") {
            Some(numbers) => (numbers, Charge::WholeMinutes),
            None => (text, Charge::Exact),
        };
        let mut seconds = [Duration::ZERO; 3];
        for (index, part) in numbers.split('+').enumerate() {
            let number: f64 = part.parse().map_err(|_| error())?;
            *seconds.get_mut(index).ok_or_else(error)? =
                Duration::try_from_secs_f64(number).map_err(|_| error())?;
        }
        let [main, byoyomi, increment] = seconds;
        // A year: so that sums of times never overflow.
        let longest = Duration::from_secs(366 * 24 * 3600);
        if seconds.iter().all(Duration::is_zero) || seconds.iter().any(|time| *time > longest) {
            return Err(error());
        }
        Ok(TimeControl {
            main,
            byoyomi,
            increment,
            charge,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.main.as_secs_f64())?;
        if !(self.byoyomi.is_zero() && self.increment.is_zero()) {
            write!(f, "+{}", self.byoyomi.as_secs_f64())?;
        }
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        match self.charge {
            Charge::Exact => Ok(()),
            Charge::WholeMinutes => f.write_str("/stopwatch"),
        }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

/// One player's clock in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    control: TimeControl,
    /// What is left of the main time, increments of past moves included.
    left: Duration,
}

impl Clock {
    pub(crate) fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control.main,
        }
    }

    /// Time that the next move may take.
    pub(crate) fn usable(&self) -> Duration {
        let TimeControl {
            byoyomi, increment, ..
        } = self.control;
        let usable = self.left + byoyomi + increment;
        match self.control.charge {
            Charge::Exact => usable,
            // What is charged is the minute's beginning, so the minute that uses time up is free.
            Charge::WholeMinutes => {
                MINUTE * u32::try_from(usable.as_secs().div_ceil(60)).unwrap_or(u32::MAX)
            }
        }
    }

    /// Takes what a move cost; a move that took longer than it may costs all that is left.
    pub(crate) fn charge(&mut self, elapsed: Duration) {
        let elapsed = elapsed.min(self.usable());
        let charged = match self.control.charge {
            Charge::Exact => elapsed,
            Charge::WholeMinutes => MINUTE * u32::try_from(elapsed.as_secs() / 60).unwrap_or(0),
        };
        self.left = (self.left + self.control.increment).saturating_sub(charged);
    }
}

/// What `side` is told about the clocks, both given by colour. Whose opponent has no clock is told
/// its own twice.
pub(crate) fn go_limits(clocks: [Option<Clock>; 2], side: Color) -> GoLimits {
    let Some(own) = clocks[side.index()] else {
        return GoLimits::default();
    };
    let of = |color: Color| clocks[color.index()].unwrap_or(own);
    let [black, white] = [of(Color::Black), of(Color::White)];
    let fischer = [black, white]
        .iter()
        .any(|clock| !clock.control.increment.is_zero());
    GoLimits {
        btime: Some(black.left),
        wtime: Some(white.left),
        // Some engines know either byoyomi or increments, but not both in one line.
        byoyomi: (!fischer || !own.control.byoyomi.is_zero()).then_some(own.control.byoyomi),
        binc: fischer.then_some(black.control.increment),
        winc: fischer.then_some(white.control.increment),
        ..GoLimits::default()
    }
}

#[cfg(test)]
mod tests;
