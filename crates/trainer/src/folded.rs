//! A net for evaluation only: batch normalisations folded into the convolutions before them.

use crate::auxiliary::AuxiliaryOutputs;
use crate::device::Placed;
use crate::naive::tensor;
use crate::network::{Outputs, channels_last};
use crate::parts::{GlobalPooling, SqueezeExcite, attend, by_pair, pointwise};
use data::N_LABELS;
use model::{BATCH_NORM_EPSILON, Model};
use tch::{Kind, Tensor};

/// The network with 3x3 convolutions in the kind and on the device of its placement.
pub(crate) struct FoldedNet {
    kind: Kind,
    stem_board: Convolution,
    /// `[C, 57]`.
    stem_hands: Tensor,
    blocks: Vec<Block>,
    attention: Vec<AttentionBlock>,
    /// `[27, C]`.
    policy: Tensor,
    policy_bias: Tensor,
    /// `[V, C]`.
    value: Tensor,
    value_bias: Tensor,
    /// Weight and bias of the two fully connected layers.
    value_layers: [(Tensor, Tensor); 2],
}

struct Block {
    convolutions: [Convolution; 2],
    pooling: Option<GlobalPooling>,
    squeeze: Option<SqueezeExcite>,
}

struct AttentionBlock {
    queries_keys_values: Pointwise,
    out: Pointwise,
    hidden: [Pointwise; 2],
    /// `[heads, 81, 81]`.
    distance: Tensor,
}

/// A 3x3 convolution, channels last.
struct Convolution {
    weight: Tensor,
    bias: Tensor,
}

/// A 1x1 convolution, `[out, in]`.
struct Pointwise {
    weight: Tensor,
    bias: Tensor,
}

impl FoldedNet {
    /// Takes the weights of a checked model.
    pub(crate) fn new(model: &Model, place: &Placed) -> Self {
        let shape = &model.manifest.shape;
        let get = |name: &str| tensor(&model.tensors[name]);
        let on_device = |tensor: Tensor| tensor.to_device(place.device);
        let convolution = |weight: &str, norm: &str| {
            let (scale, bias) = folding(model, norm);
            let weight = get(weight) * scale.view([-1, 1, 1, 1]);
            Convolution {
                weight: channels_last(&on_device(weight.to_kind(place.kind))),
                bias: on_device(bias.to_kind(place.kind)),
            }
        };
        let (stem_scale, _) = folding(model, "stem.bn");
        let (value_scale, value_bias) = folding(model, "value.bn");
        let layer = |name: &str| {
            let get = |part: &str| on_device(get(&format!("{name}.{part}")));
            (get("weight"), get("bias"))
        };
        Self {
            kind: place.kind,
            stem_board: convolution("stem.board.weight", "stem.bn"),
            stem_hands: on_device(get("stem.hands.weight").flatten(1, 3) * stem_scale.unsqueeze(1)),
            blocks: (0..shape.blocks)
                .map(|block| Block {
                    convolutions: [1, 2].map(|half| {
                        convolution(
                            &format!("blocks.{block}.conv{half}.weight"),
                            &format!("blocks.{block}.bn{half}"),
                        )
                    }),
                    pooling: GlobalPooling::new(shape, block, &mut |name| on_device(get(name))),
                    squeeze: SqueezeExcite::new(shape, block, &mut |name| on_device(get(name))),
                })
                .collect(),
            attention: (0..shape.attention_blocks)
                .map(|block| AttentionBlock::new(model, block, place))
                .collect(),
            policy: on_device(get("policy.weight").flatten(1, 3)),
            policy_bias: on_device(get("policy.bias")),
            value: on_device(get("value.conv.weight").flatten(1, 3) * value_scale.unsqueeze(1)),
            value_bias: on_device(value_bias),
            value_layers: [layer("value.fc1"), layer("value.fc2")],
        }
    }

    /// Runs the network on float32 boards `[N, 62, 9, 9]` and hands `[N, 57]`. To be called without
    /// gradient tracking.
    pub(crate) fn forward(&self, board: &Tensor, hands: &Tensor) -> Outputs {
        let hands = hands
            .linear(&self.stem_hands, None::<Tensor>)
            .unsqueeze(-1)
            .unsqueeze(-1)
            .to_kind(self.kind);
        let board = channels_last(&board.to_kind(self.kind));
        let mut x = (self.stem_board.forward(&board) + hands).relu_();
        for block in &self.blocks {
            x = block.forward(&x);
        }
        for block in &self.attention {
            x = block.forward(&x);
        }
        let x = x.to_kind(Kind::Float).permute([0, 2, 3, 1]);
        let planes = x.linear(&self.policy, None::<Tensor>).permute([0, 3, 1, 2]);
        let [(hidden, hidden_bias), (out, out_bias)] = &self.value_layers;
        let value = x
            .linear(&self.value, Some(&self.value_bias))
            .relu_()
            .permute([0, 3, 1, 2])
            .flatten(1, 3)
            .linear(hidden, Some(hidden_bias))
            .relu_()
            .linear(out, Some(out_bias));
        Outputs {
            policy: planes.reshape([-1, N_LABELS as i64]) + &self.policy_bias,
            wdl: value,
            auxiliary: AuxiliaryOutputs::default(),
        }
    }
}

impl Block {
    fn forward(&self, x: &Tensor) -> Tensor {
        let [first, second] = &self.convolutions;
        let mut y = first.forward(x);
        if let Some(pooling) = &self.pooling {
            y = pooling.forward(&y);
        }
        let mut y = second.forward(&y.relu_());
        if let Some(squeeze) = &self.squeeze {
            y = squeeze.forward(&y);
        }
        (y + x).relu_()
    }
}

impl AttentionBlock {
    fn new(model: &Model, block: u32, place: &Placed) -> Self {
        let name = |part: &str| format!("attention.{block}.{part}");
        let layer = |layer: &str, norm: &str| {
            let (scale, bias) = folding(model, &name(norm));
            let weight = tensor(&model.tensors[&name(&format!("{layer}.weight"))]);
            let weight = weight.flatten(1, 3) * scale.unsqueeze(1);
            let placed = |tensor: Tensor| tensor.to_device(place.device).to_kind(place.kind);
            Pointwise {
                weight: placed(weight),
                bias: placed(bias),
            }
        };
        let table = tensor(&model.tensors[&name("position")]);
        Self {
            queries_keys_values: layer("qkv", "bn1"),
            out: layer("out", "bn2"),
            hidden: [layer("fc1", "bn3"), layer("fc2", "bn4")],
            distance: by_pair(&table.to_device(place.device)),
        }
    }

    fn forward(&self, x: &Tensor) -> Tensor {
        let seen = attend(&self.queries_keys_values.forward(x), &self.distance);
        let x = (self.out.forward(&seen) + x).relu_();
        let [first, second] = &self.hidden;
        (second.forward(&first.forward(&x).relu_()) + x).relu_()
    }
}

impl Pointwise {
    fn forward(&self, x: &Tensor) -> Tensor {
        pointwise(x, &self.weight, Some(&self.bias))
    }
}

impl Convolution {
    fn forward(&self, x: &Tensor) -> Tensor {
        x.conv2d(&self.weight, Some(&self.bias), [1, 1], [1, 1], [1, 1], 1)
    }
}

/// Scale and shift of each channel that do what batch normalisation `norm` does.
fn folding(model: &Model, norm: &str) -> (Tensor, Tensor) {
    let get = |part: &str| tensor(&model.tensors[&format!("{norm}.{part}")]);
    let deviation = (get("running_var") + f64::from(BATCH_NORM_EPSILON)).sqrt();
    let scale = get("weight") / deviation;
    let shift = get("bias") - get("running_mean") * &scale;
    (scale, shift)
}
