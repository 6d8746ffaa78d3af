//! The checkpoints of a run. Each is one file: the trainer's, with where the run stood in its note,
//! so that no moment exists in which one is saved and the other is not.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use trainer::{Checkpoint, Trainer};

use crate::exit::Refuse;

/// Checkpoints that are kept; older ones are removed.
const KEPT: usize = 3;

/// What a run has to remember beside the trainer and the records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// Nets published so far.
    pub generation: u32,
    /// Time spent, all starts together, in seconds.
    pub elapsed_s: f64,
    /// The stream that samples are drawn by.
    pub sampling: Xoshiro256PlusPlus,
}

impl RunState {
    /// Where a run with this seed begins.
    pub fn first(seed: u64) -> RunState {
        // Games take the streams from 1 on.
        let sampling = Xoshiro256PlusPlus::seed_from_u64(search::mix_seed(seed, 0));
        RunState {
            generation: 0,
            elapsed_s: 0.0,
            sampling,
        }
    }
}

/// The folder of checkpoints: `000000123.safetensors` is the one after 123 steps.
#[derive(Debug)]
pub struct Checkpoints {
    dir: PathBuf,
}

impl Checkpoints {
    /// The checkpoints in `dir`, which exists.
    pub fn in_folder(dir: PathBuf) -> Checkpoints {
        Checkpoints { dir }
    }

    /// Writes a checkpoint, whole or not at all, then removes old ones. Returns its name.
    ///
    /// # Errors
    ///
    /// If the disk refuses; earlier checkpoints are untouched then.
    pub fn save(&self, trainer: &Trainer, state: &impl Serialize) -> anyhow::Result<String> {
        let name = format!("{:09}.safetensors", trainer.steps());
        let note = serde_json::to_value(state).expect("plain numbers are always JSON");
        trainer.checkpoint(note).save(&self.dir.join(&name))?;
        for old in self.names()?.iter().rev().skip(KEPT) {
            let path = self.dir.join(old);
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
        Ok(name)
    }

    /// The newest checkpoint and where the run stood, as the `state` that was saved with it; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the newest one cannot be read.
    pub fn newest<S: DeserializeOwned>(&self) -> anyhow::Result<Option<(Checkpoint, S)>> {
        let Some(name) = self.names()?.pop() else {
            return Ok(None);
        };
        let path = self.dir.join(name);
        let checkpoint = Checkpoint::load(&path).refused()?;
        let state = serde_json::from_value(checkpoint.manifest.note.clone())
            .with_context(|| {
                let path = path.display();
                format!("checkpoint {path} was not made by this command")
            })
            .refused()?;
        Ok(Some((checkpoint, state)))
    }

    /// File names of whole checkpoints, oldest first.
    fn names(&self) -> anyhow::Result<Vec<String>> {
        let context = || format!("cannot list the folder {}", self.dir.display());
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.dir).with_context(context)? {
            let name = entry.with_context(context)?.file_name();
            names.extend(
                name.to_str()
                    .filter(|name| is_checkpoint(name))
                    .map(str::to_owned),
            );
        }
        names.sort();
        Ok(names)
    }
}

fn is_checkpoint(name: &str) -> bool {
    name.strip_suffix(".safetensors")
        .is_some_and(|steps| steps.len() >= 9 && steps.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
