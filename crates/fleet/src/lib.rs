//! Games, models and orders between machines, over NATS with JetStream.
//!
//! A run has one trainer and any number of workers; a broker (`nats-server`) stands between them.
//! [`TrainerSide`] takes finished games in and gives nets out, [`WorkerSide`] does the opposite, and
//! [`FleetStatus`] looks at both from outside. Matches are played for no run in particular: a
//! [`MatchDesk`] hands pairs of games to whoever has a [`MatchSeat`]. Games and models travel as bytes: this crate checks
//! sizes, checksums, hashes and who they are from, and knows neither shogi nor networks.
//!
//! What the broker holds of a run is for the way only; the run folder is the truth:
//!
//! | at the broker | what it is |
//! | --- | --- |
//! | stream `narikin-games-RUN` | finished games in [`Chunk`]s until the trainer has them on disk; a work queue |
//! | bucket `narikin-run-RUN` | what workers have to know: [`RunCard`] and the current [`Order`] |
//! | bucket `narikin-live-RUN` | who is there: reports that vanish by themselves |
//! | objects `narikin-models-RUN` | the newest models |
//!
//! This is the only crate with asynchronous code, and it hides it: all calls block, or return at
//! once. Credentials never leave [`Credentials`]: no error, no `Debug` and no message has them.

mod broker;
mod chunk;
mod error;
mod hash;
mod ids;
mod matches;
mod messages;
mod models;
mod names;
mod seen;
mod spool;
mod status;
mod trainer_side;
mod worker_side;

pub use broker::{Address, Broker, BrokerOptions, Credentials, Secret, TlsOptions};
pub use chunk::{Chunk, ChunkFault, ChunkGame, MAX_CHUNK_BYTES, MAX_GAME_BYTES, ModelUse};
pub use error::{FleetError, Said};
pub use hash::{Hash, RunId};
pub use ids::{FIRST_FLEET_GAME, MAX_STARTS, Sender, game_id, sequence_of, worker_of};
pub use matches::{
    HEARD_WITHIN, MAX_PAIR_BYTES, MatchDesk, MatchSeat, MatchStatus, PairTask, ResultDelivery,
    ResultReceipt,
};
pub use messages::{MESSAGE_FORMAT, ModelRef, Order, RunCard, TrainerReport, WorkerReport};
pub use names::RunName;
pub use seen::SeenGames;
pub use spool::{Spool, SpoolError};
pub use status::{FleetStatus, runs};
pub use trainer_side::{Delivery, Receipt, TrainerSide, TrainerState, Verdict};
pub use worker_side::{Assignment, MemberStart, Membership, WorkerSide, WorkerState};

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
