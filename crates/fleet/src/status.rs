//! A fleet as it is seen from outside.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::jetstream::kv::Operation;
use async_nats::jetstream::{Context, kv};
use futures_util::{StreamExt, TryStreamExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::broker::Broker;
use crate::error::FleetError;
use crate::messages::{Order, RunCard, TrainerReport, WorkerReport};
use crate::names::{
    CARD_KEY, CONSUMER, ORDER_KEY, RUN_STREAM_PREFIX, RunName, TRAINER_KEY, WORKER_KEY_PREFIX,
};

/// Longest silence while reports come in.
const SILENCE: Duration = Duration::from_secs(5);

/// A run at the broker.
#[derive(Debug, Clone, Serialize)]
pub struct FleetStatus {
    /// What workers have to know of it.
    pub card: RunCard,
    /// What they are to do; none before the first order.
    pub order: Option<Order>,
    /// The trainer's report; none where it is away.
    pub trainer: Option<TrainerReport>,
    /// The workers' reports, by their numbers.
    pub workers: BTreeMap<u32, WorkerReport>,
    /// Messages that the trainer has not dealt with.
    pub waiting_messages: u64,
    /// Bytes of games that the broker holds.
    pub waiting_bytes: u64,
}

/// The names of the runs that the broker has, sorted.
///
/// # Errors
///
/// [`FleetError::Broker`].
pub fn runs(broker: &Broker) -> Result<Vec<RunName>, FleetError> {
    broker.block_on(run_names(broker.context()))
}

pub(crate) async fn run_names(context: &Context) -> Result<Vec<RunName>, FleetError> {
    let streams: Vec<String> = context
        .stream_names()
        .try_collect()
        .await
        .map_err(FleetError::broker("list its runs (is JetStream on?)"))?;
    let mut names = Vec::new();
    for stream in &streams {
        let token = stream.strip_prefix(RUN_STREAM_PREFIX);
        let Some(name) = token.and_then(RunName::new) else {
            continue;
        };
        let Ok(store) = context.get_key_value(name.bucket()).await else {
            continue;
        };
        // Without a card it is only being made.
        let Some(card) = read::<serde_json::Value>(&store, CARD_KEY).await? else {
            continue;
        };
        // The card knows the name before `.` became `_`.
        let full = card["name"].as_str().and_then(RunName::new);
        names.push(full.unwrap_or(name));
    }
    names.sort_by_key(RunName::to_string);
    Ok(names)
}

impl FleetStatus {
    /// Looks at the run called `name`.
    ///
    /// # Errors
    ///
    /// [`FleetError::NoRun`] or [`FleetError::Broker`].
    pub fn read(broker: &Broker, name: &RunName) -> Result<FleetStatus, FleetError> {
        broker.block_on(look(broker.context(), name))
    }

    /// Removes everything that the broker holds of the run called `name`, games that wait included.
    ///
    /// # Errors
    ///
    /// [`FleetError::NoRun`] or [`FleetError::Broker`].
    pub fn remove(broker: &Broker, name: &RunName) -> Result<(), FleetError> {
        broker.block_on(async {
            let context = broker.context();
            if !run_names(context).await?.contains(name) {
                return Err(no_run(context, name).await);
            }
            let streams = [
                name.games(),
                format!("KV_{}", name.live()),
                format!("OBJ_{}", name.models()),
                // Last: as long as it is there, the run can be removed again.
                format!("KV_{}", name.bucket()),
            ];
            for stream in streams {
                // One that is not there was removed by a command that was broken off.
                if context.get_stream(&stream).await.is_ok() {
                    let removed = context.delete_stream(&stream).await;
                    removed.map_err(FleetError::broker("remove the run"))?;
                }
            }
            Ok(())
        })
    }
}

/// Why there is no such run: it is not there, or the broker does not answer.
pub(crate) async fn no_run(context: &Context, name: &RunName) -> FleetError {
    match run_names(context).await {
        Ok(runs) => FleetError::NoRun {
            name: name.to_string(),
            others: runs.iter().map(RunName::to_string).collect(),
        },
        Err(error) => error,
    }
}

async fn look(context: &Context, name: &RunName) -> Result<FleetStatus, FleetError> {
    let Ok(store) = context.get_key_value(name.bucket()).await else {
        return Err(no_run(context, name).await);
    };
    let Some(card) = read(&store, CARD_KEY).await? else {
        return Err(no_run(context, name).await);
    };
    let order = read(&store, ORDER_KEY).await?;
    let live = context.get_key_value(name.live()).await;
    let live = live.map_err(FleetError::broker("open the reports"))?;
    let (trainer, workers) = reports(&live).await?;
    let (waiting_messages, waiting_bytes) = waiting(context, name).await?;
    Ok(FleetStatus {
        card,
        order,
        trainer,
        workers,
        waiting_messages,
        waiting_bytes,
    })
}

/// Messages of games that the trainer has not dealt with, and bytes of games that the broker holds.
pub(crate) async fn waiting(context: &Context, name: &RunName) -> Result<(u64, u64), FleetError> {
    let stream = context.get_stream(name.games()).await;
    let stream = stream.map_err(FleetError::broker("count games"))?;
    let consumer = stream.consumer_info(CONSUMER).await;
    let consumer = consumer.map_err(FleetError::broker("count games"))?;
    let messages = consumer.num_pending + consumer.num_ack_pending as u64;
    Ok((messages, stream.cached_info().state.bytes))
}

/// The value of `key`; none where there is none, or it is of another version.
async fn read<T: DeserializeOwned>(store: &kv::Store, key: &str) -> Result<Option<T>, FleetError> {
    let bytes = store.get(key).await;
    let bytes = bytes.map_err(FleetError::broker("tell about the run"))?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// All reports that have not vanished yet.
async fn reports(
    live: &kv::Store,
) -> Result<(Option<TrainerReport>, BTreeMap<u32, WorkerReport>), FleetError> {
    let (mut trainer, mut workers) = (None, BTreeMap::new());
    let state = live.stream.get_info().await;
    let state = state.map_err(FleetError::broker("count reports"))?.state;
    if state.messages == 0 {
        return Ok((trainer, workers));
    }
    let watch = live.watch_with_history(">").await;
    let mut watch = watch.map_err(FleetError::broker("give reports"))?;
    // Reports may vanish while they are read, and then the last one never comes.
    while let Ok(Some(entry)) = timeout(SILENCE, watch.next()).await {
        let entry = entry.map_err(FleetError::broker("give reports"))?;
        if entry.operation == Operation::Put {
            let number = entry.key.strip_prefix(WORKER_KEY_PREFIX);
            if entry.key == TRAINER_KEY {
                trainer = serde_json::from_slice(&entry.value).ok();
            } else if let Some(number) = number.and_then(|number| number.parse().ok())
                && let Ok(report) = serde_json::from_slice(&entry.value)
            {
                workers.insert(number, report);
            }
        }
        if entry.delta == 0 {
            break;
        }
    }
    Ok((trainer, workers))
}
