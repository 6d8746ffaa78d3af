//! The loop of a run: self-play and learning side by side until the budget is spent.
//!
//! One thread learns (the caller's), the others play. Finished games come to the learner by a
//! channel and are on disk before anything else happens to them. Each published net comes with a
//! checkpoint, so a run that is killed at any moment goes on from its last publication, with every
//! game that was finished.

pub mod checkpoints;
mod checkup;
mod fault;
mod gate;
mod intake;
mod learner;
mod measure;
mod players;
mod remote;
pub mod restore;
mod scores;
mod story;
pub mod tally;
mod vitals;

use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::MatchReport;
use fleet::Broker;
use model::Model;
use search::{RootOptions, SearchOptions};
use selfplay::GameIds;
use trainer::{ComputeDevice, Placement};

use crate::config::{Config, LoopOptions};
use crate::exit::Interrupted;
use crate::health::sentinels::Watch;
use crate::interrupt;
use crate::nets::Net;
use crate::playing::orders::{Order, Orders};
use crate::playing::worker::{self, MakeEvaluator, WorkerSettings};
use crate::report::events::{Checkpoint, Event, Progress, Published, Started};
use crate::run_folder::{COMMIT, RunFolder, VERSION};
use checkpoints::{Checkpoints, RunState};
use checkup::Checkup;
use gate::Candidate;
use intake::{GROUP, Intake};
use learner::Learner;
use measure::Measurement;
use players::Players;
use remote::Remote;
use restore::{Restored, restore};
use story::Story;

/// How long the learner waits for a game when it has nothing to learn.
const PATIENCE: Duration = Duration::from_millis(100);

/// Time between two reports.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// Time between two looks of the sentinels at a run that publishes quickly.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What a run uses of this machine; none of it is meant to change what is learned.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Self-play threads; 0 where all games come from workers elsewhere. The learner has one more; a
    /// single one plays and learns in turn, and then, without workers, the same seed gives the same run.
    pub threads: usize,
    /// Where workers elsewhere bring their games.
    pub broker: Option<Broker>,
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
    settings: WorkerSettings,
    orders: Arc<Orders>,
    players: Players,
    remote: Option<Remote>,
    intake: Intake,
    learner: Learner,
    story: Story,
    checkup: Checkup,
    watch: Watch,
    measurement: Option<Measurement>,
    candidate: Option<Candidate>,
    generation: u32,
    net: Option<Net>,
    /// The trust in values, where a rule sets it.
    c_scale: Option<f32>,
    started: Instant,
    measured_at: Duration,
    reported_at: Instant,
    looked_at: Instant,
    /// Positions evaluated and places in batches at the last report.
    counted: (u64, u64),
    batch_fill: Option<f64>,
}

impl<'a> Run<'a> {
    fn open(
        config: &'a Config,
        folder: &'a RunFolder,
        resources: &Resources,
    ) -> anyhow::Result<Run<'a>> {
        let checkpoints = Checkpoints::in_folder(folder.checkpoints());
        let story = Story::open(folder, config)?;
        let Restored {
            trainer,
            state,
            net,
            resumed,
        } = restore(config, folder, &checkpoints, &resources.placement)?;
        let window = |played| config.learn.window_positions(played);
        let mut intake = Intake::open(&folder.games(), config.sampling(), window, state.window)?;
        let sharpness = config.learn.sharpness.as_ref();
        let c_scale = sharpness.map(|rule| state.c_scale.unwrap_or(rule.c_scale));
        let order = Order {
            net: net.clone(),
            generation: state.generation,
            search: search_at(config, intake.stored().games, c_scale),
        };
        let orders = Arc::new(Orders::new(order));
        let settings = WorkerSettings {
            options: config.selfplay.clone(),
            seed: config.seed,
            ids: GameIds::starting_at(intake.stored().next_id),
            make_evaluator: make_evaluator(resources.placement),
            fault: config.fault,
        };
        let memories = state.memories();
        for (index, memory) in memories.iter().enumerate() {
            orders.remember(index, memory.clone());
        }
        let players = Players::start(resources.threads, &settings, &orders, &memories)?;
        let seen = intake.take_from_fleet();
        let open = |broker| Remote::open(broker, config, folder, seen, story.fleet());
        let remote = resources.broker.as_ref().map(open).transpose()?;
        let learner = Learner::new(
            trainer,
            LoopOptions {
                blind_games: config.blind_games(),
                ..config.learn.clone()
            },
            config.sampling(),
            config.fault,
            &state,
        );
        let now = Instant::now();
        let mut run = Run {
            config,
            folder,
            checkpoints,
            settings,
            orders,
            players,
            remote,
            intake,
            learner,
            measured_at: story.earlier(),
            story,
            checkup: Checkup::after(net.as_ref()),
            watch: Watch::default(),
            measurement: None,
            candidate: None,
            generation: state.generation,
            net,
            c_scale,
            started: now,
            reported_at: now,
            looked_at: now,
            counted: (0, 0),
            batch_fill: None,
        };
        let progress = run.progress();
        run.story.tell(Event::Started(Started {
            version: VERSION.to_owned(),
            commit: COMMIT.to_owned(),
            resumed,
            progress,
        }))?;
        if !resumed && 0 < run.generation {
            run.story.tell(Event::Published(Published {
                model: model_name(run.generation),
                progress,
            }))?;
        }
        run.announce()?;
        Ok(run)
    }

    /// Plays and learns until the budget is spent, Ctrl-C comes, or a sentinel stops the run.
    fn go_on(&mut self) -> anyhow::Result<Ending> {
        if let Some(message) = self.look()? {
            return Ok(Ending::Stopped(message));
        }
        loop {
            if interrupt::requested() {
                return Ok(Ending::Interrupted);
            }
            let (progress, elo) = (self.progress(), self.story.elo());
            if self.config.budget.is_spent(&progress, elo) {
                return Ok(Ending::BudgetSpent);
            }
            let due = self.learner.is_due(&self.intake);
            let patience = if due { Duration::ZERO } else { PATIENCE };
            self.players
                .play(&self.orders, &mut self.intake, patience)?;
            self.take_remote_games(patience, due)?;
            self.admit()?;
            self.orders.set_players(self.n_players(due));
            if due {
                self.learner.step(&self.intake)?;
            }
            self.pass_gate()?;
            if self.candidate.is_none() && self.learner.publish_due(self.intake.stored().games) {
                self.offer()?;
            }
            self.measure()?;
            let reports = self.reported_at.elapsed() >= REPORT_EVERY;
            if reports {
                self.report()?;
            }
            let looks = reports || self.looked_at.elapsed() >= LOOK_EVERY;
            if looks && let Some(message) = self.look()? {
                return Ok(Ending::Stopped(message));
            }
        }
    }

    /// Stores games from elsewhere. Only where nobody plays here are they waited for. While the learner has
    /// work they do not hold it up: whatever workers can do, it gets its steps.
    fn take_remote_games(&mut self, patience: Duration, learning: bool) -> anyhow::Result<()> {
        let Some(remote) = &mut self.remote else {
            return Ok(());
        };
        let patience = match self.players {
            Players::Elsewhere => patience,
            Players::Beside { .. } | Players::InTurn(_) => Duration::ZERO,
        };
        let most = if learning {
            GROUP
        } else {
            remote::GAMES_AT_ONCE
        };
        remote.store_games(&mut self.intake, patience, most)
    }

    /// Tells workers elsewhere what to do, if that has changed.
    fn announce(&mut self) -> anyhow::Result<()> {
        let search = self.search();
        match &mut self.remote {
            Some(remote) => remote.announce(self.generation, &search),
            None => Ok(()),
        }
    }

    /// How many threads should play: one leaves its core to the learner while that has work, and
    /// all do once there are blind games enough and only the first net is missing.
    fn n_players(&self, learning: bool) -> usize {
        let blind_games_done = self.config.blind_games() <= self.intake.stored().games;
        match (learning, self.generation) {
            (true, 0) if blind_games_done => 0,
            (true, _) => self.players.n_threads().saturating_sub(1).max(1),
            (false, _) => self.players.n_threads(),
        }
    }

    /// Scores new games while they are unseen and moves them into the window.
    fn admit(&mut self) -> anyhow::Result<()> {
        if self.intake.unseen().len() >= GROUP {
            self.learner.score_unseen(&self.intake)?;
            let played = self.intake.stored().positions;
            self.intake
                .admit(self.config.learn.window_positions(played) as usize);
            self.orders.set_search(self.search());
            self.announce()?;
        }
        Ok(())
    }

    /// The search of training games now.
    fn search(&self) -> SearchOptions {
        search_at(self.config, self.intake.stored().games, self.c_scale)
    }

    /// Makes a net the one that plays, with a checkpoint to resume from.
    fn publish(&mut self, model: Model) -> anyhow::Result<()> {
        self.generation += 1;
        self.sharpen();
        let name = model_name(self.generation);
        model.save(&self.folder.models().join(&name))?;
        self.save_checkpoint()?;
        self.folder.set_current_model(&name)?;
        let order = Order {
            net: Some(Net::from_model(&model.manifest.name, &model)),
            generation: self.generation,
            search: self.search(),
        };
        if self.checkup.is_due(self.generation) {
            let mut evaluator = worker::evaluator_of(&self.settings, &order)?;
            self.checkup.look(
                &model,
                &mut *evaluator,
                &mut self.learner,
                self.intake.newest(),
                &self.config.sample,
            )?;
        }
        self.net.clone_from(&order.net);
        self.orders.give(order);
        self.announce()?;
        let progress = self.progress();
        self.story.tell(Event::Published(Published {
            model: name,
            progress,
        }))
    }

    /// Sets the trust in values by what searches and values were like since the last net.
    fn sharpen(&mut self) {
        let searches = self.intake.take_searches();
        let value_sign = self.learner.take_value_sign();
        if let (Some(rule), Some(c_scale)) = (&self.config.learn.sharpness, &mut self.c_scale) {
            let n = f64::from(searches.n_networks);
            let divergence = (n > 0.0).then(|| f64::from(searches.kl_nats) / n);
            *c_scale = rule.next(*c_scale, divergence, value_sign);
        }
    }

    fn save_checkpoint(&mut self) -> anyhow::Result<()> {
        self.intake.sync()?;
        let state = RunState {
            generation: self.generation,
            sampling: self.learner.sampling().clone(),
            published_samples: Some(self.learner.published_samples()),
            window: Some(self.intake.window_state()),
            memories: self.orders.memories(),
            resigning: Vec::new(),
            c_scale: self.c_scale,
            elapsed_s: None,
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

    /// Stops the players, keeps their finished games, and leaves a folder that can be resumed.
    fn close(mut self, ending: anyhow::Result<Ending>) -> anyhow::Result<Vec<MatchReport>> {
        self.players.dismiss(&self.orders, &mut self.intake)?;
        if let Some(remote) = &mut self.remote {
            remote.stop_receiving(&mut self.intake)?;
        }
        let ending = ending?;
        if let Some(measurement) = self.measurement.take() {
            measurement.result()?;
        }
        if let Some(candidate) = self.candidate.take() {
            // Its match was broken off.
            let _ = candidate.thread.join();
        }
        self.report()?;
        match ending {
            Ending::BudgetSpent => self.finish(),
            Ending::Interrupted => {
                self.save_checkpoint()?;
                let progress = self.progress();
                self.story.tell(Event::Interrupted(progress))?;
                self.close_remote();
                Err(Interrupted.into())
            }
            Ending::Stopped(message) => {
                self.save_checkpoint()?;
                self.close_remote();
                anyhow::bail!("the run was stopped, and everything is kept: {message}")
            }
        }
    }

    /// Ends the connection to the broker in good order.
    fn close_remote(&mut self) {
        if let Some(remote) = self.remote.take() {
            remote.close();
        }
    }

    fn finish(mut self) -> anyhow::Result<Vec<MatchReport>> {
        if self.learner.has_news() {
            self.offer()?;
            if let Some(candidate) = self.candidate.take() {
                self.hear(candidate)?;
            }
        } else {
            self.save_checkpoint()?;
        }
        if let Some(mut remote) = self.remote.take() {
            remote.dismiss_workers();
            remote.close();
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
        self.story.earlier() + self.started.elapsed()
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

/// How the players' evaluators are made.
fn make_evaluator(placement: Placement) -> MakeEvaluator {
    Arc::new(move |net, max_batch| match placement.device {
        ComputeDevice::Cpu => net.evaluator(max_batch),
        _ => net.torch_evaluator(&placement, max_batch),
    })
}

/// The search of training games after `games`, with the trust in values that a rule has set.
fn search_at(config: &Config, games: u64, c_scale: Option<f32>) -> SearchOptions {
    let mut search = config.search_at(games);
    if let (Some(c_scale), RootOptions::Gumbel(root)) = (c_scale, &mut search.root) {
        root.c_scale = c_scale;
    }
    search
}

/// Why the loop came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Ending {
    BudgetSpent,
    Interrupted,
    /// By a sentinel, for this reason.
    Stopped(String),
}

/// File name in `models/` of the net of a generation.
pub fn model_name(generation: u32) -> String {
    format!("{generation:06}.safetensors")
}
