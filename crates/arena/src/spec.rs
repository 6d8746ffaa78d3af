//! Players in words: who plays, and how much it may think.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::baseline::Baseline;
use crate::clock::TimeControl;

/// A player as it is named on a command line or in a file: `WHO` or `WHO@KEY=VALUE,KEY=VALUE`.
///
/// `WHO` is `random`, `mate1`, `greedy` or `material2`, `usi:COMMAND`, `anchor:NAME`, or the path of a net. The
/// keys are those of [`OwnSettings`]; options of engines are written `option.NAME=VALUE`.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerSpec {
    /// Who plays.
    pub who: Who,
    /// What holds for this player only.
    pub own: OwnSettings,
}

/// Who plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// `random`, `mate1`, `greedy` or `material2`.
    Baseline(Baseline),
    /// `usi:COMMAND`: another engine, started by this command line.
    Usi(String),
    /// `anchor:NAME`: an engine of the list of anchors.
    Anchor(String),
    /// Anything else: the file of a model.
    Model(String),
}

/// What holds for one player only; what is not given is as for all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnSettings {
    /// `name`: what reports call it.
    pub name: Option<String>,
    /// How much it may think.
    pub effort: Option<Effort>,
    /// `option.NAME=VALUE`: options of an engine.
    pub options: Vec<(String, String)>,
    /// `margin`, in milliseconds: how late an engine's answer may be.
    pub margin: Option<Duration>,
    /// `stuck`, in milliseconds: how long an engine without a time limit may think.
    pub stuck_after: Option<Duration>,
    /// `start`, in milliseconds: how long an engine may take to start, and to get ready.
    pub start: Option<Duration>,
    /// `clocks=swapped`: the engine mixes up the clocks of the two sides.
    pub swapped_clocks: bool,
    /// `elo`: whether a pool keeps the player's rating fixed.
    pub grade: Grade,
    /// `precision`, for nets: how exactly one is computed, in the words of who makes evaluators.
    pub precision: Option<String>,
}

/// Whether a pool of ratings keeps a player's rating fixed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Grade {
    /// If it is an anchor with a grade.
    #[default]
    AsListed,
    /// `elo=free`: it does not.
    Free,
    /// `elo=NUMBER`: at this one.
    Fixed(f64),
}

/// How much a player may think about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// `nodes` or `visits`: visits of a net's search, nodes of an engine, at least 1.
    Nodes(u32),
    /// `depth`, for engines, at least 1.
    Depth(u32),
    /// `movetime` in milliseconds, for engines.
    MoveTime(Duration),
    /// `time`: a clock.
    Clock(TimeControl),
    /// `limit=options`, for engines: a bare `go`, the engine's options say how long.
    Options,
}

/// A text that is not a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("player {player}: {setting}: expected {expected}")]
pub struct PlayerSpecError {
    /// The whole text.
    pub player: String,
    /// The part that is wrong.
    pub setting: String,
    /// What could stand there.
    pub expected: &'static str,
}

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerSpecError> {
        let (who, settings) = match text.rsplit_once('@') {
            Some((who, settings)) if settings.contains('=') => (who, settings),
            _ => (text, ""),
        };
        let mut own = OwnSettings::default();
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            own.set(setting).map_err(|expected| PlayerSpecError {
                player: text.to_owned(),
                setting: setting.to_owned(),
                expected,
            })?;
        }
        let who = Who::from_text(who);
        let for_engines = match own.effort {
            Some(Effort::Depth(_) | Effort::MoveTime(_) | Effort::Options) => true,
            _ => {
                let times = [own.margin, own.stuck_after, own.start];
                !own.options.is_empty() || own.swapped_clocks || times.iter().any(Option::is_some)
            }
        };
        if for_engines && !matches!(who, Who::Usi(_) | Who::Anchor(_)) {
            return Err(PlayerSpecError {
                player: text.to_owned(),
                setting: settings.to_owned(),
                expected: "settings of engines only behind usi: or anchor:",
            });
        }
        if own.precision.is_some() && !matches!(who, Who::Model(_)) {
            return Err(PlayerSpecError {
                player: text.to_owned(),
                setting: settings.to_owned(),
                expected: "precision only behind the path of a net",
            });
        }
        Ok(PlayerSpec { who, own })
    }
}

impl Who {
    fn from_text(text: &str) -> Who {
        if let Some(&baseline) = Baseline::ALL.iter().find(|b| b.name() == text) {
            return Who::Baseline(baseline);
        }
        if let Some(command) = text.strip_prefix("usi:") {
            return Who::Usi(command.trim().to_owned());
        }
        match text.strip_prefix("anchor:") {
            Some(name) => Who::Anchor(name.trim().to_owned()),
            None => Who::Model(text.to_owned()),
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Baseline(baseline) => f.write_str(baseline.name()),
            Who::Usi(command) => write!(f, "usi:{command}"),
            Who::Anchor(name) => write!(f, "anchor:{name}"),
            Who::Model(path) => f.write_str(path),
        }
    }
}

impl OwnSettings {
    /// Takes one `KEY=VALUE`; the error says what was expected.
    fn set(&mut self, setting: &str) -> Result<(), &'static str> {
        let (key, value) = setting.split_once('=').ok_or("KEY=VALUE")?;
        if let Some(option) = key.strip_prefix("option.") {
            self.options.push((option.to_owned(), value.to_owned()));
            return Ok(());
        }
        match key {
            "name" => self.name = Some(value.to_owned()),
            "elo" if value == "free" => self.grade = Grade::Free,
            "elo" => {
                let elo: Option<f64> = value.parse().ok();
                let elo = elo.filter(|elo| elo.is_finite());
                self.grade = Grade::Fixed(elo.ok_or("a number or elo=free")?);
            }
            "margin" => self.margin = Some(milliseconds(value)?),
            "start" => self.start = Some(milliseconds(value)?),
            "stuck" => self.stuck_after = Some(milliseconds(value)?),
            "precision" => self.precision = Some(value.to_owned()),
            "clocks" if value == "swapped" => self.swapped_clocks = true,
            "clocks" => return Err("clocks=swapped"),
            _ => {
                let effort = Effort::parse(key, value)?;
                if self.effort.replace(effort).is_some() {
                    return Err("one limit only");
                }
            }
        }
        Ok(())
    }
}

impl Effort {
    /// Reads one limit; the error says what was expected.
    ///
    /// # Errors
    ///
    /// For an unknown key, or a value out of range.
    pub fn parse(key: &str, value: &str) -> Result<Effort, &'static str> {
        const COUNT: &str = "a whole number of at least 1";
        let count =
            || -> Result<u32, &'static str> { value.parse().ok().filter(|&n| n > 0).ok_or(COUNT) };
        Ok(match key {
            "nodes" | "visits" => Effort::Nodes(count()?),
            "depth" => Effort::Depth(count()?),
            "movetime" => Effort::MoveTime(milliseconds(value)?),
            "time" => Effort::Clock(
                value
                    .parse()
                    .map_err(|_| "seconds as MAIN[+BYOYOMI[+INCREMENT]][/stopwatch]")?,
            ),
            "limit" if value == "options" => Effort::Options,
            "limit" => return Err("limit=options"),
            _ => {
                return Err(
                    "one of the keys visits, nodes, depth, movetime, time, limit, name, elo, margin, \
                     stuck, start, clocks, precision, option.NAME",
                );
            }
        })
    }
}

fn milliseconds(value: &str) -> Result<Duration, &'static str> {
    value
        .parse()
        .ok()
        .filter(|&ms| ms > 0)
        .map(Duration::from_millis)
        .ok_or("milliseconds, at least 1")
}

#[cfg(test)]
mod tests;
