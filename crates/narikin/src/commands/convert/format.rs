//! The formats of `narikin convert`, by name and by file name.

use std::path::Path;

use data::{ForeignFormat, PositionFormat};
use kifu::{CsaVersion, Encoding, Format};

use crate::exit::Usage;

const HCPE: ForeignFormat = ForeignFormat::Positions(PositionFormat::Hcpe);
const PSV: ForeignFormat = ForeignFormat::Positions(PositionFormat::Psv);

/// A format as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum FormatName {
    /// CSA, written as V2.2
    Csa,
    /// CSA, written as V3.0
    Csa3,
    /// KIF
    Kif,
    /// KI2
    Ki2,
    /// USI or SFEN lists
    Usi,
    /// PGN, written only
    Pgn,
    /// Records of self-play
    Nkg,
    /// Games with visits, for training, of dlshogi
    Hcpe3,
    /// Positions for training, of dlshogi
    Hcpe,
    /// Positions for training, of YaneuraOu
    Psv,
}

/// An encoding of text as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum TextEncoding {
    /// UTF-8
    Utf8,
    /// UTF-8 with a byte order mark
    Utf8Bom,
    /// Shift_JIS (code page 932)
    ShiftJis,
}

/// What games are read from and written to: a kind for each way of doing so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Text that people exchange.
    Text(Format),
    /// This program's records.
    Records,
    /// Training data of another program.
    Foreign(ForeignFormat),
}

impl FormatName {
    /// The format of this name.
    pub fn format(self) -> FileFormat {
        match self {
            FormatName::Csa => FileFormat::Text(Format::Csa(CsaVersion::V22)),
            FormatName::Csa3 => FileFormat::Text(Format::Csa(CsaVersion::V30)),
            FormatName::Kif => FileFormat::Text(Format::Kif),
            FormatName::Ki2 => FileFormat::Text(Format::Ki2),
            FormatName::Usi => FileFormat::Text(Format::Usi),
            FormatName::Pgn => FileFormat::Text(Format::Pgn),
            FormatName::Nkg => FileFormat::Records,
            FormatName::Hcpe3 => FileFormat::Foreign(ForeignFormat::Hcpe3),
            FormatName::Hcpe => FileFormat::Foreign(HCPE),
            FormatName::Psv => FileFormat::Foreign(PSV),
        }
    }
}

impl FileFormat {
    /// The ending of new files, without its dot.
    pub fn extension(self, encoding: Encoding) -> &'static str {
        match (self, encoding) {
            (FileFormat::Text(Format::Csa(_)), _) => "csa",
            (FileFormat::Text(Format::Kif), Encoding::ShiftJis) => "kif",
            (FileFormat::Text(Format::Kif), _) => "kifu",
            (FileFormat::Text(Format::Ki2), Encoding::ShiftJis) => "ki2",
            (FileFormat::Text(Format::Ki2), _) => "ki2u",
            (FileFormat::Text(Format::Usi), _) => "usi",
            (FileFormat::Text(Format::Pgn), _) => "pgn",
            (FileFormat::Records, _) => "nkg",
            (FileFormat::Foreign(format), _) => format.name(),
        }
    }
}

/// The format that the name of a file tells, and how a new file of that name is encoded.
pub fn by_name(path: &Path) -> Option<(FileFormat, Encoding)> {
    let name = path.file_name()?.to_string_lossy();
    if name.ends_with(".nkg") || name.ends_with(".nkg.open") {
        return Some((FileFormat::Records, Encoding::Utf8));
    }
    let (_, extension) = name.rsplit_once('.')?;
    let foreign = match extension {
        "hcpe" | "hcpe2" => Some(HCPE),
        "psv" => Some(PSV),
        "hcpe3" => Some(ForeignFormat::Hcpe3),
        _ => None,
    };
    if let Some(format) = foreign {
        return Some((FileFormat::Foreign(format), Encoding::Utf8));
    }
    let (format, encoding) = Format::from_extension(extension)?;
    Some((FileFormat::Text(format), encoding))
}

/// The format and the encoding to write `path` in.
///
/// # Errors
///
/// If neither the name nor the options tell the format.
pub fn format_of(
    path: &Path,
    name: Option<FormatName>,
    encoding: Option<TextEncoding>,
) -> anyhow::Result<(FileFormat, Encoding)> {
    let named = by_name(path);
    let (format, usual) = match (name, named) {
        (Some(name), named) => {
            let format = name.format();
            // The name of the file says how it is encoded if it is one of this format.
            let usual = named.filter(|(other, _)| is_same_family(*other, format));
            (
                format,
                usual.map_or(usual_encoding(format), |(_, encoding)| encoding),
            )
        }
        (None, Some(named)) => named,
        (None, None) => return Err(unknown(path, "--to").into()),
    };
    let encoding = match encoding {
        None => usual,
        Some(TextEncoding::Utf8) => Encoding::Utf8,
        Some(TextEncoding::Utf8Bom) => Encoding::Utf8Bom,
        Some(TextEncoding::ShiftJis) => Encoding::ShiftJis,
    };
    Ok((format, encoding))
}

fn is_same_family(one: FileFormat, other: FileFormat) -> bool {
    one.extension(Encoding::Utf8) == other.extension(Encoding::Utf8)
}

/// The encoding of the format's usual ending.
fn usual_encoding(format: FileFormat) -> Encoding {
    match format {
        FileFormat::Text(Format::Kif | Format::Ki2) => Encoding::ShiftJis,
        FileFormat::Text(_) | FileFormat::Records | FileFormat::Foreign(_) => Encoding::Utf8,
    }
}

/// The error that a name does not tell the format.
pub fn unknown(path: &Path, option: &str) -> Usage {
    Usage(format!(
        "the format of {} is not known by its name: give it with {option} (csa, csa3, kif, ki2, usi, \
         pgn, nkg, hcpe3, hcpe, psv)",
        path.display()
    ))
}

#[cfg(test)]
mod tests;
