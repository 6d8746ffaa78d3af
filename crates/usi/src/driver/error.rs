//! What can go wrong with an engine.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use rules::IllegalReason;

/// What the driver was waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// `usiok`.
    UsiOk,
    /// `readyok`.
    ReadyOk,
    /// `bestmove`.
    BestMove,
}

/// What went wrong with an engine.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The program could not be started.
    #[error("cannot start engine {}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The process ended, or closed its output.
    #[error("engine {engine} crashed while {awaited} was due ({}){}", status_text(*status), stderr_text(stderr))]
    Crashed {
        /// The engine's name.
        engine: String,
        /// What was due.
        awaited: Awaited,
        /// How it ended, if that is known.
        status: Option<ExitStatus>,
        /// The last lines of its stderr.
        stderr: String,
    },
    /// No answer in time.
    #[error("engine {engine} did not send {awaited} within {} ms{}", after.as_millis(), late_text(*late_by))]
    TimedOut {
        /// The engine's name.
        engine: String,
        /// What was due.
        awaited: Awaited,
        /// How long it was waited for.
        after: Duration,
        /// By how much the answer was late that came after all, before or behind `stop`, so that the
        /// engine can be used on. If `None`, [`EngineDriver::new_game`](super::EngineDriver::new_game)
        /// waits for it once more.
        late_by: Option<Duration>,
    },
    /// An answer that nobody had asked for: a second one to a `go`, or one without.
    #[error("engine {engine} sent {answer:?} without being asked")]
    Unasked {
        /// The engine's name.
        engine: String,
        /// The line.
        answer: String,
    },
    /// A flood of lines that are not USI, and no answer.
    #[error(
        "engine {engine} printed {lines} lines that are not USI instead of an answer, last {sample:?}"
    )]
    Rubbish {
        /// The engine's name.
        engine: String,
        /// How many.
        lines: u32,
        /// The last of them, cut.
        sample: String,
    },
    /// This process did not run when it should have: the machine is overloaded or was asleep, and
    /// the engine is not to blame.
    #[error("this machine stood still for {} ms while engine {engine} was thinking", by.as_millis())]
    Overslept {
        /// The engine's name.
        engine: String,
        /// For how long.
        by: Duration,
    },
    /// The caller wanted to stop: see [`EngineDriver::set_interrupt`](super::EngineDriver::set_interrupt).
    #[error("engine {engine} was interrupted")]
    Interrupted {
        /// The engine's name.
        engine: String,
    },
    /// An answer that is no move, or not a legal one.
    #[error("engine {engine} answered {answer:?}, {} in {sfen}", illegal_text(*reason))]
    IllegalAnswer {
        /// The engine's name.
        engine: String,
        /// The line.
        answer: String,
        /// The rule that the move breaks; `None` if the answer is no move at all.
        reason: Option<IllegalReason>,
        /// The position.
        sfen: String,
    },
}

impl Awaited {
    fn word(self) -> &'static str {
        match self {
            Awaited::UsiOk => "usiok",
            Awaited::ReadyOk => "readyok",
            Awaited::BestMove => "bestmove",
        }
    }

    /// Whether `line` is what was waited for.
    pub(super) fn is_in(self, line: &str) -> bool {
        line.split_whitespace().next() == Some(self.word())
    }
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

fn status_text(status: Option<ExitStatus>) -> String {
    status.map_or_else(
        || "its output ended".to_owned(),
        |status| status.to_string(),
    )
}

fn late_text(late_by: Option<Duration>) -> String {
    late_by.map_or_else(String::new, |late_by| {
        format!(", but {} ms later", late_by.as_millis())
    })
}

fn stderr_text(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!("; stderr: {stderr}")
    }
}

fn illegal_text(reason: Option<IllegalReason>) -> String {
    reason.map_or_else(
        || "not a move".to_owned(),
        |reason| format!("not a legal move: {reason},"),
    )
}
