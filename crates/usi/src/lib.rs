//! The USI protocol, as an engine and as a driver of engines.
//!
//! [`run`] is an engine on real streams; [`UsiEngine`] is the same without streams, threads and
//! time, for tests. [`EngineDriver`] plays against other engines. The network comes from outside:
//! an [`EvaluatorLoader`] makes a [`search::Evaluator`] when the GUI says `isready`.

// The check of the fuzz target is a test of this crate too, and names it from outside.
#[cfg(test)]
extern crate self as usi;

mod book;
mod command;
mod crew;
mod driver;
mod engine;
mod gaps;
mod given;
mod info;
mod limits;
mod lines;
mod mate;
mod options;
mod run;
#[cfg(test)]
#[path = "../../../fuzz/checks/seeds.rs"]
mod seeds;
mod thinking;
mod thumb;
mod time;

pub use book::{Book, BookError, BookMove};
pub use command::{Command, Go};
pub use driver::{
    Awaited, DriverError, EngineCommand, EngineDriver, Farewell, GameResult, Patience, Reply,
};
pub use engine::{Clock, EngineOptions, Loaded, Next, UsiEngine};
pub use given::{GivenGame, PositionError, position_line};
pub use info::{BestMove, ParseScoreError, Score};
pub use limits::GoLimits;
pub use options::{NetworkSettings, OptionError, Settings, entering_king_rule};
pub use run::{EvaluatorLoader, LoadError, RunError, run};
pub use time::Budget;
