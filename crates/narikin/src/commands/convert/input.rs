//! Where games come from.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use data::{ForeignFormat, Hcpe3Reader, PositionReader, RecordReader, list_shards};
use kifu::{Games, ReadError};

use super::format::{FileFormat, FormatName, by_name, unknown};
use super::game::Game;
use crate::exit::Refuse;

/// A file with games, or standard input.
#[derive(Debug)]
pub struct Input {
    /// As it was given; `-` is standard input.
    pub path: PathBuf,
    format: FileFormat,
    /// Its length in bytes; 0 where that is not known.
    pub len: u64,
}

/// Games one after another. After a refused one the next may come.
pub type GameSource = Box<dyn Iterator<Item = anyhow::Result<Game>>>;

impl Input {
    /// The files that `path` means: itself, or the record files of a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be looked at, or its format is not known.
    pub fn find(path: &Path, from: Option<FormatName>) -> anyhow::Result<Vec<Input>> {
        let named = from.map(FormatName::format);
        if path == Path::new("-") {
            let format = named.ok_or_else(|| unknown(path, "--from"))?;
            let path = path.to_owned();
            return Ok(vec![Input {
                path,
                format,
                len: 0,
            }]);
        }
        let metadata = fs::metadata(path);
        let metadata = metadata.with_context(|| format!("cannot read {}", path.display()));
        let metadata = metadata.refused()?;
        if metadata.is_dir() {
            return shards_of(path);
        }
        let format = named
            .or_else(|| by_name(path).map(|(format, _)| format))
            // Training data goes by many names, such as `.bin`.
            .or_else(|| ForeignFormat::detect(path).ok().map(FileFormat::Foreign));
        let format = format.ok_or_else(|| unknown(path, "--from"))?;
        let (path, len) = (path.to_owned(), metadata.len());
        Ok(vec![Input { path, format, len }])
    }

    /// Its games. `read` counts the bytes as they are read.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn games(&self, read: &Rc<Cell<u64>>) -> anyhow::Result<GameSource> {
        match self.format {
            FileFormat::Text(format) => {
                let source = BufReader::new(Counted {
                    source: self.open()?,
                    read: read.clone(),
                });
                Ok(Box::new(Games::new(source, format).map(|record| {
                    let record = record.map_err(classified)?;
                    Ok(Game::Text(Box::new(record)))
                })))
            }
            FileFormat::Records => {
                let games = RecordReader::open(&self.path).refused()?;
                Ok(Box::new(games.map(|record| {
                    Ok(Game::Record(Box::new(record.refused()?)))
                })))
            }
            FileFormat::Foreign(ForeignFormat::Hcpe3) => {
                let games = Hcpe3Reader::open(&self.path).refused()?;
                Ok(Box::new(
                    games.map(|game| Ok(Game::Hcpe3(Box::new(game.refused()?)))),
                ))
            }
            FileFormat::Foreign(ForeignFormat::Positions(format)) => {
                let positions = PositionReader::open(&self.path, format).refused()?;
                Ok(Box::new(positions.map(|position| {
                    Ok(Game::Position(Box::new(position.refused()?)))
                })))
            }
        }
    }

    fn open(&self) -> anyhow::Result<Box<dyn Read>> {
        if self.path == Path::new("-") {
            return Ok(Box::new(io::stdin()));
        }
        let file = File::open(&self.path)
            .context("cannot open the file")
            .refused()?;
        Ok(Box::new(file))
    }
}

/// The finished record files of a folder, and the open one, oldest first.
fn shards_of(folder: &Path) -> anyhow::Result<Vec<Input>> {
    let shards = list_shards(folder).refused()?;
    if shards.is_empty() {
        let found = anyhow::anyhow!("found no record file in the folder {}", folder.display());
        return Err(found).refused();
    }
    let inputs = shards.into_iter().map(|shard| Input {
        len: fs::metadata(&shard.path).map_or(0, |metadata| metadata.len()),
        path: shard.path,
        format: FileFormat::Records,
    });
    Ok(inputs.collect())
}

/// What is wrong with the text is the input's fault, what is wrong with the disk is not.
fn classified(error: ReadError) -> anyhow::Error {
    match error {
        ReadError::Io(_) => error.into(),
        ReadError::Refused(_) | ReadError::Unreadable { .. } => {
            let refused: anyhow::Result<()> = Err(error).refused();
            refused.expect_err("an error stays one")
        }
    }
}

/// Counts what is read.
struct Counted<R> {
    source: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.source.read(buffer)?;
        self.read.set(self.read.get() + n_read as u64);
        Ok(n_read)
    }
}
