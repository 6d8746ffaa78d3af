//! What the events of a run say when they are read from their beginning: where it stands, its curves,
//! and which warnings stand.
//!
//! A run that was killed goes on from its last checkpoint, so what it had told about later steps is
//! told again: of those points the later ones count. Wall-clock times are never subtracted from each
//! other, except to say how old the last event is.

use std::collections::BTreeMap;

use crate::health::Health;
use crate::report::events::{
    Amended, Entry, Event, FleetStands, Games, Gated, Learned, Measured, Progress,
};

/// A point of a curve, and when it was told: seconds that the run had spent then.
#[derive(Debug, Clone, PartialEq)]
pub struct At<T> {
    /// Seconds of the run's own time; of the last event before it that knows.
    pub elapsed_s: f64,
    /// The point.
    pub what: T,
}

/// How the run's last process ended, as far as it said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ending {
    /// It said nothing: it runs, or was killed.
    #[default]
    None,
    /// By Ctrl-C.
    Interrupted,
    /// With its budget spent.
    Finished,
}

/// A run as its events tell it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// How often the trainer was started.
    pub starts: u32,
    /// Where the run stands, as far as it was told.
    pub progress: Progress,
    /// Wall-clock time of the last event, in seconds since 1970.
    pub told_at_s: f64,
    /// How the last process ended.
    pub ending: Ending,
    /// Groups of games.
    pub games: Vec<At<Games>>,
    /// Reports of the learner.
    pub learned: Vec<At<Learned>>,
    /// Health reports.
    pub health: Vec<At<Health>>,
    /// Measurements.
    pub measured: Vec<At<Measured>>,
    /// Nets at the gate.
    pub gated: Vec<At<Gated>>,
    /// Changes of the settings.
    pub amended: Vec<At<Amended>>,
    /// How the fleet stands; none where there was never one.
    pub fleet: Option<FleetStands>,
    /// Warnings that stand, by their sentinels.
    pub standing: BTreeMap<String, String>,
    /// All warnings, oldest first: the sentinel, and what it said.
    pub warnings: Vec<At<(String, String)>>,
}

impl History {
    /// Reads `entries`, oldest first.
    pub fn of(entries: Vec<Entry>) -> History {
        let mut history = History::default();
        for Entry { time_s, event } in entries {
            history.told_at_s = time_s;
            history.ending = Ending::None;
            if let Some(progress) = event.progress() {
                history.progress = *progress;
            }
            history.take(event);
        }
        history
    }

    fn take(&mut self, event: Event) {
        let elapsed_s = self.progress.elapsed_s;
        fn at<T>(elapsed_s: f64, what: T) -> At<T> {
            At { elapsed_s, what }
        }
        match event {
            Event::Started(started) => {
                self.starts += 1;
                self.standing.clear();
                let steps = started.progress.steps;
                self.learned.retain(|point| point.what.steps <= steps);
                self.health
                    .retain(|point| point.what.progress.steps <= steps);
            }
            Event::Games(games) => self.games.push(at(elapsed_s, games)),
            Event::Learned(learned) => self.learned.push(at(elapsed_s, learned)),
            Event::Health(health) => self.health.push(at(elapsed_s, *health)),
            Event::Fleet(fleet) => self.fleet = Some(*fleet),
            Event::Measured(measured) => self.measured.push(at(elapsed_s, measured)),
            Event::Gated(gated) => self.gated.push(at(elapsed_s, gated)),
            Event::Amended(amended) => self.amended.push(at(elapsed_s, amended)),
            Event::Warning(warning) if warning.over => {
                self.standing.remove(&warning.sentinel);
            }
            Event::Warning(warning) => {
                let told = (warning.sentinel.clone(), warning.message.clone());
                self.warnings.push(at(elapsed_s, told));
                self.standing.insert(warning.sentinel, warning.message);
            }
            Event::Published(_) | Event::Checkpoint(_) => {}
            Event::Interrupted(_) => self.ending = Ending::Interrupted,
            Event::Finished(_) => self.ending = Ending::Finished,
        }
    }

    /// The newest measurement against each opponent, in the order of their names.
    pub fn newest_measured(&self) -> Vec<&Measured> {
        let mut newest: BTreeMap<&str, &Measured> = BTreeMap::new();
        for point in &self.measured {
            newest.insert(&point.what.opponent, &point.what);
        }
        newest.into_values().collect()
    }
}

#[cfg(test)]
mod tests;
