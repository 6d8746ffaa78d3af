//! What can be wrong with training data of other programs.

use std::io;
use std::path::{Path, PathBuf};

use rules::{Move, PieceKind};
use thiserror::Error;

use super::{ForeignFormat, PackFault, UnpackFault};
use crate::record::RecordFault;
use crate::whole_file::WriteError;

/// Why a file of training data was not read or not written.
#[derive(Debug, Error)]
pub enum ForeignError {
    /// The operating system refused.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Nothing is in the file.
    #[error("{} is empty, expected training data (hcpe, hcpe3 or psv)", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file does not begin like any of the formats.
    #[error("{} is no training data: it begins like none of hcpe, hcpe3 and psv", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Why it is no hcpe: the most common one.
        #[source]
        as_hcpe: ForeignFault,
    },
    /// The bytes of the file are not what they should be.
    #[error("damaged {} file {} at byte {offset}, record {record}", format.name(), path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The format that it was read as.
        format: ForeignFormat,
        /// Number of the position or game in the file, from 0.
        record: u64,
        /// Where the wrong bytes begin.
        offset: u64,
        /// What is wrong there.
        #[source]
        fault: ForeignFault,
    },
    /// Something that the format cannot hold; nothing of it was written.
    #[error("will not write record {record} to {} file {}", format.name(), path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: ForeignFormat,
        /// Number that the position or game would have had in the file, from 0.
        record: u64,
        /// Why not.
        #[source]
        fault: WriteFault,
    },
}

impl ForeignError {
    /// For `map_err`: the system's refusal of `action` on `path`.
    pub(super) fn io<'a>(action: &'static str, path: &'a Path) -> impl Fn(io::Error) -> Self + 'a {
        move |source| Self::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

/// What is wrong with the bytes of a file.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ForeignFault {
    /// The file ends within something.
    #[error("the {part} ends after {found} bytes, expected {expected}")]
    Truncated {
        /// What is cut off.
        part: &'static str,
        /// Bytes that are left of it.
        found: usize,
        /// Bytes it should have.
        expected: usize,
    },
    /// No position.
    #[error("cannot read the position")]
    Position(#[source] UnpackFault),
    /// A number that is no move.
    #[error("found {found:#06x} as {field}, expected a move")]
    MoveCode {
        /// Name of the field.
        field: &'static str,
        /// The number.
        found: u16,
    },
    /// A move that is illegal.
    #[error("found the {field} {mv}, which is illegal in {sfen}")]
    IllegalMove {
        /// Name of the field.
        field: &'static str,
        /// The move.
        mv: Move,
        /// The position.
        sfen: String,
    },
    /// The move would be legal if its two bytes were exchanged.
    #[error(
        "found {found:#06x} as {field}, expected the lower byte first: the other way round it is \
         the legal move {mv}"
    )]
    ByteOrder {
        /// Name of the field.
        field: &'static str,
        /// The number as it is.
        found: u16,
        /// The move that the exchanged bytes are.
        mv: Move,
    },
    /// A result without a meaning.
    #[error("found {found} as result, expected {expected}")]
    Result {
        /// The number.
        found: i16,
        /// What it may be.
        expected: &'static str,
    },
    /// A number of the kind of opponent without a meaning.
    #[error("found {found} as kind of opponent, expected 0 to 2")]
    Opponent {
        /// The number.
        found: u8,
    },
    /// More candidate moves than there are legal moves.
    #[error("found {found} candidate moves, expected at most {limit}, the legal moves of {sfen}")]
    Candidates {
        /// Their number.
        found: u16,
        /// The number of legal moves.
        limit: usize,
        /// The position.
        sfen: String,
    },
    /// A candidate that was named before.
    #[error("found the candidate {mv} a second time")]
    RepeatedCandidate {
        /// The move.
        mv: Move,
    },
    /// Several candidates that were never visited.
    #[error("found no visit in {found} candidate moves")]
    NoVisits {
        /// Number of candidates.
        found: u16,
    },
}

/// Why a position or game cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum WriteFault {
    /// Its position does not fit into 32 bytes.
    #[error(transparent)]
    Position(#[from] PackFault),
    /// dlshogi does not read positions with less than a full set.
    #[error(
        "a {kind:?} is missing in {sfen}: dlshogi reads positions with a full set of pieces only"
    )]
    Handicap {
        /// A kind of which there are too few.
        kind: PieceKind,
        /// The position.
        sfen: String,
    },
    /// More plies than dlshogi reads.
    #[error("the game has {found} plies, dlshogi reads at most {limit}")]
    TooLong {
        /// Plies of the game.
        found: usize,
        /// Plies that are read.
        limit: usize,
    },
    /// The game is none.
    #[error(transparent)]
    Game(#[from] RecordFault),
}
