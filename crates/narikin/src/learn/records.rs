//! The files that are learned from, and which of their games are held out.

use std::path::PathBuf;

use data::{Batch, ReadOptions, Sample, SampleError, SampleReader, ShufflePool};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::exit::Refuse;
use crate::interrupt;

/// Positions that are scored at once.
const SCORED_AT_ONCE: usize = 256;

/// Streams of random numbers beside the epochs', which are counted from 0.
const HELD_OUT_STREAM: u64 = u64::MAX;
const RESERVOIR_STREAM: u64 = u64::MAX - 1;

/// Files to learn from, and what decides which of their games are held out.
#[derive(Debug, Clone)]
pub struct Records {
    /// Files, and folders of shards.
    pub paths: Vec<PathBuf>,
    /// How they become samples.
    pub options: ReadOptions,
    /// Everything random follows from it.
    pub seed: u64,
    /// Share of the games that is held out.
    pub held_out: f64,
}

/// What is in the files: enough to see whether they are the same as before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// Games; single positions are counted as one game for 256 of them.
    pub games: u64,
    /// Samples to learn from.
    pub samples: u64,
    /// Samples of held-out games.
    pub held_out: u64,
}

/// What a first look at all files gives.
pub struct Survey {
    /// What is in them.
    pub content: Content,
    /// Positions of held-out games.
    pub held_out: Vec<Batch>,
}

impl Records {
    /// Reads all files once: everything in them is checked before anything is learned. At most
    /// `limit` positions of held-out games are kept, drawn at random.
    ///
    /// # Errors
    ///
    /// The first thing that cannot be read, refused; and Ctrl-C.
    pub fn survey(&self, limit: usize) -> anyhow::Result<Survey> {
        let mut content = Content {
            games: 0,
            samples: 0,
            held_out: 0,
        };
        let mut rng = self.stream(RESERVOIR_STREAM);
        let mut kept = Vec::new();
        let mut reader = self.reader().refused()?;
        while let Some(sample) = reader.next() {
            if interrupt::requested() {
                return Err(crate::exit::Interrupted.into());
            }
            let sample = sample.refused()?;
            if !self.is_held_out(reader.group()) {
                content.samples += 1;
                continue;
            }
            content.held_out += 1;
            // Each of the n so far is kept with the same chance.
            let place = rng.random_range(0..content.held_out) as usize;
            if kept.len() < limit {
                kept.push(sample);
            } else if place < limit {
                kept[place] = sample;
            }
        }
        content.games = reader.group();
        Ok(Survey {
            content,
            held_out: self.batches_of(kept),
        })
    }

    /// The samples of one epoch from `batches` batches on: to be drawn as [`Epoch::next_batch`]
    /// says.
    ///
    /// # Errors
    ///
    /// As for [`survey`](Self::survey).
    pub fn epoch(&self, epoch: u32, options: &EpochOptions) -> anyhow::Result<Epoch<'_>> {
        let &EpochOptions {
            pool,
            batch,
            passed,
        } = options;
        let mut opened = Epoch {
            records: self,
            reader: self.reader().refused()?,
            pool: ShufflePool::new(pool, &self.options.samples),
            batch,
            rng: self.stream(u64::from(epoch)),
        };
        for _ in 0..passed {
            if interrupt::requested() {
                return Err(crate::exit::Interrupted.into());
            }
            opened.pass_batch()?;
        }
        Ok(opened)
    }

    fn reader(&self) -> Result<SampleReader, SampleError> {
        SampleReader::new(&self.paths, self.options)
    }

    fn is_held_out(&self, group: u64) -> bool {
        let number = search::mix_seed(search::mix_seed(self.seed, HELD_OUT_STREAM), group);
        (number as f64) < self.held_out * 2.0_f64.powi(64)
    }

    fn stream(&self, stream: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(search::mix_seed(self.seed, stream))
    }

    fn batches_of(&self, samples: Vec<Sample>) -> Vec<Batch> {
        let options = data::SampleOptions {
            mirror: false,
            ..self.options.samples
        };
        let mut pool = ShufflePool::new(samples.len().max(1), &options);
        let mut rng = self.stream(RESERVOIR_STREAM);
        let mut source = samples.into_iter().map(Ok::<Sample, SampleError>);
        let mut batches = Vec::new();
        while let Some(batch) = pool
            .next_batch(&mut source, SCORED_AT_ONCE, &mut rng)
            .expect("samples in memory are there")
        {
            batches.push(batch);
        }
        batches
    }
}

/// How an epoch is gone through.
#[derive(Debug, Clone, Copy)]
pub struct EpochOptions {
    /// Samples that are mixed with one another.
    pub pool: usize,
    /// Rows of a batch.
    pub batch: usize,
    /// Batches that an earlier process has learned from.
    pub passed: u64,
}

/// All samples to learn from, once, mixed.
pub struct Epoch<'a> {
    records: &'a Records,
    reader: SampleReader,
    pool: ShufflePool,
    batch: usize,
    rng: Xoshiro256PlusPlus,
}

impl Epoch<'_> {
    /// The next whole batch; `None` at the end of the epoch. The rest that fills no batch is left
    /// out.
    ///
    /// # Errors
    ///
    /// A file that was good before and is not now.
    pub fn next_batch(&mut self) -> anyhow::Result<Option<Batch>> {
        let mut source = NotHeldOut {
            records: self.records,
            reader: &mut self.reader,
        };
        let batch = self
            .pool
            .next_batch(&mut source, self.batch, &mut self.rng)
            .refused()?;
        Ok(batch.filter(|batch| batch.len() == self.batch))
    }

    fn pass_batch(&mut self) -> anyhow::Result<()> {
        let mut source = NotHeldOut {
            records: self.records,
            reader: &mut self.reader,
        };
        self.pool
            .pass_batch(&mut source, self.batch, &mut self.rng)
            .refused()?;
        Ok(())
    }
}

/// A reader's samples without those of held-out games.
struct NotHeldOut<'a> {
    records: &'a Records,
    reader: &'a mut SampleReader,
}

impl Iterator for NotHeldOut<'_> {
    type Item = Result<Sample, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let sample = self.reader.next()?;
            if sample.is_err() || !self.records.is_held_out(self.reader.group()) {
                return Some(sample);
            }
        }
    }
}

#[cfg(test)]
mod tests;
