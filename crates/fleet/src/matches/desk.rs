//! Who has matches played: pairs in, results out.

use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};

use super::{NETS, PAIRS_SUBJECT, RESULTS, RESULTS_SUBJECT, make_pairs, make_results};
use crate::broker::Broker;
use crate::error::FleetError;
use crate::hash::{Hash, RunId};
use crate::messages::ModelRef;
use crate::models;

/// Results that are asked for at once.
const BATCH: usize = 64;

/// A result that has come.
#[derive(Debug)]
pub struct ResultDelivery {
    /// To be given back when the result is dealt with.
    pub receipt: ResultReceipt,
    payload: Bytes,
}

impl ResultDelivery {
    /// What a worker says.
    pub fn bytes(&self) -> &[u8] {
        &self.payload
    }
}

/// Stands for a result that is not dealt with yet.
pub struct ResultReceipt(Acker);

impl std::fmt::Debug for ResultReceipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ResultReceipt")
    }
}

/// The place at a broker where a pool has its matches played. One process at a time.
pub struct MatchDesk {
    broker: Broker,
    pool: RunId,
    pairs: Stream,
    results: PullConsumer,
    nets: ObjectStore,
}

impl std::fmt::Debug for MatchDesk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MatchDesk({})", self.pool)
    }
}

impl MatchDesk {
    /// Opens the desk of `pool`: makes what is missing, and takes back pairs that an earlier process has
    /// put in. Results of those that are being played come all the same.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`] if the broker has no JetStream or refuses.
    pub fn open(broker: &Broker, pool: RunId) -> Result<MatchDesk, FleetError> {
        let context = broker.context();
        let (pairs, results, nets) = broker.block_on(async {
            let pairs = make_pairs(context).await?;
            let results = make_results(context, &pool.to_string()).await?;
            let nets = models::store(context, NETS.to_owned()).await?;
            Ok((pairs, results, nets))
        })?;
        let desk = MatchDesk {
            broker: broker.clone(),
            pool,
            pairs,
            results,
            nets,
        };
        desk.take_back()?;
        Ok(desk)
    }

    /// [`MatchDesk::open`] once more, at a broker that may have lost everything.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn open_again(&self) -> Result<MatchDesk, FleetError> {
        MatchDesk::open(&self.broker, self.pool)
    }

    /// Lays a net ready for whoever plays with it.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`].
    pub fn lay_net(&self, bytes: &[u8]) -> Result<ModelRef, FleetError> {
        let sha256 = Hash::of(bytes).to_string();
        let named = ModelRef {
            object: format!("{}-{sha256}", self.pool),
            sha256,
            bytes: bytes.len() as u64,
        };
        let uploading = models::upload(&self.nets, &named, bytes);
        self.broker.block_on(uploading)?;
        Ok(named)
    }

    /// Puts a pair in.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`]; the broker may have taken it all the same.
    pub fn offer(&self, pair: Vec<u8>) -> Result<(), FleetError> {
        let subject = format!("{PAIRS_SUBJECT}.{}", self.pool);
        self.broker.block_on(async {
            let acknowledged = self.broker.context().publish(subject, pair.into()).await;
            let acknowledged = acknowledged.map_err(FleetError::broker("take a pair"))?;
            acknowledged
                .await
                .map_err(FleetError::broker("take a pair"))?;
            Ok(())
        })
    }

    /// Pairs of this pool that have no result yet: waiting or in play.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`].
    pub fn n_open(&self) -> Result<u64, FleetError> {
        let subject = format!("{PAIRS_SUBJECT}.{}", self.pool);
        self.broker.block_on(async {
            let counts = self.pairs.info_with_subjects(subject).await;
            let counts = counts.map_err(FleetError::broker("count pairs"))?;
            let counts: Vec<(String, usize)> = counts
                .try_collect()
                .await
                .map_err(FleetError::broker("count pairs"))?;
            Ok(counts.iter().map(|(_, count)| *count as u64).sum())
        })
    }

    /// The results that have come; waits for the first of them no longer than `patience`.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`].
    pub fn results(&self, patience: Duration) -> Result<Vec<ResultDelivery>, FleetError> {
        self.broker.block_on(async {
            let batch = self.results.batch().max_messages(1).expires(patience);
            let first = batch.messages().await;
            let mut first = first.map_err(FleetError::broker("give results"))?;
            let mut found = Vec::new();
            while let Some(message) = first.next().await {
                found.push(message.map_err(FleetError::broker("give results"))?);
            }
            if found.is_empty() {
                return Ok(Vec::new());
            }
            let more = self.results.fetch().max_messages(BATCH).messages().await;
            let mut more = more.map_err(FleetError::broker("give results"))?;
            while let Some(message) = more.next().await {
                found.push(message.map_err(FleetError::broker("give results"))?);
            }
            let delivery = |message: async_nats::jetstream::Message| {
                let (message, acker) = message.split();
                ResultDelivery {
                    receipt: ResultReceipt(acker),
                    payload: message.payload,
                }
            };
            Ok(found.into_iter().map(delivery).collect())
        })
    }

    /// Says that a result is dealt with: it is kept, or nobody wants it. A word that is lost is no harm,
    /// the result comes again.
    pub fn settle(&self, receipt: ResultReceipt) {
        let _ = self.broker.block_on(receipt.0.ack_with(AckKind::Ack));
    }

    /// Takes all pairs of this pool back.
    fn take_back(&self) -> Result<(), FleetError> {
        let subject = format!("{PAIRS_SUBJECT}.{}", self.pool);
        let taken = self.broker.block_on(forget(&self.pairs, &subject));
        taken.map_err(FleetError::broker("give pairs back"))
    }

    /// Ends: nothing of this pool stays at the broker.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`]; something may stay then, until the pool is opened and closed again.
    pub fn close(self) -> Result<(), FleetError> {
        self.take_back()?;
        let prefix = format!("{}-", self.pool);
        self.broker.block_on(async {
            let nets = self.nets.list().await;
            let nets = nets.map_err(FleetError::broker("clear the desk"))?;
            let nets: Vec<_> = nets
                .try_collect()
                .await
                .map_err(FleetError::broker("clear the desk"))?;
            for net in nets.iter().filter(|net| net.name.starts_with(&prefix)) {
                let gone = self.nets.delete(&net.name).await;
                gone.map_err(FleetError::broker("clear the desk"))?;
            }
            let results = self.broker.context().get_stream(RESULTS).await;
            let results = results.map_err(FleetError::broker("clear the desk"))?;
            let subject = format!("{RESULTS_SUBJECT}.{}", self.pool);
            let gone = forget(&results, &subject).await;
            gone.map_err(FleetError::broker("clear the desk"))?;
            let consumer = format!("pool-{}", self.pool);
            let gone = results.delete_consumer(&consumer).await;
            gone.map_err(FleetError::broker("clear the desk"))?;
            Ok(())
        })
    }
}

/// Deletes all messages on `subject`, one by one: where others wait for messages on other subjects, servers
/// before 2.10 lose these when one subject is purged.
async fn forget(stream: &Stream, subject: &str) -> Result<(), async_nats::Error> {
    loop {
        match stream.get_last_raw_message_by_subject(subject).await {
            Ok(message) => stream.delete_message(message.sequence).await?,
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => return Ok(()),
            Err(error) => return Err(error.into()),
        };
    }
}
