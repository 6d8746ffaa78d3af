//! A worker: plays training games of a run whose trainer is elsewhere.
//!
//! Threads play as those of the trainer do; this thread gathers their games into chunks, and obeys the
//! orders that come from the broker. Games in chunks are safe from then on; games in play are lost when
//! the process is killed, and finished when it is asked to stop.

mod gather;
mod matches;
mod pace;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use fleet::{
    Assignment, Broker, Hash, MemberStart, Membership, ModelUse, RunName, Spool, WorkerReport,
    WorkerSide, game_id,
};
use model::Model;
use search::SearchOptions;
use selfplay::{GameIds, PlayMemory, SelfPlayOptions};

use crate::exit::Refuse;
use crate::interrupt;
use crate::nets::Net;
use crate::playing::orders::{Order, Orders};
use crate::playing::worker::{MakeEvaluator, Played, Worker, WorkerSettings};
use crate::report::terminal::{clock, note};
use crate::run_folder::VERSION;
use crate::wire;
use gather::Gatherer;
use matches::MatchCrew;
use pace::Pace;

/// Finished games that may wait to be gathered; then their players wait.
const WAITING_GAMES: usize = 256;
/// How long a resting thread sleeps before it looks again.
const REST: Duration = Duration::from_millis(50);
/// How long the gathering thread waits for a game before it looks for orders.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Time after which a worker says that it waits.
const PATIENCE: Duration = Duration::from_secs(3);
/// Time between two lines on the terminal.
const SAY_EVERY: Duration = Duration::from_secs(30);
/// Bytes of chunks in memory at which playing stops, where there is no folder for them.
const MEMORY_LIMIT: u64 = 64 << 20;

/// What a worker is told about this machine.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The run; none for the only one there is.
    pub run: Option<RunName>,
    /// Threads that play, at least 1.
    pub threads: usize,
    /// How many of them play pairs for rating pools instead, when there are some.
    pub match_threads: usize,
    /// The owner's number, if it has one; it takes a spool in a folder.
    pub member: Option<u16>,
    /// Folder for games that wait for the broker; none for memory.
    pub spool: Option<PathBuf>,
    /// Bytes of waiting chunks at which playing stops.
    pub spool_limit: u64,
    /// Longest time to finish games, and then to send them, after being asked to stop.
    pub grace: Duration,
    /// What reports call this worker; may be empty.
    pub label: String,
}

/// Plays until it is asked to stop.
///
/// # Errors
///
/// What keeps it from playing: another version, an evaluator that fails, a full disk; and Ctrl-C while
/// it waits for a run.
pub fn work(
    broker: &Broker,
    options: &WorkerOptions,
    make_evaluator: MakeEvaluator,
) -> anyhow::Result<()> {
    let mut spool = match &options.spool {
        Some(dir) => Spool::open(dir, options.spool_limit).refused()?,
        None => Spool::in_memory(MEMORY_LIMIT),
    };
    let member = match options.member {
        Some(member) => Some(MemberStart {
            member,
            start: spool.count_start().refused()?,
        }),
        None => None,
    };
    let matches = MatchCrew::start(broker, options.match_threads, &options.label)?;
    let joined = join(broker, options.run.as_ref(), member);
    let played = joined.and_then(|membership| {
        play_run(
            broker,
            options,
            make_evaluator,
            spool,
            &membership,
            &matches,
        )
    });
    matches.end();
    played
}

/// Plays the training games of a run.
fn play_run(
    broker: &Broker,
    options: &WorkerOptions,
    make_evaluator: MakeEvaluator,
    spool: Spool,
    membership: &Membership,
    matches: &MatchCrew,
) -> anyhow::Result<()> {
    let card = membership.card();
    let selfplay: SelfPlayOptions = serde_json::from_value(card.selfplay.clone())
        .with_context(|| other_version("options", &card.program))
        .refused()?;
    if let Err((key, message)) = selfplay.check() {
        let message = format!("run {}: selfplay.{key} = {message}", card.name);
        return Err(anyhow::anyhow!(message)).refused();
    }
    note(&format!(
        "worker {} of run {}: {} threads",
        membership.worker(),
        card.name,
        options.threads
    ));
    let side = WorkerSide::start(broker, membership, spool);
    let shift = Shift {
        membership,
        options,
        matches,
        side,
        settings: WorkerSettings {
            options: selfplay,
            seed: card.seed,
            ids: GameIds::starting_at(game_id(membership.worker(), 1)),
            make_evaluator,
            fault: None,
        },
        began: Instant::now(),
    };
    shift.play()
}

/// Joins the run; waits for it while it is not there.
fn join(
    broker: &Broker,
    run: Option<&RunName>,
    member: Option<MemberStart>,
) -> anyhow::Result<Membership> {
    let mut told = String::new();
    loop {
        match Membership::join(broker, run, member) {
            Ok(membership) => return Ok(membership),
            Err(error @ fleet::FleetError::Version { .. }) => return Err(error).refused(),
            Err(error @ fleet::FleetError::WhichRun { .. }) if is_choice(&error) => {
                return Err(error).context("--run NAME is missing").refused();
            }
            Err(error) => {
                let line = error.line();
                if line != told {
                    note(&format!("waiting: {line}"));
                    told = line;
                }
            }
        }
        wire::broker::rest()?;
    }
}

/// Whether there are several runs, so that waiting does not help.
fn is_choice(error: &fleet::FleetError) -> bool {
    matches!(error, fleet::FleetError::WhichRun { runs } if runs.len() > 1)
}

fn other_version(what: &str, program: &str) -> String {
    format!("the run's {what} are those of narikin {program}, this is {VERSION}: use the same one")
}

/// One worker at work.
struct Shift<'a> {
    membership: &'a Membership,
    options: &'a WorkerOptions,
    matches: &'a MatchCrew,
    side: WorkerSide,
    settings: WorkerSettings,
    began: Instant,
}

/// The threads that play, and what comes from them.
struct Crew {
    orders: Arc<Orders>,
    games: Receiver<Played>,
    threads: Vec<JoinHandle<anyhow::Result<()>>>,
}

impl Shift<'_> {
    fn play(mut self) -> anyhow::Result<()> {
        let Some(first) = self.first_assignment()? else {
            return self.leave(Ok(()));
        };
        let mut gatherer = Gatherer::new(
            self.membership.run(),
            self.membership.worker(),
            self.side.max_chunk_bytes(),
        );
        let order = self.order_of(&first, &mut gatherer)?;
        let crew = self.start(order)?;
        let played = self.gather(&crew, &mut gatherer, first.order.playing);
        let played = played.and_then(|()| self.finish(&crew, &mut gatherer));
        // Whatever went wrong: games that were gathered are good.
        let played = played.and(self.send(gatherer.rest()));
        crew.orders.stop();
        let Crew { games, threads, .. } = crew;
        // Threads that wait for room go on when it is gone.
        drop(games);
        let ended = end(threads);
        // A thread that failed is the reason of whatever else went wrong.
        self.leave(ended.and(played))
    }

    /// Waits until the trainer has said what to do; `None` if the worker was asked to stop first.
    fn first_assignment(&mut self) -> anyhow::Result<Option<Assignment>> {
        let mut told = false;
        while !interrupt::requested() {
            if let Some(assignment) = self.side.news() {
                return Ok(Some(assignment));
            }
            self.look_for_faults()?;
            if !told && self.began.elapsed() > PATIENCE {
                note("waiting for the first order of the trainer");
                told = true;
            }
            thread::sleep(REST);
        }
        Ok(None)
    }

    fn start(&self, order: Order) -> anyhow::Result<Crew> {
        let orders = Arc::new(Orders::new(order));
        let (sender, games) = mpsc::sync_channel(WAITING_GAMES);
        let threads = (0..self.options.threads)
            .map(|index| {
                let (settings, orders) = (self.settings.clone(), orders.clone());
                let sender = sender.clone();
                thread::Builder::new()
                    .name(format!("selfplay-{index}"))
                    .spawn(move || play_thread(index, settings, &orders, &sender))
                    .context("cannot start a self-play thread")
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Crew {
            orders,
            games,
            threads,
        })
    }

    /// Gathers games and obeys orders until the worker is asked to stop.
    fn gather(
        &mut self,
        crew: &Crew,
        gatherer: &mut Gatherer,
        mut playing: bool,
    ) -> anyhow::Result<()> {
        let mut pace = Pace::new();
        let mut said = Instant::now();
        while !interrupt::requested() {
            if let Some(assignment) = self.side.news() {
                let order = self.order_of(&assignment, gatherer)?;
                crew.orders.give(order);
                playing = assignment.order.playing;
            }
            // Who plays a pair has the core of who plays for the run.
            let n_free = self.options.threads.saturating_sub(self.matches.busy());
            crew.orders.set_players(if playing { n_free } else { 0 });
            self.look_for_faults()?;
            if self.side.has_room() {
                self.take(crew, gatherer)?;
            } else {
                thread::sleep(LOOK_EVERY);
            }
            pace.look(gatherer.games());
            let state = self.state(crew);
            self.report(crew, gatherer, &pace, state);
            if said.elapsed() >= SAY_EVERY {
                said = Instant::now();
                self.say(gatherer, &pace, state);
            }
        }
        Ok(())
    }

    /// Waits a moment for a game, then takes what there is.
    fn take(&self, crew: &Crew, gatherer: &mut Gatherer) -> anyhow::Result<()> {
        match crew.games.recv_timeout(LOOK_EVERY) {
            Ok(played) => gatherer.add(&played)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("all self-play threads have ended"),
        }
        for played in crew.games.try_iter().take(WAITING_GAMES) {
            gatherer.add(&played)?;
        }
        anyhow::ensure!(
            !crew.threads.iter().any(JoinHandle::is_finished),
            "a self-play thread has ended"
        );
        self.send(gatherer.ready())
    }

    /// Finishes the games in play, within the time there is.
    fn finish(&self, crew: &Crew, gatherer: &mut Gatherer) -> anyhow::Result<()> {
        let deadline = Instant::now() + self.options.grace;
        crew.orders.finish();
        while !crew.threads.iter().all(JoinHandle::is_finished) && Instant::now() < deadline {
            match crew.games.recv_timeout(LOOK_EVERY) {
                Ok(played) => gatherer.add(&played)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.send(gatherer.ready())?;
            self.report(crew, gatherer, &Pace::new(), "leaving");
        }
        for played in crew.games.try_iter() {
            gatherer.add(&played)?;
        }
        Ok(())
    }

    fn send(&self, chunks: Vec<Vec<u8>>) -> anyhow::Result<()> {
        for chunk in chunks {
            self.side.send(chunk)?;
        }
        Ok(())
    }

    /// Sends what is left and says goodbye.
    fn leave(self, played: anyhow::Result<()>) -> anyhow::Result<()> {
        let patience = match played {
            Ok(()) => self.options.grace,
            Err(_) => Duration::from_secs(2),
        };
        for remark in self.side.remarks() {
            note(&remark);
        }
        let left = self.side.leave(patience);
        if left > 0 {
            let kept = match self.options.spool {
                Some(_) => "kept in the spool for the next worker there",
                None => "lost: the broker did not take them, and there is no --spool",
            };
            note(&format!("{left} chunks of games are {kept}"));
        }
        played
    }

    /// The order that an assignment means for the threads.
    fn order_of(&self, assignment: &Assignment, gatherer: &mut Gatherer) -> anyhow::Result<Order> {
        let Assignment { order, model } = assignment;
        let program = &self.membership.card().program;
        let search: SearchOptions = serde_json::from_value(order.search.clone())
            .with_context(|| other_version("search options", program))
            .refused()?;
        search.check().refused()?;
        let mut hash = Hash::NONE;
        let mut net = None;
        if let Some(bytes) = model {
            hash = Hash::of(bytes);
            let name = format!("{} net {}", self.membership.card().name, order.generation);
            let model = Model::from_bytes(bytes, name.as_ref())
                .with_context(|| other_version("nets", program))
                .refused()?;
            net = Some(Net::from_model(&name, &model));
        } else if order.generation > 0 {
            bail!("the order for net {} names no model", order.generation);
        }
        gatherer.know(ModelUse {
            generation: order.generation,
            hash,
        });
        Ok(Order {
            net,
            generation: order.generation,
            search,
        })
    }

    fn look_for_faults(&self) -> anyhow::Result<()> {
        for remark in self.side.remarks() {
            note(&remark);
        }
        match self.side.state().fault {
            Some(fault) => Err(anyhow::anyhow!(fault)).refused(),
            None => Ok(()),
        }
    }

    /// One word for what the worker does.
    fn state(&self, crew: &Crew) -> &'static str {
        match (self.side.has_room(), crew.orders.plays(0)) {
            (false, _) => "held",
            (true, true) => "playing",
            (true, false) => "waiting",
        }
    }

    fn report(&self, crew: &Crew, gatherer: &Gatherer, pace: &Pace, state: &str) {
        let (waiting_chunks, waiting_bytes) = self.side.waiting();
        self.side.report(WorkerReport {
            label: self.options.label.clone(),
            program: VERSION.to_owned(),
            state: state.to_owned(),
            threads: self.options.threads as u32,
            generation: gatherer.generation(),
            seconds: self.began.elapsed().as_secs_f64(),
            games: gatherer.games(),
            plies: gatherer.plies(),
            evaluations: crew.orders.counted().0,
            games_per_s: pace.per_s(),
            waiting_chunks: waiting_chunks as u64,
            waiting_bytes,
            sent_chunks: self.side.state().sent_chunks,
            lost_games: gatherer.lost(),
            pairs: self.matches.pairs(),
        });
    }

    fn say(&self, gatherer: &Gatherer, pace: &Pace, state: &str) {
        let (waiting, _) = self.side.waiting();
        let trouble = match (self.side.is_connected(), self.side.state().trouble) {
            (false, _) => ", the broker is away".to_owned(),
            (true, trouble) if trouble.is_empty() => String::new(),
            (true, trouble) => format!(", trouble: {trouble}"),
        };
        note(&format!(
            "worker: {}, {state}, net {}, {} games ({:.2}/s), {waiting} chunks wait{trouble}",
            clock(self.began.elapsed().as_secs_f64()),
            gatherer.generation(),
            gatherer.games(),
            pace.per_s(),
        ));
    }
}

/// What a self-play thread does.
fn play_thread(
    index: usize,
    settings: WorkerSettings,
    orders: &Orders,
    games: &SyncSender<Played>,
) -> anyhow::Result<()> {
    let mut worker = Worker::new(index, settings, orders, PlayMemory::default())?;
    let mut nobody_listens = false;
    while !orders.stopped() && !nobody_listens {
        if orders.finishing() {
            worker.finish_begun();
            if worker.n_games() == 0 {
                break;
            }
        } else if !orders.plays(index) {
            thread::sleep(REST);
            continue;
        }
        worker.advance(orders, &mut |played| {
            nobody_listens |= games.send(played).is_err();
        })?;
    }
    Ok(())
}

/// Waits for all threads; the first error of one of them.
fn end(threads: Vec<JoinHandle<anyhow::Result<()>>>) -> anyhow::Result<()> {
    let mut ended = Ok(());
    for thread in threads {
        match thread.join() {
            Ok(result) => ended = ended.and(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
    ended
}
