//! Where a run goes on: its newest checkpoint, or the beginning.

use anyhow::Context;
use trainer::{Placement, TrainOptions, Trainer};

use super::checkpoints::{Checkpoints, RunState};
use super::model_name;
use crate::config::{Config, Fault};
use crate::nets::Net;
use crate::run_folder::RunFolder;

/// Where a run goes on.
pub(super) struct Restored {
    pub(super) trainer: Trainer,
    pub(super) state: RunState,
    pub(super) net: Option<Net>,
    /// Whether there was a checkpoint.
    pub(super) resumed: bool,
}

/// Takes the newest checkpoint up, and the net that played then; or begins.
pub(super) fn restore(
    config: &Config,
    folder: &RunFolder,
    checkpoints: &Checkpoints,
    placement: &Placement,
) -> anyhow::Result<Restored> {
    let train = train_options(config);
    let Some((checkpoint, state)) = checkpoints.newest::<RunState>()? else {
        let trainer = Trainer::new(config.net, &train, placement, config.seed)?;
        let state = RunState::first(config.seed);
        return Ok(Restored {
            trainer,
            state,
            net: None,
            resumed: false,
        });
    };
    let trainer = Trainer::resume(&checkpoint, &train, placement)
        .with_context(|| format!("resuming the run in {}", folder.path().display()))?;
    let net = match state.generation {
        0 => None,
        generation => {
            let name = model_name(generation);
            // A process that was killed in between may have left the net before it.
            folder.set_current_model(&name)?;
            Some(Net::load(&folder.models().join(name))?)
        }
    };
    Ok(Restored {
        trainer,
        state,
        net,
        resumed: true,
    })
}

/// How the network learns; not at all where [`Fault::NoLearning`] is asked for.
fn train_options(config: &Config) -> TrainOptions {
    let mut train = config.train.clone();
    if config.fault == Some(Fault::NoLearning) {
        train.learning_rate = f64::MIN_POSITIVE;
    }
    train
}
