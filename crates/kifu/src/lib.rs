//! Whole game records as people exchange them: CSA, KIF, KI2, USI lists, and PGN for rating
//! programs.
//!
//! A [`Record`] is what all formats can say: headers, a start, moves with times, remarks and
//! variations, an [`Ending`]. [`Games`] reads records from bytes, [`GameWriter`] writes them;
//! [`read()`] and [`write()`] do it for texts in memory. The readers are forgiving about form and
//! strict about content: a text that is broken is refused with line and column. The writers are
//! exact. What each format lacks is in `docs/game-records.md`.
//!
//! Single moves are `rules`' business ([`rules::Notation`]). No files, no threads, no libtorch
//! here, and memory is bounded for any input.
//!
//! ```
//! use kifu::{Encoding, Ending, Format, GameResult};
//!
//! let csa = "V2.2\nN+Alice\nN-Bob\nPI\n+\n+7776FU\nT3\n-3334FU\nT5\n%TORYO\n";
//! let records = kifu::read(csa.as_bytes(), Format::Csa(kifu::CsaVersion::V22))?;
//! let record = &records[0];
//! assert_eq!(record.ending(), Some(Ending::Resign));
//! assert_eq!(record.result(), GameResult::Win(rules::Color::White));
//!
//! let kif = kifu::write(record, Format::Kif, Encoding::Utf8)?;
//! let kif = String::from_utf8(kif)?;
//! assert!(kif.contains("   2 ３四歩(33)   ( 0:05/00:00:05)\n"));
//! assert!(kif.ends_with("まで2手で後手の勝ち\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The checks of the fuzz targets are tests of this crate too, and name it from outside.
#[cfg(test)]
extern crate self as kifu;

mod builder;
mod clock;
mod csa;
mod ending;
mod error;
mod format;
mod games;
mod header;
mod kif;
mod lines;
mod notes;
mod pgn;
mod record;
mod text;
mod usi;
mod words;
mod writer;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use clock::{Clock, TimeControl};
pub use csa::CsaVersion;
pub use ending::{Ending, GameResult};
pub use error::{Fault, ReadError, Refusal, WriteError};
pub use format::Format;
pub use games::{Games, MAX_GAME_BYTES, MAX_KIF_BYTES, read};
pub use header::{Header, HeaderKey};
pub use notes::{Analysis, Note};
pub use record::{End, Line, MAX_DEPTH, Ply, Record, RecordFault, Variation};
pub use text::{Encoding, Utf16, decode, encode};
pub use writer::{GameWriter, write};
