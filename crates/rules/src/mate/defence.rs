//! The numbers of a node where the defender moves.
//!
//! Replies come in groups. Most groups are one move. All drops on one square are a group, in which
//! the attacker has two ways: to take each dropped piece for nothing, which is one question for all
//! kinds ([`Step::Retake`]), or to answer the drops, one after another.

use std::ops::Range;

use super::assess::{Assessment, Candidate, Open, solved, unsolved};
use super::counts::Counts;
use super::frame::{Child, Frame, Link, NodeKind, Step};
use super::search::Search;
use super::value::{INFINITE, NO_PATH, Plies, Value};
use crate::Bitboard;

/// What each further drop of a group adds to the proof number of the first that is not answered:
/// taking for nothing answers all at once, and is worth some more trouble. Found by trying 1 to 4.
const FURTHER_DROP_PN: u32 = 3;

/// How a group of replies stands.
enum Group {
    /// All are mates; `plies` counts from before the reply. On `passed` any drop is.
    Answered { mate: Value, passed: Bitboard },
    /// One of them escapes.
    Escapes(Value),
    /// The child to look at next.
    Open(Candidate),
    /// The question about a mate without drops decides.
    Waits,
}

impl Search {
    pub(super) fn assess_defence(&mut self) -> Assessment {
        let frame = *self.top();
        let no_drops = self.no_drops_child(&frame);
        let end = no_drops.unwrap_or(self.children.len());
        let mut open = Open::NONE;
        let mut all = Value::mate(Plies::new(0), Counts::NONE, Counts::ALL);
        let mut all_passed = Bitboard::EMPTY;
        let mut waits = false;
        let mut begin = frame.first_child;
        while begin < end {
            let is_next = |child: &Child| child.link != Link::Free;
            let rest = &self.children[begin + 1..end];
            let n = 1 + rest.iter().take_while(|child| is_next(child)).count();
            match self.assess_group(&frame, begin..begin + n, no_drops) {
                Group::Answered { mate, passed } => {
                    all.only_where(&mate);
                    all.plies = all.plies.max(mate.plies);
                    all_passed |= passed;
                }
                Group::Escapes(value) => return solved(value, None),
                Group::Open(candidate) => open.add(candidate),
                Group::Waits => waits = true,
            }
            begin += n;
        }
        if let Some(idx) = no_drops
            && waits
        {
            if !self.children[idx].is_known {
                self.get_to_know(idx);
                return self.assess_defence();
            }
            // To let the drops pass, a mate without them must be disproved.
            let Value { pn, dn, .. } = self.children[idx].value;
            open.add(Candidate {
                slot: idx - frame.first_child,
                own: pn,
                other: dn,
                extra: 0,
                alternative: INFINITE,
            });
        }
        if open.is_empty() {
            if frame.kind == NodeKind::Defence {
                all.low = all.low.join(self.hand_that_keeps_mated(all_passed));
            }
            return solved(all, None);
        }
        unsolved(&open, Value::open(open.sum(), open.smallest()))
    }

    /// The child that asks for a mate without drops, if there is one. It is the last.
    fn no_drops_child(&self, frame: &Frame) -> Option<usize> {
        let idx = self.children.len().checked_sub(1)?;
        (idx >= frame.first_child && self.children[idx].step == Step::Stay).then_some(idx)
    }

    fn assess_group(
        &mut self,
        frame: &Frame,
        group: Range<usize>,
        no_drops: Option<usize>,
    ) -> Group {
        let mut candidates = Candidates::new(frame);
        // Why taking for nothing does not help.
        let mut not_taken = ANY;
        let mut waits = false;
        let mut first_move = group.start;
        while first_move < group.end
            && let Step::Retake { drop, .. } = self.children[first_move].step
        {
            let child = self.known_child(first_move);
            if child.value.is_no_mate() {
                not_taken.and(&child.value);
            } else if child.value.is_mate() {
                let others = no_drops.map(|idx| self.children[idx].value);
                match length(frame, &child.value, others.as_ref()) {
                    Length::Counts { plies, since } => {
                        let mut mate = Value {
                            plies,
                            ..child.value
                        };
                        mate.only_where(&since);
                        let passed = Bitboard::of(drop.to());
                        return Group::Answered { mate, passed };
                    }
                    Length::Unknown => waits = true,
                    Length::TooLong { since } => not_taken.and(&Value {
                        plies: frame.within,
                        ..since
                    }),
                }
            } else {
                candidates.add(first_move, &child.value, 0);
            }
            first_move += 1;
        }
        let has_way = waits || candidates.best.is_some();
        match self.assess_moves(first_move..group.end, &mut candidates) {
            Moves::Answered(mate) if first_move < group.end => {
                let passed = Bitboard::EMPTY;
                return Group::Answered { mate, passed };
            }
            // A piece put between that cannot be answered cannot be taken for nothing either, since
            // taking is an answer. How long a mate takes is another matter.
            Moves::Escapes(value) if frame.within.is_unlimited() => {
                return Group::Escapes(value);
            }
            Moves::Escapes(value) if !has_way => {
                not_taken.and(&value);
                return Group::Escapes(not_taken);
            }
            Moves::Answered(_) if !has_way => {
                let child = self.children[group.start];
                let Step::Retake { drop, .. } = child.step else {
                    unreachable!("a group without moves takes something");
                };
                return Group::Escapes(self.escape_by(drop, not_taken));
            }
            _ => {}
        }
        match candidates.best {
            Some(candidate) if !waits => Group::Open(candidate),
            _ => Group::Waits,
        }
    }

    /// The moves of a group, one after another until one is not answered.
    fn assess_moves(&mut self, moves: Range<usize>, candidates: &mut Candidates) -> Moves {
        let mut answered = Value::mate(Plies::new(0), Counts::NONE, Counts::ALL);
        let end = moves.end;
        for idx in moves {
            let child = self.known_child(idx);
            let Step::Move(mv) = child.step else {
                unreachable!("moves come after what is taken");
            };
            let value = Value {
                plies: child.value.plies.plus(1),
                ..child.value
            };
            if value.is_no_mate() {
                return Moves::Escapes(self.escape_by(mv, value));
            }
            if !value.is_mate() {
                candidates.add(idx, &value, (end - idx - 1) as u32 * FURTHER_DROP_PN);
                return Moves::Open;
            }
            answered.only_where(&value);
            answered.plies = answered.plies.max(value.plies);
        }
        Moves::Answered(answered)
    }
}

/// How the moves of a group stand.
enum Moves {
    Answered(Value),
    Escapes(Value),
    Open,
}

/// The ways to answer a group that are not decided; the attacker chooses among them.
struct Candidates {
    first_child: usize,
    best: Option<Candidate>,
}

impl Candidates {
    fn new(frame: &Frame) -> Candidates {
        Candidates {
            first_child: frame.first_child,
            best: None,
        }
    }

    fn add(&mut self, idx: usize, value: &Value, extra: u32) {
        let new = Candidate {
            slot: idx - self.first_child,
            own: value.dn,
            other: value.pn + extra,
            extra,
            alternative: INFINITE,
        };
        let (best, alternative) = match self.best {
            None => (new, INFINITE),
            Some(old) if new.other < old.other => (new, old.other),
            Some(old) => (old, old.alternative.min(new.other)),
        };
        self.best = Some(Candidate {
            alternative,
            ..best
        });
    }
}

/// What a drop that is taken for nothing does to the length of a mate, and what that leans on.
enum Length {
    Counts {
        plies: Plies,
        since: Value,
    },
    /// The question about a mate without drops decides.
    Unknown,
    /// The drop prolongs the mate beyond the limit, since the other replies end sooner.
    TooLong {
        since: Value,
    },
}

/// How many plies a drop makes of the mate that is taken for nothing and then mated as `value` says.
/// `others` is what is known about a mate two plies sooner if nothing is dropped.
fn length(frame: &Frame, value: &Value, others: Option<&Value>) -> Length {
    let plies = value.plies;
    let sure = Plies::new(if frame.has_other_replies { 2 } else { 0 });
    if plies <= sure {
        return Length::Counts { plies, since: ANY };
    }
    if plies.plus(2) <= frame.within {
        let plies = plies.plus(2);
        return Length::Counts { plies, since: ANY };
    }
    match others {
        // The other replies last as long: the drop gains nothing.
        Some(&since) if since.is_no_mate() && since.leans_on == NO_PATH => {
            Length::Counts { plies, since }
        }
        Some(&since) if since.is_solved() => Length::TooLong { since },
        Some(_) => Length::Unknown,
        // There are no other replies, or they last two plies at most.
        None => Length::TooLong { since: ANY },
    }
}

/// No mate, on no condition.
const ANY: Value = Value {
    pn: INFINITE,
    dn: 0,
    plies: Plies::UNLIMITED,
    low: Counts::NONE,
    high: Counts::ALL,
    leans_on: NO_PATH,
};
