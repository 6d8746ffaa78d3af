//! Learning from given records: `narikin learn`.
//!
//! The folder is that of a run without games: configuration, events, checkpoints and nets lie where
//! `narikin train` has them. A checkpoint says how far the epoch had come; going on reads up to
//! there again without learning, so what follows is, bit for bit, what would have followed.

pub mod records;
mod score;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use data::ReadOptions;
use model::Model;
use serde::{Deserialize, Serialize};
use trainer::{Placement, Trainer};

use crate::ahead::Ahead;
use crate::config::Config;
use crate::exit::{Interrupted, Refuse};
use crate::interrupt;
use crate::output::SCHEMA;
use crate::report::events::{Checkpoint, Event, EventLog, Learned, Progress, Published, Started};
use crate::report::tensorboard::TensorBoard;
use crate::report::terminal::{ProgressLine, note};
use crate::run_folder::{COMMIT, RunFolder, VERSION};
use crate::train::checkpoints::Checkpoints;
use crate::train::model_name;
use crate::train::tally::Tally;
use records::{Content, EpochOptions, Records, Survey};
pub use score::Score;

/// Time between two reports.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// What is to be learned from, and where.
pub struct Task<'a> {
    /// The checked configuration.
    pub config: &'a Config,
    /// The folder of the result.
    pub folder: &'a RunFolder,
    /// Files, and folders of shards.
    pub paths: Vec<PathBuf>,
    /// The net to begin with; none: an untrained one. Not looked at where learning goes on.
    pub from: Option<Model>,
    /// Where and how exactly the net computes.
    pub placement: Placement,
}

/// What came out.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// Version of this object's form.
    pub schema: u32,
    /// The net, a file.
    pub model: PathBuf,
    /// Optimizer updates behind it.
    pub steps: u64,
    /// Training rows of this folder.
    pub samples: u64,
    /// Epochs that were gone through to their end.
    pub epochs: u32,
    /// Games in the files; 256 single positions are counted as one.
    pub games: u64,
    /// How well the net fits games that it was not taught; absent where none were held out.
    pub held_out: Option<Score>,
}

/// What has to be remembered beside the trainer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LearnState {
    /// Nets published so far.
    generation: u32,
    /// Time spent, all starts together, in seconds.
    elapsed_s: f64,
    /// The epoch that is gone through, from 0.
    epoch: u32,
    /// Batches of it that have been learned from.
    batches: u64,
    /// Training rows so far.
    learned: u64,
    /// Training rows when the last net was published.
    published: u64,
    /// What was in the files.
    content: Content,
}

/// Learns until the epochs or the samples of the configuration are used up.
///
/// # Errors
///
/// [`Interrupted`] after Ctrl-C, with a folder that can be resumed; files that are refused, or others
/// than before; bad numbers; a disk that refuses.
pub fn learn(task: &Task<'_>) -> anyhow::Result<Outcome> {
    let config = task.config;
    let records = Records {
        paths: task.paths.clone(),
        options: ReadOptions {
            samples: config.sampling(),
            conversion: config.records.conversion(),
        },
        seed: config.seed,
        held_out: config.records.held_out,
    };
    note("reading all files once");
    let survey = records.survey(config.records.held_out_positions as usize)?;
    let mut session = Session::open(task, &survey)?;
    let ending = session.go_on(&records);
    session.close(ending)
}

/// Learning in progress.
struct Session<'a> {
    config: &'a Config,
    folder: &'a RunFolder,
    survey: &'a Survey,
    checkpoints: Checkpoints,
    trainer: Trainer,
    state: LearnState,
    log: EventLog,
    curves: TensorBoard,
    line: ProgressLine,
    tally: Tally,
    /// About the newest report.
    words: String,
    /// Time spent before this start.
    earlier: Duration,
    started: Instant,
}

/// Why learning came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Done,
    Interrupted,
}

impl<'a> Session<'a> {
    fn open(task: &Task<'a>, survey: &'a Survey) -> anyhow::Result<Session<'a>> {
        let (config, folder) = (task.config, task.folder);
        let batch = u64::from(config.learn.batch);
        let content = survey.content;
        let enough = batch <= content.samples;
        let too_few = || {
            let found = content.samples;
            anyhow::anyhow!("found {found} samples to learn from, expected a batch of {batch}")
        };
        enough.then_some(()).ok_or_else(too_few).refused()?;
        let checkpoints = Checkpoints::in_folder(folder.checkpoints());
        let (trainer, state, resumed) = restore(task, &checkpoints, content)?;
        let mut all = content.samples / batch * batch * u64::from(config.records.epochs);
        if let Some(most) = config.records.samples {
            all = all.min(most);
        }
        let mut session = Session {
            config,
            folder,
            survey,
            checkpoints,
            trainer,
            log: EventLog::open(&folder.events_file())?,
            curves: TensorBoard::create(&folder.tensorboard())
                .with_context(|| format!("cannot write to {}", folder.tensorboard().display()))?,
            line: ProgressLine::new("learn", "samples", all),
            tally: Tally::new(),
            words: String::new(),
            earlier: Duration::from_secs_f64(state.elapsed_s),
            started: Instant::now(),
            state,
        };
        if !resumed {
            // From now on the net to begin with is not needed any more.
            session.save_checkpoint()?;
        }
        let progress = session.progress();
        session.tell(Event::Started(Started {
            version: VERSION.to_owned(),
            commit: COMMIT.to_owned(),
            resumed,
            progress,
        }))?;
        Ok(session)
    }

    /// Learns until everything is used up or Ctrl-C comes.
    fn go_on(&mut self, records: &Records) -> anyhow::Result<Ending> {
        while self.state.epoch < self.config.records.epochs {
            let options = EpochOptions {
                pool: self.config.records.pool as usize,
                batch: self.config.learn.batch as usize,
                passed: self.state.batches,
            };
            let mut epoch = match records.epoch(self.state.epoch, &options) {
                Err(error) if error.is::<Interrupted>() => return Ok(Ending::Interrupted),
                opened => opened?,
            };
            // What is ready when learning ends is read again by who goes on.
            let mut batches = Ahead::default();
            loop {
                if interrupt::requested() {
                    return Ok(Ending::Interrupted);
                }
                let used_up = |most| most <= self.state.learned;
                if self.config.records.samples.is_some_and(used_up) {
                    return Ok(Ending::Done);
                }
                let learn = |batch: anyhow::Result<Option<data::Batch>>| match batch? {
                    Some(batch) => self.step(&batch).map(|()| true),
                    None => Ok(false),
                };
                let goes_on = batches
                    .work_on_next(|| epoch.next_batch(), learn)
                    .context("cannot start a thread to read batches")??;
                if !goes_on {
                    break;
                }
            }
            self.state.epoch += 1;
            self.state.batches = 0;
        }
        Ok(Ending::Done)
    }

    fn step(&mut self, batch: &data::Batch) -> anyhow::Result<()> {
        let report = self.trainer.step(batch).context("training cannot go on")?;
        self.state.batches += 1;
        self.state.learned += batch.len() as u64;
        self.tally.add(&report, batch.len() as u64);
        if self.tally.age() >= REPORT_EVERY {
            self.report(None)?;
        }
        self.line.set(self.state.learned, &self.words);
        if self.state.published + self.config.learn.publish_samples <= self.state.learned {
            self.publish()?;
        }
        Ok(())
    }

    /// Writes the averaged net with a checkpoint to resume from, and scores it.
    fn publish(&mut self) -> anyhow::Result<()> {
        let score = self.score()?;
        self.report(score)?;
        self.state.generation += 1;
        self.state.published = self.state.learned;
        let generation = self.state.generation;
        self.trainer
            .set_lineage(generation, self.survey.content.games);
        let name = model_name(generation);
        let mut model = self.trainer.model();
        model.manifest.run.clone_from(&self.config.name);
        model.manifest.name = format!("{}-{generation:06}", self.config.name);
        model.save(&self.folder.models().join(&name))?;
        self.save_checkpoint()?;
        self.folder.set_current_model(&name)?;
        let progress = self.progress();
        self.tell(Event::Published(Published {
            model: name,
            progress,
        }))
    }

    fn score(&self) -> anyhow::Result<Option<Score>> {
        Score::of(&self.trainer, &self.survey.held_out)
    }

    fn save_checkpoint(&mut self) -> anyhow::Result<()> {
        self.state.elapsed_s = self.elapsed().as_secs_f64();
        let name = self.checkpoints.save(&self.trainer, &self.state)?;
        let progress = self.progress();
        self.tell(Event::Checkpoint(Checkpoint { name, progress }))
    }

    fn report(&mut self, score: Option<Score>) -> anyhow::Result<()> {
        let Some(learned) = self.tally.take(&self.trainer) else {
            return Ok(());
        };
        self.words = format!(
            "policy {:.3} (target {:.3}), value {:.3}",
            learned.policy_loss, learned.policy_target_entropy, learned.value_loss
        );
        let samples = self.survey.content.samples;
        self.tell(Event::Learned(Learned {
            unseen_policy_loss: score.map(|score| score.policy_loss),
            unseen_value_loss: score.map(|score| score.value_loss),
            unseen_outcome_loss: score.map(|score| score.outcome_loss),
            unseen_value_sign: score.and_then(|score| score.value_sign),
            window_positions: samples,
            reuse: self.state.learned as f64 / samples as f64,
            ..learned
        }))
    }

    /// Leaves a folder that can be resumed, and the last net if everything was learned.
    fn close(mut self, ending: anyhow::Result<Ending>) -> anyhow::Result<Outcome> {
        if ending? == Ending::Interrupted {
            self.report(None)?;
            self.save_checkpoint()?;
            let progress = self.progress();
            self.tell(Event::Interrupted(progress))?;
            return Err(Interrupted.into());
        }
        if self.state.published < self.state.learned || self.state.generation == 0 {
            self.publish()?;
        } else {
            // The end of the epoch is worth remembering.
            self.save_checkpoint()?;
        }
        let progress = self.progress();
        self.tell(Event::Finished(progress))?;
        let held_out = self.score()?;
        self.line.finish();
        Ok(Outcome {
            schema: SCHEMA,
            model: self.folder.models().join(model_name(self.state.generation)),
            steps: self.trainer.steps(),
            samples: self.state.learned,
            epochs: self.state.epoch,
            games: self.survey.content.games,
            held_out,
        })
    }

    fn tell(&mut self, event: Event) -> anyhow::Result<()> {
        let entry = self.log.append(event)?;
        self.curves.show(&entry.event);
        Ok(())
    }

    fn elapsed(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    fn progress(&self) -> Progress {
        Progress {
            generation: self.state.generation,
            steps: self.trainer.steps(),
            samples: self.trainer.samples(),
            games: self.survey.content.games,
            elapsed_s: self.elapsed().as_secs_f64(),
        }
    }
}

/// Takes the newest checkpoint up, or begins; and whether there was one.
fn restore(
    task: &Task<'_>,
    checkpoints: &Checkpoints,
    content: Content,
) -> anyhow::Result<(Trainer, LearnState, bool)> {
    let &Task {
        config,
        folder,
        ref from,
        placement,
        ..
    } = task;
    let Some((checkpoint, state)) = checkpoints.newest::<LearnState>()? else {
        let trainer = match from {
            Some(model) => Trainer::from_model(model, &config.train, &placement)?,
            None => Trainer::new(config.net, &config.train, &placement, config.seed)?,
        };
        let state = LearnState {
            generation: 0,
            elapsed_s: 0.0,
            epoch: 0,
            batches: 0,
            learned: 0,
            published: 0,
            content,
        };
        return Ok((trainer, state, false));
    };
    check_content(state.content, content).refused()?;
    let trainer = Trainer::resume(&checkpoint, &config.train, &placement)
        .with_context(|| format!("going on in {}", folder.path().display()))?;
    if 0 < state.generation {
        // A process that was killed in between may have left the net before it.
        folder.set_current_model(&model_name(state.generation))?;
    }
    Ok((trainer, state, true))
}

fn check_content(before: Content, now: Content) -> anyhow::Result<()> {
    let words = |content: Content| {
        let Content {
            games,
            samples,
            held_out,
        } = content;
        format!("{games} games, {samples} samples and {held_out} held out")
    };
    ensure!(
        before == now,
        "the files hold {}, but learning began with {}: give the same ones in the same order",
        words(now),
        words(before)
    );
    Ok(())
}
