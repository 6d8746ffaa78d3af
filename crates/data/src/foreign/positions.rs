//! Files of single positions: hcpe and psv.

use std::path::Path;

use rules::{Color, Move, Position};

use super::error::{ForeignError, ForeignFault, WriteFault};
use super::file::{ByteReader, ByteWriter};
use super::huffman::{PACKED_LEN, PositionCode, missing_kind};
use super::result::GameResult;
use super::{ForeignFormat, Handicaps, MoveCode};

/// Bytes of a record of hcpe (and hcpe2).
const HCPE_LEN: usize = 38;
/// Bytes of a record of psv.
const PSV_LEN: usize = 40;
/// Positions at the start of a psv file that decide how its moves are written.
const PROBED_POSITIONS: usize = 4096;

/// A format whose records are single positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PositionFormat {
    /// HuffmanCodedPosAndEval, of Apery and dlshogi: 38 bytes. A file of hcpe2, which has the
    /// ending of the game beside the result, is read too.
    Hcpe,
    /// PackedSfenValue, of YaneuraOu: 40 bytes.
    Psv,
}

impl PositionFormat {
    /// Bytes of one record.
    pub const fn record_len(self) -> usize {
        match self {
            Self::Hcpe => HCPE_LEN,
            Self::Psv => PSV_LEN,
        }
    }

    fn code(self) -> PositionCode {
        match self {
            Self::Hcpe => PositionCode::Hcp,
            Self::Psv => PositionCode::PackedSfen,
        }
    }
}

/// One position with what an engine thought of it, and how the game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionRecord {
    /// The position. Its ply is in psv only; elsewhere it is read as 0.
    pub position: Position,
    /// The best move; `None` where the file says that there is none.
    pub best: Option<Move>,
    /// Evaluation in centipawns, of the side to move; 30,000 and more is a mate.
    pub eval: i16,
    /// Result of the game that the position is from.
    pub result: GameResult,
}

/// How many positions a file has, and how their games ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PositionCounts {
    /// Positions.
    pub positions: u64,
    /// Positions of games that Black won.
    pub black_wins: u64,
    /// Positions of games that White won.
    pub white_wins: u64,
}

impl PositionCounts {
    /// Counts one more position.
    pub fn add(&mut self, winner: Option<Color>) {
        self.positions += 1;
        self.black_wins += u64::from(winner == Some(Color::Black));
        self.white_wins += u64::from(winner == Some(Color::White));
    }
}

/// The positions of one file, in the order of the file, whatever its size: one is held at a time.
///
/// Each is checked: the position could arise in a game, and the move is legal in it. After the
/// first error the iterator ends.
pub struct PositionReader {
    bytes: ByteReader,
    format: PositionFormat,
    moves: MoveCode,
    done: bool,
}

impl PositionReader {
    /// Opens a file. Moves in a psv are read as the first 4,096 positions show them to be written:
    /// some programs put another [`MoveCode`] than YaneuraOu's there.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open(path: &Path, format: PositionFormat) -> Result<Self, ForeignError> {
        let moves = match format {
            PositionFormat::Hcpe => MoveCode::Apery,
            PositionFormat::Psv => psv_moves(path)?,
        };
        Self::with_moves(path, format, moves)
    }

    fn with_moves(
        path: &Path,
        format: PositionFormat,
        moves: MoveCode,
    ) -> Result<Self, ForeignError> {
        Ok(Self {
            bytes: ByteReader::open(path, ForeignFormat::Positions(format))?,
            format,
            moves,
            done: false,
        })
    }

    /// Counts positions and results without decoding positions and moves: many times faster than
    /// reading, and blind to what is wrong in them.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, ends within a record, or a result has no meaning.
    pub fn count(path: &Path, format: PositionFormat) -> Result<PositionCounts, ForeignError> {
        let mut bytes = ByteReader::open(path, ForeignFormat::Positions(format))?;
        let mut counts = PositionCounts::default();
        while !bytes.at_end()? {
            let offset = bytes.offset;
            let winner = match format {
                PositionFormat::Hcpe => hcpe_result(&bytes.array("record")?).map(|r| r.winner),
                PositionFormat::Psv => {
                    let record: [u8; PSV_LEN] = bytes.array("record")?;
                    // The side to move is the first bit of either code.
                    psv_winner(&record, Color::ALL[usize::from(record[0] & 1)])
                }
            };
            let winner =
                winner.map_err(|Wrong { at, fault }| bytes.damaged(offset + at as u64, fault))?;
            counts.add(winner);
            bytes.record += 1;
        }
        Ok(counts)
    }

    /// How the file writes its moves.
    pub fn move_code(&self) -> MoveCode {
        self.moves
    }

    fn read(&mut self) -> Result<Option<PositionRecord>, ForeignError> {
        if self.bytes.at_end()? {
            return Ok(None);
        }
        let offset = self.bytes.offset;
        let decoded = match self.format {
            PositionFormat::Hcpe => decode_hcpe(&self.bytes.array("record")?),
            PositionFormat::Psv => decode_psv(&self.bytes.array("record")?, self.moves),
        };
        let record =
            decoded.map_err(|Wrong { at, fault }| self.bytes.damaged(offset + at as u64, fault))?;
        self.bytes.record += 1;
        Ok(Some(record))
    }
}

impl Iterator for PositionReader {
    type Item = Result<PositionRecord, ForeignError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let record = self.read().transpose();
        self.done = !matches!(record, Some(Ok(_)));
        record
    }
}

/// Writes a file of positions: whole, or not at all.
pub struct PositionWriter {
    bytes: ByteWriter,
    format: PositionFormat,
    handicaps: Handicaps,
}

impl PositionWriter {
    /// Begins a file. What had the name `path` before is replaced when the new file is
    /// [finished](Self::finish).
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub fn create(
        path: &Path,
        format: PositionFormat,
        handicaps: Handicaps,
    ) -> Result<Self, ForeignError> {
        Ok(Self {
            bytes: ByteWriter::create(path, ForeignFormat::Positions(format))?,
            format,
            handicaps,
        })
    }

    /// Appends a position. hcpe keeps no ply and no ending, psv no ending.
    ///
    /// # Errors
    ///
    /// If the format cannot hold it (the file is then as before), or the disk refuses.
    pub fn write(&mut self, record: &PositionRecord) -> Result<(), ForeignError> {
        match self.format {
            PositionFormat::Hcpe => {
                let bytes = encode_hcpe(record, self.handicaps);
                let bytes = bytes.map_err(|fault| self.bytes.refused(fault))?;
                self.bytes.append(&bytes)
            }
            PositionFormat::Psv => {
                let bytes = encode_psv(record).map_err(|fault| self.bytes.refused(fault))?;
                self.bytes.append(&bytes)
            }
        }
    }

    /// Makes the file durable and gives it its name; returns the number of positions in it.
    ///
    /// # Errors
    ///
    /// If the disk refuses; what had the name before is then still there.
    pub fn finish(self) -> Result<u64, ForeignError> {
        self.bytes.finish()
    }
}

/// A fault, and at which byte of the record.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) fault: ForeignFault,
}

pub(super) fn decode_hcpe(bytes: &[u8; HCPE_LEN]) -> Result<PositionRecord, Wrong> {
    let position = position_of(PositionFormat::Hcpe, bytes, 0)?;
    let best = best_move(u16_at(bytes, 34), &position, MoveCode::Apery)
        .map_err(|fault| Wrong { at: 34, fault })?;
    let result = hcpe_result(bytes)?;
    Ok(PositionRecord {
        position,
        best,
        eval: u16_at(bytes, 32) as i16,
        result,
    })
}

pub(super) fn decode_psv(bytes: &[u8; PSV_LEN], moves: MoveCode) -> Result<PositionRecord, Wrong> {
    // The ply counts from 1; converted files have 0.
    let ply = u32::from(u16_at(bytes, 36)).saturating_sub(1);
    let position = position_of(PositionFormat::Psv, bytes, ply)?;
    let best =
        best_move(u16_at(bytes, 34), &position, moves).map_err(|fault| Wrong { at: 34, fault })?;
    let winner = psv_winner(bytes, position.side_to_move())?;
    Ok(PositionRecord {
        position,
        best,
        eval: u16_at(bytes, 32) as i16,
        result: GameResult::of(winner),
    })
}

fn hcpe_result(bytes: &[u8; HCPE_LEN]) -> Result<GameResult, Wrong> {
    GameResult::read(bytes[36]).map_err(|fault| Wrong { at: 36, fault })
}

fn psv_winner(bytes: &[u8; PSV_LEN], side: Color) -> Result<Option<Color>, Wrong> {
    match bytes[38] as i8 {
        0 => Ok(None),
        1 => Ok(Some(side)),
        -1 => Ok(Some(side.flipped())),
        found => {
            let (found, expected) = (i16::from(found), "-1 to 1");
            let fault = ForeignFault::Result { found, expected };
            Err(Wrong { at: 38, fault })
        }
    }
}

fn position_of(format: PositionFormat, record: &[u8], ply: u32) -> Result<Position, Wrong> {
    let packed = record
        .first_chunk()
        .expect("a record begins with a position");
    format.code().unpack(packed, ply).map_err(|fault| Wrong {
        at: 0,
        fault: ForeignFault::Position(fault),
    })
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn best_move(
    found: u16,
    position: &Position,
    code: MoveCode,
) -> Result<Option<Move>, ForeignFault> {
    checked_move("best move", found, code, |mv| position.is_legal(mv))
        .map_err(|wrong| wrong.described(|| position.to_string()))
}

/// What a number is that should be a legal move.
pub(super) enum NoMove {
    Illegal { field: &'static str, mv: Move },
    Other(ForeignFault),
}

impl NoMove {
    pub(super) fn described(self, sfen: impl Fn() -> String) -> ForeignFault {
        match self {
            Self::Illegal { field, mv } => {
                let sfen = sfen();
                ForeignFault::IllegalMove { field, mv, sfen }
            }
            Self::Other(fault) => fault,
        }
    }
}

/// The move that a number stands for, or none; illegal moves are refused.
pub(super) fn checked_move(
    field: &'static str,
    found: u16,
    code: MoveCode,
    is_legal: impl Fn(Move) -> bool,
) -> Result<Option<Move>, NoMove> {
    let read = code.read(found);
    match read {
        Some(None) => return Ok(None),
        Some(Some(mv)) if is_legal(mv) => return Ok(Some(mv)),
        _ => {}
    }
    if let Some(Some(mv)) = code.read(found.swap_bytes())
        && is_legal(mv)
    {
        return Err(NoMove::Other(ForeignFault::ByteOrder { field, found, mv }));
    }
    Err(match read.flatten() {
        Some(mv) => NoMove::Illegal { field, mv },
        None => NoMove::Other(ForeignFault::MoveCode { field, found }),
    })
}

fn encode_hcpe(
    record: &PositionRecord,
    handicaps: Handicaps,
) -> Result<[u8; HCPE_LEN], WriteFault> {
    let mut bytes = [0; HCPE_LEN];
    bytes[..PACKED_LEN].copy_from_slice(&pack_for_dlshogi(&record.position, handicaps)?);
    bytes[32..34].copy_from_slice(&record.eval.to_le_bytes());
    bytes[34..36].copy_from_slice(&MoveCode::Apery.write(record.best).to_le_bytes());
    bytes[36] = record.result.winner_code();
    Ok(bytes)
}

/// The position as dlshogi reads it.
pub(super) fn pack_for_dlshogi(
    position: &Position,
    handicaps: Handicaps,
) -> Result<[u8; PACKED_LEN], WriteFault> {
    let packed = PositionCode::Hcp.pack(position)?;
    match missing_kind(position) {
        Some(kind) if handicaps == Handicaps::Refuse => {
            let sfen = position.to_string();
            Err(WriteFault::Handicap { kind, sfen })
        }
        _ => Ok(packed),
    }
}

fn encode_psv(record: &PositionRecord) -> Result<[u8; PSV_LEN], WriteFault> {
    let position = &record.position;
    let mut bytes = [0; PSV_LEN];
    bytes[..PACKED_LEN].copy_from_slice(&PositionCode::PackedSfen.pack(position)?);
    bytes[32..34].copy_from_slice(&record.eval.to_le_bytes());
    bytes[34..36].copy_from_slice(&MoveCode::YaneuraOu.write(record.best).to_le_bytes());
    let number = u16::try_from(position.ply().saturating_add(1)).unwrap_or(u16::MAX);
    bytes[36..38].copy_from_slice(&number.to_le_bytes());
    bytes[38] = relative_result(record.result.winner, position.side_to_move()) as u8;
    Ok(bytes)
}

/// 1 if `side` won, -1 if it lost.
fn relative_result(winner: Option<Color>, side: Color) -> i8 {
    match winner {
        None => 0,
        Some(winner) if winner == side => 1,
        Some(_) => -1,
    }
}

/// How a psv file writes its moves: the code in which most of its first moves are legal.
fn psv_moves(path: &Path) -> Result<MoveCode, ForeignError> {
    let format = ForeignFormat::Positions(PositionFormat::Psv);
    let mut bytes = ByteReader::open(path, format)?;
    let mut legal = [0; MoveCode::ALL.len()];
    for _ in 0..PROBED_POSITIONS {
        // What is wrong with the file is said when it is read in earnest.
        let Ok(record) = bytes.array::<PSV_LEN>("record") else {
            break;
        };
        for (legal, moves) in legal.iter_mut().zip(MoveCode::ALL) {
            let has_move = decode_psv(&record, moves).is_ok_and(|record| record.best.is_some());
            *legal += u32::from(has_move);
        }
    }
    let most = legal.iter().max().expect("there are several codes");
    let first = legal
        .iter()
        .position(|n| n == most)
        .expect("the maximum is one of them");
    Ok(MoveCode::ALL[first])
}

#[cfg(test)]
mod tests;
