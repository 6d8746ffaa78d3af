//! What is taken from workers on other machines.

use serde::{Deserialize, Serialize};

/// What is taken from workers on other machines (`narikin train --broker`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FleetOptions {
    /// A game is refused if it was begun more nets ago than this; from 0 to 1,000,000.
    pub max_age_nets: u32,
}

impl Default for FleetOptions {
    /// A guess. By the other defaults a net comes every 7,500 positions, so the largest window holds games
    /// of 133 nets: a game that comes 50 nets late still has most of its time in it before it.
    fn default() -> FleetOptions {
        FleetOptions { max_age_nets: 50 }
    }
}

impl FleetOptions {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let found = self.max_age_nets;
        if found > 1_000_000 {
            let message = format!("{found}: expected a whole number from 0 to 1000000");
            return Err(("max_age_nets", message));
        }
        Ok(())
    }
}
