//! Whether the nets get stronger against players that never change.

use super::{Alarm, Vitals};

/// So much below its best, in Elo, with both 95 % intervals against it.
const FALLEN: f64 = 150.0;

pub(super) fn falling(vitals: &Vitals<'_>) -> Option<Alarm> {
    let (newest, before) = vitals.measured.split_last()?;
    let now = newest.elo_high?;
    let lows = before.iter().filter_map(|measured| measured.elo_low);
    let best = lows.fold(f64::NEG_INFINITY, f64::max);
    if best - now < FALLEN {
        return None;
    }
    Alarm::warn(
        "falling-strength",
        format!(
            "net {} is at most {now:+.0} Elo against {}, an earlier one at least {best:+.0}: the nets get weaker \
             although they learn. Go back to the earlier net and lower train.learning_rate or learn.reuse",
            newest.generation, newest.opponent
        ),
    )
}
