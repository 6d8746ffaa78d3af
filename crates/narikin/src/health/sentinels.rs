//! The sentinels: each looks at one thing that can go wrong in a run without any error, and says in
//! plain words what it sees and what to do.
//!
//! All are pure functions of [`Vitals`]; [`Watch`] remembers which of them have spoken. Where their
//! limits come from stands beside each; what healthy runs show is in `docs/health.md`.

mod disk;
mod ends;
mod players;
mod policy;
mod replay;
mod speed;
mod strength;
mod value;

use std::collections::BTreeMap;

use super::Health;
use crate::report::events::{Learned, Measured};

/// What sentinels look at.
#[derive(Debug, Clone, Copy)]
pub struct Vitals<'a> {
    /// The health now.
    pub health: &'a Health,
    /// The newest report of the learner.
    pub learned: Option<&'a Learned>,
    /// All measurements against `greedy`, oldest first.
    pub measured: &'a [Measured],
    /// Age in nets that the window's size and the options imply.
    pub implied_age_nets: f64,
}

/// Something that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// Its name, such as `cap-share`.
    pub sentinel: &'static str,
    /// Whether the run should stop here, keeping all it has.
    pub stops: bool,
    /// What was seen, and what to do about it.
    pub message: String,
}

impl Alarm {
    fn warn(sentinel: &'static str, message: String) -> Option<Alarm> {
        Some(Alarm {
            sentinel,
            stops: false,
            message,
        })
    }

    fn stop(sentinel: &'static str, message: String) -> Option<Alarm> {
        Some(Alarm {
            sentinel,
            stops: true,
            message,
        })
    }
}

type Sentinel = fn(&Vitals<'_>) -> Option<Alarm>;

const SENTINELS: [Sentinel; 19] = [
    ends::cap_share,
    ends::draw_share,
    ends::side_bias,
    ends::lines,
    policy::collapse,
    policy::learns_nothing,
    policy::divergence,
    value::sign,
    value::search_sign,
    value::calibration,
    value::memorising,
    replay::stale,
    speed::batch_fill,
    disk::space,
    players::strangers,
    players::disagreement,
    players::no_learning,
    players::mirror,
    strength::falling,
];

/// All alarms of this moment.
pub fn alarms(vitals: &Vitals<'_>) -> Vec<Alarm> {
    SENTINELS
        .iter()
        .filter_map(|sentinel| sentinel(vitals))
        .collect()
}

/// Looks after which an alarm that did not come again is over.
const QUIET_LOOKS: u32 = 5;

/// Remembers which sentinels have spoken, so that each warns once.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Looks since the alarm was last given.
    quiet: BTreeMap<&'static str, u32>,
}

/// What is new at a look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct News {
    /// Alarms that were not there before.
    pub raised: Vec<Alarm>,
    /// Sentinels that have nothing to say any more.
    pub over: Vec<&'static str>,
}

impl Watch {
    /// Takes the alarms of a look, and says what is new.
    pub fn look(&mut self, alarms: Vec<Alarm>) -> News {
        self.quiet.values_mut().for_each(|looks| *looks += 1);
        let mut news = News::default();
        for alarm in alarms {
            if self.quiet.insert(alarm.sentinel, 0).is_none() {
                news.raised.push(alarm);
            }
        }
        self.quiet.retain(|sentinel, looks| {
            let is_over = *looks >= QUIET_LOOKS;
            if is_over {
                news.over.push(sentinel);
            }
            !is_over
        });
        news
    }
}

/// How many standard deviations a share of `n` independent trials is away from `expected`.
fn deviations(share: f64, expected: f64, n: f64) -> f64 {
    (share - expected) / (expected * (1.0 - expected) / n.max(1.0)).sqrt()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests;
