//! Training state as a file: everything that the next step depends on.

use crate::auxiliary::auxiliary_tensors;
use crate::options::TrainOptions;
use data::ENCODING_VERSION;
use model::{Manifest, NamedTensor, TensorError, WriteError, expected_tensors, write_whole};
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Version of the checkpoint file that this build writes. It reads version 1 too, which knows
/// neither auxiliary heads nor nets with other parts than convolutions.
pub const CHECKPOINT_FORMAT: u32 = 2;

/// Key of the manifest in the metadata of the safetensors header.
const METADATA_KEY: &str = "narikin-checkpoint";
/// What the names of tensors start with in the file; moments add their own name.
const WEIGHTS: &str = "weights.";
const AVERAGE: &str = "average.";
const MOMENT: &str = "moment.";

/// Training state that can be resumed: one safetensors file of float32 with a manifest.
///
/// `weights.NAME` and `average.NAME` for every tensor of the network, `moment.MOMENT.NAME` for
/// every parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// What it is.
    pub manifest: CheckpointManifest,
    /// The raw net by name, as [`expected_tensors`] lists it, and its auxiliary heads.
    pub weights: BTreeMap<String, NamedTensor>,
    /// The averaged net.
    pub average: BTreeMap<String, NamedTensor>,
    /// The optimizer's moments by name, each with one tensor per parameter.
    pub moments: BTreeMap<String, BTreeMap<String, NamedTensor>>,
}

/// What a checkpoint says about itself; JSON in the file's metadata.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointManifest {
    /// Version of the file format, 1 to [`CHECKPOINT_FORMAT`].
    pub format: u32,
    /// Shape, encoding, lineage, steps and samples of the net.
    pub model: Manifest,
    /// Updates behind the optimizer's moments: fewer than the net's steps where training began
    /// with a trained net.
    pub updates: u64,
    /// The options that the last step was taken with.
    pub options: TrainOptions,
    /// Version of libtorch that computed it.
    pub torch: String,
    /// The caller's own state, saved in the same instant.
    pub note: serde_json::Value,
}

/// Why a checkpoint was not read or not written.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("cannot read checkpoint {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Not safetensors at all, or cut short.
    #[error("checkpoint {} of {bytes} bytes is not a whole safetensors file", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: usize,
        /// What is wrong with it.
        #[source]
        source: SafeTensorError,
    },
    /// A safetensors file without our manifest, such as a model.
    #[error("checkpoint {} has no metadata `{METADATA_KEY}`, expected a manifest", path.display())]
    NoManifest {
        /// The file.
        path: PathBuf,
    },
    /// A manifest that cannot be understood.
    #[error("checkpoint {} has a bad manifest", path.display())]
    BadManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// A file of another version of the format.
    #[error("checkpoint {} has format {found}, this build reads 1 to {newest}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u64,
        /// Newest version that this build reads.
        newest: u32,
    },
    /// A net for other input planes or move labels.
    #[error("checkpoint {} has encoding {found}, this build uses {expected}", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u32,
        /// Version of this build.
        expected: u32,
    },
    /// A network shape out of range.
    #[error("checkpoint {}: shape.{key} = {message}", path.display())]
    NetShape {
        /// The file.
        path: PathBuf,
        /// The key of [`NetShape`](model::NetShape).
        key: &'static str,
        /// Found and expected.
        message: String,
    },
    /// Tensors that do not fit the manifest.
    #[error("tensors of checkpoint {} refused", path.display())]
    Tensors {
        /// The file.
        path: PathBuf,
        /// The first tensor that does not fit.
        #[source]
        source: TensorError,
    },
}

impl Checkpoint {
    /// Reads a checkpoint and compares format, encoding, and name, shape and type of every tensor.
    ///
    /// # Errors
    ///
    /// The first thing that is not as this build expects it; nothing is repaired or ignored.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = fs::read(path).map_err(|source| CheckpointError::Read {
            path: path.to_owned(),
            source,
        })?;
        let broken = |source| CheckpointError::Broken {
            path: path.to_owned(),
            bytes: bytes.len(),
            source,
        };
        let (_, header) = SafeTensors::read_metadata(&bytes).map_err(broken)?;
        let text = header
            .metadata()
            .as_ref()
            .and_then(|entries| entries.get(METADATA_KEY))
            .ok_or_else(|| CheckpointError::NoManifest {
                path: path.to_owned(),
            })?;
        let manifest = read_manifest(path, text)?;
        let file = SafeTensors::deserialize(&bytes).map_err(broken)?;
        Self::from_tensors(manifest, &file).map_err(|source| CheckpointError::Tensors {
            path: path.to_owned(),
            source,
        })
    }

    /// Writes the checkpoint so that `path` holds either what it held before or the whole
    /// checkpoint: to `path` with `.tmp` appended, synced, then renamed.
    ///
    /// # Errors
    ///
    /// Tensors that do not fit the manifest, or a file that cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        self.check().map_err(|source| CheckpointError::Tensors {
            path: path.to_owned(),
            source,
        })?;
        Ok(write_whole(path, &self.to_bytes())?)
    }

    /// Compares the tensors of all parts with the manifest's shape.
    ///
    /// # Errors
    ///
    /// The first tensor that does not fit, by its name in the file.
    pub fn check(&self) -> Result<(), TensorError> {
        let shape = &self.manifest.model.shape;
        let mut expected = expected_tensors(shape);
        expected.extend(auxiliary_tensors(shape, &self.manifest.options.auxiliary));
        check_part(WEIGHTS, &self.weights, &expected)?;
        check_part(AVERAGE, &self.average, &expected)?;
        let parameters = parameters(&expected);
        for (moment, tensors) in &self.moments {
            check_part(&format!("{MOMENT}{moment}."), tensors, &parameters)?;
        }
        Ok(())
    }

    fn from_tensors(
        manifest: CheckpointManifest,
        file: &SafeTensors<'_>,
    ) -> Result<Self, TensorError> {
        let mut checkpoint = Self {
            manifest,
            weights: BTreeMap::new(),
            average: BTreeMap::new(),
            moments: BTreeMap::new(),
        };
        // All of the optimizer's moments are there, even if every one of their tensors is missing.
        for moment in checkpoint.manifest.options.optimizer.moment_names() {
            checkpoint
                .moments
                .insert((*moment).to_owned(), BTreeMap::new());
        }
        // Sorted, so that the same file is always refused for the same tensor.
        let tensors: BTreeMap<&str, TensorView<'_>> = file.iter().collect();
        for (name, view) in tensors {
            let tensor = read_tensor(name, &view)?;
            let known = checkpoint
                .part_of(name)
                .map(|(part, name)| part.insert(name, tensor));
            if known.is_none() {
                return Err(TensorError::Unexpected {
                    tensor: name.to_owned(),
                    found: view.shape().to_vec(),
                });
            }
        }
        checkpoint.check()?;
        Ok(checkpoint)
    }

    /// The part that a tensor of the file belongs to, and its name there.
    fn part_of(&mut self, name: &str) -> Option<(&mut BTreeMap<String, NamedTensor>, String)> {
        if let Some(name) = name.strip_prefix(WEIGHTS) {
            Some((&mut self.weights, name.to_owned()))
        } else if let Some(name) = name.strip_prefix(AVERAGE) {
            Some((&mut self.average, name.to_owned()))
        } else {
            let (moment, name) = name.strip_prefix(MOMENT)?.split_once('.')?;
            Some((self.moments.get_mut(moment)?, name.to_owned()))
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let manifest = serde_json::to_string(&self.manifest)
            .expect("a manifest holds numbers, strings and a JSON value");
        let moments = self
            .moments
            .iter()
            .map(|(moment, tensors)| (format!("{MOMENT}{moment}."), tensors));
        let data: Vec<(String, &[usize], Vec<u8>)> = [
            (WEIGHTS.to_owned(), &self.weights),
            (AVERAGE.to_owned(), &self.average),
        ]
        .into_iter()
        .chain(moments)
        .flat_map(|(prefix, tensors)| {
            tensors.iter().map(move |(name, tensor)| {
                let bytes = tensor.data.iter().flat_map(|x| x.to_le_bytes()).collect();
                (format!("{prefix}{name}"), &*tensor.shape, bytes)
            })
        })
        .collect();
        let views = data.iter().map(|(name, shape, bytes)| {
            let view = TensorView::new(Dtype::F32, shape.to_vec(), bytes)
                .expect("checked tensors fill their shape");
            (name, view)
        });
        let metadata = HashMap::from([(METADATA_KEY.to_owned(), manifest)]);
        safetensors::serialize(views, Some(metadata)).expect("views of whole tensors serialize")
    }
}

fn read_manifest(path: &Path, text: &str) -> Result<CheckpointManifest, CheckpointError> {
    let bad = |source| CheckpointError::BadManifest {
        path: path.to_owned(),
        source,
    };
    // The format comes first: another version may have other fields.
    let value: serde_json::Value = serde_json::from_str(text).map_err(bad)?;
    if let Some(found) = value.get("format").and_then(serde_json::Value::as_u64)
        && !(1..=u64::from(CHECKPOINT_FORMAT)).contains(&found)
    {
        return Err(CheckpointError::Format {
            path: path.to_owned(),
            found,
            newest: CHECKPOINT_FORMAT,
        });
    }
    let manifest: CheckpointManifest = serde_json::from_value(value).map_err(bad)?;
    if manifest.model.encoding != ENCODING_VERSION {
        return Err(CheckpointError::Encoding {
            path: path.to_owned(),
            found: manifest.model.encoding,
            expected: ENCODING_VERSION,
        });
    }
    let shape = manifest.model.shape;
    shape
        .check()
        .map_err(|(key, message)| CheckpointError::NetShape {
            path: path.to_owned(),
            key,
            message,
        })?;
    Ok(manifest)
}

fn read_tensor(name: &str, view: &TensorView<'_>) -> Result<NamedTensor, TensorError> {
    if view.dtype() != Dtype::F32 {
        return Err(TensorError::Dtype {
            tensor: name.to_owned(),
            found: format!("{:?}", view.dtype()),
        });
    }
    let (numbers, _) = view.data().as_chunks::<4>();
    Ok(NamedTensor {
        shape: view.shape().to_vec(),
        data: numbers
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect(),
    })
}

/// The tensors that an optimizer moves: all but running means and variances.
fn parameters(tensors: &[(String, Vec<usize>)]) -> Vec<(String, Vec<usize>)> {
    let is_parameter = |name: &str| !name.contains(".running_");
    let parameters = tensors.iter().filter(|(name, _)| is_parameter(name));
    parameters.cloned().collect()
}

fn check_part(
    prefix: &str,
    tensors: &BTreeMap<String, NamedTensor>,
    expected: &[(String, Vec<usize>)],
) -> Result<(), TensorError> {
    for (name, shape) in expected {
        let tensor = format!("{prefix}{name}");
        let Some(found) = tensors.get(name) else {
            let expected = shape.clone();
            return Err(TensorError::Missing { tensor, expected });
        };
        if found.shape != *shape {
            return Err(TensorError::Shape {
                tensor,
                found: found.shape.clone(),
                expected: shape.clone(),
            });
        }
        let expected = shape.iter().product();
        if found.data.len() != expected {
            let found = found.data.len();
            return Err(TensorError::Length {
                tensor,
                found,
                expected,
            });
        }
        if let Some(index) = found.data.iter().position(|x| !x.is_finite()) {
            let found = found.data[index];
            return Err(TensorError::NonFinite {
                tensor,
                index,
                found,
            });
        }
    }
    let is_known = |name: &str| expected.iter().any(|(known, _)| known == name);
    match tensors.iter().find(|(name, _)| !is_known(name)) {
        None => Ok(()),
        Some((name, tensor)) => Err(TensorError::Unexpected {
            tensor: format!("{prefix}{name}"),
            found: tensor.shape.clone(),
        }),
    }
}

#[cfg(test)]
mod tests;
