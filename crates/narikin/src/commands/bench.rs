//! `narikin bench`: how fast is the network, how fast is self-play, and does the search still
//! behave as it did?
//!
//! The kinds of work take turns in short rounds, so that a machine that slows down or is shared
//! slows all of them, and their ratio stays meaningful. Each number is the median of its rounds.

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use model::{Model, NetShape};
use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError, SearchOptions};
use selfplay::{GameIds, SelfPlay, SelfPlayOptions};
use serde::Serialize;

use crate::exit;
use crate::machine::cores;
use crate::nets::Net;
use crate::output::{self, SCHEMA};
use crate::report::terminal::ProgressLine;
use crate::speed::{self, Positions};

/// Arguments of `narikin bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin bench --json

The JSON object: {schema, naive_evals_per_s (null without libtorch), evaluator_evals_per_s,
selfplay_evals_per_s, threads, batch, batch_fill, shares of self-play's time:
{tree, rules, features, network, waiting}, checksum}. The checksum is one number made from all root
visit counts of fixed searches: as long as it stays the same, the search behaves the same.")]
pub struct BenchArgs {
    /// Net to run [default: an untrained one of the default shape]
    #[arg(long, value_name = "NET")]
    pub model: Option<PathBuf>,
    /// Threads, each with its own evaluator and games [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: Option<u64>,
    /// Seconds per round and kind of work
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    pub seconds: f64,
    /// Rounds
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub rounds: u64,
    /// Print the checksum only
    #[arg(long)]
    pub checksum: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Positions per batch of the raw evaluators.
const BATCH: usize = 64;

#[derive(Debug, Serialize)]
struct Bench {
    schema: u32,
    naive_evals_per_s: Option<f64>,
    evaluator_evals_per_s: f64,
    selfplay_evals_per_s: f64,
    threads: usize,
    batch: usize,
    batch_fill: f64,
    shares: Shares,
    checksum: u32,
}

/// Where the time of self-play's threads goes; the shares sum to 1.
#[derive(Debug, Serialize)]
struct Shares {
    /// Walking and updating trees: what the other shares leave.
    tree: f64,
    /// Legal moves and the test for mate in one, once per evaluated position.
    rules: f64,
    /// Writing input planes.
    features: f64,
    /// The evaluator's time without `features`.
    network: f64,
    /// Waiting for another thread: 0, each has its own evaluator.
    waiting: f64,
}

/// Measures and prints.
///
/// # Errors
///
/// If the net is refused, or an evaluator is missing or fails.
pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let checksum = speed::checksum()?;
    if args.checksum {
        output::print(&checksum.to_string())?;
        return Ok(exit::done());
    }
    let net = match &args.model {
        Some(path) => Net::load(path)?,
        None => Net::from_model("untrained", &Model::random(NetShape::default(), 1, true)),
    };
    let bench = measure(args, &net, checksum)?;
    if args.json {
        output::print_json(&bench)?;
    } else {
        output::print(&bench.text())?;
    }
    Ok(exit::done())
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if seconds > 0.0 && seconds <= 600.0 {
        Ok(seconds)
    } else {
        Err("expected a number above 0 and at most 600".to_owned())
    }
}

fn measure(args: &BenchArgs, net: &Net, checksum: u32) -> anyhow::Result<Bench> {
    let threads = args.threads.map_or(cores(), |n| n as usize);
    let time = Duration::from_secs_f64(args.seconds);
    let positions = speed::positions(16 * BATCH);
    let mut workers = Vec::new();
    let ids = GameIds::starting_at(0);
    for _ in 0..threads {
        workers.push(Worker::new(net, &positions, &ids)?);
    }
    let [mut naive, mut evaluator, mut selfplay] = [const { Vec::new() }; 3];
    let mut progress = ProgressLine::new("bench", "rounds", args.rounds);
    for round in 0..args.rounds {
        progress.set(round, "");
        if workers[0].naive.is_some() {
            naive.push(together(&mut workers, |worker| {
                worker.run_naive(&positions, time)
            })?);
        }
        evaluator.push(together(&mut workers, |worker| {
            worker.run_evaluator(&positions, time)
        })?);
        selfplay.push(together(&mut workers, |worker| worker.run_selfplay(time))?);
    }
    progress.finish();
    let totals: Totals = workers.iter().map(|worker| worker.totals).sum();
    Ok(Bench {
        schema: SCHEMA,
        naive_evals_per_s: (!naive.is_empty()).then(|| median(naive)),
        evaluator_evals_per_s: median(evaluator),
        selfplay_evals_per_s: median(selfplay),
        threads,
        batch: SelfPlayOptions::default().games_at_once as usize,
        batch_fill: totals.evaluations / totals.places.max(1.0),
        shares: shares(&totals, &positions),
        checksum,
    })
}

/// What one thread works with.
struct Worker {
    naive: Option<Box<dyn Evaluator>>,
    evaluator: Timed,
    selfplay: SelfPlay,
    totals: Totals,
}

/// Sums over a thread's rounds of self-play.
#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    seconds: f64,
    evaluator_seconds: f64,
    evaluations: f64,
    /// Evaluations there would have been with full batches.
    places: f64,
}

impl std::iter::Sum for Totals {
    fn sum<I: Iterator<Item = Totals>>(totals: I) -> Totals {
        totals.fold(Totals::default(), |a, b| Totals {
            seconds: a.seconds + b.seconds,
            evaluator_seconds: a.evaluator_seconds + b.evaluator_seconds,
            evaluations: a.evaluations + b.evaluations,
            places: a.places + b.places,
        })
    }
}

/// An evaluator that is looked at with a stop-watch.
struct Timed {
    inner: Box<dyn Evaluator>,
    seconds: f64,
}

impl Evaluator for Timed {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        let started = Instant::now();
        let result = self.inner.evaluate(requests, answers);
        self.seconds += started.elapsed().as_secs_f64();
        result
    }
}

impl Worker {
    /// Gets everything ready and warm: nets are compiled when they are first asked.
    fn new(net: &Net, positions: &Positions, ids: &GameIds) -> anyhow::Result<Worker> {
        let options = SelfPlayOptions::default();
        let inner = net.evaluator(BATCH.max(options.games_at_once as usize))?;
        let selfplay = SelfPlay::new(&options, &SearchOptions::default(), 1, 1, ids.clone());
        let naive = net.naive_evaluator()?;
        let evaluator = Timed {
            inner,
            seconds: 0.0,
        };
        let mut worker = Worker {
            naive,
            evaluator,
            selfplay,
            totals: Totals::default(),
        };
        let one_batch = Duration::ZERO;
        if worker.naive.is_some() {
            worker.run_naive(positions, one_batch)?;
        }
        worker.run_evaluator(positions, one_batch)?;
        Ok(worker)
    }

    fn run_naive(&mut self, positions: &Positions, time: Duration) -> anyhow::Result<f64> {
        let naive = self.naive.as_mut().expect("asked only where there is one");
        Ok(speed::evals_per_s(naive.as_mut(), positions, BATCH, time)?)
    }

    fn run_evaluator(&mut self, positions: &Positions, time: Duration) -> anyhow::Result<f64> {
        Ok(speed::evals_per_s(
            &mut self.evaluator,
            positions,
            BATCH,
            time,
        )?)
    }

    fn run_selfplay(&mut self, time: Duration) -> anyhow::Result<f64> {
        let Worker {
            evaluator,
            selfplay,
            totals,
            ..
        } = self;
        evaluator.seconds = 0.0;
        let (mut n_evaluations, mut n_places) = (0, 0);
        let started = Instant::now();
        while started.elapsed() < time {
            let round = selfplay.advance(evaluator, &mut |_| {})?;
            n_evaluations += round.n_evaluations;
            n_places += round.n_searches;
        }
        let seconds = started.elapsed().as_secs_f64();
        totals.seconds += seconds;
        totals.evaluator_seconds += evaluator.seconds;
        totals.evaluations += n_evaluations as f64;
        totals.places += n_places as f64;
        Ok(n_evaluations as f64 / seconds)
    }
}

/// The sum of what `work` returns on all threads at once.
fn together(
    workers: &mut [Worker],
    work: impl Fn(&mut Worker) -> anyhow::Result<f64> + Sync,
) -> anyhow::Result<f64> {
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = workers
            .iter_mut()
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        let rates = threads.into_iter().map(|thread| match thread.join() {
            Ok(rate) => rate,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        rates.sum()
    })
}

/// Splits self-play's time: the evaluator's is measured as it plays, rules and features are
/// measured alone, per position, and multiplied.
fn shares(totals: &Totals, positions: &Positions) -> Shares {
    let time = Duration::from_millis(200);
    let rules_each = speed::seconds_each(positions, time, |position, _| {
        let legal_moves = position.legal_moves();
        std::hint::black_box(position.mate_in_one_among(&legal_moves));
    });
    let mut board = vec![0.0; data::BOARD_PLANES * model::SQUARES];
    let mut hands = vec![0.0; data::HAND_PLANES];
    let features_each = speed::seconds_each(positions, time, |position, _| {
        data::encode_board(position, &mut board);
        data::encode_hands(position, &mut hands);
        std::hint::black_box((&board, &hands));
    });
    let of_all = |seconds: f64| seconds / totals.seconds;
    let features = of_all(features_each * totals.evaluations);
    let rules = of_all(rules_each * totals.evaluations);
    let network = of_all(totals.evaluator_seconds) - features;
    Shares {
        tree: 1.0 - network - features - rules,
        rules,
        features,
        network,
        waiting: 0.0,
    }
}

/// The middle value, or the mean of the two middle ones.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        (values[middle - 1] + values[middle]) / 2.0
    }
}

impl Bench {
    fn text(&self) -> String {
        let Bench {
            threads,
            batch,
            shares,
            checksum,
            ..
        } = self;
        let per_s = |rate: f64| format!("{rate:>9.0} evaluations/s");
        let mut lines = vec![format!("{threads} threads, batches of {batch}")];
        if let Some(naive) = self.naive_evals_per_s {
            lines.push(format!("naive libtorch  {}", per_s(naive)));
        }
        lines.push(format!(
            "evaluator       {}",
            per_s(self.evaluator_evals_per_s)
        ));
        lines.push(format!(
            "self-play       {}, batch fill {:.2}",
            per_s(self.selfplay_evals_per_s),
            self.batch_fill
        ));
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let of_evaluator = self.selfplay_evals_per_s / self.evaluator_evals_per_s;
        lines.push(format!(
            "self-play reaches {} of the evaluator's rate",
            percent(of_evaluator)
        ));
        if let Some(naive) = self.naive_evals_per_s {
            let ratio = self.evaluator_evals_per_s / naive;
            lines.push(format!(
                "the evaluator is {ratio:.1} times as fast as the naive network"
            ));
        }
        lines.push(format!(
            "self-play's time: tree {}, rules {}, features {}, network {}, waiting {}",
            percent(shares.tree),
            percent(shares.rules),
            percent(shares.features),
            percent(shares.network),
            percent(shares.waiting)
        ));
        lines.push(format!("checksum {checksum}"));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests;
