//! What pieces are traditionally worth, in pawns. No rule of the game: a measure that players without a
//! search have in common.

use crate::{Move, PieceKind, Position};

/// What a piece is worth in hand, where a promoted one is none any more: pawn 1, lance 5, knight 6,
/// silver 8, gold 9, bishop 13, rook 15, as in most beginners' books; 0 for the king.
pub fn value_in_hand(kind: PieceKind) -> u32 {
    match kind.unpromoted() {
        PieceKind::Pawn => 1,
        PieceKind::Lance => 5,
        PieceKind::Knight => 6,
        PieceKind::Silver => 8,
        PieceKind::Gold => 9,
        PieceKind::Bishop => 13,
        PieceKind::Rook => 15,
        _ => 0,
    }
}

/// What a piece is worth on the board: a promoted minor piece is a gold, promoted bishop and rook are
/// worth 2 more; 0 for the king.
pub fn value_on_board(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Horse | PieceKind::Dragon => value_in_hand(kind) + 2,
        kind if kind.unpromoted() != kind => value_in_hand(PieceKind::Gold),
        kind => value_in_hand(kind),
    }
}

/// What a piece gains by being promoted with `mv`; 0 for a move that does not promote.
pub fn promotion_gain(position: &Position, mv: Move) -> u32 {
    let moved = mv.from().and_then(|from| position.piece_at(from));
    let promoted = moved.and_then(|piece| piece.kind.promoted());
    match (moved, promoted) {
        (Some(piece), Some(promoted)) if mv.is_promotion() => {
            value_on_board(promoted) - value_on_board(piece.kind)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
