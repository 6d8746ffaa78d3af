//! Reading the line off a proof: at each position the attacker's shortest known mate, the defender's
//! longest known resistance.
//!
//! A walk only asks questions. Most are answered by the table; what has been overwritten there is
//! proved again.

use super::frame::{Back, Step};
use super::search::{Found, MAX_DEPTH, Search};
use super::value::Plies;
use crate::{Move, Position};

/// A walk from the root, at some position on the way.
pub(super) struct Walk {
    line: Vec<Move>,
    backs: Vec<Back>,
    /// A mate within so many plies is proved here.
    within: Plies,
    /// Whether the defender is to move.
    is_defence: bool,
    /// The defender's replies, and which of them is asked about next.
    replies: Vec<Reply>,
    next: usize,
    /// Whether the replies hold the drops that do not only cost time.
    has_drops: bool,
    has_failed: bool,
}

/// A reply, or what a drop is worth that only costs time.
#[derive(Debug, Clone, Copy)]
struct Reply {
    step: Step,
    within: Plies,
    /// Plies to mate, counted from before the reply; none if there is no mate.
    plies: Option<Plies>,
}

impl Walk {
    /// A walk that begins where the attacker mates within so many plies.
    pub(super) fn new(within: Plies) -> Walk {
        Walk {
            line: Vec::new(),
            backs: Vec::new(),
            within,
            is_defence: false,
            replies: Vec::new(),
            next: 0,
            has_drops: false,
            has_failed: false,
        }
    }

    /// What must be known next: the step to a position, and within how many plies the mate is
    /// expected there.
    pub(super) fn question(&self) -> (Step, Plies) {
        if self.is_defence {
            let reply = &self.replies[self.next];
            (reply.step, reply.within)
        } else {
            (Step::Stay, self.within)
        }
    }

    /// Takes the answer, and goes on as far as it leads; whether the walk is at its end.
    pub(super) fn receive(&mut self, search: &mut Search, found: Found) -> bool {
        if !self.is_defence {
            self.attack(search, found);
        } else {
            self.hear(found);
        }
        while self.is_defence && !self.has_failed && self.next == self.replies.len() {
            if !self.has_drops {
                self.add_drops(search);
            } else if let Some(reply) = self.longest() {
                self.play(search, reply.step, reply.plies);
                self.is_defence = false;
            } else {
                return true;
            }
        }
        self.has_failed
    }

    /// Takes all moves back; the line, if the walk came to a mate.
    pub(super) fn finish(self, search: &mut Search) -> Option<Vec<Move>> {
        for back in self.backs.into_iter().rev() {
            search.unmake(back);
        }
        (!self.has_failed).then_some(self.line)
    }

    /// Plays the attacker's move and lists the replies.
    fn attack(&mut self, search: &mut Search, found: Found) {
        let Some(best) = found.best.filter(|_| found.value.is_mate()) else {
            if self.within.is_unlimited() {
                self.has_failed = true;
            }
            self.within = Plies::UNLIMITED;
            return;
        };
        if !search.position.is_legal(best) {
            self.has_failed = true;
            return;
        }
        self.play(search, Step::Move(best), Some(found.value.plies));
        self.list_replies(search);
    }

    fn play(&mut self, search: &mut Search, step: Step, plies: Option<Plies>) {
        let Step::Move(mv) = step else {
            unreachable!("only moves are played");
        };
        self.line.push(mv);
        self.backs.push(search.make(step));
        self.within = plies.unwrap_or(Plies::UNLIMITED).minus(1);
        self.has_failed |= self.line.len() >= MAX_DEPTH;
    }

    /// All replies but drops, and one question for each square on which something can be dropped.
    fn list_replies(&mut self, search: &Search) {
        self.is_defence = true;
        self.replies.clear();
        self.next = 0;
        self.has_drops = false;
        let moves = search.position.legal_moves();
        for &mv in moves.iter().filter(|mv| !mv.is_drop()) {
            self.add(Step::Move(mv), self.within.minus(1));
        }
        for square in search.line_of_check() {
            let drop = moves.iter().find(|mv| mv.is_drop() && mv.to() == square);
            if let Some(&drop) = drop {
                for take in search.takes_by_checker(square).into_iter().flatten() {
                    self.add(Step::Retake { drop, take }, self.within);
                }
            }
        }
    }

    fn add(&mut self, step: Step, within: Plies) {
        self.replies.push(Reply {
            step,
            within,
            plies: None,
        });
    }

    /// Takes an answer about a reply. A mate that is not there within the limit may be a longer one:
    /// the counts of a table that has lost much are no proof.
    fn hear(&mut self, found: Found) {
        let reply = &mut self.replies[self.next];
        if found.value.is_mate() {
            reply.plies = Some(match reply.step {
                Step::Move(_) => found.value.plies.plus(1),
                _ => found.value.plies,
            });
        } else if matches!(reply.step, Step::Move(_)) {
            if reply.within.is_unlimited() {
                self.has_failed = true;
            }
            reply.within = Plies::UNLIMITED;
            return;
        }
        self.next += 1;
    }

    /// Adds the drops that are no loss of time: the checker cannot take them for nothing, or the
    /// mate then takes longer than after the other replies.
    fn add_drops(&mut self, search: &Search) {
        self.has_drops = true;
        let is_move = |reply: &&Reply| matches!(reply.step, Step::Move(_));
        let others = self.replies.iter().filter(is_move);
        let longest = others.filter_map(|reply| reply.plies).max();
        let longest = longest.unwrap_or(Plies::new(0));
        let useless: Vec<Move> = self
            .replies
            .iter()
            .filter(|reply| reply.plies.is_some_and(|plies| plies <= longest))
            .filter_map(|reply| match reply.step {
                Step::Retake { drop, .. } => Some(drop),
                _ => None,
            })
            .collect();
        for &mv in &search.position.legal_moves() {
            if mv.is_drop() && !useless.iter().any(|drop| drop.to() == mv.to()) {
                self.add(Step::Move(mv), self.within.minus(1));
            }
        }
    }

    /// The reply after which the mate takes longest; no reply if it is mate.
    fn longest(&self) -> Option<Reply> {
        let mut longest: Option<Reply> = None;
        for reply in &self.replies {
            if matches!(reply.step, Step::Move(_))
                && longest.is_none_or(|old| reply.plies > old.plies)
            {
                longest = Some(*reply);
            }
        }
        longest
    }
}

/// Whether the side to move, in check, is mated: it has no legal move, or can only drop pieces that
/// the checker takes until nothing can be dropped any more.
pub(super) fn is_mated(position: &Position, search: &mut Search) -> bool {
    let moves = position.legal_moves();
    if !position.in_check() || moves.iter().any(|mv| !mv.is_drop()) {
        return false;
    }
    search.position = position.clone();
    search.line_of_check().into_iter().all(|square| {
        let drop = moves.iter().find(|mv| mv.to() == square);
        drop.is_none_or(|&drop| {
            search
                .takes_by_checker(square)
                .into_iter()
                .flatten()
                .any(|take| {
                    let back = search.make(Step::Retake { drop, take });
                    let taken = search.position.clone();
                    let is_mated = is_mated(&taken, search);
                    search.position = taken;
                    search.unmake(back);
                    is_mated
                })
        })
    })
}
