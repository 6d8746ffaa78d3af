//! The replay window: the newest games, packed, and random batches of their positions.

mod packed;

use std::collections::VecDeque;
use std::path::Path;

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::batch::{Batch, Draw};
use crate::record::{GameRecord, PlyKind};
use crate::shard::{RecordError, RecordReader, list_shards};
use crate::targets::N_HORIZONS;
pub(crate) use packed::PackedGame;

/// How finished games become samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SampleOptions {
    /// Trust in the result against the search's next opinions in the value target, in `[0, 1]`:
    /// 1 is the result alone.
    pub lambda: f32,
    /// Weight of the value loss in games that ended by the ply limit, in `[0, 1]`: such a draw
    /// says little about the position.
    pub cap_weight: f32,
    /// Whether plies of fast searches are samples too: for their value, and for their policy
    /// where one was recorded.
    pub fast_plies: bool,
    /// Whether every other sample is mirrored (left and right exchanged) when drawn.
    pub mirror: bool,
    /// How many plies the two short-horizon value targets look ahead on average, each at least 1.
    /// Used where a network has heads for them.
    pub short_horizons: [f32; N_HORIZONS],
    /// Whether batches have the targets of auxiliary heads. No key of its own: it follows from the
    /// heads that the network in training has.
    #[serde(skip)]
    pub auxiliary: bool,
}

impl Default for SampleOptions {
    /// `lambda`: 0.95 kept the value honest on unseen games in the prototype's runs, where the
    /// result alone was learnt by heart. `cap_weight`, `short_horizons`: a guess.
    fn default() -> Self {
        Self {
            lambda: 0.95,
            cap_weight: 0.5,
            fast_plies: true,
            mirror: true,
            short_horizons: [6.0, 16.0],
            auxiliary: false,
        }
    }
}

impl SampleOptions {
    /// Whether plies of this kind are samples.
    pub fn admits(&self, kind: PlyKind) -> bool {
        match kind {
            PlyKind::Full | PlyKind::Mate => true,
            PlyKind::Fast => self.fast_plies,
            PlyKind::Opening => false,
        }
    }

    /// Looks at the ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        for (key, found) in [("lambda", self.lambda), ("cap_weight", self.cap_weight)] {
            if !(0.0..=1.0).contains(&found) {
                return Err((key, format!("{found}: expected a number from 0 to 1")));
            }
        }
        let is_horizon = |plies: &f32| plies.is_finite() && 1.0 <= *plies;
        if !self.short_horizons.iter().all(is_horizon) {
            let message = format!(
                "{:?}: expected two numbers of at least 1",
                self.short_horizons
            );
            return Err(("short_horizons", message));
        }
        Ok(())
    }
}

/// The newest games, bounded in positions, in a form that is small and quick to sample.
///
/// A *position* here is a ply that may be drawn: all but those of kind `Opening` (and, if the
/// options say so, `Fast`). A position costs about 15 bytes and 4 per move of its policy, and 24
/// more where auxiliary heads are taught.
pub struct Window {
    options: SampleOptions,
    games: VecDeque<Slot>,
}

struct Slot {
    /// Number of the game's first position, counted over all games ever pushed.
    first: u64,
    game: PackedGame,
}

impl Window {
    /// An empty window. Targets are computed when a game comes in, so the options are fixed.
    pub fn new(options: SampleOptions) -> Self {
        Self {
            options,
            games: VecDeque::new(),
        }
    }

    /// Takes a finished game as the newest. The record must have passed [`GameRecord::check`], as
    /// everything has that a writer took or a reader gave. A game without positions is passed over.
    pub fn push(&mut self, record: &GameRecord) {
        self.push_packed(PackedGame::new(record, &self.options));
    }

    fn push_packed(&mut self, game: PackedGame) {
        if game.n_positions() > 0 {
            self.games.push_back(Slot {
                first: self.end(),
                game,
            });
        }
    }

    /// Drops oldest games until at most `n_positions` are left, but keeps the newest game.
    pub fn truncate(&mut self, n_positions: usize) {
        while self.games.len() > 1 && self.n_positions() > n_positions {
            self.games.pop_front();
        }
    }

    /// Replaces the content by the newest games on disk that make up `n_positions`, or by all if
    /// there are fewer: what [`Window::push`] and [`Window::truncate`] would have left.
    ///
    /// # Errors
    ///
    /// If the folder or one of the shards that are needed cannot be read; the window is then
    /// unchanged.
    pub fn refill(&mut self, dir: &Path, n_positions: usize) -> Result<(), RecordError> {
        let mut newest_first = Vec::new();
        let mut n_found = 0;
        for shard in list_shards(dir)?.iter().rev() {
            if n_found >= n_positions {
                break;
            }
            let games = RecordReader::open(&shard.path)?
                .map(|record| Ok(PackedGame::new(&record?, &self.options)))
                .collect::<Result<Vec<_>, RecordError>>()?;
            n_found += games.iter().map(PackedGame::n_positions).sum::<usize>();
            newest_first.push(games);
        }
        self.games.clear();
        for game in newest_first.into_iter().rev().flatten() {
            self.push_packed(game);
        }
        self.truncate(n_positions);
        Ok(())
    }

    /// Positions that can be drawn.
    pub fn n_positions(&self) -> usize {
        (self.end() - self.start()) as usize
    }

    /// Games with at least one position.
    pub fn n_games(&self) -> usize {
        self.games.len()
    }

    /// Memory that the packed games hold, in bytes.
    pub fn n_bytes(&self) -> usize {
        self.games
            .iter()
            .map(|slot| size_of::<Slot>() + slot.game.n_heap_bytes())
            .sum()
    }

    /// Draws `n` positions, each uniformly and independently, mirrored with probability 1/2 if the
    /// options say so. The same window and random state give the same bytes, whatever the number
    /// of threads.
    ///
    /// # Panics
    ///
    /// If the window is empty.
    pub fn sample_batch(&self, n: usize, rng: &mut impl Rng) -> Batch {
        assert!(
            !self.games.is_empty(),
            "an empty window has nothing to draw"
        );
        let positions = self.start()..self.end();
        let draws: Vec<_> = (0..n)
            .map(|_| {
                let number = rng.random_range(positions.clone());
                let mirrored = self.options.mirror && rng.random();
                self.draw(number, mirrored)
            })
            .collect();
        Batch::encode(&draws, self.options.auxiliary)
    }

    fn draw(&self, number: u64, mirrored: bool) -> Draw<'_> {
        let slot_idx = self.games.partition_point(|slot| slot.first <= number) - 1;
        let Slot { first, game } = &self.games[slot_idx];
        Draw {
            game,
            sample: (number - first) as usize,
            mirrored,
        }
    }

    fn start(&self) -> u64 {
        self.games.front().map_or(0, |slot| slot.first)
    }

    fn end(&self) -> u64 {
        self.games
            .back()
            .map_or(0, |slot| slot.first + slot.game.n_positions() as u64)
    }
}

/// Positions of games that have not been trained on: see [`unseen_positions`].
#[derive(Debug, Clone)]
pub struct UnseenPositions {
    /// The positions, as they are.
    pub batch: Batch,
    /// The first of them once more, with left and right exchanged.
    pub mirrored: Batch,
    /// Where each of them is from.
    pub places: Vec<UnseenPlace>,
}

/// Where a position is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnseenPlace {
    /// Index of the game among those given.
    pub game: usize,
    /// The ply, from 0, before which the position stood on the board.
    pub ply: usize,
}

/// The positions of given games as one batch, never mirrored: to score a model on games that it
/// has not been trained on yet. At most `limit` different ones, drawn at random; all, in order,
/// if there are no more.
pub fn unseen_batch(
    records: &[GameRecord],
    limit: usize,
    options: &SampleOptions,
    rng: &mut impl Rng,
) -> Batch {
    unseen_positions(records, limit, 0, options, rng).batch
}

/// [`unseen_batch`] with the places, and the first `n_mirrored` positions once more in mirrored form.
pub fn unseen_positions(
    records: &[GameRecord],
    limit: usize,
    n_mirrored: usize,
    options: &SampleOptions,
    rng: &mut impl Rng,
) -> UnseenPositions {
    let mut window = Window::new(*options);
    records.iter().for_each(|record| window.push(record));
    let all_places = places(records, options);
    let mut numbers: Vec<u64> = (window.start()..window.end()).collect();
    if limit < numbers.len() {
        // The front of a Fisher-Yates shuffle.
        for chosen in 0..limit {
            let other = rng.random_range(chosen..numbers.len());
            numbers.swap(chosen, other);
        }
        numbers.truncate(limit);
    }
    let encode = |numbers: &[u64], mirrored: bool| {
        let draws: Vec<_> = numbers
            .iter()
            .map(|&number| window.draw(number, mirrored))
            .collect();
        Batch::encode(&draws, options.auxiliary)
    };
    UnseenPositions {
        batch: encode(&numbers, false),
        mirrored: encode(&numbers[..n_mirrored.min(numbers.len())], true),
        places: numbers
            .iter()
            .map(|&number| all_places[number as usize])
            .collect(),
    }
}

/// The places of all positions of given games that can be samples, in the order of a window.
fn places(records: &[GameRecord], options: &SampleOptions) -> Vec<UnseenPlace> {
    let of_game = |(game, record): (usize, &GameRecord)| {
        let plies = record.plies.iter().enumerate();
        let admitted = plies.filter(|(_, ply)| options.admits(ply.kind));
        let places = admitted.map(|(ply, _)| UnseenPlace { game, ply });
        places.collect::<Vec<_>>()
    };
    records.iter().enumerate().flat_map(of_game).collect()
}

#[cfg(test)]
mod tests;
