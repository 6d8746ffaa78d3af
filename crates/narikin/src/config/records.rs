//! How `narikin learn` goes through given records.

use data::ConversionOptions;
use serde::{Deserialize, Serialize};

/// How `narikin learn` goes through the records that it is given; `narikin train` has no use for
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordsOptions {
    /// How often all samples are gone through, 1 to 1,000,000. It may be raised later; learning
    /// then goes on.
    pub epochs: u32,
    /// Training rows at most, at least 1; absent: no limit. May be raised later too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Samples among which the next ones are drawn, 1 to 100,000,000: the more, the better they are
    /// mixed. About 300 bytes each.
    pub pool: u32,
    /// Share of the games that are only used to score the net, 0 to 0.5.
    pub held_out: f64,
    /// Positions of these games that are scored, at most, 0 to 1,000,000.
    pub held_out_positions: u32,
    /// Centipawns per unit of log-odds in data of other programs, above 0.
    pub eval_scale: f32,
}

impl Default for RecordsOptions {
    fn default() -> RecordsOptions {
        RecordsOptions {
            epochs: 1,
            samples: None,
            pool: 200_000,
            held_out: 0.02,
            held_out_positions: 4096,
            eval_scale: ConversionOptions::default().eval_scale,
        }
    }
}

impl RecordsOptions {
    /// What evaluations of other programs mean.
    pub fn conversion(&self) -> ConversionOptions {
        ConversionOptions {
            eval_scale: self.eval_scale,
            ..ConversionOptions::default()
        }
    }

    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let ranges = [
            ("epochs", self.epochs, 1, 1_000_000),
            ("pool", self.pool, 1, 100_000_000),
            ("held_out_positions", self.held_out_positions, 0, 1_000_000),
        ];
        for (key, found, least, most) in ranges {
            if !(least..=most).contains(&found) {
                let message = format!("{found}: expected a whole number from {least} to {most}");
                return Err((key, message));
            }
        }
        if self.samples == Some(0) {
            return Err((
                "samples",
                "0: expected a whole number of at least 1".to_owned(),
            ));
        }
        if !(0.0..=0.5).contains(&self.held_out) {
            let message = format!("{}: expected a number from 0 to 0.5", self.held_out);
            return Err(("held_out", message));
        }
        self.conversion().check()
    }
}
