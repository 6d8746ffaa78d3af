//! Samples one after the other, from files of any format that we read.
//!
//! [`SampleReader`] goes once through given files, [`ShufflePool`] mixes what it gives and makes
//! batches of it. Both hold a bounded part of the data. (A [`Window`](crate::Window) holds all of
//! what it draws from: that is for self-play.)

mod pool;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use rules::{Color, EndReason, Move, Position};
use thiserror::Error;

use crate::foreign::{
    ConversionOptions, Ending, ForeignError, ForeignFormat, Hcpe3Reader, PositionReader,
    PositionRecord, eval_wdl,
};
use crate::record::{GameRecord, PlyKind, PlyRecord, ValueWdl};
use crate::shard::{RecordError, RecordReader, is_record_file, list_shards};
use crate::targets::{N_HORIZONS, ShortTargets, mix, outcome_wdl, short_targets, td_targets};
use crate::window::SampleOptions;
pub use pool::ShufflePool;

/// One row of training data before it is encoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The policy target over legal moves, each at most once, sum 1. Empty: none.
    pub policy: Vec<(Move, f32)>,
    /// The value target, of the side to move.
    pub value: ValueWdl,
    /// Weight of the value loss, in `[0, 1]`.
    pub value_weight: f32,
    /// Who won the game; `None` for a draw.
    pub winner: Option<Color>,
    /// What auxiliary heads are taught; absent where the options do not ask for it and where the
    /// game is not known.
    pub auxiliary: Option<Box<AuxiliarySample>>,
}

/// Targets of a sample for heads that only help training.
#[derive(Debug, Clone, PartialEq)]
pub struct AuxiliarySample {
    /// The opponent's policy target at the next ply. Empty: none.
    pub reply: Vec<(Move, f32)>,
    /// Plies to the end of the game, at least 1; absent if it was cut by the ply limit.
    pub moves_left: Option<u32>,
    /// Value targets with the options' `short_horizons`, of the side to move.
    pub short: [ValueWdl; N_HORIZONS],
}

/// Why the next sample cannot be given.
#[derive(Debug, Error)]
pub enum SampleError {
    /// Our own records.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// Data of another program.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
}

/// How files become samples.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReadOptions {
    /// Which plies are samples, and what their targets are.
    pub samples: SampleOptions,
    /// What evaluations of other programs mean.
    pub conversion: ConversionOptions,
}

/// All samples of some files, in the order of the files and of what is in them.
///
/// Our records and hcpe3 are whole games: their value targets are those of a
/// [`Window`](crate::Window). A position of hcpe or psv has its best move as the policy, and as its
/// value `lambda` times the result plus `1 - lambda` times its own evaluation. The format is found
/// by content. After the first error the iterator ends.
pub struct SampleReader {
    options: ReadOptions,
    /// Files not begun yet, the next one last.
    files: Vec<PathBuf>,
    open: Option<OpenFile>,
    /// Samples of the game that was read last.
    ready: VecDeque<Sample>,
    /// Games begun, groups of single positions counted as one each.
    n_groups: u64,
    /// Positions that still belong to the last group.
    n_left: u64,
    failed: bool,
}

/// Single positions that are taken for one game: files that were not shuffled have the positions
/// of a game one after the other.
const GROUP_OF_POSITIONS: u64 = 256;

enum OpenFile {
    Records(RecordReader),
    Games(Hcpe3Reader),
    Positions(PositionReader),
}

impl SampleReader {
    /// Goes through `paths`: files, or folders of our own shards. Files are opened when it is their
    /// turn.
    ///
    /// # Errors
    ///
    /// If a folder cannot be listed.
    pub fn new(paths: &[PathBuf], options: ReadOptions) -> Result<Self, SampleError> {
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() {
                files.extend(list_shards(path)?.into_iter().map(|shard| shard.path));
            } else {
                files.push(path.clone());
            }
        }
        files.reverse();
        Ok(Self {
            options,
            files,
            open: None,
            ready: VecDeque::new(),
            n_groups: 0,
            n_left: 0,
            failed: false,
        })
    }

    /// The number, from 1 over all files, of the game that the last sample is from. Single
    /// positions do not tell their games: 256 in a row count as one.
    pub fn group(&self) -> u64 {
        self.n_groups
    }

    fn read(&mut self) -> Result<Option<Sample>, SampleError> {
        loop {
            if let Some(sample) = self.ready.pop_front() {
                return Ok(Some(sample));
            }
            let Some(open) = &mut self.open else {
                let Some(path) = self.files.pop() else {
                    return Ok(None);
                };
                self.open = Some(OpenFile::open(&path)?);
                continue;
            };
            let ReadOptions {
                samples,
                conversion,
            } = &self.options;
            match open {
                OpenFile::Records(games) => match games.next().transpose()? {
                    Some(game) => {
                        self.n_groups += 1;
                        self.ready.extend(samples_of(&game, samples));
                    }
                    None => self.open = None,
                },
                OpenFile::Games(games) => match games.next().transpose()? {
                    Some(game) => {
                        self.n_groups += 1;
                        let game = game.to_record(0, conversion);
                        self.ready.extend(samples_of(&game, samples));
                    }
                    None => self.open = None,
                },
                OpenFile::Positions(positions) => match positions.next().transpose()? {
                    Some(record) => {
                        if self.n_left == 0 {
                            self.n_groups += 1;
                            self.n_left = GROUP_OF_POSITIONS;
                        }
                        self.n_left -= 1;
                        return Ok(Some(Sample::of(record, &self.options)));
                    }
                    None => (self.open, self.n_left) = (None, 0),
                },
            }
        }
    }
}

impl Iterator for SampleReader {
    type Item = Result<Sample, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let sample = self.read().transpose();
        self.failed = matches!(sample, Some(Err(_)));
        sample
    }
}

impl OpenFile {
    fn open(path: &Path) -> Result<Self, SampleError> {
        if is_record_file(path)? {
            return Ok(Self::Records(RecordReader::open(path)?));
        }
        Ok(match ForeignFormat::detect(path)? {
            ForeignFormat::Hcpe3 => Self::Games(Hcpe3Reader::open(path)?),
            ForeignFormat::Positions(format) => {
                Self::Positions(PositionReader::open(path, format)?)
            }
        })
    }
}

impl Sample {
    fn of(record: PositionRecord, options: &ReadOptions) -> Self {
        let PositionRecord {
            position,
            best,
            eval,
            result,
        } = record;
        let SampleOptions {
            lambda, cap_weight, ..
        } = options.samples;
        let side = position.side_to_move();
        let evaluation = eval_wdl(eval, options.conversion.eval_scale);
        Self {
            policy: best.map(|mv| (mv, 1.0)).into_iter().collect(),
            value: mix(evaluation, outcome_wdl(result.winner, side), lambda),
            value_weight: match result.ending {
                Ending::PlyLimit => cap_weight,
                _ => 1.0,
            },
            winner: result.winner,
            auxiliary: None,
            position,
        }
    }
}

/// The samples of one game, whose moves must be legal.
fn samples_of(record: &GameRecord, options: &SampleOptions) -> Vec<Sample> {
    let targets = td_targets(record, options.lambda);
    let capped = record.outcome.reason == EndReason::PlyLimit;
    let value_weight = if capped { options.cap_weight } else { 1.0 };
    let mut auxiliary = auxiliary_of(record, options);
    let mut position = record.start.clone();
    let mut samples = Vec::new();
    for (i, (ply, value)) in record.plies.iter().zip(targets).enumerate() {
        if options.admits(ply.kind) {
            samples.push(Sample {
                position: position.clone(),
                policy: policy_target(ply),
                value,
                value_weight,
                winner: record.outcome.winner,
                auxiliary: auxiliary.get_mut(i).and_then(Option::take),
            });
        }
        position.do_move(ply.mv);
    }
    samples
}

/// Targets for auxiliary heads, one per ply; none at all where they are not asked for.
fn auxiliary_of(record: &GameRecord, options: &SampleOptions) -> Vec<Option<Box<AuxiliarySample>>> {
    if !options.auxiliary {
        return Vec::new();
    }
    let n_plies = record.plies.len();
    let ended = record.outcome.reason != EndReason::PlyLimit;
    let short = short_targets(record, options.short_horizons);
    let of_ply = |(ply, short): (usize, ShortTargets)| {
        let next = record.plies.get(ply + 1);
        let next = next.filter(|next| options.admits(next.kind));
        Some(Box::new(AuxiliarySample {
            reply: next.map(policy_target).unwrap_or_default(),
            moves_left: ended.then_some((n_plies - ply) as u32),
            short,
        }))
    };
    short.into_iter().enumerate().map(of_ply).collect()
}

/// A proven mate is the whole policy, whatever the search would have said.
fn policy_target(ply: &PlyRecord) -> Vec<(Move, f32)> {
    match ply.kind {
        PlyKind::Mate => vec![(ply.mv, 1.0)],
        _ => ply.policy.clone(),
    }
}

#[cfg(test)]
mod tests;
