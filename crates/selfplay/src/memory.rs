//! What self-play keeps over a restart.

use serde::{Deserialize, Serialize};

use crate::{ResignMemory, Start};

/// What later games take from earlier ones, to be kept over a restart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayMemory {
    /// What was measured about resigning.
    pub resigning: ResignMemory,
    /// Positions from late in the last games, oldest first; SFEN in files.
    #[serde(with = "search::as_texts")]
    pub late_starts: Vec<Start>,
}
