//! The `narikin` command: self-play reinforcement learning for shogi.
//!
//! [`cli`] is what was typed; `commands/NAME.rs` does one command each; [`exit`] says which code an
//! error gets. No algorithm lives in this crate: it reads files, starts threads, and shows results.

#![expect(
    unreachable_pub,
    reason = "in a program, pub only says: for the other modules"
)]
#![cfg_attr(
    not(feature = "torch"),
    expect(dead_code, reason = "only training needs all of it")
)]

#[cfg(feature = "torch")]
mod ahead;
mod allocator;
#[cfg(feature = "torch")]
mod amend;
mod anchors;
mod cli;
mod commands;
mod config;
mod contest;
mod exit;
mod given;
#[cfg(feature = "torch")]
mod grow;
mod health;
mod history;
mod interrupt;
mod journal;
#[cfg(feature = "torch")]
mod learn;
mod machine;
mod match_folder;
mod nets;
mod openings;
mod output;
mod playing;
mod pool;
mod probe;
mod report;
mod run_folder;
mod speed;
#[cfg(test)]
mod testing;
mod torch;
#[cfg(feature = "torch")]
mod train;
mod transcripts;
#[cfg(feature = "fleet")]
mod wire;
#[cfg(feature = "fleet")]
mod worker;

use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::run(cli::Cli::read().command) {
        Ok(code) => code,
        Err(error) => {
            let (code, message) = exit::classify(&error);
            if let Some(message) = message {
                report::terminal::note(&format!("error: {message}"));
            }
            ExitCode::from(code)
        }
    }
}
