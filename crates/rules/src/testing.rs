//! Random numbers and random games for tests.

use crate::{MoveList, Position};

/// A fixed stream of pseudo-random numbers (Knuth's linear congruence, upper bits).
pub(crate) struct Stream(pub(crate) u64);

impl Stream {
    /// The next number, in `0..n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// One of the items.
    pub(crate) fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Calls `check` with the positions of random games from `start`, `positions` in all, with at most
/// 300 plies a game.
pub(crate) fn walk(
    start: &Position,
    positions: u32,
    seed: u64,
    mut check: impl FnMut(&Position, &MoveList),
) {
    let mut stream = Stream(seed);
    let mut position = start.clone();
    for _ in 0..positions {
        let moves = position.legal_moves();
        check(&position, &moves);
        if moves.is_empty() || position.ply() > start.ply() + 300 {
            position = start.clone();
        } else {
            position.do_move(*stream.choose(&moves));
        }
    }
}
