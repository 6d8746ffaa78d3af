//! Whether the players play the net that was learned, and whether that learns at all.

use super::{Alarm, Vitals, percent};

/// Mean distance of policies and of expected scores above which learner and players do not see the
/// same net. Between 16 and 32 bits they are a hundredth apart.
const POLICY_APART: f64 = 0.15;
const VALUE_APART: f64 = 0.08;

/// Expected scores that are correlated less than this are not the same net's, or one of them is flipped.
const VALUE_ALIKE: f64 = 0.5;

/// A net whose parameters moved by less than this share since the last one did not learn.
const UNMOVED: f64 = 1e-6;

/// A value that differs by more than this between a position and its mirror image ...
const MIRRORED: f64 = 0.15;

/// ... after so many training rows, half of which were mirrored.
const MIRROR_SAMPLES: u64 = 200_000;

pub(super) fn strangers(vitals: &Vitals<'_>) -> Option<Alarm> {
    let strangers = vitals.health.net?.strangers;
    if strangers == 0 {
        return None;
    }
    Alarm::warn(
        "frozen-players",
        format!(
            "{strangers} self-play threads answer as another net than the one that they were given: they play an \
             old net. Stop with Ctrl-C and start again; if it comes back, compare --device cpu"
        ),
    )
}

pub(super) fn disagreement(vitals: &Vitals<'_>) -> Option<Alarm> {
    let net = vitals.health.net?;
    let (policy, value) = (net.policy_distance?, net.value_distance?);
    let is_unlike = net
        .value_correlation
        .is_some_and(|found| found < VALUE_ALIKE);
    if policy <= POLICY_APART && value <= VALUE_APART && !is_unlike {
        return None;
    }
    let correlation = net.value_correlation.unwrap_or(1.0);
    Alarm::warn(
        "net-disagreement",
        format!(
            "the players' network and the learner's give the same positions policies that are {} apart and scores \
             that are {} apart, with a correlation of {correlation:.2}: they see other planes, labels or weights, \
             or one of them takes wins for losses. Run narikin doctor, and try --precision f32",
            percent(policy),
            percent(value)
        ),
    )
}

pub(super) fn no_learning(vitals: &Vitals<'_>) -> Option<Alarm> {
    let change = vitals.health.net?.change?;
    if change >= UNMOVED {
        return None;
    }
    Alarm::warn(
        "no-learning",
        format!(
            "the newest net is the one before it (its weights moved by {change:.1e} of their size): nothing is \
             learned. Look at train.learning_rate and its decay (train.decay.floor)"
        ),
    )
}

pub(super) fn mirror(vitals: &Vitals<'_>) -> Option<Alarm> {
    let health = vitals.health;
    let difference = health.positions.as_ref()?.mirror_difference?;
    if health.progress.samples < MIRROR_SAMPLES || difference <= MIRRORED {
        return None;
    }
    Alarm::warn(
        "mirror",
        format!(
            "a position and its mirror image get scores that are {} apart, although shogi has no left and right: \
             the planes of one of them are wrong, or sample.mirror is off",
            percent(difference)
        ),
    )
}
