//! `events.jsonl`: one line per event of a run, a [`Journal`].

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(feature = "fleet")]
pub use fleet::TrainerReport;
use serde::{Deserialize, Serialize};

use crate::health::Health;
use crate::journal::{Journal, JournalError, read_journal};

/// What a trainer says of its workers: builds that do not know any pass it on as they found it.
#[cfg(not(feature = "fleet"))]
pub type TrainerReport = serde_json::Value;

/// One line of `events.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was written, in seconds since 1970.
    pub time_s: f64,
    /// What happened.
    pub event: Event,
}

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A trainer started to work on the run folder, for the first time or again.
    Started(Started),
    /// Self-play finished a group of games.
    Games(Games),
    /// The network learned for a while.
    Learned(Learned),
    /// A net was published as the one that self-play uses.
    Published(Published),
    /// How the run is.
    Health(Box<Health>),
    /// A new net played the one that makes games, to take its place.
    Gated(Gated),
    /// The run goes on with other settings.
    Amended(Amended),
    /// How the fleet is: games from other machines.
    Fleet(Box<FleetStands>),
    /// A net played fixed opponents.
    Measured(Measured),
    /// A checkpoint is on disk: training can resume from here.
    Checkpoint(Checkpoint),
    /// A person should look at the run; it goes on, unless the warning says that it stops.
    Warning(Warning),
    /// The run was asked to stop and left a resumable folder.
    Interrupted(Progress),
    /// The run has spent its budget.
    Finished(Progress),
}

impl Event {
    /// Where the run stands, if the event says so.
    pub fn progress(&self) -> Option<&Progress> {
        match self {
            Event::Started(started) => Some(&started.progress),
            Event::Published(published) => Some(&published.progress),
            Event::Checkpoint(checkpoint) => Some(&checkpoint.progress),
            Event::Health(health) => Some(&health.progress),
            Event::Fleet(fleet) => Some(&fleet.progress),
            Event::Interrupted(progress) | Event::Finished(progress) => Some(progress),
            Event::Games(_)
            | Event::Learned(_)
            | Event::Gated(_)
            | Event::Amended(_)
            | Event::Measured(_)
            | Event::Warning(_) => None,
        }
    }

    /// The kind as the event log spells it.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::Started(_) => "started",
            Event::Games(_) => "games",
            Event::Learned(_) => "learned",
            Event::Published(_) => "published",
            Event::Health(_) => "health",
            Event::Gated(_) => "gated",
            Event::Amended(_) => "amended",
            Event::Fleet(_) => "fleet",
            Event::Measured(_) => "measured",
            Event::Checkpoint(_) => "checkpoint",
            Event::Warning(_) => "warning",
            Event::Interrupted(_) => "interrupted",
            Event::Finished(_) => "finished",
        }
    }
}

/// See [`Event::Started`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// Version of the program.
    pub version: String,
    /// Git commit of the program, or `unknown`.
    pub commit: String,
    /// Whether an earlier checkpoint was found and loaded.
    pub resumed: bool,
    /// Where the run stands.
    pub progress: Progress,
}

/// Where a run stands: totals since its very first start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Nets published so far; the net that plays now has this number.
    pub generation: u32,
    /// Optimizer updates.
    pub steps: u64,
    /// Training rows used.
    pub samples: u64,
    /// Games finished.
    pub games: u64,
    /// Time spent, all starts together, in seconds.
    pub elapsed_s: f64,
}

/// See [`Event::Games`]. Shares are in [0, 1]; entropies and divergences in nats.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Games {
    /// Games finished since the first start of the run, this group included.
    pub total_games: u64,
    /// The newest net that played in this group.
    pub generation: u32,
    /// Games in this group.
    pub games: u64,
    /// Lengths of this group's games.
    pub plies: Histogram,
    /// Share of games that Black won.
    pub black_share: f64,
    /// Share of games that White won.
    pub white_share: f64,
    /// Share of games without a winner.
    pub draw_share: f64,
    /// Games by the reason of their end, as `rules::EndReason` spells it.
    pub by_reason: BTreeMap<String, u64>,
    /// Share of positions that had occurred before in their own game.
    pub repeated_share: f64,
    /// Mean entropy of the policy that the search returned at the root.
    pub root_entropy: f64,
    /// Mean entropy of the network's policy at the root, over legal moves.
    pub network_entropy: f64,
    /// Mean divergence of the search's policy from the network's.
    pub policy_divergence: f64,
    /// Share of searches that chose another move than the network's first.
    pub overridden_share: f64,
    /// Games finished per second.
    pub games_per_s: f64,
    /// Positions played per second, in games as they finish.
    pub plies_per_s: f64,
    /// Network evaluations per second.
    pub evals_per_s: f64,
    /// Mean share of a batch that was not padding.
    pub batch_fill: f64,
}

/// See [`Event::Learned`]. Means over the steps since the last such event; losses in nats.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// Optimizer updates since the first start of the run.
    pub steps: u64,
    /// Training rows used since the first start of the run.
    pub samples: u64,
    /// What the optimizer minimises.
    pub loss: f64,
    /// Cross entropy of the policy with its target, over legal moves.
    pub policy_loss: f64,
    /// Entropy of the policy target: the part of `policy_loss` that cannot be learned away.
    pub policy_target_entropy: f64,
    /// Cross entropy of the win/draw/loss output with its target.
    pub value_loss: f64,
    /// `policy_loss` of the averaged net on games before they were trained on, if there were any.
    pub unseen_policy_loss: Option<f64>,
    /// `value_loss` in the same way.
    pub unseen_value_loss: Option<f64>,
    /// Cross entropy of the win/draw/loss output with the final result, in the same way: the honest
    /// measure of what the value knows. Knowing nothing gives 0.693.
    pub unseen_outcome_loss: Option<f64>,
    /// Share of positions of decided games in which the value prefers the winner, in the same way.
    pub unseen_value_sign: Option<f64>,
    /// Share of rows whose most probable move is the target's.
    pub top1_share: f64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Share of steps whose gradient was clipped.
    #[serde(default)]
    pub clipped_share: f64,
    /// Positions in the replay window.
    pub window_positions: u64,
    /// Training rows used per position played, since the first start.
    pub reuse: f64,
    /// Training rows per second.
    pub samples_per_s: f64,
}

/// See [`Event::Published`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// File name in `models/`.
    pub model: String,
    /// Where the run stands.
    pub progress: Progress,
}

/// See [`Event::Measured`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The net's generation.
    pub generation: u32,
    /// Opponent, as the arena names players.
    pub opponent: String,
    /// Games played.
    pub games: u32,
    /// Games that the net won.
    pub wins: u32,
    /// Games without a winner.
    pub draws: u32,
    /// Games that the net lost.
    pub losses: u32,
    /// Elo difference to the opponent, if the score is not 0 or 1.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval. Where all games were won, as low as three more games, one of
    /// them lost, would make it.
    #[serde(default)]
    pub elo_low: Option<f64>,
    /// Upper end, in the same way.
    #[serde(default)]
    pub elo_high: Option<f64>,
}

/// See [`Event::Fleet`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FleetStands {
    /// Where the run stands.
    pub progress: Progress,
    /// The trainer's end, its counts since the first start of the run.
    pub trainer: TrainerReport,
}

/// See [`Event::Gated`]. Wins and losses are the new net's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gated {
    /// Generation of the net that makes games.
    pub generation: u32,
    /// Optimizer updates behind the new one.
    pub steps: u64,
    /// Games played.
    pub games: u32,
    /// Games that the new net won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that the new net lost.
    pub losses: u32,
    /// Whether the new net takes the old one's place.
    pub accepted: bool,
}

/// See [`Event::Amended`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amended {
    /// What changed, in the order of the configuration.
    pub changes: Vec<Change>,
}

/// One key of the configuration that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Dotted key.
    pub key: String,
    /// Its value before, as TOML; `None` where the key was absent.
    pub from: Option<String>,
    /// Its value now, in the same way.
    pub to: Option<String>,
}

impl Measured {
    /// Points per game in [0, 1]: a win is 1, a draw 1/2.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games.max(1))
    }
}

/// See [`Event::Checkpoint`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// File or folder name in `checkpoints/`.
    pub name: String,
    /// Where the run stands.
    pub progress: Progress,
}

/// See [`Event::Warning`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Warning {
    /// Which sentinel warns; empty where it is none of them.
    #[serde(default)]
    pub sentinel: String,
    /// What was seen, and what to do; empty where the warning is over.
    pub message: String,
    /// Whether the sentinel's last warning is over.
    #[serde(default)]
    pub over: bool,
}

/// Counts of integer values in bins of equal width.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Width of a bin, at least 1 where there are values.
    pub bin_width: u32,
    /// Values per bin: bin `i` holds those in `[i * bin_width, (i + 1) * bin_width)`.
    pub counts: Vec<u64>,
    /// Smallest value.
    pub min: u32,
    /// Largest value.
    pub max: u32,
    /// Sum of all values.
    pub sum: f64,
    /// Sum of all squared values.
    pub sum_of_squares: f64,
}

impl Histogram {
    /// Counts `values` in bins of `bin_width`.
    pub fn of(values: impl IntoIterator<Item = u32>, bin_width: u32) -> Histogram {
        let mut histogram = Histogram {
            bin_width: bin_width.max(1),
            ..Histogram::default()
        };
        for value in values {
            let bin = (value / histogram.bin_width) as usize;
            if histogram.counts.len() <= bin {
                histogram.counts.resize(bin + 1, 0);
            }
            let first = histogram.len() == 0;
            histogram.min = if first {
                value
            } else {
                histogram.min.min(value)
            };
            histogram.max = histogram.max.max(value);
            histogram.counts[bin] += 1;
            histogram.sum += f64::from(value);
            histogram.sum_of_squares += f64::from(value).powi(2);
        }
        histogram
    }

    /// Number of values.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Mean of the values, 0 where there are none.
    pub fn mean(&self) -> f64 {
        self.sum / self.len().max(1) as f64
    }

    /// Standard deviation of the values, 0 where there are none.
    pub fn deviation(&self) -> f64 {
        let mean_of_squares = self.sum_of_squares / self.len().max(1) as f64;
        (mean_of_squares - self.mean().powi(2)).max(0.0).sqrt()
    }
}

/// What a line of the log is, for messages.
const AN_EVENT: &str = "an event";

/// The open event log of a run; there is one writer, the holder of the run folder's lock.
#[derive(Debug)]
pub struct EventLog {
    journal: Journal<Entry>,
}

impl EventLog {
    /// Opens the log for appending, after cutting off a torn last line; creates it if absent.
    ///
    /// # Errors
    ///
    /// [`JournalError::Read`] or [`JournalError::Write`].
    pub fn open(path: &Path) -> Result<EventLog, JournalError> {
        Ok(EventLog {
            journal: Journal::open(path)?,
        })
    }

    /// Appends `event` with the time of now and returns the line as written.
    ///
    /// # Errors
    ///
    /// [`JournalError::Write`].
    pub fn append(&mut self, event: Event) -> Result<Entry, JournalError> {
        let entry = Entry {
            time_s: unix_time_s(),
            event,
        };
        self.journal.append(&entry)?;
        Ok(entry)
    }
}

/// All whole lines of an event log; an absent file has none, a torn last line is left out.
///
/// # Errors
///
/// [`JournalError::Read`], or [`JournalError::Line`] for a whole line that is not an event.
pub fn read_events(path: &Path) -> Result<Vec<Entry>, JournalError> {
    read_journal(path, AN_EVENT)
}

/// Seconds that a run has spent by its events, all starts together; 0 without any.
pub fn elapsed_s(told: &[Entry]) -> f64 {
    let progress = told.iter().filter_map(|entry| entry.event.progress());
    progress
        .map(|progress| progress.elapsed_s)
        .next_back()
        .unwrap_or(0.0)
}

/// Seconds since 1970, 0 on a machine whose clock is before that.
pub fn unix_time_s() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |now| now.as_secs_f64())
}

#[cfg(test)]
mod tests;
