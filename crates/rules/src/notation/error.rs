//! Why a text is not a move.

use std::fmt;

use super::Notation;
use crate::builder::listed;
use crate::{Color, Piece, PieceKind, Square};

/// Longer texts are cut in messages: a whole file may have been taken for a move.
const LONGEST_QUOTE: usize = 24;

/// A text that is no move in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotationError {
    notation: Notation,
    text: String,
    problem: NotationProblem,
}

impl NotationError {
    pub(super) fn new(notation: Notation, text: &str, problem: NotationProblem) -> NotationError {
        NotationError {
            notation,
            text: shortened(text),
            problem,
        }
    }

    /// The notation in which the text was read.
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// The text, cut after a few characters if it was long.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong with it.
    pub fn problem(&self) -> &NotationProblem {
        &self.problem
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} move {:?}: {}",
            self.notation, self.text, self.problem
        )
    }
}

impl std::error::Error for NotationError {}

/// What is wrong with the text of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotationProblem {
    /// Not the notation's form.
    Syntax {
        /// The text from where it stops being understood; empty at the end of the text.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// The text names a player who is not to move.
    Side {
        /// The player named.
        found: Color,
    },
    /// `同` (the square of the last move) where there is no last move.
    NoPrevious,
    /// Origin and destination are the same square.
    StandsStill(Square),
    /// There is no piece on the origin.
    EmptyOrigin(Square),
    /// The opponent's piece stands on the origin.
    OpponentsPiece {
        /// The origin.
        square: Square,
        /// What stands there.
        found: Piece,
    },
    /// Another piece than the text says stands on the origin.
    OtherPiece {
        /// The origin.
        square: Square,
        /// What stands there.
        found: PieceKind,
        /// What the text says.
        expected: PieceKind,
    },
    /// The piece cannot promote at all.
    NoPromotion {
        /// The piece that is said to promote.
        kind: PieceKind,
    },
    /// A king or a promoted piece is said to be dropped.
    NotDroppable(PieceKind),
    /// A dropped piece is said to promote, or to come from a square.
    DropFromBoard,
    /// No piece of the kind can move to the square, or be dropped there as the text says it.
    NoMover {
        /// The kind that the text names.
        kind: PieceKind,
        /// The destination.
        to: Square,
    },
    /// Pieces of the kind can move to the square, but the marks fit none of them.
    NoneFits {
        /// The kind that the text names.
        kind: PieceKind,
        /// The destination.
        to: Square,
        /// Where pieces of the kind stand that can move there.
        candidates: Vec<Square>,
    },
    /// Several pieces fit the text.
    Ambiguous {
        /// The kind that the text names.
        kind: PieceKind,
        /// The destination.
        to: Square,
        /// Where the pieces stand that fit.
        candidates: Vec<Square>,
    },
}

use NotationProblem::*;

impl fmt::Display for NotationProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Syntax { found, expected } if found.is_empty() => {
                write!(f, "found nothing more, expected {expected}")
            }
            Syntax { found, expected } => {
                write!(f, "found {:?}, expected {expected}", shortened(found))
            }
            Side { found } => write!(f, "found a move of {found}, expected one of {}", found.flipped()),
            NoPrevious => {
                f.write_str("found 同, expected a square: there is no move before this one")
            }
            StandsStill(square) => {
                write!(f, "found {square} as origin and destination, expected two squares")
            }
            EmptyOrigin(square) => {
                write!(f, "found no piece on {square}, expected one of the side to move")
            }
            OpponentsPiece { square, found } => write!(
                f,
                "found {}'s {} on {square}, expected a piece of {}",
                found.color,
                found.kind.english(),
                found.color.flipped()
            ),
            OtherPiece {
                square,
                found,
                expected,
            } => write!(
                f,
                "found a {} on {square}, expected a {}",
                found.english(),
                expected.english()
            ),
            NoPromotion { kind } => write!(f, "a {} cannot promote", kind.english()),
            NotDroppable(kind) => write!(
                f,
                "found a {} to drop, expected an unpromoted piece other than a king",
                kind.english()
            ),
            DropFromBoard => f.write_str(
                "found a drop with an origin, a promotion or a mark of movement, expected a bare one",
            ),
            NoMover { kind, to } => write!(
                f,
                "found no {} that can move to {to} or be dropped there",
                kind.english()
            ),
            NoneFits {
                kind,
                to,
                candidates,
            } => write!(
                f,
                "the marks fit none of the {}s that can move to {to}, which stand on {}",
                kind.english(),
                listed(candidates)
            ),
            Ambiguous {
                kind,
                to,
                candidates,
            } => write!(
                f,
                "the {}s on {} can move to {to}, expected a text that fits one of them",
                kind.english(),
                listed(candidates)
            ),
        }
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_QUOTE {
        return text.to_owned();
    }
    text.chars().take(LONGEST_QUOTE).chain(['…']).collect()
}
