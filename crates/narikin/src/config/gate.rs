//! Whether a new net has to prove itself before it plays.

use arena::stats::sprt::Sprt;
use serde::{Deserialize, Serialize};

/// Whether a new net has to prove itself before it makes training games.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Gate {
    /// No: every net that is published plays at once.
    #[default]
    Always,
    /// It plays the net that makes games now, and takes its place if it does well enough.
    Match(GateMatch),
}

/// A match of a new net against the one that makes games; both search as in measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateMatch {
    /// The most games, an even number of at least 2.
    pub games: u32,
    /// Share of the points that the new net needs where no test has decided, from 0 to 1.
    pub score: f64,
    /// A sequential test that ends the match as soon as it has decided; absent: all games are played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl Default for GateMatch {
    /// A score of one half is enough: a gate that asks for 55 %, as AlphaGo Zero's did, keeps most
    /// nets out that are better by a little.
    fn default() -> GateMatch {
        GateMatch {
            games: 100,
            score: 0.5,
            sprt: None,
        }
    }
}

impl Gate {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key relative to the gate, and what was found and expected.
    pub fn check(&self) -> Result<(), (String, String)> {
        let Gate::Match(GateMatch { games, score, sprt }) = self else {
            return Ok(());
        };
        if *games < 2 || !games.is_multiple_of(2) {
            let message = format!("{games}: expected an even number of at least 2");
            return Err(("match.games".to_owned(), message));
        }
        if !(0.0..=1.0).contains(score) {
            let message = format!("{score}: expected a number from 0 to 1");
            return Err(("match.score".to_owned(), message));
        }
        sprt.as_ref().map_or(Ok(()), |sprt| {
            sprt.check().map_err(|error| {
                let error = error.within("match.sprt");
                (
                    error.key,
                    format!("{}: expected {}", error.found, error.expected),
                )
            })
        })
    }
}

#[cfg(test)]
mod tests;
