//! Where games go.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use anyhow::Context;
use data::{
    ConversionOptions, ForeignError, ForeignFormat, Hcpe3Writer, PositionFormat, PositionWriter,
    RecordWriter, WriterOptions,
};
use kifu::{Encoding, Format, GameWriter, WriteError};
use model::{WholeFile, write_whole};

use super::format::FileFormat;
use super::game::Game;
use crate::exit::{Refuse, StdoutClosed, Usage};

/// Takes games one after another.
pub trait GameSink {
    /// Takes a game.
    ///
    /// # Errors
    ///
    /// If the format cannot express it (refused: the sink is as before), or the disk is at fault.
    fn write(&mut self, game: Game) -> anyhow::Result<()>;

    /// How many positions it took, if it takes positions of games and not games.
    fn positions(&self) -> Option<u64> {
        None
    }

    /// Puts what was taken in its place; without this call nothing is left of it.
    ///
    /// # Errors
    ///
    /// If the disk is at fault.
    fn finish(self: Box<Self>) -> anyhow::Result<()>;
}

/// A sink for `path`: a file, a folder, or `-` for standard output.
///
/// # Errors
///
/// If the format does not go there, or nothing can be written there.
pub fn sink(
    path: &Path,
    format: FileFormat,
    encoding: Encoding,
    conversion: &ConversionOptions,
) -> anyhow::Result<Box<dyn GameSink>> {
    let conversion = *conversion;
    let is_folder = path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
    match format {
        FileFormat::Text(format) if is_folder => {
            let folder = FolderSink::new(path, format, encoding, conversion)?;
            Ok(Box::new(folder))
        }
        FileFormat::Text(format) if path == Path::new("-") => {
            let writer = GameWriter::new(io::stdout().lock(), format, encoding);
            Ok(Box::new(TextSink {
                writer,
                conversion,
                finish: |mut stdout| stdout.flush().map_err(stdout_error),
            }))
        }
        FileFormat::Text(format) => {
            let writer = GameWriter::new(WholeFile::create(path)?, format, encoding);
            Ok(Box::new(TextSink {
                writer,
                conversion,
                finish: |file| Ok(file.finish()?),
            }))
        }
        _ if is_folder || path == Path::new("-") => {
            let name = format.extension(encoding);
            let message =
                format!("{name} is written to one file: give a name that ends in .{name}");
            Err(Usage(message).into())
        }
        FileFormat::Records => Ok(Box::new(RecordSink::new(path, conversion)?)),
        FileFormat::Foreign(ForeignFormat::Hcpe3) => Ok(Box::new(Hcpe3Sink {
            writer: Hcpe3Writer::create(path, conversion.handicaps)?,
            conversion,
        })),
        FileFormat::Foreign(ForeignFormat::Positions(format)) => {
            Ok(Box::new(PositionSink::new(path, format, conversion)?))
        }
    }
}

/// A closed pipe is no failure.
fn stdout_error(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => StdoutClosed.into(),
        _ => anyhow::Error::new(error).context("cannot write to standard output"),
    }
}

/// A record that the format cannot hold is the input's fault, a full disk is not.
fn classified(error: WriteError) -> anyhow::Error {
    match error {
        WriteError::Io(error) => stdout_error(error),
        WriteError::Record(_) | WriteError::SecondGame { .. } => {
            let refused: anyhow::Result<()> = Err(error).refused();
            refused.expect_err("an error stays one")
        }
    }
}

/// One file of text, or standard output.
struct TextSink<W> {
    writer: GameWriter<W>,
    conversion: ConversionOptions,
    finish: fn(W) -> anyhow::Result<()>,
}

impl<W: Write> GameSink for TextSink<W> {
    fn write(&mut self, game: Game) -> anyhow::Result<()> {
        let text = game.into_text(&self.conversion).refused()?;
        let written = self.writer.write(&text);
        written.map_err(|error| match error {
            WriteError::SecondGame { .. } => {
                classified(error).context("give a folder as OUT for a file per game")
            }
            error => classified(error),
        })
    }

    fn finish(self: Box<Self>) -> anyhow::Result<()> {
        (self.finish)(self.writer.into_inner())
    }
}

/// A file for each game.
struct FolderSink {
    folder: PathBuf,
    format: Format,
    encoding: Encoding,
    conversion: ConversionOptions,
    n_games: u64,
}

impl FolderSink {
    fn new(
        folder: &Path,
        format: Format,
        encoding: Encoding,
        conversion: ConversionOptions,
    ) -> anyhow::Result<FolderSink> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Ok(FolderSink {
            folder: folder.to_owned(),
            format,
            encoding,
            conversion,
            n_games: 0,
        })
    }
}

impl GameSink for FolderSink {
    fn write(&mut self, game: Game) -> anyhow::Result<()> {
        let text = game.into_text(&self.conversion).refused()?;
        let bytes = kifu::write(&text, self.format, self.encoding);
        let bytes = bytes.map_err(classified)?;
        let extension = FileFormat::Text(self.format).extension(self.encoding);
        let name = format!("{:06}.{extension}", self.n_games + 1);
        write_whole(&self.folder.join(name), &bytes)?;
        self.n_games += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> anyhow::Result<()> {
        Ok(())
    }
}

/// A file for dlshogi, games.
struct Hcpe3Sink {
    writer: Hcpe3Writer,
    conversion: ConversionOptions,
}

impl GameSink for Hcpe3Sink {
    fn write(&mut self, game: Game) -> anyhow::Result<()> {
        let game = game.into_hcpe3(&self.conversion).refused()?;
        self.writer.write(&game).map_err(foreign)
    }

    fn finish(self: Box<Self>) -> anyhow::Result<()> {
        self.writer.finish()?;
        Ok(())
    }
}

/// A file for dlshogi or YaneuraOu, positions.
struct PositionSink {
    writer: PositionWriter,
    conversion: ConversionOptions,
    n_positions: u64,
}

impl PositionSink {
    fn new(
        path: &Path,
        format: PositionFormat,
        conversion: ConversionOptions,
    ) -> anyhow::Result<PositionSink> {
        Ok(PositionSink {
            writer: PositionWriter::create(path, format, conversion.handicaps)?,
            conversion,
            n_positions: 0,
        })
    }
}

impl GameSink for PositionSink {
    fn write(&mut self, game: Game) -> anyhow::Result<()> {
        for position in game.into_positions(&self.conversion).refused()? {
            self.writer.write(&position).map_err(foreign)?;
            self.n_positions += 1;
        }
        Ok(())
    }

    fn positions(&self) -> Option<u64> {
        Some(self.n_positions)
    }

    fn finish(self: Box<Self>) -> anyhow::Result<()> {
        self.writer.finish()?;
        Ok(())
    }
}

/// What the format cannot hold is the input's fault, what is wrong with the disk is not.
fn foreign(error: ForeignError) -> anyhow::Error {
    match error {
        ForeignError::Refused { .. } => {
            let refused: anyhow::Result<()> = Err(error).refused();
            refused.expect_err("an error stays one")
        }
        error => error.into(),
    }
}

/// One file of records: written as the only one of a folder beside it, then put in its place.
struct RecordSink {
    path: PathBuf,
    folder: PathBuf,
    writer: Option<RecordWriter>,
    conversion: ConversionOptions,
    n_games: u64,
}

impl RecordSink {
    fn new(path: &Path, conversion: ConversionOptions) -> anyhow::Result<RecordSink> {
        let mut folder = path.as_os_str().to_owned();
        folder.push(format!(".tmp{}", process::id()));
        let folder = PathBuf::from(folder);
        fs::create_dir(&folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let options = WriterOptions {
            max_games: u32::MAX,
            max_bytes: u64::MAX,
            ..WriterOptions::default()
        };
        let (writer, _) = RecordWriter::open(&folder, options)?;
        Ok(RecordSink {
            path: path.to_owned(),
            folder,
            writer: Some(writer),
            conversion,
            n_games: 0,
        })
    }
}

impl GameSink for RecordSink {
    fn write(&mut self, game: Game) -> anyhow::Result<()> {
        let record = game.into_record(self.n_games + 1, &self.conversion);
        let record = record.refused()?;
        record
            .check()
            .context("the game cannot be kept as a record")
            .refused()?;
        let writer = self
            .writer
            .as_mut()
            .expect("the writer is there until the end");
        writer.append(&record)?;
        self.n_games += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        let writer = self
            .writer
            .take()
            .expect("the writer is there until the end");
        writer.finish()?;
        let written = self.folder.join("000001.nkg");
        fs::rename(&written, &self.path)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for RecordSink {
    fn drop(&mut self) {
        self.writer = None;
        // Whoever drops an unfinished file has an error to tell already.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
