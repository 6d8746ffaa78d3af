//! A finished game of a match.

use rules::{Color, EndReason, Move, Outcome, Position};

use crate::external::EngineFault;
use crate::player::Seat;
use crate::report::GameScore;

/// A game as it was played, with all that is needed to play it again.
#[derive(Debug, Clone)]
pub struct FinishedGame {
    /// Number in the match, from 0; games `2k` and `2k + 1` share an opening.
    pub game: u32,
    /// Seed of the choices of players that draw lots.
    pub seed: u64,
    /// Seed that the pair's opening was drawn by.
    pub pair_seed: u64,
    /// Who played Black.
    pub black: Seat,
    /// Position before the first move.
    pub start: Position,
    /// All moves, the opening's included.
    pub moves: Vec<Move>,
    /// How many of them are the opening.
    pub opening_plies: u32,
    /// How it ended.
    pub end: GameEnd,
}

impl FinishedGame {
    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Seat> {
        let winner = self.end.winner()?;
        Some(if winner == Color::Black {
            self.black
        } else {
            self.black.other()
        })
    }

    /// What the report keeps.
    pub(crate) fn score(&self) -> GameScore {
        let half_points = match self.winner() {
            Some(Seat::A) => 2,
            Some(Seat::B) => 0,
            None => 1,
        };
        GameScore {
            half_points,
            black: self.black,
            reason: self.end.reason(),
            plies: self.moves.len() as u32,
        }
    }
}

/// How a game of a match ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameEnd {
    /// By the rules.
    Rules(Outcome),
    /// By an engine's fault.
    EngineFault {
        /// The engine's side; it has lost.
        loser: Color,
        /// What kind of fault.
        fault: EngineFault,
        /// What happened, naming the engine.
        message: String,
    },
}

impl GameEnd {
    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        self.outcome().winner
    }

    /// The reason in one word: the name of a `rules::EndReason`, `engine-crash` or
    /// `engine-stall`.
    pub fn reason(&self) -> &'static str {
        match self {
            GameEnd::EngineFault {
                fault: EngineFault::Crash,
                ..
            } => "engine-crash",
            GameEnd::EngineFault {
                fault: EngineFault::Stall,
                ..
            } => "engine-stall",
            _ => self.outcome().reason.as_str(),
        }
    }

    /// The end in the words of the rules, for records: a crash counts as an illegal move, a stall
    /// as time that ran out.
    pub fn outcome(&self) -> Outcome {
        match self {
            GameEnd::Rules(outcome) => *outcome,
            GameEnd::EngineFault { loser, fault, .. } => {
                let reason = match fault {
                    EngineFault::Late | EngineFault::Stall => EndReason::TimeForfeit,
                    EngineFault::Crash | EngineFault::IllegalAnswer => EndReason::IllegalMove,
                };
                Outcome::win(loser.flipped(), reason)
            }
        }
    }
}
