//! A net as ONNX, checked to have dlshogi's interface.

mod squash;

use crate::calibration::calibrate;
use crate::onnx::METADATA_KEY;
use crate::onnx::proto::{
    Dimension, FLOAT, GraphProto, Length, ModelProto, TensorProto, ValueInfo,
};
use crate::onnx::to_quantized_onnx;
use crate::onnx::{INPUT_BOARD, INPUT_HANDS, OUTPUT_POLICY, OUTPUT_VALUE, OUTPUT_WDL};
use crate::{Manifest, Model, OnnxOptions, OnnxOutputs, OnnxPrecision, OpenVino, to_onnx};
use data::{BOARD_PLANES, HAND_PLANES, N_LABELS};
use prost::Message;
use search::EvaluatorError;
use squash::{Squash, squash_of};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The bytes of an ONNX file that an evaluator can run: one of ours, or a foreign one whose inputs
/// and outputs were found to be those of dlshogi's 62 + 57 plane interface.
///
/// Cheap to clone. What happens between inputs and outputs is not looked at.
#[derive(Debug, Clone)]
pub struct OnnxNet {
    bytes: Arc<[u8]>,
    outputs: OnnxOutputs,
    uniform_hands: bool,
    board_bytes: bool,
    manifest: Option<Manifest>,
}

/// Why an ONNX file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum OnnxError {
    /// The file cannot be read.
    #[error("cannot read net {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// Not ONNX.
    #[error("net {} is not an ONNX file", path.display())]
    Decode {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: prost::DecodeError,
    },
    /// Another interface.
    #[error("net {}: {tensor} is {found}, expected {expected}", path.display())]
    Interface {
        /// The file.
        path: PathBuf,
        /// The input or output, or their list.
        tensor: String,
        /// What the file has.
        found: String,
        /// What dlshogi's interface has.
        expected: String,
    },
}

impl OnnxNet {
    /// Our own network, with win, draw and loss as a third output.
    ///
    /// # Panics
    ///
    /// If [`Model::check`] refuses the tensors.
    #[must_use]
    pub fn from_model(model: &Model) -> Self {
        let options = OnnxOptions {
            outputs: OnnxOutputs::WithWdl,
            precision: OnnxPrecision::F32,
        };
        let bytes = to_onnx(model, &options).expect("float32 holds every weight");
        Self {
            bytes: bytes.into(),
            outputs: OnnxOutputs::WithWdl,
            uniform_hands: true,
            board_bytes: false,
            manifest: Some(model.manifest.clone()),
        }
    }

    /// Our own network with its convolutions in 8 bits: weights with a scale for each output channel,
    /// activations with one scale each, found by running the net on positions of games. Fully connected
    /// layers and the sum of the hands stay as they are. On processors with AVX-512 VNNI and without AMX
    /// it is the fastest way; how near it comes to the net is for its user to measure.
    ///
    /// # Errors
    ///
    /// If OpenVINO cannot run the net.
    ///
    /// # Panics
    ///
    /// If [`Model::check`] refuses the tensors.
    pub fn quantized(_library: &OpenVino, model: &Model) -> Result<Self, EvaluatorError> {
        let ranges = calibrate(model)?;
        Ok(Self {
            bytes: to_quantized_onnx(model, ranges).into(),
            board_bytes: true,
            ..Self::from_model(model)
        })
    }

    /// Reads an ONNX file and checks names, element types and shapes of its inputs and outputs.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is not ONNX, or has another interface.
    pub fn load(path: &Path) -> Result<Self, OnnxError> {
        let bytes = std::fs::read(path).map_err(|source| OnnxError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::from_bytes(bytes, path)
    }

    /// Takes the bytes of an ONNX file; `path` is for messages only.
    ///
    /// # Errors
    ///
    /// As [`OnnxNet::load`], apart from the system's.
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>, path: &Path) -> Result<Self, OnnxError> {
        let bytes = bytes.into();
        let file = ModelProto::decode(&*bytes).map_err(|source| OnnxError::Decode {
            path: path.to_owned(),
            source,
        })?;
        let outputs = file
            .graph
            .as_ref()
            .ok_or_else(|| Mismatch::new("the graph", "missing", "one"))
            .and_then(check_interface)
            .map_err(|mismatch| OnnxError::Interface {
                path: path.to_owned(),
                tensor: mismatch.tensor,
                found: mismatch.found,
                expected: mismatch.expected,
            })?;
        Ok(Self {
            bytes,
            outputs,
            uniform_hands: false,
            board_bytes: false,
            manifest: manifest(&file),
        })
    }

    /// The ONNX file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the net tells draws from halves.
    #[must_use]
    pub fn outputs(&self) -> OnnxOutputs {
        self.outputs
    }

    /// What the net says about itself, if it is one of ours.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Whether `input2` may be fed as `[N, 57, 1, 1]`: each of its planes is constant, and a net
    /// that only applies a 1x1 convolution and a broadcasting addition to them gives the same
    /// answer, up to 5 % sooner. Known to be so for our own nets only.
    pub(crate) fn uniform_hands(&self) -> bool {
        self.uniform_hands
    }

    /// Whether `input1` is to be fed as bytes rather than as float32.
    pub(crate) fn board_bytes(&self) -> bool {
        self.board_bytes
    }
}

/// The manifest in the file's metadata. One that cannot be read is none: the net runs without it.
fn manifest(file: &ModelProto) -> Option<Manifest> {
    let entry = file
        .metadata
        .iter()
        .find(|entry| entry.key == METADATA_KEY)?;
    serde_json::from_str(&entry.value).ok()
}

/// What differs from the interface.
struct Mismatch {
    tensor: String,
    found: String,
    expected: String,
}

impl Mismatch {
    fn new(
        tensor: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            tensor: tensor.into(),
            found: found.into(),
            expected: expected.into(),
        }
    }
}

fn check_interface(graph: &GraphProto) -> Result<OnnxOutputs, Mismatch> {
    // Old files list their weights among the inputs.
    let inputs: Vec<&ValueInfo> = graph
        .input
        .iter()
        .filter(|input| graph.initializer.iter().all(|w| w.name != input.name))
        .collect();
    check_names("the list of inputs", &inputs, &[INPUT_BOARD, INPUT_HANDS])?;
    for (input, n_planes) in inputs.iter().zip([BOARD_PLANES, HAND_PLANES]) {
        check_tensor("input", input, &[n_planes, 9, 9])?;
    }
    let outputs: Vec<&ValueInfo> = graph.output.iter().collect();
    let find = |name: &str| outputs.iter().find(|output| output.name == name);
    check_weights(graph)?;
    for (name, length) in [(OUTPUT_POLICY, N_LABELS), (OUTPUT_VALUE, 1)] {
        let expected = [OUTPUT_POLICY, OUTPUT_VALUE];
        let output = find(name).ok_or_else(|| {
            Mismatch::new("the list of outputs", names(&outputs), listed(&expected))
        })?;
        check_tensor("output", output, &[length])?;
    }
    check_value(graph)?;
    match find(OUTPUT_WDL) {
        None => Ok(OnnxOutputs::Dlshogi),
        Some(output) => {
            check_tensor("output", output, &[3])?;
            Ok(OnnxOutputs::WithWdl)
        }
    }
}

/// No engine looks at this, and a net without its sigmoid just plays nonsense.
fn check_value(graph: &GraphProto) -> Result<(), Mismatch> {
    match squash_of(graph, OUTPUT_VALUE) {
        Squash::Bounded | Squash::Unknown => Ok(()),
        Squash::Unbounded(op) => Err(Mismatch::new(
            format!("output `{OUTPUT_VALUE}`"),
            format!("made by {op}, a logit"),
            "a win probability: a Sigmoid before the output",
        )),
    }
}

/// Weights in a second file would have to be found and kept beside this one.
fn check_weights(graph: &GraphProto) -> Result<(), Mismatch> {
    const EXTERNAL: i32 = 1;
    let elsewhere = |weight: &&TensorProto| weight.data_location == EXTERNAL;
    match graph.initializer.iter().find(elsewhere) {
        None => Ok(()),
        Some(weight) => Err(Mismatch::new(
            format!("weight `{}`", weight.name),
            "in another file",
            "in the file itself",
        )),
    }
}

/// The engines of the ecosystem bind by index or by name, so both must fit.
fn check_names(what: &str, found: &[&ValueInfo], expected: &[&str]) -> Result<(), Mismatch> {
    if found
        .iter()
        .map(|tensor| &*tensor.name)
        .eq(expected.iter().copied())
    {
        Ok(())
    } else {
        Err(Mismatch::new(what, names(found), listed(expected)))
    }
}

fn names(tensors: &[&ValueInfo]) -> String {
    let names: Vec<&str> = tensors.iter().map(|tensor| &*tensor.name).collect();
    listed(&names)
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        "empty".to_owned()
    } else {
        names.join(", ")
    }
}

/// Checks for float32 of shape `[batch, shape...]` with a batch that is not fixed.
fn check_tensor(side: &str, tensor: &ValueInfo, shape: &[usize]) -> Result<(), Mismatch> {
    let declared = tensor.kind.as_ref().and_then(|kind| kind.tensor.as_ref());
    let mismatch = |found: String| {
        let lengths: String = shape.iter().map(|n| format!(", {n}")).collect();
        Mismatch::new(
            format!("{side} `{}`", tensor.name),
            found,
            format!("float32 [batch{lengths}]"),
        )
    };
    let Some(declared) = declared else {
        return Err(mismatch("not a tensor".to_owned()));
    };
    let Some(found) = &declared.shape else {
        return Err(mismatch("of unknown shape".to_owned()));
    };
    let is_free = |dimension: &Dimension| !matches!(dimension.length, Some(Length::Fixed(_)));
    let is_length = |dimension: &Dimension, n: usize| match dimension.length {
        Some(Length::Fixed(length)) => usize::try_from(length) == Ok(n),
        // Exporters lose track of lengths behind a reshape; running the net shows them.
        Some(Length::Named(_)) | None => side == "output",
    };
    let fits = declared.element == FLOAT
        && found.dim.len() == shape.len() + 1
        && is_free(&found.dim[0])
        && found.dim[1..]
            .iter()
            .zip(shape)
            .all(|(dim, &n)| is_length(dim, n));
    if fits {
        Ok(())
    } else {
        Err(mismatch(described(declared.element, &found.dim)))
    }
}

fn described(element: i32, dims: &[Dimension]) -> String {
    let mut text = match element {
        FLOAT => "float32 [".to_owned(),
        10 => "float16 [".to_owned(),
        other => format!("element type {other} ["),
    };
    for (i, dim) in dims.iter().enumerate() {
        if 0 < i {
            text.push_str(", ");
        }
        match &dim.length {
            Some(Length::Fixed(n)) => write!(text, "{n}").expect("a string takes all"),
            Some(Length::Named(name)) => text.push_str(name),
            None => text.push('?'),
        }
    }
    text + "]"
}

#[cfg(test)]
mod tests;
