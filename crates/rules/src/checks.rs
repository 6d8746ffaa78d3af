//! From where the side to move gives check.

use crate::attacks::{
    between, bishop_attacks, lance_line, ray_through, rook_attacks, step_attacks,
};
use crate::{Bitboard, Color, PieceKind, Position, Square};

/// From where each kind would give check to the enemy king, and which own pieces stand in the way of
/// an own slider.
pub(crate) struct CheckSquares {
    king: Square,
    us: Color,
    bishop: Bitboard,
    rook: Bitboard,
    /// Own pieces that alone stand between an own slider and the enemy king.
    pub(crate) screens: Bitboard,
}

impl CheckSquares {
    /// `None` if the opponent has no king.
    pub(crate) fn of(position: &Position) -> Option<CheckSquares> {
        let us = position.side_to_move();
        let king = position.king(us.flipped())?;
        let occupied = position.occupied();
        let mut screens = Bitboard::EMPTY;
        for sniper in position.snipers_to(king, us) {
            let line = between(king, sniper) & occupied;
            if !line.has_several() {
                screens |= line & position.occupied_by(us);
            }
        }
        Some(CheckSquares {
            king,
            us,
            bishop: bishop_attacks(king, occupied),
            rook: rook_attacks(king, occupied),
            screens,
        })
    }

    /// From where a piece of `kind` gives check by itself.
    #[inline(always)]
    pub(crate) fn direct(&self, kind: PieceKind) -> Bitboard {
        let them = self.us.flipped();
        let steps = step_attacks(kind, them, self.king);
        match kind {
            PieceKind::Lance => self.rook & lance_line(them, self.king),
            PieceKind::Bishop => self.bishop,
            PieceKind::Rook => self.rook,
            PieceKind::Horse => self.bishop | steps,
            PieceKind::Dragon => self.rook | steps,
            _ => steps,
        }
    }

    /// Where a piece from `from` may go to uncover a slider's check: anywhere off the line, if it is
    /// a screen.
    #[inline(always)]
    pub(crate) fn discovered(&self, from: Square) -> Bitboard {
        if self.screens.contains(from) {
            !ray_through(self.king, from)
        } else {
            Bitboard::EMPTY
        }
    }
}
