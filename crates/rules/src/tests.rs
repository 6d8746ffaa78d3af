//! Tests of the crate as a whole.

mod allocations;
mod cshogi;
mod random_games;
mod readers;
