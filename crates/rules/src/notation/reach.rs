//! Which piece a text means that does not name the origin.

use super::NotationProblem;
use crate::movegen::immobile;
use crate::{Bitboard, Move, PieceKind, Position, Square};

/// What a text says about a move, origin left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    /// The piece before the move.
    pub(super) kind: PieceKind,
    /// The destination.
    pub(super) to: Square,
    /// Whether it promotes; `None` if the text says neither.
    pub(super) promotion: Option<bool>,
}

impl Named {
    /// The move from `from`. Without a mark it promotes only if the piece could not move again
    /// otherwise.
    pub(super) fn board_move(&self, position: &Position, from: Square) -> Move {
        let must = self.kind.promoted().is_some()
            && immobile(self.kind, position.side_to_move()).contains(self.to);
        Move::board(from, self.to, self.promotion.unwrap_or(must))
    }

    /// The drop.
    pub(super) fn drop_move(&self) -> Result<Move, NotationProblem> {
        if !PieceKind::HAND.contains(&self.kind) {
            return Err(NotationProblem::NotDroppable(self.kind));
        }
        if self.promotion.is_some() {
            return Err(NotationProblem::DropFromBoard);
        }
        Ok(Move::drop(self.kind, self.to))
    }

    /// The move from the square that the text names: own piece of that kind there, and it can
    /// promote if it is said to.
    pub(super) fn move_from(
        &self,
        position: &Position,
        from: Square,
    ) -> Result<Move, NotationProblem> {
        if from == self.to {
            return Err(NotationProblem::StandsStill(from));
        }
        let found = own_piece(position, from)?;
        if found != self.kind {
            return Err(NotationProblem::OtherPiece {
                square: from,
                found,
                expected: self.kind,
            });
        }
        self.check_promotion()?;
        Ok(self.board_move(position, from))
    }

    /// The move from the only piece that fits: among those that can reach the square and pass
    /// `fits`, the one whose move is legal, or the only one at all. A drop if no piece on the board
    /// fits and one is in hand; never if `fits` is there.
    pub(super) fn find(
        &self,
        position: &Position,
        fits: Option<&dyn Fn(Square) -> bool>,
    ) -> Result<Move, NotationProblem> {
        let Named { kind, to, .. } = *self;
        let reach = reach(position, kind, to);
        let fitting: Vec<Square> = reach
            .filter(|&from| fits.is_none_or(|fits| fits(from)))
            .collect();
        let legal: Vec<Square> = fitting
            .iter()
            .copied()
            .filter(|&from| position.is_legal(self.board_move(position, from)))
            .collect();
        let may_drop = fits.is_none()
            && self.promotion.is_none()
            && position.hand(position.side_to_move()).count(kind) > 0;
        match (legal.as_slice(), fitting.as_slice()) {
            (&[from], _) => self.move_from(position, from),
            ([], []) if may_drop => self.drop_move(),
            ([], _) if may_drop && position.is_legal(Move::drop(kind, to)) => self.drop_move(),
            ([], &[from]) => self.move_from(position, from),
            ([], []) if reach.is_empty() => Err(NotationProblem::NoMover { kind, to }),
            ([], []) => Err(NotationProblem::NoneFits {
                kind,
                to,
                candidates: reach.collect(),
            }),
            ([], several) | (several, _) => Err(NotationProblem::Ambiguous {
                kind,
                to,
                candidates: several.to_vec(),
            }),
        }
    }

    fn check_promotion(&self) -> Result<(), NotationProblem> {
        match self.promotion {
            Some(true) if self.kind.promoted().is_none() => {
                Err(NotationProblem::NoPromotion { kind: self.kind })
            }
            _ => Ok(()),
        }
    }
}

/// The pieces of the side to move of this kind that can reach `to`, pins and checks aside: what
/// marks are written for, since not every reader looks at pins.
pub(super) fn reach(position: &Position, kind: PieceKind, to: Square) -> Bitboard {
    let us = position.side_to_move();
    position.attackers_to(to, us) & position.pieces(us, kind)
}

/// The kind of the own piece on `from`.
pub(super) fn own_piece(position: &Position, from: Square) -> Result<PieceKind, NotationProblem> {
    match position.piece_at(from) {
        None => Err(NotationProblem::EmptyOrigin(from)),
        Some(piece) if piece.color != position.side_to_move() => {
            Err(NotationProblem::OpponentsPiece {
                square: from,
                found: piece,
            })
        }
        Some(piece) => Ok(piece.kind),
    }
}

/// Whether a move on the board ends or begins in the promotion zone with a piece that can promote.
pub(super) fn may_promote(position: &Position, kind: PieceKind, from: Square, to: Square) -> bool {
    let us = position.side_to_move();
    kind.promoted().is_some() && (from.in_zone(us) || to.in_zone(us))
}
