//! Who plays matches of others: pairs in, results out.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use bytes::Bytes;
use futures_util::StreamExt;

use super::{NETS, PAIRS, PAIRS_SUBJECT, RESULTS_SUBJECT, WORKERS};
use crate::broker::Broker;
use crate::error::FleetError;
use crate::hash::{Hash, RunId};
use crate::messages::ModelRef;
use crate::models;

/// Time for which a pair that was given back is offered to nobody.
const COOL_DOWN: Duration = Duration::from_secs(2);

/// A worker's place among those that play pairs.
#[derive(Debug)]
pub struct MatchSeat {
    broker: Broker,
    pairs: Option<PullConsumer>,
}

/// A pair of games to be played.
pub struct PairTask {
    broker: Broker,
    pool: RunId,
    acker: Acker,
    payload: Bytes,
}

impl std::fmt::Debug for PairTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PairTask({})", self.pool)
    }
}

impl MatchSeat {
    /// Takes a place; nothing is asked of the broker yet.
    pub fn new(broker: &Broker) -> MatchSeat {
        MatchSeat {
            broker: broker.clone(),
            pairs: None,
        }
    }

    /// A pair, if one waits. Returns at once.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`] if the broker is away or refuses; a broker that never had a match is no
    /// error.
    pub fn take(&mut self) -> Result<Option<PairTask>, FleetError> {
        let broker = self.broker.clone();
        let found = broker.block_on(self.ask());
        if found.is_err() {
            // It may have lost its queue.
            self.pairs = None;
        }
        found
    }

    async fn ask(&mut self) -> Result<Option<PairTask>, FleetError> {
        if self.pairs.is_none() {
            let Ok(queue) = self.broker.context().get_stream(PAIRS).await else {
                return Ok(None);
            };
            self.pairs = queue.get_consumer(WORKERS).await.ok();
        }
        let Some(pairs) = &self.pairs else {
            return Ok(None);
        };
        let messages = pairs.fetch().max_messages(1).messages().await;
        let mut messages = messages.map_err(FleetError::broker("give a pair"))?;
        let mut found = None;
        while let Some(message) = messages.next().await {
            let (message, acker) = message.map_err(FleetError::broker("give a pair"))?.split();
            let pool = message.subject.strip_prefix(PAIRS_SUBJECT);
            let pool = pool.and_then(|rest| RunId::from_text(rest.strip_prefix('.')?));
            let Some(pool) = pool else {
                // Of a stranger: nobody can want it.
                let _ = acker.ack_with(AckKind::Term).await;
                continue;
            };
            found = Some(PairTask {
                broker: self.broker.clone(),
                pool,
                acker,
                payload: message.payload,
            });
        }
        Ok(found)
    }
}

impl PairTask {
    /// What is to be played.
    pub fn bytes(&self) -> &[u8] {
        &self.payload
    }

    /// Says that the pair is being played: not to be forgotten for [`super::HEARD_WITHIN`].
    pub fn still_playing(&self) {
        // Where it is lost, another worker plays the pair as well.
        let _ = self.broker.block_on(self.acker.ack_with(AckKind::Progress));
    }

    /// The bytes of a net that plays, if they are the right ones.
    ///
    /// # Errors
    ///
    /// [`FleetError::WrongModel`] or [`FleetError::Broker`].
    pub fn net(&self, named: &ModelRef) -> Result<Vec<u8>, FleetError> {
        let bytes = models::download(self.broker.context(), NETS, named);
        self.broker.block_on(bytes)
    }

    /// Brings the result; only then the pair is done.
    ///
    /// # Errors
    ///
    /// [`FleetError::Broker`]; another worker will play the pair, unless this is called again.
    pub fn finish(&self, result: &[u8]) -> Result<(), FleetError> {
        let bringing = || FleetError::broker("take a result");
        let subject = format!("{RESULTS_SUBJECT}.{}", self.pool);
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", Hash::of(result).to_string().as_str());
        self.broker.block_on(async {
            let result = Bytes::copy_from_slice(result);
            let context = self.broker.context();
            let acknowledged = context.publish_with_headers(subject, headers, result).await;
            acknowledged
                .map_err(bringing())?
                .await
                .map_err(bringing())?;
            // Where this is lost, the pair is played again and its result is known.
            let _ = self.acker.ack_with(AckKind::Ack).await;
            Ok(())
        })
    }

    /// Leaves the pair to another worker.
    pub fn give_back(self) {
        let again = AckKind::Nak(Some(COOL_DOWN));
        let _ = self.broker.block_on(self.acker.ack_with(again));
    }
}
