//! Appending finished games to a folder of shards.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::blocks::{HEADER_LEN, MAX_BLOCK_LEN, Tally, game_block, header};
use super::error::RecordError;
use super::recovery::{Recovered, Recovery, recover};
use super::{list_shards, open_path, sealed_path, sync_dir};
use crate::codec::encode_game;
use crate::record::GameRecord;

/// When a shard is full, and how often it is synced. Affects no training result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterOptions {
    /// Games per shard, at least 1.
    pub max_games: u32,
    /// Bytes after which a shard is full.
    pub max_bytes: u64,
    /// Time between two syncs: what a power cut may cost (a killed process costs nothing).
    pub sync_every: Duration,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self {
            max_games: 1000,
            max_bytes: 64 << 20,
            sync_every: Duration::from_secs(5),
        }
    }
}

/// Writes finished games to a folder, one block each, handed to the operating system at once.
///
/// The shard being written is `NNNNNN.nkg.open`; when full it gets its end mark, is synced and
/// renamed to `NNNNNN.nkg`. Dropping the writer leaves the open shard as a killed process would;
/// the next writer continues it.
pub struct RecordWriter {
    dir: PathBuf,
    options: WriterOptions,
    open: Option<OpenShard>,
    next_number: u32,
}

struct OpenShard {
    file: File,
    path: PathBuf,
    number: u32,
    len: u64,
    tally: Tally,
    synced_at: Instant,
}

impl RecordWriter {
    /// Starts writing to `dir`, which is created if absent.
    ///
    /// Shards that an earlier writer left open are taken over first: their whole games are kept, a
    /// torn end is cut off and reported. The newest is continued, any other is sealed; one
    /// without games is removed.
    ///
    /// # Errors
    ///
    /// If the folder cannot be created, read or written, or a left-over is no record file of this
    /// version.
    pub fn open(dir: &Path, options: WriterOptions) -> Result<(Self, Vec<Recovery>), RecordError> {
        fs::create_dir_all(dir).map_err(RecordError::io("create the folder", dir))?;
        let mut writer = Self {
            dir: dir.to_owned(),
            options,
            open: None,
            next_number: 1,
        };
        let shards = list_shards(dir)?;
        let newest = shards.last().map_or(0, |shard| shard.number);
        writer.next_number = newest + 1;
        let mut reports = Vec::new();
        for shard in shards.iter().filter(|shard| !shard.sealed) {
            let recovered = recover(&shard.path)?;
            if let Some(open) = writer.take_over(&shard.path, shard.number, &recovered)? {
                if shard.number == newest && !writer.is_full(&open) {
                    writer.open = Some(open);
                } else {
                    writer.seal(open)?;
                }
            }
            reports.push(recovered.report);
        }
        Ok((writer, reports))
    }

    /// Appends a finished game: one block, written with one call.
    ///
    /// # Errors
    ///
    /// If [`GameRecord::check`] refuses the game, or the disk does. A game that was not written
    /// completely is cut off again: the games before it stay readable, and a later call may succeed.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), RecordError> {
        let (dir, game) = (&self.dir, record.id);
        record.check().map_err(|fault| RecordError::Refused {
            dir: dir.clone(),
            game,
            fault,
        })?;
        let bytes = encode_game(record);
        let (block, checksum) = game_block(&bytes);
        let found = bytes.len().max(block.len());
        if found > MAX_BLOCK_LEN as usize {
            return Err(RecordError::TooLarge {
                dir: dir.clone(),
                game,
                found,
            });
        }
        let mut shard = match self.open.take() {
            Some(shard) => shard,
            None => self.create()?,
        };
        // A shard that cannot be repaired is left to the next start; the next game gets a new one.
        if let Err(source) = shard.file.write_all(&block) {
            let error = RecordError::io("write record file", &shard.path)(source);
            if cut_back(&mut shard).is_ok() {
                self.open = Some(shard);
            }
            return Err(error);
        }
        shard.len += block.len() as u64;
        shard.tally.add(checksum);
        if self.is_full(&shard) {
            return self.seal(shard);
        }
        let shard = self.open.insert(shard);
        if shard.synced_at.elapsed() >= self.options.sync_every {
            shard.sync()
        } else {
            Ok(())
        }
    }

    /// Makes all games so far survive a power cut.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.open.as_mut().map_or(Ok(()), OpenShard::sync)
    }

    /// Seals the open shard, if there is one; the next game begins a new one.
    ///
    /// # Errors
    ///
    /// If the disk refuses, or the sealed shard's name is taken.
    pub fn rotate(&mut self) -> Result<(), RecordError> {
        match self.open.take() {
            Some(shard) => self.seal(shard),
            None => Ok(()),
        }
    }

    /// Seals the open shard, if there is one, and ends.
    ///
    /// # Errors
    ///
    /// As [`RecordWriter::rotate`].
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.rotate()
    }

    fn is_full(&self, shard: &OpenShard) -> bool {
        shard.tally.n_games >= self.options.max_games || shard.len >= self.options.max_bytes
    }

    fn create(&mut self) -> Result<OpenShard, RecordError> {
        let number = self.next_number;
        let path = open_path(&self.dir, number);
        // The name may be used up even if this fails.
        self.next_number += 1;
        let file = create_file(&path).map_err(RecordError::io("create record file", &path))?;
        sync_dir(&self.dir)?;
        let (len, tally, synced_at) = (HEADER_LEN, Tally::default(), Instant::now());
        Ok(OpenShard {
            file,
            path,
            number,
            len,
            tally,
            synced_at,
        })
    }

    /// Opens a recovered shard for appending, or removes it if it holds no game.
    fn take_over(
        &self,
        path: &Path,
        number: u32,
        recovered: &Recovered,
    ) -> Result<Option<OpenShard>, RecordError> {
        let (len, tally) = (recovered.len, recovered.tally.clone());
        if tally.n_games == 0 {
            fs::remove_file(path).map_err(RecordError::io("remove empty record file", path))?;
            sync_dir(&self.dir)?;
            return Ok(None);
        }
        let opening = RecordError::io("continue record file", path);
        let mut file = OpenOptions::new()
            .write(true)
            .open(path)
            .map_err(&opening)?;
        file.seek(SeekFrom::Start(len)).map_err(&opening)?;
        let (path, synced_at) = (path.to_owned(), Instant::now());
        Ok(Some(OpenShard {
            file,
            path,
            number,
            len,
            tally,
            synced_at,
        }))
    }

    /// Ends, syncs and renames a shard. If that fails, the next start recovers it.
    fn seal(&mut self, mut shard: OpenShard) -> Result<(), RecordError> {
        let sealed = sealed_path(&self.dir, shard.number);
        if sealed.exists() {
            return Err(RecordError::Exists { path: sealed });
        }
        let writing = RecordError::io("write record file", &shard.path);
        shard
            .file
            .write_all(&shard.tally.end_mark())
            .map_err(writing)?;
        shard.sync()?;
        fs::rename(&shard.path, &sealed)
            .map_err(RecordError::io("seal record file", &shard.path))?;
        sync_dir(&self.dir)
    }
}

impl OpenShard {
    fn sync(&mut self) -> Result<(), RecordError> {
        self.file
            .sync_data()
            .map_err(RecordError::io("sync record file", &self.path))?;
        self.synced_at = Instant::now();
        Ok(())
    }
}

/// A new file with a header, synced at once: a file of zeros would stop the next start.
fn create_file(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(&header())?;
    file.sync_all()?;
    Ok(file)
}

/// Drops whatever a failed write left behind the last whole game.
fn cut_back(shard: &mut OpenShard) -> io::Result<()> {
    shard.file.set_len(shard.len)?;
    shard.file.seek(SeekFrom::Start(shard.len)).map(|_| ())
}

#[cfg(test)]
mod tests;
