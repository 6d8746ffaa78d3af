//! What goes on beside the trainer.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{Context, kv};
use futures_util::{StreamExt, TryStreamExt};
use tokio::sync::{mpsc, watch};

use super::resources::{Resources, establish};
use super::{Announcement, Delivery, Receipt, Shared, TrainerState, Verdict};
use crate::error::FleetError;
use crate::messages::TrainerReport;
use crate::models;
use crate::names::{ORDER_KEY, TRAINER_KEY};
use crate::status::waiting;

/// Messages that are asked for at once.
const BATCH: usize = 8;
/// How long the broker keeps a question for messages open.
const ASK_FOR: Duration = Duration::from_secs(2);
/// Time before something that failed is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// Time between two reports.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// Models that the broker keeps.
const KEPT_MODELS: usize = 3;

/// Fetches messages until nobody takes them any more.
pub(super) async fn fetch(
    context: Context,
    shared: Arc<Shared>,
    mut games: PullConsumer,
    inbox: mpsc::Sender<Delivery>,
) {
    while !inbox.is_closed() {
        if let Err(error) = fetch_batch(&games, &shared, &inbox).await {
            shared.state().trouble = error.line();
            shared.pause(RETRY).await;
            // The broker may have lost the stream.
            if let Ok(resources) = establish(&context, &shared).await {
                games = resources.games;
            }
        }
    }
}

async fn fetch_batch(
    games: &PullConsumer,
    shared: &Shared,
    inbox: &mpsc::Sender<Delivery>,
) -> Result<(), FleetError> {
    let fetching = || FleetError::broker("deliver games");
    // Room first, so that nothing is fetched that would have to wait.
    match inbox.reserve_many(BATCH).await {
        Ok(room) => drop(room),
        Err(_) => return Ok(()),
    }
    let batch = games.batch().max_messages(BATCH).expires(ASK_FOR);
    let messages = batch.messages().await;
    let mut messages = messages.map_err(FleetError::broker("deliver games"))?;
    while let Some(message) = messages.next().await {
        let message = message.map_err(fetching())?;
        let number = message.info().map_err(fetching())?.stream_sequence;
        let (message, acker) = message.split();
        let delivery = Delivery {
            sender: shared.name.sender_of_subject(&message.subject),
            receipt: Receipt { acker, number },
            payload: message.payload,
        };
        if let Err(unwanted) = inbox.send(delivery).await {
            // Whoever comes next should not have to wait until the broker gives up on us.
            let acker = unwanted.0.receipt.acker;
            let _ = acker.ack_with(Verdict::Returned.as_ack()).await;
        }
    }
    Ok(())
}

/// Tells the broker what became of messages, until there is nothing more to tell.
pub(super) async fn settle(
    client: Client,
    mut verdicts: mpsc::UnboundedReceiver<(Receipt, Verdict)>,
) {
    while let Some((receipt, verdict)) = verdicts.recv().await {
        // A verdict that is lost is no harm: the message comes again and is known.
        let _ = receipt.acker.ack_with(verdict.as_ack()).await;
    }
    let _ = client.flush().await;
}

/// Gives the broker the newest order, until there will be no newer one.
pub(super) async fn publish(
    context: Context,
    shared: Arc<Shared>,
    mut resources: Resources,
    mut announced: watch::Receiver<Option<Announcement>>,
) {
    while announced.changed().await.is_ok() {
        let Some(mut newest) = announced.borrow_and_update().clone() else {
            continue;
        };
        while let Err(error) = publish_order(&resources, &newest).await {
            shared.state().trouble = error.line();
            if shared.is_ending() {
                return;
            }
            shared.pause(RETRY).await;
            if let Ok(made) = establish(&context, &shared).await {
                resources = made;
            }
            if let Some(newer) = announced.borrow_and_update().clone() {
                newest = newer;
            }
        }
        let mut state = shared.state();
        state.published = Some(newest.order.generation);
        state.trouble.clear();
    }
}

/// The model first, so that an order never names one that is not there.
async fn publish_order(
    resources: &Resources,
    announcement: &Announcement,
) -> Result<(), FleetError> {
    let Announcement { order, model } = announcement;
    if let (Some(named), Some(model)) = (&order.model, model) {
        models::upload(&resources.models, named, model).await?;
    }
    let bytes = serde_json::to_vec(order).expect("an order is plain JSON");
    let put = resources.store.put(ORDER_KEY, bytes.into()).await;
    put.map_err(FleetError::broker("take an order"))?;
    if let Some(named) = &order.model {
        forget_old_models(resources, &named.object).await?;
    }
    Ok(())
}

/// Names begin with generations, so the newest sort last.
async fn forget_old_models(resources: &Resources, current: &str) -> Result<(), FleetError> {
    let listing = resources.models.list().await;
    let listing = listing.map_err(FleetError::broker("list models"))?;
    let objects: Vec<_> = listing
        .try_collect()
        .await
        .map_err(FleetError::broker("list models"))?;
    let there = objects.into_iter().filter(|object| !object.deleted);
    let mut names: Vec<String> = there.map(|object| object.name).collect();
    names.sort();
    for old in names.iter().rev().skip(KEPT_MODELS) {
        if old != current {
            let forgotten = resources.models.delete(old).await;
            forgotten.map_err(FleetError::broker("forget a model"))?;
        }
    }
    Ok(())
}

/// Tells how things stand, and asks the broker, until there is nothing more to tell.
pub(super) async fn tell(
    context: Context,
    shared: Arc<Shared>,
    mut reported: watch::Receiver<TrainerReport>,
) {
    let mut live = None;
    while !shared.is_ending() {
        let report = reported.borrow_and_update().clone();
        match look(&context, &shared, &mut live, &report).await {
            Ok(seen) => {
                let mut state = shared.state();
                let published = state.published;
                *state = TrainerState { published, ..seen };
            }
            Err(error) => {
                live = None;
                shared.state().trouble = error.line();
            }
        }
        shared.pause(TELL_EVERY).await;
    }
    if let Some(live) = live {
        let _ = live.delete(TRAINER_KEY).await;
    }
}

/// Reports, and asks how many workers and messages there are.
async fn look(
    context: &Context,
    shared: &Shared,
    live: &mut Option<kv::Store>,
    report: &TrainerReport,
) -> Result<TrainerState, FleetError> {
    if live.is_none() {
        let opened = context.get_key_value(shared.name.live()).await;
        *live = Some(opened.map_err(FleetError::broker("open the reports"))?);
    }
    let live = live.as_ref().expect("it was opened just now");
    let bytes = serde_json::to_vec(report).expect("a report is plain JSON");
    let put = live.put(TRAINER_KEY, bytes.into()).await;
    put.map_err(FleetError::broker("take a report"))?;
    let entries = live.stream.get_info().await;
    let entries = entries.map_err(FleetError::broker("count workers"))?.state;
    let (waiting_messages, waiting_bytes) = waiting(context, &shared.name).await?;
    Ok(TrainerState {
        // One entry is the trainer's own.
        workers: entries.subjects_count.saturating_sub(1),
        waiting_messages,
        waiting_bytes,
        ..TrainerState::default()
    })
}
