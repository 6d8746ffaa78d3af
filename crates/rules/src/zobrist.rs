//! Keys of positions: a fixed pseudo-random number per piece on a square, pair of hands and side.

use crate::piece::Cell;
use crate::{Hand, Square};

static BOARD: [u64; ROW * 31 + 128] = board_table();
/// Numbers per piece: a few more than squares, so that rows do not share cache sets.
const ROW: usize = 84;
/// Xored in when White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = splitmix(0x6e61_7269_6b69_6e00);

/// One output of splitmix64 (Steele, Lea, Flood 2014).
const fn splitmix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A row per [`Cell::piece_slot`]; as long as the largest slots need, so that no index is checked.
const fn board_table() -> [u64; ROW * 31 + 128] {
    let mut table = [0; ROW * 31 + 128];
    let mut n = 0;
    while n < 2 * 14 * 81 {
        let slot = n / (14 * 81) * 16 + n / 81 % 14;
        table[slot * ROW + n % 81] = splitmix(0x0b0a_7d00 + n as u64);
        n += 1;
    }
    table
}

#[inline]
pub(crate) fn board(cell: Cell, square: Square) -> u64 {
    BOARD[cell.piece_slot() * ROW + square.slot()]
}

/// The hands' part of a key. It is made when a key is asked for: doing a move then touches no table
/// of hands, and most positions of a search are asked once at most.
#[inline]
pub(crate) fn hands(hands: &[Hand; 2]) -> u64 {
    // Different odd steps keep equal hands of the two players apart.
    splitmix(hands[0].packed() ^ 0x0062_6c61_636b) ^ splitmix(!hands[1].packed())
}
