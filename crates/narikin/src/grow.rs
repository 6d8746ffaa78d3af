//! Growing the net of a run: a net of another shape learns from the run's own window, and becomes the
//! run's net once it is the better player.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use arena::{Match, MatchOptions, MatchReport, Player, Progress as MatchProgress};
use data::{RecordReader, list_shards};
use model::Model;
use trainer::{Checkpoint, Placement, Trainer};

use crate::config::Config;
use crate::exit::{Interrupted, Refuse};
use crate::interrupt;
use crate::learn::{self, Outcome};
use crate::nets::Net;
use crate::report::events::{
    Amended, Change, Event, EventLog, Progress, Published, elapsed_s, read_events,
};
use crate::report::terminal::note;
use crate::run_folder::{RunFolder, current_model};
use crate::train::checkpoints::{Checkpoints, RunState};
use crate::train::model_name;

/// What to grow, and how long to try.
pub struct Task {
    /// Folder of the run.
    pub run: PathBuf,
    /// Overrides of keys of `net`.
    pub set: Vec<String>,
    /// How often the window is gone through, all tries with the same games together.
    pub epochs: u32,
    /// Games that decide which net is better; an even number.
    pub games: u32,
    /// Points per game that the other net must reach in them, from 0 to 1.
    pub least_score: f64,
    /// Where and how exactly the net computes.
    pub placement: Placement,
}

/// How it went.
pub struct Grown {
    /// The games between the two nets, the grown one as the first.
    pub report: MatchReport,
    /// The net's file in the run, if it is the run's net now.
    pub switched_to: Option<PathBuf>,
}

/// Teaches the other net, lets it play the run's net, and switches if it is better.
///
/// # Errors
///
/// [`Interrupted`] after Ctrl-C: the next try goes on. What is refused; bad numbers; a disk that
/// refuses. The run is as it was then.
pub fn grow(task: &Task) -> anyhow::Result<Grown> {
    let (run, stored) = RunFolder::open(&task.run).refused()?;
    let grown = grown_config(&stored, task).refused()?;
    let current = Model::load(&current_model(run.path()).refused()?).refused()?;
    let window = window(&run, &stored)?;
    let tries = run.path().join("growing");
    let from = newest_try(&tries, &grown).refused()?;
    let folder = tries.join(format!("{:09}", window.games));
    let own = RunFolder::create_or_open(&folder, &grown).refused()?;
    note(&format!(
        "teaching {} what {} games of {} can teach",
        grown.net, window.games, stored.name
    ));
    let outcome = learn::learn(&learn::Task {
        config: &grown,
        folder: &own,
        paths: window.shards,
        from,
        placement: task.placement,
    })?;
    let report = play(&outcome, &current, &grown, task)?;
    if report.score.is_none_or(|score| score < task.least_score) {
        return Ok(Grown {
            report,
            switched_to: None,
        });
    }
    let changes = stored.changes_to(&grown);
    let switched_to = switch(&run, &own, &grown, changes, task.placement)?;
    fs::remove_dir_all(&tries).with_context(|| format!("cannot remove {}", tries.display()))?;
    Ok(Grown {
        report,
        switched_to: Some(switched_to),
    })
}

/// The run's configuration with another net.
fn grown_config(stored: &Config, task: &Task) -> anyhow::Result<Config> {
    let file = task.run.join("config.toml");
    let mut grown = Config::load(Some(&file), &task.set)?;
    let keys = stored.differences(&grown);
    let others: Vec<&str> = keys
        .iter()
        .map(String::as_str)
        .filter(|key| !key.starts_with("net."))
        .collect();
    ensure!(
        others.is_empty(),
        "{} differ, but only keys of `net` can grow",
        others.join(", ")
    );
    ensure!(
        !keys.is_empty(),
        "the run has {} already: give another shape, such as --set net.channels={}",
        stored.net,
        2 * stored.net.channels
    );
    grown.records.epochs = task.epochs;
    grown.records.samples = None;
    Ok(grown)
}

/// What the run would learn from now.
struct Window {
    /// The newest shards, oldest first.
    shards: Vec<PathBuf>,
    /// Games of the whole run.
    games: u64,
}

fn window(run: &RunFolder, config: &Config) -> anyhow::Result<Window> {
    let (mut by_shard, mut games, mut played) = (Vec::new(), 0, 0);
    for shard in list_shards(&run.games()).refused()? {
        let mut positions = 0;
        for record in RecordReader::open(&shard.path).refused()? {
            let record = record.refused()?;
            let admitted = |ply: &&data::PlyRecord| config.sample.admits(ply.kind);
            positions += record.plies.iter().filter(admitted).count() as u64;
            games += 1;
        }
        played += positions;
        by_shard.push((shard.path, positions));
    }
    let wanted = config.learn.window_positions(played);
    let (mut shards, mut found) = (Vec::new(), 0);
    for (path, positions) in by_shard.into_iter().rev() {
        if wanted <= found {
            break;
        }
        found += positions;
        shards.push(path);
    }
    shards.reverse();
    Ok(Window { shards, games })
}

/// The net that an earlier try with fewer games came to, if it had this shape.
fn newest_try(tries: &Path, grown: &Config) -> anyhow::Result<Option<Model>> {
    let Ok(entries) = fs::read_dir(tries) else {
        return Ok(None);
    };
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()
        .with_context(|| format!("cannot list {}", tries.display()))?;
    folders.sort();
    for folder in folders.iter().rev() {
        if let Ok(file) = current_model(folder) {
            let model = Model::load(&file)?;
            if model.manifest.shape == grown.net {
                return Ok(Some(model));
            }
        }
    }
    Ok(None)
}

/// Lets both nets play each other with the search that measures the run.
fn play(
    outcome: &Outcome,
    current: &Model,
    config: &Config,
    task: &Task,
) -> anyhow::Result<MatchReport> {
    let options = MatchOptions {
        games: task.games,
        seed: 1,
        ..MatchOptions::default()
    };
    let player = |name: &str, model: &Model| -> anyhow::Result<Player> {
        let evaluator = Net::from_model(name, model).evaluator(options.parallel_games as usize)?;
        let search = config.measure.search.clone();
        Ok(Player::net(name.to_owned(), search, evaluator))
    };
    let grown = Model::load(&outcome.model)?;
    let now = format!("net {}", current.manifest.generation);
    let mut games = Match::new(&options, player("grown", &grown)?, player(&now, current)?)?;
    while games.advance(&mut |_| {})? == MatchProgress::Running {
        if interrupt::requested() {
            return Err(Interrupted.into());
        }
    }
    Ok(games.report())
}

/// Makes the net that was taught in `own` the net of the run: a net, a checkpoint, a configuration.
fn switch(
    run: &RunFolder,
    own: &RunFolder,
    grown: &Config,
    changes: Vec<Change>,
    placement: Placement,
) -> anyhow::Result<PathBuf> {
    let checkpoints = Checkpoints::in_folder(run.checkpoints());
    let (before, state) = checkpoints
        .newest::<RunState>()?
        .context("the run has a net, but no checkpoint")?;
    let (mut taught, _) = Checkpoints::in_folder(own.checkpoints())
        .newest::<serde_json::Value>()?
        .context("the net was taught, but there is no checkpoint of it")?;
    count_on(&mut taught, &before);
    let mut trainer = Trainer::resume(&taught, &grown.train, &placement)?;
    let generation = state.generation + 1;
    trainer.set_lineage(generation, before.manifest.model.games);
    let name = model_name(generation);
    let mut model = trainer.model();
    model.manifest.run.clone_from(&grown.name);
    model.manifest.name = format!("{}-{generation:06}", grown.name);
    let path = run.models().join(&name);
    model.save(&path)?;
    let state = RunState {
        generation,
        ..state
    };
    checkpoints.save(&trainer, &state)?;
    run.replace_config(grown)?;
    run.set_current_model(&name)?;
    let elapsed_s = elapsed_s(&read_events(&run.events_file()).refused()?);
    let mut log = EventLog::open(&run.events_file())?;
    log.append(Event::Amended(Amended { changes }))?;
    log.append(Event::Published(Published {
        model: name,
        progress: Progress {
            generation,
            steps: trainer.steps(),
            samples: trainer.samples(),
            games: model.manifest.games,
            elapsed_s,
        },
    }))?;
    Ok(path)
}

/// The run's counts go on, so that learning and playing stay in step; one step more makes the
/// checkpoint the newest.
fn count_on(taught: &mut Checkpoint, before: &Checkpoint) {
    let (own, run) = (&mut taught.manifest.model, &before.manifest.model);
    own.steps = run.steps + 1;
    own.samples = run.samples;
}
