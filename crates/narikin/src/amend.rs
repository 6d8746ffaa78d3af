//! Amending a run: it goes on with other settings.

use std::path::Path;

use anyhow::{bail, ensure};
use trainer::{Placement, Trainer};

use crate::config::Config;
use crate::exit::Refuse;
use crate::report::events::{Amended, Change, Event, EventLog};
use crate::run_folder::RunFolder;
use crate::train::checkpoints::{Checkpoints, RunState};

/// Keys that what there is of a run rests on, and what to do instead.
const FIXED: [(&str, &str); 5] = [
    ("name", "nets of the run carry it"),
    ("seed", "its random streams have begun with it"),
    ("from", "it has begun with that net"),
    ("net", "`narikin grow` gives a run another net"),
    ("fault", "it is for tests of new runs"),
];

/// Puts `overrides` into the configuration of the run in `path` and tells its events. Returns what changed.
///
/// # Errors
///
/// If the folder is no run or in use, the overrides are refused, nothing would change, or the newest
/// checkpoint cannot go on with them. The run is as it was then.
pub fn amend(path: &Path, overrides: &[String]) -> anyhow::Result<Vec<Change>> {
    let (run, stored) = RunFolder::open(path).refused()?;
    let amended = Config::load(Some(&run.config_file()), overrides).refused()?;
    let changes = stored.changes_to(&amended);
    check_changes(&changes).refused()?;
    let checkpoints = Checkpoints::in_folder(run.checkpoints());
    if let Some((checkpoint, _)) = checkpoints.newest::<RunState>()? {
        Trainer::resume(&checkpoint, &amended.train, &Placement::default()).refused()?;
    }
    // First the word, then the deed: what changed has been told, whatever happens in between.
    EventLog::open(&run.events_file())?.append(Event::Amended(Amended {
        changes: changes.clone(),
    }))?;
    run.replace_config(&amended)?;
    Ok(changes)
}

fn check_changes(changes: &[Change]) -> anyhow::Result<()> {
    ensure!(
        !changes.is_empty(),
        "the run has these settings already: nothing would change"
    );
    for change in changes {
        let part = change.key.split('.').next();
        if let Some((_, why)) = FIXED.iter().find(|(key, _)| part == Some(key)) {
            bail!("{} cannot be amended: {why}", change.key);
        }
    }
    Ok(())
}
