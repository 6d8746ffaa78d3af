//! Counting move sequences, the usual check of a move generator.

use crate::{Move, Position};

/// The number of legal move sequences of `depth` plies (the last ply is counted, not played).
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => {
            let moves = position.legal_moves();
            let mut nodes = 0;
            for &mv in &moves {
                let undo = position.do_move(mv);
                nodes += perft(position, depth - 1);
                position.undo_move(undo);
            }
            nodes
        }
    }
}

/// [`perft`] of `depth`, split by the first move; empty at depth 0.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let mut counts = Vec::with_capacity(moves.len());
    for &mv in &moves {
        let undo = position.do_move(mv);
        counts.push((mv, perft(position, depth - 1)));
        position.undo_move(undo);
    }
    counts
}
