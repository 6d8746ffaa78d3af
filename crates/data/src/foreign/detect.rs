//! Which of the formats a file is in.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::ForeignFormat;
use super::error::{ForeignError, ForeignFault};
use super::hcpe3::Hcpe3Reader;
use super::huffman::{PACKED_LEN, PositionCode};
use super::positions::{PositionFormat, PositionReader};

const PSV: ForeignFormat = ForeignFormat::Positions(PositionFormat::Psv);

/// Records that are tried in each format.
const PROBED_RECORDS: usize = 64;

impl ForeignFormat {
    /// The format that a file is in, by its content: the one in which most of its first records are
    /// without fault. The name is not looked at. A file that is damaged, but begins with a position,
    /// is taken for one of the formats; reading it tells what is wrong.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is empty, or begins with no position.
    pub fn detect(path: &Path) -> Result<Self, ForeignError> {
        let head = head(path)?;
        if head.is_empty() {
            let path = path.to_owned();
            return Err(ForeignError::Empty { path });
        }
        let mut best = (0, None);
        for format in Self::ALL {
            let n_bytes = format.n_sound_bytes(path)?;
            if best.0 < n_bytes {
                best = (n_bytes, Some(format));
            }
        }
        match best.1 {
            Some(format) => Ok(format),
            None => by_first_position(path, &head),
        }
    }

    /// How many bytes of the file's first records are without fault.
    fn n_sound_bytes(self, path: &Path) -> Result<u64, ForeignError> {
        fn until_fault<T>(
            records: impl Iterator<Item = Result<T, ForeignError>>,
        ) -> impl Iterator<Item = T> {
            records.take(PROBED_RECORDS).map_while(Result::ok)
        }
        Ok(match self {
            Self::Positions(format) => {
                let records = until_fault(PositionReader::open(path, format)?);
                (format.record_len() * records.count()) as u64
            }
            Self::Hcpe3 => until_fault(Hcpe3Reader::open(path)?)
                .map(|game| game.n_bytes())
                .sum(),
        })
    }
}

/// The first bytes of the file, enough for a position.
fn head(path: &Path) -> Result<Vec<u8>, ForeignError> {
    let file = File::open(path).map_err(ForeignError::io("open", path))?;
    let mut head = Vec::new();
    let read = file.take(PACKED_LEN as u64).read_to_end(&mut head);
    read.map_err(ForeignError::io("read", path))?;
    Ok(head)
}

/// A guess for a file without a sound record: what is wrong with it is then said in its own terms.
fn by_first_position(path: &Path, head: &[u8]) -> Result<ForeignFormat, ForeignError> {
    let unknown = |as_hcpe| ForeignError::Unknown {
        path: path.to_owned(),
        as_hcpe,
    };
    let Ok(packed) = head.try_into() else {
        return Err(unknown(ForeignFault::Truncated {
            part: "position",
            found: head.len(),
            expected: PACKED_LEN,
        }));
    };
    let hcp = PositionCode::Hcp.unpack(packed, 0);
    let is_packed_sfen = PositionCode::PackedSfen.unpack(packed, 0).is_ok();
    match hcp {
        // Both codes have the same lengths for most pieces: some bytes are a position in each.
        Ok(_) if is_packed_sfen && ends_with_psv(path) => Ok(PSV),
        Ok(_) if Hcpe3Reader::open(path)?.begins_with_a_move() => Ok(ForeignFormat::Hcpe3),
        Ok(_) => Ok(ForeignFormat::Positions(PositionFormat::Hcpe)),
        Err(_) if is_packed_sfen => Ok(PSV),
        Err(fault) => Err(unknown(ForeignFault::Position(fault))),
    }
}

fn ends_with_psv(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "psv")
}

#[cfg(test)]
mod tests;
