//! The loop of a run: self-play and learning side by side until the budget is spent.
//!
//! One thread learns (the caller's), the others play. Finished games come to the learner by a
//! channel and are on disk before anything else happens to them. Each published net comes with a
//! checkpoint, so a run that is killed at any moment goes on from its last publication, with every
//! game that was finished.

mod checkpoints;
mod intake;
mod learner;
mod measure;
mod orders;
mod story;
mod worker;

use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context;
use arena::MatchReport;
use selfplay::GameIds;
use trainer::{Placement, Trainer};

use crate::config::Config;
use crate::exit::Interrupted;
use crate::interrupt;
use crate::nets::Net;
use crate::report::events::{Checkpoint, Event, Progress, Published, Started};
use crate::run_folder::{COMMIT, RunFolder, VERSION};
use checkpoints::{Checkpoints, RunState};
use intake::{GROUP, Intake};
use learner::Learner;
use measure::Measurement;
use orders::{Order, Orders};
use story::Story;
use worker::WorkerSettings;

/// How long the learner waits for a game when it has nothing to learn.
const PATIENCE: Duration = Duration::from_millis(100);

/// Finished games that may wait for the disk; then their players wait.
const WAITING_GAMES: usize = 256;

/// Time between two reports.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// What a run uses of this machine; none of it is meant to change what is learned.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Self-play threads, at least 1. The learner has one more.
    pub threads: usize,
    /// Where and how exactly the net computes; the players use OpenVINO where that is the CPU.
    pub placement: Placement,
}

/// Runs until the budget is spent, then measures the last net; a run that was begun goes on.
///
/// # Errors
///
/// [`Interrupted`] after Ctrl-C, with a folder that can be resumed; and whatever keeps the run from
/// going on: bad numbers, a full disk, a record that cannot be read.
pub fn train(
    config: &Config,
    folder: &RunFolder,
    resources: &Resources,
) -> anyhow::Result<Vec<MatchReport>> {
    let mut run = Run::open(config, folder, resources)?;
    let ending = run.go_on();
    run.close(ending)
}

/// A run in progress.
struct Run<'a> {
    config: &'a Config,
    folder: &'a RunFolder,
    checkpoints: Checkpoints,
    orders: Arc<Orders>,
    workers: Vec<JoinHandle<anyhow::Result<()>>>,
    intake: Intake,
    learner: Learner,
    story: Story,
    measurement: Option<Measurement>,
    generation: u32,
    net: Option<Net>,
    /// Time spent before this start.
    earlier: Duration,
    started: Instant,
    measured_at: Duration,
    reported_at: Instant,
}

impl<'a> Run<'a> {
    fn open(
        config: &'a Config,
        folder: &'a RunFolder,
        resources: &Resources,
    ) -> anyhow::Result<Run<'a>> {
        let checkpoints = Checkpoints::in_folder(folder.checkpoints());
        let (sender, games) = mpsc::sync_channel(WAITING_GAMES);
        let window = |played| config.learn.window_positions(played);
        let intake = Intake::open(&folder.games(), config.sample, window, games)?;
        let Restored {
            trainer,
            state,
            net,
            resumed,
        } = restore(config, folder, &checkpoints, &resources.placement)?;
        let order = Order {
            net: net.clone(),
            generation: state.generation,
            search: config.search_at(intake.stored().games),
        };
        let orders = Arc::new(Orders::new(order));
        let settings = WorkerSettings {
            options: config.selfplay.clone(),
            seed: config.seed,
            ids: GameIds::starting_at(intake.stored().next_id),
            placement: resources.placement,
        };
        let workers = (0..resources.threads)
            .map(|index| worker::spawn(index, settings.clone(), orders.clone(), sender.clone()))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let earlier = Duration::from_secs_f64(state.elapsed_s);
        let story = Story::open(folder, config)?;
        let mut run = Run {
            config,
            folder,
            checkpoints,
            orders,
            workers,
            intake,
            learner: Learner::new(
                trainer,
                config.learn.clone(),
                config.sample,
                config.train.value_weight,
                &state,
            ),
            story,
            measurement: None,
            generation: state.generation,
            net,
            earlier,
            started: Instant::now(),
            measured_at: earlier,
            reported_at: Instant::now(),
        };
        let progress = run.progress();
        run.story.tell(Event::Started(Started {
            version: VERSION.to_owned(),
            commit: COMMIT.to_owned(),
            resumed,
            progress,
        }))?;
        Ok(run)
    }

    /// Plays and learns until the budget is spent or Ctrl-C comes.
    fn go_on(&mut self) -> anyhow::Result<Ending> {
        loop {
            if interrupt::requested() {
                return Ok(Ending::Interrupted);
            }
            anyhow::ensure!(
                !self.workers.iter().any(JoinHandle::is_finished),
                "a player has ended"
            );
            let elapsed_minutes = self.elapsed().as_secs_f64() / 60.0;
            if self
                .config
                .budget
                .is_spent(elapsed_minutes, self.intake.stored().games)
            {
                return Ok(Ending::BudgetSpent);
            }
            let due = self.learner.is_due(&self.intake);
            self.intake
                .receive(if due { Duration::ZERO } else { PATIENCE })?;
            self.admit()?;
            self.orders.set_players(self.players(due));
            if due {
                self.learner.step(&self.intake)?;
            }
            if self.learner.publish_due(self.intake.stored().games) {
                self.publish()?;
            }
            self.measure()?;
            if self.reported_at.elapsed() >= REPORT_EVERY {
                self.report()?;
            }
        }
    }

    /// How many threads should play: one leaves its core to the learner while that has work, and
    /// all do once there are blind games enough and only the first net is missing.
    fn players(&self, learning: bool) -> usize {
        let blind_games_done = self.config.learn.blind_games <= self.intake.stored().games;
        match (learning, self.generation) {
            (true, 0) if blind_games_done => 0,
            (true, _) => (self.workers.len() - 1).max(1),
            (false, _) => self.workers.len(),
        }
    }

    /// Scores new games while they are unseen and moves them into the window.
    fn admit(&mut self) -> anyhow::Result<()> {
        if self.intake.unseen().len() >= GROUP {
            self.learner.score_unseen(&self.intake)?;
            let played = self.intake.stored().positions;
            self.intake
                .admit(self.config.learn.window_positions(played) as usize);
            let search = self.config.search_at(self.intake.stored().games);
            self.orders.set_search(search);
        }
        Ok(())
    }

    /// Makes the averaged net the one that plays, with a checkpoint to resume from.
    fn publish(&mut self) -> anyhow::Result<()> {
        self.generation += 1;
        let name = model_name(self.generation);
        let mut model = self
            .learner
            .publish(self.generation, self.intake.stored().games);
        model.manifest.run.clone_from(&self.config.name);
        model.manifest.name = format!("{}-{:06}", self.config.name, self.generation);
        model.save(&self.folder.models().join(&name))?;
        self.save_checkpoint()?;
        self.folder.set_current_model(&name)?;
        let net = Net::from_model(&model.manifest.name, &model);
        self.orders.give(Order {
            net: Some(net.clone()),
            generation: self.generation,
            search: self.config.search_at(self.intake.stored().games),
        });
        self.net = Some(net);
        let progress = self.progress();
        self.story.tell(Event::Published(Published {
            model: name,
            progress,
        }))
    }

    fn save_checkpoint(&mut self) -> anyhow::Result<()> {
        self.intake.sync()?;
        let state = RunState {
            generation: self.generation,
            elapsed_s: self.elapsed().as_secs_f64(),
            sampling: self.learner.sampling().clone(),
        };
        let name = self.learner.save(&self.checkpoints, &state)?;
        let progress = self.progress();
        self.story
            .tell(Event::Checkpoint(Checkpoint { name, progress }))
    }

    /// Tells the result of a finished measurement, or begins one that is due.
    fn measure(&mut self) -> anyhow::Result<()> {
        if let Some(measurement) = self.measurement.take_if(|running| running.is_finished()) {
            let measured = measurement.result()?;
            self.story.tell(Event::Measured(measured))?;
        }
        let every = Duration::from_secs_f64(60.0 * self.config.measure.every_minutes);
        let due = !every.is_zero() && self.elapsed() >= self.measured_at + every;
        if let (true, None, Some(net)) = (due, &self.measurement, &self.net) {
            let (options, orders) = (&self.config.measure, self.orders.clone());
            self.measurement = Some(Measurement::start(net, self.generation, options, orders)?);
            self.measured_at = self.elapsed();
        }
        Ok(())
    }

    fn report(&mut self) -> anyhow::Result<()> {
        let seconds = self.reported_at.elapsed().as_secs_f64();
        self.reported_at = Instant::now();
        let games = self.intake.report(seconds, self.orders.counted());
        let learned = self.learner.report(&self.intake);
        if let Some(games) = games {
            self.story.tell(Event::Games(games))?;
        }
        if let Some(learned) = learned {
            self.story.tell(Event::Learned(learned))?;
        }
        let progress = self.progress();
        self.story.show(&progress);
        Ok(())
    }

    /// Stops the players, keeps their finished games, and leaves a folder that can be resumed.
    fn close(mut self, ending: anyhow::Result<Ending>) -> anyhow::Result<Vec<MatchReport>> {
        self.orders.stop();
        // A player may wait for its last games to be taken.
        while !self.workers.iter().all(JoinHandle::is_finished) {
            self.intake.receive_rest()?;
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut failed = None;
        for worker in self.workers.drain(..) {
            match worker.join() {
                Ok(result) => failed = failed.or(result.err()),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        self.intake.receive_rest()?;
        // A player that failed is the reason, not that its channel is closed.
        if let Some(error) = failed {
            return Err(error);
        }
        let ending = ending?;
        if let Some(measurement) = self.measurement.take() {
            measurement.result()?;
        }
        self.report()?;
        if ending == Ending::Interrupted {
            self.save_checkpoint()?;
            let progress = self.progress();
            self.story.tell(Event::Interrupted(progress))?;
            return Err(Interrupted.into());
        }
        if self.learner.has_news() {
            self.publish()?;
        } else {
            self.save_checkpoint()?;
        }
        let reports = self.final_matches()?;
        if interrupt::requested() {
            return Err(Interrupted.into());
        }
        let progress = self.progress();
        self.story.tell(Event::Finished(progress))?;
        Ok(reports)
    }

    fn final_matches(&mut self) -> anyhow::Result<Vec<MatchReport>> {
        let Some(net) = &self.net else {
            return Ok(Vec::new());
        };
        let reports = measure::final_matches(net, &self.config.measure)?;
        for report in &reports {
            self.story
                .tell(Event::Measured(measure::measured(self.generation, report)))?;
        }
        Ok(reports)
    }

    fn elapsed(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    fn progress(&self) -> Progress {
        Progress {
            generation: self.generation,
            steps: self.learner.steps(),
            samples: self.learner.samples(),
            games: self.intake.stored().games,
            elapsed_s: self.elapsed().as_secs_f64(),
        }
    }
}

/// Where a run goes on.
struct Restored {
    trainer: Trainer,
    state: RunState,
    net: Option<Net>,
    /// Whether there was a checkpoint.
    resumed: bool,
}

/// Takes the newest checkpoint up, and the net that played then; or begins.
fn restore(
    config: &Config,
    folder: &RunFolder,
    checkpoints: &Checkpoints,
    placement: &Placement,
) -> anyhow::Result<Restored> {
    let Some((checkpoint, state)) = checkpoints.newest()? else {
        let trainer = Trainer::new(config.net, &config.train, placement, config.seed)?;
        let state = RunState::first(config.seed);
        return Ok(Restored {
            trainer,
            state,
            net: None,
            resumed: false,
        });
    };
    let trainer = Trainer::resume(&checkpoint, &config.train, placement)
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

/// Why the loop came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    BudgetSpent,
    Interrupted,
}

fn model_name(generation: u32) -> String {
    format!("{generation:06}.safetensors")
}
