//! Resigning, and how often it would have been a mistake.

use std::collections::VecDeque;

use rules::Color;
use serde::{Deserialize, Serialize};

use crate::options::share;

/// When a hopeless side resigns. The threshold is not given but found: the highest at which
/// mistakes, measured on games that are played out, stay below `mistakes`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ResignOptions {
    /// Share of resignations that may be mistakes (the side would not have lost), above 0, at most
    /// 1 (AlphaGo Zero: 0.05).
    pub mistakes: f32,
    /// Share of games that are played to the end whatever the search says, above 0, at most 1
    /// (AlphaGo Zero: 0.1). Also those that are played before anything has been measured.
    pub played_out_share: f32,
    /// The highest threshold, above 0 and at most 0.5: a side resigns when its expected score (win
    /// 1, draw 1/2) is below the threshold ...
    pub highest: f32,
    /// ... at so many of its moves in a row, 1 to 100.
    pub moves_in_row: u32,
}

impl Default for ResignOptions {
    fn default() -> ResignOptions {
        ResignOptions {
            mistakes: 0.05,
            played_out_share: 0.1,
            highest: 0.1,
            moves_in_row: 3,
        }
    }
}

impl ResignOptions {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        for (key, found) in [
            ("resign.mistakes", self.mistakes),
            ("resign.played_out_share", self.played_out_share),
        ] {
            share(key, found)?;
            if found == 0.0 {
                return Err((key, "0: expected a number above 0".to_owned()));
            }
        }
        if !(self.highest > 0.0 && self.highest <= 0.5) {
            let message = format!("{}: expected a number above 0, at most 0.5", self.highest);
            return Err(("resign.highest", message));
        }
        if !(1..=100).contains(&self.moves_in_row) {
            let found = self.moves_in_row;
            let message = format!("{found}: expected a whole number from 1 to 100");
            return Err(("resign.moves_in_row", message));
        }
        Ok(())
    }
}

/// What has been measured on games that were played out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ResignStats {
    /// Below this expected score sides resign now; 0 for never.
    pub threshold: f32,
    /// Sides of games that were played out and are still counted.
    pub n_played_out: usize,
    /// Those of them that would have resigned at the threshold.
    pub n_resigning: usize,
    /// Those of these that did not lose.
    pub n_mistakes: usize,
}

/// What was measured on games that were played out, to be kept over a restart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignMemory {
    /// Of the last sides that played a game out, oldest first: the lowest threshold that would not
    /// have made them resign, and whether they lost.
    pub sides: Vec<(f32, bool)>,
}

/// Finds the threshold.
#[derive(Debug, Clone)]
pub(crate) struct ResignTuner {
    options: ResignOptions,
    /// Of the last sides that played a game out: the lowest threshold that would not have made them
    /// resign, and whether they lost.
    sides: VecDeque<(f32, bool)>,
    threshold: f32,
}

/// Sides that are kept: more than the twenty or so that a threshold needs, few enough to follow a
/// net that learns.
const KEPT_SIDES: usize = 4000;

/// Thresholds that are tried.
const STEPS: u16 = 40;

impl ResignTuner {
    pub(crate) fn new(options: ResignOptions, memory: ResignMemory) -> ResignTuner {
        let mut tuner = ResignTuner {
            options,
            sides: memory.sides.into(),
            threshold: 0.0,
        };
        tuner.forget_and_tune();
        tuner
    }

    pub(crate) fn memory(&self) -> ResignMemory {
        ResignMemory {
            sides: self.sides.iter().copied().collect(),
        }
    }

    pub(crate) fn threshold(&self) -> f32 {
        self.threshold
    }

    /// Counts a game that was played out.
    pub(crate) fn add(&mut self, watch: &ResignWatch, winner: Option<Color>) {
        for color in Color::ALL {
            let lost = winner == Some(color.flipped());
            self.sides.push_back((watch.lowest[color.index()], lost));
        }
        self.forget_and_tune();
    }

    /// Keeps the newest sides and finds the threshold that fits them.
    fn forget_and_tune(&mut self) {
        while KEPT_SIDES < self.sides.len() {
            self.sides.pop_front();
        }
        let step = |number: u16| self.options.highest * f32::from(number) / f32::from(STEPS);
        let fits = |&threshold: &f32| {
            let (n_resigning, n_mistakes) = self.count_at(threshold);
            // Laplace's rule of succession: nothing is believed of a few games.
            (n_mistakes as f32 + 1.0) / (n_resigning as f32 + 2.0) <= self.options.mistakes
        };
        let highest = (1..=STEPS).rev().map(step).find(fits);
        self.threshold = highest.unwrap_or(0.0);
    }

    /// Sides that would have resigned at `threshold`, and those of them that did not lose.
    fn count_at(&self, threshold: f32) -> (usize, usize) {
        let resigning = self.sides.iter().filter(|(lowest, _)| *lowest < threshold);
        resigning.fold((0, 0), |(n, n_mistakes), (_, lost)| {
            (n + 1, n_mistakes + usize::from(!lost))
        })
    }

    pub(crate) fn stats(&self) -> ResignStats {
        let (n_resigning, n_mistakes) = self.count_at(self.threshold);
        ResignStats {
            threshold: self.threshold,
            n_played_out: self.sides.len(),
            n_resigning,
            n_mistakes,
        }
    }
}

/// The scores that the sides of one game expect.
#[derive(Debug, Clone)]
pub(crate) struct ResignWatch {
    /// Whether the game is played to its end.
    pub(crate) plays_out: bool,
    /// By [`Color::index`]: the last expected scores, at most `moves_in_row`.
    recent: [VecDeque<f32>; 2],
    /// By [`Color::index`]: any threshold above this would have made the side resign.
    lowest: [f32; 2],
}

impl ResignWatch {
    pub(crate) fn new(plays_out: bool) -> ResignWatch {
        ResignWatch {
            plays_out,
            recent: [VecDeque::new(), VecDeque::new()],
            lowest: [1.0; 2],
        }
    }

    /// Takes the score that `color` expects at its move, and says whether it resigns.
    pub(crate) fn resigns(&mut self, color: Color, expected: f32, tuner: &ResignTuner) -> bool {
        let wanted = tuner.options.moves_in_row as usize;
        let recent = &mut self.recent[color.index()];
        recent.push_back(expected);
        if wanted < recent.len() {
            recent.pop_front();
        }
        if recent.len() < wanted {
            return false;
        }
        // Below a threshold at all of them: the highest is.
        let level = recent.iter().copied().fold(0.0, f32::max);
        let lowest = &mut self.lowest[color.index()];
        *lowest = lowest.min(level);
        !self.plays_out && level < tuner.threshold
    }
}

#[cfg(test)]
mod tests;
