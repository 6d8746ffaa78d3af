//! Move labels: the index of a move among the network's 2,187 policy outputs.

use rules::{Color, Move, Square};

/// Number of policy outputs: 27 planes of 81 squares. Only 1,496 of them can occur.
pub const N_LABELS: usize = 27 * 81;

/// Planes of the ten ways to move on the board; the same ten again for promotions.
const DIRECTIONS: u16 = 10;
/// First of the seven drop planes.
const FIRST_DROP_PLANE: u16 = 20;

/// What each plane becomes when left and right are exchanged.
const MIRRORED_PLANES: [u16; 27] = [
    0, 2, 1, 4, 3, 5, 7, 6, 9, 8, // moves
    10, 12, 11, 14, 13, 15, 17, 16, 19, 18, // promotions
    20, 21, 22, 23, 24, 25, 26, // drops
];

/// The policy output that stands for a move: `81 * plane + to`, in `0..N_LABELS`, both seen by
/// the side to move (for White the board is turned by 180 degrees).
///
/// The plane is the direction of the movement (forward, forward-left, forward-right, left, right,
/// back, back-left, back-right, knight left, knight right; the same ten promoting) or the dropped
/// kind (pawn, lance, knight, silver, bishop, rook, gold). Left is towards file 9. Distance and
/// moved piece play no part; no position has two legal moves with one label. Source: dlshogi.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveLabel(u16);

impl MoveLabel {
    /// The label of `mv`, made by `side`.
    pub fn of(mv: Move, side: Color) -> Self {
        let to = seen_by(side, mv.to());
        let plane = match mv.from() {
            Some(from) => {
                let promotion = if mv.is_promotion() { DIRECTIONS } else { 0 };
                direction(seen_by(side, from), to) + promotion
            }
            None => {
                let kind = mv
                    .drop_kind()
                    .expect("a move without a from-square is a drop");
                FIRST_DROP_PLANE + kind.index() as u16
            }
        };
        Self(81 * plane + to.index() as u16)
    }

    /// The index among the policy outputs, in `0..N_LABELS`.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The index of the label, made by the opponent of the side that looks, among its outputs for
    /// replies: the plane is as the opponent sees the move, the square as the side that looks does.
    /// So both kinds of output find a square in one place.
    pub fn reply_index(self) -> usize {
        let (plane, square) = (self.index() / 81, self.index() % 81);
        81 * plane + (80 - square)
    }

    /// The label of the same move on a board whose left and right are exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let (plane, square) = (self.0 / 81, self.0 % 81);
        let (file, rank) = (square / 9, square % 9);
        Self(81 * MIRRORED_PLANES[usize::from(plane)] + 9 * (8 - file) + rank)
    }
}

fn seen_by(side: Color, square: Square) -> Square {
    match side {
        Color::Black => square,
        Color::White => square.rotated(),
    }
}

/// Plane of a movement as its mover sees it. The knight's two come first: they are the only
/// movements two ranks forward and one file aside.
fn direction(from: Square, to: Square) -> u16 {
    let forward = from.rank() as i8 - to.rank() as i8;
    let left = to.file() as i8 - from.file() as i8;
    match (forward, left) {
        (2, 1) => return 8,
        (2, -1) => return 9,
        _ => {}
    }
    match (forward.signum(), left.signum()) {
        (1, 0) => 0,
        (1, 1) => 1,
        (1, -1) => 2,
        (0, 1) => 3,
        (0, -1) => 4,
        (-1, 0) => 5,
        (-1, 1) => 6,
        (-1, -1) => 7,
        _ => unreachable!("a move on the board leaves its square"),
    }
}

#[cfg(test)]
mod tests;
