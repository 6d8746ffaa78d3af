//! A finished game as one line of JSON: what a match or a rating pool keeps of it.

use std::time::Duration;

use rules::{Color, Move, Position};
use serde::{Deserialize, Serialize};
use usi::Score;

use crate::finished::{FinishedGame, MoveNote};
use crate::player::Seat;
use crate::report::GameScore;

/// A finished game in words and numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredGame {
    /// Number in the match, from 0; games `2k` and `2k + 1` share an opening.
    pub game: u32,
    /// 0, or how often a repetition had been replayed before this game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replay: u32,
    /// Whether this game ended in a repetition and was replayed, so that it is not the result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    /// Seed of the choices of players that draw lots.
    pub seed: u64,
    /// Seed that the pair's opening was drawn by.
    pub pair_seed: u64,
    /// Who played Black.
    pub black: Seat,
    /// `black`, `white` or `draw`.
    pub winner: Winner,
    /// Why the game ended.
    pub reason: String,
    /// When it ended, in seconds since 1970, if whoever keeps it has a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_s: Option<f64>,
    /// What there is to say about an engine's fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Position before the first move, as SFEN.
    pub start: String,
    /// All moves in USI notation, blanks between them.
    pub moves: String,
    /// How many of them are the opening.
    pub opening_plies: u32,
    /// For each move behind the opening, the mover's score as USI writes it (`cp 12`, `mate 3`),
    /// or an empty text.
    pub scores: Vec<String>,
    /// For each move behind the opening, its time in milliseconds.
    pub times_ms: Vec<u64>,
}

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Winner {
    /// Black has won.
    Black,
    /// White has won.
    White,
    /// Nobody has won.
    Draw,
}

/// A stored game whose text is not a game.
#[derive(Debug, thiserror::Error)]
pub enum StoredGameError {
    /// The start is no position.
    #[error("game {game}: the start {text:?} is no position")]
    Start {
        /// Number of the game.
        game: u32,
        /// The text.
        text: String,
        /// What is wrong with it.
        #[source]
        source: rules::SfenError,
    },
    /// A move is not legal where it stands.
    #[error("game {game}: move {number} {text:?} is not legal")]
    Move {
        /// Number of the game.
        game: u32,
        /// Counted from 1.
        number: usize,
        /// The text.
        text: String,
    },
}

impl StoredGame {
    /// Of a game that is the result (`replayed` false), or was replayed.
    pub fn new(game: &FinishedGame, replayed: bool) -> StoredGame {
        let moves: Vec<String> = game.moves.iter().map(Move::to_string).collect();
        StoredGame {
            game: game.game,
            replay: game.replay,
            replayed,
            seed: game.seed,
            pair_seed: game.pair_seed,
            black: game.black,
            winner: match game.end.winner() {
                Some(Color::Black) => Winner::Black,
                Some(Color::White) => Winner::White,
                None => Winner::Draw,
            },
            reason: game.end.reason().to_owned(),
            ended_s: None,
            message: game.end.message().map(str::to_owned),
            start: game.start.to_string(),
            moves: moves.join(" "),
            opening_plies: game.opening_plies,
            scores: game
                .notes
                .iter()
                .map(|note| note.score.map_or(String::new(), |score| score.to_string()))
                .collect(),
            times_ms: game
                .notes
                .iter()
                .map(|note| note.time.as_millis() as u64)
                .collect(),
        }
    }

    /// What the report keeps of it.
    pub fn score(&self) -> GameScore {
        GameScore {
            half_points: match self.winner() {
                Some(Seat::A) => 2,
                Some(Seat::B) => 0,
                None => 1,
            },
            black: self.black,
            reason: self.reason.clone(),
            plies: self.moves.split_whitespace().count() as u32,
        }
    }

    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Seat> {
        match self.winner {
            Winner::Black => Some(self.black),
            Winner::White => Some(self.black.other()),
            Winner::Draw => None,
        }
    }

    /// The start position and the moves from there.
    ///
    /// # Errors
    ///
    /// [`StoredGameError`] for a text that is no game.
    pub fn moves(&self) -> Result<(Position, Vec<Move>), StoredGameError> {
        let start = Position::from_sfen(&self.start).map_err(|source| StoredGameError::Start {
            game: self.game,
            text: self.start.clone(),
            source,
        })?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (index, text) in self.moves.split_whitespace().enumerate() {
            let mv = text
                .parse()
                .ok()
                .filter(|&mv| position.is_legal(mv))
                .ok_or_else(|| StoredGameError::Move {
                    game: self.game,
                    number: index + 1,
                    text: text.to_owned(),
                })?;
            position.do_move(mv);
            moves.push(mv);
        }
        Ok((start, moves))
    }

    /// What is known of the moves behind the opening; scores that cannot be read are left out.
    pub fn notes(&self) -> Vec<MoveNote> {
        let scores = self.scores.iter().map(|text| text.parse::<Score>().ok());
        scores
            .zip(&self.times_ms)
            .map(|(score, &ms)| MoveNote {
                score,
                time: Duration::from_millis(ms),
            })
            .collect()
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests;
