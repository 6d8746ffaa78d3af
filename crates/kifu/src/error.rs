//! Why a text is no game record, and where.

use std::io;

use rules::{DiagramError, NotationError, PositionError, SfenError};
use thiserror::Error;

/// Why a game could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The source of the bytes failed.
    #[error("cannot read")]
    Io(#[from] io::Error),
    /// The text is no record.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Games in this format are only written.
    #[error("{format} is written, but not read")]
    Unreadable {
        /// The name of the format.
        format: &'static str,
    },
}

/// What is wrong with a text, and where.
#[derive(Debug, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct Refusal {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a text.
#[derive(Debug, Error)]
pub enum Fault {
    /// Something else stands there.
    #[error("found {}, expected {expected}", quoted(found))]
    Unexpected {
        /// What stands there, shortened if it is long; empty at the end of the line.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// The text ends too early.
    #[error("found the end of the text, expected {expected}")]
    Ended {
        /// What is missing.
        expected: &'static str,
    },
    /// A text in UTF-16.
    #[error(transparent)]
    Utf16(#[from] crate::text::Utf16),
    /// The move cannot be made out.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// The SFEN of a start cannot be read.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// The diagram of a start cannot be read.
    #[error(transparent)]
    Diagram(#[from] DiagramError),
    /// The start could not arise.
    #[error("the start position cannot be played: {0}")]
    Start(#[from] PositionError),
    /// Two pieces on one square of the start.
    #[error("the start position has two pieces on {square}")]
    TwoPieces {
        /// The square.
        square: rules::Square,
    },
    /// An illegal move that the game goes on after.
    #[error("found a move after the move {mv}, which is illegal in {sfen}")]
    AfterIllegal {
        /// The illegal move.
        mv: rules::Move,
        /// The position before it.
        sfen: String,
    },
    /// A move or a second ending after the ending.
    #[error("found {}, but the game has ended before it", quoted(found))]
    AfterEnd {
        /// What stands there.
        found: String,
    },
    /// A ply with the wrong number.
    #[error("found ply {found}, expected ply {expected}")]
    PlyNumber {
        /// The number that stands there.
        found: usize,
        /// The number that is next.
        expected: usize,
    },
    /// A variation that leaves no line.
    #[error("found a variation at ply {ply}, expected one at ply {first} to {last}")]
    Unrooted {
        /// Where it would begin.
        ply: usize,
        /// Where the first could begin.
        first: usize,
        /// Where the last could begin.
        last: usize,
    },
    /// Something is larger than this crate reads.
    #[error("found more than {limit} {what}")]
    TooMuch {
        /// Of what there is too much.
        what: &'static str,
        /// How much is read.
        limit: usize,
    },
}

impl Fault {
    /// Something else than `expected` stands at the beginning of `found`.
    pub(crate) fn unexpected(found: &str, expected: &'static str) -> Fault {
        Fault::Unexpected {
            found: shortened(found),
            expected,
        }
    }
}

/// The beginning of a text, as much as a message can show.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    let text = text.trim_end();
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn quoted(found: &str) -> String {
    if found.is_empty() {
        "the end of the line".to_owned()
    } else {
        format!("{found:?}")
    }
}

/// Why a record cannot be written in a format.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The destination of the bytes failed.
    #[error("cannot write")]
    Io(#[from] io::Error),
    /// The record is none.
    #[error(transparent)]
    Record(#[from] crate::record::RecordFault),
    /// A second game for a format that other programs read one game from.
    #[error("{format} holds one game per file, found a second")]
    SecondGame {
        /// The name of the format.
        format: &'static str,
    },
}
