//! The network as a struct of layers.

use data::N_LABELS;
use model::{BATCH_NORM_EPSILON, NetShape};
use tch::{Kind, Tensor};

/// The network over somebody else's tensors (views of a trainer's buffers, or a model's own).
///
/// Convolutions compute in the kind of their weights; batch statistics, heads and everything
/// after them in float32.
pub(crate) struct Network {
    stem_board: Tensor,
    stem_hands: Tensor,
    stem_norm: BatchNorm,
    blocks: Vec<Block>,
    policy_weight: Tensor,
    policy_bias: Tensor,
    value_convolution: Tensor,
    value_norm: BatchNorm,
    value_hidden: Linear,
    value_out: Linear,
}

/// What the network says about a batch of positions, in float32.
pub(crate) struct Outputs {
    /// A logit for each label, `[N, N_LABELS]`.
    pub(crate) policy: Tensor,
    /// Logits of win, draw and loss of the side to move, `[N, 3]`.
    pub(crate) wdl: Tensor,
}

/// How batch normalisations get their means and variances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Statistics {
    /// From the batch, which also moves the running ones by this share.
    Batch(f64),
    /// The running ones.
    Running,
}

struct Block {
    convolution1: Tensor,
    norm1: BatchNorm,
    convolution2: Tensor,
    norm2: BatchNorm,
}

struct BatchNorm {
    weight: Tensor,
    bias: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
}

struct Linear {
    weight: Tensor,
    bias: Tensor,
}

impl Network {
    /// Puts the layers together; `tensor` gives each tensor by its name in the model file.
    pub(crate) fn new(shape: &NetShape, tensor: &mut dyn FnMut(&str) -> Tensor) -> Self {
        Self {
            stem_board: tensor("stem.board.weight"),
            stem_hands: tensor("stem.hands.weight"),
            stem_norm: BatchNorm::new("stem.bn", tensor),
            blocks: (0..shape.blocks)
                .map(|block| Block {
                    convolution1: tensor(&format!("blocks.{block}.conv1.weight")),
                    norm1: BatchNorm::new(&format!("blocks.{block}.bn1"), tensor),
                    convolution2: tensor(&format!("blocks.{block}.conv2.weight")),
                    norm2: BatchNorm::new(&format!("blocks.{block}.bn2"), tensor),
                })
                .collect(),
            policy_weight: tensor("policy.weight"),
            policy_bias: tensor("policy.bias"),
            value_convolution: tensor("value.conv.weight"),
            value_norm: BatchNorm::new("value.bn", tensor),
            value_hidden: Linear::new("value.fc1", tensor),
            value_out: Linear::new("value.fc2", tensor),
        }
    }

    /// Runs the network on boards `[N, 62, 9, 9]`, of the kind of the convolutions, and hands
    /// `[N, 57]`.
    pub(crate) fn forward_t(&self, board: &Tensor, hands: &Tensor, from: Statistics) -> Outputs {
        // Each plane of the hands is constant, so its 1x1 convolution is one number per channel.
        let hands = hands
            .linear(&self.stem_hands.flatten(1, 3), None::<Tensor>)
            .unsqueeze(-1)
            .unsqueeze(-1)
            .to_kind(board.kind());
        let stem = convolution3x3(board, &self.stem_board) + hands;
        let mut x = self.stem_norm.forward_t(&stem, from).relu_();
        for block in &self.blocks {
            x = block.forward_t(&x, from);
        }
        // A 1x1 convolution is a linear layer over channels, and free to reach if they are last.
        let x = x.to_kind(Kind::Float).permute([0, 2, 3, 1]);
        Outputs {
            policy: self.policy(&x),
            wdl: self.value(&x, from),
        }
    }

    fn policy(&self, x: &Tensor) -> Tensor {
        let planes = x.linear(&self.policy_weight.flatten(1, 3), None::<Tensor>);
        planes.permute([0, 3, 1, 2]).reshape([-1, N_LABELS as i64]) + &self.policy_bias
    }

    fn value(&self, x: &Tensor, from: Statistics) -> Tensor {
        let planes = x
            .linear(&self.value_convolution.flatten(1, 3), None::<Tensor>)
            .permute([0, 3, 1, 2]);
        let planes = self.value_norm.forward_t(&planes, from).relu_();
        let hidden = self.value_hidden.forward(&planes.flatten(1, 3)).relu_();
        self.value_out.forward(&hidden)
    }
}

impl Block {
    fn forward_t(&self, x: &Tensor, from: Statistics) -> Tensor {
        let y = convolution3x3(x, &self.convolution1);
        let y = self.norm1.forward_t(&y, from).relu_();
        let y = convolution3x3(&y, &self.convolution2);
        (self.norm2.forward_t(&y, from) + x).relu_()
    }
}

impl BatchNorm {
    fn new(name: &str, tensor: &mut dyn FnMut(&str) -> Tensor) -> Self {
        Self {
            weight: tensor(&format!("{name}.weight")),
            bias: tensor(&format!("{name}.bias")),
            running_mean: tensor(&format!("{name}.running_mean")),
            running_var: tensor(&format!("{name}.running_var")),
        }
    }

    fn forward_t(&self, x: &Tensor, from: Statistics) -> Tensor {
        let (train, momentum) = match from {
            Statistics::Batch(momentum) => (true, momentum),
            Statistics::Running => (false, 0.0),
        };
        x.batch_norm(
            Some(&self.weight),
            Some(&self.bias),
            Some(&self.running_mean),
            Some(&self.running_var),
            train,
            momentum,
            f64::from(BATCH_NORM_EPSILON),
            true,
        )
    }
}

impl Linear {
    fn new(name: &str, tensor: &mut dyn FnMut(&str) -> Tensor) -> Self {
        Self {
            weight: tensor(&format!("{name}.weight")),
            bias: tensor(&format!("{name}.bias")),
        }
    }

    fn forward(&self, x: &Tensor) -> Tensor {
        x.linear(&self.weight, Some(&self.bias))
    }
}

fn convolution3x3(x: &Tensor, weight: &Tensor) -> Tensor {
    x.conv2d(weight, None::<Tensor>, [1, 1], [1, 1], [1, 1], 1)
}

/// The same numbers with the channels of `[N, C, height, width]` innermost in memory.
pub(crate) fn channels_last(x: &Tensor) -> Tensor {
    x.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2])
}

#[cfg(test)]
mod tests;
