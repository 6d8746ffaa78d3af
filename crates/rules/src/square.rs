//! Squares of the board and their USI names.

use std::fmt;
use std::str::FromStr;

use crate::Color;

/// A square, numbered file by file: `9 * (file - 1) + (rank - 1)`, so 1a = 0, 1i = 8, 9i = 80.
///
/// ```
/// use rules::{Color, Square};
///
/// let square: Square = "7f".parse()?;
/// assert_eq!((square.file(), square.rank()), (7, 6));
/// assert_eq!(square.index(), 59);
/// assert_eq!(square.kanji(), "７六");
/// // From White's side it is the fourth rank, and outside Black's promotion zone.
/// assert_eq!(square.rank_for(Color::White), 4);
/// assert!(!square.in_zone(Color::Black));
/// # Ok::<(), rules::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// How many squares a board has.
    pub const COUNT: usize = 81;

    /// The square with this number; `None` from 81.
    #[inline]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 81 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square with a number that is known to be below 81.
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Square {
        debug_assert!(index < Square::COUNT);
        Square(index as u8)
    }

    /// The square on `file` 1..=9 (counted from Black's right) and `rank` 1..=9 (1 = a, the top).
    pub const fn from_file_rank(file: u8, rank: u8) -> Option<Square> {
        if file >= 1 && file <= 9 && rank >= 1 && rank <= 9 {
            Some(Square(9 * (file - 1) + rank - 1))
        } else {
            None
        }
    }

    /// 0..81.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The index as the compiler can see that it lies below 128: tables of that length need no bounds
    /// check.
    #[inline]
    pub(crate) const fn slot(self) -> usize {
        (self.0 & 0x7f) as usize
    }

    /// 1..=9, from Black's right to left.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 / 9 + 1
    }

    /// 1..=9, 1 = rank a, Black's far side.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// 1..=9 seen by `color`: 1 is the rank farthest from that player.
    #[inline]
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::Black => self.rank(),
            Color::White => 10 - self.rank(),
        }
    }

    /// Whether the square lies in the promotion zone (the three far ranks) of `color`.
    #[inline]
    pub const fn in_zone(self, color: Color) -> bool {
        self.rank_for(color) <= 3
    }

    /// The square after turning the board by 180 degrees.
    #[inline]
    pub const fn rotated(self) -> Square {
        Square(80 - self.0)
    }

    /// The square after exchanging left and right: file `f` becomes `10 - f`.
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square(9 * (8 - self.0 / 9) + self.0 % 9)
    }

    /// All squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..81).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), char::from(b'a' + self.rank() - 1))
    }
}

/// A text that is not a USI square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSquareError(String);

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "square {:?}: expected a file 1-9 and a rank a-i, as in 7g",
            self.0
        )
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let square = match text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => {
                Square::from_file_rank(file - b'0', rank - b'a' + 1)
            }
            _ => None,
        };
        square.ok_or_else(|| ParseSquareError(text.to_owned()))
    }
}
