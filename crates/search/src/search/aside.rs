//! Several leaves at once: a search that walks on while answers are still being made.
//!
//! Without any call of these, a search asks about one leaf after the other, and its result is a
//! function of game, options and seed. With them it also depends on when the answers come.

use rules::{MoveList, Position};

use super::Search;
use crate::evaluator::{EvaluatorError, check_answer};
use crate::tree::NodeId;
use crate::{EvalRequest, RootOptions, Wdl};

/// What [`Search::walk`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// A position waits: [`Search::set_aside`], or [`Search::request`] and [`Search::apply`].
    Leaf,
    /// The walk ended at a leaf that was set aside, or all visits that are left are on their way: an
    /// answer must come first.
    Busy,
    /// Nothing is left to do, whatever the answers to the leaves set aside.
    Finished,
}

/// A leaf that waits for its answer while the search walks on.
///
/// To be given back to the same search, by [`Search::apply_aside`] or [`Search::forget`], before that
/// is started anew.
#[derive(Debug)]
#[must_use = "the search counts the walk to this leaf until it is given back"]
pub struct Aside {
    /// The nodes of the walk, from the root, the leaf at the end.
    walk: Vec<NodeId>,
}

/// A position and its legal moves, to be sent to wherever it is evaluated.
#[derive(Debug, Clone)]
pub struct Question {
    /// The position to judge.
    pub position: Position,
    /// Its legal moves, in the order of the logits.
    pub legal_moves: MoveList,
}

impl Question {
    /// The same for an [`crate::Evaluator`].
    #[must_use]
    pub fn request(&self) -> EvalRequest<'_> {
        EvalRequest {
            position: &self.position,
            legal_moves: &self.legal_moves,
        }
    }
}

impl Search {
    /// [`Search::next_leaf`] for a search with leaves set aside: walks until a position needs an
    /// evaluation. Every leaf set aside counts as a visit that is on its way, and until its answer
    /// comes as a loss for the players who chose to go there, so that the next walk looks elsewhere.
    ///
    /// # Panics
    ///
    /// If a Gumbel root has leaves set aside: it plans its visits one after the other.
    pub fn walk(&mut self) -> Reach {
        if self.leaf.is_some() {
            return Reach::Leaf;
        }
        loop {
            if self.is_closed_or_full() {
                return Reach::Finished;
            }
            let n_open_walks = self.tree.node(NodeId::ROOT).n_open_walks();
            if self.budget <= self.visit_count() + n_open_walks {
                return if n_open_walks == 0 {
                    Reach::Finished
                } else {
                    Reach::Busy
                };
            }
            assert!(
                n_open_walks == 0 || matches!(self.options.root, RootOptions::Puct(_)),
                "a Gumbel root walks on when it has its answer"
            );
            let node = self.walk_down();
            if let Some(certain) = self.tree.node(node).status().value() {
                self.back_up(node, certain);
                continue;
            }
            if 0 < self.tree.node(node).n_open_walks() {
                for _ in self.path.drain(..) {
                    self.game.undo();
                }
                return Reach::Busy;
            }
            self.leaf = Some(node);
            return Reach::Leaf;
        }
    }

    /// Lets the search spend exactly `visits` more from now on, those on their way included, whatever
    /// it was allowed before: [`Search::extend`] for a caller that looks at a clock between walks.
    pub fn allow(&mut self, visits: u32) {
        self.budget = self.visit_count().saturating_add(visits);
    }

    /// Sets the leaf that waits aside, so that [`Search::walk`] may find another one.
    ///
    /// # Panics
    ///
    /// If no position waits.
    pub fn set_aside(&mut self) -> (Aside, Question) {
        let leaf = self
            .leaf
            .take()
            .expect("a leaf waits: walk has come to one");
        let question = Question {
            position: self.game.position().clone(),
            legal_moves: self.leaf_moves.clone(),
        };
        let mut walk = Vec::with_capacity(self.path.len() + 1);
        for node in self.path.drain(..) {
            self.game.undo();
            walk.push(node);
        }
        walk.push(leaf);
        for &node in &walk {
            self.tree.open_walk(node);
        }
        (Aside { walk }, question)
    }

    /// Takes the answer to `question`, which belongs to `aside`: as [`Search::apply`]. No other
    /// position may wait without having been set aside.
    ///
    /// # Errors
    ///
    /// As [`Search::apply`]; the leaf is then forgotten.
    ///
    /// # Panics
    ///
    /// If another position waits.
    pub fn apply_aside(
        &mut self,
        aside: Aside,
        question: &Question,
        logits: &[f32],
        value: Wdl,
    ) -> Result<(), EvaluatorError> {
        assert!(self.leaf.is_none(), "another position waits");
        let checked = check_answer(question.request(), logits, value);
        let walk = self.close(aside);
        checked?;
        let (&leaf, above) = walk.split_last().expect("a walk has an end");
        self.open_leaf(leaf, logits, value);
        self.depth = self.depth.max(above.len() as u32);
        self.tree.add_visit(leaf, value);
        let (mut child, mut value_at_child) = (leaf, value);
        for &node in above.iter().rev() {
            value_at_child = self.add_visit_above(node, child, value_at_child);
            child = node;
        }
        Ok(())
    }

    /// Gives up waiting for the answer to a leaf: the walk to it has not been. The leaf stays in the
    /// tree, and the next walk that comes there asks about it again.
    pub fn forget(&mut self, aside: Aside) {
        self.close(aside);
    }

    fn close(&mut self, aside: Aside) -> Vec<NodeId> {
        for &node in &aside.walk {
            self.tree.close_walk(node);
        }
        aside.walk
    }
}
