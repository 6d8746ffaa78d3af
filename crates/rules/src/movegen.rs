//! Legal move generation: pins and checks first, so that no move is tried out.

use crate::attacks::step_attacks;
use crate::attacks::{attacks, between, bishop_attacks, lance_attacks, ray_through, rook_attacks};
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Position, Square};

/// The kinds that move as a gold does.
const GOLDS: [PieceKind; 5] = [
    PieceKind::Gold,
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::ProSilver,
];

/// What restricts the side to move.
struct Restrictions {
    /// Where a piece other than the king may arrive by a move on the board.
    targets: Bitboard,
    /// Where a piece may be dropped.
    drops: Bitboard,
    /// Own pieces that shield the king from a slider.
    pinned: Bitboard,
}

impl Position {
    /// All legal moves, including promotions that are declined without use. Moves on the board
    /// come first, then drops; the order is fixed but not sorted by merit.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(&mut |mv| {
            moves.push(mv);
            true
        });
        moves
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        !self.generate(&mut |_| false)
    }

    /// Whether `mv` is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        !self.generate(&mut |legal| legal != mv)
    }

    /// Whether the side to move is in check and has no legal move (詰み).
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Calls `visit` for each legal move until it returns false; says whether it never did.
    #[inline]
    fn generate(&self, visit: &mut impl FnMut(Move) -> bool) -> bool {
        if !self.king_moves(visit) {
            return false;
        }
        if self.checkers().has_several() {
            return true;
        }
        let restrictions = self.restrictions();
        self.board_moves(&restrictions, visit) && self.drop_moves(&restrictions, visit)
    }

    fn restrictions(&self) -> Restrictions {
        let us = self.side;
        let empty = !self.occupied();
        let mut targets = !self.occupied_by(us);
        let mut drops = empty;
        let Some(king) = self.king(us) else {
            return Restrictions {
                targets,
                drops,
                pinned: Bitboard::EMPTY,
            };
        };
        if let Some(checker) = self.checkers().first() {
            drops = between(king, checker);
            targets = drops | self.checkers();
        }
        Restrictions {
            targets,
            drops,
            pinned: self.shields(king, us),
        }
    }

    /// The pieces of `color` that alone stand between its king and an enemy slider.
    fn shields(&self, king: Square, color: Color) -> Bitboard {
        let them = color.flipped();
        let enemies = self.occupied_by(them);
        let snipers = self.sliders_to(king, them, enemies);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = between(king, sniper) & self.occupied_by(color);
            if !shield.has_several() {
                pinned |= shield;
            }
        }
        pinned
    }

    #[inline]
    fn king_moves(&self, visit: &mut impl FnMut(Move) -> bool) -> bool {
        let us = self.side;
        let Some(king) = self.king(us) else {
            return true;
        };
        let without_king = self.occupied() & !Bitboard::of(king);
        for to in step_attacks(PieceKind::King, us, king) & !self.occupied_by(us) {
            if self
                .attackers_with(to, us.flipped(), without_king)
                .is_empty()
                && !visit(Move::board(king, to, false))
            {
                return false;
            }
        }
        true
    }

    #[inline]
    fn board_moves(
        &self,
        restrictions: &Restrictions,
        visit: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        let us = self.side;
        let occupied = self.occupied();
        for kind in PieceKind::ALL {
            if kind == PieceKind::King {
                continue;
            }
            for from in self.pieces(us, kind) {
                let mut to_squares = attacks(kind, us, from, occupied) & restrictions.targets;
                if restrictions.pinned.contains(from) {
                    let king = self.king(us).expect("only a king makes a pin");
                    to_squares &= ray_through(king, from);
                }
                if !visit_moves(kind, us, from, to_squares, visit) {
                    return false;
                }
            }
        }
        true
    }

    #[inline]
    fn drop_moves(
        &self,
        restrictions: &Restrictions,
        visit: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        let us = self.side;
        if restrictions.drops.is_empty() || self.hand(us).is_empty() {
            return true;
        }
        for (kind, _) in self.hand(us).iter() {
            let mut to_squares = restrictions.drops & !immobile(kind, us);
            if kind == PieceKind::Pawn {
                to_squares &= !self.pawn_files(us);
                if let Some(head) = self.pawn_check_square(us)
                    && to_squares.contains(head)
                    && self.pawn_drop_mates(head)
                {
                    to_squares &= !Bitboard::of(head);
                }
            }
            for to in to_squares {
                if !visit(Move::drop(kind, to)) {
                    return false;
                }
            }
        }
        true
    }

    /// The files on which `color` has an unpromoted pawn: another may not be dropped there
    /// (二歩 nifu).
    fn pawn_files(&self, color: Color) -> Bitboard {
        self.pieces(color, PieceKind::Pawn)
            .fold(Bitboard::EMPTY, |files, pawn| {
                files | Bitboard::file(pawn.file())
            })
    }

    /// Where a pawn of `color` would give check.
    fn pawn_check_square(&self, color: Color) -> Option<Square> {
        let king = self.king(color.flipped())?;
        step_attacks(PieceKind::Pawn, color.flipped(), king).first()
    }

    /// Whether a pawn of the side to move dropped on `head`, right before the enemy king, would
    /// mate (打ち歩詰め uchifuzume: forbidden).
    ///
    /// Nothing can be interposed, so the defender must take the pawn or step away.
    fn pawn_drop_mates(&self, head: Square) -> bool {
        let us = self.side;
        let them = us.flipped();
        let king = self.king(them).expect("a pawn drop gives check to a king");
        let occupied = self.occupied() | Bitboard::of(head);
        let takers = self.attackers_with(head, them, occupied) & !Bitboard::of(king);
        for taker in takers {
            // The taker leaves its square and stands on the pawn's.
            let after = occupied & !Bitboard::of(taker);
            if self.sliders_to(king, us, after).is_empty() {
                return false;
            }
        }
        let without_king = occupied & !Bitboard::of(king);
        let flights = step_attacks(PieceKind::King, them, king) & !self.occupied_by(them);
        for to in flights {
            if self.attackers_with(to, us, without_king).is_empty() {
                return false;
            }
        }
        true
    }
}

/// The squares from which an unpromoted piece of `kind` could never move (行き所のない駒).
pub(crate) fn immobile(kind: PieceKind, color: Color) -> Bitboard {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => Bitboard::rank_for(1, color),
        PieceKind::Knight => Bitboard::rank_for(1, color) | Bitboard::rank_for(2, color),
        _ => Bitboard::EMPTY,
    }
}

/// Visits the moves of one piece, with and without promotion where the rules allow.
#[inline]
fn visit_moves(
    kind: PieceKind,
    us: Color,
    from: Square,
    to_squares: Bitboard,
    visit: &mut impl FnMut(Move) -> bool,
) -> bool {
    if kind.promoted().is_some() {
        let promoting = if from.in_zone(us) {
            to_squares
        } else {
            to_squares & Bitboard::zone(us)
        };
        for to in promoting {
            if !visit(Move::board(from, to, true)) {
                return false;
            }
        }
    }
    for to in to_squares & !immobile(kind, us) {
        if !visit(Move::board(from, to, false)) {
            return false;
        }
    }
    true
}

/// The squares from which each kind of `us` would give check to a king on `king`.
pub(crate) fn check_squares(us: Color, king: Square, occupied: Bitboard) -> [Bitboard; 14] {
    let them = us.flipped();
    let step = |kind| step_attacks(kind, them, king);
    let gold = step(PieceKind::Gold);
    let (bishop, rook) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
    let mut squares = [Bitboard::EMPTY; 14];
    for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Silver] {
        squares[kind.index()] = step(kind);
    }
    for kind in GOLDS {
        squares[kind.index()] = gold;
    }
    squares[PieceKind::Lance.index()] = lance_attacks(them, king, occupied);
    squares[PieceKind::Bishop.index()] = bishop;
    squares[PieceKind::Rook.index()] = rook;
    squares[PieceKind::Horse.index()] = bishop | step(PieceKind::King);
    squares[PieceKind::Dragon.index()] = rook | step(PieceKind::King);
    squares
}

#[cfg(test)]
mod tests;
