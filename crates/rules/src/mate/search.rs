//! The depth-first proof-number search itself: going down to the most promising leaf and back up.
//!
//! The path is kept on a stack of its own, so the search can stop after any node and go on later.

use super::counts::Counts;
use super::frame::{Back, Child, Frame, NodeKind, Step};
use super::keys::{board_key, mixed};
use super::table::{NodeKey, PathTable, Table};
use super::value::{INFINITE, NO_PATH, Plies, Value};
use crate::{Color, Move, PieceKind, Position};

/// The deepest path. The longest mate problem known has 1,525 plies.
pub(super) const MAX_DEPTH: usize = 4000;
/// After so many nodes without a new one, limits are widened until there is one. In a cycle two paths
/// can else change each other's numbers for ever (Kishimoto 2010 widens wherever a cycle may be; most
/// of the time that only makes the path long).
const PATIENCE: u32 = 1000;
/// Boards on the path, counted by the low bits of their keys.
const FILTER: usize = 1024;

/// The answer to the question at a root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) value: Value,
    /// Of a mate with the attacker to move: the move to play.
    pub(super) best: Option<Move>,
}

/// A search for one attacker in one position and what can be reached from it.
pub(super) struct Search {
    /// Where the path has come to; without a path, the position asked about.
    pub(super) position: Position,
    pub(super) attacker: Color,
    pub(super) table: Table,
    path_table: PathTable,
    pub(super) frames: Vec<Frame>,
    pub(super) children: Vec<Child>,
    filter: Vec<u16>,
    /// Room for the moves of one position.
    pub(super) moves: Vec<(Move, u32)>,
    pub(super) drops: Vec<Move>,
    /// Positions of the game before, sorted: none of them may occur again.
    played: Vec<(u64, u32)>,
    /// Whether a path was cut since it was too deep: then nothing is disproved.
    pub(super) is_cut: bool,
    /// Nodes gone down to since the last one that was new.
    stale: u32,
    /// Nodes looked at since the position was set.
    pub(super) nodes: u64,
}

impl Search {
    /// A search whose tables take about so many bytes.
    pub(super) fn new(bytes: usize) -> Search {
        Search {
            position: Position::startpos(),
            attacker: Color::Black,
            table: Table::new(bytes / 8 * 7),
            path_table: PathTable::new(bytes / 8),
            frames: Vec::new(),
            children: Vec::new(),
            filter: vec![0; FILTER],
            moves: Vec::new(),
            drops: Vec::new(),
            played: Vec::new(),
            is_cut: false,
            stale: 0,
            nodes: 0,
        }
    }

    /// Forgets all and takes a new position; the side to move attacks.
    pub(super) fn set(&mut self, position: &Position) {
        self.position = position.clone();
        self.attacker = position.side_to_move();
        self.played.clear();
        self.table.clear();
        self.path_table.clear();
        self.frames.clear();
        self.children.clear();
        self.filter.fill(0);
        self.is_cut = false;
        self.stale = 0;
        self.nodes = 0;
    }

    /// Forbids positions: none of them may occur again.
    pub(super) fn forbid(&mut self, played: &[Position]) {
        let keys = played.iter().map(|old| self.node_of(old).sorted_key());
        self.played = keys.collect();
        self.played.sort_unstable();
    }

    /// The node of a position as this attacker sees it.
    pub(super) fn node_of(&self, position: &Position) -> NodeKey {
        NodeKey {
            board: board_key(position),
            hand: Counts::of(position.hand(self.attacker)),
        }
    }

    /// Whether a position that occurred in the game before is this node.
    pub(super) fn was_played(&self, node: NodeKey) -> bool {
        !self.played.is_empty() && self.played.binary_search(&node.sorted_key()).is_ok()
    }

    /// Asks for a mate within so many plies in the position now. Without an answer at once,
    /// [`Search::run`] looks for it, or nothing was done since `budget`, from which the node is
    /// taken, is empty ([`Search::is_running`]).
    pub(super) fn ask(&mut self, within: Plies, budget: &mut u64) -> Option<Found> {
        debug_assert!(self.frames.is_empty());
        let kind = if self.position.side_to_move() == self.attacker {
            NodeKind::Attack
        } else {
            NodeKind::Defence
        };
        let node = self.node_of(&self.position);
        let known = self.table.look(node, within);
        if let Some(known) = known
            && known.value.is_solved()
        {
            return Some(Found {
                value: known.value,
                best: known.best,
            });
        }
        *budget = budget.checked_sub(1)?;
        self.push(Frame {
            kind,
            node,
            within,
            path: mixed(node.board),
            first_child: 0,
            slot: 0,
            back: Back::Nothing,
            max_pn: INFINITE,
            max_dn: INFINITE,
            is_entered: false,
            nodes_before: self.nodes,
            has_other_replies: false,
            is_new: known.is_none(),
        });
        let Found { value, best } = self.expand()?;
        self.go_up(value, best)
    }

    /// Whether a question was asked and not answered yet.
    pub(super) fn is_running(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Looks on for at most `budget` nodes, which are taken off; `None` if that did not suffice.
    pub(super) fn run(&mut self, budget: &mut u64) -> Option<Found> {
        while *budget > 0 {
            let answer = self.step(budget);
            if answer.is_some() {
                return answer;
            }
        }
        None
    }

    /// One look at the deepest node: goes up if its limits are reached, else down to its best child.
    fn step(&mut self, budget: &mut u64) -> Option<Found> {
        let assessed = self.assess();
        let depth = self.frames.len();
        let frame = self.frames.last_mut().expect("the root is on the path");
        let (pn, dn) = (assessed.value.pn, assessed.value.dn);
        if !frame.is_entered {
            frame.is_entered = true;
            if self.stale > PATIENCE {
                frame.max_pn = frame.max_pn.max(pn.saturating_add(1)).min(INFINITE);
                frame.max_dn = frame.max_dn.max(dn.saturating_add(1)).min(INFINITE);
            }
        }
        if pn >= frame.max_pn || dn >= frame.max_dn {
            return self.go_up(assessed.value, assessed.best_move);
        }
        let child_idx = frame.first_child + assessed.best;
        let (max_pn, max_dn) = assessed.child_limits(frame, &self.children[child_idx]);
        if self.is_answered_by_tables(child_idx, depth) {
            return None;
        }
        *budget -= 1;
        self.go_down(assessed.best, max_pn, max_dn);
        None
    }

    /// Asks the tables once more, now that the path to the child is known; whether that changed what
    /// is known about it.
    fn is_answered_by_tables(&mut self, child_idx: usize, depth: usize) -> bool {
        let child = self.children[child_idx];
        let frame = self.frames[depth - 1];
        let within = child_within(&frame, child.step);
        if depth >= MAX_DEPTH {
            self.is_cut = true;
            self.children[child_idx].value = Value::repetition(child.node.hand, 0);
            return true;
        }
        let path = path_after(frame.path, child.node);
        let value = match self.path_table.look(path, child.node, within) {
            Some(value) => Some(value),
            None => self.table.look(child.node, within).map(|known| known.value),
        };
        match value {
            Some(value) => {
                let child = &mut self.children[child_idx];
                child.is_new = false;
                let is_news = value != child.value;
                child.value = value;
                is_news
            }
            None => false,
        }
    }

    fn go_down(&mut self, slot: usize, max_pn: u32, max_dn: u32) {
        let frame = *self.top();
        let child = self.children[frame.first_child + slot];
        let kind = match (frame.kind, child.step) {
            (NodeKind::Attack, _) | (_, Step::Retake { .. }) => NodeKind::Defence,
            (_, Step::Stay) => NodeKind::NoDrops,
            (_, Step::Move(_)) => NodeKind::Attack,
        };
        let back = self.make(child.step);
        self.push(Frame {
            kind,
            node: child.node,
            within: child_within(&frame, child.step),
            path: path_after(frame.path, child.node),
            first_child: self.children.len(),
            slot,
            back,
            max_pn,
            max_dn,
            is_entered: false,
            nodes_before: self.nodes,
            has_other_replies: false,
            is_new: child.is_new,
        });
        self.stale = if child.is_new { 0 } else { self.stale + 1 };
        if let Some(answer) = self.expand() {
            self.leave(answer.value, answer.best);
        }
    }

    /// Leaves the deepest node with these numbers; an answer if it was the root.
    fn go_up(&mut self, value: Value, best: Option<Move>) -> Option<Found> {
        let value = self.leave(value, best);
        self.frames.is_empty().then_some(Found { value, best })
    }

    /// Remembers what was found at the deepest node, takes it off the path and tells the node above.
    fn leave(&mut self, mut value: Value, best: Option<Move>) -> Value {
        let depth = self.frames.len() as u16;
        let frame = *self.top();
        let effort = self.nodes - frame.nodes_before;
        if !value.is_solved() {
            self.table.keep_open(frame.node, &value, effort);
        } else if value.is_mate() || value.leans_on >= depth {
            // A repetition of this node itself, or of one below, is no matter of the path to it.
            value.leans_on = NO_PATH;
            self.table.keep_answer(frame.node, &value, best, effort);
        } else {
            self.path_table.keep(frame.path, &value);
        }
        self.pop_frame();
        if let Some(above) = self.frames.last() {
            let child = &mut self.children[above.first_child + frame.slot];
            child.value = value;
            child.is_new = false;
        }
        value
    }

    /// The deepest node of the path.
    pub(super) fn top(&self) -> &Frame {
        self.frames.last().expect("the root is on the path")
    }

    pub(super) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the root is on the path")
    }

    fn push(&mut self, frame: Frame) {
        self.filter[frame.node.board as usize % FILTER] += 1;
        self.frames.push(frame);
    }

    fn pop_frame(&mut self) {
        let frame = self.frames.pop().expect("the root is on the path");
        self.filter[frame.node.board as usize % FILTER] -= 1;
        self.children.truncate(frame.first_child);
        self.unmake(frame.back);
    }

    /// The depth of a node on the path that makes this one pointless: the same position, or, where
    /// the length does not matter, the same board with at least as much in the attacker's hand.
    pub(super) fn repeats(&self, node: NodeKey, within: Plies) -> Option<u16> {
        if self.filter[node.board as usize % FILTER] == 0 {
            return None;
        }
        let idx = self.frames.iter().position(|frame| {
            frame.node.board == node.board
                && if within.is_unlimited() {
                    frame.node.hand.covers(node.hand)
                } else {
                    frame.node.hand == node.hand
                }
        })?;
        Some(idx as u16 + 1)
    }

    /// Does a step in the position.
    pub(super) fn make(&mut self, step: Step) -> Back {
        match step {
            Step::Stay => Back::Nothing,
            Step::Move(mv) => Back::Move(self.position.do_move(mv)),
            Step::Retake { drop, take } => {
                let kind = drop.drop_kind().expect("a piece is dropped between");
                let drop = self.position.do_move(drop);
                let take = self.position.do_move(take);
                self.hand_over(kind, self.attacker);
                Back::Retake { drop, take, kind }
            }
        }
    }

    /// Takes a step back.
    pub(super) fn unmake(&mut self, back: Back) {
        match back {
            Back::Nothing => {}
            Back::Move(undo) => self.position.undo_move(undo),
            Back::Retake { drop, take, kind } => {
                self.hand_over(kind, self.attacker.flipped());
                self.position.undo_move(take);
                self.position.undo_move(drop);
            }
        }
    }

    /// Gives a piece in hand to the opponent.
    fn hand_over(&mut self, kind: PieceKind, giver: Color) {
        self.position.hands[giver.index()].remove_slot(kind.index());
        self.position.hands[giver.flipped().index()].add(kind, 1);
    }
}

/// The question at a child.
pub(super) fn child_within(frame: &Frame, step: Step) -> Plies {
    match step {
        Step::Move(_) => frame.within.minus(1),
        Step::Retake { .. } => frame.within,
        Step::Stay => frame.within.minus(2),
    }
}

fn path_after(path: u64, node: NodeKey) -> u64 {
    mixed(path ^ node.board ^ u64::from(node.hand.bits()) << 32)
}
