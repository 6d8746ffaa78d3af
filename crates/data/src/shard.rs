//! Folders of record files. Read [`RecordWriter`] and [`RecordReader`] first.
//!
//! A folder holds shards `000001.nkg`, `000002.nkg`, ... and at most one open shard,
//! `NNNNNN.nkg.open`, that games are appended to. A sealed shard never changes. Locking the folder
//! against a second writer is the caller's business.

mod blocks;
mod error;
mod reader;
mod recovery;
mod writer;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use blocks::MAGIC;
pub use blocks::RECORD_VERSION;
pub use error::{Damage, RecordError};
pub use reader::RecordReader;
pub use recovery::{Cut, Recovery};
pub use writer::{RecordWriter, WriterOptions};

const SEALED_SUFFIX: &str = ".nkg";
const OPEN_SUFFIX: &str = ".nkg.open";

/// One record file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// Its number; a higher number holds newer games.
    pub number: u32,
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is finished; games may still be appended to an open one.
    pub sealed: bool,
}

/// The shards of a folder, oldest first. Files with other names are passed over.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list_shards(dir: &Path) -> Result<Vec<Shard>, RecordError> {
    let context = RecordError::io("list the folder", dir);
    let mut shards = Vec::new();
    for entry in fs::read_dir(dir).map_err(&context)? {
        let path = entry.map_err(&context)?.path();
        if let Some((number, sealed)) = path.file_name().and_then(parse_name) {
            shards.push(Shard {
                number,
                path,
                sealed,
            });
        }
    }
    shards.sort_by_key(|shard| (shard.number, !shard.sealed));
    Ok(shards)
}

/// Whether a file begins like a record file, whatever its name.
///
/// # Errors
///
/// If it cannot be read.
pub fn is_record_file(path: &Path) -> Result<bool, RecordError> {
    let mut head = Vec::new();
    let read =
        fs::File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut head));
    read.map_err(RecordError::io("read", path))?;
    Ok(head == MAGIC)
}

fn parse_name(name: &OsStr) -> Option<(u32, bool)> {
    let name = name.to_str()?;
    let (digits, sealed) = match name.strip_suffix(OPEN_SUFFIX) {
        Some(digits) => (digits, false),
        None => (name.strip_suffix(SEALED_SUFFIX)?, true),
    };
    let is_number = digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number {
        Some((digits.parse().ok()?, sealed))
    } else {
        None
    }
}

fn is_open(path: &Path) -> bool {
    path.file_name()
        .and_then(OsStr::to_str)
        .is_some_and(|name| name.ends_with(OPEN_SUFFIX))
}

fn open_path(dir: &Path, number: u32) -> PathBuf {
    dir.join(format!("{number:06}{OPEN_SUFFIX}"))
}

fn sealed_path(dir: &Path, number: u32) -> PathBuf {
    dir.join(format!("{number:06}{SEALED_SUFFIX}"))
}

/// Makes names that were created, renamed or removed in `dir` survive a power cut.
fn sync_dir(dir: &Path) -> Result<(), RecordError> {
    sync_dir_io(dir).map_err(RecordError::io("sync the folder", dir))
}

fn sync_dir_io(dir: &Path) -> io::Result<()> {
    // Only Unix can open and sync a folder; elsewhere renaming is as durable as it gets.
    if cfg!(unix) {
        fs::File::open(dir)?.sync_all()
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
