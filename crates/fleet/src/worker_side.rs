//! A worker's end: orders and models in, finished games out.

mod tasks;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::kv;
use serde::de::DeserializeOwned;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use crate::broker::Broker;
use crate::chunk::MAX_CHUNK_BYTES;
use crate::error::FleetError;
use crate::hash::RunId;
use crate::ids::{MAX_WORKER, member_worker};
use crate::messages::{MESSAGE_FORMAT, Order, RunCard, WorkerReport};
use crate::names::{CARD_KEY, JOINED_KEY, RunName};
use crate::spool::{Spool, SpoolError};
use crate::status::{no_run, run_names};

/// Room that a message leaves for its headers.
const HEADERS_BYTES: usize = 4096;
/// How often a worker that ends looks whether its games have been sent.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long the last words of a worker may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// An order with its model, whose hash was compared.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// What to do.
    pub order: Order,
    /// The model's bytes; none for generation 0.
    pub model: Option<Arc<Vec<u8>>>,
}

/// How things stand with the broker.
#[derive(Debug, Clone, Default)]
pub struct WorkerState {
    /// Chunks that the broker has taken since the worker joined.
    pub sent_chunks: u64,
    /// Chunks that the broker will never take: too large for it.
    pub refused_chunks: u64,
    /// The newest trouble; empty if there is none.
    pub trouble: String,
    /// Why this worker must end, in words for its owner.
    pub fault: Option<String>,
}

/// What tasks and callers share.
#[derive(Debug)]
struct Shared {
    name: RunName,
    run: RunId,
    worker: u32,
    spool: Mutex<Spool>,
    /// There is something in the spool.
    filled: Notify,
    state: Mutex<WorkerState>,
    /// Remarks for the owner that have not been told.
    remarks: Mutex<VecDeque<String>>,
    leaving: watch::Sender<bool>,
}

impl Shared {
    fn spool(&self) -> MutexGuard<'_, Spool> {
        self.spool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, WorkerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remark(&self, text: String) {
        let mut remarks = self.remarks.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody reads hundreds of them.
        if remarks.len() < 100 {
            remarks.push_back(text);
        }
    }

    fn fail(&self, error: &FleetError) {
        self.state().fault.get_or_insert_with(|| error.line());
    }

    fn is_leaving(&self) -> bool {
        *self.leaving.borrow()
    }

    /// Sleeps, but not beyond the end.
    async fn pause(&self, time: Duration) {
        let _ = timeout(time, self.leaving.subscribe().wait_for(|leaving| *leaving)).await;
    }
}

/// A worker whose owner has a number of its own, for good, and which of its starts this is: see
/// [`Spool::count_start`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberStart {
    /// The owner's number.
    pub member: u16,
    /// Its how-many-eth start, below [`MAX_STARTS`](crate::MAX_STARTS).
    pub start: u32,
}

/// A worker's place in a run: its number, and what it has to know.
#[derive(Debug, Clone)]
pub struct Membership {
    name: RunName,
    card: RunCard,
    run: RunId,
    worker: u32,
}

impl Membership {
    /// Joins the run called `name`; where none is named, the only run that the broker has. The worker
    /// gets a number that no other has: from the run, or as `member`.
    ///
    /// # Errors
    ///
    /// [`FleetError::NoRun`] or [`FleetError::WhichRun`] if there is no such run, which may be
    /// different in a moment; [`FleetError::Version`] if this program is too old or too new for it.
    pub fn join(
        broker: &Broker,
        name: Option<&RunName>,
        member: Option<MemberStart>,
    ) -> Result<Membership, FleetError> {
        broker.block_on(join(broker, name, member))
    }

    /// The run.
    pub fn card(&self) -> &RunCard {
        &self.card
    }

    /// The run's identity.
    pub fn run(&self) -> RunId {
        self.run
    }

    /// The number that this worker was given, at least 1.
    pub fn worker(&self) -> u32 {
        self.worker
    }
}

/// A worker of a run at the broker.
#[derive(Debug)]
pub struct WorkerSide {
    broker: Broker,
    shared: Arc<Shared>,
    assigned: watch::Receiver<Option<Assignment>>,
    report: watch::Sender<WorkerReport>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl WorkerSide {
    /// Begins to work: listens for orders, and sends what `spool` holds. What an earlier process left
    /// there is sent first.
    pub fn start(broker: &Broker, membership: &Membership, spool: Spool) -> WorkerSide {
        let shared = Arc::new(Shared {
            name: membership.name.clone(),
            run: membership.run,
            worker: membership.worker,
            spool: Mutex::new(spool),
            filled: Notify::new(),
            state: Mutex::default(),
            remarks: Mutex::default(),
            leaving: watch::Sender::new(false),
        });
        let left = shared.spool().leave_others(membership.run);
        match left {
            Ok(0) => {}
            Ok(n) => shared.remark(format!("{n} chunks of other runs stay in the spool")),
            Err(error) => shared.remark(error.to_string()),
        }
        let context = broker.context().clone();
        let (assign, assigned) = watch::channel(None);
        let (report, reported) = watch::channel(WorkerReport::default());
        broker.spawn(tasks::follow(context.clone(), shared.clone(), assign));
        broker.spawn(tasks::upload(context.clone(), shared.clone()));
        let tasks = vec![broker.spawn(tasks::tell(context, shared.clone(), reported))];
        WorkerSide {
            broker: broker.clone(),
            shared,
            assigned,
            report,
            tasks,
        }
    }

    /// What to do, if that is not what it was at the last call.
    pub fn news(&mut self) -> Option<Assignment> {
        match self.assigned.has_changed() {
            Ok(true) => self.assigned.borrow_and_update().clone(),
            _ => None,
        }
    }

    /// The largest chunk that this broker takes.
    pub fn max_chunk_bytes(&self) -> usize {
        let limit = self.broker.client().max_payload();
        MAX_CHUNK_BYTES.min(limit.saturating_sub(HEADERS_BYTES))
    }

    /// Keeps a chunk until the broker has it. Returns at once; there is always room for it.
    ///
    /// # Errors
    ///
    /// If the spool cannot be written.
    pub fn send(&self, chunk: Vec<u8>) -> Result<(), SpoolError> {
        self.shared.spool().push(chunk)?;
        self.shared.filled.notify_one();
        Ok(())
    }

    /// Whether more chunks should come: not while the broker is away, or takes nothing, for long.
    pub fn has_room(&self) -> bool {
        self.shared.spool().has_room()
    }

    /// Chunks that wait for the broker, and their bytes.
    pub fn waiting(&self) -> (usize, u64) {
        let spool = self.shared.spool();
        (spool.len(), spool.bytes())
    }

    /// How things stand.
    pub fn state(&self) -> WorkerState {
        self.shared.state().clone()
    }

    /// Things for the owner to know, each once.
    pub fn remarks(&self) -> Vec<String> {
        let remarks = self.shared.remarks.lock();
        remarks
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..)
            .collect()
    }

    /// Whether the broker answers now.
    pub fn is_connected(&self) -> bool {
        self.broker.is_connected()
    }

    /// Tells the fleet how this worker is doing; returns at once.
    pub fn report(&self, report: WorkerReport) {
        self.report.send_replace(report);
    }

    /// Waits until the broker has all chunks, but no longer than `patience`, and leaves. Returns how many
    /// chunks are still in the spool.
    pub fn leave(self, patience: Duration) -> usize {
        let deadline = Instant::now() + patience;
        while !self.shared.spool().is_empty() && Instant::now() < deadline {
            std::thread::sleep(LOOK_EVERY);
        }
        self.shared.leaving.send_replace(true);
        let tasks = self.tasks;
        self.broker.block_on(async {
            let all = async {
                for task in tasks {
                    let _ = task.await;
                }
                let _ = self.broker.client().flush().await;
            };
            let _ = timeout(FAREWELL, all).await;
        });
        self.shared.spool().len()
    }
}

async fn join(
    broker: &Broker,
    name: Option<&RunName>,
    member: Option<MemberStart>,
) -> Result<Membership, FleetError> {
    let context = broker.context();
    let name = match name {
        Some(name) => name.clone(),
        None => {
            let mut runs = run_names(context).await?;
            match (runs.pop(), runs.is_empty()) {
                (Some(only), true) => only,
                (last, _) => {
                    let runs = runs.iter().chain(&last).map(RunName::to_string).collect();
                    return Err(FleetError::WhichRun { runs });
                }
            }
        }
    };
    let Ok(store) = context.get_key_value(name.bucket()).await else {
        return Err(no_run(context, &name).await);
    };
    let card = store.get(CARD_KEY).await;
    let card = card.map_err(FleetError::broker("give the run's card"))?;
    let Some(card) = card else {
        return Err(no_run(context, &name).await);
    };
    let (card, run) = read_card(&name, &card)?;
    let worker = match member {
        Some(MemberStart { member, start }) => member_worker(member, start),
        None => new_number(&store, &card).await?,
    };
    Ok(Membership {
        name,
        card,
        run,
        worker,
    })
}

/// A number that nobody else gets: each write to the bucket has one of its own.
async fn new_number(store: &kv::Store, card: &RunCard) -> Result<u32, FleetError> {
    let joining = FleetError::broker("take a new worker");
    let revision = store.put(JOINED_KEY, "".into()).await.map_err(joining)?;
    let found = u64::from(card.first_worker) + revision;
    let worker = u32::try_from(found).ok().filter(|_| found <= MAX_WORKER);
    worker.ok_or(FleetError::TooManyWorkers { found })
}

/// Reads a card that this program can work by, and the run's identity.
fn read_card(name: &RunName, bytes: &[u8]) -> Result<(RunCard, RunId), FleetError> {
    let card: RunCard = read_message("the card", name, bytes)?;
    let refused = |problem| wrong_version("the card", name, problem);
    for (what, found, expected) in [
        ("records of format", card.records, data::RECORD_VERSION),
        ("encoding", card.encoding, data::ENCODING_VERSION),
    ] {
        if found != expected {
            return Err(refused(format!(
                "asks for {what} {found}, this program has {expected}"
            )));
        }
    }
    match RunId::from_text(&card.run) {
        Some(run) => Ok((card, run)),
        None => Err(refused("has no identity".to_owned())),
    }
}

/// Reads a message of the run called `name`: first its format, so that the error is about the version.
fn read_message<T: DeserializeOwned>(
    what: &'static str,
    name: &RunName,
    bytes: &[u8],
) -> Result<T, FleetError> {
    let refused = |problem| wrong_version(what, name, problem);
    let unread = |error| refused(format!("cannot be read ({error})"));
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(unread)?;
    check_format(&value).map_err(refused)?;
    serde_json::from_value(value).map_err(unread)
}

fn wrong_version(what: &'static str, name: &RunName, problem: String) -> FleetError {
    FleetError::Version {
        what,
        name: name.to_string(),
        problem,
    }
}

/// Whether a message is of the format that this program reads; the problem, if not.
fn check_format(value: &serde_json::Value) -> Result<(), String> {
    match value["format"].as_u64() {
        Some(found) if found == u64::from(MESSAGE_FORMAT) => Ok(()),
        Some(found) => Err(format!(
            "has format {found}, this program reads {MESSAGE_FORMAT}"
        )),
        None => Err("has no format".to_owned()),
    }
}

#[cfg(test)]
mod tests;
