//! The way of finished games: to disk at once, then scored while still unseen, then into the
//! replay window.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::Context;
use data::{
    GameRecord, RecordError, RecordReader, RecordWriter, SampleOptions, Window, WriterOptions,
    list_shards,
};
use rules::{Color, Game};
use selfplay::SearchTotals;

use super::worker::Played;
use crate::exit::Refuse;
use crate::report::events::{Games, Histogram};
use crate::report::terminal::note;

/// New games are scored and admitted to the window in groups of this many.
pub const GROUP: usize = 32;

/// Plies per bin of the histogram of game lengths.
const PLIES_BIN: u32 = 20;

/// What is on disk when a run starts or goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stored {
    /// Finished games.
    pub games: u64,
    /// Positions that can be samples.
    pub positions: u64,
    /// The number that the next game gets.
    pub next_id: u64,
}

/// Receives finished games and keeps the replay window.
pub struct Intake {
    writer: RecordWriter,
    games: Receiver<Played>,
    window: Window,
    sample_options: SampleOptions,
    stored: Stored,
    /// On disk, but not yet scored and not yet in the window.
    unseen: Vec<GameRecord>,
    tally: Tally,
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
    /// Opens the folder of records, takes over what an earlier process left, and fills the window
    /// with the newest games of as many positions as `window_positions` says for all positions.
    ///
    /// # Errors
    ///
    /// If a record file cannot be read, written, or understood.
    pub fn open(
        dir: &Path,
        sample_options: SampleOptions,
        window_positions: impl Fn(u64) -> u64,
        games: Receiver<Played>,
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
        let stored = count(dir, &sample_options).refused()?;
        let mut window = Window::new(sample_options);
        window
            .refill(dir, window_positions(stored.positions) as usize)
            .refused()?;
        let (unseen, tally, counted) = (Vec::new(), Tally::default(), (0, 0));
        Ok(Intake {
            writer,
            games,
            window,
            sample_options,
            stored,
            unseen,
            tally,
            counted,
        })
    }

    /// What is on disk.
    pub fn stored(&self) -> Stored {
        self.stored
    }

    /// The positions to learn from.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Writes games that have arrived to disk, as many as are scored together; if none has, waits
    /// for one up to `patience`.
    ///
    /// # Errors
    ///
    /// If the disk refuses, or all self-play threads have ended.
    pub fn receive(&mut self, patience: Duration) -> anyhow::Result<()> {
        let mut patience = patience;
        for _ in 0..GROUP {
            match self.games.recv_timeout(patience) {
                Ok(played) => self.store(played)?,
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => {
                    anyhow::bail!("all self-play threads have ended")
                }
            }
            patience = Duration::ZERO;
        }
        Ok(())
    }

    /// Writes what is still on its way, after the threads have been joined.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn receive_rest(&mut self) -> anyhow::Result<()> {
        while let Ok(played) = self.games.try_recv() {
            self.store(played)?;
        }
        self.sync()
    }

    fn store(&mut self, Played { record, searches }: Played) -> anyhow::Result<()> {
        self.writer
            .append(&record)
            .context("cannot keep a finished game")?;
        self.stored.games += 1;
        self.stored.positions += self.n_samples(&record);
        self.tally.add(&record, &searches);
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
        for record in self.unseen.drain(..) {
            self.window.push(&record);
        }
        self.window.truncate(window_positions);
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

/// Reads all records of a folder once and counts.
fn count(dir: &Path, options: &SampleOptions) -> Result<Stored, RecordError> {
    let mut stored = Stored {
        next_id: 1,
        ..Stored::default()
    };
    for shard in list_shards(dir)? {
        for record in RecordReader::open(&shard.path)? {
            let record = record?;
            stored.games += 1;
            stored.positions += n_samples(&record, options);
            stored.next_id = stored.next_id.max(record.id + 1);
        }
    }
    Ok(stored)
}

#[cfg(test)]
mod tests;
