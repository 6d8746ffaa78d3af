//! Ctrl-C (and SIGTERM): once to finish the write in progress and leave, twice to leave at once.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Context;

use crate::exit;
use crate::report::terminal::note;

/// How often the process was asked to stop.
static REQUESTS: AtomicU32 = AtomicU32::new(0);

/// Starts listening. Long commands call it once and then look at [`requested`].
///
/// # Errors
///
/// If the system refuses the signal handler.
pub fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if REQUESTS.fetch_add(1, Ordering::SeqCst) > 0 {
            process::exit(i32::from(exit::INTERRUPTED));
        }
        note("interrupted: finishing the write in progress (again: leave at once)");
    })
    .context("cannot listen for Ctrl-C")
}

/// Whether the process was asked to stop.
pub fn requested() -> bool {
    REQUESTS.load(Ordering::SeqCst) > 0
}
