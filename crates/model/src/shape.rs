//! The shape of the network, and the tensors that follow from it.

use data::{BOARD_PLANES, HAND_PLANES, N_LABELS};
use serde::{Deserialize, Serialize};

/// Squares of the board; the network sees 9 x 9 planes.
pub const SQUARES: usize = 81;

/// Policy planes: each label is `81 * plane + square`.
pub const POLICY_PLANES: usize = N_LABELS / SQUARES;

/// Added to a variance before its square root in every batch normalisation.
pub const BATCH_NORM_EPSILON: f32 = 1e-5;

/// How large the network is; all that [`expected_tensors`] needs to know.
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
}

impl Default for NetShape {
    fn default() -> Self {
        Self {
            blocks: 5,
            channels: 64,
            value_channels: 8,
            value_hidden: 64,
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
        for half in 1..=2 {
            tensors.push((
                format!("blocks.{block}.conv{half}.weight"),
                vec![channels, channels, 3, 3],
            ));
            batch_norm(&mut tensors, &format!("blocks.{block}.bn{half}"), channels);
        }
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
    tensors.push((
        "value.fc1.weight".to_owned(),
        vec![value_hidden, value_channels * SQUARES],
    ));
    tensors.push(("value.fc1.bias".to_owned(), vec![value_hidden]));
    tensors.push(("value.fc2.weight".to_owned(), vec![3, value_hidden]));
    tensors.push(("value.fc2.bias".to_owned(), vec![3]));
    tensors
}

fn batch_norm(tensors: &mut Vec<(String, Vec<usize>)>, name: &str, channels: usize) {
    for part in ["weight", "bias", "running_mean", "running_var"] {
        tensors.push((format!("{name}.{part}"), vec![channels]));
    }
}

#[cfg(test)]
mod tests;
