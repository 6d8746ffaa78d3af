//! Writing games one after another.

use std::io::Write;

use crate::csa::{CsaVersion, write_csa};
use crate::error::WriteError;
use crate::format::Format;
use crate::kif::{write_ki2, write_kif};
use crate::pgn::write_pgn;
use crate::record::Record;
use crate::text::{BOM, Encoding, encode};
use crate::usi::write_usi;

/// Writes games to a sink of bytes, with what the format wants before and between them.
///
/// Lines end with a line feed; in Shift_JIS with a carriage return too, as Windows has it.
pub struct GameWriter<W> {
    sink: W,
    format: Format,
    encoding: Encoding,
    n_games: u64,
}

impl<W: Write> GameWriter<W> {
    /// A writer that has written nothing.
    pub fn new(sink: W, format: Format, encoding: Encoding) -> GameWriter<W> {
        GameWriter {
            sink,
            format,
            encoding,
            n_games: 0,
        }
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// If the record is none, or the second one in a format of single games: nothing is written
    /// then. If the sink fails.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        record.check()?;
        if self.n_games > 0 && !self.format.holds_many() {
            return Err(WriteError::SecondGame {
                format: self.format.name(),
            });
        }
        let text = format!("{}{}", self.before(), self.game(record));
        let text = match self.encoding {
            Encoding::ShiftJis => text.replace('\n', "\r\n"),
            Encoding::Utf8 | Encoding::Utf8Bom => text,
        };
        if self.n_games == 0 && self.encoding == Encoding::Utf8Bom {
            self.sink.write_all(BOM)?;
        }
        self.sink.write_all(&encode(&text, self.encoding))?;
        self.n_games += 1;
        Ok(())
    }

    /// How many games were written.
    pub fn games_written(&self) -> u64 {
        self.n_games
    }

    /// Gives the sink back.
    pub fn into_inner(self) -> W {
        self.sink
    }

    fn game(&self, record: &Record) -> String {
        match self.format {
            Format::Csa(version) => write_csa(record, version),
            Format::Kif => write_kif(record, self.encoding),
            Format::Ki2 => write_ki2(record),
            Format::Usi => write_usi(record),
            Format::Pgn => write_pgn(record),
        }
    }

    /// What stands before the next game.
    fn before(&self) -> &'static str {
        match (self.format, self.n_games, self.encoding) {
            (Format::Csa(CsaVersion::V22), 0, _) => "V2.2\n",
            (Format::Csa(CsaVersion::V30), 0, Encoding::ShiftJis) => {
                "'CSA encoding=SHIFT_JIS\nV3.0\n"
            }
            (Format::Csa(CsaVersion::V30), 0, _) => "'CSA encoding=UTF-8\nV3.0\n",
            (_, 0, _) => "",
            (Format::Csa(_), ..) => "/\n",
            (Format::Pgn, ..) => "\n",
            (Format::Kif | Format::Ki2 | Format::Usi, ..) => "",
        }
    }
}

/// The bytes of a file with one game.
///
/// # Errors
///
/// If the record is none.
pub fn write(record: &Record, format: Format, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
    let mut writer = GameWriter::new(Vec::new(), format, encoding);
    writer.write(record)?;
    Ok(writer.into_inner())
}

#[cfg(test)]
mod tests;
