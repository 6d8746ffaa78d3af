//! For which hands of the attacker an answer holds: the proof and disproof pieces of Nagai (2002),
//! here both ends of an interval.
//!
//! Who mates with a hand mates with a larger one (and the smaller one of the defender), by the same
//! moves; who does not, does not with a smaller one. So an answer serves all hands on the same board
//! in between.

use super::counts::Counts;
use super::search::Search;
use super::value::Value;
use crate::checks::CheckSquares;
use crate::movegen::immobile;
use crate::{Bitboard, Color, Move, PieceKind, Position};

impl Search {
    /// The attacker's hand after a move of either side.
    pub(super) fn hand_after(&self, hand: Counts, mv: Move) -> Counts {
        if self.position.side_to_move() != self.attacker {
            return hand;
        }
        match (mv.drop_kind(), self.position.piece_at(mv.to())) {
            (Some(kind), _) => hand.minus(kind),
            (None, Some(captured)) => hand.plus(captured.kind.unpromoted()),
            (None, None) => hand,
        }
    }

    /// An answer about the position after a move of the attacker, seen from before the move.
    pub(super) fn before_move(&self, value: &Value, mv: Move) -> Value {
        let Value { low, high, .. } = *value;
        let (low, high) = match (mv.drop_kind(), self.position.piece_at(mv.to())) {
            // Who has nothing to drop lacks this move: no mate by it is no mate either way.
            (Some(kind), _) if value.is_no_mate() && low == Counts::NONE => (low, high.plus(kind)),
            (Some(kind), _) => (low.plus(kind), high.plus(kind)),
            (None, Some(captured)) => {
                let kind = captured.kind.unpromoted();
                (low.minus(kind), high.minus(kind))
            }
            (None, None) => (low, high),
        };
        Value {
            plies: value.plies.plus(1),
            low,
            high,
            ..*value
        }
    }

    /// No mate because of this drop of the defender, who then must have such a piece.
    pub(super) fn escape_by(&self, drop: Move, mut value: Value) -> Value {
        if let Some(kind) = drop.drop_kind() {
            let hands = self.position.hands.iter();
            let in_hands: u32 = hands.map(|hand| hand.count(kind)).sum();
            value.high = value.high.at_most(kind, in_hands.saturating_sub(1));
        }
        value
    }

    /// The smallest hand with which the defender, in check, has no more replies than now: what it
    /// lacks and could drop between must stay lacking. `but` are squares where any drop is answered.
    pub(super) fn hand_that_keeps_mated(&self, but: Bitboard) -> Counts {
        let defender = self.attacker.flipped();
        let line = self.line_of_check() & !but;
        if line.is_empty() {
            return Counts::NONE;
        }
        self.lacking(defender)
            .filter(|&kind| !(line & droppable(&self.position, defender, kind)).is_empty())
            .fold(Counts::NONE, |low, kind| {
                low.at_least(kind, self.position.hand(self.attacker).count(kind))
            })
    }

    /// The largest hand with which the attacker has no more checks than now.
    pub(super) fn hands_without_new_check(&self) -> Counts {
        let Some(checks) = CheckSquares::of(&self.position) else {
            return Counts::ALL;
        };
        let free = !self.position.occupied();
        self.lacking(self.attacker)
            .filter(|&kind| {
                let drops = free & droppable(&self.position, self.attacker, kind);
                !(drops & checks.direct(kind)).is_empty()
            })
            .fold(Counts::ALL, |high, kind| high.at_most(kind, 0))
    }

    /// The kinds that a side has none of in hand.
    fn lacking(&self, color: Color) -> impl Iterator<Item = PieceKind> + '_ {
        let hand = self.position.hand(color);
        PieceKind::HAND
            .into_iter()
            .filter(|&kind| hand.count(kind) == 0)
    }
}

/// The squares, free or not, that no rule about the kind closes to a drop.
fn droppable(position: &Position, color: Color, kind: PieceKind) -> Bitboard {
    let squares = !immobile(kind, color);
    if kind == PieceKind::Pawn {
        squares & !position.pieces(color, PieceKind::Pawn).whole_files()
    } else {
        squares
    }
}
