//! AdamW and momentum descent over one flat tensor.
//!
//! tch's own optimizers can neither save nor restore their state, so these are ours. What they
//! remember is plain tensors with names, one number per parameter.

use crate::options::{AdamwOptions, OptimizerOptions, SgdOptions};
use tch::{Device, Kind, Tensor};

/// The state of an optimizer: its running means ("moments"), and the rule that uses them.
#[derive(Debug)]
pub(crate) struct Optimizer {
    rule: OptimizerOptions,
    moments: Vec<Tensor>,
    /// Updates behind the moments.
    updates: u64,
}

/// What one update needs to know beside the gradient.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Update {
    pub(crate) learning_rate: f64,
    pub(crate) weight_decay: f64,
    /// Weight decay applies to this many parameters, the first ones.
    pub(crate) n_decayed: usize,
}

impl OptimizerOptions {
    /// What this rule remembers of each parameter, sorted, in the order of [`Optimizer::moments`].
    pub(crate) fn moment_names(&self) -> &'static [&'static str] {
        match self {
            Self::Adamw(_) => &["mean", "mean_square"],
            Self::Sgd(_) => &["velocity"],
        }
    }
}

impl Optimizer {
    /// An optimizer of `n_parameters` numbers that has seen no gradient.
    pub(crate) fn new(rule: OptimizerOptions, n_parameters: usize, device: Device) -> Self {
        let zeros = || Tensor::zeros([n_parameters as i64], (Kind::Float, device));
        let moments = rule.moment_names().iter().map(|_| zeros()).collect();
        Self {
            rule,
            moments,
            updates: 0,
        }
    }

    /// Takes up the state that another one left in [`moments`](Self::moments) and
    /// [`updates`](Self::updates).
    pub(crate) fn resume(rule: OptimizerOptions, moments: Vec<Tensor>, updates: u64) -> Self {
        assert_eq!(rule.moment_names().len(), moments.len());
        Self {
            rule,
            moments,
            updates,
        }
    }

    /// Updates so far.
    pub(crate) fn updates(&self) -> u64 {
        self.updates
    }

    /// One flat tensor for each of [`OptimizerOptions::moment_names`].
    pub(crate) fn moments(&self) -> &[Tensor] {
        &self.moments
    }

    /// Moves `parameters` against `gradient`. To be called without gradient tracking.
    pub(crate) fn update(&mut self, parameters: &mut Tensor, gradient: &Tensor, update: Update) {
        let Update {
            learning_rate,
            weight_decay,
            n_decayed,
        } = update;
        self.updates += 1;
        let _ = parameters
            .narrow(0, 0, n_decayed as i64)
            .g_mul_scalar_(1.0 - learning_rate * weight_decay);
        match (&self.rule, self.moments.as_mut_slice()) {
            (OptimizerOptions::Adamw(options), [mean, mean_square]) => {
                let &AdamwOptions {
                    beta1,
                    beta2,
                    epsilon,
                } = options;
                let _ = mean.lerp_(gradient, 1.0 - beta1);
                let _ = mean_square.lerp_(&gradient.square(), 1.0 - beta2);
                // Both means start at 0; this is their distance from having forgotten it.
                let unbiased = |beta: f64| 1.0 - beta.powf(self.updates as f64);
                let scale = (mean_square.sqrt() / unbiased(beta2).sqrt()).g_add_scalar_(epsilon);
                *parameters -= (&*mean / scale).g_mul_scalar_(learning_rate / unbiased(beta1));
            }
            (OptimizerOptions::Sgd(SgdOptions { momentum }), [velocity]) => {
                *velocity *= *momentum;
                *velocity += gradient;
                *parameters -= (gradient + &*velocity * *momentum).g_mul_scalar_(learning_rate);
            }
            _ => unreachable!("a rule has as many moments as it names"),
        }
    }
}

#[cfg(test)]
mod tests;
