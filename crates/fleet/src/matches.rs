//! Matches: pairs of games as a work queue for all workers of a broker, and their results.
//!
//! [`MatchDesk`] puts pairs in and takes results, [`MatchSeat`] takes pairs and brings results. A pair
//! is handed to one worker at a time; one that is not heard of for [`HEARD_WITHIN`] loses it to another.
//! A result is published before the pair is acknowledged, so no pair is lost, and a result may come
//! twice: whoever keeps results knows which pairs it has.
//!
//! | at the broker | what it is |
//! | --- | --- |
//! | stream `narikin-pairs` | pairs to be played, on subjects `narikin.pairs.POOL`; a work queue |
//! | stream `narikin-results` | results, on subjects `narikin.results.POOL` |
//! | objects `narikin-nets` | the nets that play, named `POOL-HASH` |
//!
//! `POOL` is an identity, as text, that the desk and nobody else has.

mod desk;
mod seat;

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, ErrorCode};

use crate::broker::Broker;
use crate::error::FleetError;

pub use desk::{MatchDesk, ResultDelivery, ResultReceipt};
pub use seat::{MatchSeat, PairTask};

/// The largest pair or result, in bytes.
pub const MAX_PAIR_BYTES: usize = 256 << 10;
/// Time after which a pair goes to another worker if the one that has it is not heard of.
pub const HEARD_WITHIN: Duration = Duration::from_secs(15);

/// The queue of pairs.
const PAIRS: &str = "narikin-pairs";
/// What all subjects of pairs begin with.
const PAIRS_SUBJECT: &str = "narikin.pairs";
/// The one consumer of pairs, which all workers share.
const WORKERS: &str = "workers";
/// The stream of results.
const RESULTS: &str = "narikin-results";
/// What all subjects of results begin with.
const RESULTS_SUBJECT: &str = "narikin.results";
/// The store of nets.
const NETS: &str = "narikin-nets";

/// Pairs that the broker holds at most.
const PAIRS_BYTES: i64 = 64 << 20;
/// Results that it holds of one pool at most: a worker that runs wild fills no more.
const RESULTS_PER_POOL: i64 = 20_000;
/// Bytes of results that it holds at most.
const RESULTS_BYTES: i64 = 512 << 20;
/// Pairs and results that nobody has asked for vanish after this.
const KEPT_FOR: Duration = Duration::from_secs(7 * 24 * 3600);
/// Pairs that may be in play.
const MAX_IN_PLAY: i64 = 200_000;

/// How the queue of pairs stands, all pools together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct MatchStatus {
    /// Pairs that wait for a worker.
    pub waiting: u64,
    /// Pairs that workers have.
    pub in_play: u64,
    /// Results that nobody has taken yet.
    pub results: u64,
}

impl MatchStatus {
    /// Looks at the queue; what is not there, or is being made, counts as empty.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`].
    pub fn read(broker: &Broker) -> Result<MatchStatus, FleetError> {
        broker.block_on(async {
            let context = broker.context();
            let mut status = MatchStatus::default();
            if let Some(pairs) = found(context, PAIRS).await?
                && let Ok(workers) = pairs.consumer_info(WORKERS).await
            {
                status.waiting = workers.num_pending;
                status.in_play = workers.num_ack_pending as u64;
            }
            if let Some(results) = found(context, RESULTS).await? {
                status.results = results.cached_info().state.messages;
            }
            Ok(status)
        })
    }
}

/// The stream called `name`, if the broker has it.
async fn found(context: &Context, name: &str) -> Result<Option<Stream>, FleetError> {
    match context.get_stream(name).await {
        Ok(stream) => Ok(Some(stream)),
        Err(error) => match error.kind() {
            GetStreamErrorKind::JetStream(error)
                if error.error_code() == ErrorCode::STREAM_NOT_FOUND =>
            {
                Ok(None)
            }
            _ => Err(FleetError::broker("count pairs")(error)),
        },
    }
}

async fn make_pairs(context: &Context) -> Result<Stream, FleetError> {
    let config = stream::Config {
        name: PAIRS.to_owned(),
        subjects: vec![format!("{PAIRS_SUBJECT}.*")],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        max_bytes: PAIRS_BYTES,
        max_message_size: MAX_PAIR_BYTES as i32,
        max_age: KEPT_FOR,
        num_replicas: 1,
        ..stream::Config::default()
    };
    let pairs = context.get_or_create_stream(config).await;
    let pairs = pairs.map_err(FleetError::broker(
        "make a queue of pairs (is JetStream on?)",
    ))?;
    let consumer = pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: HEARD_WITHIN,
        max_ack_pending: MAX_IN_PLAY,
        ..pull::Config::default()
    };
    let made: Result<PullConsumer, _> = pairs.get_or_create_consumer(WORKERS, consumer).await;
    made.map_err(FleetError::broker("make a consumer of pairs"))?;
    Ok(pairs)
}

async fn make_results(context: &Context, pool: &str) -> Result<PullConsumer, FleetError> {
    let config = stream::Config {
        name: RESULTS.to_owned(),
        subjects: vec![format!("{RESULTS_SUBJECT}.*")],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_bytes: RESULTS_BYTES,
        max_messages_per_subject: RESULTS_PER_POOL,
        // With room for headers.
        max_message_size: MAX_PAIR_BYTES as i32 + 1024,
        max_age: KEPT_FOR,
        num_replicas: 1,
        ..stream::Config::default()
    };
    let results = context.get_or_create_stream(config).await;
    let results = results.map_err(FleetError::broker("make a stream of results"))?;
    let name = format!("pool-{pool}");
    let consumer = pull::Config {
        durable_name: Some(name.clone()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(30),
        filter_subject: format!("{RESULTS_SUBJECT}.{pool}"),
        ..pull::Config::default()
    };
    let made = results.get_or_create_consumer(&name, consumer).await;
    made.map_err(FleetError::broker("make a consumer of results"))
}

#[cfg(test)]
mod tests;
