//! Finished games into chunks: not too large for the broker, not too old when they leave.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Context;
use fleet::{Chunk, ChunkGame, Hash, MAX_GAME_BYTES, ModelUse, RunId, sequence_of};

use crate::playing::worker::Played;
use crate::report::terminal::note;
use crate::wire;

/// Bytes of games, not packed yet, that make a chunk.
const FULL_BYTES: usize = 512 << 10;
/// Games that make a chunk, however short they are.
const FULL_GAMES: usize = 1000;
/// Time after which a chunk leaves, however small it is.
const LEAVES_AFTER: Duration = Duration::from_secs(2);
/// Nets that are remembered: games in play may have begun with older ones.
const KNOWN_NETS: usize = 128;

/// Gathers games.
pub struct Gatherer {
    run: RunId,
    worker: u32,
    max_bytes: usize,
    nets: BTreeMap<u32, Hash>,
    games: Vec<Gathered>,
    bytes: usize,
    since: Instant,
    n_games: u64,
    n_plies: u64,
    n_lost: u64,
    generation: u32,
}

struct Gathered {
    generation: u32,
    game: ChunkGame,
}

impl Gatherer {
    /// For the games of `worker`, into chunks of at most `max_bytes`.
    pub fn new(run: RunId, worker: u32, max_bytes: usize) -> Gatherer {
        Gatherer {
            run,
            worker,
            max_bytes,
            nets: BTreeMap::new(),
            games: Vec::new(),
            bytes: 0,
            since: Instant::now(),
            n_games: 0,
            n_plies: 0,
            n_lost: 0,
            generation: 0,
        }
    }

    /// Remembers a net that games begin with from now on.
    pub fn know(&mut self, model: ModelUse) {
        self.generation = model.generation;
        self.nets.insert(model.generation, model.hash);
        while self.nets.len() > KNOWN_NETS {
            self.nets.pop_first();
        }
    }

    /// Takes a finished game.
    ///
    /// # Errors
    ///
    /// If it is none: a fault of this program.
    pub fn add(&mut self, played: &Played) -> anyhow::Result<()> {
        let record = played.record.to_bytes();
        let record = record.with_context(|| format!("game {} is impossible", played.record.id))?;
        if self.games.is_empty() {
            self.since = Instant::now();
        }
        self.n_games += 1;
        self.n_plies += played.record.plies.len() as u64;
        if record.len() > MAX_GAME_BYTES {
            self.lose(sequence_of(played.record.id), record.len());
            return Ok(());
        }
        self.bytes += record.len();
        self.games.push(Gathered {
            generation: played.record.generation,
            game: ChunkGame {
                sequence: sequence_of(played.record.id),
                remarks: wire::remarks_of(&played.searches),
                record,
            },
        });
        Ok(())
    }

    /// Chunks that should leave now.
    pub fn ready(&mut self) -> Vec<Vec<u8>> {
        let is_full = self.bytes >= FULL_BYTES || self.games.len() >= FULL_GAMES;
        if is_full || self.since.elapsed() >= LEAVES_AFTER {
            self.rest()
        } else {
            Vec::new()
        }
    }

    /// Chunks of all games that are left.
    pub fn rest(&mut self) -> Vec<Vec<u8>> {
        let mut games = std::mem::take(&mut self.games);
        self.bytes = 0;
        let mut chunks = Vec::new();
        while !games.is_empty() {
            let mut n_games = whole(&games);
            loop {
                let bytes = self.chunk(&games[..n_games]).encode();
                if bytes.len() <= self.max_bytes {
                    chunks.push(bytes);
                    break;
                }
                if n_games == 1 {
                    self.lose(games[0].game.sequence, bytes.len());
                    break;
                }
                n_games = n_games.div_ceil(2);
            }
            games.drain(..n_games);
        }
        chunks
    }

    fn lose(&mut self, sequence: u32, n_bytes: usize) {
        self.n_lost += 1;
        note(&format!(
            "game {sequence} is lost: {n_bytes} bytes are more than can be sent"
        ));
    }

    fn chunk(&self, games: &[Gathered]) -> Chunk {
        let generations: BTreeMap<u32, Hash> = games
            .iter()
            .filter_map(|game| {
                let hash = self.nets.get(&game.generation)?;
                Some((game.generation, *hash))
            })
            .collect();
        let model = |(generation, hash)| ModelUse { generation, hash };
        Chunk {
            run: self.run,
            worker: self.worker,
            models: generations.into_iter().map(model).collect(),
            games: games.iter().map(|gathered| gathered.game.clone()).collect(),
        }
    }

    /// Games taken so far.
    pub fn games(&self) -> u64 {
        self.n_games
    }

    /// Plies of these.
    pub fn plies(&self) -> u64 {
        self.n_plies
    }

    /// Games that were too large for the broker.
    pub fn lost(&self) -> u64 {
        self.n_lost
    }

    /// The net that games begin with now.
    pub fn generation(&self) -> u32 {
        self.generation
    }
}

/// Games at the front that make a chunk together, at least one.
fn whole(games: &[Gathered]) -> usize {
    let mut bytes = 0;
    let fitting = games.iter().take(FULL_GAMES).take_while(|gathered| {
        bytes += gathered.game.record.len();
        bytes <= 4 * FULL_BYTES
    });
    fitting.count().max(1)
}

#[cfg(test)]
mod tests;
