//! Models, checkpoints and ONNX files.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use model::{Model, OnnxNet, OnnxOutputs, TensorFile};

use super::content::Content;

/// Key of a checkpoint's manifest in the metadata of its file.
const CHECKPOINT_KEY: &str = "narikin-checkpoint";

/// A safetensors file: a model or a checkpoint.
pub fn tensors(file: &Path) -> anyhow::Result<Content> {
    let found = TensorFile::load(file)?;
    match found.metadata.get(CHECKPOINT_KEY) {
        Some(manifest) => checkpoint(file, &found, manifest),
        None if found.is_model() => model(file),
        None => {
            let keys: Vec<&str> = found.metadata.keys().map(String::as_str).collect();
            bail!(
                "{} is neither a model nor a checkpoint: it has {} tensors and the metadata [{}], \
                 expected `narikin` or `{CHECKPOINT_KEY}`",
                file.display(),
                found.n_tensors,
                keys.join(", ")
            )
        }
    }
}

fn model(file: &Path) -> anyhow::Result<Content> {
    let model = Model::load(file)?;
    let parameters = model.tensors.values().map(|tensor| tensor.data.len());
    Ok(Content::Model {
        parameters: parameters.sum(),
        manifest: Box::new(model.manifest),
    })
}

fn checkpoint(file: &Path, found: &TensorFile, manifest: &str) -> anyhow::Result<Content> {
    let manifest = serde_json::from_str(manifest)
        .with_context(|| format!("checkpoint {} has a bad manifest", file.display()))?;
    if let Some(tensor) = &found.not_finite {
        bail!(
            "checkpoint {}: tensor `{tensor}` has a number that is not finite",
            file.display()
        );
    }
    ensure!(
        found.n_tensors > 0,
        "checkpoint {} has no tensors",
        file.display()
    );
    // Names and shapes of its tensors are the trainer's business.
    #[cfg(feature = "torch")]
    trainer::Checkpoint::load(file)?;
    Ok(Content::Checkpoint {
        manifest,
        tensors: found.n_tensors,
        parameters: found.n_elements,
    })
}

/// An ONNX file.
pub fn onnx(file: &Path) -> anyhow::Result<Content> {
    let net = OnnxNet::load(file)?;
    let outputs = match net.outputs() {
        OnnxOutputs::Dlshogi => "policy and value",
        OnnxOutputs::WithWdl => "policy, value and win/draw/loss",
    };
    Ok(Content::Onnx {
        outputs,
        manifest: net.manifest().cloned().map(Box::new),
    })
}
