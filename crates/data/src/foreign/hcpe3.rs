//! hcpe3: whole games with the candidate moves of each search, of dlshogi.

use std::path::Path;

use rules::{Move, Position};

use super::error::{ForeignError, ForeignFault, WriteFault};
use super::file::{ByteReader, ByteWriter};
use super::huffman::{PACKED_LEN, PositionCode};
use super::positions::{checked_move, pack_for_dlshogi};
use super::result::GameResult;
use super::{ForeignFormat, Handicaps, MoveCode};

/// Bytes before the first ply of a game.
const HEADER_LEN: usize = 36;

/// Most plies of a game that dlshogi reads.
pub const HCPE3_MAX_PLIES: usize = 513;

/// One game of an hcpe3 file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hcpe3Game {
    /// Where the game began; its ply is not in the file and read as 0.
    pub start: Position,
    /// How it ended.
    pub result: GameResult,
    /// Who played.
    pub opponent: Opponent,
    /// What happened at each ply.
    pub plies: Vec<Hcpe3Ply>,
}

impl Hcpe3Game {
    /// Bytes of the game in a file.
    pub(super) fn n_bytes(&self) -> u64 {
        let candidates: usize = self.plies.iter().map(|ply| ply.candidates.len()).sum();
        (HEADER_LEN + 6 * self.plies.len() + 4 * candidates) as u64
    }
}

/// Whose opponent the engine was whose searches are in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Opponent {
    /// Its own: both sides' searches are there.
    #[default]
    Itself,
    /// Black was a USI engine.
    BlackEngine,
    /// White was a USI engine.
    WhiteEngine,
}

/// One ply of an hcpe3 game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hcpe3Ply {
    /// The move played.
    pub mv: Move,
    /// Evaluation in centipawns, of the side to move; 30,000 and more is a mate.
    pub eval: i16,
    /// Moves with their visits, each at most once. Empty: nothing is learnt from this ply (an
    /// opening move, a mate, the opponent's move). A single one counts as the whole policy,
    /// whatever its visits.
    pub candidates: Vec<(Move, u16)>,
}

/// Games of a file, and what they hold, without a look at positions and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hcpe3Counts {
    /// Games.
    pub games: u64,
    /// Plies of all games.
    pub plies: u64,
    /// Plies with candidates.
    pub positions: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// Games that White won.
    pub white_wins: u64,
}

/// The games of one file, in the order of the file, whatever its size: one is held at a time.
///
/// Each is replayed: every move played and every candidate is legal. After the first error the
/// iterator ends.
pub struct Hcpe3Reader {
    bytes: ByteReader,
    done: bool,
}

impl Hcpe3Reader {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open(path: &Path) -> Result<Self, ForeignError> {
        Ok(Self {
            bytes: ByteReader::open(path, ForeignFormat::Hcpe3)?,
            done: false,
        })
    }

    /// Counts games and plies without replaying them: many times faster than reading, and blind to
    /// illegal moves.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, ends within a game, or a game has an impossible result.
    pub fn count(path: &Path) -> Result<Hcpe3Counts, ForeignError> {
        let mut bytes = ByteReader::open(path, ForeignFormat::Hcpe3)?;
        let mut counts = Hcpe3Counts::default();
        while !bytes.at_end()? {
            let header = Header::read(&mut bytes)?;
            for _ in 0..header.n_plies {
                bytes.skip("ply", 4)?;
                let n_candidates = bytes.u16("number of candidates")?;
                bytes.skip("candidates", 4 * u64::from(n_candidates))?;
                counts.positions += u64::from(n_candidates > 0);
            }
            counts.games += 1;
            counts.plies += u64::from(header.n_plies);
            counts.black_wins += u64::from(header.result.winner == Some(rules::Color::Black));
            counts.white_wins += u64::from(header.result.winner == Some(rules::Color::White));
            bytes.record += 1;
        }
        Ok(counts)
    }

    /// Whether a header and the first move of a game can be read; the reader is then used up.
    pub(super) fn begins_with_a_move(mut self) -> bool {
        let mut first_move = || -> Result<bool, ForeignError> {
            let header = Header::read(&mut self.bytes)?;
            let Ok(start) = PositionCode::Hcp.unpack(&header.start, 0) else {
                return Ok(false);
            };
            let found = self.bytes.u16("move")?;
            let mv = MoveCode::Apery.read(found).flatten();
            Ok(mv.is_some_and(|mv| start.is_legal(mv)))
        };
        first_move().unwrap_or(false)
    }

    fn read(&mut self) -> Result<Option<Hcpe3Game>, ForeignError> {
        if self.bytes.at_end()? {
            return Ok(None);
        }
        let offset = self.bytes.offset;
        let header = Header::read(&mut self.bytes)?;
        let start = PositionCode::Hcp
            .unpack(&header.start, 0)
            .map_err(|fault| self.bytes.damaged(offset, ForeignFault::Position(fault)))?;
        let mut position = start.clone();
        // No capacity in advance: the number may be damaged.
        let mut plies = Vec::new();
        for _ in 0..header.n_plies {
            let ply = read_ply(&mut self.bytes, &position)?;
            position.do_move(ply.mv);
            plies.push(ply);
        }
        self.bytes.record += 1;
        Ok(Some(Hcpe3Game {
            start,
            result: header.result,
            opponent: header.opponent,
            plies,
        }))
    }
}

impl Iterator for Hcpe3Reader {
    type Item = Result<Hcpe3Game, ForeignError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = self.read().transpose();
        self.done = !matches!(game, Some(Ok(_)));
        game
    }
}

struct Header {
    start: [u8; PACKED_LEN],
    n_plies: u16,
    result: GameResult,
    opponent: Opponent,
}

impl Header {
    fn read(bytes: &mut ByteReader) -> Result<Self, ForeignError> {
        let start = bytes.array("game's header")?;
        let n_plies = bytes.u16("game's header")?;
        let offset = bytes.offset;
        let [result, opponent] = bytes.array("game's header")?;
        let result = GameResult::read(result).map_err(|fault| bytes.damaged(offset, fault))?;
        let opponent = match opponent {
            0 => Opponent::Itself,
            1 => Opponent::BlackEngine,
            2 => Opponent::WhiteEngine,
            found => {
                return Err(bytes.damaged(offset + 1, ForeignFault::Opponent { found }));
            }
        };
        Ok(Self {
            start,
            n_plies,
            result,
            opponent,
        })
    }
}

fn read_ply(bytes: &mut ByteReader, position: &Position) -> Result<Hcpe3Ply, ForeignError> {
    let mut legal = position.legal_moves().to_vec();
    legal.sort_unstable();
    let offset = bytes.offset;
    let mv = read_move(bytes, "move", position, &legal)?;
    let Some(mv) = mv else {
        let (field, found) = ("move", 0);
        return Err(bytes.damaged(offset, ForeignFault::MoveCode { field, found }));
    };
    let eval = bytes.u16("ply")? as i16;
    let offset = bytes.offset;
    let n_candidates = bytes.u16("number of candidates")?;
    if legal.len() < usize::from(n_candidates) {
        let fault = ForeignFault::Candidates {
            found: n_candidates,
            limit: legal.len(),
            sfen: position.to_string(),
        };
        return Err(bytes.damaged(offset, fault));
    }
    let mut candidates: Vec<(Move, u16)> = Vec::with_capacity(usize::from(n_candidates));
    for _ in 0..n_candidates {
        let offset = bytes.offset;
        let candidate = read_move(bytes, "candidate", position, &legal)?;
        let fault = match candidate {
            None => {
                let (field, found) = ("candidate", 0);
                ForeignFault::MoveCode { field, found }
            }
            Some(mv) if candidates.iter().any(|&(other, _)| other == mv) => {
                ForeignFault::RepeatedCandidate { mv }
            }
            Some(mv) => {
                candidates.push((mv, bytes.u16("candidate")?));
                continue;
            }
        };
        return Err(bytes.damaged(offset, fault));
    }
    if candidates.len() > 1 && candidates.iter().all(|&(_, visits)| visits == 0) {
        let fault = ForeignFault::NoVisits {
            found: n_candidates,
        };
        return Err(bytes.damaged(offset, fault));
    }
    Ok(Hcpe3Ply {
        mv,
        eval,
        candidates,
    })
}

fn read_move(
    bytes: &mut ByteReader,
    field: &'static str,
    position: &Position,
    legal: &[Move],
) -> Result<Option<Move>, ForeignError> {
    let offset = bytes.offset;
    let found = bytes.u16(field)?;
    checked_move(field, found, MoveCode::Apery, |mv| {
        legal.binary_search(&mv).is_ok()
    })
    .map_err(|wrong| bytes.damaged(offset, wrong.described(|| position.to_string())))
}

/// Writes an hcpe3 file: whole, or not at all.
pub struct Hcpe3Writer {
    bytes: ByteWriter,
    handicaps: Handicaps,
}

impl Hcpe3Writer {
    /// Begins a file. What had the name `path` before is replaced when the new file is
    /// [finished](Self::finish).
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub fn create(path: &Path, handicaps: Handicaps) -> Result<Self, ForeignError> {
        Ok(Self {
            bytes: ByteWriter::create(path, ForeignFormat::Hcpe3)?,
            handicaps,
        })
    }

    /// Appends a game. That its moves are legal is the caller's business.
    ///
    /// # Errors
    ///
    /// If dlshogi could not read it (the file is then as before), or the disk refuses.
    pub fn write(&mut self, game: &Hcpe3Game) -> Result<(), ForeignError> {
        let bytes = encode(game, self.handicaps).map_err(|fault| self.bytes.refused(fault))?;
        self.bytes.append(&bytes)
    }

    /// Makes the file durable and gives it its name; returns the number of games in it.
    ///
    /// # Errors
    ///
    /// If the disk refuses; what had the name before is then still there.
    pub fn finish(self) -> Result<u64, ForeignError> {
        self.bytes.finish()
    }
}

fn encode(game: &Hcpe3Game, handicaps: Handicaps) -> Result<Vec<u8>, WriteFault> {
    if HCPE3_MAX_PLIES < game.plies.len() {
        return Err(WriteFault::TooLong {
            found: game.plies.len(),
            limit: HCPE3_MAX_PLIES,
        });
    }
    let mut bytes = Vec::with_capacity(64 * (1 + game.plies.len()));
    bytes.extend(pack_for_dlshogi(&game.start, handicaps)?);
    bytes.extend((game.plies.len() as u16).to_le_bytes());
    bytes.push(game.result.code());
    bytes.push(match game.opponent {
        Opponent::Itself => 0,
        Opponent::BlackEngine => 1,
        Opponent::WhiteEngine => 2,
    });
    for ply in &game.plies {
        bytes.extend(ply.mv.raw().to_le_bytes());
        bytes.extend(ply.eval.to_le_bytes());
        bytes.extend((ply.candidates.len() as u16).to_le_bytes());
        for (mv, visits) in &ply.candidates {
            bytes.extend(mv.raw().to_le_bytes());
            bytes.extend(visits.to_le_bytes());
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
