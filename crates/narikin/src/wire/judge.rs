//! What the trainer makes of a message of games: each game is taken, known already, or refused with a
//! reason. Nothing here believes what a message says.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use data::GameRecord;
use fleet::{Chunk, ChunkFault, ChunkGame, Hash, ModelUse, RunId, SeenGames, Sender, game_id};
use rules::GameRules;

use super::read_remarks;
use crate::playing::worker::Played;

/// Why a message or a game is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// The message is too large.
    Oversized,
    /// The message is of another version.
    Version,
    /// The message has changed on its way.
    Damaged,
    /// The message is no message of games.
    Format,
    /// The message is of another run, or of another worker than its subject says.
    Foreign,
    /// The game's number, seed or remarks are not what they must be.
    Identity,
    /// The game cannot be decoded.
    Undecodable,
    /// The game cannot have been played.
    Impossible,
    /// The game was played by other rules.
    Rules,
    /// The game's model is none of this run.
    UnknownModel,
    /// The game was begun too many nets ago.
    Late,
}

impl Refusal {
    /// As reports spell it.
    pub fn word(self) -> &'static str {
        match self {
            Refusal::Oversized => "oversized",
            Refusal::Version => "version",
            Refusal::Damaged => "damaged",
            Refusal::Format => "format",
            Refusal::Foreign => "foreign",
            Refusal::Identity => "identity",
            Refusal::Undecodable => "undecodable",
            Refusal::Impossible => "impossible",
            Refusal::Rules => "rules",
            Refusal::UnknownModel => "unknown-model",
            Refusal::Late => "late",
        }
    }

    fn of(fault: &ChunkFault) -> Refusal {
        match fault {
            ChunkFault::Oversized { .. } => Refusal::Oversized,
            ChunkFault::Version { .. } => Refusal::Version,
            ChunkFault::Checksum { .. } => Refusal::Damaged,
            ChunkFault::Length { .. }
            | ChunkFault::Magic { .. }
            | ChunkFault::TooMany { .. }
            | ChunkFault::Unpack(_)
            | ChunkFault::Games { .. }
            | ChunkFault::Trailing { .. } => Refusal::Format,
        }
    }
}

/// What a message comes to.
#[derive(Default)]
pub struct Judged {
    /// Games to be stored.
    pub games: Vec<Played>,
    /// Games that are known.
    pub duplicates: u64,
    /// Games, or the whole message, refused.
    pub refused: BTreeMap<Refusal, u64>,
}

/// What games have to agree with.
pub struct Judge {
    /// The run.
    pub run: RunId,
    /// Its seed.
    pub seed: u64,
    /// The rules of its games.
    pub rules: GameRules,
    /// The most visits that a search of the run has.
    pub visits: u32,
    /// Nets that a game may have missed since it was begun.
    pub max_age_nets: u32,
    /// The folder of its nets.
    pub models: PathBuf,
    /// Games that are known.
    pub seen: SeenGames,
    /// Hashes of nets, as far as games have asked for them.
    pub hashes: BTreeMap<u32, Hash>,
}

impl Judge {
    /// Looks at a message that came on the subject of `sender`, while the net of `generation` is the
    /// newest. Games that are taken are known from then on.
    pub fn judge(&mut self, bytes: &[u8], sender: Option<Sender>, generation: u32) -> Judged {
        let mut judged = Judged::default();
        let chunk = match Chunk::decode(bytes) {
            Ok(chunk) => chunk,
            Err(fault) => {
                judged.refused.insert(Refusal::of(&fault), 1);
                return judged;
            }
        };
        let is_theirs = sender == Some(Sender::of(chunk.worker)) && chunk.worker != 0;
        if chunk.run != self.run || !is_theirs {
            judged.refused.insert(Refusal::Foreign, 1);
            return judged;
        }
        for game in &chunk.games {
            if self.seen.contains(game_id(chunk.worker, game.sequence)) {
                judged.duplicates += 1;
                continue;
            }
            match self.game(game, &chunk, generation) {
                Ok(played) => {
                    self.seen.insert(played.record.id);
                    judged.games.push(played);
                }
                Err(refusal) => *judged.refused.entry(refusal).or_default() += 1,
            }
        }
        judged
    }

    fn game(
        &mut self,
        game: &ChunkGame,
        chunk: &Chunk,
        generation: u32,
    ) -> Result<Played, Refusal> {
        let record = GameRecord::from_bytes(&game.record).map_err(|fault| match fault {
            data::BytesFault::Layout(_) => Refusal::Undecodable,
            data::BytesFault::Impossible(_) => Refusal::Impossible,
        })?;
        let id = game_id(chunk.worker, game.sequence);
        let is_ours = record.id == id && record.seed == search::mix_seed(self.seed, id);
        let searches = read_remarks(&game.remarks, record.plies.len(), self.visits);
        let searches = searches.filter(|_| is_ours).ok_or(Refusal::Identity)?;
        if record.rules != self.rules {
            return Err(Refusal::Rules);
        }
        let model = chunk
            .models
            .iter()
            .find(|model| model.generation == record.generation)
            .ok_or(Refusal::UnknownModel)?;
        if record.generation > generation || !self.knows(model) {
            return Err(Refusal::UnknownModel);
        }
        if generation - record.generation > self.max_age_nets {
            return Err(Refusal::Late);
        }
        let record = Box::new(record);
        Ok(Played { record, searches })
    }

    /// Whether this is the run's net of that generation.
    fn knows(&mut self, model: &ModelUse) -> bool {
        if model.generation == 0 {
            return model.hash == Hash::NONE;
        }
        let hash = match self.hashes.get(&model.generation) {
            Some(&hash) => hash,
            None => {
                let name = crate::train::model_name(model.generation);
                let Ok(bytes) = fs::read(self.models.join(name)) else {
                    return false;
                };
                let hash = Hash::of(&bytes);
                self.hashes.insert(model.generation, hash);
                hash
            }
        };
        hash == model.hash
    }
}

#[cfg(test)]
mod tests;
