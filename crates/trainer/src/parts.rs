//! What blocks can have beside their convolutions: the same in training and when folded.

use model::{NetShape, SQUARES, position_indices};
use tch::{Kind, Tensor};

/// Gives a tensor by its name in the model file.
pub(crate) type Tensors<'a> = dyn FnMut(&str) -> Tensor + 'a;

/// A fully connected layer.
pub(crate) struct Linear {
    weight: Tensor,
    bias: Tensor,
}

impl Linear {
    pub(crate) fn new(name: &str, tensor: &mut Tensors<'_>) -> Self {
        Self {
            weight: tensor(&format!("{name}.weight")),
            bias: tensor(&format!("{name}.bias")),
        }
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Tensor {
        x.linear(&self.weight, Some(&self.bias))
    }
}

/// What a block's first channels tell of the whole board is added to the others (KataGo).
pub(crate) struct GlobalPooling {
    n_pooled: i64,
    added: Linear,
}

impl GlobalPooling {
    /// That of block `block`, if it has one.
    pub(crate) fn new(shape: &NetShape, block: u32, tensor: &mut Tensors<'_>) -> Option<Self> {
        shape.pools_in(block).then(|| Self {
            n_pooled: i64::from(shape.pool_channels),
            added: Linear::new(&format!("blocks.{block}.pool"), tensor),
        })
    }

    /// `y`, `[N, C, 9, 9]`, with the sum.
    pub(crate) fn forward(&self, y: &Tensor) -> Tensor {
        let first = y.narrow(1, 0, self.n_pooled).relu();
        let board = [2_i64, 3];
        let means = first.mean_dim(board.as_slice(), false, Kind::Float);
        let maxima = first.amax(board, false).to_kind(Kind::Float);
        let added = self.added.forward(&Tensor::cat(&[means, maxima], 1));
        y + on_board(&added.constant_pad_nd([self.n_pooled, 0]), y.kind())
    }
}

/// Each channel is multiplied by what the means of all make of it (Hu et al. 2018).
pub(crate) struct SqueezeExcite {
    squeeze: Linear,
    excite: Linear,
}

impl SqueezeExcite {
    /// That of block `block`, if blocks have one.
    pub(crate) fn new(shape: &NetShape, block: u32, tensor: &mut Tensors<'_>) -> Option<Self> {
        shape.squeezed().map(|_| Self {
            squeeze: Linear::new(&format!("blocks.{block}.se.fc1"), tensor),
            excite: Linear::new(&format!("blocks.{block}.se.fc2"), tensor),
        })
    }

    /// `y`, `[N, C, 9, 9]`, with its channels weighted.
    pub(crate) fn forward(&self, y: &Tensor) -> Tensor {
        let means = y.mean_dim([2_i64, 3].as_slice(), false, Kind::Float);
        let hidden = self.squeeze.forward(&means).relu();
        y * on_board(&self.excite.forward(&hidden).sigmoid(), y.kind())
    }
}

/// A number per channel, `[N, C]`, as `[N, C, 1, 1]` of `kind`.
fn on_board(x: &Tensor, kind: Kind) -> Tensor {
    x.to_kind(kind).unsqueeze(-1).unsqueeze(-1)
}

/// A 1x1 convolution without bias: a linear layer over channels, free to reach if they are last.
/// `weight` is `[out, in]`.
pub(crate) fn pointwise(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Tensor {
    let x = x.permute([0, 2, 3, 1]).linear(weight, bias);
    x.permute([0, 3, 1, 2])
}

/// What distance adds to the scores of each pair of squares, `[heads, 81, 81]`, from the table of
/// an attention block, `[heads, 17, 17]`.
pub(crate) fn by_pair(table: &Tensor) -> Tensor {
    let pairs = Tensor::from_slice(&position_indices()).to_device(table.device());
    let square = SQUARES as i64;
    table
        .flatten(1, 2)
        .index_select(1, &pairs)
        .view([-1, square, square])
}

/// What each square sees of the others, `[N, C, 9, 9]`, by queries, keys and values,
/// `[N, 3 C, 9, 9]`, and what distance adds to the scores, `[heads, 81, 81]`.
pub(crate) fn attend(all: &Tensor, distance: &Tensor) -> Tensor {
    let (channels, heads) = (all.size()[1] / 3, distance.size()[0]);
    let width = channels / heads;
    let by_head = all
        .permute([0, 2, 3, 1])
        .reshape([-1, SQUARES as i64, 3, heads, width])
        .permute([2, 0, 3, 1, 4]);
    let [queries, keys, values] = [0, 1, 2].map(|third| by_head.select(0, third));
    let scores = queries.matmul(&keys.transpose(2, 3)).to_kind(Kind::Float);
    let weights = (scores / (width as f64).sqrt() + distance).softmax(3, None);
    let seen = weights.to_kind(all.kind()).matmul(&values);
    seen.permute([0, 2, 1, 3])
        .reshape([-1, 9, 9, channels])
        .permute([0, 3, 1, 2])
}
