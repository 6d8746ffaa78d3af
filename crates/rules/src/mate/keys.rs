//! Keys of boards without hands: the hands are compared, not hashed.

use crate::piece::Cell;
use crate::zobrist;
use crate::{Color, Move, PieceKind, Position, Square};

/// The key of the board and the side to move.
pub(super) fn board_key(position: &Position) -> u64 {
    let side = match position.side_to_move() {
        Color::Black => 0,
        Color::White => zobrist::WHITE_TO_MOVE,
    };
    position.occupied().into_iter().fold(side, |key, square| {
        let piece = position
            .piece_at(square)
            .expect("an occupied square has a piece");
        key ^ piece_key(piece.color, piece.kind, square)
    })
}

/// [`board_key`] after a legal move, from the key before it.
#[inline]
pub(super) fn key_after(position: &Position, key: u64, mv: Move) -> u64 {
    let (us, to) = (position.side_to_move(), mv.to());
    let key = key ^ zobrist::WHITE_TO_MOVE;
    let Some(from) = mv.from() else {
        let kind = mv.drop_kind().expect("a move without origin is a drop");
        return key ^ piece_key(us, kind, to);
    };
    let kind = position
        .piece_at(from)
        .expect("a legal move moves a piece")
        .kind;
    let arrived = arrived_kind(kind, mv);
    let key = key ^ piece_key(us, kind, from) ^ piece_key(us, arrived, to);
    match position.piece_at(to) {
        Some(captured) => key ^ piece_key(captured.color, captured.kind, to),
        None => key,
    }
}

/// [`board_key`] after a piece of the side that is not to move goes from one empty-ended line to
/// another square, the side to move staying the same.
pub(super) fn key_with_moved(position: &Position, key: u64, mv: Move) -> u64 {
    let them = position.side_to_move().flipped();
    let from = mv.from().expect("a piece on the board moves");
    let kind = position
        .piece_at(from)
        .expect("a legal move moves a piece")
        .kind;
    key ^ piece_key(them, kind, from) ^ piece_key(them, arrived_kind(kind, mv), mv.to())
}

/// Spreads a number over all bits: the finisher of splitmix64 (Steele, Lea, Flood 2014).
#[inline]
pub(super) const fn mixed(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn arrived_kind(kind: PieceKind, mv: Move) -> PieceKind {
    if mv.is_promotion() {
        kind.promoted().expect("a legal promotion promotes")
    } else {
        kind
    }
}

#[inline]
fn piece_key(color: Color, kind: PieceKind, square: Square) -> u64 {
    zobrist::board(Cell::new(color, kind), square)
}

#[cfg(test)]
mod tests;
