//! A pair of games of a rating pool as a message, and its result.

use anyhow::{Context, ensure};
use arena::{Baseline, MatchOptions, OpeningOptions, Player, StoredGame, audit};
use clap::ValueEnum;
use fleet::{MAX_PAIR_BYTES, ModelRef};
use search::SearchOptions;
use serde::{Deserialize, Serialize};

use crate::nets::{CpuPrecision, Net};
use crate::run_folder::VERSION;

/// Number of the format of [`PairOrder`] and [`PairResult`].
const FORMAT: u32 = 1;
/// More visits than anybody asks for: what a worker allocates for a search is in proportion.
const MAX_VISITS: u32 = 10_000_000;
/// The longest name of a worker that is kept.
const MAX_LABEL: usize = 64;

/// Which pair of a pool it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairId {
    /// Place of A among the players of the pool.
    pub a: usize,
    /// Place of B.
    pub b: usize,
    /// Number of the pair among the pairs of these two.
    pub pair: u32,
}

/// A player that can play anywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
pub enum PairPlayer {
    /// One of the program's own.
    Baseline {
        /// Its name.
        name: String,
    },
    /// A net.
    Net {
        /// Where it is.
        model: ModelRef,
        /// Visits per move.
        visits: u32,
        /// How exactly it is computed, in the words of `--precision`.
        precision: String,
    },
}

/// What is to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairOrder {
    format: u32,
    /// Version of the program that asks: another one's default search may be another.
    program: String,
    /// Which pair it is.
    pub id: PairId,
    /// A match of this pair.
    pub options: MatchOptions,
    /// The player that sits at A.
    pub a: PairPlayer,
    /// The player that sits at B.
    pub b: PairPlayer,
}

/// What was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairResult {
    format: u32,
    /// Which pair it is.
    pub id: PairId,
    /// What the worker is called.
    pub worker: String,
    /// Both games.
    pub games: Vec<StoredGame>,
}

impl PairOrder {
    /// The order to play `id` of the match `options`, which has that one pair.
    pub fn new(id: PairId, options: MatchOptions, a: PairPlayer, b: PairPlayer) -> PairOrder {
        PairOrder {
            format: FORMAT,
            program: VERSION.to_owned(),
            id,
            options,
            a,
            b,
        }
    }

    /// The order as a message.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("an order is plain JSON")
    }

    /// Reads an order that this program can obey.
    ///
    /// # Errors
    ///
    /// If it is of another version, or asks for what nobody would.
    pub fn read(bytes: &[u8]) -> anyhow::Result<PairOrder> {
        check_format(bytes, "an order for a pair")?;
        let order: PairOrder = serde_json::from_slice(bytes).context("an order for a pair")?;
        ensure!(
            order.program == VERSION,
            "the pair is asked for by narikin {}, this is {VERSION}: use the same one",
            order.program
        );
        order.options.check().context("an order for a pair")?;
        let names_opening = matches!(&order.options.openings, OpeningOptions::List { openings } if openings.len() == 1);
        ensure!(
            order.options.games == 2 && names_opening,
            "an order for a pair that is none"
        );
        Ok(order)
    }
}

impl PairResult {
    /// The result of `worker`.
    pub fn new(id: PairId, worker: &str, games: Vec<StoredGame>) -> PairResult {
        PairResult {
            format: FORMAT,
            id,
            worker: worker.to_owned(),
            games,
        }
    }

    /// The result as a message.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a result is plain JSON")
    }

    /// Reads a result as far as it can be read without knowing the pool.
    ///
    /// # Errors
    ///
    /// If it is too large, no result, or of another version.
    pub fn read(bytes: &[u8]) -> anyhow::Result<PairResult> {
        ensure!(
            bytes.len() <= MAX_PAIR_BYTES,
            "a result of {} bytes, expected at most {MAX_PAIR_BYTES}",
            bytes.len()
        );
        check_format(bytes, "a result")?;
        let mut result: PairResult = serde_json::from_slice(bytes).context("a result")?;
        let readable = result.worker.chars().filter(|c| !c.is_control());
        result.worker = readable.take(MAX_LABEL).collect();
        Ok(result)
    }

    /// Whether these can be the games of `options`, a match of one pair, by replaying them.
    ///
    /// # Errors
    ///
    /// The first thing that cannot be.
    pub fn check(&self, options: &MatchOptions) -> anyhow::Result<()> {
        let numbers: Vec<u32> = self.games.iter().map(|game| game.game).collect();
        ensure!(
            numbers == [0, 1],
            "a pair with the games {numbers:?}, expected [0, 1]"
        );
        for game in &self.games {
            audit(game, options)?;
        }
        Ok(())
    }
}

/// Before anything else is looked at, so that the message is about the version.
fn check_format(bytes: &[u8], what: &'static str) -> anyhow::Result<()> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let Format { format } = serde_json::from_slice(bytes).context(what)?;
    ensure!(
        format == FORMAT,
        "{what} has format {format}, this program reads {FORMAT}"
    );
    Ok(())
}

impl PairPlayer {
    /// The player at a table of two games; `net` finds the net that is meant.
    ///
    /// # Errors
    ///
    /// If there is no such baseline, or the net cannot be run.
    pub fn player(
        &self,
        net: impl FnOnce(&ModelRef) -> anyhow::Result<Net>,
    ) -> anyhow::Result<Player<'static>> {
        match self {
            PairPlayer::Baseline { name } => {
                let known = Baseline::ALL.iter().find(|known| known.name() == name);
                let known = known.with_context(|| format!("there is no baseline {name:?}"))?;
                Ok(Player::baseline(*known))
            }
            PairPlayer::Net {
                model,
                visits,
                precision,
            } => {
                ensure!(
                    (1..=MAX_VISITS).contains(visits),
                    "{visits} visits: expected 1 to {MAX_VISITS}"
                );
                let precision = CpuPrecision::from_str(precision, false)
                    .map_err(|_| anyhow::anyhow!("there is no precision {precision:?}"))?;
                let options = SearchOptions {
                    visits: *visits,
                    ..SearchOptions::default()
                };
                let evaluator = net(model)?.with_precision(precision)?.evaluator(2)?;
                Ok(Player::net(&model.object, options, evaluator))
            }
        }
    }
}

#[cfg(test)]
mod tests;
