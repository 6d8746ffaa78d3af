//! A move in 16 bits, in the ways of other programs.

use rules::{Move, PieceKind, Square};

/// Set in YaneuraOu's code when the move is a drop; in the other two when the piece promotes.
const BIT_14: u16 = 1 << 14;
/// Set in YaneuraOu's code when the piece promotes.
const BIT_15: u16 = 1 << 15;
/// YaneuraOu's words that are no moves: null move, resigning, declaring a win.
const YANEURAOU_WORDS: [u16; 3] = [129, 258, 387];
/// A drop's origin in [`MoveCode::Shifted`] is this plus the kind's index.
const SHIFTED_FIRST_DROP: u16 = 82;

/// One of the ways of writing a move as 16 bits. All have the destination in bits 0-6, and for a
/// move on the board the origin in bits 7-13, both as [`Square::index`], not turned for White; 0 is
/// no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveCode {
    /// Of Apery, dlshogi and cshogi: the origin of a drop is 81 plus the kind's index, bit 14 is
    /// promotion. The same numbers as [`Move::raw`].
    Apery,
    /// Of YaneuraOu: bit 14 is a drop, whose origin is the kind's index plus 1; bit 15 is promotion.
    YaneuraOu,
    /// As [`Apery`](Self::Apery), with drops counted from 82: some programs write that into `.psv`
    /// files. Read only.
    Shifted,
}

impl MoveCode {
    /// All codes, the usual one of `.psv` files first.
    pub const ALL: [MoveCode; 3] = [MoveCode::YaneuraOu, MoveCode::Apery, MoveCode::Shifted];

    /// The move's number; 0 for none.
    pub fn write(self, mv: Option<Move>) -> u16 {
        let Some(mv) = mv else { return 0 };
        match (self, mv.drop_kind()) {
            (Self::Apery, _) | (Self::Shifted, None) => mv.raw(),
            (Self::Shifted, Some(_)) => mv.raw() + (1 << 7),
            (Self::YaneuraOu, None) => {
                let promotion = if mv.is_promotion() { BIT_15 } else { 0 };
                mv.raw() & !BIT_14 | promotion
            }
            (Self::YaneuraOu, Some(kind)) => {
                mv.to().index() as u16 | (kind.index() as u16 + 1) << 7 | BIT_14
            }
        }
    }

    /// The move with this number: `Some(None)` for a word that says that there is none, `None` for
    /// a number without a meaning. Whether the move is legal is not looked at.
    pub fn read(self, raw: u16) -> Option<Option<Move>> {
        if raw == 0 {
            return Some(None);
        }
        match self {
            Self::Apery => Move::from_raw(raw).map(Some),
            Self::Shifted => match raw >> 7 & 0x7f {
                origin if origin < SHIFTED_FIRST_DROP => {
                    Move::from_raw(raw).filter(|mv| !mv.is_drop()).map(Some)
                }
                _ => Move::from_raw(raw - (1 << 7)).map(Some),
            },
            Self::YaneuraOu if YANEURAOU_WORDS.contains(&raw) => Some(None),
            Self::YaneuraOu => yaneuraou_move(raw).map(Some),
        }
    }
}

fn yaneuraou_move(raw: u16) -> Option<Move> {
    let to = Square::new((raw & 0x7f) as u8)?;
    let origin = raw >> 7 & 0x7f;
    let promotes = raw & BIT_15 != 0;
    if raw & BIT_14 != 0 {
        let kind = PieceKind::HAND.get(usize::from(origin).checked_sub(1)?)?;
        return (!promotes).then(|| Move::drop(*kind, to));
    }
    let from = Square::new(origin as u8)?;
    (from != to).then(|| Move::board(from, to, promotes))
}

#[cfg(test)]
mod tests;
