//! The checkpoints of a run. Each is one file: the trainer's, with where the run stood in its note,
//! so that no moment exists in which one is saved and the other is not.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use selfplay::{PlayMemory, ResignMemory};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use trainer::{Checkpoint, Trainer};

use crate::exit::Refuse;

/// Checkpoints that are kept; older ones are removed.
const KEPT: usize = 3;

/// What a run has to remember beside the trainer and the records. Nothing in it depends on time, so
/// that the same run has the same checkpoints, byte for byte.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// Nets published so far.
    pub generation: u32,
    /// The stream that samples are drawn by.
    pub sampling: Xoshiro256PlusPlus,
    /// Training rows at the last publication; absent in early checkpoints, which were all written
    /// at one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_samples: Option<u64>,
    /// Which games are in the window; absent in early checkpoints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowState>,
    /// What each self-play thread has taken from its games for later ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<PlayMemory>,
    /// Of early checkpoints: the part of it that is about resigning.
    #[serde(default, skip_serializing)]
    pub resigning: Vec<ResignMemory>,
    /// The trust in values, where a rule sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c_scale: Option<f32>,
    /// Of early checkpoints: seconds spent, all starts together. Now the event log tells them.
    #[serde(default, skip_serializing)]
    pub elapsed_s: Option<f64>,
}

/// Which games are in the window, by their order on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowState {
    /// Games that have entered it; those behind them have not been scored yet.
    pub entered: u64,
    /// Positions in it.
    pub positions: u64,
}

impl RunState {
    /// Where a run with this seed begins.
    pub fn first(seed: u64) -> RunState {
        // Games take the streams from 1 on.
        let sampling = Xoshiro256PlusPlus::seed_from_u64(search::mix_seed(seed, 0));
        RunState {
            generation: 0,
            sampling,
            published_samples: None,
            window: None,
            memories: Vec::new(),
            resigning: Vec::new(),
            c_scale: None,
            elapsed_s: None,
        }
    }

    /// What each self-play thread has taken from its games, early checkpoints included.
    pub fn memories(&self) -> Vec<PlayMemory> {
        if !self.memories.is_empty() {
            return self.memories.clone();
        }
        let early = self.resigning.iter().map(|resigning| PlayMemory {
            resigning: resigning.clone(),
            ..PlayMemory::default()
        });
        early.collect()
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
