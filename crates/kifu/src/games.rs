//! Reading games one after another, without holding more than one.

use std::io::{BufRead, Read};
use std::vec;

use crate::csa::{CsaGame, is_separator};
use crate::error::{Fault, ReadError, Refusal};
use crate::format::Format;
use crate::kif::KifGames;
use crate::lines::{Place, lines};
use crate::record::Record;
use crate::text::decode;
use crate::usi;

/// How many bytes one game may have; a thousand times as many as a long one with comments has.
pub const MAX_GAME_BYTES: usize = 16 << 20;
/// How many bytes a KIF or KI2 file may have: such a file is read as a whole.
pub const MAX_KIF_BYTES: usize = 64 << 20;

/// The games of a source of bytes, one after another.
///
/// A game that is refused is passed over, and the next call reads the one behind it; only after an
/// error of the source, or a text that is too large, there are no more. For CSA and USI lists the
/// memory needed is that of the largest game.
pub struct Games<R> {
    source: R,
    format: Format,
    /// How many lines were read.
    n_lines: usize,
    /// The games of a KIF file, once it is read.
    kif: Option<vec::IntoIter<Result<Record, Refusal>>>,
    ended: bool,
}

impl<R: BufRead> Games<R> {
    /// Games in a format that is known.
    pub fn new(source: R, format: Format) -> Games<R> {
        Games {
            source,
            format,
            n_lines: 0,
            kif: None,
            ended: false,
        }
    }

    /// How many lines were read so far; KIF and KI2 are read as a whole.
    pub fn lines_read(&self) -> usize {
        self.n_lines
    }

    fn next_csa(&mut self) -> Result<Option<Record>, ReadError> {
        loop {
            let first = self.n_lines + 1;
            let mut bytes = Vec::new();
            let mut is_last = true;
            while let Some(start) = self.read_line(&mut bytes)? {
                if is_separator(&bytes[start..]) {
                    bytes.truncate(start);
                    is_last = false;
                    break;
                }
            }
            self.ended |= is_last;
            let game = read_csa_game(&bytes, first)?;
            if game.is_some() || self.ended {
                return Ok(game);
            }
        }
    }

    fn next_usi(&mut self) -> Result<Option<Record>, ReadError> {
        loop {
            let number = self.n_lines + 1;
            let mut bytes = Vec::new();
            if self.read_line(&mut bytes)?.is_none() {
                self.ended = true;
                return Ok(None);
            }
            let text = decoded(&bytes, number)?;
            for line in lines(&text, number) {
                if let Some(game) = usi::read_line(line)? {
                    return Ok(Some(game));
                }
            }
        }
    }

    fn next_kif(&mut self) -> Result<Option<Record>, ReadError> {
        if self.kif.is_none() {
            let mut bytes = Vec::new();
            let limit = MAX_KIF_BYTES as u64 + 1;
            self.source.by_ref().take(limit).read_to_end(&mut bytes)?;
            if bytes.len() > MAX_KIF_BYTES {
                let what = "bytes in one KIF file";
                return Err(self.too_much(what, MAX_KIF_BYTES));
            }
            let text = decoded(&bytes, 1)?;
            let games: Vec<_> = KifGames::new(&text).collect();
            self.n_lines = lines(&text, 1).count();
            self.kif = Some(games.into_iter());
        }
        let games = self.kif.as_mut().expect("the file is read");
        Ok(games.next().transpose()?)
    }

    /// Appends the next line with its end to `bytes`, and returns where it begins; `None` at the
    /// end of the source.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> Result<Option<usize>, ReadError> {
        let start = bytes.len();
        let limit = (MAX_GAME_BYTES - start) as u64 + 1;
        let n_read = self.source.by_ref().take(limit).read_until(b'\n', bytes)?;
        if bytes.len() > MAX_GAME_BYTES {
            return Err(self.too_much("bytes in one game", MAX_GAME_BYTES));
        }
        self.n_lines += usize::from(n_read > 0);
        Ok((n_read > 0).then_some(start))
    }

    fn too_much(&mut self, what: &'static str, limit: usize) -> ReadError {
        self.ended = true;
        let place = Place {
            line: self.n_lines + 1,
            column: 1,
        };
        place.fault(Fault::TooMuch { what, limit }).into()
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Result<Record, ReadError>> {
        if self.ended {
            return None;
        }
        let game = match self.format {
            Format::Csa(_) => self.next_csa(),
            Format::Usi => self.next_usi(),
            Format::Kif | Format::Ki2 => self.next_kif(),
            Format::Pgn => Err(ReadError::Unreadable { format: "PGN" }),
        };
        // After these there is no next game to go on with.
        self.ended |= matches!(
            game,
            Ok(None) | Err(ReadError::Io(_) | ReadError::Unreadable { .. })
        );
        game.transpose()
    }
}

fn decoded(bytes: &[u8], first: usize) -> Result<std::borrow::Cow<'_, str>, Refusal> {
    let place = Place {
        line: first,
        column: 1,
    };
    decode(bytes).map_err(|error| place.fault(error))
}

/// The game between two separators; `None` if there is none.
fn read_csa_game(bytes: &[u8], first: usize) -> Result<Option<Record>, Refusal> {
    let text = decoded(bytes, first)?;
    let mut game = CsaGame::new();
    for line in lines(&text, first) {
        game.read_line(line)?;
    }
    game.finish()
}

/// All games of a text in memory.
///
/// # Errors
///
/// The first thing that is wrong with any of them.
pub fn read(bytes: &[u8], format: Format) -> Result<Vec<Record>, ReadError> {
    Games::new(bytes, format).collect()
}
