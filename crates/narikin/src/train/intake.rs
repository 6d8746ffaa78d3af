//! The way of finished games: to disk at once, then scored while still unseen, then into the
//! replay window.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use anyhow::Context;
use data::{
    GameRecord, RecordError, RecordReader, RecordWriter, SampleOptions, Window, WriterOptions,
    list_shards,
};
use fleet::{FIRST_FLEET_GAME, SeenGames};
use rules::{Color, Game};
use selfplay::SearchTotals;

use super::checkpoints::WindowState;
use crate::exit::Refuse;
use crate::health::GameHealth;
use crate::health::games::RecentGames;
use crate::playing::worker::Played;
use crate::report::events::{Games, Histogram};
use crate::report::terminal::note;

/// New games are scored and admitted to the window in groups of this many.
pub const GROUP: usize = 32;

/// Games that [`Intake::newest`] keeps.
const NEWEST: usize = 4;

/// Plies per bin of the histogram of game lengths.
const PLIES_BIN: u32 = 20;

/// What is on disk when a run starts or goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stored {
    /// Finished games.
    pub games: u64,
    /// Positions that can be samples.
    pub positions: u64,
    /// The number that the next game of this machine gets; games of workers elsewhere have higher ones.
    pub next_id: u64,
}

/// Receives finished games and keeps the replay window.
pub struct Intake {
    writer: RecordWriter,
    window: Window,
    /// Of each game in the window: the net that began it, and its positions.
    ages: VecDeque<(u32, usize)>,
    sample_options: SampleOptions,
    stored: Stored,
    /// On disk, but not yet scored and not yet in the window.
    unseen: Vec<GameRecord>,
    tally: Tally,
    recent: RecentGames,
    /// The last few games.
    newest: Vec<GameRecord>,
    /// Searches since [`Intake::take_searches`].
    searches: SearchTotals,
    /// Games of workers elsewhere that are on disk.
    from_fleet: SeenGames,
    /// What the last report was told of evaluations and places.
    counted: (u64, u64),
}

/// What happened since the last report.
#[derive(Default)]
struct Tally {
    plies: Vec<u32>,
    winners: [u64; 3],
    by_reason: BTreeMap<String, u64>,
    n_positions: u64,
    n_repeated: u64,
    target_entropy: f64,
    n_policies: u64,
    searches: SearchTotals,
    generation: u32,
}

impl Intake {
    /// Opens the folder of records and takes over what an earlier process left. The window holds what
    /// it held at `state`, and games that had not entered it then are unseen. Without a state it holds
    /// the newest games of as many positions as `window_positions` says for all positions.
    ///
    /// # Errors
    ///
    /// If a record file cannot be read, written, or understood.
    pub fn open(
        dir: &Path,
        sample_options: SampleOptions,
        window_positions: impl Fn(u64) -> u64,
        state: Option<WindowState>,
    ) -> anyhow::Result<Intake> {
        let (writer, recoveries) = RecordWriter::open(dir, WriterOptions::default()).refused()?;
        for recovery in recoveries {
            let kept = format!(
                "{}: kept {} games",
                recovery.path.display(),
                recovery.n_games
            );
            match recovery.cut {
                Some(cut) => note(&format!(
                    "{kept} and cut {} bytes of an unfinished one at offset {}",
                    cut.n_bytes, cut.offset
                )),
                None => note(&kept),
            }
        }
        let mut intake = Intake {
            writer,
            window: Window::new(sample_options),
            ages: VecDeque::new(),
            sample_options,
            stored: Stored {
                next_id: 1,
                ..Stored::default()
            },
            unseen: Vec::new(),
            tally: Tally::default(),
            recent: RecentGames::default(),
            newest: Vec::new(),
            searches: SearchTotals::default(),
            from_fleet: SeenGames::default(),
            counted: (0, 0),
        };
        let most = window_positions(u64::MAX) as usize;
        intake.read(dir, state, most).refused()?;
        if state.is_none() {
            let limit = window_positions(intake.stored.positions) as usize;
            intake.truncate(limit);
        }
        Ok(intake)
    }

    /// Reads all records once. Without a state the window ends with its newest `most` positions.
    fn read(
        &mut self,
        dir: &Path,
        state: Option<WindowState>,
        most: usize,
    ) -> Result<(), RecordError> {
        for shard in list_shards(dir)? {
            for record in RecordReader::open(&shard.path)? {
                let record = record?;
                let number = self.stored.games;
                self.stored.games += 1;
                self.stored.positions += self.n_samples(&record);
                if record.id < FIRST_FLEET_GAME {
                    self.stored.next_id = self.stored.next_id.max(record.id + 1);
                } else {
                    self.from_fleet.insert(record.id);
                }
                match state {
                    Some(state) if state.entered <= number => self.unseen.push(record),
                    Some(state) => {
                        self.enter(&record);
                        self.truncate(state.positions as usize);
                    }
                    None => {
                        self.enter(&record);
                        self.truncate(most);
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts a game into the window.
    fn enter(&mut self, record: &GameRecord) {
        let n_positions = self.n_samples(record) as usize;
        if n_positions > 0 {
            self.ages.push_back((record.generation, n_positions));
        }
        self.window.push(record);
    }

    /// Drops the oldest games beyond `n_positions`.
    fn truncate(&mut self, n_positions: usize) {
        self.window.truncate(n_positions);
        while self.ages.len() > self.window.n_games() {
            self.ages.pop_front();
        }
    }

    /// Which games are in the window.
    pub fn window_state(&self) -> WindowState {
        WindowState {
            entered: self.stored.games - self.unseen.len() as u64,
            positions: self.window.n_positions() as u64,
        }
    }

    /// Mean number of nets from the one that began a position's game to `generation`, over the window.
    pub fn age_nets(&self, generation: u32) -> f64 {
        let weighted = self.ages.iter().map(|&(of, n_positions)| {
            f64::from(generation.saturating_sub(of)) * n_positions as f64
        });
        weighted.sum::<f64>() / self.window.n_positions().max(1) as f64
    }

    /// How the newest games of this process are.
    pub fn health(&self) -> GameHealth {
        self.recent.health()
    }

    /// The last few games of this process, oldest first.
    pub fn newest(&self) -> &[GameRecord] {
        &self.newest
    }

    /// Which games of workers elsewhere were on disk at the start; known no more after this call.
    pub fn take_from_fleet(&mut self) -> SeenGames {
        std::mem::take(&mut self.from_fleet)
    }

    /// What searches were like since the last call.
    pub fn take_searches(&mut self) -> SearchTotals {
        std::mem::take(&mut self.searches)
    }

    /// What is on disk.
    pub fn stored(&self) -> Stored {
        self.stored
    }

    /// The positions to learn from.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Writes a finished game to disk and counts it.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn store(&mut self, Played { record, searches }: Played) -> anyhow::Result<()> {
        self.writer
            .append(&record)
            .context("cannot keep a finished game")?;
        self.stored.games += 1;
        self.stored.positions += self.n_samples(&record);
        self.tally.add(&record, &searches);
        self.recent.add(&record, &searches);
        self.searches += searches;
        if self.newest.len() == NEWEST {
            self.newest.remove(0);
        }
        self.newest.push((*record).clone());
        self.unseen.push(*record);
        Ok(())
    }

    fn n_samples(&self, record: &GameRecord) -> u64 {
        n_samples(record, &self.sample_options)
    }

    /// Games that have not been trained on: to be scored before [`Intake::admit`].
    pub fn unseen(&self) -> &[GameRecord] {
        &self.unseen
    }

    /// Moves the unseen games into the window and drops the oldest beyond `window_positions`.
    pub fn admit(&mut self, window_positions: usize) {
        for record in std::mem::take(&mut self.unseen) {
            self.enter(&record);
        }
        self.truncate(window_positions);
    }

    /// Makes sure that the records survive a power cut.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn sync(&mut self) -> anyhow::Result<()> {
        Ok(self.writer.sync()?)
    }

    /// A report of the games since the last one, which was `seconds` ago; `None` if there were
    /// none. `counted` are positions evaluated and places in batches since the start.
    pub fn report(&mut self, seconds: f64, counted: (u64, u64)) -> Option<Games> {
        let (n_evaluations, n_slots) = (counted.0 - self.counted.0, counted.1 - self.counted.1);
        self.counted = counted;
        let tally = std::mem::take(&mut self.tally);
        let n_games = tally.plies.len() as u64;
        if n_games == 0 {
            return None;
        }
        let share = |n: u64| n as f64 / n_games as f64;
        let of = |sum: f64, n: f64| if n > 0.0 { sum / n } else { 0.0 };
        let n_networks = f64::from(tally.searches.n_networks);
        Some(Games {
            total_games: self.stored.games,
            generation: tally.generation,
            games: n_games,
            black_share: share(tally.winners[0]),
            white_share: share(tally.winners[1]),
            draw_share: share(tally.winners[2]),
            plies: Histogram::of(tally.plies.iter().copied(), PLIES_BIN),
            by_reason: tally.by_reason,
            repeated_share: of(tally.n_repeated as f64, tally.n_positions as f64),
            root_entropy: of(tally.target_entropy, tally.n_policies as f64),
            network_entropy: of(f64::from(tally.searches.entropy_nats), n_networks),
            policy_divergence: of(f64::from(tally.searches.kl_nats), n_networks),
            overridden_share: of(f64::from(tally.searches.n_overridden), n_networks),
            games_per_s: n_games as f64 / seconds.max(1e-9),
            plies_per_s: tally.n_positions as f64 / seconds.max(1e-9),
            evals_per_s: n_evaluations as f64 / seconds.max(1e-9),
            batch_fill: of(n_evaluations as f64, n_slots as f64),
        })
    }
}

impl Tally {
    fn add(&mut self, record: &GameRecord, searches: &SearchTotals) {
        self.generation = self.generation.max(record.generation);
        self.plies.push(record.plies.len() as u32);
        let winner = match record.outcome.winner {
            Some(Color::Black) => 0,
            Some(Color::White) => 1,
            None => 2,
        };
        self.winners[winner] += 1;
        *self
            .by_reason
            .entry(record.outcome.reason.to_string())
            .or_default() += 1;
        self.searches += *searches;
        let mut game = Game::new(record.start.clone(), record.rules);
        for ply in &record.plies {
            self.n_positions += 1;
            self.n_repeated += u64::from(game.repetitions() > 1);
            if !ply.policy.is_empty() {
                self.n_policies += 1;
                let entropy = ply.policy.iter().filter(|(_, p)| *p > 0.0);
                self.target_entropy -= entropy
                    .map(|&(_, p)| f64::from(p) * f64::from(p).ln())
                    .sum::<f64>();
            }
            game.play_unchecked(ply.mv);
        }
    }
}

fn n_samples(record: &GameRecord, options: &SampleOptions) -> u64 {
    record
        .plies
        .iter()
        .filter(|ply| options.admits(ply.kind))
        .count() as u64
}

#[cfg(test)]
mod tests;
