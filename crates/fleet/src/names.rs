//! What the things of a run are called at the broker.

use std::fmt;

use crate::ids::Sender;

/// First part of all our names at a broker that others may use, too.
const OURS: &str = "narikin";

/// What stands before a member's number in its subject.
const MEMBER: &str = "n";

/// The longest name of a run that a broker is asked to take.
const MAX_LEN: usize = 100;

/// The name of a run, and of all that belongs to it at the broker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunName {
    name: String,
    /// The name with what a broker does not allow (`.`) as `_`. Two names that become one are told
    /// apart by their runs' identities.
    token: String,
}

impl RunName {
    /// `None` unless the name has 1 to 100 letters, digits, `-`, `_` and `.`.
    pub fn new(name: &str) -> Option<RunName> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let fits = (1..=MAX_LEN).contains(&name.len()) && name.chars().all(allowed);
        fits.then(|| RunName {
            name: name.to_owned(),
            token: name.replace('.', "_"),
        })
    }

    /// The stream of finished games.
    pub(crate) fn games(&self) -> String {
        format!("{OURS}-games-{}", self.token)
    }

    /// What the games of `worker` are published as.
    pub(crate) fn games_subject(&self, worker: u32) -> String {
        let sender = match Sender::of(worker) {
            Sender::Worker(number) => number.to_string(),
            Sender::Member(number) => format!("{MEMBER}{number}"),
        };
        format!("{OURS}.games.{}.{sender}", self.token)
    }

    /// The subjects of all workers' games.
    pub(crate) fn all_games_subjects(&self) -> String {
        format!("{OURS}.games.{}.*", self.token)
    }

    /// Whose games may come on a subject.
    pub(crate) fn sender_of_subject(&self, subject: &str) -> Option<Sender> {
        let sender = subject.strip_prefix(&format!("{OURS}.games.{}.", self.token))?;
        match sender.strip_prefix(MEMBER) {
            Some(number) => number.parse().ok().map(Sender::Member),
            None => sender.parse().ok().map(Sender::Worker),
        }
    }

    /// The bucket of what workers have to know.
    pub(crate) fn bucket(&self) -> String {
        format!("{OURS}-run-{}", self.token)
    }

    /// The subject on which a change of the current order is heard.
    pub(crate) fn order_subject(&self) -> String {
        format!("$KV.{}.{ORDER_KEY}", self.bucket())
    }

    /// The bucket of reports.
    pub(crate) fn live(&self) -> String {
        format!("{OURS}-live-{}", self.token)
    }

    /// The models.
    pub(crate) fn models(&self) -> String {
        format!("{OURS}-models-{}", self.token)
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Key of the run's card.
pub(crate) const CARD_KEY: &str = "run";
/// Key of the current order.
pub(crate) const ORDER_KEY: &str = "order";
/// Key that a worker writes to get its number.
pub(crate) const JOINED_KEY: &str = "joined";
/// Key of the trainer's report.
pub(crate) const TRAINER_KEY: &str = "trainer";
/// What the keys of workers' reports begin with.
pub(crate) const WORKER_KEY_PREFIX: &str = "worker.";
/// Streams that hold the buckets of [`RunName::bucket`] begin with this.
pub(crate) const RUN_STREAM_PREFIX: &str = "KV_narikin-run-";
/// The durable consumer of a run's games.
pub(crate) const CONSUMER: &str = "trainer";

#[cfg(test)]
mod tests;
