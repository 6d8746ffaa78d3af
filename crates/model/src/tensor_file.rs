//! What any safetensors file says about itself.

use crate::ModelError;
use crate::model_file::METADATA_KEY;
use safetensors::tensor::{Dtype, SafeTensors};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A safetensors file, its tensors counted: for looking at files that are no model of ours, such as
/// checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorFile {
    /// The texts in the file's metadata.
    pub metadata: BTreeMap<String, String>,
    /// Number of tensors.
    pub n_tensors: usize,
    /// Number of elements of all tensors.
    pub n_elements: usize,
    /// Name of the first tensor, by name, with a float32 that is not finite.
    pub not_finite: Option<String>,
}

impl TensorFile {
    /// Reads the file as a whole.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not a whole safetensors file.
    pub fn load(path: &Path) -> Result<Self, ModelError> {
        let bytes = fs::read(path).map_err(|source| ModelError::Read {
            path: path.to_owned(),
            source,
        })?;
        let broken = |source| ModelError::Broken {
            path: path.to_owned(),
            bytes: bytes.len(),
            source,
        };
        let (_, header) = SafeTensors::read_metadata(&bytes).map_err(broken)?;
        let metadata = header.metadata().clone().unwrap_or_default();
        let tensors: BTreeMap<_, _> = SafeTensors::deserialize(&bytes)
            .map_err(broken)?
            .tensors()
            .into_iter()
            .collect();
        let is_finite = |data: &[u8]| {
            let numbers = data.as_chunks().0.iter();
            numbers.copied().map(f32::from_le_bytes).all(f32::is_finite)
        };
        let not_finite = tensors
            .iter()
            .find(|(_, tensor)| tensor.dtype() == Dtype::F32 && !is_finite(tensor.data()));
        Ok(Self {
            metadata: metadata.into_iter().collect(),
            n_tensors: tensors.len(),
            n_elements: tensors
                .values()
                .map(|tensor| tensor.shape().iter().product::<usize>())
                .sum(),
            not_finite: not_finite.map(|(name, _)| name.clone()),
        })
    }

    /// Whether it is a model: [`Model::load`](crate::Model::load) would read on.
    #[must_use]
    pub fn is_model(&self) -> bool {
        self.metadata.contains_key(METADATA_KEY)
    }
}

#[cfg(test)]
mod tests;
