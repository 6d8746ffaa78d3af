//! Runs the real `narikin` binary, as a user or a script would.

#![expect(
    unreachable_pub,
    reason = "in a program, pub only says: for the other modules"
)]
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests may be blunt"
)]

mod arena;
mod convert;
mod exit_codes;
mod export;
mod help;
mod inspect;
mod mate;
mod perft;
mod play;
mod position;
mod program;
mod rate;
mod rule_cases;
mod selfplay;
#[cfg(feature = "torch")]
mod train;
mod usi;
