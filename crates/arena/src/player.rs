//! Who plays: a baseline, a network with a search, or another USI engine.

use search::{EvalAnswers, Evaluator, SearchOptions};
use serde::{Deserialize, Serialize};

use crate::baseline::Baseline;
use crate::clock::{Clock, TimeControl};
use crate::external::{EngineSettings, External};

/// One of the two contestants of a match; whoever is measured is A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player that scores are given for.
    A,
    /// Its opponent.
    B,
}

impl Seat {
    /// Both seats, A first.
    pub const ALL: [Seat; 2] = [Seat::A, Seat::B];

    /// The opponent's seat.
    pub fn other(self) -> Seat {
        match self {
            Seat::A => Seat::B,
            Seat::B => Seat::A,
        }
    }

    /// 0 for A, 1 for B.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A contestant: a name and how it finds its moves.
pub struct Player<'a> {
    pub(crate) name: String,
    pub(crate) mind: Mind<'a>,
    /// The clock of a network; engines have theirs in their settings.
    time: Option<TimeControl>,
}

/// How a player finds its moves.
pub(crate) enum Mind<'a> {
    Baseline(Baseline),
    Net(NetMind<'a>),
    Usi(Box<External>),
}

/// A network with a search.
pub(crate) struct NetMind<'a> {
    pub(crate) options: SearchOptions,
    pub(crate) evaluator: Box<dyn Evaluator + 'a>,
    pub(crate) answers: EvalAnswers,
}

impl<'a> Player<'a> {
    /// A baseline under its own name.
    pub fn baseline(baseline: Baseline) -> Player<'a> {
        Player {
            name: baseline.name().to_owned(),
            mind: Mind::Baseline(baseline),
            time: None,
        }
    }

    /// A network that searches by `options`, one new tree per move. Noise at the root is left out:
    /// the strongest play that this many visits give, and the same in every run. It declares
    /// (入玉宣言) as soon as it may and never resigns.
    pub fn net(
        name: impl Into<String>,
        options: SearchOptions,
        evaluator: impl Evaluator + 'a,
    ) -> Player<'a> {
        let mind = NetMind {
            options: SearchOptions {
                noise: false,
                ..options
            },
            evaluator: Box::new(evaluator),
            answers: EvalAnswers::new(),
        };
        Player {
            name: name.into(),
            mind: Mind::Net(mind),
            time: None,
        }
    }

    /// Another engine; it is started when the first game begins.
    pub fn usi(name: impl Into<String>, settings: EngineSettings) -> Player<'a> {
        Player {
            name: name.into(),
            mind: Mind::Usi(Box::new(External::new(settings))),
            time: None,
        }
    }

    /// Lets a network play by a clock instead of by visits. Time is the wall's: such games are
    /// played one at a time.
    #[must_use]
    pub fn with_time(self, time: TimeControl) -> Player<'a> {
        Player {
            time: Some(time),
            ..self
        }
    }

    /// Lets a match return from [`crate::Match::advance`] while an engine is thinking, a moment after
    /// `interrupted` begins to say so.
    #[must_use]
    pub fn with_interrupt(mut self, interrupted: fn() -> bool) -> Player<'a> {
        if let Mind::Usi(engine) = &mut self.mind {
            engine.interrupted = interrupted;
        }
        self
    }

    /// The clock at the beginning of a game, if the player has one.
    pub(crate) fn clock(&self) -> Option<Clock> {
        let control = match &self.mind {
            Mind::Usi(engine) => engine.settings().time_control(),
            Mind::Net(_) => self.time,
            Mind::Baseline(_) => None,
        };
        control.map(Clock::new)
    }

    /// Name in reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the player can play only one game at a time.
    pub(crate) fn plays_alone(&self) -> bool {
        matches!(self.mind, Mind::Usi(_)) || self.clock().is_some()
    }
}

#[cfg(test)]
mod tests;
