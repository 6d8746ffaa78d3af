//! `narikin selfplay --replay`: a recorded game played again, and compared.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use data::{GameRecord, RecordReader, list_shards};
use search::{Evaluator, UniformEvaluator, mix_seed};
use selfplay::{Replay, replay};

use crate::config::Config;
use crate::exit::{self, Refuse};
use crate::nets::Net;
use crate::output;

/// Plays game `id` of the records in `folder` again, and prints whether it comes out the same.
///
/// # Errors
///
/// If there is no such game, its seed is not that of the configuration, or the evaluator fails.
pub(super) fn run(
    id: u64,
    folder: &Path,
    net: Option<&Net>,
    config: &Config,
) -> anyhow::Result<ExitCode> {
    let recorded = find(id, folder).refused()?;
    let (found, expected) = (recorded.seed, mix_seed(config.seed, id));
    if found != expected {
        let seed = config.seed;
        let message = format!("game {id} has the seed {found}, expected {expected} of seed {seed}");
        return Err(anyhow!(message)).refused();
    }
    let mut evaluator: Box<dyn Evaluator> = match net {
        None => Box::new(UniformEvaluator),
        // The same sizes of batches are there to choose from as when the game was one of many.
        Some(net) => net.evaluator(config.selfplay.games_at_once as usize)?,
    };
    let how = Replay {
        options: &config.selfplay,
        search: &config.search,
        master_seed: config.seed,
    };
    let replayed = replay(&recorded, &how, &mut *evaluator)?;
    let difference = difference(&recorded, &replayed)?;
    let n_plies = recorded.plies.len();
    let verdict = difference.as_deref().unwrap_or("the same, byte for byte");
    output::print(&format!("game {id}, {n_plies} plies: {verdict}"))?;
    Ok(match difference {
        None => exit::done(),
        Some(_) => ExitCode::from(exit::NO),
    })
}

fn find(id: u64, folder: &Path) -> anyhow::Result<GameRecord> {
    for shard in list_shards(folder)? {
        for record in RecordReader::open(&shard.path)? {
            let record = record?;
            if record.id == id {
                return Ok(record);
            }
        }
    }
    Err(anyhow!("no game with this number"))
        .with_context(|| format!("game {id} in {}", folder.display()))
}

/// Where two games differ, in words; `None` if they have the same bytes.
fn difference(recorded: &GameRecord, replayed: &GameRecord) -> anyhow::Result<Option<String>> {
    if recorded.to_bytes()? == replayed.to_bytes()? {
        return Ok(None);
    }
    let mut plies = recorded.plies.iter().zip(&replayed.plies).enumerate();
    let differing = plies.find(|(_, (a, b))| a.mv != b.mv);
    Ok(Some(match differing {
        Some((ply, (a, b))) => {
            format!(
                "another game from ply {} on: {} was played, now {}",
                ply + 1,
                a.mv,
                b.mv
            )
        }
        None if recorded.start != replayed.start => "another start".to_owned(),
        None if recorded.plies.len() != replayed.plies.len() => {
            format!("it ends after {} plies now", replayed.plies.len())
        }
        None => "the same moves, other values or policies".to_owned(),
    }))
}
