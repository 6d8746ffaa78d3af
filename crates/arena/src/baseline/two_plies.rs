//! The player that looks at its move and the best answer, and counts pieces.

use rules::material::{promotion_gain, value_in_hand, value_on_board};
use rules::{Move, Position};

use super::highest;

/// More than all the pieces of the game are worth: a mate outweighs any material.
const MATE: i32 = 10_000;

/// The moves after which the mover is best off in material once the opponent has made its best
/// answer; all of them where several are equal. Empty if there is no legal move.
///
/// Only the first mate counts: an answer that mates is worse than any loss of pieces.
pub(super) fn best_after_answer(position: &Position, legal_moves: &[Move]) -> Vec<Move> {
    let mut after = position.clone();
    highest(legal_moves, |mv| {
        let undo = after.do_move(mv);
        let answer = best_answer(&after);
        after.undo_move(undo);
        swing(position, mv) - answer
    })
}

/// What the side to move gains at most by one move, in pawns; `MATE` if it can mate, `-MATE` if it
/// has no move.
fn best_answer(position: &Position) -> i32 {
    if position.mate_in_one().is_some() {
        return MATE;
    }
    let swings = position.legal_moves();
    let swings = swings.iter().map(|&mv| swing(position, mv));
    swings.max().unwrap_or(-MATE)
}

/// By how much `mv` changes the difference of both sides' material in the mover's favour, in
/// pawns: what the opponent loses (a promoted minor piece counts as a gold, promoted bishop and
/// rook 2 more), what the mover gets into its hand, and what a promotion adds.
fn swing(position: &Position, mv: Move) -> i32 {
    let captured = position.piece_at(mv.to()).map_or(0, |piece| {
        value_on_board(piece.kind) + value_in_hand(piece.kind)
    });
    (captured + promotion_gain(position, mv)) as i32
}

#[cfg(test)]
mod tests;
