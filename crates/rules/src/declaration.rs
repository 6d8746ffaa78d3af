//! Declaring a win with an entered king (入玉宣言法).

use crate::{Bitboard, Color, PieceKind, Position};

/// Which declaration rule a game is played under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeclarationRule {
    /// Nobody can declare.
    None,
    /// 27 points: Black needs 28, White 27 (CSA and amateur rules).
    #[default]
    Points27,
}

/// Pieces beside the king that must stand in the zone.
const PIECES_IN_ZONE: u32 = 10;

impl Position {
    /// The points that a declaration of `color` would count: its pieces in its far three ranks,
    /// without the king, and in hand; rook and bishop kinds 5 each, others 1.
    pub fn declaration_points(&self, color: Color) -> u32 {
        let counted = self.counted_in_zone(color);
        let big = [
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Horse,
            PieceKind::Dragon,
        ]
        .into_iter()
        .map(|kind| (counted & self.pieces(color, kind)).len())
        .sum::<u32>();
        let in_hand: u32 = self
            .hand(color)
            .iter()
            .map(|(kind, n)| match kind {
                PieceKind::Bishop | PieceKind::Rook => 5 * n,
                _ => n,
            })
            .sum();
        counted.len() + 4 * big + in_hand
    }

    /// Whether the side to move wins by declaring under `rule`: king in the far three ranks, not
    /// in check, ten other own pieces there, and 28 points for Black or 27 for White.
    pub fn can_declare(&self, rule: DeclarationRule) -> bool {
        let us = self.side_to_move();
        let needed = match (rule, us) {
            (DeclarationRule::None, _) => return false,
            (DeclarationRule::Points27, Color::Black) => 28,
            (DeclarationRule::Points27, Color::White) => 27,
        };
        self.king(us).is_some_and(|king| king.in_zone(us))
            && !self.in_check()
            && self.counted_in_zone(us).len() >= PIECES_IN_ZONE
            && self.declaration_points(us) >= needed
    }

    fn counted_in_zone(&self, color: Color) -> Bitboard {
        let zone = self.occupied_by(color) & Bitboard::zone(color);
        zone & !self.pieces(color, PieceKind::King)
    }
}
