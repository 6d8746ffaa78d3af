//! A player that is another program: a USI engine, with everything that can go wrong with one.

use std::path::PathBuf;
use std::time::Duration;

use rules::Game;
use usi::{BestMove, DriverError, EngineCommand, EngineDriver, GameResult, GoLimits, Patience};

/// How much an engine may think about each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineLimit {
    /// Nodes, at least 1. What a node is, and whether the limit is kept, is up to the engine.
    Nodes(u64),
    /// Time for each move, without a clock before it (`byoyomi`).
    Byoyomi(Duration),
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
    /// How much later than `byoyomi` an answer may come: transmission and the machine's load.
    pub margin: Duration,
    /// With a node limit: how long it may think before it counts as stuck.
    pub stuck_after: Duration,
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
            patience: Patience::default(),
        }
    }

    /// The words behind `go`, and the time after which the answer is too late.
    fn limits(&self) -> (GoLimits, Duration) {
        let limits = GoLimits::default();
        match self.limit {
            EngineLimit::Nodes(nodes) => (
                GoLimits {
                    nodes: Some(nodes),
                    ..limits
                },
                self.stuck_after,
            ),
            EngineLimit::Byoyomi(byoyomi) => {
                let no_clock = Some(Duration::ZERO);
                let limits = GoLimits {
                    btime: no_clock,
                    wtime: no_clock,
                    byoyomi: Some(byoyomi),
                    ..limits
                };
                (limits, byoyomi + self.margin)
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
}

/// What an engine answered.
pub(crate) enum Answer {
    Best(BestMove),
    /// With what happened, naming the engine.
    Fault(EngineFault, String),
}

/// A USI engine as a player; the process lives from game to game.
pub(crate) struct External {
    settings: EngineSettings,
    driver: Option<EngineDriver>,
}

impl External {
    pub(crate) fn new(settings: EngineSettings) -> External {
        External {
            settings,
            driver: None,
        }
    }

    /// Gets the engine ready for a new game; starts it if it does not run, and anew if it fails.
    pub(crate) fn begin_game(&mut self) -> Result<(), EngineError> {
        if let Some(mut driver) = self.driver.take()
            && driver.new_game().is_ok()
        {
            self.driver = Some(driver);
            return Ok(());
        }
        let mut driver = self.start()?;
        driver.new_game()?;
        self.driver = Some(driver);
        Ok(())
    }

    fn start(&self) -> Result<EngineDriver, EngineError> {
        let EngineSettings {
            command,
            options,
            patience,
            ..
        } = &self.settings;
        let mut driver = EngineDriver::start(command, *patience)?;
        for (name, value) in options {
            // USI_Hash and its like exist without being announced.
            if !driver.offers(name) && !name.starts_with("USI_") {
                let engine = driver.name().to_owned();
                return Err(EngineError::Option {
                    engine,
                    option: name.clone(),
                });
            }
            driver.set_option(name, value);
        }
        Ok(driver)
    }

    /// The engine's answer. After a crash or a stall the process is ended; the next game gets a
    /// new one.
    ///
    /// # Panics
    ///
    /// If no game has begun.
    pub(crate) fn think(&mut self, game: &Game) -> Answer {
        let (limits, limit) = self.settings.limits();
        let driver = self.driver.as_mut().expect("a game has begun");
        let error = match driver.go(game, &limits, limit) {
            Ok(reply) => return Answer::Best(reply.best),
            Err(error) => error,
        };
        let fault = match error {
            DriverError::TimedOut {
                answered_late: true,
                ..
            } => EngineFault::Late,
            DriverError::TimedOut { .. } => EngineFault::Stall,
            DriverError::IllegalAnswer { .. } => EngineFault::IllegalAnswer,
            DriverError::Spawn { .. } | DriverError::Crashed { .. } => EngineFault::Crash,
        };
        if matches!(fault, EngineFault::Crash | EngineFault::Stall) {
            self.driver = None;
        }
        Answer::Fault(fault, error.to_string())
    }

    /// Tells the engine how the game ended.
    pub(crate) fn end_game(&mut self, result: GameResult) {
        if let Some(driver) = &mut self.driver {
            driver.game_over(result);
        }
    }
}

impl Drop for External {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.quit();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
