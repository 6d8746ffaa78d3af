//! The `position` command: a start, and moves that were all legal.

use rules::{Game, GameRules, IllegalReason, Move, Position, SfenError};

#[cfg(test)]
mod tests;

/// A game as a GUI gives it. Whether it is over is not asked: an engine may be made to think in any
/// position.
#[derive(Debug, Clone)]
pub struct GivenGame {
    start: Position,
    moves: Vec<Move>,
}

/// Why a `position` command was refused.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    /// Neither `startpos` nor `sfen` nor something like an SFEN.
    #[error("expected startpos or sfen, found {found:?}")]
    Start {
        /// The first word.
        found: String,
    },
    /// The SFEN cannot be read.
    #[error("sfen: {0}")]
    Sfen(#[source] SfenError),
    /// A word in the list is no move at all.
    #[error("move {number} {text:?} is not a move")]
    Word {
        /// Counted from 1.
        number: usize,
        /// The word.
        text: String,
    },
    /// A move in the list is not legal where it stands.
    #[error("move {number} {text} is illegal in {sfen}: {reason}")]
    Illegal {
        /// Counted from 1.
        number: usize,
        /// The move.
        text: String,
        /// The position before it.
        sfen: String,
        /// The rule that it breaks.
        reason: IllegalReason,
    },
}

impl GivenGame {
    /// The start position, no moves.
    pub fn startpos() -> GivenGame {
        GivenGame {
            start: Position::startpos(),
            moves: Vec::new(),
        }
    }

    /// Reads what stands behind `position`: `startpos [moves …]`, `sfen … [moves …]`, or an SFEN
    /// without the word.
    ///
    /// # Errors
    ///
    /// When the start or any move cannot be read or is illegal; nothing is half applied.
    pub fn parse(text: &str) -> Result<GivenGame, PositionError> {
        let mut words = text.split_whitespace();
        let before: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
        let start = match before.first() {
            Some(&"startpos") if before.len() == 1 => Position::startpos(),
            Some(&"sfen") => read_sfen(&before[1..])?,
            Some(word) if word.contains('/') => read_sfen(&before)?,
            _ => {
                return Err(PositionError::Start {
                    found: before.join(" "),
                });
            }
        };
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (idx, text) in words.enumerate() {
            let number = idx + 1;
            let Ok(mv) = text.parse::<Move>() else {
                return Err(PositionError::Word {
                    number,
                    text: text.to_owned(),
                });
            };
            if let Some(reason) = position.why_illegal(mv) {
                return Err(PositionError::Illegal {
                    number,
                    text: text.to_owned(),
                    sfen: position.to_string(),
                    reason,
                });
            }
            position.do_move(mv);
            moves.push(mv);
        }
        Ok(GivenGame { start, moves })
    }

    /// The position that it begins with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves, all legal.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The game with its history, under `rules`.
    pub fn game(&self, rules: GameRules) -> Game {
        let mut game = Game::new(self.start.clone(), rules);
        for &mv in &self.moves {
            game.play_unchecked(mv);
        }
        game
    }
}

/// The `position` line for a game, as an engine expects it: always the whole game.
pub fn position_line(game: &Game) -> String {
    let mut line = if *game.start() == Position::startpos() {
        String::from("position startpos")
    } else {
        format!("position sfen {}", game.start())
    };
    if !game.moves().is_empty() {
        line.push_str(" moves");
    }
    for mv in game.moves() {
        line.push(' ');
        line.push_str(&mv.to_string());
    }
    line
}

fn read_sfen(words: &[&str]) -> Result<Position, PositionError> {
    Position::from_sfen(&words.join(" ")).map_err(PositionError::Sfen)
}
