//! How a run is measured.

use search::SearchOptions;
use serde::{Deserialize, Serialize};

/// How a run measures its nets. None of it changes what is learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeasureOptions {
    /// Minutes between two measurements while the run goes on; 0 for none.
    pub every_minutes: f64,
    /// Games of each of them against `greedy`, an even number.
    pub games: u32,
    /// Games against each built-in player at the end of the run, an even number; 0 for none.
    pub final_games: u32,
    /// The net's search in all of them.
    pub search: SearchOptions,
}

impl Default for MeasureOptions {
    fn default() -> MeasureOptions {
        MeasureOptions {
            every_minutes: 4.0,
            games: 40,
            final_games: 100,
            search: SearchOptions {
                visits: 32,
                noise: false,
                ..SearchOptions::default()
            },
        }
    }
}

impl MeasureOptions {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (String, String)> {
        if !(self.every_minutes >= 0.0 && self.every_minutes.is_finite()) {
            let message = format!("{}: expected a number of at least 0", self.every_minutes);
            return Err(("every_minutes".to_owned(), message));
        }
        for (key, found, low) in [
            ("games", self.games, 2),
            ("final_games", self.final_games, 0),
        ] {
            if found < low || !found.is_multiple_of(2) {
                let message = format!("{found}: expected an even number of at least {low}");
                return Err((key.to_owned(), message));
            }
        }
        self.search.check().map_err(|error| {
            let error = error.within("search");
            (
                error.key,
                format!("{}: expected {}", error.found, error.expected),
            )
        })
    }
}
