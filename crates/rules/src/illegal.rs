//! Why a move is illegal (反則 hansoku). A player who makes such a move has lost.

use std::fmt;

use crate::attacks::{attacks, between};
use crate::movegen::immobile;
use crate::{Bitboard, Color, EndReason, Move, Outcome, Piece, PieceKind, Position, Square};

/// A rule that a move breaks.
///
/// Two fouls are not here because a single position cannot show them: perpetual check is a
/// matter of history ([`EndReason::PerpetualCheck`]), and so is a second move in a row, which looks
/// like a move of the opponent's piece ([`IllegalReason::WrongTurn`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IllegalReason {
    /// No piece stands where the move begins.
    EmptyOrigin,
    /// 手番違い, 二手指し: the piece belongs to the side whose turn it is not.
    WrongTurn,
    /// A piece of the same side stands on the destination.
    OntoOwnPiece,
    /// The piece does not move that way, not even on an empty board.
    WrongMovement,
    /// The piece would jump over another; only knights do.
    BlockedPath,
    /// Gold, king and promoted pieces cannot promote.
    CannotPromote,
    /// Promotion by a move that neither begins nor ends in the three far ranks.
    PromotionOutsideZone,
    /// 行き所のない駒: pawn, lance or knight would stand where it could never move again. It must
    /// promote there, and cannot be dropped there.
    DeadPiece,
    /// The side has no such piece in hand.
    NotInHand,
    /// A drop on a square that is not empty.
    DropOntoPiece,
    /// 二歩 nifu: a pawn dropped on a file where the side has an unpromoted pawn already.
    TwoPawns,
    /// 王手放置, 自殺手: after the move the side's own king could be taken. It was in check and
    /// stays so, or walks or is opened into it.
    LeftInCheck,
    /// 打ち歩詰め uchifuzume: a dropped pawn that mates. (Mate by a pawn that moves is fine, and so
    /// is mate by any other dropped piece.)
    PawnDropMate,
}

impl IllegalReason {
    /// All reasons.
    pub const ALL: [IllegalReason; 13] = [
        IllegalReason::EmptyOrigin,
        IllegalReason::WrongTurn,
        IllegalReason::OntoOwnPiece,
        IllegalReason::WrongMovement,
        IllegalReason::BlockedPath,
        IllegalReason::CannotPromote,
        IllegalReason::PromotionOutsideZone,
        IllegalReason::DeadPiece,
        IllegalReason::NotInHand,
        IllegalReason::DropOntoPiece,
        IllegalReason::TwoPawns,
        IllegalReason::LeftInCheck,
        IllegalReason::PawnDropMate,
    ];

    /// The name in kebab-case, as in JSON and event files.
    pub const fn as_str(self) -> &'static str {
        match self {
            IllegalReason::EmptyOrigin => "empty-origin",
            IllegalReason::WrongTurn => "wrong-turn",
            IllegalReason::OntoOwnPiece => "onto-own-piece",
            IllegalReason::WrongMovement => "wrong-movement",
            IllegalReason::BlockedPath => "blocked-path",
            IllegalReason::CannotPromote => "cannot-promote",
            IllegalReason::PromotionOutsideZone => "promotion-outside-zone",
            IllegalReason::DeadPiece => "dead-piece",
            IllegalReason::NotInHand => "not-in-hand",
            IllegalReason::DropOntoPiece => "drop-onto-piece",
            IllegalReason::TwoPawns => "two-pawns",
            IllegalReason::LeftInCheck => "left-in-check",
            IllegalReason::PawnDropMate => "pawn-drop-mate",
        }
    }
}

impl fmt::Display for IllegalReason {
    /// As a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalReason::EmptyOrigin => "no piece stands where it begins",
            IllegalReason::WrongTurn => "it is not the turn of the piece's side",
            IllegalReason::OntoOwnPiece => "a piece of the same side stands there",
            IllegalReason::WrongMovement => "the piece does not move that way",
            IllegalReason::BlockedPath => "another piece stands in the way",
            IllegalReason::CannotPromote => "the piece cannot promote",
            IllegalReason::PromotionOutsideZone => {
                "a piece promotes only on moving into, inside or out of the three far ranks"
            }
            IllegalReason::DeadPiece => "the piece could never move again",
            IllegalReason::NotInHand => "no such piece is in hand",
            IllegalReason::DropOntoPiece => "a piece is dropped on an empty square only",
            IllegalReason::TwoPawns => "the side has a pawn on this file already (nifu)",
            IllegalReason::LeftInCheck => "the side's own king could be taken",
            IllegalReason::PawnDropMate => "a dropped pawn may not mate (uchifuzume)",
        })
    }
}

/// A move that the rules forbid. Made in earnest, it loses the game: [`IllegalMove::outcome`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The side that tried it.
    pub side: Color,
    /// The rule that it breaks; the first in the order of [`Position::why_illegal`].
    pub reason: IllegalReason,
    /// The position in which it was tried, as SFEN.
    pub sfen: String,
}

impl IllegalMove {
    /// How a game ends in which this move was made: its side loses.
    pub fn outcome(&self) -> Outcome {
        Outcome::win(self.side.flipped(), EndReason::Foul(self.reason))
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalMove {
            mv, reason, sfen, ..
        } = self;
        write!(f, "move {mv} is illegal in {sfen}: {reason}")
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// The rule that `mv` breaks here; `None` if it is legal.
    ///
    /// A move may break several rules. The first is told, in this order: what the move is in itself
    /// (its piece, the way, the destination, promotion), dead pieces, two pawns, the own king, and
    /// pawn-drop mate.
    pub fn why_illegal(&self, mv: Move) -> Option<IllegalReason> {
        let in_itself = match (mv.from(), mv.drop_kind()) {
            (Some(from), _) => self.fault_of_board_move(from, mv),
            (None, Some(kind)) => self.fault_of_drop(kind, mv.to()),
            (None, None) => unreachable!("a move has an origin or a dropped kind"),
        };
        in_itself.or_else(|| self.fault_of_result(mv))
    }

    fn fault_of_board_move(&self, from: Square, mv: Move) -> Option<IllegalReason> {
        let (us, to) = (self.side_to_move(), mv.to());
        let Some(Piece { color, kind }) = self.piece_at(from) else {
            return Some(IllegalReason::EmptyOrigin);
        };
        if color != us {
            return Some(IllegalReason::WrongTurn);
        }
        if !attacks(kind, us, from, Bitboard::EMPTY).contains(to) {
            return Some(IllegalReason::WrongMovement);
        }
        // A knight's squares share no line, so nothing lies between them.
        if !(between(from, to) & self.occupied()).is_empty() {
            return Some(IllegalReason::BlockedPath);
        }
        if self.occupied_by(us).contains(to) {
            return Some(IllegalReason::OntoOwnPiece);
        }
        if mv.is_promotion() {
            if kind.promoted().is_none() {
                return Some(IllegalReason::CannotPromote);
            }
            let in_zone = from.in_zone(us) || to.in_zone(us);
            return (!in_zone).then_some(IllegalReason::PromotionOutsideZone);
        }
        (immobile(kind, us).contains(to)).then_some(IllegalReason::DeadPiece)
    }

    fn fault_of_drop(&self, kind: PieceKind, to: Square) -> Option<IllegalReason> {
        let us = self.side_to_move();
        if self.hand(us).count(kind) == 0 {
            return Some(IllegalReason::NotInHand);
        }
        if self.piece_at(to).is_some() {
            return Some(IllegalReason::DropOntoPiece);
        }
        if immobile(kind, us).contains(to) {
            return Some(IllegalReason::DeadPiece);
        }
        let pawns_on_file = self.pieces(us, PieceKind::Pawn) & Bitboard::file(to.file());
        (kind == PieceKind::Pawn && !pawns_on_file.is_empty()).then_some(IllegalReason::TwoPawns)
    }

    /// What is wrong with the position after a move that is right in itself.
    fn fault_of_result(&self, mv: Move) -> Option<IllegalReason> {
        let us = self.side_to_move();
        let mut after = self.clone();
        after.do_move(mv);
        let attacked = |king| -> bool { !after.attackers_to(king, us.flipped()).is_empty() };
        if after.king(us).is_some_and(attacked) {
            return Some(IllegalReason::LeftInCheck);
        }
        // Cheap first: few drops of pawns give check.
        let mates = mv.drop_kind() == Some(PieceKind::Pawn) && after.is_checkmate();
        mates.then_some(IllegalReason::PawnDropMate)
    }
}

#[cfg(test)]
mod tests;
