//! The frame of a record file: header, one block per game, end mark. All numbers little-endian;
//! `docs/record-format.md` has the layout.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use super::error::{Damage, RecordError};

/// Number of the record format, in the head of each file.
pub const RECORD_VERSION: u32 = 1;

/// First bytes of a record file. As in PNG, they do not survive a transfer as text.
pub(super) const MAGIC: [u8; 8] = *b"\x89NKG\r\n\x1a\n";
/// Length of magic, version and checksum.
pub(super) const HEADER_LEN: u64 = 16;
const GAME_MARK: [u8; 4] = *b"GAME";
const END_MARK: [u8; 4] = *b"END.";
/// Mark, packed length, unpacked length, checksum.
const BLOCK_HEADER_LEN: usize = 16;
/// Mark, games, checksum of all blocks' checksums, checksum.
const END_LEN: usize = 16;
/// More than any game's bytes, packed or not: bounds what a reader allocates.
pub(super) const MAX_BLOCK_LEN: u32 = 1 << 26;

/// The head of a record file.
pub(super) fn header() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(RECORD_VERSION.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// A game's bytes as a block of the file, and the block's checksum.
pub(super) fn game_block(game: &[u8]) -> (Vec<u8>, u32) {
    let packed = lz4_flex::block::compress(game);
    let lengths = lengths_field(packed.len() as u32, game.len() as u32);
    let checksum = block_checksum(lengths, &packed);
    let mut block = Vec::with_capacity(BLOCK_HEADER_LEN + packed.len());
    block.extend(GAME_MARK);
    block.extend(lengths);
    block.extend(checksum.to_le_bytes());
    block.extend(packed);
    (block, checksum)
}

/// What a shard holds so far; the end mark repeats it.
#[derive(Clone, Default)]
pub(super) struct Tally {
    pub(super) n_games: u32,
    checksums: Hasher,
}

impl Tally {
    /// Counts a block.
    pub(super) fn add(&mut self, checksum: u32) {
        self.n_games += 1;
        self.checksums.update(&checksum.to_le_bytes());
    }

    /// The end mark of a sealed shard.
    pub(super) fn end_mark(&self) -> Vec<u8> {
        let mut bytes = END_MARK.to_vec();
        bytes.extend(self.n_games.to_le_bytes());
        bytes.extend(self.checksums.clone().finalize().to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

fn lengths_field(packed: u32, unpacked: u32) -> [u8; 8] {
    let mut field = [0; 8];
    field[..4].copy_from_slice(&packed.to_le_bytes());
    field[4..].copy_from_slice(&unpacked.to_le_bytes());
    field
}

fn block_checksum(lengths: [u8; 8], packed: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(&lengths);
    hasher.update(packed);
    hasher.finalize()
}

/// What follows in the file.
pub(super) enum Block {
    /// A game, its checksum already compared.
    Game {
        packed: Vec<u8>,
        unpacked_len: usize,
    },
    /// The end mark of a sealed shard, already compared with what came before it.
    End,
    /// The file ends between two blocks.
    EndOfFile,
}

/// Reads the frame of one file, from the front.
pub(super) struct BlockReader {
    path: PathBuf,
    file: BufReader<File>,
    file_len: u64,
    /// Where the next block begins: all before it is sound.
    pub(super) offset: u64,
    /// The games before that.
    pub(super) tally: Tally,
}

impl BlockReader {
    /// Opens a record file and compares its head.
    pub(super) fn open(path: &Path) -> Result<Self, RecordError> {
        let opening = RecordError::io("open record file", path);
        let file = File::open(path).map_err(&opening)?;
        let file_len = file.metadata().map_err(&opening)?.len();
        let (path, file) = (path.to_owned(), BufReader::with_capacity(1 << 16, file));
        let mut reader = Self {
            path,
            file,
            file_len,
            offset: 0,
            tally: Tally::default(),
        };
        reader.read_header()?;
        Ok(reader)
    }

    /// Path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file that have not been read.
    pub(super) fn n_left(&self) -> u64 {
        self.file_len - self.offset
    }

    /// The damage as an error at the current offset.
    pub(super) fn damaged(&self, damage: Damage) -> RecordError {
        RecordError::Damaged {
            path: self.path.clone(),
            offset: self.offset,
            damage,
        }
    }

    fn read_header(&mut self) -> Result<(), RecordError> {
        if self.file_len < HEADER_LEN {
            let (found, expected) = (self.file_len, HEADER_LEN);
            return Err(self.damaged(Damage::Truncated {
                part: "file header",
                found,
                expected,
            }));
        }
        let magic: [u8; 8] = self.read()?;
        let version: [u8; 4] = self.read()?;
        let checksum: [u8; 4] = self.read()?;
        let found_version = u32::from_le_bytes(version);
        if magic != MAGIC {
            return Err(self.damaged(Damage::Magic { found: magic }));
        }
        if found_version != RECORD_VERSION {
            return Err(self.damaged(Damage::Version {
                found: found_version,
            }));
        }
        let found = crc32fast::hash(&[&magic[..], &version].concat());
        self.compare("file header", found, u32::from_le_bytes(checksum))?;
        self.offset = HEADER_LEN;
        Ok(())
    }

    /// Reads what comes next. After an error or [`Block::End`] there is nothing more to read.
    pub(super) fn next_block(&mut self) -> Result<Block, RecordError> {
        match self.n_left() {
            0 => return Ok(Block::EndOfFile),
            found @ 1..4 => {
                let damage = Damage::Truncated {
                    part: "block mark",
                    found,
                    expected: 4,
                };
                return Err(self.damaged(damage));
            }
            _ => {}
        }
        match self.read()? {
            GAME_MARK => self.game(),
            END_MARK => self.end(),
            found => Err(self.damaged(Damage::Marker { found })),
        }
    }

    fn game(&mut self) -> Result<Block, RecordError> {
        self.expect_left("block header", BLOCK_HEADER_LEN as u64)?;
        let lengths: [u8; 8] = self.read()?;
        let checksum = u32::from_le_bytes(self.read()?);
        let [packed_len, unpacked_len] =
            [0, 4].map(|at| u32::from_le_bytes([0, 1, 2, 3].map(|i| lengths[at + i])));
        if let Some(found) = [packed_len, unpacked_len]
            .into_iter()
            .find(|&l| l > MAX_BLOCK_LEN)
        {
            return Err(self.damaged(Damage::BlockLength { found }));
        }
        let block_len = BLOCK_HEADER_LEN as u64 + u64::from(packed_len);
        self.expect_left("block", block_len)?;
        let mut packed = vec![0; packed_len as usize];
        self.fill(&mut packed)?;
        self.compare("block", block_checksum(lengths, &packed), checksum)?;
        self.offset += block_len;
        self.tally.add(checksum);
        Ok(Block::Game {
            packed,
            unpacked_len: unpacked_len as usize,
        })
    }

    fn end(&mut self) -> Result<Block, RecordError> {
        self.expect_left("end mark", END_LEN as u64)?;
        let (n_games, digest, checksum): ([u8; 4], [u8; 4], [u8; 4]) =
            (self.read()?, self.read()?, self.read()?);
        let found = crc32fast::hash(&[END_MARK, n_games, digest].concat());
        self.compare("end mark", found, u32::from_le_bytes(checksum))?;
        let (found, expected) = (self.tally.n_games, u32::from_le_bytes(n_games));
        if found != expected {
            return Err(self.damaged(Damage::Games { found, expected }));
        }
        let found = self.tally.checksums.clone().finalize();
        self.compare("list of games", found, u32::from_le_bytes(digest))?;
        self.offset += END_LEN as u64;
        Ok(Block::End)
    }

    fn expect_left(&self, part: &'static str, expected: u64) -> Result<(), RecordError> {
        let found = self.n_left();
        if found < expected {
            return Err(self.damaged(Damage::Truncated {
                part,
                found,
                expected,
            }));
        }
        Ok(())
    }

    fn compare(&self, part: &'static str, found: u32, expected: u32) -> Result<(), RecordError> {
        if found != expected {
            return Err(self.damaged(Damage::Checksum {
                part,
                found,
                expected,
            }));
        }
        Ok(())
    }

    fn read<const N: usize>(&mut self) -> Result<[u8; N], RecordError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), RecordError> {
        let reading = |source: io::Error| RecordError::io("read record file", &self.path)(source);
        self.file.read_exact(bytes).map_err(reading)
    }
}
