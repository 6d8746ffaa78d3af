//! A net as a file: weights and manifest in one safetensors file.

use crate::manifest::PLAIN_FORMAT;
use crate::{MODEL_FORMAT, Manifest, NetShape, WriteError, expected_tensors, write_whole};
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Key of the manifest in the metadata of the safetensors header.
pub(crate) const METADATA_KEY: &str = "narikin";

/// A dense array of float32, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTensor {
    /// Length of each dimension, outermost first.
    pub shape: Vec<usize>,
    /// The elements; as many as the product of `shape`.
    pub data: Vec<f32>,
}

/// A net: what it is, and its weights. Knows nothing of optimizer state (that is a checkpoint).
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Shape and lineage.
    pub manifest: Manifest,
    /// The weights by name, as [`expected_tensors`] lists them for the manifest's shape.
    pub tensors: BTreeMap<String, NamedTensor>,
}

/// Why a set of tensors is not the network that it should be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TensorError {
    /// A tensor of the network is not there.
    #[error("tensor `{tensor}` is missing, expected shape {expected:?}")]
    Missing {
        /// Name of the tensor.
        tensor: String,
        /// Shape that the network needs.
        expected: Vec<usize>,
    },
    /// A tensor that the network has no use for.
    #[error("tensor `{tensor}` of shape {found:?} is not part of the network")]
    Unexpected {
        /// Name of the tensor.
        tensor: String,
        /// Shape that it has.
        found: Vec<usize>,
    },
    /// A tensor of another shape, or whose data does not fill its shape.
    #[error("tensor `{tensor}` has shape {found:?}, expected {expected:?}")]
    Shape {
        /// Name of the tensor.
        tensor: String,
        /// Shape that it has.
        found: Vec<usize>,
        /// Shape that the network needs.
        expected: Vec<usize>,
    },
    /// A tensor whose number of elements is not that of its shape.
    #[error("tensor `{tensor}` has {found} elements, expected {expected}")]
    Length {
        /// Name of the tensor.
        tensor: String,
        /// Elements that it has.
        found: usize,
        /// Product of its shape.
        expected: usize,
    },
    /// A tensor in another number format.
    #[error("tensor `{tensor}` has type {found}, expected F32")]
    Dtype {
        /// Name of the tensor.
        tensor: String,
        /// Type that it has.
        found: String,
    },
    /// A weight that is infinite or not a number.
    #[error("tensor `{tensor}` has {found} at element {index}, expected a finite number")]
    NonFinite {
        /// Name of the tensor.
        tensor: String,
        /// Row-major position of the element.
        index: usize,
        /// The element.
        found: f32,
    },
    /// A negative running variance.
    #[error("tensor `{tensor}` has {found} at element {index}, expected a variance of 0 or more")]
    NegativeVariance {
        /// Name of the tensor.
        tensor: String,
        /// Row-major position of the element.
        index: usize,
        /// The element.
        found: f32,
    },
}

/// Why a model file was not read or not written.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read model file {}", path.display())]
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
    #[error("model file {} of {bytes} bytes is not a whole safetensors file", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: usize,
        /// What is wrong with it.
        #[source]
        source: SafeTensorError,
    },
    /// A safetensors file without our manifest.
    #[error("model file {} has no metadata `{METADATA_KEY}`, expected a manifest", path.display())]
    NoManifest {
        /// The file.
        path: PathBuf,
    },
    /// A manifest that cannot be understood.
    #[error("model file {} has a bad manifest", path.display())]
    BadManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// A file of another version of the format.
    #[error("model file {} has format {found}, this build reads 1 to {newest}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u64,
        /// Newest version that this build reads.
        newest: u32,
    },
    /// A network that the file's version of the format cannot hold.
    #[error(
        "model file {} has format {found}, but squeeze-excite, global pooling and attention are \
         of format {MODEL_FORMAT}",
        path.display()
    )]
    ShapeOfLaterFormat {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u32,
    },
    /// A net for other input planes or move labels.
    #[error("model file {} has encoding {found}, this build uses {expected}", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u32,
        /// Version of this build.
        expected: u32,
    },
    /// A network shape out of range.
    #[error("model file {}: shape.{key} = {message}", path.display())]
    NetShape {
        /// The file.
        path: PathBuf,
        /// The key of [`NetShape`].
        key: &'static str,
        /// Found and expected.
        message: String,
    },
    /// Tensors that do not fit the manifest.
    #[error("weights of model file {} refused", path.display())]
    Tensors {
        /// The file.
        path: PathBuf,
        /// The first tensor that does not fit.
        #[source]
        source: TensorError,
    },
}

impl Model {
    /// Reads a model and compares format, encoding, and name, shape and type of every tensor.
    ///
    /// # Errors
    ///
    /// The first thing that is not as this build expects it; nothing is repaired or ignored.
    pub fn load(path: &Path) -> Result<Self, ModelError> {
        let bytes = fs::read(path).map_err(|source| ModelError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads a model from the bytes of its file; `path` is for messages only.
    ///
    /// # Errors
    ///
    /// As [`Model::load`], apart from the system's.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, ModelError> {
        let broken = |source| ModelError::Broken {
            path: path.to_owned(),
            bytes: bytes.len(),
            source,
        };
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(broken)?;
        let manifest = header
            .metadata()
            .as_ref()
            .and_then(|entries| entries.get(METADATA_KEY))
            .ok_or_else(|| ModelError::NoManifest {
                path: path.to_owned(),
            })?;
        let manifest = read_manifest(path, manifest)?;
        let file = SafeTensors::deserialize(bytes).map_err(broken)?;
        let tensors = read_tensors(&file).and_then(|tensors| {
            check_tensors(&manifest.shape, &tensors)?;
            Ok(tensors)
        });
        let tensors = tensors.map_err(|source| ModelError::Tensors {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self { manifest, tensors })
    }

    /// Writes the model so that `path` holds either what it held before or the whole model: to
    /// `path` with `.tmp` appended, synced, then renamed.
    ///
    /// # Errors
    ///
    /// Tensors that [`check`](Self::check) refuses, or a file that cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        self.check().map_err(|source| ModelError::Tensors {
            path: path.to_owned(),
            source,
        })?;
        Ok(write_whole(path, &self.to_bytes())?)
    }

    /// Compares the tensors with the manifest's shape, and their elements with being finite.
    ///
    /// # Errors
    ///
    /// The first tensor, in the order of the forward pass, that does not fit.
    pub fn check(&self) -> Result<(), TensorError> {
        check_tensors(&self.manifest.shape, &self.tensors)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let manifest =
            serde_json::to_string(&self.manifest).expect("a manifest holds numbers and strings");
        let data: Vec<(&str, &[usize], Vec<u8>)> = self
            .tensors
            .iter()
            .map(|(name, tensor)| (name.as_str(), &*tensor.shape, little_endian(&tensor.data)))
            .collect();
        let views = data.iter().map(|(name, shape, bytes)| {
            let view = TensorView::new(Dtype::F32, shape.to_vec(), bytes)
                .expect("checked tensors fill their shape");
            (*name, view)
        });
        let metadata = HashMap::from([(METADATA_KEY.to_owned(), manifest)]);
        safetensors::serialize(views, Some(metadata)).expect("views of whole tensors serialize")
    }
}

/// The bytes of float32 numbers as safetensors and ONNX store them.
pub(crate) fn little_endian(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn read_manifest(path: &Path, text: &str) -> Result<Manifest, ModelError> {
    let bad = |source| ModelError::BadManifest {
        path: path.to_owned(),
        source,
    };
    // The format comes first: another version may have other fields.
    let value: serde_json::Value = serde_json::from_str(text).map_err(bad)?;
    if let Some(found) = value.get("format").and_then(serde_json::Value::as_u64)
        && !(1..=u64::from(MODEL_FORMAT)).contains(&found)
    {
        return Err(ModelError::Format {
            path: path.to_owned(),
            found,
            newest: MODEL_FORMAT,
        });
    }
    let manifest: Manifest = serde_json::from_value(value).map_err(bad)?;
    if manifest.encoding != data::ENCODING_VERSION {
        return Err(ModelError::Encoding {
            path: path.to_owned(),
            found: manifest.encoding,
            expected: data::ENCODING_VERSION,
        });
    }
    manifest
        .shape
        .check()
        .map_err(|(key, message)| ModelError::NetShape {
            path: path.to_owned(),
            key,
            message,
        })?;
    if manifest.format == PLAIN_FORMAT && !manifest.shape.is_plain() {
        return Err(ModelError::ShapeOfLaterFormat {
            path: path.to_owned(),
            found: manifest.format,
        });
    }
    Ok(manifest)
}

fn read_tensors(file: &SafeTensors<'_>) -> Result<BTreeMap<String, NamedTensor>, TensorError> {
    let mut tensors = BTreeMap::new();
    // Sorted, so that the same file is always refused for the same tensor.
    let names: BTreeSet<&str> = file.names().into_iter().collect();
    for name in names {
        let view = file.tensor(name).expect("the file lists this name");
        if view.dtype() != Dtype::F32 {
            return Err(TensorError::Dtype {
                tensor: name.to_owned(),
                found: format!("{:?}", view.dtype()),
            });
        }
        let (numbers, rest) = view.data().as_chunks::<4>();
        assert!(rest.is_empty(), "safetensors checked the length");
        let tensor = NamedTensor {
            shape: view.shape().to_vec(),
            data: numbers.iter().map(|&x| f32::from_le_bytes(x)).collect(),
        };
        tensors.insert(name.to_owned(), tensor);
    }
    Ok(tensors)
}

fn check_tensors(
    shape: &NetShape,
    tensors: &BTreeMap<String, NamedTensor>,
) -> Result<(), TensorError> {
    let mut unexpected: BTreeSet<&str> = tensors.keys().map(String::as_str).collect();
    for (name, expected) in expected_tensors(shape) {
        let Some(tensor) = tensors.get(&name) else {
            return Err(TensorError::Missing {
                tensor: name,
                expected,
            });
        };
        check_tensor(&name, tensor, &expected)?;
        unexpected.remove(name.as_str());
    }
    match unexpected.first() {
        None => Ok(()),
        Some(&name) => Err(TensorError::Unexpected {
            tensor: name.to_owned(),
            found: tensors[name].shape.clone(),
        }),
    }
}

fn check_tensor(name: &str, tensor: &NamedTensor, expected: &[usize]) -> Result<(), TensorError> {
    let NamedTensor { shape, data } = tensor;
    if shape != expected {
        return Err(TensorError::Shape {
            tensor: name.to_owned(),
            found: shape.clone(),
            expected: expected.to_vec(),
        });
    }
    let n_elements = expected.iter().product();
    if data.len() != n_elements {
        return Err(TensorError::Length {
            tensor: name.to_owned(),
            found: data.len(),
            expected: n_elements,
        });
    }
    if let Some(index) = data.iter().position(|x| !x.is_finite()) {
        return Err(TensorError::NonFinite {
            tensor: name.to_owned(),
            index,
            found: data[index],
        });
    }
    if name.ends_with(".running_var")
        && let Some(index) = data.iter().position(|&x| x < 0.0)
    {
        return Err(TensorError::NegativeVariance {
            tensor: name.to_owned(),
            index,
            found: data[index],
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
