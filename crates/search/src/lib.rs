//! One Monte-Carlo tree, the evaluator it asks, and the pool that advances many trees.
//!
//! Read first: [`Evaluator`] (positions and legal moves in, logits and win/draw/loss out) and
//! [`Search`] (`next_leaf` walks down and hands out a position, `apply` takes the answer).
//! [`run`] finishes one search, [`Pool`] advances many over batches.
//!
//! *What* a search does is in `search` and `tree`; *how it prefers* is in small pure functions in
//! `puct` and `gumbel`. Deliberately elsewhere: networks, planes and labels (a search never sees
//! them), threads, clocks and files (a search is a plain value that somebody else drives), and
//! choosing a move for variety (self-play's business).

mod cache;
mod ends;
mod evaluator;
mod gumbel;
mod options;
mod policy;
mod pool;
mod puct;
mod random;
mod result;
mod root;
mod root_mate;
mod search;
mod tree;
mod wdl;

pub use cache::{CacheStats, EvalCache};
pub use evaluator::{
    EvalAnswers, EvalRequest, Evaluator, EvaluatorError, HashEvaluator, UniformEvaluator, evaluate,
};
pub use options::{
    GumbelOptions, LeafMate, OptionError, PuctOptions, RootOptions, SearchOptions, as_text,
    as_texts,
};
pub use policy::{argmax, kl_divergence, softmax};
pub use pool::{Pool, Round, run};
pub use random::mix_seed;
pub use result::{RootMove, RootNetwork, SearchResult};
pub use search::{Aside, Question, Reach, Reuse, Search, Step};
pub use wdl::Wdl;
