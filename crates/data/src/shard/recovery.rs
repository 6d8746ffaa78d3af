//! What a killed writer leaves behind, and how the next one takes it over.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use super::blocks::{Block, BlockReader, HEADER_LEN, Tally};
use super::error::{Damage, RecordError};

/// What was done about a shard that an earlier writer left open.
#[derive(Debug)]
pub struct Recovery {
    /// The left-over file as it was found.
    pub path: PathBuf,
    /// Whole games in it, all kept.
    pub n_games: u32,
    /// What had to be cut off behind them.
    pub cut: Option<Cut>,
}

/// The unreadable end of a left-over shard.
#[derive(Debug)]
pub struct Cut {
    /// Where the file was cut.
    pub offset: u64,
    /// How many bytes were dropped.
    pub n_bytes: u64,
    /// What was wrong with them.
    pub damage: Damage,
}

/// A left-over shard with its torn end already cut off.
pub(super) struct Recovered {
    pub(super) report: Recovery,
    pub(super) tally: Tally,
    /// Its length: the header and all whole games.
    pub(super) len: u64,
}

/// Keeps the whole games of the open shard at `path` and cuts off the rest, an end mark included
/// (whoever seals the shard writes it anew). A file that is not even a header long becomes empty.
///
/// # Errors
///
/// If the file cannot be read or cut, is no record file, or has another format version: such a
/// file is left as it is.
pub(super) fn recover(path: &Path) -> Result<Recovered, RecordError> {
    let on_disk = fs::metadata(path)
        .map_err(RecordError::io("open record file", path))?
        .len();
    let (len, tally, damage) = if on_disk < HEADER_LEN {
        let (part, found, expected) = ("file header", on_disk, HEADER_LEN);
        (
            0,
            Tally::default(),
            Some(Damage::Truncated {
                part,
                found,
                expected,
            }),
        )
    } else {
        whole_games(path)?
    };
    let n_bytes = on_disk - len;
    if n_bytes > 0 {
        let cutting = RecordError::io("cut the torn end of record file", path);
        let file = OpenOptions::new()
            .write(true)
            .open(path)
            .map_err(&cutting)?;
        file.set_len(len)
            .and_then(|()| file.sync_all())
            .map_err(&cutting)?;
    }
    let cut = damage.map(|damage| Cut {
        offset: len,
        n_bytes,
        damage,
    });
    let report = Recovery {
        path: path.to_owned(),
        n_games: tally.n_games,
        cut,
    };
    Ok(Recovered { report, tally, len })
}

/// Where the whole games end, what they are, and what is wrong behind them.
fn whole_games(path: &Path) -> Result<(u64, Tally, Option<Damage>), RecordError> {
    let mut blocks = BlockReader::open(path)?;
    loop {
        let offset = blocks.offset;
        let damage = match blocks.next_block() {
            Ok(Block::Game { .. }) => continue,
            Ok(Block::EndOfFile) => None,
            Ok(Block::End) => match blocks.n_left() {
                0 => None,
                found => Some(Damage::Trailing { found }),
            },
            Err(RecordError::Damaged { damage, .. }) => Some(damage),
            Err(error) => return Err(error),
        };
        return Ok((offset, blocks.tally, damage));
    }
}
