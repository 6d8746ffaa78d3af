//! `narikin perft`: counting move sequences.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use rules::Position;

use crate::exit::{self, Refuse};
use crate::output;
use crate::report::terminal;

/// Arguments of `narikin perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: narikin perft 3 --divide\n\nThe last line is `nodes N`.")]
pub struct PerftArgs {
    /// Depth in plies
    #[arg(value_name = "DEPTH")]
    pub depth: u32,
    /// Position to count from [default: the start position]
    #[arg(long, value_name = "SFEN")]
    pub sfen: Option<String>,
    /// Print a line `MOVE N` per first move before the total
    #[arg(long)]
    pub divide: bool,
}

/// Counts and prints; the speed goes to standard error.
///
/// # Errors
///
/// If the position is refused.
pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let PerftArgs {
        depth,
        sfen,
        divide,
    } = args;
    let mut position = match sfen {
        Some(sfen) => Position::from_sfen(sfen).context("--sfen").refused()?,
        None => Position::startpos(),
    };
    let started = Instant::now();
    let nodes = if *divide && *depth > 0 {
        let counts = rules::divide(&mut position, *depth);
        for (mv, nodes) in &counts {
            output::print(&format!("{mv} {nodes}"))?;
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        rules::perft(&mut position, *depth)
    };
    let seconds = started.elapsed().as_secs_f64();
    output::print(&format!("nodes {nodes}"))?;
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    terminal::note(&format!("{seconds:.3} s, {rate:.1} million nodes/s"));
    Ok(exit::done())
}
