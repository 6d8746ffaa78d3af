//! What the broker has to hold of a run, made where it is missing.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{Context, kv};

use super::Shared;
use crate::chunk::MAX_CHUNK_BYTES;
use crate::error::FleetError;
use crate::ids::MAX_WORKER;
use crate::messages::RunCard;
use crate::models;
use crate::names::{CARD_KEY, CONSUMER, RunName};

/// Games that the broker keeps for a trainer that lags; then it takes no more, and workers wait.
const GAMES_BYTES: i64 = 1 << 30;
/// Messages that one worker may have waiting: one that runs wild fills its own share only.
const MESSAGES_PER_WORKER: i64 = 2000;
/// Time within which the broker notices that a message is published twice; later the run folder does.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(600);
/// Time after which a message that was delivered and not dealt with is delivered again.
const DEAL_WITHIN: Duration = Duration::from_secs(30);
/// Messages that may be delivered and not dealt with.
const MAX_IN_HAND: i64 = 1000;
/// Reports vanish after this.
const LIVE_FOR: Duration = Duration::from_secs(25);
/// The largest card, order or report.
const MAX_VALUE_BYTES: i32 = 512 << 10;
/// After the broker has lost what it knew, workers' numbers go on this much above those that are known
/// from games: numbers given out to workers that have no game yet must not be given twice.
const NUMBERS_SKIPPED: u64 = 1 << 20;

/// Handles to what the broker holds.
#[derive(Clone)]
pub(super) struct Resources {
    pub(super) games: PullConsumer,
    pub(super) store: kv::Store,
    pub(super) models: ObjectStore,
}

/// Makes what is missing, and writes the card.
///
/// # Errors
///
/// [`FleetError::OtherRun`] or [`FleetError::Broker`].
pub(super) async fn establish(context: &Context, shared: &Shared) -> Result<Resources, FleetError> {
    let name = &shared.name;
    let store = bucket(context, name.bucket(), Duration::ZERO).await?;
    let new_card = new_card(&store, shared).await?;
    bucket(context, name.live(), LIVE_FOR).await?;
    let models = models::store(context, name.models()).await?;
    let stream = context
        .get_or_create_stream(games_config(name))
        .await
        .map_err(FleetError::broker("make a stream of games"))?;
    let games = stream
        .get_or_create_consumer(CONSUMER, consumer_config())
        .await
        .map_err(FleetError::broker("make a consumer of games"))?;
    // Last: who sees the card finds all the rest.
    if let Some(card) = new_card {
        let writing = FleetError::broker("take the run's card");
        store.put(CARD_KEY, card.into()).await.map_err(writing)?;
    }
    Ok(Resources {
        games,
        store,
        models,
    })
}

fn games_config(name: &RunName) -> stream::Config {
    stream::Config {
        name: name.games(),
        subjects: vec![name.all_games_subjects()],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_bytes: GAMES_BYTES,
        max_messages_per_subject: MESSAGES_PER_WORKER,
        // With room for headers.
        max_message_size: MAX_CHUNK_BYTES as i32 + 1024,
        duplicate_window: DUPLICATE_WINDOW,
        num_replicas: 1,
        ..stream::Config::default()
    }
}

fn consumer_config() -> pull::Config {
    pull::Config {
        durable_name: Some(CONSUMER.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: DEAL_WITHIN,
        max_ack_pending: MAX_IN_HAND,
        ..pull::Config::default()
    }
}

/// The bucket, made if it is missing; its entries vanish after `max_age`, if that is not zero. Made by
/// hand as the stream that a bucket is: the library's own way asks something of the broker that those
/// before 2.10 do not answer in full.
async fn bucket(
    context: &Context,
    bucket: String,
    max_age: Duration,
) -> Result<kv::Store, FleetError> {
    let making = FleetError::broker("make a bucket (is JetStream on?)");
    let config = stream::Config {
        name: format!("KV_{bucket}"),
        subjects: vec![format!("$KV.{bucket}.>")],
        max_messages_per_subject: 1,
        max_age,
        max_message_size: MAX_VALUE_BYTES,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        num_replicas: 1,
        ..stream::Config::default()
    };
    let made = context.get_or_create_stream(config).await;
    made.map_err(making)?;
    let opened = context.get_key_value(bucket).await;
    opened.map_err(FleetError::broker("open a bucket"))
}

/// The card as it should be, unless it is there already.
async fn new_card(store: &kv::Store, shared: &Shared) -> Result<Option<Vec<u8>>, FleetError> {
    let reading = FleetError::broker("give the run's card");
    let there = store.get(CARD_KEY).await.map_err(reading)?;
    let mut card = shared.card.clone();
    card.first_worker = match &there {
        Some(bytes) => first_worker_of(bytes, &card)?,
        None => first_worker_after(shared.highest_worker.load(Ordering::Relaxed))?,
    };
    let bytes = serde_json::to_vec(&card).expect("a card is plain JSON");
    let is_there = there.as_deref() == Some(&bytes[..]);
    Ok((!is_there).then_some(bytes))
}

/// Where the numbers of the run's workers begin, if the card at the broker is of the same run.
fn first_worker_of(bytes: &[u8], ours: &RunCard) -> Result<u32, FleetError> {
    let other = |found: String| FleetError::OtherRun {
        name: ours.name.clone(),
        found,
        expected: ours.run.clone(),
    };
    // Only these two have to be the same in all versions.
    let value: serde_json::Value =
        serde_json::from_slice(bytes).map_err(|_| other("unreadable".to_owned()))?;
    let run = value["run"].as_str().unwrap_or("unreadable");
    let first = value["first_worker"].as_u64();
    match first.and_then(|first| u32::try_from(first).ok()) {
        Some(first) if run == ours.run => Ok(first),
        _ => Err(other(run.to_owned())),
    }
}

/// Where the numbers of workers begin at a broker that knows nothing of the run.
fn first_worker_after(highest: u32) -> Result<u32, FleetError> {
    let found = match highest {
        0 => 0,
        highest => u64::from(highest) + NUMBERS_SKIPPED,
    };
    let first = u32::try_from(found).ok();
    first
        .filter(|_| found < MAX_WORKER)
        .ok_or(FleetError::TooManyWorkers { found })
}

#[cfg(test)]
mod tests;
