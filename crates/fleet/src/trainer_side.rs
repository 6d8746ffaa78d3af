//! The trainer's end: finished games in, models and orders out.
//!
//! Four tasks do the waiting: one fetches messages, one acknowledges them, one publishes the newest
//! order and its model, one tells how things stand. Each goes on by itself when the broker was away
//! or has lost everything.

mod resources;
mod tasks;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::message::{AckKind, Acker};
use bytes::Bytes;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::broker::Broker;
use crate::error::FleetError;
use crate::ids::Sender;
use crate::messages::{Order, RunCard, TrainerReport};
use crate::names::RunName;
use resources::establish;

/// Messages that may wait in this process, at most a megabyte each: few, so that a slow process has dealt
/// with them before the broker delivers them again.
const INBOX: usize = 16;

/// How long a trainer that ends waits for its last words to be sent.
const FAREWELL: Duration = Duration::from_secs(5);

/// A message of games.
#[derive(Debug)]
pub struct Delivery {
    /// Whose games may come on its subject; none for a subject that is nobody's.
    pub sender: Option<Sender>,
    /// To be given back when the message is dealt with.
    pub receipt: Receipt,
    payload: Bytes,
}

impl Delivery {
    /// What should be a [`Chunk`](crate::Chunk).
    pub fn bytes(&self) -> &[u8] {
        &self.payload
    }
}

/// Stands for a message that is not dealt with yet.
pub struct Receipt {
    acker: Acker,
    number: u64,
}

impl std::fmt::Debug for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Receipt({})", self.number)
    }
}

impl Receipt {
    /// The message's number: the same message delivered again has the same.
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// What becomes of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All of it that is wanted is safely on disk: the broker forgets it.
    Stored,
    /// It is refused: the broker forgets it and never delivers it again.
    Refused,
    /// It has not been looked at: somebody else may have it at once.
    Returned,
}

/// How things stand with the broker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrainerState {
    /// Workers that have reported lately.
    pub workers: u64,
    /// Messages that are not dealt with.
    pub waiting_messages: u64,
    /// Bytes of games that the broker holds.
    pub waiting_bytes: u64,
    /// Generation of the newest order that the broker has.
    pub published: Option<u32>,
    /// The newest trouble; empty if there is none.
    pub trouble: String,
}

/// The newest order with its model.
#[derive(Debug, Clone)]
struct Announcement {
    order: Order,
    model: Option<Arc<Vec<u8>>>,
}

/// What tasks and callers share.
#[derive(Debug)]
struct Shared {
    name: RunName,
    card: RunCard,
    /// The highest number of a worker that is known to the run folder.
    highest_worker: AtomicU32,
    state: Mutex<TrainerState>,
    ending: watch::Sender<bool>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, TrainerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_ending(&self) -> bool {
        *self.ending.borrow()
    }

    /// Sleeps, but not beyond the end.
    async fn pause(&self, time: Duration) {
        let _ = timeout(time, self.ending.subscribe().wait_for(|ending| *ending)).await;
    }
}

/// A run's trainer at the broker.
#[derive(Debug)]
pub struct TrainerSide {
    broker: Broker,
    shared: Arc<Shared>,
    inbox: Mutex<mpsc::Receiver<Delivery>>,
    verdicts: mpsc::UnboundedSender<(Receipt, Verdict)>,
    announcement: watch::Sender<Option<Announcement>>,
    report: watch::Sender<TrainerReport>,
    /// Those that end by themselves once they have nothing to do.
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl TrainerSide {
    /// Opens the run of `card` at the broker: makes what is missing, and begins to receive games.
    /// `highest_worker` is the highest number of a worker with a game in the run folder, members aside.
    ///
    /// # Errors
    ///
    /// [`FleetError::OtherRun`] if the name is taken, [`FleetError::Broker`] if the broker has no
    /// JetStream or refuses.
    pub fn open(
        broker: &Broker,
        name: &RunName,
        card: RunCard,
        highest_worker: u32,
    ) -> Result<TrainerSide, FleetError> {
        let shared = Arc::new(Shared {
            name: name.clone(),
            card,
            highest_worker: AtomicU32::new(highest_worker),
            state: Mutex::default(),
            ending: watch::Sender::new(false),
        });
        let context = broker.context().clone();
        let resources = broker.block_on(establish(&context, &shared))?;
        let (sender, inbox) = mpsc::channel(INBOX);
        let (verdicts, to_settle) = mpsc::unbounded_channel();
        let (announcement, announced) = watch::channel(None);
        let (report, reported) = watch::channel(TrainerReport::default());
        // `fetch` ends with the receiver of its channel.
        broker.spawn(tasks::fetch(
            context.clone(),
            shared.clone(),
            resources.games.clone(),
            sender,
        ));
        let tasks = vec![
            broker.spawn(tasks::settle(broker.client(), to_settle)),
            broker.spawn(tasks::publish(
                context.clone(),
                shared.clone(),
                resources,
                announced,
            )),
            broker.spawn(tasks::tell(context, shared.clone(), reported)),
        ];
        Ok(TrainerSide {
            broker: broker.clone(),
            shared,
            inbox: Mutex::new(inbox),
            verdicts,
            announcement,
            report,
            tasks: Mutex::new(tasks),
        })
    }

    /// The next message, if one comes within `patience`. One thread at a time.
    pub fn receive(&self, patience: Duration) -> Option<Delivery> {
        let mut inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        let next = async { timeout(patience, inbox.recv()).await };
        self.broker.block_on(next).ok().flatten()
    }

    /// Says what becomes of a message; returns at once.
    pub fn settle(&self, receipt: Receipt, verdict: Verdict) {
        // The task that receives it lives as long as this does.
        let _ = self.verdicts.send((receipt, verdict));
    }

    /// Tells workers what to do from now on; returns at once. Only the newest order counts.
    pub fn announce(&self, order: Order, model: Option<Arc<Vec<u8>>>) {
        self.announcement
            .send_replace(Some(Announcement { order, model }));
    }

    /// Remembers that games of this worker are in the run folder.
    pub fn know_worker(&self, worker: u32) {
        if let Sender::Worker(number) = Sender::of(worker) {
            self.shared
                .highest_worker
                .fetch_max(number, Ordering::Relaxed);
        }
    }

    /// Tells who asks at the broker how the trainer is doing; returns at once.
    pub fn report(&self, report: TrainerReport) {
        self.report.send_replace(report);
    }

    /// How things stand.
    pub fn state(&self) -> TrainerState {
        self.shared.state().clone()
    }

    /// Whether the broker answers now.
    pub fn is_connected(&self) -> bool {
        self.broker.is_connected()
    }

    /// Ends: gives messages back that nobody has looked at, and waits a moment until all verdicts and the
    /// newest order have been sent.
    pub fn close(self) {
        let TrainerSide {
            broker,
            shared,
            inbox,
            verdicts,
            announcement,
            report,
            tasks,
        } = self;
        let mut inbox = inbox.into_inner().unwrap_or_else(PoisonError::into_inner);
        inbox.close();
        while let Ok(delivery) = inbox.try_recv() {
            let _ = verdicts.send((delivery.receipt, Verdict::Returned));
        }
        shared.ending.send_replace(true);
        drop((inbox, verdicts, announcement, report));
        let tasks = tasks.into_inner().unwrap_or_else(PoisonError::into_inner);
        broker.block_on(async {
            let all = async {
                for task in tasks {
                    let _ = task.await;
                }
                let _ = broker.client().flush().await;
            };
            let _ = timeout(FAREWELL, all).await;
        });
    }
}

impl Verdict {
    fn as_ack(self) -> AckKind {
        match self {
            Verdict::Stored => AckKind::Ack,
            Verdict::Refused => AckKind::Term,
            Verdict::Returned => AckKind::Nak(None),
        }
    }
}
