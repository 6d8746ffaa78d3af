//! Sets of squares.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Color, Square};

/// A set of squares: bit `n` is the square with index `n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(crate) u128);

const ALL: u128 = (1 << 81) - 1;
const FIRST_RANK: u128 = {
    let mut bits = 0;
    let mut file = 0;
    while file < 9 {
        bits |= 1 << (9 * file);
        file += 1;
    }
    bits
};

/// Runs a body for each square of a set, in the order of their numbers.
///
/// Quicker than the iterator: each half of the set is walked as a plain word. A macro and no closure,
/// because compilers keep large closures out of line.
macro_rules! each_square {
    ($set:expr, $square:ident => $body:block) => {
        let [mut low, mut high] = $set.words();
        while low != 0 {
            let $square = Square::from_index(low.trailing_zeros() as usize);
            low &= low - 1;
            $body
        }
        while high != 0 {
            let $square = Square::from_index(64 + high.trailing_zeros() as usize);
            high &= high - 1;
            $body
        }
    };
}
pub(crate) use each_square;

/// `SINGLE[n]`: bit `n`; 128 long, so that [`Square::slot`] needs no bounds check.
static SINGLE: [u128; 128] = {
    let mut table = [0; 128];
    let mut n = 0;
    while n < 81 {
        table[n] = 1 << n;
        n += 1;
    }
    table
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 81 squares.
    pub const FULL: Bitboard = Bitboard(ALL);

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// [`Bitboard::of`] from a table: two loads instead of a wide shift.
    #[inline]
    pub(crate) fn single(square: Square) -> Bitboard {
        Bitboard(SINGLE[square.slot()])
    }

    #[inline(always)]
    pub(crate) const fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// All squares of the files on which the set has a square.
    #[inline]
    pub(crate) const fn whole_files(self) -> Bitboard {
        const LAST_RANK: u128 = FIRST_RANK << 8;
        // Within nine bits: the last one is set by the sum if one of the others was.
        let below = self.0 & !LAST_RANK;
        let hit = ((below + (LAST_RANK - FIRST_RANK)) | self.0) & LAST_RANK;
        Bitboard(hit | (hit - (hit >> 8)))
    }

    /// The set moved by one square: `files` to the left (towards file 9), `ranks` down (towards rank
    /// i), -1, 0 or 1 each. What would leave the board is dropped.
    #[inline(always)]
    pub(crate) const fn shifted(self, files: i32, ranks: i32) -> Bitboard {
        let stays = match ranks {
            1 => self.0 & !(FIRST_RANK << 8),
            -1 => self.0 & !FIRST_RANK,
            2 => self.0 & !(FIRST_RANK << 8 | FIRST_RANK << 7),
            -2 => self.0 & !(FIRST_RANK | FIRST_RANK << 1),
            _ => self.0,
        };
        let by = 9 * files + ranks;
        Bitboard(if by >= 0 {
            (stays << by) & ALL
        } else {
            stays >> -by
        })
    }

    /// The squares of a rank, 1..=9 seen by `color` (1 = farthest from that player).
    ///
    /// # Panics
    ///
    /// If `rank` is not in 1..=9.
    pub const fn rank_for(rank: u8, color: Color) -> Bitboard {
        assert!(rank >= 1 && rank <= 9);
        match color {
            Color::Black => Bitboard(FIRST_RANK << (rank - 1)),
            Color::White => Bitboard(FIRST_RANK << (9 - rank)),
        }
    }

    /// The promotion zone of `color`: its three far ranks.
    #[inline]
    pub const fn zone(color: Color) -> Bitboard {
        match color {
            Color::Black => Bitboard(FIRST_RANK * 0b111),
            Color::White => Bitboard((FIRST_RANK * 0b111) << 6),
        }
    }

    /// The squares of a file, 1..=9.
    ///
    /// # Panics
    ///
    /// If `file` is not in 1..=9.
    #[inline]
    pub const fn file(file: u8) -> Bitboard {
        assert!(file >= 1 && file <= 9);
        Bitboard(0x1ff << (9 * (file - 1)))
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        // One word is chosen: a shift of both would cost more.
        let index = square.index();
        let word = if index < 64 { self.0 } else { self.0 >> 64 };
        word as u64 >> (index & 63) & 1 != 0
    }

    /// How many squares the set has.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Square::new(self.0.trailing_zeros() as u8)
        }
    }

    /// The set as a number: bit `n` is the square with index `n`.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0.wrapping_sub(1);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    /// The squares that are not in the set.
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & ALL)
    }
}
