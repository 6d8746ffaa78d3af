//! The file of a net: one on disk, or the one that is part of the program.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use model::{Model, ModelError};

use crate::exit::Refuse;
use crate::run_folder::current_model;

/// What the net that comes with the program is called wherever a net or a player is named. From the
/// first release on a better one gets another name, so that words which are kept somewhere mean the same
/// net for ever.
pub const SHIPPED: &str = "narikin-1";

/// Part of the program, so that it plays wherever it is copied to.
static SHIPPED_BYTES: &[u8] = include_bytes!("../../../../models/narikin-1.safetensors");

/// A net's file, read but not yet understood.
#[derive(Debug)]
pub struct NetFile {
    /// Where it is; [`SHIPPED`] for the one that comes with the program.
    pub path: PathBuf,
    /// What is in it.
    pub bytes: Cow<'static, [u8]>,
}

impl NetFile {
    /// Reads what `path` means: [`SHIPPED`], a file, or the current net of a run folder.
    ///
    /// # Errors
    ///
    /// If the run has no net, or the file cannot be read; exit code 3.
    pub fn read(path: &Path) -> anyhow::Result<NetFile> {
        if is_shipped(path) {
            return Ok(NetFile {
                path: path.to_owned(),
                bytes: SHIPPED_BYTES.into(),
            });
        }
        let path = if path.is_dir() {
            current_model(path).refused()?
        } else {
            path.to_owned()
        };
        match fs::read(&path) {
            Ok(bytes) => Ok(NetFile {
                path,
                bytes: bytes.into(),
            }),
            Err(source) => Err(ModelError::Read { path, source }).refused(),
        }
    }

    /// Whether it is taken for ONNX, by its name.
    pub fn is_onnx(&self) -> bool {
        let extension = self.path.extension();
        extension.is_some_and(|extension| extension == "onnx")
    }

    /// How the name of a copy should end.
    pub fn extension(&self) -> &'static str {
        if self.is_onnx() {
            "onnx"
        } else {
            "safetensors"
        }
    }

    /// The model in it.
    ///
    /// # Errors
    ///
    /// If the file is refused, or is an ONNX file; exit code 3.
    pub fn model(&self) -> anyhow::Result<Model> {
        if self.is_onnx() {
            let refused: anyhow::Result<Model> = Err(anyhow::anyhow!(
                "{} is an ONNX file, expected a model (.safetensors) or a run folder",
                self.path.display()
            ));
            return refused.refused();
        }
        Model::from_bytes(&self.bytes, &self.path).refused()
    }
}

/// Whether the net that comes with the program is meant.
pub fn is_shipped(path: &Path) -> bool {
    path == Path::new(SHIPPED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test_folder;

    #[test]
    fn the_net_that_comes_with_the_program_is_read_by_its_name_alone() {
        let file = NetFile::read(Path::new(SHIPPED)).unwrap();
        assert_eq!(file.extension(), "safetensors");
        let model = file.model().unwrap();
        assert!(model.manifest.generation > 0);
        assert!(model.manifest.shape.is_plain());
    }

    #[test]
    fn a_file_that_is_called_like_the_shipped_net_is_read_by_a_path_to_it() {
        let dir = test_folder("nets-file");
        let path = dir.join(SHIPPED);
        fs::write(&path, "mine").unwrap();
        let file = NetFile::read(&path).unwrap();
        assert_eq!(&*file.bytes, b"mine");
        assert!(file.model().is_err());
    }
}
