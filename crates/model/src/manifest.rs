//! What a model says about itself.

use crate::NetShape;
use serde::{Deserialize, Serialize, Serializer};

/// Newest version of the model file that this build reads, and the oldest that it writes for nets
/// with squeeze-excite, global pooling or attention. Other nets are written as version 1, so that
/// older builds read them too.
pub const MODEL_FORMAT: u32 = 2;

/// The version that holds plain residual nets only.
pub(crate) const PLAIN_FORMAT: u32 = 1;

/// What a model is and where it comes from; JSON under the key `narikin` of the file's metadata.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the file format, 1 to [`MODEL_FORMAT`].
    pub format: u32,
    /// Version of the input planes and move labels, [`data::ENCODING_VERSION`].
    pub encoding: u32,
    /// Size of the network.
    #[serde(serialize_with = "shortest")]
    pub shape: NetShape,
    /// Models of a run are counted from 0, the untrained one.
    pub generation: u32,
    /// Optimizer steps behind these weights.
    pub steps: u64,
    /// Samples trained on so far, repeats included.
    pub samples: u64,
    /// Self-play games played when these weights were published.
    pub games: u64,
    /// Name for people, such as `quick-12`; may be empty.
    pub name: String,
    /// Name of the run that trained it; may be empty.
    pub run: String,
}

impl Manifest {
    /// The manifest of an untrained net of this shape, in this build's format and encoding.
    #[must_use]
    pub fn untrained(shape: NetShape) -> Self {
        Self {
            format: if shape.is_plain() {
                PLAIN_FORMAT
            } else {
                MODEL_FORMAT
            },
            encoding: data::ENCODING_VERSION,
            shape,
            generation: 0,
            steps: 0,
            samples: 0,
            games: 0,
            name: String::new(),
            run: String::new(),
        }
    }
}

/// Leaves out what format 1 does not know, where that says nothing.
fn shortest<S: Serializer>(shape: &NetShape, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Plain {
        blocks: u32,
        channels: u32,
        value_channels: u32,
        value_hidden: u32,
    }
    if !shape.is_plain() {
        return shape.serialize(serializer);
    }
    let &NetShape {
        blocks,
        channels,
        value_channels,
        value_hidden,
        ..
    } = shape;
    Plain {
        blocks,
        channels,
        value_channels,
        value_hidden,
    }
    .serialize(serializer)
}
