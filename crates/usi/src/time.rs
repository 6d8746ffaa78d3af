//! How long to think: from the clocks of a `go` to a budget. Pure arithmetic.

use std::time::Duration;

use rules::Color;

use crate::limits::GoLimits;

#[cfg(test)]
mod tests;

/// Time for one move, counted from the arrival of `go` (or `ponderhit`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// When an ordinary move is decided.
    pub soft: Duration,
    /// When the answer must be out, whatever the search says. Never less than `soft`.
    pub hard: Duration,
    /// All that the clock has for this move. Never less than `hard`.
    pub most: Duration,
    /// Whether time not used now can be used for a later move.
    pub saves: bool,
}

/// How many times `soft` a move whose best move keeps changing may take (guess).
const STRETCH: u32 = 3;

impl Budget {
    /// The budget of `side` at `ply`; `None` if `limits` has no time limit at all.
    ///
    /// The time usable now is the own clock plus the byoyomi. With an increment it is the larger of
    /// clock and increment: clients differ in whether the clock that they send already holds this
    /// move's increment, and the larger of both is safe either way. `delay` stays unused, for the
    /// way to the client; of a very short time, a fifth of it at least, and half of all that the clock
    /// has.
    pub fn new(limits: &GoLimits, side: Color, ply: u32, delay: Duration) -> Option<Budget> {
        if let Some(movetime) = limits.movetime {
            let time = without_delay(movetime, delay);
            return Some(Budget {
                soft: time,
                hard: time,
                most: time,
                saves: false,
            });
        }
        if !limits.has_clock() {
            return None;
        }
        let clock = limits.clock(side);
        let byoyomi = limits.byoyomi.unwrap_or_default();
        let increment = limits.increment(side);
        let usable = clock.max(increment).saturating_add(byoyomi);
        // Up to here only when something goes wrong: a very short time is worth more safety than that.
        let most = usable - delay.min(usable / 2);
        let share = clock / moves_to_plan_for(ply);
        let soft = without_delay(
            share.saturating_add(byoyomi).saturating_add(increment),
            delay,
        );
        let soft = soft.min(most);
        let saves = !clock.is_zero() || !increment.is_zero();
        Some(Budget {
            soft,
            hard: soft.saturating_mul(STRETCH).min(most),
            most,
            saves,
        })
    }

    /// The same for a player that takes at least `minimum` for a move, as far as the clock allows.
    #[must_use]
    pub(crate) fn with_minimum(self, minimum: Duration) -> Budget {
        let minimum = minimum.min(self.most);
        Budget {
            soft: self.soft.max(minimum),
            hard: self.hard.max(minimum),
            ..self
        }
    }
}

/// Own moves that the clock should still last for. Guess: games are 100 to 150 plies long, and the
/// opening needs less than its share.
fn moves_to_plan_for(ply: u32) -> u32 {
    50_u32.saturating_sub(ply / 4).max(20)
}

/// `time` without the part that is left for the way to the client.
pub(crate) fn without_delay(time: Duration, delay: Duration) -> Duration {
    time - delay.min(time / 5)
}
