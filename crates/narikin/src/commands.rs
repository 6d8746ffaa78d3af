//! One file per command, each with its arguments and `run`.

#[cfg(feature = "torch")]
pub mod amend;
pub mod arena;
pub mod bench;
pub mod config;
pub mod convert;
pub mod doctor;
pub mod export;
#[cfg(feature = "fleet")]
pub mod fleet;
#[cfg(feature = "torch")]
pub mod grow;
pub mod inspect;
#[cfg(feature = "torch")]
pub mod learn;
pub mod mate;
pub mod openings;
pub mod perft;
pub mod play;
pub mod position;
pub mod rate;
pub mod report;
pub mod selfplay;
pub mod status;
#[cfg(feature = "torch")]
pub mod train;
pub mod usi;
#[cfg(feature = "fleet")]
pub mod worker;

use std::process::ExitCode;

use crate::cli::Command;

/// Does what was asked for.
///
/// # Errors
///
/// The command's; [`crate::exit::classify`] knows the code.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        #[cfg(feature = "torch")]
        Command::Train(args) => train::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Report(args) => report::run(&args),
        #[cfg(feature = "torch")]
        Command::Learn(args) => learn::run(&args),
        #[cfg(feature = "torch")]
        Command::Grow(args) => grow::run(&args),
        #[cfg(feature = "torch")]
        Command::Amend(args) => amend::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        #[cfg(feature = "fleet")]
        Command::Worker(args) => worker::run(&args),
        #[cfg(feature = "fleet")]
        Command::Fleet(args) => self::fleet::run(&args),
        Command::Arena(args) => arena::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Usi(args) => usi::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Position(args) => position::run(&args),
        Command::Mate(args) => mate::run(&args),
        Command::Perft(args) => perft::run(&args),
    }
}
