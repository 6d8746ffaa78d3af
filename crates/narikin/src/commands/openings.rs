//! `narikin openings`: a book of balanced openings.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use anyhow::Context;
use arena::{BookMaker, BookOptions, EngineLimit, Opening};
use model::write_whole;

use crate::anchors::engine_settings;
use crate::exit::{self, Interrupted, Refuse};
use crate::interrupt;
use crate::machine::cores;
use crate::output;
use crate::report::terminal::{ProgressLine, note};

/// Arguments of `narikin openings`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin openings --engine fairy-stockfish --count 500 --out book.txt

Lines grow by random moves, and an engine keeps those that leave the position even. The file has
one opening a line (`startpos moves 7g7f 3c3d …`), as `narikin arena --openings FILE` reads it.
--check FILE makes none, but looks at the openings of a file, and ends with 4 if one is not even.")]
pub struct OpeningsArgs {
    /// USI engine that judges positions: a command line
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,
    /// Openings to make
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// Plies of an opening
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub plies: u32,
    /// Hundredths of a pawn that a position may be from even
    #[arg(long, value_name = "CP", default_value_t = 80)]
    pub bound: u32,
    /// Nodes of the engine for each position that is tried
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Nodes of the engine for each position at the end of a line
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub final_nodes: u64,
    /// Number that the moves follow from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Engines at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// File to write
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    pub out: Option<PathBuf>,
    /// File of openings to look at instead
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub check: Option<PathBuf>,
}

/// Makes the openings, or looks at those of a file.
///
/// # Errors
///
/// If the engine fails, or a file cannot be read or written.
pub fn run(args: &OpeningsArgs) -> anyhow::Result<ExitCode> {
    interrupt::listen()?;
    match (&args.check, &args.out) {
        (Some(file), _) => {
            let openings = crate::openings::read(file).refused()?;
            check(args, &openings)
        }
        (None, Some(file)) => {
            let made = each(args, args.count, |maker, number| {
                maker.opening(u64::from(number))
            })?;
            let mut text = String::new();
            for opening in made.into_iter().flatten() {
                text.push_str(&format!("{opening}\n"));
            }
            if interrupt::requested() {
                return Err(Interrupted.into());
            }
            write_whole(file, text.as_bytes())?;
            Ok(exit::done())
        }
        (None, None) => unreachable!("one of both is required"),
    }
}

fn check(args: &OpeningsArgs, openings: &[Opening]) -> anyhow::Result<ExitCode> {
    let verdicts = each(args, openings.len() as u32, |maker, number| {
        maker.is_balanced(&openings[number as usize])
    })?;
    if interrupt::requested() {
        return Err(Interrupted.into());
    }
    let mut uneven = 0;
    for (opening, balanced) in openings.iter().zip(verdicts) {
        if balanced == Some(false) {
            uneven += 1;
            note(&format!("not even: {opening}"));
        }
    }
    output::print(&format!("{} openings, {uneven} not even", openings.len()))?;
    Ok(if uneven == 0 {
        exit::done()
    } else {
        ExitCode::from(exit::NO)
    })
}

/// What `job` makes of each number below `count`, on all threads; `None` for those that an
/// interruption left out.
fn each<T: Send>(
    args: &OpeningsArgs,
    count: u32,
    job: impl Fn(&mut BookMaker, u32) -> Result<T, usi::DriverError> + Sync,
) -> anyhow::Result<Vec<Option<T>>> {
    let options = BookOptions {
        plies: args.plies,
        bound: args.bound,
        nodes: args.nodes,
        final_nodes: args.final_nodes,
        seed: args.seed,
    };
    let settings = engine_settings(&args.engine, EngineLimit::Nodes(args.nodes));
    let n_threads = args.threads.unwrap_or(cores() as u32).min(count.max(1));
    let next = AtomicU32::new(0);
    let done = Mutex::new((0..count).map(|_| None).collect::<Vec<Option<T>>>());
    let progress = Mutex::new((
        ProgressLine::new("openings", "openings", u64::from(count)),
        0,
    ));
    let worker = || -> anyhow::Result<()> {
        let mut maker = BookMaker::start(&settings, &options)
            .with_context(|| format!("engine {}", args.engine))?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || interrupt::requested() {
                return Ok(());
            }
            let result = job(&mut maker, number)?;
            done.lock().expect("no worker panics")[number as usize] = Some(result);
            let mut progress = progress.lock().expect("no worker panics");
            progress.1 += 1;
            let finished = progress.1;
            progress.0.set(finished, "");
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(worker)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })?;
    let (progress, _) = progress.into_inner().expect("no worker panics");
    progress.finish();
    Ok(done.into_inner().expect("no worker panics"))
}
