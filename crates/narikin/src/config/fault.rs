//! Faults that are built into a run on purpose.

use serde::{Deserialize, Serialize};

/// A fault that is built into a run on purpose, to see that a sentinel reports it. For tests only: a
/// run with one learns nothing worth having.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The players' network says loss where it means win.
    FlippedValue,
    /// The learner sees its own pieces where the opponent's are.
    SwappedPlanes,
    /// The learner is taught a random legal move instead of the search's.
    ShuffledLabels,
    /// The learner's steps change nothing.
    NoLearning,
    /// The players go on with the first net, whatever is published.
    FrozenPlayers,
}
