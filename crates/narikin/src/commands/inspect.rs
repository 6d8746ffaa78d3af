//! `narikin inspect`: what is this file?

mod content;
mod games;
mod nets;
mod run;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use data::is_record_file;
use kifu::Format;
use serde::Serialize;

use crate::config::Config;
use crate::exit::{self, Refuse};
use crate::output::{self, SCHEMA};
use crate::report::events::read_events;
use crate::report::terminal;
use content::Content;

/// Arguments of `narikin inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin inspect runs/quick/games/000001.nkg --check

Knows run folders, models and checkpoints (.safetensors), ONNX files (.onnx), configurations (.toml),
event logs (.jsonl), game records (.csa, .kif, .kifu, .ki2, .ki2u, .usi, .sfen, .txt), and, by their
content, our record files (.nkg) and the training data hcpe, hcpe3 and psv. Data of other programs is counted without a look at every position, unless --check is
given; everything else is read as a whole, with all checks. hcpe, hcpe3 and psv have no checksums:
what is checked is that every position can arise and every move is legal in it.

The JSON object: {schema, file, content: {kind, and what belongs to the kind}}:
  model       manifest, parameters
  checkpoint  manifest, tensors, parameters
  onnx        outputs, manifest (of our own nets, else null)
  records     version, files, games, plies, black_wins, white_wins, draws, first
  games       format (hcpe3, csa, kif, ki2, usi), games, plies, positions (with candidate moves; of
              hcpe3), black_wins, white_wins, draws, unfinished, first
  positions   format (hcpe or psv), moves (how they are written), positions, black_wins, …, first
  events      by_kind: how many of each kind
  config      name, seed
  run         name, seed, starts, model, checkpoints, records, by_kind
with first: [{sfen, move, eval (centipawns) or value (win, draw, loss), both of the side to move,
winner}].")]
pub struct InspectArgs {
    /// File or run folder to look at
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Read everything, and say with exit code 4 that the file is bad
    #[arg(long)]
    pub check: bool,
    /// Positions to draw, from the start of a file of games or positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub positions: usize,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// What is in it.
    Count,
    /// Is all of it right?
    Check,
}

/// The JSON object.
#[derive(Debug, Serialize)]
struct Inspection<'a> {
    schema: u32,
    file: &'a Path,
    content: Content,
}

/// Prints what the file holds.
///
/// # Errors
///
/// If the file is refused and `--check` is not given.
pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let InspectArgs {
        file,
        check,
        positions,
        json,
    } = args;
    let depth = if *check { Depth::Check } else { Depth::Count };
    let content = match look(file, depth, *positions) {
        Ok(content) => content,
        Err(error) if *check => {
            terminal::note(&format!("bad file: {error:#}"));
            return Ok(ExitCode::from(exit::NO));
        }
        Err(error) => return Err(error).refused(),
    };
    if *json {
        output::print_json(&Inspection {
            schema: SCHEMA,
            file,
            content,
        })?;
    } else {
        output::print(format!("{}: {content}", file.display()).trim_end())?;
    }
    Ok(exit::done())
}

fn look(file: &Path, depth: Depth, n_drawn: usize) -> anyhow::Result<Content> {
    if file.is_dir() {
        return run::look(file, depth);
    }
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    match &*ending {
        "safetensors" => nets::tensors(file),
        "onnx" => nets::onnx(file),
        "jsonl" => Ok(Content::events(&read_events(file)?)),
        "toml" => config(file),
        // One that is damaged at its start has nothing else to go by.
        "nkg" => games::records(&[file.to_owned()], n_drawn),
        ending if let Some((format, _)) = Format::from_extension(ending) => {
            games::texts(file, format, n_drawn)
        }
        _ if is_record_file(file)? => games::records(&[file.to_owned()], n_drawn),
        _ => games::foreign(file, depth, n_drawn).with_context(|| {
            format!(
                "cannot tell what {} is (narikin inspect --help lists what is known)",
                file.display()
            )
        }),
    }
}

fn config(file: &Path) -> anyhow::Result<Content> {
    let Config { name, seed, .. } = Config::load(Some(file), &[])?;
    Ok(Content::Config { name, seed })
}
