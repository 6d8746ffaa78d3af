//! Moves, their USI notation, and the list that generation fills.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use crate::{PieceKind, Square};

/// A move of a piece on the board, or a drop. It does not know the piece that moves on the board.
///
/// Bits 0-6 the destination, 7-13 the origin (for a drop 81 + the kind's index), 14 promotion: the
/// numbers of dlshogi's and Apery's 16-bit moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

/// Where the moved piece comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Square(Square),
    Hand(PieceKind),
}

const PROMOTE: u16 = 1 << 14;
const FIRST_DROP: u16 = 81;

impl Move {
    /// A move from one square of the board to another.
    #[inline]
    pub const fn board(from: Square, to: Square, promote: bool) -> Move {
        let promotion = if promote { PROMOTE } else { 0 };
        Move(to.index() as u16 | (from.index() as u16) << 7 | promotion)
    }

    /// A drop of a piece in hand.
    ///
    /// # Panics
    ///
    /// If `kind` cannot be in hand.
    #[inline]
    pub const fn drop(kind: PieceKind, to: Square) -> Move {
        assert!(
            kind.index() < 7,
            "only an unpromoted piece other than a king is dropped"
        );
        Move(to.index() as u16 | (FIRST_DROP + kind.index() as u16) << 7)
    }

    /// Where the piece arrives.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 & 0x7f) as usize)
    }

    /// Where the piece comes from; `None` for a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        Square::new((self.0 >> 7 & 0x7f) as u8)
    }

    /// What is dropped; `None` for a move on the board.
    #[inline]
    pub const fn drop_kind(self) -> Option<PieceKind> {
        let from = self.0 >> 7 & 0x7f;
        if from < FIRST_DROP {
            None
        } else {
            Some(PieceKind::HAND[(from - FIRST_DROP) as usize])
        }
    }

    /// The origin, or for a drop the index of its kind, 0..7.
    #[inline]
    pub(crate) const fn origin_or_slot(self) -> Result<Square, usize> {
        let from = self.0 >> 7 & 0x7f;
        if from < FIRST_DROP {
            Ok(Square::from_index(from as usize))
        } else {
            Err((from - FIRST_DROP) as usize)
        }
    }

    /// [`Move::from`] and [`Move::drop_kind`] in one.
    #[inline]
    pub(crate) const fn origin(self) -> Origin {
        let from = self.0 >> 7 & 0x7f;
        if from < FIRST_DROP {
            Origin::Square(Square::from_index(from as usize))
        } else {
            Origin::Hand(PieceKind::from_hand_slot((from - FIRST_DROP) as usize))
        }
    }

    /// Whether this is a drop.
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.0 >> 7 & 0x7f >= FIRST_DROP
    }

    /// Whether the piece promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0 & PROMOTE != 0
    }

    /// The move as a number, see [`Move`].
    #[inline]
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// The move with this number; `None` if it names no square, no kind, or a promoting drop.
    pub const fn from_raw(raw: u16) -> Option<Move> {
        let (to, from) = (raw & 0x7f, raw >> 7 & 0x7f);
        let is_board = from < FIRST_DROP && from != to;
        let is_drop = from >= FIRST_DROP && from < FIRST_DROP + 7 && raw & PROMOTE == 0;
        if raw >> 15 == 0 && to < 81 && (is_board || is_drop) {
            Some(Move(raw))
        } else {
            None
        }
    }

    /// The same move with left and right exchanged.
    pub const fn mirrored(self) -> Move {
        let to = self.to().mirrored();
        match self.from() {
            Some(from) => Move::board(from.mirrored(), to, self.is_promotion()),
            None => self.with_destination(to),
        }
    }

    /// The same move with the board turned by 180 degrees, as the other player sees it.
    pub const fn rotated(self) -> Move {
        let to = self.to().rotated();
        match self.from() {
            Some(from) => Move::board(from.rotated(), to, self.is_promotion()),
            None => self.with_destination(to),
        }
    }

    const fn with_destination(self, to: Square) -> Move {
        Move(self.0 & !0x7f | to.index() as u16)
    }
}

impl fmt::Display for Move {
    /// As in USI: `7g7f`, `8h2b+`, `P*5e`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from(), self.drop_kind()) {
            (Some(from), _) => {
                write!(
                    f,
                    "{from}{}{}",
                    self.to(),
                    if self.is_promotion() { "+" } else { "" }
                )
            }
            (None, Some(kind)) => write!(f, "{}*{}", kind.letter(), self.to()),
            (None, None) => unreachable!("a move has an origin or a dropped kind"),
        }
    }
}

/// A text that is not a USI move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseMoveError(String);

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "move {:?}: expected USI notation such as 7g7f, 8h2b+ or P*5e",
            self.0
        )
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        parse_usi(text).ok_or_else(|| ParseMoveError(text.to_owned()))
    }
}

fn parse_usi(text: &str) -> Option<Move> {
    if !text.is_ascii() || text.len() < 4 {
        return None;
    }
    let (start, rest) = text.split_at(2);
    let (to, suffix) = rest.split_at(2);
    let to: Square = to.parse().ok()?;
    if let [letter, b'*'] = start.as_bytes() {
        let kind = PieceKind::from_letter(char::from(*letter))?;
        return (kind != PieceKind::King && suffix.is_empty()).then(|| Move::drop(kind, to));
    }
    let from: Square = start.parse().ok()?;
    let promote = match suffix {
        "" => false,
        "+" => true,
        _ => return None,
    };
    (from != to).then(|| Move::board(from, to, promote))
}

/// More than any position has: the largest known number of legal moves with a full set is 593; the
/// odd sets that the SFEN reader accepts add less than 400.
pub const MAX_MOVES: usize = 1024;

/// Room behind the last move for a block of drops that is written as a whole.
const BLOCK: usize = 8;

/// The moves of one position, without allocation.
///
/// Making one clears two kibibytes: where speed counts, make it once and let
/// [`Position::legal_moves_into`](crate::Position::legal_moves_into) fill it anew.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES + BLOCK],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList {
            moves: [Move(0); MAX_MOVES + BLOCK],
            len: 0,
        }
    }

    /// Takes all moves out.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, mv: Move) {
        debug_assert!(self.len < MAX_MOVES);
        // The mask says to the compiler what `MAX_MOVES` promises.
        self.moves[self.len & (MAX_MOVES - 1)] = mv;
        self.len += 1;
    }

    /// Pushes one drop of each kind in `drops` to `to`.
    #[inline(always)]
    pub(crate) fn push_drops(&mut self, drops: &DropKinds, to: Square) {
        debug_assert!(self.len + drops.n <= MAX_MOVES);
        let start = self.len & (MAX_MOVES - 1);
        let slots = &mut self.moves[start..start + BLOCK];
        for (slot, origin) in slots.iter_mut().zip(drops.origins) {
            *slot = Move(origin + to.index() as u16);
        }
        self.len += drops.n;
    }

    /// The moves as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

/// The kinds that may be dropped on one square: their moves to square 0, the first `n` of them valid.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DropKinds {
    origins: [u16; BLOCK],
    n: usize,
}

impl DropKinds {
    #[inline(always)]
    pub(crate) fn add(&mut self, kind: PieceKind) {
        self.origins[self.n & (BLOCK - 1)] = (FIRST_DROP + kind.index() as u16) << 7;
        self.n += 1;
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.n == 0
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.iter().map(ToString::to_string))
            .finish()
    }
}

#[cfg(test)]
mod tests;
