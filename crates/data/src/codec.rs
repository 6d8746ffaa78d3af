//! A game record as bytes, before compression. `docs/record-format.md` has the layout.
//!
//! The codec only knows the layout. Whether the game is legal is [`GameRecord::check`]'s business,
//! files, checksums and compression are the shard's.

mod rule_codes;

use rules::{Color, GameRules, Move, Outcome, Position, SfenError};
use thiserror::Error;

use crate::quantize::{probability, quantize};
use crate::record::{GameRecord, PlyKind, PlyRecord};
use rule_codes::{RuleCode, reason_code, reason_of};

/// Stands for "no ply limit".
const NO_LIMIT: u32 = u32::MAX;
/// Set in a ply's kind when it has a value.
const HAS_VALUE: u8 = 0x80;

/// Why the bytes of a game cannot be read. Offsets count from the start of the unpacked game.
#[derive(Debug, Error)]
pub enum CodecFault {
    /// The bytes end too early.
    #[error("the game ends at byte {found} where {expected} more bytes were expected")]
    Truncated {
        /// Offset of what could not be read.
        found: usize,
        /// Its length.
        expected: usize,
    },
    /// Bytes follow the game.
    #[error("{found} bytes follow the end of the game at byte {offset}")]
    Trailing {
        /// Where the game ends.
        offset: usize,
        /// How many bytes follow.
        found: usize,
    },
    /// A field holds a code without a meaning.
    #[error("found {found} as {field} at byte {offset}, expected {expected}")]
    Code {
        /// Name of the field.
        field: &'static str,
        /// Offset of the field.
        offset: usize,
        /// The code.
        found: u32,
        /// What the field may hold.
        expected: &'static str,
    },
    /// The start position is not UTF-8.
    #[error("the start position at byte {offset} is not UTF-8")]
    Utf8 {
        /// Offset of the text.
        offset: usize,
    },
    /// The start position is no position.
    #[error("cannot read the start position at byte {offset}")]
    Sfen {
        /// Offset of the text.
        offset: usize,
        /// What is wrong with it.
        #[source]
        source: SfenError,
    },
}

/// The bytes of `record`, which must have passed [`GameRecord::check`].
pub(crate) fn encode_game(record: &GameRecord) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256 + 340 * record.plies.len());
    bytes.extend(record.id.to_le_bytes());
    bytes.extend(record.seed.to_le_bytes());
    bytes.extend(record.generation.to_le_bytes());
    bytes.push(winner_code(record.outcome.winner));
    bytes.push(reason_code(record.outcome.reason));
    bytes.push(RuleCode::of(&record.rules).byte());
    bytes.extend(record.rules.max_ply.unwrap_or(NO_LIMIT).to_le_bytes());
    let sfen = record.start.to_string();
    bytes.extend((sfen.len() as u16).to_le_bytes());
    bytes.extend(sfen.as_bytes());
    bytes.extend((record.plies.len() as u16).to_le_bytes());
    encode_plies(&record.plies, &mut bytes);
    bytes
}

/// Column by column, because equal things side by side pack better.
fn encode_plies(plies: &[PlyRecord], bytes: &mut Vec<u8>) {
    for ply in plies {
        bytes.extend(ply.mv.raw().to_le_bytes());
    }
    for ply in plies {
        bytes.push(kind_code(ply.kind) | if ply.value.is_some() { HAS_VALUE } else { 0 });
    }
    for value in plies.iter().filter_map(|ply| ply.value) {
        bytes.extend(quantize(&value).into_iter().flat_map(u16::to_le_bytes));
    }
    let policies: Vec<_> = plies
        .iter()
        .map(|ply| quantized_policy(&ply.policy))
        .collect();
    for policy in &policies {
        bytes.extend((policy.len() as u16).to_le_bytes());
    }
    for (mv, _) in policies.iter().flatten() {
        bytes.extend(mv.raw().to_le_bytes());
    }
    for (_, rounded) in policies.iter().flatten() {
        bytes.extend(rounded.to_le_bytes());
    }
}

/// The policy in 16-bit steps that sum to exactly 1; what rounds to nothing is left out.
pub(crate) fn quantized_policy(policy: &[(Move, f32)]) -> Vec<(Move, u16)> {
    if policy.is_empty() {
        return Vec::new();
    }
    let probabilities: Vec<f32> = policy.iter().map(|&(_, p)| p).collect();
    let rounded = quantize(&probabilities);
    let moves = policy.iter().map(|&(mv, _)| mv);
    moves
        .zip(rounded)
        .filter(|&(_, rounded)| rounded > 0)
        .collect()
}

/// Reads what [`encode_game`] wrote.
///
/// # Errors
///
/// Anything but exactly one game.
pub(crate) fn decode_game(bytes: &[u8]) -> Result<GameRecord, CodecFault> {
    let mut fields = Fields { bytes, at: 0 };
    let id = u64::from_le_bytes(fields.array()?);
    let seed = u64::from_le_bytes(fields.array()?);
    let generation = fields.u32()?;
    let winner = fields.code("winner", "0 to 2", winner_of)?;
    let reason = fields.code("reason", "0 to 14 or 32 to 44", reason_of)?;
    let expected = "0 to 3, plus 16 or 32 or both";
    let rule_code = fields.code("rules", expected, RuleCode::from_byte)?;
    let max_ply = Some(fields.u32()?).filter(|&limit| limit != NO_LIMIT);
    let start = fields.position()?;
    let n_plies = usize::from(fields.u16()?);
    let plies = decode_plies(&mut fields, n_plies)?;
    fields.end()?;
    Ok(GameRecord {
        id,
        seed,
        generation,
        start,
        rules: GameRules {
            declaration: rule_code.declaration,
            credit_handicap: rule_code.credit_handicap,
            max_ply,
            max_ply_style: rule_code.max_ply_style,
        },
        plies,
        outcome: Outcome { winner, reason },
    })
}

fn decode_plies(fields: &mut Fields<'_>, n_plies: usize) -> Result<Vec<PlyRecord>, CodecFault> {
    let moves = fields.column(n_plies, Fields::mv)?;
    let kinds = fields.column(n_plies, |fields| {
        fields.code("kind of ply", "0 to 3, or that with 128", |code| {
            Some((kind_of(code & !HAS_VALUE)?, code & HAS_VALUE != 0))
        })
    })?;
    let mut plies = Vec::with_capacity(n_plies);
    for (mv, (kind, has_value)) in moves.into_iter().zip(kinds) {
        let value = if has_value {
            Some([
                fields.probability()?,
                fields.probability()?,
                fields.probability()?,
            ])
        } else {
            None
        };
        plies.push(PlyRecord {
            mv,
            kind,
            value,
            policy: Vec::new(),
        });
    }
    let lengths = fields.column(n_plies, |fields| fields.u16().map(usize::from))?;
    for (ply, &length) in plies.iter_mut().zip(&lengths) {
        ply.policy = fields.column(length, |fields| Ok((fields.mv()?, 0.0)))?;
    }
    for (_, p) in plies.iter_mut().flat_map(|ply| &mut ply.policy) {
        *p = fields.probability()?;
    }
    Ok(plies)
}

/// Reads little-endian fields one after the other.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Fields<'_> {
    fn take(&mut self, length: usize) -> Result<&[u8], CodecFault> {
        let field = self
            .bytes
            .get(self.at..self.at + length)
            .ok_or(CodecFault::Truncated {
                found: self.at,
                expected: length,
            })?;
        self.at += length;
        Ok(field)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CodecFault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u16(&mut self) -> Result<u16, CodecFault> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, CodecFault> {
        self.array().map(u32::from_le_bytes)
    }

    fn probability(&mut self) -> Result<f32, CodecFault> {
        self.u16().map(probability)
    }

    fn mv(&mut self) -> Result<Move, CodecFault> {
        let offset = self.at;
        let raw = self.u16()?;
        let (found, expected) = (u32::from(raw), "a move's number");
        Move::from_raw(raw).ok_or(CodecFault::Code {
            field: "move",
            offset,
            found,
            expected,
        })
    }

    fn code<T>(
        &mut self,
        field: &'static str,
        expected: &'static str,
        meaning: impl Fn(u8) -> Option<T>,
    ) -> Result<T, CodecFault> {
        let offset = self.at;
        let [code] = self.array()?;
        let found = u32::from(code);
        meaning(code).ok_or(CodecFault::Code {
            field,
            offset,
            found,
            expected,
        })
    }

    fn position(&mut self) -> Result<Position, CodecFault> {
        let length = usize::from(self.u16()?);
        let offset = self.at;
        let text = std::str::from_utf8(self.take(length)?);
        let text = text.map_err(|_| CodecFault::Utf8 { offset })?;
        Position::from_sfen(text).map_err(|source| CodecFault::Sfen { offset, source })
    }

    fn column<T>(
        &mut self,
        length: usize,
        entry: impl Fn(&mut Self) -> Result<T, CodecFault>,
    ) -> Result<Vec<T>, CodecFault> {
        (0..length).map(|_| entry(self)).collect()
    }

    fn end(&self) -> Result<(), CodecFault> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            found => Err(CodecFault::Trailing {
                offset: self.at,
                found,
            }),
        }
    }
}

fn winner_code(winner: Option<Color>) -> u8 {
    match winner {
        Some(Color::Black) => 0,
        Some(Color::White) => 1,
        None => 2,
    }
}

fn winner_of(code: u8) -> Option<Option<Color>> {
    [Some(Color::Black), Some(Color::White), None]
        .get(usize::from(code))
        .copied()
}

fn kind_code(kind: PlyKind) -> u8 {
    match kind {
        PlyKind::Full => 0,
        PlyKind::Fast => 1,
        PlyKind::Opening => 2,
        PlyKind::Mate => 3,
    }
}

fn kind_of(code: u8) -> Option<PlyKind> {
    let kinds = [
        PlyKind::Full,
        PlyKind::Fast,
        PlyKind::Opening,
        PlyKind::Mate,
    ];
    kinds.get(usize::from(code)).copied()
}

#[cfg(test)]
mod tests;
