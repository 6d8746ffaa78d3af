//! Win, draw and loss probabilities and their point of view.

use std::fmt;

use rules::{Color, Outcome};

/// Probabilities of winning, drawing and losing; each from 0 to 1, together 1.
///
/// Always seen by **the side to move** of the position they belong to. Crossing over to the
/// other side is a call: [`Wdl::flipped`] for the opponent, [`Wdl::for_color`] for a named side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wdl {
    /// Probability that the side to move wins.
    pub win: f32,
    /// Probability of a draw.
    pub draw: f32,
    /// Probability that the side to move loses.
    pub loss: f32,
}

impl Wdl {
    /// A certain win of the side to move.
    pub const WIN: Wdl = Wdl {
        win: 1.0,
        draw: 0.0,
        loss: 0.0,
    };
    /// A certain draw.
    pub const DRAW: Wdl = Wdl {
        win: 0.0,
        draw: 1.0,
        loss: 0.0,
    };
    /// A certain loss of the side to move.
    pub const LOSS: Wdl = Wdl {
        win: 0.0,
        draw: 0.0,
        loss: 1.0,
    };
    /// Nothing known and no draws: both sides win half of the time.
    pub const EVEN: Wdl = Wdl {
        win: 0.5,
        draw: 0.0,
        loss: 0.5,
    };

    /// How far the three numbers of an answer may be from summing to 1.
    const TOLERANCE: f32 = 1e-3;

    /// The finished game `outcome` as `side` sees it.
    #[must_use]
    pub fn from_outcome(outcome: &Outcome, side: Color) -> Self {
        match outcome.winner {
            None => Self::DRAW,
            Some(winner) if winner == side => Self::WIN,
            Some(_) => Self::LOSS,
        }
    }

    /// The same probabilities as the opponent sees them.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }

    /// These probabilities, which belong to `side`, as `view` sees them.
    #[must_use]
    pub fn for_color(self, side: Color, view: Color) -> Self {
        if side == view { self } else { self.flipped() }
    }

    /// Mean value in `[-1, 1]` with a draw counted as 0.
    #[must_use]
    pub fn q(self) -> f32 {
        self.win - self.loss
    }

    /// Mean value in `[-1, 1]` with a draw counted as `draw_value`, which is the side to move's too.
    #[must_use]
    pub fn q_with_draw(self, draw_value: f32) -> f32 {
        self.q() + self.draw * draw_value
    }

    /// Expected score in `[0, 1]` with a draw counted as one half.
    #[must_use]
    pub fn expected(self) -> f32 {
        self.win + self.draw / 2.0
    }

    /// Whether these are three finite numbers from 0 to 1 that sum to 1, within 1e-3.
    #[must_use]
    pub fn is_probability(self) -> bool {
        let range = -Self::TOLERANCE..=1.0 + Self::TOLERANCE;
        [self.win, self.draw, self.loss]
            .iter()
            .all(|p| range.contains(p))
            && (self.win + self.draw + self.loss - 1.0).abs() <= Self::TOLERANCE
    }
}

/// `win 0.500 draw 0.000 loss 0.500`.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "win {:.3} draw {:.3} loss {:.3}",
            self.win, self.draw, self.loss
        )
    }
}

#[cfg(test)]
mod tests;
