//! Keys of positions: a fixed pseudo-random number per piece on a square, hand count and side.

use crate::{Color, PieceKind, Square};

const MAX_IN_HAND: usize = 18;

static BOARD: [[[u64; 81]; 14]; 2] = board_table();
static HAND: [[[u64; MAX_IN_HAND + 1]; 7]; 2] = hand_table();
/// Xored in when White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = splitmix(0x6e61_7269_6b69_6e00);

/// One output of splitmix64 (Steele, Lea, Flood 2014).
const fn splitmix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn board_table() -> [[[u64; 81]; 14]; 2] {
    let mut table = [[[0; 81]; 14]; 2];
    let mut n = 0;
    while n < 2 * 14 * 81 {
        table[n / (14 * 81)][n / 81 % 14][n % 81] = splitmix(0x0b0a_7d00 + n as u64);
        n += 1;
    }
    table
}

/// An empty hand counts nothing, so that the key of a board alone is the xor of its pieces.
const fn hand_table() -> [[[u64; MAX_IN_HAND + 1]; 7]; 2] {
    let mut table = [[[0; MAX_IN_HAND + 1]; 7]; 2];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 7 {
            let mut count = 1;
            while count <= MAX_IN_HAND {
                table[color][kind][count] =
                    splitmix(0x4a4d_0000 + (color * 1000 + kind * 100 + count) as u64);
                count += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
}

#[inline]
pub(crate) fn board(color: Color, kind: PieceKind, square: Square) -> u64 {
    BOARD[color.index()][kind.index()][square.index()]
}

/// # Panics
///
/// If `kind` cannot be in hand or `count` is above 18.
#[inline]
pub(crate) fn hand(color: Color, kind: PieceKind, count: u32) -> u64 {
    HAND[color.index()][kind.index()][count as usize]
}
