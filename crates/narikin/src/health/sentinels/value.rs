//! What values are worth.

use super::{Alarm, Vitals, deviations, percent};

/// Positions of one game agree with each other: so many count as one.
const ALIKE: f64 = 5.0;

/// Below this share of right signs near the end the sign is wrong. Knowing nothing gives one half.
const WRONG: f64 = 0.45;

/// Expected and actual scores are further apart than this, over the tenths.
const UNCALIBRATED: f64 = 0.15;

/// Nats between the loss on unseen games and the one in the window. Memorising showed 0.15 in the
/// prototype, honest learning 0.02.
const MEMORISED: f64 = 0.12;

pub(super) fn sign(vitals: &Vitals<'_>) -> Option<Alarm> {
    let positions = vitals.health.positions.as_ref()?;
    let right = positions.sign_near.filter(|&share| share < WRONG)?;
    if deviations(right, 0.5, positions.near_positions as f64 / ALIKE) > -4.0 {
        return None;
    }
    Alarm::warn(
        "value-sign",
        format!(
            "ten plies before the end the learner's value prefers the winner in only {} of unseen positions: win \
             and loss are exchanged somewhere between games and training. Check the games with narikin inspect, \
             and run narikin doctor",
            percent(right)
        ),
    )
}

pub(super) fn search_sign(vitals: &Vitals<'_>) -> Option<Alarm> {
    let games = &vitals.health.games;
    let right = games.value_sign_near_end.filter(|&share| share < WRONG)?;
    // All ten positions of a game are looked at here.
    if deviations(right, 0.5, games.near_end_positions as f64 / (2.0 * ALIKE)) > -4.0 {
        return None;
    }
    Alarm::warn(
        "search-value-sign",
        format!(
            "ten plies before the end the players' search prefers the winner in only {} of positions: the net that \
             plays says loss where it means win, or the search takes it so. Run narikin doctor, and compare the \
             players' device with --device cpu",
            percent(right)
        ),
    )
}

pub(super) fn calibration(vitals: &Vitals<'_>) -> Option<Alarm> {
    let health = vitals.health;
    let positions = health.positions.as_ref()?;
    if health.progress.generation < 5
        || positions.positions < 4000
        || positions.calibration_error <= UNCALIBRATED
    {
        return None;
    }
    Alarm::warn(
        "calibration",
        format!(
            "expected and actual scores are {:.2} apart on unseen games: the value believes more than it knows. Use \
             positions less often (learn.reuse), trust results less (sample.lambda), or keep a larger window",
            positions.calibration_error
        ),
    )
}

pub(super) fn memorising(vitals: &Vitals<'_>) -> Option<Alarm> {
    let learned = vitals.learned?;
    let unseen = learned.unseen_value_loss?;
    let apart = unseen - learned.value_loss;
    if vitals.health.progress.generation < 5 || apart <= MEMORISED {
        return None;
    }
    Alarm::warn(
        "memorising",
        format!(
            "the value's loss is {:.3} in the window and {unseen:.3} on unseen games: games are learned by heart. \
             Use positions less often (learn.reuse), and targets with less of the result (sample.lambda = 0.95)",
            learned.value_loss
        ),
    )
}
