//! `narikin usi`: a USI engine. Standard output is the protocol and nothing else.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rules::Position;
use search::{EvalAnswers, EvalRequest, Evaluator};
use usi::{EngineOptions, LoadError, NetworkSettings, Settings};

use crate::exit;
use crate::nets::{self, Net};
use crate::run_folder::VERSION;

/// Arguments of `narikin usi`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin usi --model runs/quick

The option DNN_Model of the GUI names the net, with --model as its default. Where both are empty,
the newest net of runs/*/ plays, else the last one in models/.")]
pub struct UsiArgs {
    /// Model file, run folder or ONNX file to play with
    #[arg(long, value_name = "NET")]
    pub model: Option<PathBuf>,
}

/// Speaks USI until `quit` or the end of standard input.
///
/// # Errors
///
/// If the net cannot be loaded; the GUI has been told by an `info string`.
pub fn run(args: &UsiArgs) -> anyhow::Result<ExitCode> {
    let model = args
        .model
        .as_ref()
        .map_or(String::new(), |path| path.display().to_string());
    let options = EngineOptions {
        name: format!("Narikin {VERSION}"),
        author: "the Narikin authors".to_owned(),
        settings: Settings {
            model,
            ..Settings::default()
        },
    };
    usi::run(BufReader::new(io::stdin()), io::stdout(), options, load)?;
    Ok(exit::done())
}

/// The evaluator for what the GUI has set. One leaf at a time is evaluated, so batches of one.
fn load(settings: &NetworkSettings) -> Result<Box<dyn Evaluator>, LoadError> {
    let evaluator = || -> anyhow::Result<Box<dyn Evaluator>> {
        let path = match &settings.model {
            Some(path) => resolve(path),
            None => nets::newest()?,
        };
        let mut evaluator = Net::load(&path)?.evaluator_on(settings.threads as usize, 1)?;
        warm_up(&mut *evaluator)?;
        Ok(evaluator)
    };
    // The GUI shows one line: the whole chain has to be in it.
    evaluator().map_err(|error| format!("{error:#}").into())
}

/// Evaluates one position: what an evaluator compiles at its first call must not cost time on the
/// clock, and a net that fails should fail at `isready`.
fn warm_up(evaluator: &mut dyn Evaluator) -> anyhow::Result<()> {
    let position = Position::startpos();
    let request = EvalRequest {
        position: &position,
        legal_moves: &position.legal_moves(),
    };
    Ok(evaluator.evaluate(&[request], &mut EvalAnswers::new())?)
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
