//! Plays games for training: openings, temperature, visit budget, mate endings, records out.
//!
//! [`SelfPlay`] holds many games and advances them in lockstep: each call of
//! [`SelfPlay::advance`] walks every tree down to a leaf and evaluates all leaves in one batch. It
//! is a plain value that somebody else drives: no thread, no clock, no file, no printing. Finished
//! games leave it as [`PlayEvent`]s.
//!
//! Every random choice of a game follows from the master seed and the game's number alone, so any
//! game can be played again from (seed, number, net, options), whatever other games ran beside it.
//! Two options, both off by default, look at earlier games: late starts (the start is in the
//! record), and resigning (only where the game stops, not how it is played).

mod memory;
mod opening;
mod options;
mod play;
mod resign;

pub use memory::PlayMemory;
pub use options::{SelfPlayOptions, Start};
pub use play::{GameIds, PlayError, PlayEvent, Replay, SearchTotals, SelfPlay, replay};
pub use resign::{ResignMemory, ResignOptions, ResignStats};
