//! Mixing a stream of samples.

use rand::{Rng, RngExt};
use rules::{Color, Move, Position};

use super::Sample;
use crate::batch::{AuxiliaryTargets, Batch, Drawn};
use crate::codec::quantized_policy;
use crate::foreign::{PACKED_LEN, PositionCode};
use crate::record::ValueWdl;
use crate::targets::ShortTargets;
use crate::window::SampleOptions;

/// A bounded number of samples from a stream, and random batches of them, each sample drawn once.
///
/// With a capacity of c and a stream of unmixed games, samples that were c apart may meet in a
/// batch. A sample takes about 80 bytes and 4 per move of its policy.
pub struct ShufflePool {
    capacity: usize,
    mirror: bool,
    auxiliary: bool,
    samples: Vec<PackedSample>,
}

impl ShufflePool {
    /// An empty pool of at most `capacity` samples. Of the options, those about drawing count:
    /// whether samples are mirrored, and whether batches have targets for auxiliary heads.
    ///
    /// # Panics
    ///
    /// If `capacity` is 0.
    pub fn new(capacity: usize, options: &SampleOptions) -> Self {
        assert!(0 < capacity, "a pool holds at least one sample");
        Self {
            capacity,
            mirror: options.mirror,
            auxiliary: options.auxiliary,
            samples: Vec::new(),
        }
    }

    /// Fills the pool up from `source` and draws `n` samples, fewer at the end of the source and
    /// never more than the pool holds; `None` when all have been drawn. The same stream and random
    /// state give the same bytes, whatever the number of threads.
    ///
    /// # Errors
    ///
    /// The source's. Samples that came before it stay in the pool.
    ///
    /// # Panics
    ///
    /// If `n` is 0.
    pub fn next_batch<E>(
        &mut self,
        source: &mut impl Iterator<Item = Result<Sample, E>>,
        n: usize,
        rng: &mut impl Rng,
    ) -> Result<Option<Batch>, E> {
        let draws = self.draw(source, n, rng)?;
        Ok((!draws.is_empty()).then(|| Batch::encode(&draws, self.auxiliary)))
    }

    /// Does all that [`next_batch`](Self::next_batch) does but the encoding, which is what takes
    /// the time: to come quickly to where an earlier process was. Returns the number of samples; 0
    /// when all have been drawn.
    ///
    /// # Errors
    ///
    /// The source's.
    ///
    /// # Panics
    ///
    /// If `n` is 0.
    pub fn pass_batch<E>(
        &mut self,
        source: &mut impl Iterator<Item = Result<Sample, E>>,
        n: usize,
        rng: &mut impl Rng,
    ) -> Result<usize, E> {
        Ok(self.draw(source, n, rng)?.len())
    }

    fn draw<E>(
        &mut self,
        source: &mut impl Iterator<Item = Result<Sample, E>>,
        n: usize,
        rng: &mut impl Rng,
    ) -> Result<Vec<PoolDraw>, E> {
        assert!(0 < n, "a batch has at least one sample");
        while self.samples.len() < self.capacity {
            match source.next() {
                Some(sample) => self.samples.push(PackedSample::new(sample?)),
                None => break,
            }
        }
        let n = n.min(self.samples.len());
        let draw = |_| {
            let drawn = rng.random_range(0..self.samples.len());
            PoolDraw {
                sample: self.samples.swap_remove(drawn),
                mirrored: self.mirror && rng.random(),
            }
        };
        Ok((0..n).map(draw).collect())
    }
}

struct PackedSample {
    position: PackedPosition,
    side: Color,
    policy: Box<[(Move, u16)]>,
    value: ValueWdl,
    value_weight: f32,
    winner: Option<Color>,
    auxiliary: Option<Box<PackedAuxiliary>>,
}

struct PackedAuxiliary {
    reply: Box<[(Move, u16)]>,
    moves_left: Option<u32>,
    short: ShortTargets,
}

enum PackedPosition {
    Packed {
        bytes: [u8; PACKED_LEN],
        ply: u32,
    },
    /// Problems without a king or with an odd set do not fit into 32 bytes.
    Whole(Box<Position>),
}

impl PackedSample {
    fn new(sample: Sample) -> Self {
        let Sample {
            position,
            policy,
            value,
            value_weight,
            winner,
            auxiliary,
        } = sample;
        Self {
            side: position.side_to_move(),
            position: match PositionCode::Hcp.pack(&position) {
                Ok(bytes) => {
                    let ply = position.ply();
                    PackedPosition::Packed { bytes, ply }
                }
                Err(_) => PackedPosition::Whole(Box::new(position)),
            },
            policy: quantized_policy(&policy).into(),
            value,
            value_weight,
            winner,
            auxiliary: auxiliary.map(|targets| {
                Box::new(PackedAuxiliary {
                    reply: quantized_policy(&targets.reply).into(),
                    moves_left: targets.moves_left,
                    short: targets.short,
                })
            }),
        }
    }
}

struct PoolDraw {
    sample: PackedSample,
    mirrored: bool,
}

impl Drawn for PoolDraw {
    fn position(&self) -> Position {
        match &self.sample.position {
            PackedPosition::Packed { bytes, ply } => PositionCode::Hcp
                .unpack(bytes, *ply)
                .expect("what was packed can be unpacked"),
            PackedPosition::Whole(position) => Position::clone(position),
        }
    }

    fn side(&self) -> Color {
        self.sample.side
    }

    fn policy(&self) -> &[(Move, u16)] {
        &self.sample.policy
    }

    fn target(&self) -> ValueWdl {
        self.sample.value
    }

    fn value_weight(&self) -> f32 {
        self.sample.value_weight
    }

    fn winner(&self) -> Option<Color> {
        self.sample.winner
    }

    fn mirrored(&self) -> bool {
        self.mirrored
    }

    fn auxiliary(&self) -> Option<AuxiliaryTargets<'_>> {
        let targets = self.sample.auxiliary.as_ref()?;
        Some(AuxiliaryTargets {
            reply: &targets.reply,
            moves_left: targets.moves_left,
            short: targets.short,
        })
    }
}
