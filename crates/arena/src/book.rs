//! Making balanced openings with the help of an engine.
//!
//! A line grows by random legal moves; a move is kept if the engine calls the position behind it
//! even. So lines are as various as random ones, and no colour gets a lead worth speaking of.

use rules::{Game, GameRules, Position};
use search::mix_seed;
use usi::{DriverError, EngineDriver, GoLimits, Score};

use crate::baseline::pick;
use crate::external::{EngineError, EngineSettings, start_engine};
use crate::opening::Opening;

/// How openings are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookOptions {
    /// Plies of an opening, at least 1.
    pub plies: u32,
    /// Hundredths of a pawn that a position may be from even at most.
    pub bound: u32,
    /// Nodes that the engine spends on each position that is tried.
    pub nodes: u64,
    /// Nodes that it spends on each position that is kept at the end of a line.
    pub final_nodes: u64,
    /// Decides the moves that are tried.
    pub seed: u64,
}

impl Default for BookOptions {
    fn default() -> BookOptions {
        BookOptions {
            plies: 10,
            bound: 80,
            nodes: 1_000,
            final_nodes: 20_000,
            seed: 1,
        }
    }
}

/// Makes openings with one engine.
pub struct BookMaker {
    driver: EngineDriver,
    settings: EngineSettings,
    options: BookOptions,
}

impl BookMaker {
    /// Starts the engine; the limit in `settings` does not matter.
    ///
    /// # Errors
    ///
    /// If it does not start or lacks an option.
    pub fn start(
        settings: &EngineSettings,
        options: &BookOptions,
    ) -> Result<BookMaker, EngineError> {
        Ok(BookMaker {
            driver: start_engine(settings, GameRules::default())?,
            settings: settings.clone(),
            options: options.clone(),
        })
    }

    /// Opening number `number`; the same number gives the same opening as long as the engine gives
    /// the same scores.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    pub fn opening(&mut self, number: u64) -> Result<Opening, DriverError> {
        for attempt in 0.. {
            let seed = mix_seed(mix_seed(self.options.seed, number), attempt);
            if let Some(opening) = self.line(seed)? {
                return Ok(opening);
            }
        }
        unreachable!("attempts do not end")
    }

    /// Whether the position at the end of `opening` is even, by `final_nodes`.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    pub fn is_balanced(&mut self, opening: &Opening) -> Result<bool, DriverError> {
        match opening.game(GameRules::default()) {
            Some(game) => self.is_even(&game, self.options.final_nodes),
            None => Ok(false),
        }
    }

    fn line(&mut self, seed: u64) -> Result<Option<Opening>, DriverError> {
        let mut game = Game::new(Position::startpos(), GameRules::default());
        for ply in 0..self.options.plies {
            let nodes = if ply + 1 == self.options.plies {
                self.options.final_nodes
            } else {
                self.options.nodes
            };
            let mut untried = game.position().legal_moves().to_vec();
            loop {
                let draw = mix_seed(mix_seed(seed, u64::from(ply)), untried.len() as u64);
                let Some(mv) = pick(&untried, draw) else {
                    return Ok(None);
                };
                untried.retain(|&other| other != mv);
                game.play_unchecked(mv);
                if game.outcome().is_none() && self.is_even(&game, nodes)? {
                    break;
                }
                game.undo();
            }
        }
        Ok(Some(Opening::of(&game)))
    }

    fn is_even(&mut self, game: &Game, nodes: u64) -> Result<bool, DriverError> {
        let limits = GoLimits {
            nodes: Some(nodes),
            ..GoLimits::default()
        };
        let reply = self.driver.go(game, &limits, self.settings.stuck_after)?;
        Ok(match reply.score {
            Some(Score::Cp(cp)) => cp.unsigned_abs() <= self.options.bound,
            _ => false,
        })
    }
}
