//! Mate in one by sets of squares: no move is made.
//!
//! A checking move mates if the king has no square left, nobody takes the checker and nothing comes
//! between. Most checks leave the king a square that the checking piece does not attack either, and
//! are done with after one comparison of sets.

use crate::attacks::{attacks, between, step_attacks};
use crate::checks::CheckSquares;
use crate::movegen::immobile;
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Position, Square};

impl Position {
    /// A move that mates at once, if there is one. Works in check as well.
    ///
    /// A pawn drop never mates (it would be illegal), and a mating move never repeats a position:
    /// the game would have ended at its first occurrence.
    pub fn mate_in_one(&self) -> Option<Move> {
        Attack::new(self)?.mate()
    }

    /// [`Position::mate_in_one`] for a caller that has the legal moves already.
    pub fn mate_in_one_among(&self, legal_moves: &MoveList) -> Option<Move> {
        let attack = Attack::new(self)?;
        if self.in_check() {
            return attack.among(legal_moves);
        }
        attack.by_drop().or_else(|| attack.by_board_move())
    }
}

/// What is the same for all checks of one position.
pub(super) struct Attack<'a> {
    position: &'a Position,
    us: Color,
    them: Color,
    /// The king that is attacked.
    king: Square,
    occupied: Bitboard,
    checks: CheckSquares,
    /// The squares beside the king where it could go now: neither its own pieces nor attacked.
    open: Bitboard,
}

/// One checking move, its effect on the board taken apart.
#[derive(Debug, Clone, Copy)]
struct Check {
    /// The square that the piece left; empty for a drop.
    left: Bitboard,
    /// What the piece is after the move.
    kind: PieceKind,
    to: Square,
}

impl<'a> Attack<'a> {
    /// `None` if there is no king to attack.
    pub(super) fn new(position: &'a Position) -> Option<Attack<'a>> {
        let us = position.side_to_move();
        let them = us.flipped();
        let king = position.king(them)?;
        let flights = step_attacks(PieceKind::King, them, king) & !position.occupied_by(them);
        Some(Attack {
            position,
            us,
            them,
            king,
            occupied: position.occupied(),
            checks: CheckSquares::of(position)?,
            open: flights & !position.danger_beside(king, them),
        })
    }

    /// A mating move.
    pub(super) fn mate(&self) -> Option<Move> {
        if self.position.in_check() {
            return self.among(&self.position.legal_moves());
        }
        self.by_drop().or_else(|| self.by_board_move())
    }

    /// About how many replies a legal check leaves, at least 1: squares that stay open to the king,
    /// pieces that may take the checker, squares where something may be put between.
    pub(super) fn n_replies(&self, mv: Move) -> u32 {
        let (position, us, them) = (self.position, self.us, self.them);
        let check = self.taken_apart(mv);
        let king = Bitboard::of(self.king);
        let without_king = self.occupied & !king & !check.left;
        let reach = attacks(check.kind, us, check.to, without_king);
        let mut n = (self.open & !reach).len();
        if step_attacks(PieceKind::King, them, self.king).contains(check.to)
            && !self.open.contains(check.to)
            && (position.attackers_with(check.to, us, without_king) & !check.left).is_empty()
        {
            // Nothing guards the checker once it has left its square.
            n += 1;
        }
        n += (position.attackers_with(check.to, them, self.occupied) & !king).len();
        if reach.contains(self.king) {
            let line = between(self.king, check.to);
            n += if position.hand(them).is_empty() {
                let is_reached = |&square: &Square| {
                    !(position.attackers_with(square, them, self.occupied) & !king).is_empty()
                };
                line.filter(is_reached).count() as u32
            } else {
                line.len()
            };
        }
        n.max(1)
    }

    /// A mating move among legal ones.
    fn among(&self, moves: &[Move]) -> Option<Move> {
        moves.iter().copied().find(|&mv| {
            let check = self.taken_apart(mv);
            self.gives_check(check) && self.leaves_no_square(check) && self.mates(check)
        })
    }

    fn taken_apart(&self, mv: Move) -> Check {
        let kind = match (mv.from(), mv.drop_kind()) {
            (_, Some(kind)) => kind,
            (from, None) => {
                let piece = from.and_then(|from| self.position.piece_at(from));
                let kind = piece.expect("a legal move moves a piece").kind;
                if mv.is_promotion() {
                    kind.promoted().expect("a legal promotion promotes")
                } else {
                    kind
                }
            }
        };
        Check {
            left: mv.from().map_or(Bitboard::EMPTY, Bitboard::of),
            kind,
            to: mv.to(),
        }
    }

    /// Whether the move checks at all. A pawn drop that checks does not count: legal, it does not
    /// mate.
    fn gives_check(&self, check: Check) -> bool {
        if check.left.is_empty() && check.kind == PieceKind::Pawn {
            return false;
        }
        self.checks.direct(check.kind).contains(check.to) || self.discovers(check)
    }

    /// Whether the moving piece opens a line to the king.
    fn discovers(&self, check: Check) -> bool {
        let from = check.left.first();
        from.is_some_and(|from| self.checks.discovered(from).contains(check.to))
    }

    /// A mating drop. The side to move must not be in check.
    fn by_drop(&self) -> Option<Move> {
        for (kind, _) in self.position.hand(self.us).iter() {
            if kind == PieceKind::Pawn {
                continue;
            }
            for to in self.checks.direct(kind) & !self.occupied {
                let check = Check {
                    left: Bitboard::EMPTY,
                    kind,
                    to,
                };
                if self.leaves_no_square(check) && self.mates(check) {
                    return Some(Move::drop(kind, to));
                }
            }
        }
        None
    }

    /// A mating move on the board. The side to move must not be in check.
    fn by_board_move(&self) -> Option<Move> {
        let own = self.position.occupied_by(self.us);
        own.into_iter().find_map(|from| self.by_move_from(from))
    }

    fn by_move_from(&self, from: Square) -> Option<Move> {
        let (us, position) = (self.us, self.position);
        let kind = position.piece_at(from)?.kind;
        let reach = attacks(kind, us, from, self.occupied) & !position.occupied_by(us);
        let off_line = self.checks.discovered(from);
        let try_kind = |kind: PieceKind, to_squares: Bitboard| {
            (to_squares & (self.checks.direct(kind) | off_line)).find(|&to| {
                let check = Check {
                    left: Bitboard::of(from),
                    kind,
                    to,
                };
                self.leaves_no_square(check) && self.is_legal(check) && self.mates(check)
            })
        };
        if let Some(promoted) = kind.promoted() {
            let to_squares = if from.in_zone(us) {
                reach
            } else {
                reach & Bitboard::zone(us)
            };
            if let Some(to) = try_kind(promoted, to_squares) {
                return Some(Move::board(from, to, true));
            }
        }
        try_kind(kind, reach & !immobile(kind, us)).map(|to| Move::board(from, to, false))
    }

    /// Whether a move on the board, made by a side that is not in check, leaves its own king safe.
    fn is_legal(&self, check: Check) -> bool {
        let Some(own_king) = self.position.king(self.us) else {
            return true;
        };
        let to = Bitboard::of(check.to);
        let occupied = self.occupied & !check.left | to;
        let attackers = if check.kind == PieceKind::King {
            self.position.attackers_with(check.to, self.them, occupied)
        } else {
            self.position.sliders_to(own_king, self.them, occupied) & !to
        };
        attackers.is_empty()
    }

    /// A cheap test that all mating moves pass, and few others: the squares that are open to the king
    /// are attacked by the piece that moves, or perhaps by a slider behind it.
    fn leaves_no_square(&self, check: Check) -> bool {
        let without_king = self.occupied & !Bitboard::of(self.king) & !check.left;
        let reach = attacks(check.kind, self.us, check.to, without_king);
        if (self.open & !reach).is_empty() {
            return true;
        }
        check.left.into_iter().any(|from| {
            let sliders = self.position.sliders_to(from, self.us, without_king);
            !sliders.is_empty()
        })
    }

    /// Whether a legal checking move mates.
    fn mates(&self, check: Check) -> bool {
        let (position, us) = (self.position, self.us);
        let to = Bitboard::of(check.to);
        let occupied = self.occupied & !check.left | to;
        let without_king = occupied & !Bitboard::of(self.king);
        let reach = attacks(check.kind, us, check.to, without_king);
        let blocked = position.occupied_by(self.them) & !to;
        let flights = step_attacks(PieceKind::King, self.them, self.king) & !blocked & !reach;
        for flight in flights {
            let guards = position.attackers_with(flight, us, without_king) & !check.left;
            if guards.is_empty() {
                return false;
            }
        }
        let mut checkers = position.sliders_to(self.king, us, occupied) & !check.left;
        if attacks(check.kind, us, check.to, occupied).contains(self.king) {
            checkers |= to;
        }
        let checker = checkers.first().expect("the move gives check");
        if checkers.has_several() {
            return true;
        }
        if self.can_move_to(checker, occupied, check) {
            return false;
        }
        let line = between(checker, self.king);
        line.into_iter()
            .all(|square| !self.can_move_to(square, occupied, check))
            && !self.can_drop_on(line, check)
    }

    /// Whether a piece of the defender, other than the king, can go to `target` after `check`
    /// without opening a line to its king. `target` is the only checker, or a square before it.
    fn can_move_to(&self, target: Square, occupied: Bitboard, check: Check) -> bool {
        let (position, us) = (self.position, self.us);
        let to = Bitboard::of(check.to);
        let king = Bitboard::of(self.king);
        let movers = position.attackers_with(target, self.them, occupied) & !king & !to;
        movers.into_iter().any(|from| {
            let after = occupied & !Bitboard::of(from) | Bitboard::of(target);
            let gone = check.left | Bitboard::of(target);
            (position.sliders_to(self.king, us, after) & !gone).is_empty()
                && (check.to == target
                    || !attacks(check.kind, us, check.to, after).contains(self.king))
        })
    }

    /// Whether the defender can drop something on one of the squares, which stand between the king
    /// and the only checker; the checker cannot be taken.
    ///
    /// The defender's pawn drop is never a forbidden mate: the checker takes the pawn, unless it is
    /// pinned to its own king, which stands below that pawn. Then the pinning piece could take the
    /// checker, since on no such board is it pinned itself.
    fn can_drop_on(&self, line: Bitboard, check: Check) -> bool {
        let (position, them) = (self.position, self.them);
        if line.is_empty() {
            return false;
        }
        let hand = position.hand(them);
        let any_piece = hand
            .iter()
            .any(|(kind, _)| kind != PieceKind::Pawn && !(line & !immobile(kind, them)).is_empty());
        if any_piece {
            return true;
        }
        if hand.count(PieceKind::Pawn) == 0 {
            return false;
        }
        let pawns = position.pieces(them, PieceKind::Pawn) & !Bitboard::of(check.to);
        let files = pawns.fold(Bitboard::EMPTY, |files, pawn| {
            files | Bitboard::file(pawn.file())
        });
        !(line & !files & !immobile(PieceKind::Pawn, them)).is_empty()
    }
}

#[cfg(test)]
mod tests;
