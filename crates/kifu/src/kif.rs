//! KIF and KI2 records (柿木将棋), which share headers, diagrams, remarks and variations.

mod endings;
mod head;
mod line;
mod ply;
mod read;
mod write;

pub(crate) use read::KifGames;
pub(crate) use write::{write_ki2, write_kif};
