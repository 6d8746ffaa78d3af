//! Run folders, and folders of records.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use data::list_shards;
use model::Model;

use super::content::{Content, CurrentModel, Run, by_kind};
use super::{Depth, games, nets};
use crate::config::Config;
use crate::report::events::read_events;
use crate::run_folder::{self, RunFolderError};

/// A run folder, or a folder of our own records.
///
/// Unless all is to be checked, games and nets other than the current one are not read: a run may
/// hold gigabytes.
pub fn look(folder: &Path, depth: Depth) -> anyhow::Result<Content> {
    if !folder.join("config.toml").is_file() {
        let shards: Vec<_> = list_shards(folder)?
            .into_iter()
            .map(|shard| shard.path)
            .collect();
        if shards.is_empty() {
            bail!(
                "{} is neither a run folder (it has no config.toml) nor a folder of records (it has \
                 no *.nkg)",
                folder.display()
            );
        }
        return games::records(&shards, 1);
    }
    Config::load(Some(&folder.join("config.toml")), &[])?;
    let about = run_folder::read_run(folder)?;
    let checkpoints = tensor_files(&folder.join("checkpoints"))?;
    let mut records = None;
    if depth == Depth::Check {
        for (subfolder, names) in [
            ("checkpoints", &checkpoints),
            ("models", &tensor_files(&folder.join("models"))?),
        ] {
            for name in names {
                nets::tensors(&folder.join(subfolder).join(name))?;
            }
        }
        let shards = list_shards(&folder.join("games"))?;
        let shards: Vec<_> = shards.into_iter().map(|shard| shard.path).collect();
        records = Some(games::read_records(&shards, 0)?);
    }
    Ok(Content::Run(Box::new(Run {
        name: about.name,
        seed: about.seed,
        starts: about.starts,
        model: current_model(folder)?,
        checkpoints,
        records,
        by_kind: by_kind(&read_events(&folder.join("events.jsonl"))?),
    })))
}

fn current_model(folder: &Path) -> anyhow::Result<Option<CurrentModel>> {
    let file = match run_folder::current_model(folder) {
        Ok(file) => file,
        Err(RunFolderError::NoModel { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok(Some(CurrentModel {
        file: name.into_owned(),
        manifest: Model::load(&file)?.manifest,
    }))
}

/// Names of the safetensors files of a folder, in order.
fn tensor_files(folder: &Path) -> anyhow::Result<Vec<String>> {
    let context = || format!("cannot list the folder {}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let name = entry.with_context(context)?.file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".safetensors") {
            names.push(name.into_owned());
        }
    }
    names.sort();
    Ok(names)
}
