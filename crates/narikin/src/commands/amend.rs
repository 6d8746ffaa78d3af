//! `narikin amend`: a run goes on with other settings.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::{amend, exit, output};

/// Arguments of `narikin amend`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin amend --run runs/first --set search.visits=64 --set learn.window_max=1000000

The run must be stopped; `narikin train --run runs/first` goes on with it. What changed is told in its
events and its report. Everything can be amended but name, seed and net (see narikin grow), and what
the optimizer's state does not fit. In each key the newest value counts from the next start on: games
and training rows that there are stay as they are.")]
pub struct AmendArgs {
    /// Folder of the run
    #[arg(long, value_name = "DIR")]
    pub run: PathBuf,
    /// A configuration key and its new value, e.g. `--set search.visits=64`
    #[arg(long, value_name = "KEY=VALUE", required = true)]
    pub set: Vec<String>,
}

/// Amends the run and prints what changed.
///
/// # Errors
///
/// If the run or the settings are refused.
pub fn run(args: &AmendArgs) -> anyhow::Result<ExitCode> {
    let none = || "(none)".to_owned();
    for change in amend::amend(&args.run, &args.set)? {
        let from = change.from.unwrap_or_else(none);
        let to = change.to.unwrap_or_else(none);
        output::print(&format!("{}: {from} -> {to}", change.key))?;
    }
    Ok(exit::done())
}
