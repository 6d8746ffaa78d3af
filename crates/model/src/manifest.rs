//! What a model says about itself.

use crate::NetShape;
use serde::{Deserialize, Serialize};

/// Version of the model file that this build writes and reads.
pub const MODEL_FORMAT: u32 = 1;

/// What a model is and where it comes from; JSON under the key `narikin` of the file's metadata.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the file format, [`MODEL_FORMAT`].
    pub format: u32,
    /// Version of the input planes and move labels, [`data::ENCODING_VERSION`].
    pub encoding: u32,
    /// Size of the network.
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
            format: MODEL_FORMAT,
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
