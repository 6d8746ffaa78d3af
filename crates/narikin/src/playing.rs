//! Threads that play training games: what they are told, and what one of them does.
//!
//! The trainer's own threads and those of a worker elsewhere are the same; only who reads their games
//! differs.

pub mod orders;
pub mod worker;
