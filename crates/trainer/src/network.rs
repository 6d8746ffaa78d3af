//! The network as a struct of layers.

use crate::auxiliary::{AuxiliaryHeads, AuxiliaryOutputs};
use crate::parts::{GlobalPooling, Linear, SqueezeExcite, Tensors, attend, by_pair, pointwise};
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
    attention: Vec<AttentionBlock>,
    policy_weight: Tensor,
    policy_bias: Tensor,
    value_convolution: Tensor,
    value_norm: BatchNorm,
    value_hidden: Linear,
    value_out: Linear,
    auxiliary: AuxiliaryHeads,
}

/// What the network says about a batch of positions, in float32.
pub(crate) struct Outputs {
    /// A logit for each label, `[N, N_LABELS]`.
    pub(crate) policy: Tensor,
    /// Logits of win, draw and loss of the side to move, `[N, 3]`.
    pub(crate) wdl: Tensor,
    pub(crate) auxiliary: AuxiliaryOutputs,
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
    pooling: Option<GlobalPooling>,
    convolution2: Tensor,
    norm2: BatchNorm,
    squeeze: Option<SqueezeExcite>,
}

struct AttentionBlock {
    queries_keys_values: Pointwise,
    out: Pointwise,
    hidden1: Pointwise,
    hidden2: Pointwise,
    position: Tensor,
}

/// A 1x1 convolution and the batch normalisation behind it.
struct Pointwise {
    weight: Tensor,
    norm: BatchNorm,
}

struct BatchNorm {
    weight: Tensor,
    bias: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
}

impl Network {
    /// Puts the layers together; `tensor` gives each tensor by its name in the model file. Of
    /// auxiliary heads there are those whose weights it `has`.
    pub(crate) fn new(
        shape: &NetShape,
        has: &dyn Fn(&str) -> bool,
        tensor: &mut Tensors<'_>,
    ) -> Self {
        Self {
            stem_board: tensor("stem.board.weight"),
            stem_hands: tensor("stem.hands.weight"),
            stem_norm: BatchNorm::new("stem.bn", tensor),
            blocks: (0..shape.blocks)
                .map(|block| Block::new(shape, block, tensor))
                .collect(),
            attention: (0..shape.attention_blocks)
                .map(|block| AttentionBlock::new(block, tensor))
                .collect(),
            policy_weight: tensor("policy.weight"),
            policy_bias: tensor("policy.bias"),
            value_convolution: tensor("value.conv.weight"),
            value_norm: BatchNorm::new("value.bn", tensor),
            value_hidden: Linear::new("value.fc1", tensor),
            value_out: Linear::new("value.fc2", tensor),
            auxiliary: AuxiliaryHeads::new(has, tensor),
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
        for block in &self.attention {
            x = block.forward_t(&x, from);
        }
        // A 1x1 convolution is a linear layer over channels, and free to reach if they are last.
        let x = x.to_kind(Kind::Float).permute([0, 2, 3, 1]);
        let hidden = self.value_hidden(&x, from);
        Outputs {
            policy: self.policy(&x),
            wdl: self.value_out.forward(&hidden),
            auxiliary: self.auxiliary.forward(&x, &hidden),
        }
    }

    fn policy(&self, x: &Tensor) -> Tensor {
        let planes = x.linear(&self.policy_weight.flatten(1, 3), None::<Tensor>);
        planes.permute([0, 3, 1, 2]).reshape([-1, N_LABELS as i64]) + &self.policy_bias
    }

    /// The hidden layer of the value head, `[N, H]`.
    fn value_hidden(&self, x: &Tensor, from: Statistics) -> Tensor {
        let planes = x
            .linear(&self.value_convolution.flatten(1, 3), None::<Tensor>)
            .permute([0, 3, 1, 2]);
        let planes = self.value_norm.forward_t(&planes, from).relu_();
        self.value_hidden.forward(&planes.flatten(1, 3)).relu_()
    }
}

impl Block {
    fn new(shape: &NetShape, block: u32, tensor: &mut Tensors<'_>) -> Self {
        let name = |part: &str| format!("blocks.{block}.{part}");
        Self {
            convolution1: tensor(&name("conv1.weight")),
            norm1: BatchNorm::new(&name("bn1"), tensor),
            pooling: GlobalPooling::new(shape, block, tensor),
            convolution2: tensor(&name("conv2.weight")),
            norm2: BatchNorm::new(&name("bn2"), tensor),
            squeeze: SqueezeExcite::new(shape, block, tensor),
        }
    }

    fn forward_t(&self, x: &Tensor, from: Statistics) -> Tensor {
        let y = convolution3x3(x, &self.convolution1);
        let mut y = self.norm1.forward_t(&y, from);
        if let Some(pooling) = &self.pooling {
            y = pooling.forward(&y);
        }
        let y = convolution3x3(&y.relu_(), &self.convolution2);
        let mut y = self.norm2.forward_t(&y, from);
        if let Some(squeeze) = &self.squeeze {
            y = squeeze.forward(&y);
        }
        (y + x).relu_()
    }
}

impl AttentionBlock {
    fn new(block: u32, tensor: &mut Tensors<'_>) -> Self {
        let name = |part: &str| format!("attention.{block}.{part}");
        let mut pointwise = |layer: &str, norm: &str| Pointwise {
            weight: tensor(&name(&format!("{layer}.weight"))),
            norm: BatchNorm::new(&name(norm), tensor),
        };
        Self {
            queries_keys_values: pointwise("qkv", "bn1"),
            out: pointwise("out", "bn2"),
            hidden1: pointwise("fc1", "bn3"),
            hidden2: pointwise("fc2", "bn4"),
            position: tensor(&name("position")),
        }
    }

    fn forward_t(&self, x: &Tensor, from: Statistics) -> Tensor {
        let all = self.queries_keys_values.forward_t(x, from);
        let seen = attend(&all, &by_pair(&self.position));
        let x = (self.out.forward_t(&seen, from) + x).relu_();
        let hidden = self.hidden1.forward_t(&x, from).relu_();
        (self.hidden2.forward_t(&hidden, from) + x).relu_()
    }
}

impl Pointwise {
    fn forward_t(&self, x: &Tensor, from: Statistics) -> Tensor {
        let weight = self.weight.flatten(1, 3).to_kind(x.kind());
        self.norm.forward_t(&pointwise(x, &weight, None), from)
    }
}

impl BatchNorm {
    fn new(name: &str, tensor: &mut Tensors<'_>) -> Self {
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

fn convolution3x3(x: &Tensor, weight: &Tensor) -> Tensor {
    x.conv2d(weight, None::<Tensor>, [1, 1], [1, 1], [1, 1], 1)
}

/// The same numbers with the channels of `[N, C, height, width]` innermost in memory.
pub(crate) fn channels_last(x: &Tensor) -> Tensor {
    x.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2])
}

#[cfg(test)]
mod tests;
