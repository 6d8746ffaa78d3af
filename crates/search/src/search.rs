//! [`Search`]: walks down, hands out leaves, backs up answers.

mod aside;

pub use aside::{Aside, Question, Reach};

use rules::{Color, Game, Move, MoveList};

use crate::ends::{Judge, Win};
use crate::evaluator::{EvaluatorError, check_answer};
use crate::policy::{entropy, kl_divergence, softmax};
use crate::random::Noise;
use crate::result::{RootMove, RootNetwork, SearchResult};
use crate::root::{Root, most_visited};
use crate::tree::{NodeId, Status, Tree};
use crate::{EvalRequest, SearchOptions, Wdl, puct, root_mate};

/// What [`Search::next_leaf`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A position waits for its evaluation: [`Search::request`], then [`Search::apply`].
    Leaf,
    /// All visits are spent, or the result is proven.
    Finished,
}

/// What [`Search::advance_to`] has kept; nothing by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reuse {
    /// Visits of the new root.
    pub n_visits: u32,
    /// Positions in the tree.
    pub n_nodes: usize,
}

/// One Monte-Carlo tree search of one position.
///
/// A search never calls an evaluator: [`Search::next_leaf`] hands out a position, and
/// [`Search::apply`] takes what somebody found out about it ([`crate::run`] is that loop). It
/// settles ends of games, repetitions, declared wins, tries and short mates itself; proven wins and
/// losses spread through the tree. The result is a function of the game, the options and the seed.
///
/// A short mate or a try at the root finishes a search before it begins, and so does a mate of any
/// length that [`SearchOptions::root_mate_nodes`] suffice to see. A root with one legal move
/// is evaluated and then finished; [`Search::extend`] goes on anyway. The right to *declare* at the
/// root is the caller's to use, before searching; so is declaring a draw instead of moving.
#[derive(Debug, Clone)]
pub struct Search {
    options: SearchOptions,
    /// The game to search; while a leaf waits, followed down to it.
    game: Game,
    tree: Tree,
    root: Root,
    noise: Noise,
    /// Visits at which the search is finished.
    budget: u32,
    /// The nodes above the one that a walk has reached, from the root.
    path: Vec<NodeId>,
    /// The node that waits for its evaluation, and its legal moves.
    leaf: Option<NodeId>,
    leaf_moves: MoveList,
    judge: Judge,
    /// The line of a mate that was seen at the root before any walk.
    mate_line: Vec<Move>,
    /// Scratch space for the policy of a leaf.
    priors: Vec<f32>,
    /// Visits of the root that another search has made.
    inherited: u32,
    n_evaluations: u32,
    depth: u32,
}

impl Search {
    /// Begins to search the position that `game` has reached.
    ///
    /// # Panics
    ///
    /// If the position has no legal move. Whether a game is over is the caller's to ask, with
    /// [`Game::outcome`].
    #[must_use]
    pub fn new(game: &Game, options: &SearchOptions, seed: u64) -> Self {
        let mut search = Self {
            options: options.clone(),
            game: game.clone(),
            tree: Tree::default(),
            root: Root::default(),
            noise: Noise::new(seed),
            budget: 0,
            path: Vec::new(),
            leaf: None,
            leaf_moves: MoveList::new(),
            judge: Judge::new(),
            mate_line: Vec::new(),
            priors: Vec::new(),
            inherited: 0,
            n_evaluations: 0,
            depth: 0,
        };
        search.begin();
        search
    }

    /// Begins another search and keeps the buffers of this one. What comes out is the same as
    /// from [`Search::new`].
    ///
    /// # Panics
    ///
    /// As [`Search::new`].
    pub fn restart(&mut self, game: &Game, options: &SearchOptions, seed: u64) {
        self.options = options.clone();
        self.game.clone_from(game);
        self.noise = Noise::new(seed);
        self.tree.clear();
        self.root.clear();
        self.mate_line.clear();
        self.path.clear();
        self.leaf = None;
        self.inherited = 0;
        self.n_evaluations = 0;
        self.depth = 0;
        self.begin();
    }

    /// Begins to search `game` as [`Search::restart`] does, but keeps what this search has found out
    /// about it if `game` continues the game that was searched: the tree below the moves played
    /// since. Noise and plan of visits are those of a new search, and `options.visits - 1` walks are
    /// made beside the visits kept.
    ///
    /// What is kept stays right, whatever depends on history: a walk to a node has the same moves
    /// before it as it had. The tree keeps its memory and needs no more for this, and
    /// [`SearchOptions::max_nodes`] counts what is kept. After a change of evaluator call
    /// [`Search::restart`] instead.
    ///
    /// # Panics
    ///
    /// As [`Search::new`].
    pub fn advance_to(&mut self, game: &Game, options: &SearchOptions, seed: u64) -> Reuse {
        self.leave_leaf();
        let kept = self.node_of(game);
        let Some((root, value)) = kept.filter(|_| game.outcome().is_none()) else {
            self.restart(game, options, seed);
            return Reuse::default();
        };
        if root == NodeId::ROOT {
            // Its priors may have been mixed with noise.
            let edges = self.tree.edges_mut(NodeId::ROOT).iter_mut();
            for (edge, &prior) in edges.zip(&self.root.network_policy) {
                edge.prior = prior;
            }
        }
        self.tree.keep_subtree(root);
        self.options = options.clone();
        self.game.clone_from(game);
        self.noise = Noise::new(seed);
        self.root.clear();
        self.mate_line.clear();
        self.n_evaluations = 0;
        self.depth = 0;
        self.root
            .reopen(value, &mut self.tree, &self.options, &mut self.noise);
        self.inherited = self.visit_count();
        let is_forced = self.tree.edges(NodeId::ROOT).len() == 1;
        let n_walks = if is_forced { 0 } else { options.visits - 1 };
        self.budget = self.inherited.saturating_add(n_walks);
        if !self.tree.node(NodeId::ROOT).status().is_closed() {
            self.look_for_root_mate();
        }
        Reuse {
            n_visits: self.inherited,
            n_nodes: self.tree.n_nodes(),
        }
    }

    /// Forgets the leaf that waits, as if the walk to it had not been.
    fn leave_leaf(&mut self) {
        let parent = self.path.last().copied();
        for _ in self.path.drain(..) {
            self.game.undo();
        }
        let Some(leaf) = self.leaf.take() else {
            return;
        };
        let edge = parent.map(|parent| {
            let mut edges = self.tree.edges(parent).iter();
            let edge_idx = edges.position(|edge| edge.child == Some(leaf));
            let edge_idx = edge_idx.expect("the walk went over an edge of its parent");
            self.tree.edge_id(parent, edge_idx)
        });
        self.tree.remove_last_node(edge);
    }

    /// The node that `game` has come to, and what the evaluator said about it; `None` if this tree
    /// has not evaluated it. No leaf may wait.
    fn node_of(&self, game: &Game) -> Option<(NodeId, Wdl)> {
        let is_same_event = game.start() == self.game.start()
            && game.rules() == self.game.rules()
            && Color::ALL
                .iter()
                .all(|&color| game.given_points(color) == self.game.given_points(color));
        let played_since = game.moves().strip_prefix(self.game.moves())?;
        if !is_same_event || self.tree.n_nodes() == 0 {
            return None;
        }
        let mut node = NodeId::ROOT;
        for &mv in played_since {
            let mut edges = self.tree.edges(node).iter();
            node = edges.find(|edge| edge.mv == mv)?.child?;
        }
        // An evaluated node has all its moves and their priors, even if it is proven by now.
        let value = self.tree.node(node).network_value()?;
        Some((node, value))
    }

    /// Makes the root, and proves it where a single move wins.
    fn begin(&mut self) {
        let position = self.game.position();
        position.legal_moves_into(&mut self.leaf_moves);
        assert!(
            !self.leaf_moves.is_empty(),
            "a search needs a legal move in sfen {position}"
        );
        // A forced move needs no search, but its game needs a value.
        self.budget = if self.leaf_moves.len() == 1 {
            1
        } else {
            self.options.visits
        };
        self.tree.add_node(Status::Open, &self.leaf_moves);
        let leaf_mate = self.options.leaf_mate;
        match self.judge.win(&mut self.game, &self.leaf_moves, leaf_mate) {
            Some(win) => self.prove_root(win),
            None => self.look_for_root_mate(),
        }
    }

    /// Takes a mate of any length at the root, if one is asked for and seen.
    fn look_for_root_mate(&mut self) {
        let Some(line) = root_mate::find(&self.game, self.options.root_mate_nodes) else {
            return;
        };
        self.prove_root(Win {
            first: line[0],
            plies: u16::try_from(line.len()).unwrap_or(u16::MAX),
        });
        self.mate_line = line;
    }

    /// Closes the root as won by a move.
    fn prove_root(&mut self, Win { first, plies }: Win) {
        let mut edges = self.tree.edges(NodeId::ROOT).iter();
        let edge_idx = edges.position(|edge| edge.mv == first);
        let edge_idx = edge_idx.expect("a winning move is a legal move");
        let edge = self.tree.edge_id(NodeId::ROOT, edge_idx);
        let lost = Status::Lost { plies: plies - 1 };
        let child = match self.tree.edge(edge).child {
            Some(kept) => {
                self.tree.close(kept, lost);
                kept
            }
            None => {
                let child = self.tree.add_node(lost, &[]);
                self.tree.attach(edge, child);
                child
            }
        };
        self.tree.prove(NodeId::ROOT, child);
    }

    /// Walks until a position needs an evaluation or the search is finished. Walks that reach
    /// something certain are settled on the way. Asked again before [`Search::apply`], it gives
    /// the same leaf.
    pub fn next_leaf(&mut self) -> Step {
        if self.leaf.is_some() {
            return Step::Leaf;
        }
        debug_assert_eq!(self.tree.node(NodeId::ROOT).n_open_walks(), 0);
        while !self.is_finished() {
            let node = self.walk_down();
            match self.tree.node(node).status().value() {
                Some(certain) => self.back_up(node, certain),
                None => {
                    self.leaf = Some(node);
                    return Step::Leaf;
                }
            }
        }
        Step::Finished
    }

    /// The position that waits for its evaluation.
    ///
    /// # Panics
    ///
    /// If none does: call after [`Search::next_leaf`] came to [`Step::Leaf`].
    #[must_use]
    pub fn request(&self) -> EvalRequest<'_> {
        assert!(
            self.leaf.is_some(),
            "no leaf waits: next_leaf has not come to one"
        );
        EvalRequest {
            position: self.game.position(),
            legal_moves: &self.leaf_moves,
        }
    }

    /// Takes the evaluation of the position that waits: `logits` in the order of
    /// [`EvalRequest::legal_moves`], `value` of the side to move there.
    ///
    /// # Errors
    ///
    /// If the number of logits is wrong, a logit is not finite or the value is no probability.
    /// The position then still waits.
    ///
    /// # Panics
    ///
    /// If no position waits.
    pub fn apply(&mut self, logits: &[f32], value: Wdl) -> Result<(), EvaluatorError> {
        check_answer(self.request(), logits, value)?;
        let leaf = self.leaf.take().expect("request has looked");
        self.open_leaf(leaf, logits, value);
        self.back_up(leaf, value);
        Ok(())
    }

    /// Gives the edges of `leaf` their priors.
    fn open_leaf(&mut self, leaf: NodeId, logits: &[f32], value: Wdl) {
        let edges = self.tree.edges_mut(leaf);
        if leaf == NodeId::ROOT {
            self.root
                .open((logits, value), edges, &self.options, &mut self.noise);
        } else {
            self.priors.clear();
            self.priors.extend_from_slice(logits);
            softmax(&mut self.priors);
            for (edge, &prior) in edges.iter_mut().zip(&self.priors) {
                edge.prior = prior;
            }
        }
        self.tree.set_network_value(leaf, value);
        self.n_evaluations += 1;
    }

    /// Goes down to a node that is new, closed or not evaluated, the moves played in `game`.
    fn walk_down(&mut self) -> NodeId {
        let mut node = NodeId::ROOT;
        if self.visit_count() == 0 {
            return node;
        }
        loop {
            let edge_idx = self.select(node);
            let edge_id = self.tree.edge_id(node, edge_idx);
            let edge = self.tree.edge(edge_id);
            let child = edge.child;
            self.game.play_unchecked(edge.mv);
            self.path.push(node);
            match child {
                None => {
                    let leaf = self.add_leaf();
                    self.tree.attach(edge_id, leaf);
                    return leaf;
                }
                Some(child) if self.tree.node(child).status().is_closed() => return child,
                Some(child) if self.tree.node(child).is_unevaluated() => {
                    let position = self.game.position();
                    position.legal_moves_into(&mut self.leaf_moves);
                    return child;
                }
                Some(child) => node = child,
            }
        }
    }

    fn select(&mut self, node: NodeId) -> usize {
        if node == NodeId::ROOT {
            return self.root.select(&self.tree, &self.options);
        }
        let root_side_chooses = self.path.len().is_multiple_of(2);
        let draw_value = self.options.draw_value;
        let draw_value = if root_side_chooses {
            draw_value
        } else {
            -draw_value
        };
        puct::select(&self.tree, node, &self.options, draw_value)
    }

    /// Adds the position that `game` has reached to the tree.
    fn add_leaf(&mut self) -> NodeId {
        let position = self.game.position();
        position.legal_moves_into(&mut self.leaf_moves);
        let leaf_mate = self.options.leaf_mate;
        let judged = self
            .judge
            .judge(&mut self.game, &self.leaf_moves, leaf_mate);
        match judged {
            (Status::Open, _) => self.tree.add_node(Status::Open, &self.leaf_moves),
            (closed, first) => self.tree.add_node(closed, first.as_slice()),
        }
    }

    /// Counts a visit with `value` for the side to move at `node` there and at all nodes above,
    /// draws conclusions from proofs, and takes the moves of the walk back.
    fn back_up(&mut self, node: NodeId, value: Wdl) {
        self.depth = self.depth.max(self.path.len() as u32);
        self.tree.add_visit(node, value);
        let (mut child, mut value_at_child) = (node, value);
        while let Some(node) = self.path.pop() {
            self.game.undo();
            value_at_child = self.add_visit_above(node, child, value_at_child);
            child = node;
        }
    }

    /// Counts a visit of `node` by a walk that brought `value_at_child` to its `child`; returns the
    /// value that it has at `node`.
    fn add_visit_above(&mut self, node: NodeId, child: NodeId, value_at_child: Wdl) -> Wdl {
        // Closed already: by another walk, while this one waited for its answer.
        let is_open = !self.tree.node(node).status().is_closed();
        if is_open && self.tree.node(child).status().mate_plies().is_some() {
            self.tree.prove(node, child);
        }
        let seen_from_below = value_at_child.flipped();
        let certain = self.tree.node(node).status().value();
        let value = certain.unwrap_or(seen_from_below);
        self.tree.add_visit(node, value);
        value
    }

    /// Whether nothing is left to do: visits spent, result proven, or `max_nodes` reached.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_closed_or_full() || self.budget <= self.visit_count()
    }

    /// Whether the result is proven, or `max_nodes` reached.
    fn is_closed_or_full(&self) -> bool {
        let root = self.tree.node(NodeId::ROOT);
        root.status().is_closed() || self.options.max_nodes as usize <= self.tree.n_nodes()
    }

    /// Adds `visits` to what the search may spend; for engines that think until a clock says
    /// stop. A search does not know the time: extend it by as much as may pass between two looks
    /// at the clock.
    ///
    /// A Gumbel root has halved its moves by the end of `options.visits`; visits beyond follow
    /// its improved policy.
    pub fn extend(&mut self, visits: u32) {
        self.budget = self.budget.saturating_add(visits);
    }

    /// Visits of the root so far, those of [`Search::inherited_visits`] included.
    #[must_use]
    pub fn visit_count(&self) -> u32 {
        self.tree.node(NodeId::ROOT).n_visits()
    }

    /// Visits of the root that were kept from a search before: see [`Search::advance_to`].
    #[must_use]
    pub fn inherited_visits(&self) -> u32 {
        self.inherited
    }

    /// Plies of the longest walk, those of a search before not counted.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Positions in the tree: see [`SearchOptions::max_nodes`].
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.tree.n_nodes()
    }

    /// Memory of the tree, in bytes: what its largest search so far has needed, whatever the length
    /// of the game. At most [`SearchOptions::max_nodes`] nodes of 40 bytes and 12 bytes for each move of
    /// a node (games have some 90 on average), and up to twice that as buffers grow.
    #[must_use]
    pub fn tree_bytes(&self) -> usize {
        self.tree.n_bytes()
    }

    /// The move to play as far as the search has come; before the first evaluation any legal one.
    #[must_use]
    pub fn best_move(&self) -> Move {
        let edge_idx = self.root.best(&self.tree, &self.options);
        self.tree.edges(NodeId::ROOT)[edge_idx].mv
    }

    /// The best line as far as the search has come, [`Search::best_move`] first.
    #[must_use]
    pub fn pv(&self) -> Vec<Move> {
        self.line_from(self.root.best(&self.tree, &self.options))
    }

    /// The best line that begins with `mv`; empty if that is no legal move of the root.
    #[must_use]
    pub fn pv_after(&self, mv: Move) -> Vec<Move> {
        let mut edges = self.tree.edges(NodeId::ROOT).iter();
        let edge_idx = edges.position(|edge| edge.mv == mv);
        edge_idx.map_or_else(Vec::new, |edge_idx| self.line_from(edge_idx))
    }

    fn line_from(&self, root_edge: usize) -> Vec<Move> {
        let first = self.tree.edges(NodeId::ROOT)[root_edge].mv;
        if self.mate_line.first() == Some(&first) {
            return self.mate_line.clone();
        }
        let mut line = Vec::new();
        let mut node = NodeId::ROOT;
        let mut next = Some(root_edge);
        // Plies to a proven mate that the tree does not hold any more.
        let mut rest = 0;
        while let Some(edge_idx) = next {
            let edge = &self.tree.edges(node)[edge_idx];
            line.push(edge.mv);
            let Some(child) = edge.child else {
                rest = self.tree.node(node).status().mate_plies().unwrap_or(1) - 1;
                break;
            };
            node = child;
            next = self
                .tree
                .proven_edge(node)
                .or_else(|| most_visited(&self.tree, node));
            rest = -self.tree.node(node).status().mate_plies().unwrap_or(0);
        }
        if rest == 2 {
            self.complete_mate(&mut line);
        }
        line
    }

    /// Adds a reply and the mate after it to a line whose last move was the check that forces both.
    fn complete_mate(&self, line: &mut Vec<Move>) {
        let mut position = self.game.position().clone();
        if !self.path.is_empty() {
            let mut game = self.game.clone();
            for _ in &self.path {
                game.undo();
            }
            position = game.position().clone();
        }
        for &mv in &*line {
            position.do_move(mv);
        }
        if let Some(&reply) = position.legal_moves().first() {
            position.do_move(reply);
            line.push(reply);
            line.extend(position.mate_in_one());
        }
    }

    /// The legal moves of the root, in the order of [`rules::Position::legal_moves`], as the search
    /// sees them now.
    pub fn root_moves(&self) -> impl Iterator<Item = RootMove> + '_ {
        self.tree.edges(NodeId::ROOT).iter().map(|edge| {
            let child = self.tree.child(edge);
            RootMove {
                mv: edge.mv,
                visits: child.map_or(0, |child| child.n_visits()),
                prior: edge.prior,
                value: child.and_then(|child| child.value()).map(Wdl::flipped),
                mate: child.and_then(|child| child.status().of_parent().mate_plies()),
            }
        })
    }

    /// What the search has found so far.
    #[must_use]
    pub fn result(&self) -> SearchResult {
        let root = self.tree.node(NodeId::ROOT);
        let policy = self.root.policy(&self.tree, &self.options);
        let network = self.root.network_value.map(|value| RootNetwork {
            value,
            entropy_nats: entropy(&self.root.network_policy),
            kl_nats: kl_divergence(policy.iter().copied(), &self.root.network_policy),
        });
        let moves = || self.root_moves().map(|root_move| root_move.mv);
        SearchResult {
            best: self.best_move(),
            value: root.value().unwrap_or(Wdl::EVEN),
            policy: moves().zip(policy).collect(),
            visits: moves()
                .zip(self.root_moves().map(|root_move| root_move.visits))
                .collect(),
            mate: root.status().mate_plies(),
            pv: self.pv(),
            n_visits: root.n_visits(),
            n_evaluations: self.n_evaluations,
            depth: self.depth,
            network,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
