//! `narikin mate`: is there a forced mate?

use std::fmt;
use std::process::ExitCode;

use rules::mate::{Answer, Solver, SolverOptions};
use rules::{Game, GameRules, Notation};
use serde::Serialize;

use crate::exit;
use crate::given::PositionText;
use crate::interrupt;
use crate::output::{self, SCHEMA};

/// Nodes between two looks at whether the process was asked to stop: some hundredths of a second.
const STRIDE: u64 = 20_000;

/// Arguments of `narikin mate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  narikin mate --sfen '6+B1k/9/9/9/9/9/9/9/9 b S 1'
  narikin mate startpos moves 7g7f 3c3d --nodes 100000 --json

The side to move mates by checks alone. Where a mate is found the search goes on until no shorter one
is left or the nodes are used up. Pieces put between in vain do not count as moves. If moves are
given, the mate enters no position that the game has had.

The JSON object: {schema, result: mate|nomate|unknown, line: [USI], plies: null if there is no line,
shortest: whether no shorter mate exists, nodes}. The exit code is 0 for all three.")]
pub struct MateArgs {
    /// Which position.
    #[command(flatten)]
    pub position: PositionText,
    /// Nodes to look at
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Longest mate to look for [default: no limit]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_plies: Option<u32>,
    /// Memory of the search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub memory: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What was found; printed as JSON or as text.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    result: &'static str,
    line: Vec<String>,
    plies: Option<u32>,
    shortest: bool,
    nodes: u64,
    /// The line as Japanese records write it.
    #[serde(skip)]
    japanese: Vec<String>,
}

/// Searches and prints what was found.
///
/// # Errors
///
/// If the position or a move is refused.
pub fn run(args: &MateArgs) -> anyhow::Result<ExitCode> {
    let game = args.position.game(GameRules::default())?;
    interrupt::listen()?;
    let mut solver = Solver::new(SolverOptions {
        memory_mib: args.memory as usize,
        max_plies: args.max_plies,
        shorten: true,
    });
    solver.start_in_game(&game);
    let mut left = args.nodes;
    while left > 0 && !solver.is_finished() && !interrupt::requested() {
        let nodes = left.min(STRIDE);
        solver.search(nodes);
        left -= nodes;
    }
    let report = Report::new(&solver, &game);
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&report.to_string())?;
    }
    Ok(if interrupt::requested() {
        ExitCode::from(exit::INTERRUPTED)
    } else {
        exit::done()
    })
}

impl Report {
    fn new(solver: &Solver, game: &Game) -> Report {
        let mut report = Report {
            schema: SCHEMA,
            result: "unknown",
            line: Vec::new(),
            plies: None,
            shortest: false,
            nodes: solver.nodes(),
            japanese: Vec::new(),
        };
        match solver.answer() {
            Answer::Unknown => {}
            Answer::NoMate => report.result = "nomate",
            Answer::Mate(line) => {
                report.result = "mate";
                report.plies = Some(line.plies());
                report.shortest = line.is_shortest();
                let mut position = game.position().clone();
                let mut previous = game.moves().last().map(|mv| mv.to());
                for &mv in line.moves() {
                    let japanese = Notation::Ki2.write(&position, mv, previous);
                    report.japanese.push(japanese);
                    report.line.push(mv.to_string());
                    position.do_move(mv);
                    previous = Some(mv.to());
                }
            }
        }
        report
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(plies) = self.plies else {
            return match self.result {
                "nomate" => write!(f, "no mate"),
                _ => write!(f, "unknown: {} nodes were not enough", self.nodes),
            };
        };
        let shortest = if self.shortest {
            ", the shortest"
        } else {
            ", perhaps not the shortest"
        };
        writeln!(f, "mate in {plies}{shortest}")?;
        writeln!(f, "{}", self.line.join(" "))?;
        write!(f, "{}", self.japanese.join(" "))
    }
}
