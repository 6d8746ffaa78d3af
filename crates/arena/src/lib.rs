//! Plays games for measuring: who is the stronger, by how much, and how sure is that.
//!
//! Read [`Match`] first: two [`Player`]s, openings that each are played twice with colours
//! swapped, many games in lockstep so that all positions waiting for one network share a batch.
//! [`MatchReport`] is what comes out, [`stats`] has the formulas.
//!
//! Deliberately elsewhere: reading models and writing records (the binary), the USI protocol
//! (`usi`), the tree search (`search`).

mod adjudication;
mod audit;
mod baseline;
mod book;
mod clock;
mod external;
mod finished;
mod live;
mod opening;
mod options;
pub mod page;
mod play;
mod player;
mod record;
mod report;
mod schedule;
mod spec;
pub mod stats;
mod transcript;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use audit::{AuditError, audit};
pub use baseline::Baseline;
pub use book::{BookMaker, BookOptions};
pub use clock::{Charge, TimeControl, TimeControlError};
pub use external::{EngineError, EngineFault, EngineLimit, EngineSettings};
pub use finished::{FinishedGame, GameEnd, MoveNote};
pub use opening::{Opening, OpeningError, OpeningOptions};
pub use options::MatchOptions;
pub use play::{ArenaEvent, Match, MatchError, Progress, play_match};
pub use player::{Player, Seat};
pub use record::{StoredGame, StoredGameError, Winner};
pub use report::{Counts, GameScore, MatchReport, SprtReport, table};
pub use schedule::next_pairing;
pub use spec::{Effort, Grade, OwnSettings, PlayerSpec, PlayerSpecError, Who};
pub use transcript::{Heading, record};
