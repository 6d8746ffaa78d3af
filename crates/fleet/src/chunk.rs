//! Finished games as one message. `docs/fleet.md` has the layout.

use lz4_flex::block::DecompressError;
use thiserror::Error;

use crate::hash::{Hash, RunId};

/// The largest chunk in bytes: below the 1 MiB that brokers allow by default, headers included.
pub const MAX_CHUNK_BYTES: usize = 1_000_000;

/// Number of the format, in the head of each chunk.
const VERSION: u32 = 1;
/// First bytes of a chunk.
const MAGIC: [u8; 8] = *b"\x89NKF\r\n\x1a\n";
/// Bytes before the list of models.
const HEAD_LEN: usize = 8 + 4 + 8 + 4 + 2 + 2 + 4 + 4;
/// Bytes of one model.
const MODEL_LEN: usize = 4 + 32;
/// More models than a worker's newest games can come from.
const MAX_MODELS: usize = 256;
/// The largest record of a game, in bytes.
pub const MAX_GAME_BYTES: usize = 8 << 20;
/// Bounds what a reader allocates: a chunk of games packs to a half or a third.
const MAX_UNPACKED: usize = 16 << 20;
/// Bytes of a game beside its record and remarks.
const GAME_HEAD_LEN: usize = 4 + 2 + 4;

/// Games of one worker on their way to the trainer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The run they were played for.
    pub run: RunId,
    /// The number that the worker was given.
    pub worker: u32,
    /// The models that began the games.
    pub models: Vec<ModelUse>,
    /// The games.
    pub games: Vec<ChunkGame>,
}

/// A model that games were begun with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelUse {
    /// Its generation.
    pub generation: u32,
    /// The hash of its file; [`Hash::NONE`] for generation 0, which has none.
    pub hash: Hash,
}

/// One finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkGame {
    /// Its number among the worker's games.
    pub sequence: u32,
    /// What the worker says about it, at most 65,535 bytes; means nothing to this crate.
    pub remarks: Vec<u8>,
    /// The record; means nothing to this crate.
    pub record: Vec<u8>,
}

/// Why bytes are no chunk.
#[derive(Debug, Error)]
pub enum ChunkFault {
    /// Too many bytes.
    #[error("the message has {found} bytes, at most {MAX_CHUNK_BYTES} are taken")]
    Oversized {
        /// Bytes of the message.
        found: usize,
    },
    /// The bytes end too early, or go on after the end.
    #[error("the message has {found} bytes, expected {expected}")]
    Length {
        /// Bytes of the message.
        found: usize,
        /// Bytes that it should have, as far as that can be told.
        expected: usize,
    },
    /// Not a chunk.
    #[error("found {found:02x?} where a chunk has {MAGIC:02x?}")]
    Magic {
        /// The first bytes.
        found: [u8; 8],
    },
    /// A chunk of another version.
    #[error("found chunk format {found}, this build reads {VERSION}")]
    Version {
        /// The version.
        found: u32,
    },
    /// The bytes have changed on their way.
    #[error("the message has the checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// Of the bytes that came.
        found: u32,
        /// The one that came with them.
        expected: u32,
    },
    /// A number that is too high.
    #[error("found {found} {what}, expected at most {limit}")]
    TooMany {
        /// What was counted.
        what: &'static str,
        /// The number.
        found: usize,
        /// The highest allowed.
        limit: usize,
    },
    /// The games cannot be unpacked.
    #[error("cannot unpack the games")]
    Unpack(#[source] DecompressError),
    /// The unpacked games are not as many or as long as was said.
    #[error("game {index} of {n_games} is cut off")]
    Games {
        /// The first that is not there, from 0.
        index: usize,
        /// Games that were announced.
        n_games: usize,
    },
    /// Bytes follow the last game.
    #[error("{found} bytes follow the last game")]
    Trailing {
        /// How many.
        found: usize,
    },
}

impl Chunk {
    /// The chunk as bytes. They may be more than [`MAX_CHUNK_BYTES`]: then the games must be divided.
    ///
    /// # Panics
    ///
    /// With more than 65,535 games or remarks, or 256 models, or 16 MiB of games: whoever gathers games
    /// stops long before.
    pub fn encode(&self) -> Vec<u8> {
        assert!(self.models.len() <= MAX_MODELS, "a chunk has few models");
        let mut plain = Vec::with_capacity(self.unpacked_len());
        for game in &self.games {
            let remarks = u16::try_from(game.remarks.len()).expect("remarks are short");
            plain.extend(game.sequence.to_le_bytes());
            plain.extend(remarks.to_le_bytes());
            plain.extend((game.record.len() as u32).to_le_bytes());
            plain.extend(&game.remarks);
            plain.extend(&game.record);
        }
        assert!(plain.len() <= MAX_UNPACKED, "a chunk has few games");
        let packed = lz4_flex::block::compress(&plain);
        let n_games = u16::try_from(self.games.len()).expect("a chunk has few games");
        let mut bytes = Vec::with_capacity(HEAD_LEN + packed.len() + 64);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.run.0);
        bytes.extend(self.worker.to_le_bytes());
        bytes.extend((self.models.len() as u16).to_le_bytes());
        bytes.extend(n_games.to_le_bytes());
        bytes.extend((plain.len() as u32).to_le_bytes());
        bytes.extend((packed.len() as u32).to_le_bytes());
        for model in &self.models {
            bytes.extend(model.generation.to_le_bytes());
            bytes.extend(model.hash.0);
        }
        bytes.extend(packed);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Bytes of the games before they are packed.
    pub fn unpacked_len(&self) -> usize {
        let len = |game: &ChunkGame| GAME_HEAD_LEN + game.remarks.len() + game.record.len();
        self.games.iter().map(len).sum()
    }

    /// Reads what [`Chunk::encode`] wrote, in bounded memory whatever the bytes are.
    ///
    /// # Errors
    ///
    /// Anything but exactly one chunk of at most [`MAX_CHUNK_BYTES`].
    pub fn decode(bytes: &[u8]) -> Result<Chunk, ChunkFault> {
        let found = bytes.len();
        if found > MAX_CHUNK_BYTES {
            return Err(ChunkFault::Oversized { found });
        }
        let length = |expected| ChunkFault::Length { found, expected };
        let mut head = Bytes(bytes);
        let magic: [u8; 8] = head.array().ok_or(length(HEAD_LEN + 4))?;
        if magic != MAGIC {
            return Err(ChunkFault::Magic { found: magic });
        }
        let version = head.u32().ok_or(length(HEAD_LEN + 4))?;
        if version != VERSION {
            return Err(ChunkFault::Version { found: version });
        }
        let (body, checksum) = bytes
            .split_last_chunk::<4>()
            .filter(|(body, _)| body.len() >= HEAD_LEN)
            .ok_or(length(HEAD_LEN + 4))?;
        let (found, expected) = (crc32fast::hash(body), u32::from_le_bytes(*checksum));
        if found != expected {
            return Err(ChunkFault::Checksum { found, expected });
        }
        decode_body(&body[12..])
    }

    /// A name that only this chunk has: the broker takes messages of the same name once.
    pub(crate) fn message_id(bytes: &[u8]) -> String {
        let Some((body, checksum)) = bytes.split_last_chunk::<4>() else {
            return String::new();
        };
        let mut fields = Bytes(body.get(12..).unwrap_or_default());
        let run = RunId(fields.array().unwrap_or_default());
        let worker = fields.u32().unwrap_or_default();
        let checksum = u32::from_le_bytes(*checksum);
        format!("{run}-{worker}-{}-{checksum:08x}", body.len())
    }

    /// Run and worker of a chunk, of which nothing else is looked at.
    pub(crate) fn origin(bytes: &[u8]) -> Option<(RunId, u32)> {
        let mut fields = Bytes(bytes.strip_prefix(&MAGIC)?);
        (fields.u32()? == VERSION).then_some(())?;
        Some((RunId(fields.array()?), fields.u32()?))
    }
}

/// Reads what follows the version; the checksum was right.
fn decode_body(body: &[u8]) -> Result<Chunk, ChunkFault> {
    let mut fields = Bytes(body);
    let head = "the length of the head was compared";
    let run = RunId(fields.array().expect(head));
    let worker = fields.u32().expect(head);
    let n_models = usize::from(fields.u16().expect(head));
    let n_games = usize::from(fields.u16().expect(head));
    let unpacked_len = fields.u32().expect(head) as usize;
    let packed_len = fields.u32().expect(head) as usize;
    for (what, found, limit) in [
        ("models", n_models, MAX_MODELS),
        ("bytes of games", unpacked_len, MAX_UNPACKED),
    ] {
        if found > limit {
            return Err(ChunkFault::TooMany { what, found, limit });
        }
    }
    let expected = n_models * MODEL_LEN + packed_len;
    if fields.0.len() != expected {
        let others = HEAD_LEN + 4;
        return Err(ChunkFault::Length {
            found: others + fields.0.len(),
            expected: others + expected,
        });
    }
    let models = (0..n_models).map(|_| ModelUse {
        generation: fields.u32().expect(head),
        hash: Hash(fields.array().expect(head)),
    });
    let models = models.collect();
    let plain = lz4_flex::block::decompress(fields.0, unpacked_len).map_err(ChunkFault::Unpack)?;
    let mut rest = Bytes(&plain);
    let games = (0..n_games)
        .map(|index| rest.game().ok_or(ChunkFault::Games { index, n_games }))
        .collect::<Result<Vec<_>, _>>()?;
    match rest.0.len() {
        0 => Ok(Chunk {
            run,
            worker,
            models,
            games,
        }),
        found => Err(ChunkFault::Trailing { found }),
    }
}

/// Reads little-endian fields one after the other; `None` where they end.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (field, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(field)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn game(&mut self) -> Option<ChunkGame> {
        let sequence = self.u32()?;
        let remarks = usize::from(self.u16()?);
        let record = self.u32()? as usize;
        Some(ChunkGame {
            sequence,
            remarks: self.take(remarks)?.to_vec(),
            record: self.take(record)?.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests;
