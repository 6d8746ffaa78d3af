//! How fresh the games are that are learned from.

use super::{Alarm, Vitals};

/// Nets beyond twice the age that the options imply.
const SLACK: f64 = 20.0;

pub(super) fn stale(vitals: &Vitals<'_>) -> Option<Alarm> {
    let age = vitals.health.replay.age_nets;
    if age <= 2.0 * vitals.implied_age_nets + SLACK {
        return None;
    }
    Alarm::warn(
        "stale-replay",
        format!(
            "positions in the window are {age:.0} nets old on average, {:.0} would be usual: games come too slowly, \
             or are played by old nets. Play more (--threads, fewer search.visits), or publish less often \
             (learn.publish_samples)",
            vitals.implied_age_nets
        ),
    )
}
