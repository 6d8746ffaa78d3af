//! Seeds, and the two kinds of noise that a root can have.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Derives a seed from a master seed and the number of a stream.
///
/// One master seed per run, one stream per game, again one per move: every search of a run can
/// then be repeated alone. Two rounds of SplitMix64 (Steele, Lea and Flood 2014), so neighbouring
/// streams have nothing in common and the two arguments cannot be exchanged.
#[must_use]
pub const fn mix_seed(master: u64, stream: u64) -> u64 {
    split_mix(split_mix(master) ^ stream)
}

/// One output of SplitMix64 whose state is `state`.
const fn split_mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The random numbers of one search, fixed by its seed.
#[derive(Debug, Clone)]
pub(crate) struct Noise {
    rng: Xoshiro256PlusPlus,
}

impl Noise {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// Fills `noise` with independent samples of the standard Gumbel distribution.
    pub(crate) fn fill_gumbel(&mut self, noise: &mut [f32]) {
        for sample in noise {
            *sample = -(-self.uniform().ln()).ln() as f32;
        }
    }

    /// Fills `noise` with one sample of the symmetric Dirichlet distribution with parameter
    /// `alpha` > 0: numbers from 0 that sum to 1.
    pub(crate) fn fill_dirichlet(&mut self, alpha: f32, noise: &mut [f32]) {
        let mut sum = 0.0;
        for sample in noise.iter_mut() {
            *sample = self.gamma(f64::from(alpha)) as f32;
            sum += *sample;
        }
        if sum > 0.0 {
            noise.iter_mut().for_each(|sample| *sample /= sum);
        } else {
            // Every sample underflowed (alpha near 0): the limit puts all weight on one place.
            let winner = (self.uniform() * noise.len() as f64) as usize;
            noise[winner] = 1.0;
        }
    }

    /// Uniform in the open interval (0, 1).
    fn uniform(&mut self) -> f64 {
        ((self.rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Standard normal (Box and Muller 1958, one of the pair).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Gamma distributed with the given shape > 0 and scale 1 (Marsaglia and Tsang 2000; shapes
    /// below 1 by their boost, `gamma(shape) = gamma(shape + 1) * u^(1/shape)`).
    fn gamma(&mut self, shape: f64) -> f64 {
        let boost = if shape < 1.0 {
            self.uniform().powf(1.0 / shape)
        } else {
            1.0
        };
        let d = (if shape < 1.0 { shape + 1.0 } else { shape }) - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && self.uniform().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return boost * d * v;
            }
        }
    }
}

#[cfg(test)]
mod tests;
