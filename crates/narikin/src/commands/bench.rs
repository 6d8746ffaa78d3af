//! `narikin bench`: how fast is the network, how fast is self-play, and does the search still
//! behave as it did?
//!
//! The kinds of work take turns in short rounds, so that a machine that slows down or is shared
//! slows all of them, and their ratio stays meaningful. Each number is the median of its rounds.
//! `--learning` measures optimizer steps instead (`learning`).

mod agreement;
mod device;
#[cfg(feature = "torch")]
mod learning;
mod parts;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{Model, NetShape};
use selfplay::GameIds;
use serde::Serialize;

use crate::exit;
use crate::machine::cores;
use crate::nets::{CpuPrecision, Net};
use crate::output::{self, SCHEMA};
use crate::report::terminal::ProgressLine;
use crate::speed;
use agreement::Agreement;
use device::Device;
use parts::{Parts, us_per_eval};
use worker::{Common, Totals, Worker, together};

/// Arguments of `narikin bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin bench --json

The JSON object: {schema, device: null or its name, precision: int8|bf16|f32, or null on a device, naive_evals_per_s (null without libtorch),
evaluator_evals_per_s, selfplay_evals_per_s, one_thread_evals_per_s (self-play on one thread while the
others rest), selfplay_plies_per_s, threads, batch, batch_fill, shares of self-play's time:
{tree, rules, features, network, waiting}, us_per_eval: the same in microseconds of a thread for one
evaluation, agreement with f32 on 1,024 positions that self-play asked about: {positions,
kl_nats (mean divergence of the policy from that of f32), value_error (mean difference of the expected
score), same_favourite (share)} or null on a device, device_idle (share of self-play's time in which no
thread asks the net anything; of threads that each compute on their own it says little), tree_bytes (of one game), checksum}. The checksum is one number made
from all root visit counts of fixed searches: as long as it stays the same, the search behaves the
same.

With --learning, the JSON object: {schema, net, device, batch, threads, rates: [{precision, samples_per_s,
samples_per_cpu_s (per second of processor time, all threads together), waiting_share (of the time, for
batches), first_losses (of the first steps)}], draw_ms (processor time of reading and encoding a batch),
window_draw_ms (of drawing one from the replay window, or null without a folder of our own records)}.")]
pub struct BenchArgs {
    /// Net to run [default: an untrained one of the default shape]
    #[arg(long, value_name = "NET")]
    pub model: Option<PathBuf>,
    /// Where the net is computed: a device of libtorch's such as `cuda:0` or `cpu` [default: OpenVINO on
    /// the CPU]
    #[arg(long, value_name = "DEVICE")]
    pub device: Option<String>,
    /// Games at once on each thread, and positions per batch
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub games: u32,
    /// How exactly the net is computed; on a device it is computed as that likes best
    #[arg(long, value_name = "KIND", value_enum, default_value = "auto")]
    pub precision: CpuPrecision,
    /// Threads, each with its own evaluator and games [default: all cores]; with --learning, threads
    /// within one operation [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: Option<u64>,
    /// Seconds per round and kind of work; with --learning, of processor time
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
    /// Of another kind of measurement.
    #[cfg(feature = "torch")]
    #[command(flatten)]
    pub learning: learning::LearningArgs,
}

#[derive(Debug, Serialize)]
struct Bench {
    schema: u32,
    device: Option<String>,
    precision: Option<&'static str>,
    naive_evals_per_s: Option<f64>,
    evaluator_evals_per_s: f64,
    selfplay_evals_per_s: f64,
    one_thread_evals_per_s: f64,
    selfplay_plies_per_s: f64,
    threads: usize,
    batch: usize,
    batch_fill: f64,
    shares: Parts,
    us_per_eval: Parts,
    agreement: Option<Agreement>,
    device_idle: f64,
    tree_bytes: usize,
    checksum: u32,
}

/// Measures and prints.
///
/// # Errors
///
/// If the net is refused, or an evaluator is missing or fails.
pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    #[cfg(feature = "torch")]
    if !args.learning.learning.is_empty() {
        return learning::run(args);
    }
    let checksum = speed::checksum()?;
    if args.checksum {
        output::print(&checksum.to_string())?;
        return Ok(exit::done());
    }
    let net = match &args.model {
        Some(path) => Net::load(path)?,
        None => Net::from_model("untrained", &Model::random(NetShape::default(), 1, true)),
    };
    let bench = measure(args, &net.with_precision(args.precision)?, checksum)?;
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
    let batch = args.games as usize;
    let positions = speed::positions(16 * batch);
    let common = Common {
        net,
        device: args.device.as_deref(),
        batch,
        positions: &positions,
        ids: GameIds::starting_at(0),
        occupancy: Arc::new(Device::new()),
    };
    let workers = (0..threads).map(|_| Worker::new(&common));
    let mut workers = workers.collect::<anyhow::Result<Vec<_>>>()?;
    let mut idle = Vec::new();
    let [mut naive, mut evaluator, mut selfplay, mut alone] = [const { Vec::new() }; 4];
    let mut progress = ProgressLine::new("bench", "rounds", args.rounds);
    for round in 0..args.rounds {
        progress.set(round, "");
        if workers[0].has_naive() {
            naive.push(together(&mut workers, |worker| {
                worker.run_naive(&positions, time)
            })?);
        }
        evaluator.push(together(&mut workers, |worker| {
            worker.run_evaluator(&positions, time)
        })?);
        let started = Instant::now();
        common.occupancy.start();
        selfplay.push(together(&mut workers, |worker| worker.run_selfplay(time))?);
        let waited = common.occupancy.idle().as_secs_f64();
        idle.push(waited / started.elapsed().as_secs_f64());
        alone.push(match workers.as_mut_slice() {
            [_] => *selfplay.last().expect("a round has just been played"),
            several => together(&mut several[..1], |worker| worker.run_selfplay(time))?,
        });
    }
    progress.finish();
    let totals: Totals = workers.iter().map(Worker::totals).sum();
    let asked = workers[0].asked();
    let us_per_eval = us_per_eval(&totals, asked);
    let mut agreement = None;
    if args.device.is_none() {
        agreement = Some(Agreement::of(net, asked)?);
    }
    Ok(Bench {
        schema: SCHEMA,
        device: args.device.clone(),
        precision: args.device.is_none().then(|| net.precision().word()),
        naive_evals_per_s: (!naive.is_empty()).then(|| median(naive)),
        evaluator_evals_per_s: median(evaluator),
        selfplay_evals_per_s: median(selfplay),
        one_thread_evals_per_s: median(alone),
        selfplay_plies_per_s: threads as f64 * totals.plies / totals.seconds,
        threads,
        batch,
        batch_fill: totals.evaluations / totals.places.max(1.0),
        shares: us_per_eval.shares(),
        us_per_eval,
        agreement,
        device_idle: median(idle),
        tree_bytes: workers[0].tree_bytes(),
        checksum,
    })
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
            precision,
            threads,
            batch,
            shares,
            us_per_eval,
            agreement,
            checksum,
            ..
        } = self;
        let per_s = |rate: f64| format!("{rate:>9.0} evaluations/s");
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let naive = self.naive_evals_per_s;
        let place = self.device.as_deref().or(*precision).unwrap_or_default();
        let mut lines = vec![format!("{threads} threads, batches of {batch}, {place}")];
        lines.extend(naive.map(|naive| format!("naive libtorch  {}", per_s(naive))));
        lines.extend([
            format!("evaluator       {}", per_s(self.evaluator_evals_per_s)),
            format!(
                "self-play       {}, {:.0} plies/s, batch fill {:.2}",
                per_s(self.selfplay_evals_per_s),
                self.selfplay_plies_per_s,
                self.batch_fill
            ),
            format!("on one thread   {}", per_s(self.one_thread_evals_per_s)),
            format!(
                "self-play reaches {} of the evaluator's rate, and {:.2} times that of one thread",
                percent(self.selfplay_evals_per_s / self.evaluator_evals_per_s),
                self.selfplay_evals_per_s / self.one_thread_evals_per_s
            ),
        ]);
        lines.extend(naive.map(|naive| {
            let ratio = self.evaluator_evals_per_s / naive;
            format!("the evaluator is {ratio:.1} times as fast as the naive network")
        }));
        lines.extend([
            format!("self-play's time: {}", shares.text(percent)),
            format!(
                "for one evaluation: {}; all but the network {:.1} us",
                us_per_eval.text(|us| format!("{us:.1} us")),
                us_per_eval.sum() - us_per_eval.network
            ),
            format!("memory of one game's tree: {} KiB", self.tree_bytes / 1024),
        ]);
        if self.device.is_some() {
            let idle = percent(self.device_idle);
            lines.push(format!("the device waits {idle} of the time"));
        }
        lines.extend(agreement.map(|agreement| {
            let same = percent(agreement.same_favourite);
            let (kl, error) = (agreement.kl_nats, agreement.value_error);
            format!(
                "agreement with f32 on {} positions: policy divergence {kl:.5} nats, expected score off \
                 by {error:.4}, same favourite {same}",
                agreement.positions
            )
        }));
        lines.push(format!("checksum {checksum}"));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests;
