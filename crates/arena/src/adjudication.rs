//! Ending games early by what the players themselves think of them. Off unless asked for.

use rules::Color;
use search::OptionError;
use serde::{Deserialize, Serialize};
use usi::Score;

use crate::finished::MoveNote;
use crate::options::refuse;

/// When games end before the rules end them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// When a player counts as having resigned.
    pub resign: Option<ResignRule>,
    /// When a game counts as drawn.
    pub draw: Option<DrawRule>,
}

/// A player has lost that says so itself, and whose opponent, if it gives scores, agrees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Hundredths of a pawn that the loser is behind at least, from 1.
    pub score: u32,
    /// For so many of its moves in a row, from 1.
    pub moves: u32,
}

/// A long game is drawn in which nobody sees anything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Not before so many plies.
    pub after_ply: u32,
    /// Hundredths of a pawn that all scores are from even at most.
    pub score: u32,
    /// For so many moves of each side in a row, from 1. Both sides must give scores.
    pub moves: u32,
}

/// What a game is adjudicated as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    Lost(Color),
    Drawn,
}

impl Adjudication {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// Names the key that is out of range, relative to this struct.
    pub fn check(&self) -> Result<(), OptionError> {
        let at_least_one = "a whole number of at least 1";
        if let Some(ResignRule { score, moves }) = &self.resign {
            if *score == 0 {
                return refuse("resign.score", 0, at_least_one);
            }
            if *moves == 0 {
                return refuse("resign.moves", 0, at_least_one);
            }
        }
        match &self.draw {
            Some(DrawRule { moves: 0, .. }) => refuse("draw.moves", 0, at_least_one),
            _ => Ok(()),
        }
    }

    /// What the notes on a game come to after its last move, with `side` to move. Only that side
    /// can have lost: it is then as if it had resigned.
    pub(crate) fn rule(&self, notes: &[MoveNote], plies: u32, side: Color) -> Option<Ruling> {
        let resign = self.resign.as_ref();
        if resign.is_some_and(|rule| rule.has_lost(notes)) {
            return Some(Ruling::Lost(side));
        }
        let draw = self.draw.as_ref()?;
        (plies >= draw.after_ply && draw.holds(notes)).then_some(Ruling::Drawn)
    }
}

impl ResignRule {
    /// Whether the side to move is lost; the last note is its opponent's.
    fn has_lost(&self, notes: &[MoveNote]) -> bool {
        let bound = self.score as i32;
        let moves = self.moves as usize;
        let behind = |note: &MoveNote| note.score.is_some_and(|score| pawns(score) <= -bound);
        let ahead = |note: &MoveNote| note.score.is_none_or(|score| pawns(score) >= bound);
        let of = |offset: usize| notes.iter().rev().skip(offset).step_by(2).take(moves);
        of(1).count() == moves && of(1).all(behind) && of(0).all(ahead)
    }
}

impl DrawRule {
    fn holds(&self, notes: &[MoveNote]) -> bool {
        let needed = 2 * self.moves as usize;
        let even = |note: &MoveNote| {
            note.score
                .is_some_and(|score| pawns(score).unsigned_abs() <= self.score)
        };
        notes.len() >= needed && notes.iter().rev().take(needed).all(even)
    }
}

/// A score as hundredths of a pawn; proven ones are beyond all others.
fn pawns(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Won => i32::MAX,
        Score::Lost => -i32::MAX,
        Score::Mate(plies) if plies > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}

#[cfg(test)]
mod tests;
