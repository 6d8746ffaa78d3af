//! A finished game of a match.

use std::time::Duration;

use rules::{Color, EndReason, Move, Outcome, Position};
use usi::Score;

use crate::external::EngineFault;
use crate::player::Seat;
use crate::report::GameScore;

/// A game as it was played, with all that is needed to play it again.
#[derive(Debug, Clone)]
pub struct FinishedGame {
    /// Number in the match, from 0; games `2k` and `2k + 1` share an opening.
    pub game: u32,
    /// 0, or how often a repetition had been replayed before this game.
    pub replay: u32,
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
    /// What is known of each move behind the opening.
    pub notes: Vec<MoveNote>,
    /// How it ended.
    pub end: GameEnd,
}

/// What is known of a move besides the move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveNote {
    /// The mover's own score of the position before its move, from its view.
    pub score: Option<Score>,
    /// Time that it took. Measured where a clock or another program is involved, else 0.
    pub time: Duration,
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
    pub fn score(&self) -> GameScore {
        let half_points = match self.winner() {
            Some(Seat::A) => 2,
            Some(Seat::B) => 0,
            None => 1,
        };
        GameScore {
            half_points,
            black: self.black,
            reason: self.end.reason().to_owned(),
            plies: self.moves.len() as u32,
        }
    }
}

/// How a game of a match ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameEnd {
    /// By the rules.
    Rules(Outcome),
    /// By what the players thought of it; see [`crate::Adjudication`].
    Adjudicated {
        /// Who won; `None` for a draw.
        winner: Option<Color>,
    },
    /// A player without an engine used up its time.
    TimeUp {
        /// The player's side; it has lost.
        loser: Color,
    },
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

    /// The reason in one word: the name of a `rules::EndReason`, `adjudicated`, or an engine's fault
    /// (`engine-crash`, `engine-stall`, `engine-extra-answer`, `engine-rubbish`,
    /// `engine-not-ready`).
    pub fn reason(&self) -> &'static str {
        match self {
            GameEnd::Adjudicated { .. } => "adjudicated",
            GameEnd::EngineFault { fault, .. } => match fault {
                EngineFault::Crash => "engine-crash",
                EngineFault::Stall => "engine-stall",
                EngineFault::ExtraAnswer => "engine-extra-answer",
                EngineFault::Rubbish => "engine-rubbish",
                EngineFault::NotReady => "engine-not-ready",
                EngineFault::Late | EngineFault::IllegalAnswer => self.outcome().reason.as_str(),
            },
            GameEnd::Rules(_) | GameEnd::TimeUp { .. } => self.outcome().reason.as_str(),
        }
    }

    /// What there is to say about an engine's fault.
    pub fn message(&self) -> Option<&str> {
        match self {
            GameEnd::EngineFault { message, .. } => Some(message),
            _ => None,
        }
    }

    /// The end in the words of the rules, for records: an engine that does not answer has used up
    /// its time, one that does not get ready has not played, any other fault counts as an illegal
    /// move; adjudicated losses as resignations, adjudicated draws as agreed on.
    pub fn outcome(&self) -> Outcome {
        let lost = |loser: Color, reason| Outcome::win(loser.flipped(), reason);
        match self {
            GameEnd::Rules(outcome) => *outcome,
            GameEnd::Adjudicated {
                winner: Some(winner),
            } => Outcome::win(*winner, EndReason::Resignation),
            GameEnd::Adjudicated { winner: None } => Outcome::draw(EndReason::Agreement),
            GameEnd::TimeUp { loser } => lost(*loser, EndReason::TimeForfeit),
            GameEnd::EngineFault { loser, fault, .. } => match fault {
                EngineFault::Late | EngineFault::Stall => lost(*loser, EndReason::TimeForfeit),
                EngineFault::NotReady => lost(*loser, EndReason::Forfeit),
                EngineFault::Crash
                | EngineFault::IllegalAnswer
                | EngineFault::ExtraAnswer
                | EngineFault::Rubbish => lost(*loser, EndReason::IllegalMove),
            },
        }
    }
}
