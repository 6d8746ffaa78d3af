//! Losses and what else a batch tells about a network.

use crate::auxiliary::{AuxiliaryLossTensors, AuxiliaryLosses, AuxiliaryTensors};
use crate::device::Placed;
use crate::network::{Outputs, channels_last};
use crate::options::TrainOptions;
use crate::trainer::TrainError;
use data::{BOARD_PLANES, Batch, HAND_PLANES, N_LABELS};
use tch::{Kind, Tensor};

/// Logit of an illegal move: its probability is exactly 0, and so is its gradient, without the
/// NaNs that infinity makes of 0 times it.
const ILLEGAL: f64 = -1e9;

/// How well a network fits a batch. Losses and entropies are in nats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossReport {
    /// What training minimises: `policy_loss`, and the other losses times their weights.
    pub total: f64,
    /// Cross-entropy of the policy, over legal moves only, against its target: the mean over the
    /// samples that have one.
    pub policy_loss: f64,
    /// Entropy of the policy target, the least that `policy_loss` can be; same mean.
    pub policy_target_entropy: f64,
    /// Divergence of the policy from its target, `policy_loss - policy_target_entropy`.
    pub policy_kl: f64,
    /// Entropy of the network's policy over legal moves; same mean.
    pub policy_entropy: f64,
    /// Share of samples, 0 to 1, in which policy and target prefer the same move; same mean.
    pub policy_top1: f64,
    /// Cross-entropy of win, draw and loss against the value target; weighted mean.
    pub value_loss: f64,
    /// Cross-entropy of win, draw and loss against the game's result; unweighted mean. A network
    /// that knows nothing and expects no draws has 0.693.
    pub outcome_loss: f64,
    /// Share of samples from decided games, 0 to 1, in which the network prefers the side that
    /// won; absent where no game was decided.
    pub value_sign: Option<f64>,
    /// Losses of the heads that only help training.
    pub auxiliary: AuxiliaryLosses,
}

/// A batch on its device.
pub(crate) struct BatchTensors {
    /// `[N, 62, 9, 9]` in the kind of the convolutions, channels last.
    pub(crate) board: Tensor,
    /// `[N, 57]`.
    pub(crate) hands: Tensor,
    /// Where no legal move is, `[N, N_LABELS]`, boolean.
    illegal: Tensor,
    /// `[N, N_LABELS]`.
    policy: Tensor,
    /// `[N]`.
    policy_weight: Tensor,
    /// `[N, 3]`.
    wdl: Tensor,
    /// `[N]`.
    value_weight: Tensor,
    /// `[N, 3]`.
    outcome: Tensor,
    auxiliary: Option<AuxiliaryTensors>,
}

/// The losses of one batch, still on its device.
pub(crate) struct Losses {
    /// What training minimises, with its graph.
    pub(crate) total: Tensor,
    /// The numbers of a [`LossReport`] and two for checking, `[N_NUMBERS]`, without a graph.
    numbers: Tensor,
    auxiliary: AuxiliaryLossTensors,
}

const N_NUMBERS: usize = 10;

impl BatchTensors {
    /// Copies a batch to its device.
    ///
    /// # Errors
    ///
    /// An empty batch, or an array of another shape than [`Batch`] documents.
    pub(crate) fn new(batch: &Batch, place: &Placed) -> Result<Self, TrainError> {
        let n = batch.policy_weight.len();
        let shaped = |field, array: Option<&[f32]>, found: &[usize], row: &[usize]| {
            let expected = [&[n.max(1)], row].concat();
            match array {
                Some(array) if found == expected => {
                    let shape: Vec<i64> = expected.iter().map(|&len| len as i64).collect();
                    let tensor = Tensor::from_slice(array).view(shape.as_slice());
                    Ok(tensor.to_device(place.device))
                }
                _ => Err(TrainError::BatchShape {
                    field,
                    found: found.to_vec(),
                    expected,
                }),
            }
        };
        macro_rules! tensor {
            ($field:ident, $row:expr) => {
                shaped(
                    stringify!($field),
                    batch.$field.as_slice(),
                    batch.$field.shape(),
                    &$row,
                )
            };
        }
        let board = tensor!(board, [BOARD_PLANES, 81])?
            .to_kind(place.kind)
            .view([n as i64, BOARD_PLANES as i64, 9, 9]);
        Ok(Self {
            board: channels_last(&board),
            hands: tensor!(hands, [HAND_PLANES])?,
            illegal: tensor!(legal, [N_LABELS])?.lt(0.5),
            policy: tensor!(policy, [N_LABELS])?,
            policy_weight: tensor!(policy_weight, [])?,
            wdl: tensor!(wdl, [3])?,
            value_weight: tensor!(value_weight, [])?,
            outcome: tensor!(outcome, [3])?,
            auxiliary: match &batch.auxiliary {
                Some(targets) => Some(AuxiliaryTensors::new(targets, shaped)?),
                None => None,
            },
        })
    }
}

impl BatchTensors {
    /// Number of samples.
    pub(crate) fn n_rows(&self) -> usize {
        self.hands.size()[0] as usize
    }

    /// Where no legal move is, `[N, N_LABELS]`, boolean.
    pub(crate) fn illegal(&self) -> &Tensor {
        &self.illegal
    }

    /// Logits in which illegal moves have no chance.
    pub(crate) fn legal_logits(&self, logits: &Tensor) -> Tensor {
        logits.masked_fill(&self.illegal, ILLEGAL)
    }
}

impl Losses {
    /// Compares a network's outputs with the targets of their batch; auxiliary heads are passed over
    /// where it has none for them.
    pub(crate) fn new(outputs: &Outputs, batch: &BatchTensors, options: &TrainOptions) -> Self {
        let logits = batch.legal_logits(&outputs.policy);
        let policy = logits.log_softmax(1, None);
        let value = outputs.wdl.log_softmax(1, None);
        let policy_loss =
            weighted_mean(&cross_entropy(&batch.policy, &policy), &batch.policy_weight);
        let value_loss = weighted_mean(&cross_entropy(&batch.wdl, &value), &batch.value_weight);
        let auxiliary = match &batch.auxiliary {
            Some(targets) => outputs.auxiliary.losses(targets),
            None => AuxiliaryLossTensors::default(),
        };
        let total = &policy_loss + &value_loss * options.value_weight;
        let total = auxiliary.added_to(total, &options.auxiliary);
        let numbers = tch::no_grad(|| {
            // Not the exponential of `policy`: MKL takes a slow path for every illegal move.
            let entropy = cross_entropy(&logits.softmax(1, None), &policy);
            let target_entropy = -sum(&batch.policy.xlogy(&batch.policy));
            let agrees = policy
                .argmax(1, false)
                .eq_tensor(&batch.policy.argmax(1, false));
            let of_policy = |rows: &Tensor| weighted_mean(rows, &batch.policy_weight);
            let (n_right, n_decided) = value_signs(&value, &batch.outcome);
            Tensor::stack(
                &[
                    policy_loss.detach(),
                    of_policy(&target_entropy),
                    of_policy(&entropy),
                    of_policy(&agrees.to_kind(Kind::Float)),
                    value_loss.detach(),
                    cross_entropy(&batch.outcome, &value).mean(Kind::Float),
                    n_right,
                    n_decided,
                    (&batch.policy * &batch.illegal).sum(Kind::Float),
                    total.detach(),
                ],
                0,
            )
        });
        Self {
            total,
            numbers,
            auxiliary,
        }
    }

    /// Waits for the device and checks what it computed, before step `step` changes anything.
    /// `others` are single numbers that come along in the same transfer.
    ///
    /// # Errors
    ///
    /// A loss that is not finite, or a policy target for illegal moves.
    pub(crate) fn read(
        &self,
        step: u64,
        others: &[&Tensor],
    ) -> Result<(LossReport, Vec<f64>), TrainError> {
        let mut all = vec![self.numbers.shallow_clone()];
        let of_auxiliary = self.auxiliary.present();
        all.extend(of_auxiliary.map(|loss| loss.detach().reshape([1])));
        let n_own = all.len() - 1 + N_NUMBERS;
        all.extend(others.iter().map(|number| number.reshape([1])));
        let numbers = Tensor::cat(&all, 0).to_kind(Kind::Double);
        let numbers = Vec::<f64>::try_from(numbers).expect("numbers in one dimension");
        let (own, others) = numbers.split_at(n_own);
        let (own, of_auxiliary) = own.split_at(N_NUMBERS);
        let &[
            policy_loss,
            target_entropy,
            entropy,
            top1,
            value_loss,
            outcome_loss,
            ..,
        ] = own
        else {
            unreachable!("the losses are {N_NUMBERS} numbers");
        };
        let (n_right, n_decided, illegal_mass, total) = (own[6], own[7], own[8], own[9]);
        let losses = [
            ("policy loss", policy_loss),
            ("value loss", value_loss),
            ("sum of all losses", total),
        ];
        for (what, found) in losses {
            if !found.is_finite() {
                return Err(TrainError::NonFinite { step, what, found });
            }
        }
        if illegal_mass != 0.0 {
            return Err(TrainError::IllegalTarget { step, illegal_mass });
        }
        let report = LossReport {
            total,
            policy_loss,
            policy_target_entropy: target_entropy,
            policy_kl: policy_loss - target_entropy,
            policy_entropy: entropy,
            policy_top1: top1,
            value_loss,
            outcome_loss,
            value_sign: (0.0 < n_decided).then(|| n_right / n_decided),
            auxiliary: self.auxiliary.read(of_auxiliary),
        };
        Ok((report, others.to_vec()))
    }
}

/// Cross-entropy of each row of log-probabilities against a row of probabilities, `[N]`.
pub(crate) fn cross_entropy(target: &Tensor, log_probabilities: &Tensor) -> Tensor {
    -sum(&(target * log_probabilities))
}

fn sum(rows: &Tensor) -> Tensor {
    rows.sum_dim_intlist([1_i64].as_slice(), false, None)
}

/// The mean of `rows`, or 0 where all weights are 0.
pub(crate) fn weighted_mean(rows: &Tensor, weights: &Tensor) -> Tensor {
    let total = weights.sum(Kind::Float);
    // A NaN among rows without weight must not pass unseen, so nothing is left out.
    (rows * weights).sum(Kind::Float) / total.clamp_min(f64::from(f32::MIN_POSITIVE))
}

/// In how many rows win or loss is preferred as it came, and how many were not drawn.
fn value_signs(value: &Tensor, outcome: &Tensor) -> (Tensor, Tensor) {
    let balance = |wdl: &Tensor| wdl.select(1, 0) - wdl.select(1, 2);
    let (preferred, came) = (balance(value), balance(outcome));
    let right = (preferred * &came).gt(0.0);
    let decided = came.abs().gt(0.5);
    let count = |rows: &Tensor| rows.to_kind(Kind::Float).sum(Kind::Float);
    (count(&right), count(&decided))
}

#[cfg(test)]
mod tests;
