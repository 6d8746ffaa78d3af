//! How a run is: what is measured beside its losses, and the sentinels that look at it.
//!
//! [`Health`] is everything at one moment, an event of the run; [`sentinels`] are pure functions from
//! it (and the newest losses) to plain sentences. Who collects is [`games`] (finished games),
//! [`positions`] (what the net says of games it was not trained on) and [`net`] (two nets and their
//! weights).

pub mod disk;
pub mod games;
pub mod net;
pub mod positions;
pub mod sentinels;

use serde::{Deserialize, Serialize};

pub use games::GameHealth;
pub use net::NetHealth;
pub use positions::PositionHealth;

use crate::report::events::Progress;

/// How a run is at one moment. Shares are in [0, 1].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Health {
    /// Where the run stands.
    pub progress: Progress,
    /// The newest games.
    pub games: GameHealth,
    /// What the averaged net says of positions that it was not trained on; none before it has learned.
    pub positions: Option<PositionHealth>,
    /// The newest net; none before there are two.
    pub net: Option<NetHealth>,
    /// The replay window.
    pub replay: ReplayHealth,
    /// Resigning, where it is on.
    pub resigning: Option<ResignHealth>,
    /// The trust in values of the search now, where its root is a Gumbel root.
    pub c_scale: Option<f64>,
    /// This process and its disk.
    pub machine: MachineHealth,
}

impl Health {
    /// The newest games, if any has been finished since the start: all shares of none are 0.
    pub fn known_games(&self) -> Option<&GameHealth> {
        Some(&self.games).filter(|games| 0 < games.games)
    }
}

/// How fresh the positions are that are learned from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplayHealth {
    /// Positions in the window.
    pub positions: u64,
    /// Mean age of the window's positions: nets published since the net that began their game.
    pub age_nets: f64,
    /// Training rows per position played, since the first start.
    pub reuse: f64,
    /// What the configuration allows.
    pub reuse_allowed: f64,
}

/// What was measured about resigning.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ResignHealth {
    /// Below this expected score sides resign; 0 for never.
    pub threshold: f64,
    /// Sides that played a game out.
    pub played_out: u64,
    /// Those of them that would have resigned.
    pub resigning: u64,
    /// Those of these that did not lose.
    pub mistakes: u64,
}

/// The process and its disk.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineHealth {
    /// Memory in use, in MiB; none where the system does not tell.
    pub memory_mib: Option<u64>,
    /// Free disk for the run folder, in MiB; none where the system does not tell.
    pub disk_free_mib: Option<u64>,
    /// Mean share of a batch of the players that was not padding, lately.
    pub batch_fill: Option<f64>,
}
