//! Opening books: positions and the moves to play in them.
//!
//! [`Book::read`] takes YaneuraOu's text format and lists of games. It opens no file.

use std::collections::HashMap;
use std::io::{self, BufRead};

use rules::{Move, Position};

#[cfg(test)]
mod tests;

/// Moves that a book holds at most: a bound on memory, some 100 bytes each.
const MOST_MOVES: usize = 4_000_000;

/// A longer line is no line of a book.
const LONGEST_LINE: u64 = 1 << 20;

/// How much worse than a position's best move another may be to be played, in centipawns
/// (YaneuraOu's default).
const WORST_DIFFERENCE: i32 = 30;

/// What begins a book in YaneuraOu's format.
const YANEURAOU_HEAD: &str = "#YANEURAOU-DB2016";

/// Moves by position.
#[derive(Debug, Clone, Default)]
pub struct Book {
    moves: HashMap<u64, Vec<BookMove>>,
}

/// A move of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The expected reply.
    pub reply: Option<Move>,
    /// Centipawns, for the side that moves; `None` where the book does not say.
    pub score_cp: Option<i32>,
    /// Depth of the analysis that the score comes from, 0 if unknown.
    pub depth: u32,
    /// How often it was played, at least 1.
    pub count: u32,
}

/// Why a book was refused.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It cannot be read to its end.
    #[error("cannot read the book")]
    Read(#[source] io::Error),
    /// A line is not what it should be.
    #[error("line {line} of the book: expected {expected}, found {found:?}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there, cut to a readable length.
        found: String,
    },
    /// It is too large for the memory that a book may take.
    #[error("the book has more than {MOST_MOVES} moves")]
    TooLarge,
}

impl Book {
    /// Reads a book: YaneuraOu's text format (`#YANEURAOU-DB2016`, then `sfen` lines, each followed by
    /// the moves for it), or one game a line, as `startpos moves …`, `sfen … moves …` or with the word
    /// `position` before it, whose moves are counted. Empty lines and those that begin with `#` or
    /// `//` are skipped.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, a line is neither, or there are more than four million moves.
    pub fn read(mut input: impl BufRead) -> Result<Book, BookError> {
        let mut book = Book::default();
        let mut is_yaneuraou = false;
        let mut position = None;
        let mut n_moves = 0;
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            let n_read = io::Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut bytes);
            if n_read.map_err(BookError::Read)? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_start_matches('\u{feff}').trim();
            is_yaneuraou |= text.starts_with(YANEURAOU_HEAD);
            if text.is_empty() || text.starts_with('#') || text.starts_with("//") {
                continue;
            }
            let read = if !is_yaneuraou {
                book.add_game(text)
            } else if let Some(sfen) = text.strip_prefix("sfen ") {
                position = Position::from_sfen(sfen).ok();
                position.as_ref().map(|_| 0).ok_or("a position")
            } else {
                let position = position.as_ref().ok_or("a line that begins with sfen");
                position.and_then(|position| book.add_line(position, text))
            };
            n_moves += read.map_err(|expected| BookError::Line {
                line,
                expected,
                found: text.chars().take(80).collect(),
            })?;
            if MOST_MOVES < n_moves {
                return Err(BookError::TooLarge);
            }
        }
        Ok(book)
    }

    /// The moves for `position` that are worth playing: legal ones, and none that its score puts far
    /// behind the best.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let Some(found) = self.moves.get(&position.key()) else {
            return Vec::new();
        };
        let best = found.iter().filter_map(|entry| entry.score_cp).max();
        let is_close = |entry: &&BookMove| match (entry.score_cp, best) {
            (Some(score), Some(best)) => best.saturating_sub(score) <= WORST_DIFFERENCE,
            (None, Some(_)) => false,
            (_, None) => true,
        };
        found
            .iter()
            .filter(is_close)
            // Two positions may share a key.
            .filter(|entry| position.is_legal(entry.mv))
            .copied()
            .collect()
    }

    /// Positions that have moves.
    pub fn n_positions(&self) -> usize {
        self.moves.len()
    }

    /// `move reply score depth count`, of which only the first must be there; `none` is no reply.
    fn add_line(&mut self, position: &Position, text: &str) -> Result<usize, &'static str> {
        let mut words = text.split_whitespace();
        let mv: Move = words
            .next()
            .and_then(|word| word.parse().ok())
            .ok_or("a move")?;
        let reply = words.next().and_then(|word| word.parse().ok());
        let score_cp = words.next().and_then(|word| word.parse().ok());
        let depth = words.next().and_then(|word| word.parse().ok());
        let count = words.next().and_then(|word| word.parse().ok());
        self.add(
            position,
            BookMove {
                mv,
                reply,
                score_cp,
                depth: depth.unwrap_or(0),
                count: count.unwrap_or(1).max(1),
            },
        );
        Ok(1)
    }

    fn add_game(&mut self, text: &str) -> Result<usize, &'static str> {
        let text = text.strip_prefix("position ").unwrap_or(text);
        let given = crate::GivenGame::parse(text)
            .map_err(|_| "a game such as \"startpos moves 7g7f 3c3d\"")?;
        let mut position = given.start().clone();
        for (idx, &mv) in given.moves().iter().enumerate() {
            let reply = given.moves().get(idx + 1).copied();
            self.add(
                &position,
                BookMove {
                    mv,
                    reply,
                    score_cp: None,
                    depth: 0,
                    count: 1,
                },
            );
            position.do_move(mv);
        }
        Ok(given.moves().len())
    }

    /// Adds a move, or counts it if it is there.
    fn add(&mut self, position: &Position, entry: BookMove) {
        let entries = self.moves.entry(position.key()).or_default();
        match entries.iter_mut().find(|old| old.mv == entry.mv) {
            Some(old) => old.count = old.count.saturating_add(entry.count),
            None => entries.push(entry),
        }
    }
}
