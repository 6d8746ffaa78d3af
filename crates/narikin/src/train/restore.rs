//! Where a run goes on: its newest checkpoint, or the beginning.

use std::path::Path;

use anyhow::{Context, anyhow};
use model::Model;
use trainer::{Placement, TrainOptions, Trainer};

use super::checkpoints::{Checkpoints, RunState};
use super::model_name;
use crate::config::{Config, Fault};
use crate::exit::Refuse;
use crate::nets::{Net, NetFile};
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
        return begin(config, folder, &train, placement);
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

/// The beginning: random weights and no net that plays, or the net that is configured.
fn begin(
    config: &Config,
    folder: &RunFolder,
    train: &TrainOptions,
    placement: &Placement,
) -> anyhow::Result<Restored> {
    let mut state = RunState::first(config.seed);
    let Some(model) = first_model(config)? else {
        return Ok(Restored {
            trainer: Trainer::new(config.net, train, placement, config.seed)?,
            state,
            net: None,
            resumed: false,
        });
    };
    state.generation = 1;
    let name = model_name(state.generation);
    model.save(&folder.models().join(&name))?;
    folder.set_current_model(&name)?;
    let net = Net::from_model(&model.manifest.name, &model);
    Ok(Restored {
        trainer: Trainer::from_model(&model, train, placement)?,
        state,
        net: Some(net),
        resumed: false,
    })
}

/// The net that a run of this configuration begins with, as the first net of that run; none for random
/// weights.
///
/// # Errors
///
/// If there is no such net, or it has another shape than the configuration; exit code 3.
pub fn first_model(config: &Config) -> anyhow::Result<Option<Model>> {
    let Some(from) = &config.from else {
        return Ok(None);
    };
    let file = NetFile::read(Path::new(from)).context("the net to begin with (from)")?;
    let mut model = file.model()?;
    let (found, configured) = (model.manifest.shape, config.net);
    if found != configured {
        let refused: anyhow::Result<_> = Err(anyhow!(
            "{from} has {found}, but the configuration (net) has {configured}: a run begins with a net of \
             its own shape"
        ));
        return refused.refused();
    }
    let manifest = &mut model.manifest;
    manifest.run.clone_from(&config.name);
    manifest.name = format!("{}-{:06}", config.name, 1);
    (manifest.generation, manifest.games) = (1, 0);
    (manifest.steps, manifest.samples) = (0, 0);
    Ok(Some(model))
}

/// How the network learns; not at all where [`Fault::NoLearning`] is asked for.
fn train_options(config: &Config) -> TrainOptions {
    let mut train = config.train.clone();
    if config.fault == Some(Fault::NoLearning) {
        train.learning_rate = f64::MIN_POSITIVE;
    }
    train
}
