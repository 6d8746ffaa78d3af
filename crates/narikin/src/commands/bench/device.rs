//! How much of the time nobody asks a device anything.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A device that several threads ask, with a stop-watch for the time in which none does.
#[derive(Debug)]
pub(super) struct Device(Mutex<State>);

#[derive(Debug)]
struct State {
    n_inside: usize,
    idle: Duration,
    /// When the last thread left, or the watch was started.
    idle_since: Instant,
}

impl Device {
    /// A device that nobody asks yet.
    pub(super) fn new() -> Device {
        Device(Mutex::new(State {
            n_inside: 0,
            idle: Duration::ZERO,
            idle_since: Instant::now(),
        }))
    }

    /// A thread begins to ask.
    pub(super) fn enter(&self) {
        let mut state = self.state();
        if state.n_inside == 0 {
            let now = state.idle_since.elapsed();
            state.idle += now;
        }
        state.n_inside += 1;
    }

    /// A thread has its answer.
    pub(super) fn leave(&self) {
        let mut state = self.state();
        state.n_inside -= 1;
        if state.n_inside == 0 {
            state.idle_since = Instant::now();
        }
    }

    /// Counts from now on.
    pub(super) fn start(&self) {
        let mut state = self.state();
        state.idle = Duration::ZERO;
        state.idle_since = Instant::now();
    }

    /// Time without anybody inside since [`Device::start`].
    pub(super) fn idle(&self) -> Duration {
        let state = self.state();
        let now = if state.n_inside == 0 {
            state.idle_since.elapsed()
        } else {
            Duration::ZERO
        };
        state.idle + now
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
