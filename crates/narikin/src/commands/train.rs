//! `narikin train`: the whole loop, begun or continued.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use model::Precision;
use trainer::{ComputeDevice, DeviceCheck, Placement};

use crate::config::budget::{MAX_MINUTES, parse_minutes};
use crate::config::{Budget, Config};
use crate::exit::{self, Refuse, Usage};
use crate::machine::cores;
use crate::run_folder::{RunFolder, own_config};
use crate::train::restore::first_model;
use crate::train::{self, Resources};
use crate::wire::broker::BrokerArgs;
use crate::{allocator, interrupt, output};

/// Arguments of `narikin train`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin train --config configs/quick.toml --run runs/quick
         narikin train --config configs/continue.toml --run runs/mine --for 8h

The folder of a run is created, or the run in it goes on where it stood: Ctrl-C, a crash or a
killed process cost nothing but the games in play. It ends at the first limit of its budget that is
reached; --for, --games, --samples and --until-elo replace the budget of the configuration, and a larger
one lets a finished run go on. Ends with a table of the last net against the built-in players.

With --broker, workers on other machines play too (narikin worker, docs/fleet.md).")]
pub struct TrainArgs {
    /// Configuration; every key that it leaves out has its default [default: the one of the run]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder of the run; must not hold anything else
    #[arg(long, value_name = "DIR")]
    pub run: PathBuf,
    /// Net that a new run begins with: a model file, a run folder, or `narikin-1`, which comes with the
    /// program; the same as the key `from` [default: random weights]
    #[arg(long, value_name = "NET")]
    pub from: Option<String>,
    /// Override one configuration key, e.g. `--set search.visits=16`
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Train for so long in all, such as `30m`, `8h` or `1h30m`; earlier starts of the run count
    #[arg(long = "for", value_name = "TIME", value_parser = parse_minutes)]
    pub minutes: Option<f64>,
    /// Train until so many games are finished
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Train until so many training rows have been used
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub samples: Option<u64>,
    /// Train until a measurement shows at least so much Elo above `greedy` (the lower end of its 95 %
    /// interval)
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub until_elo: Option<f64>,
    /// Self-play threads [default: all cores]; the learner has one more, and while it has work
    /// one of them leaves it its core. With 1, a single thread plays and learns in turn, and the same
    /// seed gives the same run, byte for byte. With 0 (and --broker), all games come from workers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1024))]
    pub threads: Option<u64>,
    /// Where the net learns and plays: `cpu`, `cuda:0` for the first GPU, or `auto` for the first GPU
    /// that libtorch can use and else the CPU
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub device: ComputeDevice,
    /// How exactly convolutions are computed
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub precision: PrecisionArg,
    /// The broker that workers bring their games to
    #[command(flatten)]
    pub broker: BrokerArgs,
}

/// [`Precision`] as it is typed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum PrecisionArg {
    /// What the CPU gains from
    Auto,
    /// 32-bit floating point
    F32,
    /// 16-bit brain floating point, weights in 32 bits
    Bf16,
}

impl TrainArgs {
    /// The budget that the options name; none where they name none.
    fn budget(&self) -> Option<Budget> {
        let budget = Budget {
            minutes: self.minutes.unwrap_or(MAX_MINUTES),
            games: self.games,
            samples: self.samples,
            elo: self.until_elo,
        };
        (budget != Budget::endless()).then_some(budget)
    }
}

/// Begins or continues the run and prints the final table.
///
/// # Errors
///
/// If the configuration or the folder is refused, on Ctrl-C, and if the run cannot go on.
pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    if args.threads == Some(0) && args.broker.broker.is_none() {
        let text = "--threads 0 needs --broker: somebody has to play";
        return Err(Usage(text.to_owned()).into());
    }
    let file = args.config.clone().or_else(|| own_config(&args.run));
    let mut config = Config::load(file.as_deref(), &args.set).refused()?;
    config.budget = args.budget().unwrap_or(config.budget);
    config.from = args.from.clone().or(config.from);
    config.check().refused()?;
    if own_config(&args.run).is_none() {
        // Before there is a folder of a run that cannot be.
        first_model(&config)?;
    }
    let folder = RunFolder::create_or_open(&args.run, &config).refused()?;
    interrupt::listen()?;
    allocator::keep_memory();
    let broker = args
        .broker
        .connect(&format!("narikin train {}", config.name))?;
    let resources = Resources {
        threads: args.threads.map_or_else(cores, |threads| threads as usize),
        placement: placement(args.device, args.precision),
        broker,
    };
    let reports = train::train(&config, &folder, &resources)?;
    output::print(arena::table(&reports).trim_end())?;
    Ok(exit::done())
}

/// Where and how exactly to compute, as it was typed.
pub fn placement(device: ComputeDevice, precision: PrecisionArg) -> Placement {
    Placement {
        device: chosen(device),
        precision: match precision {
            PrecisionArg::Auto => Precision::Auto,
            PrecisionArg::F32 => Precision::F32,
            PrecisionArg::Bf16 => Precision::Bf16,
        },
        ..Placement::default()
    }
}

/// `device`, with `auto` decided: players have to know whether there is a GPU for them.
fn chosen(device: ComputeDevice) -> ComputeDevice {
    if device != ComputeDevice::Auto {
        return device;
    }
    let works = |check: &&DeviceCheck| check.fault.is_none() && check.device != ComputeDevice::Cpu;
    trainer::devices()
        .devices
        .iter()
        .find(works)
        .map_or(ComputeDevice::Cpu, |gpu| gpu.device)
}
