//! The path from the root of a search to the node that it looks at, and the children along it.

use super::table::NodeKey;
use super::value::{Plies, Value};
use crate::position::Undo;
use crate::{Move, PieceKind};

/// Who chooses at a node, and among what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// The attacker, who must give check: one mate is enough.
    Attack,
    /// The defender: all replies must lead to mate.
    Defence,
    /// The defender, who may not drop anything. It asks whether a dropped piece prolongs a mate.
    NoDrops,
}

/// How a child comes from its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A legal move.
    Move(Move),
    /// The defender puts a piece between (`drop`), the checker takes it (`take`), and the piece goes
    /// back to the defender's hand: what the drop is worth if it only costs time.
    Retake { drop: Move, take: Move },
    /// Nothing moves: the same position, as a node of [`NodeKind::NoDrops`] if it is a child.
    Stay,
}

/// How a child stands to the one before it. Up to the next [`Link::Free`] children are one group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// Begins a group.
    Free,
    /// Answers the same reply in another way: one of them is enough.
    Beside,
    /// Counts when the child before it is a mate: another reply, likely to fare no better.
    AfterMate,
    /// Counts when the child before it is no mate: another check, likely to fare no better.
    AfterNoMate,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub(super) step: Step,
    pub(super) link: Link,
    /// Whether the table was asked: not before the child counts.
    pub(super) is_known: bool,
    pub(super) node: NodeKey,
    pub(super) value: Value,
    /// Whether it was never looked at, as far as the table knows.
    pub(super) is_new: bool,
}

/// What takes a step back.
#[derive(Debug, Clone, Copy)]
pub(super) enum Back {
    /// There was no step: the root, or [`Step::Stay`].
    Nothing,
    Move(Undo),
    Retake {
        drop: Undo,
        take: Undo,
        kind: PieceKind,
    },
}

/// A node on the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) kind: NodeKind,
    pub(super) node: NodeKey,
    /// The question: a mate within so many plies from here?
    pub(super) within: Plies,
    /// Stands for the path from the root to here.
    pub(super) path: u64,
    /// Its children begin here in the common list, and end where the next frame's begin.
    pub(super) first_child: usize,
    /// Which child of the frame above it is, counted from that frame's first.
    pub(super) slot: usize,
    pub(super) back: Back,
    /// The search goes on below this node while both of its numbers are smaller than these.
    pub(super) max_pn: u32,
    pub(super) max_dn: u32,
    /// Whether its numbers have been compared with the limits.
    pub(super) is_entered: bool,
    /// Nodes looked at when it was reached.
    pub(super) nodes_before: u64,
    /// For the defender: whether there are replies that are no drops.
    pub(super) has_other_replies: bool,
    /// Whether it is looked at for the first time, as far as the table knows.
    pub(super) is_new: bool,
}
