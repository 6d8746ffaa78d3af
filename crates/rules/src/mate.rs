//! Mates: in one, in three, and of any length.

mod one;
mod three;

#[cfg(test)]
mod testing;

use crate::{MoveList, Position};

pub use three::ShortMate;

/// The legal moves that give check.
fn checking_moves(position: &Position) -> MoveList {
    let mut checks = MoveList::new();
    for &mv in &position.legal_moves() {
        if position.gives_check(mv) {
            checks.push(mv);
        }
    }
    checks
}
