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

#[cfg(feature = "torch")]
mod amend;
mod arena;
#[cfg(feature = "torch")]
mod bench;
mod convert;
mod exit_codes;
mod export;
#[cfg(feature = "torch")]
mod faults;
#[cfg(feature = "torch")]
mod fleet;
#[cfg(feature = "torch")]
mod fleet_kill;
#[cfg(feature = "torch")]
mod fleet_rate;
#[cfg(feature = "torch")]
mod from;
#[cfg(feature = "torch")]
mod grow;
mod help;
mod inspect;
#[cfg(feature = "torch")]
mod kill;
#[cfg(feature = "torch")]
mod learn;
mod mate;
#[cfg(feature = "torch")]
mod memory;
#[cfg(feature = "torch")]
mod nats;
mod perft;
mod play;
mod position;
mod program;
mod rate;
mod rule_cases;
#[cfg(feature = "torch")]
mod same_run;
mod selfplay;
#[cfg(feature = "torch")]
mod train;
#[cfg(feature = "torch")]
mod trouble;
mod usi;
