//! `narikin learn`: training on given records.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use model::{Model, NetShape};
use trainer::{ComputeDevice, Placement};

use super::train::{PrecisionArg, placement};
use crate::config::Config;
use crate::exit::{self, Refuse};
use crate::learn::{self, Outcome, Task};
use crate::nets::NetFile;
use crate::run_folder::RunFolder;
use crate::{allocator, interrupt, output};

/// Arguments of `narikin learn`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin learn --config configs/quick.toml --out runs/learned runs/quick/games games.hcpe3

Files are our own records, hcpe, hcpe3 or psv: they are told apart by their content. Of the
configuration count `net`, `sample`, `train`, `records`, `seed`, `name`, `learn.batch` and
`learn.publish_samples`. All files are read once before anything is learned; a share of their games
is held out, and only used to score the net.

The folder is created, or learning goes on in it exactly where it stood: after Ctrl-C, a crash, or
with `records.epochs` raised. The same files have to be given then. `narikin arena`, `usi`, `export`
and `inspect` take the folder as they take that of a run.")]
pub struct LearnArgs {
    /// Records to learn from: files, or folders of our own
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Folder of the result; must not hold anything else
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Configuration; every key that it leaves out has its default
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Override one configuration key, e.g. `--set records.epochs=3`
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Model file or run folder to begin with, instead of an untrained net; `net` is its shape then.
    /// Not read where learning goes on
    #[arg(long, value_name = "MODEL")]
    pub from: Option<PathBuf>,
    /// Where the net learns: `cpu`, `cuda:0` for the first GPU, or `auto` for the first GPU that
    /// libtorch can use and else the CPU
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub device: ComputeDevice,
    /// How exactly convolutions are computed
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub precision: PrecisionArg,
    /// Threads within one operation on the CPU; only with 1 does the same training give the same
    /// net, bit for bit
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: u64,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Learns and prints where the net is and how well it does on held-out games.
///
/// # Errors
///
/// If configuration, folder, files or model are refused, on Ctrl-C, and if learning cannot go on.
pub fn run(args: &LearnArgs) -> anyhow::Result<ExitCode> {
    let mut config = Config::load(args.config.as_deref(), &args.set).refused()?;
    let load = |path| NetFile::read(path)?.model();
    let from = args.from.as_deref().map(load).transpose()?;
    if let Some(model) = &from {
        config.net = shape_of(model, &config.net).refused()?;
    }
    let folder = RunFolder::create_or_open(&args.out, &config).refused()?;
    interrupt::listen()?;
    allocator::keep_memory();
    let outcome = learn::learn(&Task {
        config: &config,
        folder: &folder,
        paths: args.files.clone(),
        from,
        placement: Placement {
            threads: args.threads as usize,
            ..placement(args.device, args.precision)
        },
    })?;
    print(&outcome, args.json)?;
    Ok(exit::done())
}

/// The model's shape: another one may be configured only by leaving it at its default.
fn shape_of(model: &Model, configured: &NetShape) -> anyhow::Result<NetShape> {
    let found = model.manifest.shape;
    ensure!(
        *configured == found || *configured == NetShape::default(),
        "the net to begin with has {found}, but the configuration has {configured}: leave `net` out"
    );
    Ok(found)
}

fn print(outcome: &Outcome, json: bool) -> anyhow::Result<()> {
    if json {
        return output::print_json(outcome);
    }
    let Outcome {
        schema: _,
        model,
        steps,
        samples,
        epochs,
        games,
        held_out,
    } = outcome;
    let mut text = format!(
        "model     {}\nlearned   {samples} samples of {games} games, {epochs} whole epochs; the net \
         has {steps} steps behind it",
        model.display()
    );
    if let Some(score) = held_out {
        text += &format!("\nheld out  {} positions: {score}", score.positions);
    }
    output::print(&text)
}
