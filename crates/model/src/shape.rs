//! The shape of the network, and the tensors that follow from it.

use data::{BOARD_PLANES, HAND_PLANES, N_LABELS};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Squares of the board; the network sees 9 x 9 planes.
pub const SQUARES: usize = 81;

/// Policy planes: each label is `81 * plane + square`.
pub const POLICY_PLANES: usize = N_LABELS / SQUARES;

/// Added to a variance before its square root in every batch normalisation.
pub const BATCH_NORM_EPSILON: f32 = 1e-5;

/// Files and ranks of the board.
pub(crate) const SIDE: usize = 9;

/// How far two squares can be apart along a file or a rank, as an attention sees it: -8 to 8.
pub(crate) const DISTANCES: usize = 2 * SIDE - 1;

/// How large the network is and what its blocks are made of; all that [`expected_tensors`] needs
/// to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetShape {
    /// Residual blocks of two 3x3 convolutions, 1 to 64.
    pub blocks: u32,
    /// Channels of the trunk, 1 to 1,024.
    pub channels: u32,
    /// Channels of the value head's 1x1 convolution, 1 to 256.
    pub value_channels: u32,
    /// Units of the value head's hidden layer, 1 to 4,096.
    pub value_hidden: u32,
    /// Squeeze-excite in every block, through this many times fewer units than channels: 1 to
    /// `channels`, or 0 for none (Hu et al. 2018: 16).
    pub squeeze_ratio: u32,
    /// Global pooling in every block whose number, from 1, this divides; 0 for none (KataGo: about
    /// every third).
    pub pool_every: u32,
    /// How many channels of such a block are pooled, 1 to below `channels` (KataGo: a third).
    pub pool_channels: u32,
    /// Attention blocks behind the residual ones, 0 to 32.
    pub attention_blocks: u32,
    /// Heads of an attention block, at least 1; must divide `channels`.
    pub attention_heads: u32,
}

impl Default for NetShape {
    fn default() -> Self {
        Self {
            blocks: 5,
            channels: 64,
            value_channels: 8,
            value_hidden: 64,
            squeeze_ratio: 0,
            pool_every: 0,
            pool_channels: 16,
            attention_blocks: 0,
            attention_heads: 4,
        }
    }
}

impl NetShape {
    /// Looks at the ranges.
    ///
    /// # Errors
    ///
    /// The first key that is out of range, and what was expected of it.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let ranges = [
            ("blocks", self.blocks, 64),
            ("channels", self.channels, 1024),
            ("value_channels", self.value_channels, 256),
            ("value_hidden", self.value_hidden, 4096),
        ];
        for (key, found, most) in ranges {
            if !(1..=most).contains(&found) {
                return Err((key, format!("{found}: expected a number from 1 to {most}")));
            }
        }
        self.check_parts()
    }

    /// The ranges of what is beyond plain residual blocks.
    fn check_parts(&self) -> Result<(), (&'static str, String)> {
        let channels = self.channels;
        let at_most = |key, found: u32, most: u32| match found {
            found if found <= most => Ok(()),
            _ => Err((key, format!("{found}: expected a number from 0 to {most}"))),
        };
        at_most("squeeze_ratio", self.squeeze_ratio, channels)?;
        at_most("pool_every", self.pool_every, self.blocks)?;
        let pools = 0 < self.pool_every;
        if pools && !(1..channels).contains(&self.pool_channels) {
            let found = self.pool_channels;
            let message =
                format!("{found}: expected a number from 1 to below channels = {channels}");
            return Err(("pool_channels", message));
        }
        at_most("attention_blocks", self.attention_blocks, 32)?;
        let (attends, heads) = (0 < self.attention_blocks, self.attention_heads);
        if attends && !(0 < heads && channels.is_multiple_of(heads)) {
            let message = format!("{heads}: expected a number that divides channels = {channels}");
            return Err(("attention_heads", message));
        }
        Ok(())
    }

    /// Whether block `block`, counted from 0, has global pooling.
    #[must_use]
    pub fn pools_in(&self, block: u32) -> bool {
        0 < self.pool_every && (block + 1).is_multiple_of(self.pool_every)
    }

    /// Units of the squeeze-excite in each block; absent where there is none.
    #[must_use]
    pub fn squeezed(&self) -> Option<u32> {
        self.channels.checked_div(self.squeeze_ratio)
    }

    /// Whether there is nothing in it but residual blocks of two convolutions, which is all that
    /// format 1 of the model file can say.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let &Self {
            blocks,
            channels,
            value_channels,
            value_hidden,
            ..
        } = self;
        let plain = Self {
            blocks,
            channels,
            value_channels,
            value_hidden,
            ..Self::default()
        };
        *self == plain
    }
}

/// For people: `5 blocks, 64 channels`, and what else there is.
impl fmt::Display for NetShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks, {} channels", self.blocks, self.channels)?;
        if let Some(units) = self.squeezed() {
            write!(f, ", squeeze-excite through {units}")?;
        }
        if 0 < self.pool_every {
            let (pooled, every) = (self.pool_channels, self.pool_every);
            write!(f, ", {pooled} channels pooled in every block of {every}")?;
        }
        if 0 < self.attention_blocks {
            let (blocks, heads) = (self.attention_blocks, self.attention_heads);
            write!(f, ", attention blocks: {blocks} of {heads} heads")?;
        }
        Ok(())
    }
}

/// Name and shape of every tensor of a network, in the order of the forward pass.
///
/// All of them are float32. Convolutions are `[out, in, height, width]`, fully connected layers
/// `[out, in]`. The forward pass they belong to is described at [`to_onnx`](crate::to_onnx).
#[must_use]
pub fn expected_tensors(shape: &NetShape) -> Vec<(String, Vec<usize>)> {
    let channels = shape.channels as usize;
    let value_channels = shape.value_channels as usize;
    let value_hidden = shape.value_hidden as usize;
    let mut tensors = vec![
        (
            "stem.board.weight".to_owned(),
            vec![channels, BOARD_PLANES, 3, 3],
        ),
        (
            "stem.hands.weight".to_owned(),
            vec![channels, HAND_PLANES, 1, 1],
        ),
    ];
    batch_norm(&mut tensors, "stem.bn", channels);
    for block in 0..shape.blocks {
        residual_block(&mut tensors, shape, block);
    }
    for block in 0..shape.attention_blocks {
        attention_block(&mut tensors, shape, block);
    }
    tensors.push((
        "policy.weight".to_owned(),
        vec![POLICY_PLANES, channels, 1, 1],
    ));
    tensors.push(("policy.bias".to_owned(), vec![N_LABELS]));
    tensors.push((
        "value.conv.weight".to_owned(),
        vec![value_channels, channels, 1, 1],
    ));
    batch_norm(&mut tensors, "value.bn", value_channels);
    linear(
        &mut tensors,
        "value.fc1",
        value_channels * SQUARES,
        value_hidden,
    );
    linear(&mut tensors, "value.fc2", value_hidden, 3);
    tensors
}

type Tensors = Vec<(String, Vec<usize>)>;

fn residual_block(tensors: &mut Tensors, shape: &NetShape, block: u32) {
    let channels = shape.channels as usize;
    for half in 1..=2 {
        tensors.push((
            format!("blocks.{block}.conv{half}.weight"),
            vec![channels, channels, 3, 3],
        ));
        batch_norm(tensors, &format!("blocks.{block}.bn{half}"), channels);
        if half == 1 && shape.pools_in(block) {
            let pooled = shape.pool_channels as usize;
            let name = format!("blocks.{block}.pool");
            linear(tensors, &name, 2 * pooled, channels - pooled);
        }
    }
    if let Some(units) = shape.squeezed() {
        let name = |layer: &str| format!("blocks.{block}.se.{layer}");
        linear(tensors, &name("fc1"), channels, units as usize);
        linear(tensors, &name("fc2"), units as usize, channels);
    }
}

fn attention_block(tensors: &mut Tensors, shape: &NetShape, block: u32) {
    let (channels, heads) = (shape.channels as usize, shape.attention_heads as usize);
    let name = |part: &str| format!("attention.{block}.{part}");
    let mut convolution = |layer: &str, norm: &str, from: usize, to: usize| {
        tensors.push((name(&format!("{layer}.weight")), vec![to, from, 1, 1]));
        batch_norm(tensors, &name(norm), to);
    };
    convolution("qkv", "bn1", channels, 3 * channels);
    convolution("out", "bn2", channels, channels);
    convolution("fc1", "bn3", channels, 2 * channels);
    convolution("fc2", "bn4", 2 * channels, channels);
    tensors.push((name("position"), vec![heads, DISTANCES, DISTANCES]));
}

fn linear(tensors: &mut Tensors, name: &str, from: usize, to: usize) {
    tensors.push((format!("{name}.weight"), vec![to, from]));
    tensors.push((format!("{name}.bias"), vec![to]));
}

/// Where in an attention's `position`, a head of it flattened, each square finds what it adds to
/// its score of each square: `[81, 81]`, of the square that looks and the one looked at.
///
/// The table is by distance, `[looked at - looking + 8]` in files and then in ranks.
#[must_use]
pub fn position_indices() -> Vec<i64> {
    let axis = |from: usize, to: usize| to + SIDE - 1 - from;
    let of_pair = |from: usize, to: usize| {
        let files = axis(from / SIDE, to / SIDE);
        (files * DISTANCES + axis(from % SIDE, to % SIDE)) as i64
    };
    (0..SQUARES * SQUARES)
        .map(|pair| of_pair(pair / SQUARES, pair % SQUARES))
        .collect()
}

fn batch_norm(tensors: &mut Tensors, name: &str, channels: usize) {
    for part in ["weight", "bias", "running_mean", "running_var"] {
        tensors.push((format!("{name}.{part}"), vec![channels]));
    }
}

#[cfg(test)]
mod tests;
