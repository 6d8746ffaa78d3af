//! What goes on beside a worker.

use std::sync::Arc;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::kv::Operation;
use async_nats::jetstream::{Context, ErrorCode, kv};
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::time::timeout;

use super::{Assignment, Shared, read_message, wrong_version};
use crate::chunk::Chunk;
use crate::error::FleetError;
use crate::messages::{Order, WorkerReport};
use crate::models;
use crate::names::{ORDER_KEY, WORKER_KEY_PREFIX};

/// Time before something that failed is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// Time before a chunk that the broker had no room for is sent again.
const NO_ROOM_RETRY: Duration = Duration::from_secs(2);
/// Orders are looked for so often even if nothing was heard: words get lost when a connection breaks.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Time between two reports.
const TELL_EVERY: Duration = Duration::from_secs(5);

/// Keeps the assignment up to date until the worker leaves.
pub(super) async fn follow(
    context: Context,
    shared: Arc<Shared>,
    assign: watch::Sender<Option<Assignment>>,
) {
    let client = context.client();
    while !shared.is_leaving() && !assign.is_closed() {
        // A plain subscription: hundreds of thousands of them cost the broker little.
        let Ok(mut heard) = client.subscribe(shared.name.order_subject()).await else {
            shared.pause(RETRY).await;
            continue;
        };
        loop {
            match look(&context, &shared, &assign).await {
                Ok(()) => shared.state().trouble.clear(),
                Err(error @ FleetError::Version { .. }) => return shared.fail(&error),
                Err(error) => {
                    shared.state().trouble = error.line();
                    shared.pause(RETRY).await;
                    if shared.is_leaving() {
                        return;
                    }
                    continue;
                }
            }
            let mut leaving = shared.leaving.subscribe();
            tokio::select! {
                _ = leaving.wait_for(|leaving| *leaving) => return,
                heard = timeout(LOOK_EVERY, heard.next()) => if let Ok(None) = heard {
                    break;
                },
            }
        }
    }
}

/// Takes the current order, if it is new; first its model.
async fn look(
    context: &Context,
    shared: &Shared,
    assign: &watch::Sender<Option<Assignment>>,
) -> Result<(), FleetError> {
    let store = context.get_key_value(shared.name.bucket()).await;
    let store = store.map_err(FleetError::broker("open the run"))?;
    let entry = store.entry(ORDER_KEY).await;
    let entry = entry.map_err(FleetError::broker("give the current order"))?;
    let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put) else {
        return Ok(());
    };
    let order = read_order(shared, &entry.value)?;
    let held = assign.borrow().clone();
    if held.as_ref().is_some_and(|held| held.order == order) {
        return Ok(());
    }
    let model = match (&order.model, held) {
        (None, _) => None,
        (Some(named), Some(held)) if held.order.model.as_ref() == Some(named) => held.model,
        (Some(named), _) => {
            let bytes = models::download(context, &shared.name.models(), named).await;
            Some(Arc::new(bytes?))
        }
    };
    assign.send_replace(Some(Assignment { order, model }));
    Ok(())
}

fn read_order(shared: &Shared, bytes: &[u8]) -> Result<Order, FleetError> {
    let order: Order = read_message("an order", &shared.name, bytes)?;
    if order.run != shared.run.to_string() {
        let problem = format!("is of another run ({})", order.run);
        return Err(wrong_version("an order", &shared.name, problem));
    }
    Ok(order)
}

/// Sends what is in the spool, oldest first, until the worker leaves.
pub(super) async fn upload(context: Context, shared: Arc<Shared>) {
    while !shared.is_leaving() {
        let first = shared.spool().first();
        let chunk = match first {
            Ok(Some(chunk)) => chunk,
            Ok(None) => {
                let mut leaving = shared.leaving.subscribe();
                tokio::select! {
                    () = shared.filled.notified() => continue,
                    _ = leaving.wait_for(|leaving| *leaving) => return,
                }
            }
            Err(error) => {
                shared.remark(format!("a chunk of games is lost: {error}"));
                let _ = shared.spool().remove_first();
                continue;
            }
        };
        match send(&context, &shared, chunk).await {
            Sent::Taken => {
                let removed = shared.spool().remove_first();
                if let Err(error) = removed {
                    // It will be sent again by the next process, and known.
                    shared.remark(error.to_string());
                }
                let mut state = shared.state();
                state.sent_chunks += 1;
                state.trouble.clear();
            }
            Sent::Never(why) => {
                shared.remark(format!("a chunk of games is lost: {why}"));
                shared.state().refused_chunks += 1;
                let _ = shared.spool().remove_first();
            }
            Sent::Later(why, pause) => {
                shared.state().trouble = why;
                shared.pause(pause).await;
            }
        }
    }
}

enum Sent {
    /// The broker has it on disk.
    Taken,
    /// It cannot be sent.
    Never(String),
    /// Not now, but perhaps after this time.
    Later(String, Duration),
}

async fn send(context: &Context, shared: &Shared, chunk: Vec<u8>) -> Sent {
    // A chunk of an earlier process goes out under the number of that one.
    let Some((_, worker)) = Chunk::origin(&chunk) else {
        return Sent::Never("it is damaged".to_owned());
    };
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Msg-Id", Chunk::message_id(&chunk).as_str());
    let subject = shared.name.games_subject(worker);
    let publishing = async {
        let acknowledged = context
            .publish_with_headers(subject, headers, chunk.into())
            .await?;
        acknowledged.await
    };
    match publishing.await {
        Ok(_) => Sent::Taken,
        Err(error) => refusal(&error),
    }
}

fn refusal(error: &PublishError) -> Sent {
    let text = error.to_string();
    match error.kind() {
        PublishErrorKind::MaxPayloadExceeded => Sent::Never(text),
        PublishErrorKind::Other => {
            let code = std::error::Error::source(error)
                .and_then(|source| source.downcast_ref::<async_nats::jetstream::Error>())
                .map(async_nats::jetstream::Error::error_code);
            if code == Some(ErrorCode::STREAM_MESSAGE_EXCEEDS_MAXIMUM) {
                Sent::Never(text)
            } else if code == Some(ErrorCode::STREAM_STORE_FAILED) {
                Sent::Later(format!("the broker has no room: {text}"), NO_ROOM_RETRY)
            } else {
                Sent::Later(text, RETRY)
            }
        }
        _ => Sent::Later(text, RETRY),
    }
}

/// Tells the fleet how the worker is doing, until it leaves; then takes its report away.
pub(super) async fn tell(
    context: Context,
    shared: Arc<Shared>,
    mut reported: watch::Receiver<WorkerReport>,
) {
    let key = format!("{WORKER_KEY_PREFIX}{}", shared.worker);
    let mut live: Option<kv::Store> = None;
    while !shared.is_leaving() {
        if live.is_none() {
            live = context.get_key_value(shared.name.live()).await.ok();
        }
        if let Some(store) = &live {
            let report = reported.borrow_and_update().clone();
            let bytes = serde_json::to_vec(&report).expect("a report is plain JSON");
            if store.put(&key, bytes.into()).await.is_err() {
                live = None;
            }
        }
        shared.pause(TELL_EVERY).await;
    }
    if let Some(store) = &live {
        let _ = store.delete(&key).await;
    }
}
