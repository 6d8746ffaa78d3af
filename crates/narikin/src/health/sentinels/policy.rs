//! What becomes of the policy.

use super::{Alarm, Vitals, percent};

/// Below this entropy, in nats, the network knows one move only.
const COLLAPSED: f64 = 0.05;

/// After so many nets, and of so many positions, something must have been learned.
const NETS: u32 = 5;
const POSITIONS: u64 = 2000;
const SAMPLES: u64 = 50_000;

/// Less than this part of the way to the target is nothing.
const LEARNED: f64 = 0.02;

/// Above this divergence, in nats, targets may be noise. A prototype with dishonest values learnt its
/// games by heart at 1.0; healthy half hours pass 0.9 as the trust in values is raised (docs/methods.md).
const NOISE: f64 = 1.0;

/// Below this the search adds nothing.
const ECHO: f64 = 0.01;

pub(super) fn collapse(vitals: &Vitals<'_>) -> Option<Alarm> {
    let games = &vitals.health.games;
    let entropy = games.network_entropy.filter(|&nats| nats < COLLAPSED)?;
    if games.games < 500 || vitals.health.progress.generation < 3 {
        return None;
    }
    Alarm::stop(
        "policy-collapse",
        format!(
            "the policy has collapsed: its mean entropy is {entropy:.3} nats, so that all games are the same. Go \
             back to an earlier net with more noise (search.noise = true, selfplay.temperature) and a smaller \
             train.learning_rate"
        ),
    )
}

pub(super) fn learns_nothing(vitals: &Vitals<'_>) -> Option<Alarm> {
    let health = vitals.health;
    let positions = health.positions.as_ref()?;
    let learned = positions.policy_learned.filter(|&part| part < LEARNED)?;
    if health.progress.generation < NETS
        || health.progress.samples < SAMPLES
        || positions.positions < POSITIONS
    {
        return None;
    }
    Alarm::warn(
        "policy-learns-nothing",
        format!(
            "after {} training rows the policy is no better on unseen games than knowing nothing ({} of the way to \
             its targets): labels and moves do not belong together, or train.learning_rate is far off. Check with \
             narikin doctor; with intact labels try train.learning_rate = 1e-3",
            health.progress.samples,
            percent(learned)
        ),
    )
}

pub(super) fn divergence(vitals: &Vitals<'_>) -> Option<Alarm> {
    let health = vitals.health;
    let divergence = health.games.policy_divergence?;
    if health.progress.generation < NETS || health.games.games < 500 {
        return None;
    }
    if divergence > NOISE {
        return Alarm::warn(
            "policy-divergence",
            format!(
                "the search's policy is {divergence:.2} nats away from the network's: targets are sharper than the \
                 values deserve. Lower search.root.c_scale or use learn.sharpness; 0.2 to 0.7 is a good distance"
            ),
        );
    }
    if divergence < ECHO {
        return Alarm::warn(
            "policy-divergence",
            format!(
                "the search's policy is the network's own ({divergence:.3} nats apart): there is nothing to learn \
                 from it. Raise search.visits or search.root.c_scale; 0.2 to 0.7 is a good distance"
            ),
        );
    }
    None
}
