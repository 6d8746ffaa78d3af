//! Mate in one.

use crate::movegen::check_squares;
use crate::{Bitboard, Move, MoveList, PieceKind, Position};

impl Position {
    /// A move that mates at once, if there is one. Works in check as well.
    ///
    /// A pawn drop never mates (it would be illegal), and a mating move never repeats a position:
    /// the game would have ended at its first occurrence.
    pub fn mate_in_one(&self) -> Option<Move> {
        self.mate_in_one_among(&self.legal_moves())
    }

    /// [`Position::mate_in_one`] for a caller that has the legal moves already.
    pub fn mate_in_one_among(&self, legal_moves: &MoveList) -> Option<Move> {
        let us = self.side_to_move();
        let king = self.king(us.flipped())?;
        let squares = check_squares(us, king, self.occupied());
        // Own pieces whose leaving could open a line to the king.
        let own = self.occupied_by(us);
        let screens = self.sliders_to(king, us, Bitboard::EMPTY);
        let may_discover = screens.fold(Bitboard::EMPTY, |set, slider| {
            set | crate::between(king, slider) & own
        });
        let mut after: Option<Position> = None;
        for &mv in legal_moves {
            if !self.may_check(mv, &squares, may_discover) || !self.gives_check(mv) {
                continue;
            }
            let position = after.get_or_insert_with(|| self.clone());
            let undo = position.do_move(mv);
            let mates = !position.has_legal_move();
            position.undo_move(undo);
            if mates {
                return Some(mv);
            }
        }
        None
    }

    /// A cheap test that all checking moves pass, and few others.
    #[inline]
    fn may_check(&self, mv: Move, squares: &[Bitboard; 14], may_discover: Bitboard) -> bool {
        let kind = match (mv.from(), mv.drop_kind()) {
            (_, Some(PieceKind::Pawn)) => return false,
            (_, Some(kind)) => kind,
            (Some(from), None) => {
                if may_discover.contains(from) {
                    return true;
                }
                let Some(piece) = self.piece_at(from) else {
                    return false;
                };
                match piece.kind.promoted() {
                    Some(promoted) if mv.is_promotion() => promoted,
                    _ => piece.kind,
                }
            }
            (None, None) => return false,
        };
        squares[kind.index()].contains(mv.to())
    }
}
