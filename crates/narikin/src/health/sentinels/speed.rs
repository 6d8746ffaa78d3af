//! Whether the evaluator is used well.

use super::{Alarm, Vitals, percent};

/// Below this the evaluator mostly computes padding.
const POOR: f64 = 0.3;

pub(super) fn batch_fill(vitals: &Vitals<'_>) -> Option<Alarm> {
    let health = vitals.health;
    let fill = health.machine.batch_fill.filter(|&fill| fill < POOR)?;
    if health.progress.generation == 0 {
        return None;
    }
    Alarm::warn(
        "batch-fill",
        format!(
            "the players fill {} of their batches: most of the network's time is spent on nothing. Play more games \
             at once (selfplay.games_at_once), or with fewer proven positions per search",
            percent(fill)
        ),
    )
}
