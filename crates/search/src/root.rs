//! How the root spends its visits, which move it recommends, and its policy.

use std::mem;

use crate::gumbel::{self, HalvingSchedule};
use crate::options::{GumbelOptions, PuctOptions, RootOptions};
use crate::policy::{argmax, softmax};
use crate::random::Noise;
use crate::tree::{Edge, NodeId, Tree};
use crate::{SearchOptions, Wdl, puct};

/// What the root has beyond other nodes: the network's answer, noise, and a plan of visits.
///
/// Moves are addressed by their index in the root's edges. Buffers are kept from search to search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Root {
    /// The network's answer; empty and `None` until it is given.
    pub(crate) network_value: Option<Wdl>,
    logits: Vec<f32>,
    pub(crate) network_policy: Vec<f32>,
    /// Gumbel noise per move, or zeros.
    gumbel: Vec<f32>,
    schedule: HalvingSchedule,
    /// Visits that each move had when the search began; not 0 only in a tree kept from another
    /// search. Sequential halving compares moves by the visits since.
    inherited: Vec<u32>,
    /// Scratch space of [`Root::select`].
    scores: Vec<f32>,
}

impl Root {
    /// Forgets the answer of the search before.
    pub(crate) fn clear(&mut self) {
        self.network_value = None;
        self.logits.clear();
        self.network_policy.clear();
    }

    /// Takes the network's answer for the root, gives the root's edges their priors, draws the
    /// noise and plans the walks that follow.
    pub(crate) fn open(
        &mut self,
        (logits, value): (&[f32], Wdl),
        edges: &mut [Edge],
        options: &SearchOptions,
        noise: &mut Noise,
    ) {
        self.network_value = Some(value);
        self.logits.extend_from_slice(logits);
        self.network_policy.extend_from_slice(logits);
        softmax(&mut self.network_policy);
        for (edge, &prior) in edges.iter_mut().zip(&self.network_policy) {
            edge.prior = prior;
        }
        self.gumbel.clear();
        self.gumbel.resize(logits.len(), 0.0);
        self.inherited.clear();
        self.inherited.resize(logits.len(), 0);
        match &options.root {
            RootOptions::Gumbel(GumbelOptions { considered, .. }) => {
                if options.noise {
                    noise.fill_gumbel(&mut self.gumbel);
                }
                let n_walks = options.visits.saturating_sub(1);
                let n_considered = (*considered).min(edges.len() as u32).min(n_walks).max(1);
                self.schedule = HalvingSchedule::new(n_considered, n_walks);
            }
            RootOptions::Puct(PuctOptions {
                noise_alpha,
                noise_weight,
                ..
            }) => {
                if options.noise {
                    self.scores.clear();
                    self.scores.resize(logits.len(), 0.0);
                    noise.fill_dirichlet(*noise_alpha, &mut self.scores);
                    for (edge, &sample) in edges.iter_mut().zip(&self.scores) {
                        edge.prior += noise_weight * (sample - edge.prior);
                    }
                }
            }
        }
    }

    /// Opens a root that another search has evaluated and visited: from the priors of its edges,
    /// which must be the network's own.
    pub(crate) fn reopen(
        &mut self,
        value: Wdl,
        tree: &mut Tree,
        options: &SearchOptions,
        noise: &mut Noise,
    ) {
        let edges = tree.edges_mut(NodeId::ROOT);
        // Logits are only defined up to a constant. A prior that underflowed stays tiny.
        let logits = edges
            .iter()
            .map(|edge| edge.prior.max(f32::MIN_POSITIVE).ln());
        let logits: Vec<f32> = logits.collect();
        self.open((&logits, value), edges, options, noise);
        let edges = tree.edges(NodeId::ROOT).iter();
        let visits = edges.map(|edge| tree.child(edge).map_or(0, |child| child.n_visits()));
        self.inherited.clear();
        self.inherited.extend(visits);
    }

    /// The root's moves that are not proven to lose, with their visits since the search began.
    fn new_visits<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = (usize, u32)> + 'a {
        hopeful_moves(tree).map(|(idx, n)| (idx, n - self.inherited[idx]))
    }

    /// The move of the next walk. The root is open and evaluated.
    pub(crate) fn select(&mut self, tree: &Tree, options: &SearchOptions) -> usize {
        match &options.root {
            RootOptions::Puct(root) => forced_move(tree, root, options.noise)
                .unwrap_or_else(|| puct::select(tree, NodeId::ROOT, options, options.draw_value)),
            RootOptions::Gumbel(gumbel) => {
                let mut scores = mem::take(&mut self.scores);
                self.write_improved_logits(tree, gumbel, options.draw_value, &mut scores);
                let chosen = match self.schedule.next() {
                    Some(n_visits) => self.select_by_schedule(tree, &scores, n_visits),
                    None => select_by_policy(tree, &mut scores),
                };
                self.scores = scores;
                chosen
            }
        }
    }

    /// The best move that has exactly `n_visits` visits. When proofs have thinned out the moves so
    /// far that the schedule finds none, the front runner gets the visit.
    fn select_by_schedule(&self, tree: &Tree, scores: &[f32], n_visits: u32) -> usize {
        let on_schedule = self
            .new_visits(tree)
            .filter(|&(_, n)| n == n_visits)
            .map(|(idx, _)| (idx, self.gumbel[idx] + scores[idx]));
        argmax(on_schedule).unwrap_or_else(|| self.front_runner(tree, scores))
    }

    /// Among the moves with most visits the one with the best sum of noise, logit and value: what
    /// a Gumbel root plays.
    fn front_runner(&self, tree: &Tree, scores: &[f32]) -> usize {
        let most_visits = self.new_visits(tree).map(|(_, n)| n).max();
        let leading = self
            .new_visits(tree)
            .filter(|&(_, n)| Some(n) == most_visits)
            .map(|(idx, _)| (idx, self.gumbel[idx] + scores[idx]));
        argmax(leading).expect("an open root has a move that is not proven to lose")
    }

    /// Writes `logit + sigma(completed q)` for each move: the logits of the improved policy.
    fn write_improved_logits(
        &self,
        tree: &Tree,
        options: &GumbelOptions,
        draw_value: f32,
        improved: &mut Vec<f32>,
    ) {
        let network_value = self.network_value.expect("an open root has been evaluated");
        let edges = tree.edges(NodeId::ROOT);
        let visited = edges
            .iter()
            .zip(&self.network_policy)
            .filter_map(|(edge, &prior)| {
                let child = tree.child(edge)?;
                Some((child.n_visits(), prior, child.q_for_parent(draw_value)))
            });
        let network_q = network_value.q_with_draw(draw_value);
        let mixed_value = gumbel::mixed_value(network_q, visited);
        let most_visits = edges
            .iter()
            .filter_map(|edge| Some(tree.child(edge)?.n_visits()))
            .max();
        let weight = gumbel::value_weight(options, most_visits.unwrap_or(0));
        improved.clear();
        improved.extend(edges.iter().zip(&self.logits).map(|(edge, logit)| {
            let q = tree
                .child(edge)
                .map_or(mixed_value, |child| child.q_for_parent(draw_value));
            logit + gumbel::sigma(weight, q)
        }));
    }

    /// The move to play.
    pub(crate) fn best(&self, tree: &Tree, options: &SearchOptions) -> usize {
        if let Some(proven) = tree.proven_edge(NodeId::ROOT) {
            return proven;
        }
        match &options.root {
            RootOptions::Gumbel(gumbel) if self.network_value.is_some() => {
                let mut scores = Vec::new();
                self.write_improved_logits(tree, gumbel, options.draw_value, &mut scores);
                self.front_runner(tree, &scores)
            }
            _ => most_visited(tree, NodeId::ROOT).unwrap_or(0),
        }
    }

    /// The policy that the search recommends as target: see [`crate::SearchResult::policy`].
    pub(crate) fn policy(&self, tree: &Tree, options: &SearchOptions) -> Vec<f32> {
        let edges = tree.edges(NodeId::ROOT);
        let is_won = tree
            .node(NodeId::ROOT)
            .status()
            .mate_plies()
            .is_some_and(|plies| 0 < plies);
        if is_won {
            let mut policy = vec![0.0; edges.len()];
            policy[self.best(tree, options)] = 1.0;
            return policy;
        }
        if self.network_value.is_none() {
            return vec![1.0 / edges.len() as f32; edges.len()];
        }
        match &options.root {
            RootOptions::Gumbel(gumbel) => {
                let mut policy = Vec::new();
                self.write_improved_logits(tree, gumbel, options.draw_value, &mut policy);
                softmax(&mut policy);
                policy
            }
            RootOptions::Puct(root) => self.visit_shares(tree, root, options),
        }
    }

    /// Shares of the visits, without moves that are proven to lose and without visits that only
    /// forcing caused; the network's policy when nothing is left.
    fn visit_shares(&self, tree: &Tree, root: &PuctOptions, options: &SearchOptions) -> Vec<f32> {
        let mut visits = vec![0; self.network_policy.len()];
        for (idx, n_visits) in hopeful_moves(tree) {
            visits[idx] = n_visits;
        }
        if options.noise && root.prune_target && root.forced_playouts > 0.0 {
            prune(&mut visits, tree, root.forced_playouts, options);
        }
        let sum_visits: u32 = visits.iter().sum();
        if sum_visits == 0 {
            return self.network_policy.clone();
        }
        let share = |n_visits| n_visits as f32 / sum_visits as f32;
        visits.into_iter().map(share).collect()
    }
}

/// The move that lags most behind the visits it is to have at least, if there is one.
fn forced_move(tree: &Tree, root: &PuctOptions, noise: bool) -> Option<usize> {
    if !noise || root.forced_playouts == 0.0 {
        return None;
    }
    let sum_visits = tree.node(NodeId::ROOT).n_visits() - 1;
    let edges = tree.edges(NodeId::ROOT);
    let lagging = hopeful_moves(tree).filter(|&(_, n)| 0 < n).map(|(idx, n)| {
        let wanted = puct::forced_visits(root.forced_playouts, edges[idx].prior, sum_visits);
        (idx, wanted - n as f32)
    });
    argmax(lagging.filter(|&(_, lag)| 0.0 < lag))
}

/// Takes away visits that only forcing caused: see [`puct::pruned_visits`].
fn prune(visits: &mut [u32], tree: &Tree, k: f32, options: &SearchOptions) {
    let Some(best) = most_visited(tree, NodeId::ROOT) else {
        return;
    };
    let node = tree.node(NodeId::ROOT);
    let weight = puct::prior_weight(node.n_visits(), options.c_init, options.c_base);
    let edges = tree.edges(NodeId::ROOT);
    let score_at = |idx: usize, n_visits: u32| {
        let edge = &edges[idx];
        let child = tree.child(edge).expect("a move with visits has a node");
        let q = child.q_for_parent(options.draw_value);
        puct::score(q, edge.prior, weight, n_visits)
    };
    let best_score = score_at(best, visits[best]);
    let sum_visits = node.n_visits() - 1;
    for (idx, n_visits) in visits.iter_mut().enumerate() {
        if idx == best || *n_visits == 0 {
            continue;
        }
        let forced = puct::forced_visits(k, edges[idx].prior, sum_visits);
        *n_visits = puct::pruned_visits(*n_visits, forced, best_score, |n| score_at(idx, n));
    }
}

/// The root's moves that are not proven to lose, with their visits.
fn hopeful_moves(tree: &Tree) -> impl Iterator<Item = (usize, u32)> + '_ {
    let edges = tree.edges(NodeId::ROOT).iter().enumerate();
    edges
        .filter(|(_, edge)| !tree.is_proven_loss(edge))
        .map(|(idx, edge)| (idx, tree.child(edge).map_or(0, |child| child.n_visits())))
}

/// The move whose visits lag most behind the improved policy, whose logits `scores` holds.
fn select_by_policy(tree: &Tree, scores: &mut [f32]) -> usize {
    softmax(scores);
    let sum_visits = hopeful_moves(tree).map(|(_, n)| n).sum();
    let deficits = hopeful_moves(tree)
        .map(|(idx, n)| (idx, gumbel::policy_deficit(scores[idx], n, sum_visits)));
    argmax(deficits).expect("an open root has a move that is not proven to lose")
}

/// The most visited move of a node that is not proven to lose, by prior among equals; `None`
/// without visits.
pub(crate) fn most_visited(tree: &Tree, id: NodeId) -> Option<usize> {
    let mut best: Option<(u32, f32, usize)> = None;
    for (idx, edge) in tree.edges(id).iter().enumerate() {
        let n_visits = tree.child(edge).map_or(0, |child| child.n_visits());
        let is_better = best.is_none_or(|(n, prior, _)| (n, prior) < (n_visits, edge.prior));
        if 0 < n_visits && is_better && !tree.is_proven_loss(edge) {
            best = Some((n_visits, edge.prior, idx));
        }
    }
    best.map(|(_, _, idx)| idx)
}
