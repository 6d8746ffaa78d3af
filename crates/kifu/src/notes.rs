//! What is said about a move: by people, by engines, by programs.

use rules::Move;

/// One remark. Files write one per line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A comment by a person: `'*` in CSA, `*` in KIF and KI2.
    Text(String),
    /// What an engine said in words of its own: `'**` in CSA, `**` in KIF and KI2.
    Engine(String),
    /// What an engine said, understood.
    Analysis(Analysis),
    /// The name of a bookmark (しおり): `&` in KIF and KI2; CSA has none.
    Bookmark(String),
}

/// An engine's opinion of the move that it stands behind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Analysis {
    /// Evaluation in centipawns, **from Black's view**.
    pub score: i32,
    /// The moves that the engine expects to follow, all legal in turn after the move.
    pub pv: Vec<Move>,
    /// How many nodes it searched.
    pub nodes: Option<u64>,
}
