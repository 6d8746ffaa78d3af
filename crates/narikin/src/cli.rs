//! The command line as it was typed.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(feature = "torch")]
use crate::commands::{amend, grow, learn, train};
use crate::commands::{
    arena, bench, config, convert, doctor, export, inspect, mate, openings, perft, play, position,
    rate, report, selfplay, status, usi,
};
#[cfg(feature = "fleet")]
use crate::commands::{fleet, worker};
use crate::exit;

/// Train a shogi network from nothing by self-play, measure it, and play it.
#[derive(Debug, Parser)]
#[command(version, after_help = exit::HELP, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads the command line; help, version and errors end the program.
    pub fn read() -> Cli {
        let matches = flowing(Cli::command()).get_matches();
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// The command with the texts behind its options, and those of its subcommands, as wide as the terminal.
fn flowing(command: clap::Command) -> clap::Command {
    let help = command
        .get_after_help()
        .map(|text| joined(&text.to_string()));
    let command = command.mut_subcommands(flowing);
    match help {
        Some(help) => command.after_help(help),
        None => command,
    }
}

/// The text with every paragraph in one line. Examples and tables, which are indented, stay as they are.
fn joined(text: &str) -> String {
    let is_prose =
        |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.starts_with("Example");
    let mut joined = String::new();
    let mut last = "";
    for line in text.lines() {
        if !joined.is_empty() {
            joined.push(if is_prose(last) && is_prose(line) {
                ' '
            } else {
                '\n'
            });
        }
        joined.push_str(line);
        last = line;
    }
    joined
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Train a net from nothing, or go on with a run
    #[cfg(feature = "torch")]
    Train(train::TrainArgs),
    /// Say where a run stands
    Status(status::StatusArgs),
    /// Write a page about a run: curves, health, settings, games
    Report(report::ReportArgs),
    /// Train a net on given records
    #[cfg(feature = "torch")]
    Learn(learn::LearnArgs),
    /// Let a run go on with a larger net, once that is better
    #[cfg(feature = "torch")]
    Grow(grow::GrowArgs),
    /// Let a run go on with other settings
    #[cfg(feature = "torch")]
    Amend(amend::AmendArgs),
    /// Play training games without training, and keep their records
    Selfplay(selfplay::SelfplayArgs),
    /// Play training games for a trainer on another machine
    #[cfg(feature = "fleet")]
    Worker(worker::WorkerArgs),
    /// Look at the workers of a run, or take a run off the broker
    #[cfg(feature = "fleet")]
    Fleet(fleet::FleetArgs),
    /// Play one player against others and say how much stronger it is
    Arena(arena::ArenaArgs),
    /// Rate any number of players in one table, and add to it over the days
    Rate(rate::RateArgs),
    /// Make a book of balanced openings with an engine, or check one
    Openings(openings::OpeningsArgs),
    /// Play as a USI engine in a shogi GUI
    Usi(usi::UsiArgs),
    /// Play a game in the terminal against a net
    Play(play::PlayArgs),
    /// Measure the speed of network and self-play, and how the search behaves
    Bench(bench::BenchArgs),
    /// Say what this machine can do, and test that the program works on it
    Doctor(doctor::DoctorArgs),
    /// Write a net as ONNX for other engines, or as an engine of its own
    Export(export::ExportArgs),
    /// Look into a model, a record file or an ONNX file
    Inspect(inspect::InspectArgs),
    /// Convert games between CSA, KIF, KI2, USI lists, PGN and records
    Convert(convert::ConvertArgs),
    /// Print a configuration with every key resolved
    Config(config::ConfigArgs),
    /// Show a position: its legal moves, and how the game stands
    Position(position::PositionArgs),
    /// Look for a forced mate of any length
    Mate(mate::MateArgs),
    /// Count the move sequences of a depth, to check the move generator
    Perft(perft::PerftArgs),
}
