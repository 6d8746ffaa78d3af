//! `narikin worker`: training games for a trainer elsewhere.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use fleet::RunName;

use crate::exit::{Interrupted, Refuse, Usage};
use crate::interrupt;
use crate::machine::cores;
use crate::nets::CpuPrecision;
use crate::playing::worker::MakeEvaluator;
use crate::wire::broker::BrokerArgs;
use crate::worker::{self, WorkerOptions};

/// Arguments of `narikin worker`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin worker --broker nats://trainer.example:4222 --spool spool

Plays for the run that `narikin train --broker` has opened at the broker, with the run's own options and
its newest net, until it is asked to stop: SIGTERM or Ctrl-C finishes the games in play and sends them,
a second one leaves at once. Workers come and go as they like; a killed one loses the games in play.
Beside that it plays pairs of games for `narikin rate --broker`, run or no run.
While the broker is away, or takes no more, finished games wait in the spool.

docs/fleet.md tells how to set up a broker, and what to watch.")]
pub struct WorkerArgs {
    /// The broker
    #[command(flatten)]
    pub broker: BrokerArgs,
    /// Name of the run [default: the only one at the broker]
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,
    /// Threads, each with its own games [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: Option<u64>,
    /// How many of them play pairs of games for `narikin rate --broker` instead, when there are some;
    /// 0 leaves these to other workers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=1024))]
    pub match_threads: u64,
    /// Number of the owner, for good and for one worker at a time: a broker can keep others from using it
    /// [default: a new number at each start]
    #[arg(long, value_name = "N", requires = "spool")]
    pub number: Option<u16>,
    /// Folder for games that wait for the broker, one for each worker; without it they wait in memory
    /// and are lost when the worker is killed
    #[arg(long, value_name = "DIR")]
    pub spool: Option<PathBuf>,
    /// Games in the spool at which playing stops, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, requires = "spool", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub spool_mib: u64,
    /// Seconds for finishing games when asked to stop, and as many for sending them
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub grace: u64,
    /// Where the net runs: `cpu`, or `cuda:0` for the first GPU (a build with libtorch)
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    pub device: String,
    /// How exactly the net is computed on a CPU
    #[arg(long, value_name = "KIND", value_enum, default_value = "auto")]
    pub precision: CpuPrecision,
    /// What `narikin fleet status` calls this worker [default: the name of the machine]
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
}

/// The longest label.
const LABEL_LEN: usize = 64;

/// Plays until it is asked to stop.
///
/// # Errors
///
/// If an option or the run's version is refused, the evaluator fails, or the spool cannot be written;
/// and when it was asked to stop.
pub fn run(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    let name = |text: &String| {
        let name = RunName::new(text);
        let message = format!("--run {text:?}: expected letters, digits, '-', '_' and '.'");
        name.ok_or_else(|| anyhow::anyhow!(message))
    };
    let run = args.run.as_ref().map(name).transpose().refused()?;
    if args.broker.broker.is_none() {
        return Err(Usage("--broker URL is missing".to_owned()).into());
    }
    interrupt::listen()?;
    let broker = args.broker.connect("narikin worker")?;
    let broker = broker.expect("a broker was named");
    let options = WorkerOptions {
        run,
        threads: args.threads.map_or_else(cores, |threads| threads as usize),
        member: args.number,
        match_threads: args.match_threads as usize,
        spool: args.spool.clone(),
        spool_limit: args.spool_mib << 20,
        grace: Duration::from_secs(args.grace),
        label: label(args.label.as_deref()),
    };
    let evaluators = make_evaluator(&args.device, args.precision);
    worker::work(&broker, &options, evaluators)?;
    Err(Interrupted.into())
}

fn make_evaluator(device: &str, precision: CpuPrecision) -> MakeEvaluator {
    let device = device.to_owned();
    Arc::new(move |net, max_batch| {
        if device == "cpu" {
            net.clone().with_precision(precision)?.evaluator(max_batch)
        } else {
            net.device_evaluator(&device, max_batch)
        }
    })
}

/// What to call this worker: readable and short, whatever was given.
fn label(given: Option<&str>) -> String {
    let machine = || fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let label = given.map_or_else(machine, str::to_owned);
    let readable = label.trim().chars().filter(|c| !c.is_control());
    readable.take(LABEL_LEN).collect()
}

#[cfg(test)]
mod tests;
