//! The numbers of a node from those of its children, and which child to look at next.

use super::counts::Counts;
use super::frame::{Child, Frame, Link, NodeKind, Step};
use super::search::Search;
use super::value::{INFINITE, Plies, Value};
use crate::Move;

/// What the children of a node come to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Assessment {
    pub(super) value: Value,
    /// If not solved: the child to look at, counted from the first.
    pub(super) best: usize,
    /// The number by which the best child was chosen, of the second best.
    second: u32,
    /// How much the other children add to the number that is not the child's alone.
    others: u32,
    /// The proof number of another way to answer the same reply.
    alternative: u32,
    extra: u32,
    /// If a mate with the attacker to move: the move to play.
    pub(super) best_move: Option<Move>,
}

/// Children that are not solved, seen by the side that chooses among them: `own` is the number that
/// it wants small (the smallest counts), `other` the number that adds up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    best: Candidate,
    second: u32,
    largest_other: u32,
    total_other: u32,
    n: u32,
}

/// A child that is not solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Counted from the first.
    pub(super) slot: usize,
    pub(super) own: u32,
    pub(super) other: u32,
    /// How much of `other` is not the child's own.
    pub(super) extra: u32,
    /// The proof number of another way to answer the same reply; infinite if there is none.
    pub(super) alternative: u32,
}

impl Open {
    pub(super) const NONE: Open = Open {
        best: Candidate {
            slot: 0,
            own: INFINITE,
            other: INFINITE,
            extra: 0,
            alternative: INFINITE,
        },
        second: INFINITE,
        largest_other: 0,
        total_other: 0,
        n: 0,
    };

    pub(super) fn is_empty(&self) -> bool {
        self.n == 0
    }

    #[inline]
    pub(super) fn add(&mut self, candidate: Candidate) {
        let Candidate { own, other, .. } = candidate;
        self.n += 1;
        self.total_other = self.total_other.saturating_add(other);
        self.largest_other = self.largest_other.max(other);
        if (own, other) < (self.best.own, self.best.other) || self.n == 1 {
            self.second = self.best.own;
            self.best = candidate;
        } else {
            self.second = self.second.min(own);
        }
    }

    /// The number that adds up: of the child where it is largest, at least one for each other child,
    /// and half of what they have beyond that. A plain sum counts what children have in common once
    /// for each of them, the largest alone forgets what they have not (both are known: weak proof
    /// numbers, Ueda et al. 2008; half was the best of four mixtures tried).
    pub(super) fn sum(&self) -> u32 {
        let rest = self.total_other - self.largest_other;
        let each = self.n.saturating_sub(1);
        (self.largest_other + each + (rest - each.min(rest)) / 2).min(INFINITE - 1)
    }

    /// The smallest number of those that are wanted small.
    pub(super) fn smallest(&self) -> u32 {
        self.best.own
    }
}

impl Search {
    /// Puts together what is known about the children of the deepest node.
    pub(super) fn assess(&mut self) -> Assessment {
        match self.top().kind {
            NodeKind::Attack => self.assess_attack(),
            NodeKind::Defence | NodeKind::NoDrops => self.assess_defence(),
        }
    }

    fn assess_attack(&mut self) -> Assessment {
        let frame = *self.top();
        let mut open = Open::NONE;
        let mut none = Value::no_mate(Plies::UNLIMITED, Counts::NONE, Counts::ALL);
        let mut last_is_no_mate = false;
        for idx in frame.first_child..self.children.len() {
            if self.children[idx].link == Link::AfterNoMate && !last_is_no_mate {
                continue;
            }
            let child = self.known_child(idx);
            let Step::Move(mv) = child.step else {
                unreachable!("the attacker has moves only");
            };
            last_is_no_mate = child.value.is_no_mate();
            if child.value.is_mate() {
                return solved(self.before_move(&child.value, mv), Some(mv));
            }
            if last_is_no_mate {
                let value = self.before_move(&child.value, mv);
                none.and(&value);
                continue;
            }
            open.add(Candidate {
                slot: idx - frame.first_child,
                own: child.value.pn,
                other: child.value.dn,
                extra: 0,
                alternative: INFINITE,
            });
        }
        if open.is_empty() {
            none.high = none.high.meet(self.hands_without_new_check());
            return solved(none, None);
        }
        unsolved(&open, Value::open(open.smallest(), open.sum()))
    }

    /// A child that counts; what is known about it is looked up when it begins to.
    #[inline]
    pub(super) fn known_child(&mut self, idx: usize) -> Child {
        if !self.children[idx].is_known {
            self.get_to_know(idx);
        }
        self.children[idx]
    }
}

pub(super) fn solved(value: Value, best_move: Option<Move>) -> Assessment {
    Assessment {
        value,
        best: 0,
        second: INFINITE,
        others: 0,
        alternative: INFINITE,
        extra: 0,
        best_move,
    }
}

pub(super) fn unsolved(open: &Open, value: Value) -> Assessment {
    Assessment {
        value,
        best: open.best.slot,
        second: open.second,
        others: open.sum().saturating_sub(open.best.other),
        alternative: open.best.alternative,
        extra: open.best.extra,
        best_move: None,
    }
}

impl Assessment {
    /// Up to which numbers the best child is looked at, as (proof, disproof) number: until another
    /// child is clearly better, or the node itself reaches its limits.
    pub(super) fn child_limits(&self, frame: &Frame, child: &Child) -> (u32, u32) {
        let (max_own, max_other) = match frame.kind {
            NodeKind::Attack => (frame.max_pn, frame.max_dn),
            NodeKind::Defence | NodeKind::NoDrops => (frame.max_dn, frame.max_pn),
        };
        let own = max_own.min(clearly_above(self.second));
        let other = max_other
            .saturating_sub(self.others)
            .min(clearly_above(self.alternative))
            .saturating_sub(self.extra);
        match (frame.kind, child.step) {
            (NodeKind::Attack, _) | (_, Step::Stay) => (own, other),
            _ => (other, own),
        }
    }
}

/// A quarter more than the second best has (1 + epsilon, Pawlewicz and Lew 2007): fewer changes from
/// one child to the other and back.
fn clearly_above(second: u32) -> u32 {
    second.saturating_add(second / 4 + 1)
}
