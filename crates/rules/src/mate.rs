//! Mates: in one, in three, and of any length.

mod assess;
mod counts;
mod defence;
mod expand;
mod frame;
mod hands;
mod keys;
mod line;
mod one;
mod search;
mod solver;
mod table;
mod three;
mod value;
mod walk;

#[cfg(test)]
mod testing;

pub use line::MateLine;
pub use solver::{Answer, Solver, SolverOptions};
pub use three::ShortMate;

#[cfg(test)]
mod tests;
