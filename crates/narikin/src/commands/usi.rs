//! `narikin usi`: a USI engine. Standard output is the protocol and nothing else.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use rules::Position;
use search::{EvalAnswers, EvalRequest, Evaluator};
use usi::{Book, EngineOptions, LoadError, Loaded, NetworkSettings, Settings};

use crate::exit;
use crate::nets::{Net, SHIPPED, is_shipped};
use crate::run_folder::VERSION;

/// Arguments of `narikin usi`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin usi --model runs/quick

narikin-1 is the net that comes with the program. The option DNN_Model of the GUI names another one,
with --model as its default.")]
pub struct UsiArgs {
    /// Model file, run folder or ONNX file to play with
    #[arg(long, value_name = "NET", default_value = SHIPPED)]
    pub model: PathBuf,
}

/// Speaks USI until `quit` or the end of standard input.
///
/// # Errors
///
/// If the net cannot be loaded; the GUI has been told by an `info string`.
pub fn run(args: &UsiArgs) -> anyhow::Result<ExitCode> {
    let model = args.model.display().to_string();
    let options = EngineOptions {
        name: format!("Narikin {VERSION}"),
        author: "the Narikin authors".to_owned(),
        settings: settings(model),
    };
    usi::run(BufReader::new(io::stdin()), io::stdout(), options, load)?;
    Ok(exit::done())
}

/// The defaults on this machine: all its cores at work, as far as one tree has use for them (guess: 8).
pub fn settings(model: String) -> Settings {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    Settings {
        model,
        threads: n_cores.min(8) as u32,
        ..Settings::default()
    }
}

/// Network and book for what the GUI has set.
pub fn load(settings: &NetworkSettings) -> Result<Loaded, LoadError> {
    // The GUI shows one line: the whole chain has to be in it.
    let evaluators = evaluators(settings).map_err(|error| format!("{error:#}"))?;
    // A book that cannot be read is no reason not to play.
    let (book, notes) = match settings.book.as_deref().map(read_book) {
        None => (Book::default(), Vec::new()),
        Some(Ok(book)) => (book, Vec::new()),
        Some(Err(error)) => (Book::default(), vec![format!("no book: {error:#}")]),
    };
    Ok(Loaded {
        evaluators,
        book,
        notes,
    })
}

/// One evaluator for each thread, on one thread of the CPU.
fn evaluators(settings: &NetworkSettings) -> anyhow::Result<Vec<Box<dyn Evaluator>>> {
    let path = match &settings.model {
        Some(path) if is_shipped(path) => path.clone(),
        Some(path) => resolve(path),
        None => SHIPPED.into(),
    };
    let net = Net::load(&path)?;
    let evaluators = (0..settings.threads).map(|_| {
        let mut evaluator = net.evaluator(settings.batch_size as usize)?;
        warm_up(&mut *evaluator, settings.batch_size as usize)?;
        Ok(evaluator)
    });
    evaluators.collect()
}

fn read_book(path: &Path) -> anyhow::Result<Book> {
    let path = resolve(path);
    let file = File::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    Book::read(BufReader::new(file)).with_context(|| format!("cannot use {}", path.display()))
}

/// Evaluates one position: what an evaluator compiles at its first call must not cost time on the
/// clock, and a net that fails should fail at `isready`.
fn warm_up(evaluator: &mut dyn Evaluator, batch_size: usize) -> anyhow::Result<()> {
    let position = Position::startpos();
    let request = EvalRequest {
        position: &position,
        legal_moves: &position.legal_moves(),
    };
    for requests in [vec![request], vec![request; batch_size]] {
        evaluator.evaluate(&requests, &mut EvalAnswers::new())?;
    }
    Ok(())
}

/// GUIs start engines in folders of their own, so a name that is not found here may lie beside the
/// program.
fn resolve(path: &Path) -> PathBuf {
    if path.exists() || path.is_absolute() {
        return path.to_owned();
    }
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.join(path)));
    beside
        .filter(|beside| beside.exists())
        .unwrap_or_else(|| path.to_owned())
}
