//! What trainer and workers tell each other beside games and models: JSON, each with the number of
//! its format where strangers have to be told.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Number of the format of [`RunCard`] and [`Order`]; counts changes that the other side would not
/// understand.
pub const MESSAGE_FORMAT: u32 = 1;

/// What a worker has to know of a run. Written once; a resumed run writes the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunCard {
    /// [`MESSAGE_FORMAT`].
    pub format: u32,
    /// The run's identity, as text.
    pub run: String,
    /// Its name.
    pub name: String,
    /// Version of the trainer's program, for people.
    pub program: String,
    /// Version of game records.
    pub records: u32,
    /// Version of input planes and move labels.
    pub encoding: u32,
    /// The number that all random choices follow from.
    pub seed: u64,
    /// Workers' numbers begin above this.
    pub first_worker: u32,
    /// How games are played; means nothing to this crate.
    pub selfplay: serde_json::Value,
}

/// What workers are to do from now on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// [`MESSAGE_FORMAT`].
    pub format: u32,
    /// The run's identity, as text.
    pub run: String,
    /// Whether games are wanted.
    pub playing: bool,
    /// Generation of the model.
    pub generation: u32,
    /// The model; none for generation 0, which knows nothing.
    pub model: Option<ModelRef>,
    /// How moves are searched; means nothing to this crate.
    pub search: serde_json::Value,
}

/// Where a model is and how it is known to be the right one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRef {
    /// Name of the object.
    pub object: String,
    /// SHA-256 of its bytes, as text.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
}

/// How a worker is doing. Vanishes when it is not renewed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerReport {
    /// What its owner calls it; may be empty.
    pub label: String,
    /// Version of its program.
    pub program: String,
    /// One word: `playing`, `waiting` (no games wanted), `held` (no room for its games), `leaving`.
    pub state: String,
    /// Threads that play.
    pub threads: u32,
    /// Generation of the model that plays.
    pub generation: u32,
    /// Seconds since it joined.
    pub seconds: f64,
    /// Games finished since.
    pub games: u64,
    /// Moves played in them.
    pub plies: u64,
    /// Positions evaluated.
    pub evaluations: u64,
    /// Games finished per second, over the last minute or so.
    pub games_per_s: f64,
    /// Chunks that wait for the broker.
    pub waiting_chunks: u64,
    /// Bytes of these.
    pub waiting_bytes: u64,
    /// Chunks that the broker has taken.
    pub sent_chunks: u64,
    /// Games that were too long to be sent.
    pub lost_games: u64,
    /// Pairs of games played for rating pools.
    pub pairs: u64,
}

/// How the trainer's end of a fleet is doing; all counts since the first start of the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrainerReport {
    /// Whether the broker answers.
    pub connected: bool,
    /// Workers that have reported lately.
    pub workers: u64,
    /// Generation that workers have been told to play with; none before the first order.
    pub published: Option<u32>,
    /// Games taken from workers.
    pub games: u64,
    /// Of these, per second since the last report.
    pub games_per_s: f64,
    /// Messages taken.
    pub messages: u64,
    /// Bytes of these messages.
    pub bytes: u64,
    /// Messages at the broker that are not yet in the folder.
    pub waiting_messages: u64,
    /// Bytes that the broker holds of them.
    pub waiting_bytes: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// Games, and messages that are no games, that were refused, by reason.
    pub refused: BTreeMap<String, u64>,
    /// The newest trouble with the broker; empty if there is none.
    pub trouble: String,
}
