//! Heads that are there for what learning them does to the trunk: nothing of them is in a model.

use crate::loss::{cross_entropy, weighted_mean};
use crate::options::AuxiliaryOptions;
use crate::parts::{Linear, Tensors};
use data::{AuxiliaryBatch, N_HORIZONS, N_LABELS};
use model::{NamedTensor, NetShape, POLICY_PLANES};
use std::collections::BTreeMap;
use tch::Tensor;

/// What the names of their tensors begin with.
pub(crate) const PREFIX: &str = "auxiliary.";

/// Plies in which moves left are counted, so that targets are near 1.
const PLIES_UNIT: f64 = 100.0;

const REPLY: &str = "auxiliary.reply";
const MOVES_LEFT: &str = "auxiliary.moves_left";
const SHORT_VALUES: &str = "auxiliary.short_values";

/// Name and shape of the tensors of the heads that have a weight.
pub(crate) fn auxiliary_tensors(
    shape: &NetShape,
    options: &AuxiliaryOptions,
) -> Vec<(String, Vec<usize>)> {
    let (channels, hidden) = (shape.channels as usize, shape.value_hidden as usize);
    let heads = [
        (
            REPLY,
            options.reply_weight,
            vec![POLICY_PLANES, channels, 1, 1],
            N_LABELS,
        ),
        (MOVES_LEFT, options.moves_left_weight, vec![1, hidden], 1),
        (
            SHORT_VALUES,
            options.short_value_weight,
            vec![3 * N_HORIZONS, hidden],
            3 * N_HORIZONS,
        ),
    ];
    let present = heads.into_iter().filter(|head| 0.0 < head.1);
    present
        .flat_map(|(name, _, weight, n_out)| {
            [
                (format!("{name}.weight"), weight),
                (format!("{name}.bias"), vec![n_out]),
            ]
        })
        .collect()
}

/// Gives `tensors` the heads that they lack, all zero: that is how every last layer begins.
pub(crate) fn begin(
    tensors: &BTreeMap<String, NamedTensor>,
    heads: &[(String, Vec<usize>)],
) -> BTreeMap<String, NamedTensor> {
    let mut all = tensors.clone();
    for (name, shape) in heads {
        all.entry(name.clone()).or_insert_with(|| NamedTensor {
            shape: shape.clone(),
            data: vec![0.0; shape.iter().product()],
        });
    }
    all
}

/// The heads that are there.
pub(crate) struct AuxiliaryHeads {
    reply: Option<(Tensor, Tensor)>,
    moves_left: Option<Linear>,
    short_values: Option<Linear>,
}

/// What they say about a batch, in float32.
#[derive(Default)]
pub(crate) struct AuxiliaryOutputs {
    /// Logits of the opponent's labels, `[N, N_LABELS]`.
    reply: Option<Tensor>,
    /// Plies to the end in units of a hundred, `[N, 1]`.
    moves_left: Option<Tensor>,
    /// Logits of win, draw and loss by horizon, `[N, 3 * N_HORIZONS]`.
    short_values: Option<Tensor>,
}

impl AuxiliaryHeads {
    /// The heads among `names`.
    pub(crate) fn new(has: &dyn Fn(&str) -> bool, tensor: &mut Tensors<'_>) -> Self {
        let is_there = |name: &str| has(&format!("{name}.weight"));
        let reply = is_there(REPLY).then(|| {
            let mut part = |part: &str| tensor(&format!("{REPLY}.{part}"));
            (part("weight"), part("bias"))
        });
        let mut linear = |name: &str| is_there(name).then(|| Linear::new(name, tensor));
        Self {
            reply,
            moves_left: linear(MOVES_LEFT),
            short_values: linear(SHORT_VALUES),
        }
    }

    /// From the trunk, `[N, 9, 9, C]`, and the value head's hidden layer, `[N, H]`.
    pub(crate) fn forward(&self, trunk: &Tensor, hidden: &Tensor) -> AuxiliaryOutputs {
        AuxiliaryOutputs {
            reply: self.reply.as_ref().map(|(weight, bias)| {
                let planes = trunk.linear(&weight.flatten(1, 3), None::<Tensor>);
                planes.permute([0, 3, 1, 2]).reshape([-1, N_LABELS as i64]) + bias
            }),
            moves_left: self.moves_left.as_ref().map(|head| head.forward(hidden)),
            short_values: self.short_values.as_ref().map(|head| head.forward(hidden)),
        }
    }
}

/// The targets of a batch on its device.
pub(crate) struct AuxiliaryTensors {
    reply: Tensor,
    reply_weight: Tensor,
    moves_left: Tensor,
    moves_left_weight: Tensor,
    short_wdl: Tensor,
    short_weight: Tensor,
}

/// How well the auxiliary heads fit a batch; absent where there is no such head.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AuxiliaryLosses {
    /// Cross-entropy of the opponent's reply, over all labels, in nats.
    pub reply: Option<f64>,
    /// Huber's loss of the plies to the end, in units of a hundred.
    pub moves_left: Option<f64>,
    /// Cross-entropy of the values with short horizons, in nats; the mean over the horizons.
    pub short_values: Option<f64>,
}

impl AuxiliaryTensors {
    /// Copies the targets, which `tensor` does: it gets the field, the array, its shape, and the
    /// shape that a row of it should have.
    pub(crate) fn new<E>(
        batch: &AuxiliaryBatch,
        tensor: impl Fn(&'static str, Option<&[f32]>, &[usize], &[usize]) -> Result<Tensor, E>,
    ) -> Result<Self, E> {
        macro_rules! tensor {
            ($field:ident, $row:expr) => {
                tensor(
                    concat!("auxiliary.", stringify!($field)),
                    batch.$field.as_slice(),
                    batch.$field.shape(),
                    &$row,
                )
            };
        }
        Ok(Self {
            reply: tensor!(reply, [N_LABELS])?,
            reply_weight: tensor!(reply_weight, [])?,
            moves_left: tensor!(moves_left, [])?,
            moves_left_weight: tensor!(moves_left_weight, [])?,
            short_wdl: tensor!(short_wdl, [3 * N_HORIZONS])?,
            short_weight: tensor!(short_weight, [])?,
        })
    }
}

/// The losses of reply, moves left and short values, each one number with its graph where there is
/// such a head.
#[derive(Default)]
pub(crate) struct AuxiliaryLossTensors([Option<Tensor>; 3]);

impl AuxiliaryOutputs {
    /// Compares the heads that are there with their targets.
    pub(crate) fn losses(&self, targets: &AuxiliaryTensors) -> AuxiliaryLossTensors {
        let reply = |logits: &Tensor| {
            let rows = cross_entropy(&targets.reply, &logits.log_softmax(1, None));
            weighted_mean(&rows, &targets.reply_weight)
        };
        let moves_left = |found: &Tensor| {
            let target = &targets.moves_left / PLIES_UNIT;
            let rows = found
                .flatten(0, 1)
                .smooth_l1_loss(&target, tch::Reduction::None, 1.0);
            weighted_mean(&rows, &targets.moves_left_weight)
        };
        let short_values = |logits: &Tensor| {
            let by_horizon = [-1, N_HORIZONS as i64, 3];
            let values = logits.view(by_horizon).log_softmax(2, None);
            let products = values.view([-1, 3 * N_HORIZONS as i64]);
            let rows = cross_entropy(&targets.short_wdl, &products) / N_HORIZONS as f64;
            weighted_mean(&rows, &targets.short_weight)
        };
        AuxiliaryLossTensors([
            self.reply.as_ref().map(reply),
            self.moves_left.as_ref().map(moves_left),
            self.short_values.as_ref().map(short_values),
        ])
    }
}

impl AuxiliaryLossTensors {
    /// `total` and the losses times their weights.
    pub(crate) fn added_to(&self, total: Tensor, options: &AuxiliaryOptions) -> Tensor {
        let AuxiliaryOptions {
            reply_weight,
            moves_left_weight,
            short_value_weight,
        } = *options;
        let weights = [reply_weight, moves_left_weight, short_value_weight];
        let weighted = self.0.iter().zip(weights);
        weighted.fold(total, |total, (loss, weight)| match loss {
            Some(loss) => total + loss * weight,
            None => total,
        })
    }

    /// Those that are there.
    pub(crate) fn present(&self) -> impl Iterator<Item = &Tensor> {
        self.0.iter().flatten()
    }

    /// Reads the numbers of [`present`](Self::present).
    pub(crate) fn read(&self, numbers: &[f64]) -> AuxiliaryLosses {
        let mut numbers = numbers.iter().copied();
        let [reply, moves_left, short_values] = self
            .0
            .each_ref()
            .map(|loss| loss.as_ref().and_then(|_| numbers.next()));
        AuxiliaryLosses {
            reply,
            moves_left,
            short_values,
        }
    }
}

#[cfg(test)]
mod tests;
