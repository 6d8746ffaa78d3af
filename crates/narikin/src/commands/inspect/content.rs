//! What a file or folder holds, as JSON and as text.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use model::Manifest;
use rules::{Color, Position, Script};
use serde::Serialize;

use crate::report::events::Entry;

/// What a file holds.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Content {
    Model {
        manifest: Box<Manifest>,
        parameters: usize,
    },
    Checkpoint {
        manifest: serde_json::Value,
        tensors: usize,
        parameters: usize,
    },
    Onnx {
        outputs: &'static str,
        manifest: Option<Box<Manifest>>,
    },
    Records(Records),
    Games {
        format: &'static str,
        games: u64,
        plies: u64,
        /// Plies with candidate moves; texts have none.
        positions: Option<u64>,
        black_wins: u64,
        white_wins: u64,
        draws: u64,
        /// Games without a result.
        unfinished: u64,
        first: Vec<First>,
    },
    Positions {
        format: &'static str,
        moves: &'static str,
        positions: u64,
        black_wins: u64,
        white_wins: u64,
        draws: u64,
        first: Vec<First>,
    },
    Events {
        by_kind: BTreeMap<String, u64>,
    },
    Config {
        name: String,
        seed: u64,
    },
    Run(Box<Run>),
}

/// Our own records, of one file or of a folder.
#[derive(Debug, Serialize)]
pub struct Records {
    pub version: u32,
    pub files: usize,
    pub games: u64,
    pub plies: u64,
    pub black_wins: u64,
    pub white_wins: u64,
    pub draws: u64,
    pub first: Vec<First>,
}

/// A run folder.
#[derive(Debug, Serialize)]
pub struct Run {
    pub name: String,
    pub seed: u64,
    /// How often the trainer was started.
    pub starts: usize,
    /// The net that self-play uses.
    pub model: Option<CurrentModel>,
    /// File names, oldest first.
    pub checkpoints: Vec<String>,
    /// All games; `None` where they were not read.
    pub records: Option<Records>,
    /// Events by kind.
    pub by_kind: BTreeMap<String, u64>,
}

/// The net of a run.
#[derive(Debug, Serialize)]
pub struct CurrentModel {
    pub file: String,
    pub manifest: Manifest,
}

/// A position at the start of a file.
#[derive(Debug, Serialize)]
pub struct First {
    pub sfen: String,
    /// The best move, or the move played.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Centipawns of the side to move.
    pub eval: Option<i16>,
    /// Win, draw and loss of the side to move.
    pub value: Option<[f32; 3]>,
    pub winner: &'static str,
    #[serde(skip)]
    pub position: Position,
}

/// `black`, `white` or `draw`.
pub fn winner_name(winner: Option<Color>) -> &'static str {
    winner.map_or("draw", Color::as_str)
}

impl Content {
    /// Events, counted by kind.
    pub fn events(entries: &[Entry]) -> Self {
        Self::Events {
            by_kind: by_kind(entries),
        }
    }
}

/// How many events of each kind there are.
pub fn by_kind(entries: &[Entry]) -> BTreeMap<String, u64> {
    let mut by_kind = BTreeMap::new();
    for entry in entries {
        *by_kind.entry(entry.event.kind().to_owned()).or_insert(0) += 1;
    }
    by_kind
}

impl Display for Content {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model {
                manifest,
                parameters,
            } => {
                writeln!(f, "model, {parameters} parameters")?;
                write_manifest(f, manifest)
            }
            Self::Checkpoint {
                manifest,
                tensors,
                parameters,
            } => {
                writeln!(f, "checkpoint, {parameters} numbers in {tensors} tensors")?;
                let model = &manifest["model"];
                let [generation, steps, samples] =
                    ["generation", "steps", "samples"].map(|key| &model[key]);
                writeln!(
                    f,
                    "generation  {generation}, after {steps} steps and {samples} samples"
                )
            }
            Self::Onnx { outputs, manifest } => {
                writeln!(f, "ONNX net in dlshogi's interface, with {outputs}")?;
                match manifest {
                    Some(manifest) => write_manifest(f, manifest),
                    None => writeln!(f, "made by another program"),
                }
            }
            Self::Records(records) => write!(f, "{records}"),
            Self::Games {
                format,
                games,
                plies,
                positions,
                black_wins,
                white_wins,
                draws,
                unfinished,
                first,
            } => {
                writeln!(f, "games in {format}")?;
                write!(f, "games      {games}, {plies} plies")?;
                match positions {
                    Some(positions) => writeln!(f, ", {positions} with candidate moves")?,
                    None => writeln!(f)?,
                }
                write!(f, "won        {}", won(black_wins, white_wins, draws))?;
                match unfinished {
                    0 => writeln!(f)?,
                    n => writeln!(f, ", {n} without a result")?,
                }
                write_first(f, first)
            }
            Self::Positions {
                format,
                moves,
                positions,
                black_wins,
                white_wins,
                draws,
                first,
            } => {
                writeln!(f, "{format}, moves as {moves} writes them")?;
                writeln!(f, "positions  {positions}")?;
                writeln!(f, "won        {}", won(black_wins, white_wins, draws))?;
                write_first(f, first)
            }
            Self::Events { by_kind } => writeln!(f, "events: {}", counted(by_kind)),
            Self::Config { name, seed } => writeln!(f, "configuration {name:?}, seed {seed}"),
            Self::Run(run) => write!(f, "{run}"),
        }
    }
}

/// How many games, or positions of games, each side won.
fn won(black_wins: &u64, white_wins: &u64, draws: &u64) -> String {
    format!("{black_wins} by Black, {white_wins} by White, {draws} drawn")
}

impl Display for Records {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            version,
            files,
            games,
            plies,
            black_wins,
            white_wins,
            draws,
            first,
        } = self;
        let files = match files {
            1 => String::new(),
            n => format!(" in {n} files"),
        };
        writeln!(f, "records of format {version}{files}")?;
        writeln!(f, "games  {games}, {plies} plies")?;
        writeln!(f, "won    {}", won(black_wins, white_wins, draws))?;
        write_first(f, first)
    }
}

impl Display for Run {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            seed,
            starts,
            model,
            checkpoints,
            records,
            by_kind,
        } = self;
        writeln!(f, "run {name:?}, seed {seed}, started {starts} times")?;
        match model {
            Some(CurrentModel { file, manifest }) => {
                writeln!(f, "net         {file}")?;
                write_manifest(f, manifest)?;
            }
            None => writeln!(f, "net         none yet")?,
        }
        writeln!(f, "checkpoints {}", checkpoints.join(", "))?;
        writeln!(f, "events      {}", counted(by_kind))?;
        match records {
            Some(records) => write!(f, "{records}"),
            None => Ok(()),
        }
    }
}

fn counted(by_kind: &BTreeMap<String, u64>) -> String {
    let counts: Vec<_> = by_kind
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    counts.join(", ")
}

fn write_manifest(f: &mut Formatter<'_>, manifest: &Manifest) -> fmt::Result {
    let Manifest {
        format,
        encoding,
        shape,
        generation,
        steps,
        games,
        name,
        run,
        ..
    } = manifest;
    writeln!(f, "format      {format}, encoding {encoding}")?;
    writeln!(f, "shape       {shape}")?;
    writeln!(
        f,
        "generation  {generation}, after {steps} steps and {games} games"
    )?;
    for (key, text) in [("name", name), ("run", run)] {
        if !text.is_empty() {
            writeln!(f, "{key:<10}  {text}")?;
        }
    }
    Ok(())
}

fn write_first(f: &mut Formatter<'_>, first: &[First]) -> fmt::Result {
    for shown in first {
        writeln!(f)?;
        write!(f, "{shown}")?;
    }
    Ok(())
}

impl Display for First {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.position.diagram(Script::English))?;
        writeln!(f, "sfen       {}", self.sfen)?;
        let mv = self.mv.as_deref().unwrap_or("none");
        let thought = match (self.eval, self.value) {
            (Some(eval), _) => format!(", {eval} centipawns for the side to move"),
            (None, Some([win, draw, loss])) => {
                format!(", win {win:.3}, draw {draw:.3}, loss {loss:.3} for the side to move")
            }
            (None, None) => String::new(),
        };
        writeln!(f, "move       {mv}{thought}")?;
        writeln!(
            f,
            "result     {}",
            match self.winner {
                "draw" => "a draw".to_owned(),
                "unknown" => "unknown".to_owned(),
                winner => format!("{winner} won"),
            }
        )
    }
}
