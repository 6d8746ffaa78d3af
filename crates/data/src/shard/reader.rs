//! Reading one shard, game by game.

use std::path::Path;

use super::blocks::{Block, BlockReader};
use super::error::{Damage, RecordError};
use super::is_open;
use crate::codec::decode_game;
use crate::record::GameRecord;

/// The games of one shard, in the order in which they were finished.
///
/// Each game is checked in full: checksum, layout, and a replay by [`GameRecord::check`]. After
/// the first error the iterator ends. A sealed shard must end with its end mark and nothing after
/// it; an open one (by its name) may end after any whole game.
pub struct RecordReader {
    blocks: BlockReader,
    sealed: bool,
    done: bool,
}

impl RecordReader {
    /// Opens a shard.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is no record file, or has another format version.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Ok(Self {
            blocks: BlockReader::open(path)?,
            sealed: !is_open(path),
            done: false,
        })
    }

    fn read_game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        let offset = self.blocks.offset;
        let (packed, unpacked_len) = match self.blocks.next_block()? {
            Block::Game {
                packed,
                unpacked_len,
            } => (packed, unpacked_len),
            Block::End => {
                return match self.blocks.n_left() {
                    0 => Ok(None),
                    found => Err(self.blocks.damaged(Damage::Trailing { found })),
                };
            }
            Block::EndOfFile if self.sealed => {
                return Err(self.blocks.damaged(Damage::Unsealed));
            }
            Block::EndOfFile => return Ok(None),
        };
        let path = self.blocks.path();
        let game = unpack(&packed, unpacked_len).map_err(|damage| RecordError::Damaged {
            path: path.to_owned(),
            offset,
            damage,
        })?;
        game.check().map_err(|fault| RecordError::Impossible {
            path: path.to_owned(),
            offset,
            game: game.id,
            fault,
        })?;
        Ok(Some(game))
    }
}

fn unpack(packed: &[u8], expected: usize) -> Result<GameRecord, Damage> {
    let bytes = lz4_flex::block::decompress(packed, expected).map_err(Damage::Unpack)?;
    if bytes.len() != expected {
        return Err(Damage::UnpackedLength {
            found: bytes.len(),
            expected,
        });
    }
    decode_game(&bytes).map_err(Damage::Game)
}

impl Iterator for RecordReader {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = self.read_game().transpose();
        self.done = !matches!(game, Some(Ok(_)));
        game
    }
}
