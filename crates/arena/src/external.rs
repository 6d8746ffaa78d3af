//! A player that is another program: a USI engine, with everything that can go wrong with one.

use std::path::PathBuf;
use std::time::Duration;

use rules::{Color, Game, GameRules};
use usi::{
    BestMove, DriverError, EngineCommand, EngineDriver, Farewell, GameResult, GoLimits, Patience,
    Score, entering_king_rule,
};

use crate::clock::{Clock, TimeControl, go_limits};

/// How often in a row an engine that has played before may fail to get ready; each time costs it a
/// game.
const MOST_FAILED_STARTS: u32 = 5;

/// How much an engine may think about each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineLimit {
    /// Nodes, at least 1. What a node is, and whether the limit is kept, is up to the engine.
    Nodes(u64),
    /// Depth, at least 1, in the engine's own plies.
    Depth(u32),
    /// Exactly so long (`movetime`); late answers lose as on a clock.
    MoveTime(Duration),
    /// As the engine's options say: a bare `go` has no limit of its own.
    Options,
    /// A clock.
    Clock(TimeControl),
}

/// Which engine, and how it plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSettings {
    /// How to start it.
    pub command: EngineCommand,
    /// Options to set before the first game, name and value.
    pub options: Vec<(String, String)>,
    /// How much it may think.
    pub limit: EngineLimit,
    /// How much later than its time an answer may come: transmission and the machine's load.
    pub margin: Duration,
    /// Without a time limit: how long it may think before it counts as stuck.
    pub stuck_after: Duration,
    /// Whether the engine takes `btime` for White's clock and `wtime` for Black's, so that they
    /// have to be exchanged (a bug of Fairy-Stockfish's).
    pub swapped_clocks: bool,
    /// How long it may take for everything else.
    pub patience: Patience,
}

impl EngineSettings {
    /// An engine started by a command line, without options. The command line is cut at blanks;
    /// quotes of both kinds keep blanks together, nothing else is special.
    pub fn new(command_line: &str, limit: EngineLimit) -> EngineSettings {
        let mut words = split_words(command_line).into_iter();
        EngineSettings {
            command: EngineCommand {
                program: PathBuf::from(words.next().unwrap_or_default()),
                args: words.collect(),
                dir: None,
            },
            options: Vec::new(),
            limit,
            margin: Duration::from_millis(500),
            stuck_after: Duration::from_secs(120),
            swapped_clocks: false,
            patience: Patience {
                // Nobody waits at a screen, and the machine is busy with other games.
                start: Duration::from_secs(30),
                ..Patience::default()
            },
        }
    }

    /// The clock that the engine plays by, if it does.
    pub fn time_control(&self) -> Option<TimeControl> {
        match self.limit {
            EngineLimit::Clock(control) => Some(control),
            _ => None,
        }
    }

    /// The words behind `go`, and the time after which the answer is too late.
    fn limits(&self, clocks: [Option<Clock>; 2], side: Color) -> (GoLimits, Duration) {
        let limits = GoLimits::default();
        match self.limit {
            EngineLimit::Nodes(nodes) => (
                GoLimits {
                    nodes: Some(nodes),
                    ..limits
                },
                self.stuck_after,
            ),
            EngineLimit::Depth(depth) => (
                GoLimits {
                    depth: Some(depth),
                    ..limits
                },
                self.stuck_after,
            ),
            EngineLimit::MoveTime(time) => (
                GoLimits {
                    movetime: Some(time),
                    ..limits
                },
                time + self.margin,
            ),
            EngineLimit::Options => (limits, self.stuck_after),
            EngineLimit::Clock(_) => {
                let mut limits = go_limits(clocks, side);
                if self.swapped_clocks {
                    std::mem::swap(&mut limits.btime, &mut limits.wtime);
                    std::mem::swap(&mut limits.binc, &mut limits.winc);
                }
                let clock = clocks[side.index()].expect("the engine plays by a clock");
                (limits, clock.usable() + self.margin)
            }
        }
    }
}

fn split_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Why an engine cannot take part at all.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It does not start, or does not get ready.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// It has no such option.
    #[error("engine {engine} has no option {option:?}")]
    Option {
        /// The engine's name.
        engine: String,
        /// The option asked for.
        option: String,
    },
}

/// How an engine can lose a game besides by playing badly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineFault {
    /// Its process ended.
    Crash,
    /// It did not answer at all.
    Stall,
    /// It answered, but too late.
    Late,
    /// It answered with something that is not a legal move.
    IllegalAnswer,
    /// It answered once more, or without being asked.
    ExtraAnswer,
    /// It printed a flood of lines that are not USI instead of an answer.
    Rubbish,
    /// Restarted after a fault, it did not get ready for the game.
    NotReady,
}

/// What an engine answered.
pub(crate) enum Answer {
    Best {
        best: BestMove,
        score: Option<Score>,
        elapsed: Duration,
    },
    /// With what happened, naming the engine.
    Fault(EngineFault, String),
    /// The machine is to blame, not the engine.
    Void(String),
    /// The caller wants to stop; nothing was played.
    Interrupted,
}

/// What became of getting ready for a game.
#[derive(Debug)]
pub(crate) enum Begun {
    Ready,
    /// It cannot play this game, but has played before.
    Fault(String),
}

/// Starts an engine, tells it the rules as far as it has options for them, sets its own options
/// and gets it ready for a game.
pub(crate) fn start_engine(
    settings: &EngineSettings,
    rules: GameRules,
) -> Result<EngineDriver, EngineError> {
    let mut driver = EngineDriver::start(&settings.command, settings.patience)?;
    let max_ply = rules.max_ply.unwrap_or(0).to_string();
    for (name, value) in [
        ("EnteringKingRule", entering_king_rule(rules)),
        ("MaxMovesToDraw", &max_ply),
        ("Draw_Ply", &max_ply),
    ] {
        if driver.offers(name) {
            driver.set_option(name, value);
        }
    }
    for (name, value) in &settings.options {
        // USI_Hash and its like exist without being announced.
        if !driver.offers(name) && !name.starts_with("USI_") {
            return Err(EngineError::Option {
                engine: driver.name().to_owned(),
                option: name.clone(),
            });
        }
        driver.set_option(name, value);
    }
    driver.new_game()?;
    Ok(driver)
}

/// A USI engine as a player; the process lives from game to game, unless it does wrong.
pub(crate) struct External {
    settings: EngineSettings,
    driver: Option<EngineDriver>,
    has_played: bool,
    failed_starts: u32,
    /// Engines that had to be killed.
    remarks: Vec<String>,
    pub(crate) interrupted: fn() -> bool,
    /// What the engine is told when it is started.
    pub(crate) rules: GameRules,
}

impl External {
    pub(crate) fn new(settings: EngineSettings) -> External {
        External {
            settings,
            driver: None,
            has_played: false,
            failed_starts: 0,
            remarks: Vec::new(),
            interrupted: || false,
            rules: GameRules::default(),
        }
    }

    pub(crate) fn settings(&self) -> &EngineSettings {
        &self.settings
    }

    /// Gets the engine ready for a new game; starts it if it does not run, and anew if it fails.
    pub(crate) fn begin_game(&mut self) -> Result<Begun, EngineError> {
        if let Some(mut driver) = self.driver.take()
            && driver.new_game().is_ok()
        {
            self.driver = Some(driver);
            return Ok(Begun::Ready);
        }
        match start_engine(&self.settings, self.rules) {
            Ok(mut driver) => {
                driver.set_interrupt(self.interrupted);
                self.driver = Some(driver);
                self.failed_starts = 0;
                Ok(Begun::Ready)
            }
            Err(EngineError::Driver(
                error @ (DriverError::Crashed { .. } | DriverError::TimedOut { .. }),
            )) if self.has_played && self.failed_starts < MOST_FAILED_STARTS => {
                self.failed_starts += 1;
                Ok(Begun::Fault(error.to_string()))
            }
            Err(error) => Err(error),
        }
    }

    /// The engine's answer; `clocks` are given by colour. After a fault the process is ended, and
    /// the next game gets a new one.
    ///
    /// # Panics
    ///
    /// If no game has begun, or the engine plays by a clock and has none.
    pub(crate) fn think(&mut self, game: &Game, clocks: [Option<Clock>; 2]) -> Answer {
        let side = game.position().side_to_move();
        let (limits, limit) = self.settings.limits(clocks, side);
        let driver = self.driver.as_mut().expect("a game has begun");
        self.has_played = true;
        let error = match driver.go(game, &limits, limit) {
            Ok(reply) => {
                return Answer::Best {
                    best: reply.best,
                    score: reply.score,
                    elapsed: reply.elapsed,
                };
            }
            Err(error) => error,
        };
        let fault = match &error {
            DriverError::Interrupted { .. } => return Answer::Interrupted,
            DriverError::Overslept { .. } => return self.void(&error),
            DriverError::Crashed {
                status: Some(status),
                ..
            } if killed_from_outside(status) => return self.void(&error),
            DriverError::TimedOut {
                late_by: Some(_), ..
            } => EngineFault::Late,
            DriverError::TimedOut { .. } => EngineFault::Stall,
            DriverError::IllegalAnswer { .. } => EngineFault::IllegalAnswer,
            DriverError::Unasked { .. } => EngineFault::ExtraAnswer,
            DriverError::Rubbish { .. } => EngineFault::Rubbish,
            DriverError::Spawn { .. } | DriverError::Crashed { .. } => EngineFault::Crash,
        };
        self.dismiss();
        Answer::Fault(fault, error.to_string())
    }

    fn void(&mut self, error: &DriverError) -> Answer {
        self.dismiss();
        Answer::Void(error.to_string())
    }

    /// Tells the engine how the game ended.
    pub(crate) fn end_game(&mut self, result: GameResult) {
        if let Some(driver) = &mut self.driver {
            driver.game_over(result);
        }
    }

    /// Ends the process; the next game starts another.
    pub(crate) fn dismiss(&mut self) {
        let Some(driver) = self.driver.take() else {
            return;
        };
        let name = driver.name().to_owned();
        if driver.quit() == Farewell::Killed {
            self.remarks.push(format!(
                "engine {name} outlived quit and the end of its input, and was killed"
            ));
        }
    }

    /// What there was to say about engines that were ended, since the last call.
    pub(crate) fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }
}

impl Drop for External {
    fn drop(&mut self) {
        self.dismiss();
    }
}

/// Whether a process was ended by the signal that nothing but the system or its user sends: memory
/// ran out, or somebody tidied up.
#[cfg(unix)]
fn killed_from_outside(status: &std::process::ExitStatus) -> bool {
    const SIGKILL: i32 = 9;
    std::os::unix::process::ExitStatusExt::signal(status) == Some(SIGKILL)
}

#[cfg(not(unix))]
fn killed_from_outside(_: &std::process::ExitStatus) -> bool {
    false
}

#[cfg(test)]
pub(crate) mod tests;
