//! The arena of one search tree: nodes, their edges, and what is proven about them.
//!
//! A node's sums are seen by **the side to move at that node**. Its parent reads them through
//! [`Node::q_for_parent`] and [`Status::of_parent`], the only two places where the view changes.
//! An edge has no statistics of its own: in a tree they are those of the node it leads to.

use std::num::NonZeroU32;
use std::ops::Range;

use rules::Move;

use crate::Wdl;

/// A node of one [`Tree`]. Never zero inside, so that an optional one takes four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeId(NonZeroU32);

impl NodeId {
    /// The first node of every tree.
    pub(crate) const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    fn from_idx(node_idx: usize) -> Self {
        let number = u32::try_from(node_idx + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("max_nodes is far below 2^32"))
    }

    fn idx(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An edge of one [`Tree`]: a legal move of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EdgeId(u32);

/// What is certain about a node, seen by the side to move there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Nothing: its value is the mean of its visits.
    Open,
    /// Ended as a draw on this path: repetition or ply limit.
    Drawn,
    /// Counts as won on this path: a repetition in which the opponent checked throughout. Not
    /// proven, since the opponent could still leave the circle.
    CountsAsWon,
    /// Counts as lost on this path: a repetition in which the side to move checked throughout.
    CountsAsLost,
    /// Proven: the side to move ends the game as winner in this many plies (a declaration counts
    /// as one).
    Won { plies: u16 },
    /// Proven: the side to move has lost after this many plies at the latest; 0 = is mated.
    Lost { plies: u16 },
}

impl Status {
    /// The certain value for the side to move; `None` for an open node.
    pub(crate) fn value(self) -> Option<Wdl> {
        match self {
            Status::Open => None,
            Status::Drawn => Some(Wdl::DRAW),
            Status::CountsAsWon | Status::Won { .. } => Some(Wdl::WIN),
            Status::CountsAsLost | Status::Lost { .. } => Some(Wdl::LOSS),
        }
    }

    /// Whether a walk must not go below a node with this status.
    pub(crate) fn is_closed(self) -> bool {
        self != Status::Open
    }

    /// What follows for the parent if it has this child: a proven loss of the child's mover is a
    /// win one ply longer, a proven win is a loss (of this move, not of the parent yet).
    pub(crate) fn of_parent(self) -> Status {
        match self {
            Status::Lost { plies } => Status::Won {
                plies: plies.saturating_add(1),
            },
            Status::Won { plies } => Status::Lost {
                plies: plies.saturating_add(1),
            },
            Status::Open | Status::Drawn | Status::CountsAsWon | Status::CountsAsLost => {
                Status::Open
            }
        }
    }

    /// Plies to the proven end: positive if the side to move wins, negative or 0 if it loses.
    pub(crate) fn mate_plies(self) -> Option<i32> {
        match self {
            Status::Won { plies } => Some(i32::from(plies)),
            Status::Lost { plies } => Some(-i32::from(plies)),
            _ => None,
        }
    }
}

/// A position in the tree. Sums are seen by the side to move here; the draws are what is missing
/// to the visits. In 64 bits because a root may see millions of visits.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    win_sum: f64,
    loss_sum: f64,
    n_visits: u32,
    first_edge: u32,
    n_edges: u16,
    /// Walks through this node to leaves that still wait for their answer; 0 wherever leaves are
    /// answered one after the other.
    n_open_walks: u16,
    status: Status,
    network_value: Option<Wdl>,
}

/// How much of a loss each open walk counts as for the player who chose to go there, until its answer
/// comes: 0 for a visit that changes no value, 1 for a whole loss ("virtual loss").
const OPEN_WALK_LOSS: f64 = 1.0;

impl Node {
    /// Visits, the one that made the node included.
    pub(crate) fn n_visits(&self) -> u32 {
        self.n_visits
    }

    /// Visits and open walks.
    pub(crate) fn n_walks(&self) -> u32 {
        self.n_visits + u32::from(self.n_open_walks)
    }

    /// Walks whose answer is not here yet.
    pub(crate) fn n_open_walks(&self) -> u32 {
        u32::from(self.n_open_walks)
    }

    /// Whether nothing is known about this node and nobody has been asked: an answer was not waited
    /// for.
    pub(crate) fn is_untouched(&self) -> bool {
        self.is_unevaluated() && self.n_open_walks == 0
    }

    /// Whether the evaluator is to be asked about this node, or has not answered yet.
    pub(crate) fn is_unevaluated(&self) -> bool {
        self.n_visits == 0 && self.status == Status::Open
    }

    pub(crate) fn status(&self) -> Status {
        self.status
    }

    /// What the evaluator said, for the side to move here; `None` if it was not asked.
    pub(crate) fn network_value(&self) -> Option<Wdl> {
        self.network_value
    }

    /// Mean value of the side to move here, or the certain one. `None` before the first visit.
    pub(crate) fn value(&self) -> Option<Wdl> {
        if let Some(certain) = self.status.value() {
            return Some(certain);
        }
        if self.n_visits == 0 {
            return None;
        }
        let n = f64::from(self.n_visits);
        let (win, loss) = ((self.win_sum / n) as f32, (self.loss_sum / n) as f32);
        Some(Wdl {
            win,
            draw: (1.0 - win - loss).max(0.0),
            loss,
        })
    }

    /// Mean q in `[-1, 1]` of the side to move here, for whom a draw is worth `draw_value`, or
    /// the certain one. An open node must have visits.
    pub(crate) fn q(&self, draw_value: f32) -> f32 {
        self.q_with_open_wins(draw_value, 0.0)
    }

    /// [`Node::q`] with `n_wins` more wins.
    fn q_with_open_wins(&self, draw_value: f32, n_wins: f64) -> f32 {
        if let Some(certain) = self.status.value() {
            return certain.q_with_draw(draw_value);
        }
        let n = f64::from(self.n_visits);
        let draw_sum = n - self.win_sum - self.loss_sum;
        let sum = self.win_sum - self.loss_sum + draw_sum * f64::from(draw_value) + n_wins;
        (sum / (n + n_wins)) as f32
    }

    /// Mean q in `[-1, 1]` of the player who moved here, for whom a draw is worth `draw_value`. An open
    /// node must have visits or open walks; the latter count as losses of that player.
    pub(crate) fn q_for_parent(&self, draw_value: f32) -> f32 {
        let n_wins = OPEN_WALK_LOSS * f64::from(self.n_open_walks);
        -self.q_with_open_wins(-draw_value, n_wins)
    }
}

/// A legal move of a node, the prior that the evaluator gave it, and where it leads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) mv: Move,
    /// Probability from 0 to 1, together 1 over a node.
    pub(crate) prior: f32,
    /// `None` until a walk takes the move.
    pub(crate) child: Option<NodeId>,
}

/// Nodes and edges of one search, each in one growing buffer that [`Tree::clear`] keeps.
///
/// A node comes after its parent, and its edges after all edges of the nodes before it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Scratch space of [`Tree::keep_subtree`]: what becomes of each node.
    moved_to: Vec<Option<NodeId>>,
}

impl Tree {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Memory of the buffers, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.moved_to.capacity() * size_of::<Option<NodeId>>()
    }

    /// Adds a node without visits whose edges are `moves`, with priors of 0. A closed node has at
    /// most the one move that ends the game.
    pub(crate) fn add_node(&mut self, status: Status, moves: &[Move]) -> NodeId {
        let id = NodeId::from_idx(self.nodes.len());
        let first_edge = u32::try_from(self.edges.len()).expect("600 * max_nodes is below 2^32");
        let n_edges = u16::try_from(moves.len()).expect("no position has 600 legal moves");
        self.edges.extend(moves.iter().map(|&mv| Edge {
            mv,
            prior: 0.0,
            child: None,
        }));
        self.nodes.push(Node {
            win_sum: 0.0,
            loss_sum: 0.0,
            n_visits: 0,
            first_edge,
            n_edges,
            n_open_walks: 0,
            status,
            network_value: None,
        });
        id
    }

    /// Takes back the node added last, to which `edge` leads if it is given.
    pub(crate) fn remove_last_node(&mut self, edge: Option<EdgeId>) {
        if let Some(edge) = edge {
            self.edges[edge.0 as usize].child = None;
        }
        if let Some(node) = self.nodes.pop() {
            self.edges.truncate(node.first_edge as usize);
        }
    }

    /// Makes `id` the root and forgets what is not below it. Nothing is allocated beyond one number
    /// per node: what stays moves towards the front.
    pub(crate) fn keep_subtree(&mut self, id: NodeId) {
        self.moved_to.clear();
        self.moved_to.resize(self.nodes.len(), None);
        self.moved_to[id.idx()] = Some(NodeId::ROOT);
        let mut n_kept = 0;
        for idx in id.idx()..self.nodes.len() {
            if self.moved_to[idx].is_none() {
                continue;
            }
            self.moved_to[idx] = Some(NodeId::from_idx(n_kept));
            n_kept += 1;
            let range = self.edge_range(NodeId::from_idx(idx));
            for child in self.edges[range].iter().filter_map(|edge| edge.child) {
                // It is to stay; where, is known when its turn comes.
                self.moved_to[child.idx()] = Some(NodeId::ROOT);
            }
        }
        let mut n_edges = 0;
        for idx in id.idx()..self.nodes.len() {
            let Some(moved_to) = self.moved_to[idx] else {
                continue;
            };
            let first_edge = n_edges;
            for edge_idx in self.edge_range(NodeId::from_idx(idx)) {
                let edge = self.edges[edge_idx];
                let child = edge.child.and_then(|child| self.moved_to[child.idx()]);
                self.edges[n_edges] = Edge { child, ..edge };
                n_edges += 1;
            }
            self.nodes.swap(moved_to.idx(), idx);
            self.nodes[moved_to.idx()].first_edge = first_edge as u32;
        }
        self.nodes.truncate(n_kept);
        self.edges.truncate(n_edges);
    }

    /// Makes `child` the end of `edge`.
    pub(crate) fn attach(&mut self, edge: EdgeId, child: NodeId) {
        self.edges[edge.0 as usize].child = Some(child);
    }

    /// Gives a node a status that was found out without a walk.
    pub(crate) fn close(&mut self, id: NodeId, status: Status) {
        self.nodes[id.idx()].status = status;
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.idx()]
    }

    pub(crate) fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// The edges of a node, in the order of its legal moves.
    pub(crate) fn edges(&self, id: NodeId) -> &[Edge] {
        &self.edges[self.edge_range(id)]
    }

    /// The same edges, to be given their priors.
    pub(crate) fn edges_mut(&mut self, id: NodeId) -> &mut [Edge] {
        let range = self.edge_range(id);
        &mut self.edges[range]
    }

    /// The edge of `node` at `edge_idx` in [`Tree::edges`].
    pub(crate) fn edge_id(&self, node: NodeId, edge_idx: usize) -> EdgeId {
        debug_assert!(edge_idx < usize::from(self.node(node).n_edges));
        EdgeId(self.node(node).first_edge + edge_idx as u32)
    }

    fn edge_range(&self, id: NodeId) -> Range<usize> {
        let node = self.node(id);
        let start = node.first_edge as usize;
        start..start + usize::from(node.n_edges)
    }

    /// The node that an edge leads to, if a walk has been there.
    pub(crate) fn child(&self, edge: &Edge) -> Option<&Node> {
        edge.child.map(|id| self.node(id))
    }

    /// Keeps what the evaluator said about a node.
    pub(crate) fn set_network_value(&mut self, id: NodeId, value: Wdl) {
        self.nodes[id.idx()].network_value = Some(value);
    }

    /// Counts one visit of a node with `value` for the side to move there.
    pub(crate) fn add_visit(&mut self, id: NodeId, value: Wdl) {
        let node = &mut self.nodes[id.idx()];
        node.n_visits += 1;
        node.win_sum += f64::from(value.win);
        node.loss_sum += f64::from(value.loss);
    }

    /// Counts one walk through a node whose answer is not here yet.
    pub(crate) fn open_walk(&mut self, id: NodeId) {
        self.nodes[id.idx()].n_open_walks += 1;
    }

    /// Takes back what [`Tree::open_walk`] counted.
    pub(crate) fn close_walk(&mut self, id: NodeId) {
        self.nodes[id.idx()].n_open_walks -= 1;
    }

    /// Draws the conclusion for an open `node` after its `child` was proven: one lost child wins,
    /// by the shortest way known; a loss needs every move to be a win of the opponent, and lasts
    /// as long as the longest of them.
    ///
    /// (Winands, Björnsson and Saito 2008, "Monte-Carlo tree search solver".)
    pub(crate) fn prove(&mut self, node: NodeId, child: NodeId) {
        let conclusion = match self.node(child).status.of_parent() {
            Status::Lost { .. } => self.loss_by_every_move(node),
            won => won,
        };
        self.nodes[node.idx()].status = conclusion;
    }

    /// The move of a proven node that the proof rests on: the shortest win, or the loss that
    /// lasts longest. `None` for other nodes, for a mated one and for a declared win.
    pub(crate) fn proven_edge(&self, id: NodeId) -> Option<usize> {
        let edges = self.edges(id).iter().enumerate();
        let plies_to_end = |edge: &Edge| {
            self.child(edge)
                .and_then(|child| child.status.of_parent().mate_plies())
        };
        match self.node(id).status {
            // A leaf that is won by a mate has its first move alone, and no child.
            Status::Won { plies } => edges
                .filter_map(|(idx, edge)| match plies_to_end(edge) {
                    None if edge.child.is_none() && self.node(id).n_edges == 1 => {
                        Some((i32::from(plies), idx))
                    }
                    None => None,
                    Some(plies) => (0 < plies).then_some((plies, idx)),
                })
                .min()
                .map(|(_, idx)| idx),
            Status::Lost { .. } => edges
                .filter_map(|(idx, edge)| plies_to_end(edge).map(|plies| (plies, idx)))
                .min()
                .map(|(_, idx)| idx),
            _ => None,
        }
    }

    /// Whether `edge` is proven to lose for the player who would take it.
    pub(crate) fn is_proven_loss(&self, edge: &Edge) -> bool {
        self.child(edge)
            .is_some_and(|child| matches!(child.status, Status::Won { .. }))
    }

    /// `Lost` if every move of `node` is proven to lose, else `Open`.
    fn loss_by_every_move(&self, node: NodeId) -> Status {
        let mut longest = 0;
        for edge in self.edges(node) {
            match self.child(edge).map(|child| child.status.of_parent()) {
                Some(Status::Lost { plies }) => longest = longest.max(plies),
                _ => return Status::Open,
            }
        }
        Status::Lost { plies: longest }
    }
}

#[cfg(test)]
mod tests;
