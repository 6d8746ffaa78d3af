//! Models in the broker's stores: there once, and out of them whole and the right ones.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::{Config, ObjectStore};
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use crate::error::FleetError;
use crate::hash::Hash;
use crate::messages::ModelRef;

/// Longest silence within a download.
const DOWNLOAD_SILENCE: Duration = Duration::from_secs(30);
/// The largest model that is taken.
const MAX_MODEL_BYTES: u64 = 2 << 30;

/// The store `bucket`, made if it is missing.
///
/// # Errors
///
/// [`FleetError::Broker`].
pub(crate) async fn store(context: &Context, bucket: String) -> Result<ObjectStore, FleetError> {
    if let Ok(store) = context.get_object_store(&bucket).await {
        return Ok(store);
    }
    let config = Config {
        bucket,
        ..Config::default()
    };
    let made = context.create_object_store(config).await;
    made.map_err(FleetError::broker("make a store of models"))
}

/// Puts the model `named` into a store, unless it is there.
///
/// # Errors
///
/// [`FleetError::Broker`].
pub(crate) async fn upload(
    store: &ObjectStore,
    named: &ModelRef,
    bytes: &[u8],
) -> Result<(), FleetError> {
    let there = store.info(&named.object).await;
    if there.is_ok_and(|there| !there.deleted && there.size == bytes.len()) {
        return Ok(());
    }
    let mut reader = bytes;
    let put = store.put(&*named.object, &mut reader).await;
    put.map_err(FleetError::broker("take a model"))?;
    Ok(())
}

/// The bytes of the model `named` in the store `bucket`, if they are the right ones.
///
/// # Errors
///
/// [`FleetError::WrongModel`] or [`FleetError::Broker`].
pub(crate) async fn download(
    context: &Context,
    bucket: &str,
    named: &ModelRef,
) -> Result<Vec<u8>, FleetError> {
    let getting = FleetError::broker("give a model");
    let wrong = |found: String, expected: String| FleetError::WrongModel {
        object: named.object.clone(),
        found,
        expected,
    };
    if named.bytes > MAX_MODEL_BYTES {
        let expected = format!("at most {MAX_MODEL_BYTES}");
        return Err(wrong(format!("{} bytes", named.bytes), expected));
    }
    let models = context.get_object_store(bucket).await;
    let models = models.map_err(FleetError::broker("open the models"))?;
    let object = models.get(&named.object).await;
    let object = object.map_err(FleetError::broker("give a model"))?;
    let mut object = object.take(named.bytes + 1);
    let mut bytes = Vec::new();
    loop {
        match timeout(DOWNLOAD_SILENCE, object.read_buf(&mut bytes)).await {
            Ok(Ok(0)) => break,
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(getting(error)),
            Err(silence) => return Err(FleetError::broker("give a model")(silence)),
        }
    }
    if bytes.len() as u64 != named.bytes {
        let expected = named.bytes.to_string();
        return Err(wrong(format!("{} bytes", bytes.len()), expected));
    }
    let found = Hash::of(&bytes).to_string();
    if found != named.sha256 {
        return Err(wrong(format!("SHA-256 {found}"), named.sha256.clone()));
    }
    Ok(bytes)
}
