//! Training data of other programs: hcpe and hcpe3 of dlshogi, psv of YaneuraOu.
//!
//! Read [`PositionReader`] (single positions) and [`Hcpe3Reader`] (whole games) first: both go
//! through files of any size with one record in memory, check all that can be checked, and name
//! file, byte and reason of what they refuse. The writers leave a whole file or none. None of the
//! formats has a magic number or a checksum: [`ForeignFormat::detect`] goes by what decodes.
//! `docs/training-data.md` has the layouts. Samples for training come from [`crate::SampleReader`].

mod convert;
mod detect;
mod error;
mod file;
mod hcpe3;
mod huffman;
mod move_code;
mod positions;
mod result;

use serde::{Deserialize, Serialize};

pub(crate) use convert::eval_wdl;
pub use convert::{ConversionOptions, positions_of};
pub use error::{ForeignError, ForeignFault, WriteFault};
pub use hcpe3::{
    HCPE3_MAX_PLIES, Hcpe3Counts, Hcpe3Game, Hcpe3Ply, Hcpe3Reader, Hcpe3Writer, Opponent,
};
pub use huffman::{PACKED_LEN, PackFault, PositionCode, UnpackFault};
pub use move_code::MoveCode;
pub use positions::{
    PositionCounts, PositionFormat, PositionReader, PositionRecord, PositionWriter,
};
pub use result::{Ending, GameResult};

/// A format of training data of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ForeignFormat {
    /// Single positions.
    Positions(PositionFormat),
    /// Whole games.
    Hcpe3,
}

impl ForeignFormat {
    /// All formats.
    pub const ALL: [ForeignFormat; 3] = [
        ForeignFormat::Positions(PositionFormat::Hcpe),
        ForeignFormat::Positions(PositionFormat::Psv),
        ForeignFormat::Hcpe3,
    ];

    /// `hcpe`, `psv` or `hcpe3`; also the usual ending of a file's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Positions(PositionFormat::Hcpe) => "hcpe",
            Self::Positions(PositionFormat::Psv) => "psv",
            Self::Hcpe3 => "hcpe3",
        }
    }
}

/// What to do with positions that lack pieces of the full set in files for dlshogi (hcpe, hcpe3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Handicaps {
    /// Refuse them: dlshogi's own reader stops at the codes of missing pieces.
    #[default]
    Refuse,
    /// Write the missing pieces as cshogi and YaneuraOu do: as lying in the box.
    Write,
}
