//! The formats, by name and by file ending.

use crate::csa::CsaVersion;
use crate::text::Encoding;

/// A format of game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// CSA. The version is for writing: all are read alike.
    Csa(CsaVersion),
    /// KIF.
    Kif,
    /// KI2.
    Ki2,
    /// USI lists: one game per line.
    Usi,
    /// PGN, for writing only.
    Pgn,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] = [
        Format::Csa(CsaVersion::V22),
        Format::Csa(CsaVersion::V30),
        Format::Kif,
        Format::Ki2,
        Format::Usi,
        Format::Pgn,
    ];

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csa(CsaVersion::V22) => "CSA V2.2",
            Format::Csa(CsaVersion::V30) => "CSA V3.0",
            Format::Kif => "KIF",
            Format::Ki2 => "KI2",
            Format::Usi => "a USI list",
            Format::Pgn => "PGN",
        }
    }

    /// The format of files with this ending (without its dot, in any case), and how new ones are
    /// encoded: what `.kif` and `.ki2` hold is Shift_JIS by custom, and anything else UTF-8.
    pub fn from_extension(extension: &str) -> Option<(Format, Encoding)> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "csa" => (Format::Csa(CsaVersion::V22), Encoding::Utf8),
            "kif" => (Format::Kif, Encoding::ShiftJis),
            "kifu" => (Format::Kif, Encoding::Utf8),
            "ki2" => (Format::Ki2, Encoding::ShiftJis),
            "ki2u" => (Format::Ki2, Encoding::Utf8),
            "usi" | "sfen" | "txt" => (Format::Usi, Encoding::Utf8),
            "pgn" => (Format::Pgn, Encoding::Utf8),
            _ => return None,
        })
    }

    /// Whether other programs look for more than one game in a file. KIF and KI2 files with several
    /// are read here, but others take them for one game.
    pub const fn holds_many(self) -> bool {
        match self {
            Format::Csa(_) | Format::Usi | Format::Pgn => true,
            Format::Kif | Format::Ki2 => false,
        }
    }
}

#[cfg(test)]
mod tests;
