//! `narikin grow`: a run goes on with a net of another shape.

use std::path::PathBuf;
use std::process::ExitCode;

use trainer::ComputeDevice;

use super::train::{PrecisionArg, placement};
use crate::exit;
use crate::exit::Usage;
use crate::grow::{self, Task};
use crate::{allocator, interrupt, output};

/// Arguments of `narikin grow`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin grow --run runs/first --set net.blocks=8 --set net.channels=96

The run must be stopped. The other net learns from the games that the run would learn from now, and
then plays the run's net, both with `measure.search`. If it does well enough, it becomes the next net
of the run, with its own optimizer state: `narikin train` goes on with it (take the run's own
config.toml). If not (exit code 4), the run is as it was; with more epochs, or after more games, the
next try goes on where this one ended.")]
pub struct GrowArgs {
    /// Folder of the run
    #[arg(long, value_name = "DIR")]
    pub run: PathBuf,
    /// What the net is to be, e.g. `--set net.blocks=8`; only keys of `net`
    #[arg(long, value_name = "KEY=VALUE", required = true)]
    pub set: Vec<String>,
    /// How often the games are gone through, at most
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub epochs: u32,
    /// Games that decide, an even number
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: u32,
    /// Points per game that the other net has to reach, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub least_score: f64,
    /// Where the net learns: `cpu`, `cuda:0` for the first GPU, or `auto`
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub device: ComputeDevice,
    /// How exactly convolutions are computed
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub precision: PrecisionArg,
}

/// Grows the net and prints the games that decided.
///
/// # Errors
///
/// If run, shape or options are refused, on Ctrl-C, and if learning or playing fails.
pub fn run(args: &GrowArgs) -> anyhow::Result<ExitCode> {
    if !args.games.is_multiple_of(2) {
        let message = format!("--games {}: expected an even number", args.games);
        return Err(Usage(message).into());
    }
    if !(0.0..=1.0).contains(&args.least_score) {
        let message = format!("--least-score {}: expected 0 to 1", args.least_score);
        return Err(Usage(message).into());
    }
    interrupt::listen()?;
    allocator::keep_memory();
    let grown = grow::grow(&Task {
        run: args.run.clone(),
        set: args.set.clone(),
        epochs: args.epochs,
        games: args.games,
        least_score: args.least_score,
        placement: placement(args.device, args.precision),
    })?;
    output::print(arena::table(std::slice::from_ref(&grown.report)).trim_end())?;
    match grown.switched_to {
        Some(net) => {
            output::print(&format!("the run goes on with {}", net.display()))?;
            Ok(exit::done())
        }
        None => {
            output::print("not better yet: the run is as it was")?;
            Ok(ExitCode::from(exit::NO))
        }
    }
}
