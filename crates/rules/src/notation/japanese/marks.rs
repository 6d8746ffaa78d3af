//! The marks by which KI2 tells pieces apart that can move to the same square.

use std::fmt;

use crate::{Bitboard, Color, PieceKind, Square};

/// How the piece moves, seen by the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Motion {
    /// 上 (行 and 入 in old texts).
    Forward,
    /// 寄.
    Sideways,
    /// 引 (also written 下).
    Backward,
}

/// Where the piece comes from, seen by the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    /// 左.
    Left,
    /// 右.
    Right,
    /// 直: straight from behind.
    Behind,
}

/// The marks of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks {
    from: Option<From>,
    motion: Option<Motion>,
}

impl Marks {
    pub(super) fn is_empty(self) -> bool {
        self == Marks::default()
    }

    /// Takes one more mark; false if the character is none, or contradicts one that is there.
    pub(super) fn add(&mut self, mark: char) -> bool {
        let from = match mark {
            '左' => Some(From::Left),
            '右' => Some(From::Right),
            '直' => Some(From::Behind),
            _ => None,
        };
        let motion = match mark {
            '上' | '行' | '入' => Some(Motion::Forward),
            '寄' => Some(Motion::Sideways),
            '引' | '下' => Some(Motion::Backward),
            _ => None,
        };
        let agrees = (from.is_some() && (self.from.is_none() || self.from == from))
            || (motion.is_some() && (self.motion.is_none() || self.motion == motion));
        if agrees {
            self.from = from.or(self.from);
            self.motion = motion.or(self.motion);
        }
        agrees
    }

    /// The marks that the association's rules give the piece on `from`: none if it is alone,
    /// otherwise the first of movement, straight, side, side and movement that fits no other
    /// candidate. `None` if nothing tells it apart (more than two dragons, say), or if it is not
    /// among the candidates.
    pub(super) fn telling(
        color: Color,
        kind: PieceKind,
        from: Square,
        to: Square,
        candidates: Bitboard,
    ) -> Option<Marks> {
        if !candidates.contains(from) {
            return None;
        }
        if !candidates.has_several() {
            return Some(Marks::default());
        }
        let motion = Some(motion(color, from, to));
        let marks = |from, motion| Marks { from, motion };
        let straight = (!is_major(kind)).then_some(marks(Some(From::Behind), None));
        [
            Some(marks(None, motion)),
            straight,
            Some(marks(Some(From::Left), None)),
            Some(marks(Some(From::Right), None)),
            Some(marks(Some(From::Left), motion)),
            Some(marks(Some(From::Right), motion)),
        ]
        .into_iter()
        .flatten()
        .find(|marks| {
            let mut fitting = candidates.filter(|&c| marks.fit(color, kind, c, to, candidates));
            fitting.next() == Some(from) && fitting.next().is_none()
        })
    }

    /// Whether the marks fit the piece on `from`, one of `candidates`.
    pub(super) fn fit(
        self,
        color: Color,
        kind: PieceKind,
        from: Square,
        to: Square,
        candidates: Bitboard,
    ) -> bool {
        let moves_so = |piece| {
            self.motion
                .is_none_or(|wanted| motion(color, piece, to) == wanted)
        };
        let from_fits = match self.from {
            None => true,
            Some(From::Behind) => {
                from.file() == to.file() && motion(color, from, to) == Motion::Forward
            }
            wanted if is_major(kind) => {
                let others = candidates & !Bitboard::of(from);
                let alike: Bitboard = others.filter(|&other| moves_so(other)).collect();
                let rivals = if alike.is_empty() { others } else { alike };
                match side_among(color, from, rivals) {
                    // Superfluous; which side it could be is not clear.
                    None if others.is_empty() => {
                        side_of(color, from, to).is_none_or(|side| Some(side) == wanted)
                    }
                    side => side == wanted,
                }
            }
            wanted => side_of(color, from, to) == wanted,
        };
        from_fits && moves_so(from)
    }
}

impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.from {
            None => "",
            Some(From::Left) => "左",
            Some(From::Right) => "右",
            Some(From::Behind) => "直",
        })?;
        f.write_str(match self.motion {
            None => "",
            Some(Motion::Forward) => "上",
            Some(Motion::Sideways) => "寄",
            Some(Motion::Backward) => "引",
        })
    }
}

/// Rooks, bishops, dragons and horses: left and right are of each other, not of the destination.
fn is_major(kind: PieceKind) -> bool {
    matches!(kind.unpromoted(), PieceKind::Rook | PieceKind::Bishop)
}

fn motion(color: Color, from: Square, to: Square) -> Motion {
    match from.rank_for(color).cmp(&to.rank_for(color)) {
        std::cmp::Ordering::Greater => Motion::Forward,
        std::cmp::Ordering::Equal => Motion::Sideways,
        std::cmp::Ordering::Less => Motion::Backward,
    }
}

/// How far to the player's left a square lies.
fn leftness(color: Color, square: Square) -> u8 {
    match color {
        Color::Black => square.file(),
        Color::White => 10 - square.file(),
    }
}

/// On which side of the destination the piece stands; `None` on the same file.
fn side_of(color: Color, from: Square, to: Square) -> Option<From> {
    match leftness(color, from).cmp(&leftness(color, to)) {
        std::cmp::Ordering::Greater => Some(From::Left),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(From::Right),
    }
}

/// Whether the piece stands left or right of all rivals; `None` if it has none.
fn side_among(color: Color, from: Square, rivals: Bitboard) -> Option<From> {
    if rivals.is_empty() {
        return None;
    }
    [From::Left, From::Right].into_iter().find(|&side| {
        let mut rivals = rivals;
        rivals.all(|rival| side_of(color, from, rival) == Some(side))
    })
}
