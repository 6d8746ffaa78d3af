//! Untrained nets.

use crate::{Manifest, Model, NamedTensor, NetShape, expected_tensors};
use std::f32::consts::TAU;

impl Model {
    /// A net with random weights, a function of its arguments only.
    ///
    /// Convolutions are normal with variance 2 / fan-in (He), hidden layers uniform within
    /// 1 / sqrt(fan-in), batch normalisations the identity, attentions without a view of distances.
    /// The last layers are zero, so that every move and every result is equally likely, unless
    /// `heads` asks for random ones.
    #[must_use]
    pub fn random(shape: NetShape, seed: u64, heads: bool) -> Self {
        let mut numbers = Numbers { seed, drawn: 0 };
        let tensors = expected_tensors(&shape)
            .into_iter()
            .map(|(name, shape)| {
                let data = initial(&name, &shape, heads, &mut numbers);
                (name, NamedTensor { shape, data })
            })
            .collect();
        Self {
            manifest: Manifest::untrained(shape),
            tensors,
        }
    }
}

fn initial(name: &str, shape: &[usize], heads: bool, numbers: &mut Numbers) -> Vec<f32> {
    let n_elements: usize = shape.iter().product();
    let fan_in = shape[1..].iter().product::<usize>().max(1) as f32;
    let is_head = name.starts_with("policy.") || name.starts_with("value.fc2.");
    let mut fill = |draw: &mut dyn FnMut(&mut Numbers) -> f32| {
        (0..n_elements).map(|_| draw(numbers)).collect()
    };
    if name.ends_with(".running_var") || name.contains("bn") && name.ends_with(".weight") {
        vec![1.0; n_elements]
    } else if [".bias", ".running_mean", ".position"]
        .iter()
        .any(|end| name.ends_with(end))
        || is_head && !heads
    {
        vec![0.0; n_elements]
    } else if shape.len() == 4 {
        fill(&mut |numbers| (2.0 / fan_in).sqrt() * numbers.normal())
    } else {
        fill(&mut |numbers| (2.0 * numbers.uniform() - 1.0) / fan_in.sqrt())
    }
}

/// A stream of random numbers.
struct Numbers {
    seed: u64,
    drawn: u64,
}

impl Numbers {
    /// In `[0, 1)`.
    fn uniform(&mut self) -> f32 {
        let bits = search::mix_seed(self.seed, self.drawn);
        self.drawn += 1;
        (bits >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Mean 0, variance 1 (Box and Muller, one of the pair).
    fn normal(&mut self) -> f32 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }
}

#[cfg(test)]
mod tests;
