//! What can be wrong with a record file.

use std::io;
use std::path::{Path, PathBuf};

use lz4_flex::block::DecompressError;
use thiserror::Error;

use super::blocks::{MAGIC, MAX_BLOCK_LEN, RECORD_VERSION};
use crate::codec::CodecFault;
use crate::record::RecordFault;

/// Why a record file could not be read or written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The operating system refused.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The bytes of the file are not what they should be.
    #[error("damaged record file {} at byte {offset}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged part begins.
        offset: u64,
        /// What is wrong there.
        #[source]
        damage: Damage,
    },
    /// The file holds a game that cannot have been played.
    #[error("impossible game {game} in record file {} at byte {offset}", path.display())]
    Impossible {
        /// The file.
        path: PathBuf,
        /// Where the game's block begins.
        offset: u64,
        /// The game's id.
        game: u64,
        /// What is wrong with it.
        #[source]
        fault: RecordFault,
    },
    /// A game was refused before anything was written.
    #[error("will not write game {game} to {}", dir.display())]
    Refused {
        /// The folder it was meant for.
        dir: PathBuf,
        /// The game's id.
        game: u64,
        /// What is wrong with it.
        #[source]
        fault: RecordFault,
    },
    /// A game is too large for a block.
    #[error("will not write game {game} to {}: {found} bytes, at most {MAX_BLOCK_LEN}", dir.display())]
    TooLarge {
        /// The folder it was meant for.
        dir: PathBuf,
        /// The game's id.
        game: u64,
        /// Its size in bytes, unpacked.
        found: usize,
    },
    /// An open shard cannot be sealed because a file with that name exists.
    #[error("cannot seal {}: a file of that name exists", path.display())]
    Exists {
        /// The sealed shard's name.
        path: PathBuf,
    },
}

impl RecordError {
    /// For `map_err`: the system's refusal of `action` on `path`.
    pub(crate) fn io<'a>(action: &'static str, path: &'a Path) -> impl Fn(io::Error) -> Self + 'a {
        move |source| Self::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

/// What is wrong with the bytes of a record file.
#[derive(Debug, Error)]
pub enum Damage {
    /// The file does not begin like a record file.
    #[error("found {found:02x?} where a record file has {MAGIC:02x?}")]
    Magic {
        /// The first bytes.
        found: [u8; 8],
    },
    /// The file has a format that this build does not read.
    #[error("found format version {found}, this build reads {RECORD_VERSION}")]
    Version {
        /// The file's version.
        found: u32,
    },
    /// The file ends within something.
    #[error("the {part} ends after {found} bytes, expected {expected}")]
    Truncated {
        /// What is cut off.
        part: &'static str,
        /// Bytes that are left of it.
        found: u64,
        /// Bytes it should have.
        expected: u64,
    },
    /// Neither a game nor the end of the file begins here.
    #[error("found {found:02x?}, expected a game or the end of the shard")]
    Marker {
        /// The four bytes.
        found: [u8; 4],
    },
    /// A game's length is impossible.
    #[error("found a block of {found} bytes, expected at most {MAX_BLOCK_LEN}")]
    BlockLength {
        /// The length.
        found: u32,
    },
    /// A checksum does not fit.
    #[error("the {part} has the checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// What was summed.
        part: &'static str,
        /// The checksum of the bytes that are there.
        found: u32,
        /// The checksum written beside them.
        expected: u32,
    },
    /// The block cannot be decompressed.
    #[error("cannot decompress the game")]
    Unpack(#[source] DecompressError),
    /// The block decompresses to another length than it says.
    #[error("the game unpacks to {found} bytes, expected {expected}")]
    UnpackedLength {
        /// Bytes that came out.
        found: usize,
        /// Bytes that were announced.
        expected: usize,
    },
    /// The unpacked bytes are no game.
    #[error("cannot decode the game")]
    Game(#[source] CodecFault),
    /// A sealed shard ends without saying so: something is missing.
    #[error("found the end of the file, expected the end mark of a sealed shard")]
    Unsealed,
    /// The end mark counts other games than there are.
    #[error("found {found} games before the end mark, expected {expected}")]
    Games {
        /// Games before the end mark.
        found: u32,
        /// Games that it counts.
        expected: u32,
    },
    /// Something follows the end mark.
    #[error("found {found} bytes after the end mark, expected none")]
    Trailing {
        /// Bytes that follow.
        found: u64,
    },
}
