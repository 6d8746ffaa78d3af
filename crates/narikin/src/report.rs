//! What a run tells: [`events`] is the truth, [`tensorboard`] and [`terminal`] are views of it.
//!
//! A new number goes into an event first; the views read events only.

pub mod events;
#[cfg(feature = "torch")]
pub mod tensorboard;
pub mod terminal;
