//! `narikin inspect`: what is this file?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use data::{RECORD_VERSION, RecordError, RecordReader};
use model::{Model, OnnxNet, OnnxOutputs};
use serde::Serialize;

use crate::exit::{self, Refuse};
use crate::output::{self, SCHEMA};
use crate::report::events::read_events;
use crate::report::terminal;

/// Arguments of `narikin inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin inspect runs/quick/games/000001.nkg

A model (.safetensors), an ONNX file (.onnx), a record file (.nkg, .nkg.open) or the event log of a
run (.jsonl) is read as a whole, with all checks. The JSON object: {schema, file, content: {kind:
model|onnx|records|events, and what belongs to the kind: manifest, parameters; outputs; version,
games, plies, black_wins, white_wins, draws; events: how many of each kind}}.")]
pub struct InspectArgs {
    /// File to look at
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Say with exit code 4 that the file is bad
    #[arg(long)]
    pub check: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What a file holds.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Content {
    Model {
        manifest: model::Manifest,
        parameters: usize,
    },
    Onnx {
        outputs: &'static str,
    },
    Records {
        version: u32,
        games: u64,
        plies: u64,
        black_wins: u64,
        white_wins: u64,
        draws: u64,
    },
    Events {
        by_kind: BTreeMap<String, u64>,
    },
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
    let InspectArgs { file, check, json } = args;
    let content = match read(file) {
        Ok(content) => content,
        Err(error) if *check => {
            terminal::note(&format!("bad file: {error:#}"));
            return Ok(ExitCode::from(exit::NO));
        }
        Err(error) => return Err(error).refused(),
    };
    let inspection = Inspection {
        schema: SCHEMA,
        file,
        content,
    };
    if *json {
        output::print_json(&inspection)?;
    } else {
        output::print(&inspection.text())?;
    }
    Ok(exit::done())
}

fn read(file: &Path) -> anyhow::Result<Content> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".safetensors") {
        let model = Model::load(file)?;
        let parameters = model.tensors.values().map(|tensor| tensor.data.len()).sum();
        return Ok(Content::Model {
            manifest: model.manifest,
            parameters,
        });
    }
    if name.ends_with(".onnx") {
        let outputs = match OnnxNet::load(file)?.outputs() {
            OnnxOutputs::Dlshogi => "policy and value",
            OnnxOutputs::WithWdl => "policy, value and win/draw/loss",
        };
        return Ok(Content::Onnx { outputs });
    }
    if name.ends_with(".nkg") || name.ends_with(".nkg.open") {
        return Ok(read_records(file)?);
    }
    if name.ends_with(".jsonl") {
        return read_event_log(file);
    }
    anyhow::bail!(
        "{} has an unknown ending, expected .safetensors, .onnx, .nkg or .jsonl",
        file.display()
    )
}

fn read_records(file: &Path) -> Result<Content, RecordError> {
    let [mut games, mut plies, mut black_wins, mut white_wins] = [0; 4];
    for record in RecordReader::open(file)? {
        let record = record?;
        games += 1;
        plies += record.plies.len() as u64;
        black_wins += u64::from(record.outcome.winner == Some(rules::Color::Black));
        white_wins += u64::from(record.outcome.winner == Some(rules::Color::White));
    }
    let draws = games - black_wins - white_wins;
    Ok(Content::Records {
        version: RECORD_VERSION,
        games,
        plies,
        black_wins,
        white_wins,
        draws,
    })
}

fn read_event_log(file: &Path) -> anyhow::Result<Content> {
    let mut by_kind = BTreeMap::new();
    for entry in read_events(file)? {
        let kind = entry.event.kind().to_owned();
        *by_kind.entry(kind).or_insert(0) += 1;
    }
    Ok(Content::Events { by_kind })
}

impl Inspection<'_> {
    fn text(&self) -> String {
        let what = match &self.content {
            Content::Model {
                manifest,
                parameters,
            } => {
                let model::Manifest {
                    format,
                    encoding,
                    shape,
                    generation,
                    steps,
                    games,
                    ..
                } = manifest;
                format!(
                    "model of format {format}, encoding {encoding}\n\
                     shape       {} blocks, {} channels, {parameters} parameters\n\
                     generation  {generation}, after {steps} steps and {games} games",
                    shape.blocks, shape.channels
                )
            }
            Content::Events { by_kind } => {
                let counts: Vec<String> = by_kind
                    .iter()
                    .map(|(kind, n)| format!("{n} {kind}"))
                    .collect();
                format!("events: {}", counts.join(", "))
            }
            Content::Onnx { outputs } => format!("ONNX net in dlshogi's interface, with {outputs}"),
            Content::Records {
                version,
                games,
                plies,
                black_wins,
                white_wins,
                draws,
            } => format!(
                "records of format {version}\n\
                 games  {games}, {plies} plies\n\
                 won    {black_wins} by Black, {white_wins} by White, {draws} drawn"
            ),
        };
        format!("{}: {what}", self.file.display())
    }
}
