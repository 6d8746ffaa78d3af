//! The children of a node.

use super::counts::Counts;
use super::frame::{Child, Frame, Link, NodeKind, Step};
use super::keys::{key_after, key_with_moved};
use super::one::Attack;
use super::search::{Found, Search, child_within};
use super::table::NodeKey;
use super::value::{Plies, Value};
use crate::attacks::{attacks, between};
use crate::movegen::immobile;
use crate::{Bitboard, Move, PieceKind, Square};

/// Told apart from the same board with all replies.
const NO_DROPS_KEY: u64 = 0x6e6f_5f64_726f_7073;
/// First disproof number of a reply that takes nothing: replies that take something are looked at
/// first. Found by trying 1 to 4 on mates from random games.
const QUIET_REPLY_DN: u32 = 2;

impl Search {
    /// Makes the children of the deepest node; or an answer at once.
    pub(super) fn expand(&mut self) -> Option<Found> {
        self.nodes += 1;
        let frame = *self.top();
        match frame.kind {
            NodeKind::Attack => self.expand_attack(&frame),
            NodeKind::Defence | NodeKind::NoDrops => self.expand_defence(&frame),
        }
    }

    fn expand_attack(&mut self, frame: &Frame) -> Option<Found> {
        let attack = Attack::new(&self.position).expect("there is a king to attack");
        if frame.is_new
            && let Some(mv) = attack.mate()
        {
            return Some(self.mate_at_once(mv));
        }
        let mut checks = std::mem::take(&mut self.moves);
        checks.clear();
        for &mv in &self.position.checking_moves() {
            checks.push((mv, attack.n_replies(mv)));
        }
        sort_promotions_first(&mut checks);
        for (idx, &(mv, n_replies)) in checks.iter().enumerate() {
            let link = if idx > 0 && self.is_needless_after(mv, checks[idx - 1].0) {
                Link::AfterNoMate
            } else {
                Link::Free
            };
            self.push_move(frame, mv, link, Value::open(n_replies, 1));
        }
        let has_checks = !checks.is_empty();
        self.moves = checks;
        if has_checks {
            return None;
        }
        let high = self.hands_without_new_check();
        let value = Value::no_mate(Plies::UNLIMITED, Counts::NONE, high);
        Some(Found { value, best: None })
    }

    /// Whether `mv` only declines the promotion of `before`, for which there is rarely a reason (a
    /// pawn drop that is then no mate).
    fn is_needless_after(&self, mv: Move, before: Move) -> bool {
        declines(mv, before)
            && mv
                .from()
                .and_then(|from| self.position.piece_at(from))
                .is_some_and(|piece| {
                    use PieceKind::{Bishop, Pawn, Rook};
                    matches!(piece.kind, Pawn | Bishop | Rook)
                })
    }

    fn mate_at_once(&mut self, mv: Move) -> Found {
        let undo = self.position.do_move(mv);
        let low = self.hand_that_keeps_mated(Bitboard::EMPTY);
        self.position.undo_move(undo);
        let value = Value::mate(Plies::new(0), low, Counts::ALL);
        Found {
            value: self.before_move(&value, mv),
            best: Some(mv),
        }
    }

    fn expand_defence(&mut self, frame: &Frame) -> Option<Found> {
        let replies = self.position.legal_moves();
        let has_others = replies.iter().any(|mv| !mv.is_drop());
        self.top_mut().has_other_replies = has_others;
        if frame.within == Plies::new(0) && has_others {
            let value = Value::no_mate(Plies::new(0), Counts::NONE, Counts::ALL);
            return Some(Found { value, best: None });
        }
        self.push_others(frame, &replies);
        let mut has_drops = false;
        if frame.kind == NodeKind::Defence {
            let mut drops = std::mem::take(&mut self.drops);
            drops.clear();
            drops.extend(replies.iter().filter(|mv| mv.is_drop()));
            // By square, the cheapest piece first.
            drops.sort_unstable_by_key(|mv| (mv.to(), mv.raw()));
            has_drops = !drops.is_empty();
            let escape = self.push_drops(frame, &drops);
            self.drops = drops;
            if escape.is_some() {
                return escape;
            }
        }
        let asks_about_others = frame.within > Plies::new(2) && !frame.within.is_unlimited();
        if has_drops && has_others && asks_about_others {
            self.push_child(Step::Stay, Link::Free, Value::open(1, 1), |node| NodeKey {
                board: node.board ^ NO_DROPS_KEY,
                ..node
            });
        }
        if has_others || has_drops {
            return None;
        }
        let low = if frame.kind == NodeKind::Defence {
            self.hand_that_keeps_mated(Bitboard::EMPTY)
        } else {
            Counts::NONE
        };
        let value = Value::mate(Plies::new(0), low, Counts::ALL);
        Some(Found { value, best: None })
    }

    /// Makes the children for all replies but drops.
    fn push_others(&mut self, frame: &Frame, replies: &[Move]) {
        let mut others = std::mem::take(&mut self.moves);
        others.clear();
        for &mv in replies.iter().filter(|mv| !mv.is_drop()) {
            let takes = self.position.piece_at(mv.to()).is_some();
            others.push((mv, if takes { 1 } else { QUIET_REPLY_DN }));
        }
        sort_promotions_first(&mut others);
        for (idx, &(mv, dn)) in others.iter().enumerate() {
            let link = if idx > 0 && declines(mv, others[idx - 1].0) {
                Link::AfterMate
            } else {
                Link::Free
            };
            self.push_move(frame, mv, link, Value::open(1, dn));
        }
        self.moves = others;
    }

    /// Makes the children for all drops, which come sorted by square: for each square first whether
    /// the piece can be taken for nothing, then the drops one after another. An answer if that shows
    /// that it is no mate at once.
    fn push_drops(&mut self, frame: &Frame, drops: &[Move]) -> Option<Found> {
        let mut link = Link::Free;
        for (idx, &drop) in drops.iter().enumerate() {
            if idx == 0 || drops[idx - 1].to() != drop.to() {
                link = Link::Free;
                for take in self.takes_by_checker(drop.to()).into_iter().flatten() {
                    let step = Step::Retake { drop, take };
                    let board = key_with_moved(&self.position, frame.node.board, take);
                    self.push_child(step, link, Value::open(1, 1), |node| NodeKey {
                        board,
                        ..node
                    });
                    link = Link::Beside;
                }
                if frame.within == Plies::new(0) && link == Link::Free {
                    let value = Value::no_mate(Plies::new(0), Counts::NONE, Counts::ALL);
                    let value = self.escape_by(drop, value);
                    return Some(Found { value, best: None });
                }
            }
            if frame.within > Plies::new(0) {
                self.push_move(frame, drop, link, Value::open(1, 1));
                link = Link::AfterMate;
            }
        }
        None
    }

    /// The squares between the defender's king and the only checker.
    pub(super) fn line_of_check(&self) -> Bitboard {
        let king = self.position.king(self.attacker.flipped());
        let checkers = self.position.checkers();
        match (king, checkers.first()) {
            (Some(king), Some(checker)) if !checkers.has_several() => between(king, checker),
            _ => Bitboard::EMPTY,
        }
    }

    /// The moves by which the only checker takes a piece that the defender drops on `square`: with
    /// promotion and without. A rook or bishop that can promote does.
    pub(super) fn takes_by_checker(&self, square: Square) -> [Option<Move>; 2] {
        let (attacker, position) = (self.attacker, &self.position);
        let checker = position.checkers().first().expect("the king is in check");
        let kind = position.piece_at(checker).expect("a checker is there").kind;
        let after = position.occupied() & !Bitboard::of(checker) | Bitboard::of(square);
        let pins = |king| position.sliders_to(king, attacker.flipped(), after);
        if position
            .king(attacker)
            .is_some_and(|king| !pins(king).is_empty())
        {
            return [None; 2];
        }
        let in_zone = checker.in_zone(attacker) || square.in_zone(attacker);
        let promoted = kind.promoted().filter(|_| in_zone);
        let may_stay = !immobile(kind, attacker).contains(square)
            && (promoted.is_none() || kind == PieceKind::Lance);
        // A lance that promotes far from the king gives no check.
        let checks = |kind| {
            let king = position.king(attacker.flipped());
            king.is_some_and(|king| attacks(kind, attacker, square, after).contains(king))
        };
        [
            promoted
                .filter(|&kind| checks(kind))
                .map(|_| Move::board(checker, square, true)),
            may_stay.then(|| Move::board(checker, square, false)),
        ]
    }

    fn push_move(&mut self, frame: &Frame, mv: Move, link: Link, value: Value) {
        let board = key_after(&self.position, frame.node.board, mv);
        let hand = self.hand_after(frame.node.hand, mv);
        self.push_child(Step::Move(mv), link, value, |_| NodeKey { board, hand });
    }

    fn push_child(
        &mut self,
        step: Step,
        link: Link,
        value: Value,
        node_from: impl FnOnce(NodeKey) -> NodeKey,
    ) {
        let frame = self.top();
        let node = node_from(frame.node);
        if !frame.is_new {
            self.table.warm(node);
        }
        self.children.push(Child {
            step,
            link,
            is_known: false,
            node,
            value,
            is_new: true,
        });
    }

    /// Looks what is known about a child of the deepest node that begins to count. Below a new node
    /// the table is not asked before the child is gone down to: it mostly knows nothing there, and
    /// asking costs more than anything else.
    pub(super) fn get_to_know(&mut self, child_idx: usize) {
        let frame = *self.top();
        let child = self.children[child_idx];
        let within = child_within(&frame, child.step);
        let node = child.node;
        let is_position = matches!(child.step, Step::Move(_));
        let value = if is_position && self.was_played(node) {
            Some(Value::no_mate(Plies::UNLIMITED, node.hand, node.hand))
        } else if let Some(depth) = self.repeats(node, within) {
            Some(Value::repetition(node.hand, depth))
        } else if frame.is_new {
            None
        } else {
            self.table.look(node, within).map(|known| known.value)
        };
        let child = &mut self.children[child_idx];
        child.is_known = true;
        if let Some(value) = value {
            child.value = value;
            child.is_new = false;
        }
    }
}

/// Whether `mv` is `before` without its promotion.
fn declines(mv: Move, before: Move) -> bool {
    before.is_promotion() && before.from() == mv.from() && before.to() == mv.to()
}

/// Puts a promotion right before the same move without it.
fn sort_promotions_first(moves: &mut [(Move, u32)]) {
    moves.sort_unstable_by_key(|(mv, _)| (mv.to(), mv.from(), !mv.is_promotion(), mv.raw()));
}
