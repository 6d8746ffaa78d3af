//! Legal move generation: pins and checks first, so that no move is tried out.
//!
//! What depends on the side is compiled once for each (`BLACK`), so that a forward step is a
//! constant shift.

use crate::attacks::{
    attacks, between, bishop_attacks, bishop_near, lance_attacks, near_files, ray_through,
    rook_attacks, rook_near, step_attacks,
};
use crate::bitboard::each_square;
use crate::checks::CheckSquares;
use crate::moves::{DropKinds, Origin};
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Position, Square};

/// What restricts the side to move.
struct Restrictions {
    /// Where a piece other than the king may arrive by a move on the board.
    targets: Bitboard,
    /// Where a piece may be dropped.
    drops: Bitboard,
    /// Own pieces that shield the king from a slider.
    pinned: Bitboard,
    /// Where the king may go.
    flights: Bitboard,
}

/// What is done with the moves of one piece.
trait Visitor {
    /// Gets kind, square and destinations of a piece; says whether to go on.
    fn visit<const BLACK: bool>(&mut self, kind: PieceKind, from: Square, to: Bitboard) -> bool;
}

/// Pushes them, with and without promotion where the rules allow.
struct Push<'a>(&'a mut MoveList);

impl Visitor for Push<'_> {
    #[inline(always)]
    fn visit<const BLACK: bool>(&mut self, kind: PieceKind, from: Square, to: Bitboard) -> bool {
        let us = color(BLACK);
        if kind.promoted().is_some() {
            let promoting = if from.in_zone(us) {
                to
            } else {
                to & Bitboard::zone(us)
            };
            each_square!(promoting, to => {
                self.0.push(Move::board(from, to, true));
            });
        }
        let plain = to & !immobile(kind, us);
        each_square!(plain, to => {
            self.0.push(Move::board(from, to, false));
        });
        true
    }
}

/// Pushes those that give check.
struct PushChecks<'a> {
    list: &'a mut MoveList,
    checks: &'a CheckSquares,
}

impl Visitor for PushChecks<'_> {
    #[inline(always)]
    fn visit<const BLACK: bool>(&mut self, kind: PieceKind, from: Square, to: Bitboard) -> bool {
        let us = color(BLACK);
        let discovered = self.checks.discovered(from);
        if let Some(promoted) = kind.promoted() {
            let promoting = if from.in_zone(us) {
                to
            } else {
                to & Bitboard::zone(us)
            };
            for to in promoting & (self.checks.direct(promoted) | discovered) {
                self.list.push(Move::board(from, to, true));
            }
        }
        let plain = to & !immobile(kind, us);
        for to in plain & (self.checks.direct(kind) | discovered) {
            self.list.push(Move::board(from, to, false));
        }
        true
    }
}

/// Stops at the first piece that has one.
struct Find;

impl Visitor for Find {
    #[inline(always)]
    fn visit<const BLACK: bool>(&mut self, _: PieceKind, _: Square, to: Bitboard) -> bool {
        to.is_empty()
    }
}

const fn color(black: bool) -> Color {
    if black { Color::Black } else { Color::White }
}

/// One step forward in ranks.
const fn forward(black: bool) -> i32 {
    if black { -1 } else { 1 }
}

impl Position {
    /// All legal moves, including promotions that are declined without use. Moves on the board
    /// come first, then drops; the order is fixed but not sorted by merit.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// [`Position::legal_moves`] into a list that is there already; what it held is dropped.
    #[inline]
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        list.clear();
        match self.side {
            Color::Black => self.generate::<true>(list),
            Color::White => self.generate::<false>(list),
        }
    }

    /// The legal moves that give check, in no particular order. Without an enemy king there are none.
    pub fn checking_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.checking_moves_into(&mut moves);
        moves
    }

    /// [`Position::checking_moves`] into a list that is there already; what it held is dropped.
    pub fn checking_moves_into(&self, list: &mut MoveList) {
        list.clear();
        if let Some(checks) = CheckSquares::of(self) {
            match self.side {
                Color::Black => self.generate_checks::<true>(&checks, list),
                Color::White => self.generate_checks::<false>(&checks, list),
            }
        }
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        match self.side {
            Color::Black => self.has_move::<true>(),
            Color::White => self.has_move::<false>(),
        }
    }

    /// Whether `mv` is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side {
            Color::Black => self.allows::<true>(mv),
            Color::White => self.allows::<false>(mv),
        }
    }

    /// Whether the side to move is in check and has no legal move (詰み).
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    fn generate<const BLACK: bool>(&self, list: &mut MoveList) {
        let restrictions = self.restrictions::<BLACK>();
        if let Some(king) = self.king(color(BLACK)) {
            each_square!(restrictions.flights, to => {
                list.push(Move::board(king, to, false));
            });
        }
        self.pawn_moves::<BLACK>(&restrictions, list);
        self.each_origin::<BLACK>(&restrictions, &mut Push(list));
        self.push_drops::<BLACK>(&restrictions, list);
    }

    fn generate_checks<const BLACK: bool>(&self, checks: &CheckSquares, list: &mut MoveList) {
        let us = color(BLACK);
        let restrictions = self.restrictions::<BLACK>();
        if let Some(king) = self.king(us) {
            for to in restrictions.flights & checks.discovered(king) {
                list.push(Move::board(king, to, false));
            }
        }
        let free_pawns = self.pieces(us, PieceKind::Pawn) & !restrictions.pinned;
        let near = checks.direct(PieceKind::Pawn) | checks.direct(PieceKind::ProPawn);
        let may_check = near.shifted(0, -forward(BLACK)) | checks.screens;
        let mut push = PushChecks { list, checks };
        for from in free_pawns & may_check {
            let to = step_attacks(PieceKind::Pawn, us, from) & restrictions.targets;
            push.visit::<BLACK>(PieceKind::Pawn, from, to);
        }
        self.each_origin::<BLACK>(&restrictions, &mut push);
        for (kind, _) in self.hand(us).iter() {
            let drops = match kind {
                PieceKind::Pawn => self.pawn_drops::<BLACK>(&restrictions),
                kind => restrictions.drops & !immobile(kind, us),
            };
            for to in drops & checks.direct(kind) {
                list.push(Move::drop(kind, to));
            }
        }
    }

    fn has_move<const BLACK: bool>(&self) -> bool {
        let restrictions = self.restrictions::<BLACK>();
        !restrictions.flights.is_empty()
            || !self.pawn_targets::<BLACK>(&restrictions).is_empty()
            || !self.each_origin::<BLACK>(&restrictions, &mut Find)
            || self.has_drop::<BLACK>(&restrictions)
    }

    fn allows<const BLACK: bool>(&self, mv: Move) -> bool {
        let us = color(BLACK);
        let to = mv.to();
        let restrictions = self.restrictions::<BLACK>();
        let from = match mv.origin() {
            Origin::Hand(PieceKind::Pawn) => {
                return self.hand(us).count(PieceKind::Pawn) > 0
                    && self.pawn_drops::<BLACK>(&restrictions).contains(to);
            }
            Origin::Hand(kind) => {
                return self.hand(us).count(kind) > 0
                    && (restrictions.drops & !immobile(kind, us)).contains(to);
            }
            Origin::Square(from) => from,
        };
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color == us) else {
            return false;
        };
        if piece.kind == PieceKind::King {
            return restrictions.flights.contains(to) && !mv.is_promotion();
        }
        let mut to_squares = attacks(piece.kind, us, from, self.occupied()) & restrictions.targets;
        if restrictions.pinned.contains(from) {
            to_squares &= self.pin_line(us, from);
        }
        to_squares.contains(to)
            && if mv.is_promotion() {
                piece.kind.promoted().is_some() && (from.in_zone(us) || to.in_zone(us))
            } else {
                !immobile(piece.kind, us).contains(to)
            }
    }

    #[inline(always)]
    fn restrictions<const BLACK: bool>(&self) -> Restrictions {
        let (us, them) = (color(BLACK), color(!BLACK));
        let own = self.occupied_by(us);
        let occupied = self.occupied();
        let mut restrictions = Restrictions {
            targets: !own,
            drops: !occupied,
            pinned: Bitboard::EMPTY,
            flights: Bitboard::EMPTY,
        };
        let Some(king) = self.king(us) else {
            return restrictions;
        };
        let mut checkers = self.steppers_to(king, them);
        let snipers = self.snipers_to(king, them);
        each_square!(snipers, sniper => {
            let line = between(king, sniper) & occupied;
            if line.is_empty() {
                checkers |= Bitboard::single(sniper);
            } else if !line.has_several() {
                restrictions.pinned |= line & own;
            }
        });
        if let Some(checker) = checkers.first() {
            if checkers.has_several() {
                restrictions.drops = Bitboard::EMPTY;
                restrictions.targets = Bitboard::EMPTY;
            } else {
                restrictions.drops = between(king, checker);
                restrictions.targets = restrictions.drops | checkers;
            }
        }
        let steps = step_attacks(PieceKind::King, us, king) & !own;
        if !steps.is_empty() {
            restrictions.flights = steps & !self.danger_near::<BLACK>(king);
        }
        restrictions
    }

    /// The squares beside `king` that the opponent attacks once the king has left its square; what
    /// the set says of squares farther away means nothing.
    #[inline(always)]
    fn danger_near<const BLACK: bool>(&self, king: Square) -> Bitboard {
        let (them, ahead) = (color(!BLACK), forward(!BLACK));
        let theirs = self.occupied_by(them);
        let kind = |kind: PieceKind| self.of_kind(kind) & theirs;
        let (horses, dragons) = (kind(PieceKind::Horse), kind(PieceKind::Dragon));
        let silvers = kind(PieceKind::Silver);
        let golds = self.gold_movers() & theirs | kind(PieceKind::King);
        let straight = golds | horses;
        let aslant = silvers | kind(PieceKind::King) | dragons;
        let up = kind(PieceKind::Pawn) | silvers | straight;
        let up_aslant = aslant | golds;
        let knights = kind(PieceKind::Knight);
        let mut danger = up.shifted(0, ahead)
            | straight.shifted(0, -ahead)
            | straight.shifted(1, 0)
            | straight.shifted(-1, 0)
            | up_aslant.shifted(1, ahead)
            | up_aslant.shifted(-1, ahead)
            | aslant.shifted(1, -ahead)
            | aslant.shifted(-1, -ahead)
            | knights.shifted(1, 2 * ahead)
            | knights.shifted(-1, 2 * ahead);

        let occupied = self.occupied() ^ Bitboard::single(king);
        let bishops = (kind(PieceKind::Bishop) | horses) & bishop_near(king);
        each_square!(bishops, from => {
            danger |= bishop_attacks(from, occupied);
        });
        let rooks = (kind(PieceKind::Rook) | dragons) & rook_near(king);
        each_square!(rooks, from => {
            danger |= rook_attacks(from, occupied);
        });
        let lances = kind(PieceKind::Lance) & near_files(king);
        each_square!(lances, from => {
            danger |= lance_attacks(them, from, occupied);
        });
        danger
    }

    /// [`Position::danger_near`] for a king of `color`, whoever is to move.
    pub(crate) fn danger_beside(&self, king: Square, color: Color) -> Bitboard {
        match color {
            Color::Black => self.danger_near::<true>(king),
            Color::White => self.danger_near::<false>(king),
        }
    }

    /// The line on which a pinned piece may move.
    #[inline]
    fn pin_line(&self, us: Color, pinned: Square) -> Bitboard {
        let king = self.king(us).expect("only a king makes a pin");
        ray_through(king, pinned)
    }

    /// Where the free pawns arrive.
    #[inline(always)]
    fn pawn_targets<const BLACK: bool>(&self, restrictions: &Restrictions) -> Bitboard {
        let pawns = self.pieces(color(BLACK), PieceKind::Pawn) & !restrictions.pinned;
        pawns.shifted(0, forward(BLACK)) & restrictions.targets
    }

    #[inline(always)]
    fn pawn_moves<const BLACK: bool>(&self, restrictions: &Restrictions, list: &mut MoveList) {
        let us = color(BLACK);
        let to_squares = self.pawn_targets::<BLACK>(restrictions);
        let origin = |to: Square| {
            let step = forward(BLACK);
            Square::from_index((to.index() as i32 - step) as usize)
        };
        let promoting = to_squares & Bitboard::zone(us);
        each_square!(promoting, to => {
            list.push(Move::board(origin(to), to, true));
        });
        let plain = to_squares & !immobile(PieceKind::Pawn, us);
        each_square!(plain, to => {
            list.push(Move::board(origin(to), to, false));
        });
    }

    /// Shows `visitor` each piece that is neither a king nor a free pawn, until it has enough; says
    /// whether it never had.
    #[inline(always)]
    fn each_origin<const BLACK: bool>(
        &self,
        restrictions: &Restrictions,
        visitor: &mut impl Visitor,
    ) -> bool {
        let us = color(BLACK);
        let (targets, pinned) = (restrictions.targets, restrictions.pinned);
        if targets.is_empty() {
            return true;
        }
        let occupied = self.occupied();
        let free = self.occupied_by(us) & !pinned;
        self.each_of::<BLACK>(PieceKind::Lance, free, targets, visitor)
            && self.each_of::<BLACK>(PieceKind::Knight, free, targets, visitor)
            && self.each_of::<BLACK>(PieceKind::Silver, free, targets, visitor)
            && self.each_of::<BLACK>(PieceKind::Gold, free, targets, visitor)
            && self.each_of::<BLACK>(PieceKind::Bishop, free, targets, visitor)
            && self.each_of::<BLACK>(PieceKind::Rook, free, targets, visitor)
            && self.each_of::<BLACK>(PieceKind::Horse, free, targets, visitor)
            && self.each_of::<BLACK>(PieceKind::Dragon, free, targets, visitor)
            && pinned.into_iter().all(|from| {
                let piece = self.piece_at(from).expect("a pinned piece stands there");
                let reach = attacks(piece.kind, us, from, occupied) & self.pin_line(us, from);
                visit_pinned::<BLACK>(piece.kind, from, reach & targets, visitor)
            })
    }

    /// [`Position::each_origin`] for the pieces that move as `kind` does: a constant wherever this is
    /// inlined, so that each kind gets its own code.
    #[inline(always)]
    fn each_of<const BLACK: bool>(
        &self,
        kind: PieceKind,
        free: Bitboard,
        targets: Bitboard,
        visitor: &mut impl Visitor,
    ) -> bool {
        let us = color(BLACK);
        let pieces = match kind {
            PieceKind::Gold => self.gold_movers(),
            kind => self.of_kind(kind),
        };
        let occupied = self.occupied();
        let movers = pieces & free;
        each_square!(movers, from => {
            let reach = attacks(kind, us, from, occupied);
            if !visitor.visit::<BLACK>(kind, from, reach & targets) {
                return false;
            }
        });
        true
    }

    #[inline(always)]
    fn push_drops<const BLACK: bool>(&self, restrictions: &Restrictions, list: &mut MoveList) {
        let us = color(BLACK);
        let hand = self.hand(us);
        let drops = restrictions.drops;
        if hand.is_empty() || drops.is_empty() {
            return;
        }
        if hand.count(PieceKind::Pawn) > 0 {
            let pawn_drops = self.pawn_drops::<BLACK>(restrictions);
            each_square!(pawn_drops, to => {
                list.push(Move::drop(PieceKind::Pawn, to));
            });
        }
        // What may be dropped anywhere, what from the second rank on, what from the third.
        let mut kinds = DropKinds::default();
        for kind in [
            PieceKind::Silver,
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Gold,
        ] {
            if hand.count(kind) > 0 {
                kinds.add(kind);
            }
        }
        let (first, second) = (Bitboard::rank_for(1, us), Bitboard::rank_for(2, us));
        push_blocks(&kinds, drops & first, list);
        if hand.count(PieceKind::Lance) > 0 {
            kinds.add(PieceKind::Lance);
        }
        push_blocks(&kinds, drops & second, list);
        if hand.count(PieceKind::Knight) > 0 {
            kinds.add(PieceKind::Knight);
        }
        push_blocks(&kinds, drops & !first & !second, list);
    }

    fn has_drop<const BLACK: bool>(&self, restrictions: &Restrictions) -> bool {
        let us = color(BLACK);
        self.hand(us).iter().any(|(kind, _)| {
            let to_squares = match kind {
                PieceKind::Pawn => self.pawn_drops::<BLACK>(restrictions),
                kind => restrictions.drops & !immobile(kind, us),
            };
            !to_squares.is_empty()
        })
    }

    /// Where a pawn in hand may be dropped: on no file with an own unpromoted pawn (二歩 nifu), not
    /// on the last rank, and not with mate (打ち歩詰め uchifuzume).
    #[inline(always)]
    fn pawn_drops<const BLACK: bool>(&self, restrictions: &Restrictions) -> Bitboard {
        let us = color(BLACK);
        let pawns = self.pieces(us, PieceKind::Pawn);
        let to_squares = restrictions.drops & !pawns.whole_files() & !immobile(PieceKind::Pawn, us);
        if let Some(king) = self.king(us.flipped()) {
            let head = step_attacks(PieceKind::Pawn, us.flipped(), king) & to_squares;
            if let Some(head) = head.first()
                && self.pawn_drop_mates(head)
            {
                return to_squares & !Bitboard::single(head);
            }
        }
        to_squares
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
        let without_king = occupied & !Bitboard::of(king);
        let flights = step_attacks(PieceKind::King, them, king) & !self.occupied_by(them);
        for to in flights {
            if self.attackers_with(to, us, without_king).is_empty() {
                return false;
            }
        }
        let takers = self.attackers_with(head, them, occupied) & !Bitboard::of(king);
        for taker in takers {
            // The taker leaves its square and stands on the pawn's.
            let after = occupied & !Bitboard::of(taker);
            if self.sliders_to(king, us, after).is_empty() {
                return false;
            }
        }
        true
    }
}

/// The squares from which an unpromoted piece of `kind` could never move (行き所のない駒).
#[inline]
pub(crate) const fn immobile(kind: PieceKind, color: Color) -> Bitboard {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => Bitboard::rank_for(1, color),
        PieceKind::Knight => {
            Bitboard(Bitboard::rank_for(1, color).bits() | Bitboard::rank_for(2, color).bits())
        }
        _ => Bitboard::EMPTY,
    }
}

/// Pins are rare: one copy of the code for all kinds.
#[inline(never)]
fn visit_pinned<const BLACK: bool>(
    kind: PieceKind,
    from: Square,
    to: Bitboard,
    visitor: &mut impl Visitor,
) -> bool {
    visitor.visit::<BLACK>(kind, from, to)
}

#[inline(always)]
fn push_blocks(kinds: &DropKinds, to_squares: Bitboard, list: &mut MoveList) {
    if !kinds.is_empty() {
        each_square!(to_squares, to => {
            list.push_drops(kinds, to);
        });
    }
}

#[cfg(test)]
mod tests;
