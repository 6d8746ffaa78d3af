//! [`Desk`]: the output, and somebody who keeps promises.
//!
//! A thread that computes is set aside by a busy machine for longer than some clocks allow; one that
//! sleeps is woken in time, or nearly so. So the loop that thinks leaves its answer at the desk together
//! with the time at which that must be out, and takes it back when it has a better one in time.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::ledger::{Ledger, Promise};
use super::standby::Call;

#[cfg(test)]
mod tests;

/// While an answer is due, the thread that keeps promises sleeps no longer at a time, so that it knows
/// how late this machine wakes it.
const NAP: Duration = Duration::from_millis(10);

/// What the threads agree about; it outlives the output. Whoever needs both locks takes the output's
/// first.
pub(crate) struct Agenda {
    state: Mutex<AgendaState>,
    changed: Condvar,
}

struct AgendaState {
    ledger: Ledger,
    is_closed: bool,
}

/// Where lines are written, by the loop that thinks and by the one that keeps promises.
pub(crate) struct Desk<W> {
    output: Mutex<W>,
    agenda: Arc<Agenda>,
}

impl Agenda {
    fn new() -> Agenda {
        Agenda {
            state: Mutex::new(AgendaState {
                ledger: Ledger::new(Instant::now()),
                is_closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// See [`Ledger::stand_by`].
    pub(crate) fn stand_by(&self, call: Call) {
        self.lock().ledger.stand_by(call);
        self.changed.notify_all();
    }

    /// Sleeps until an answer is due; `false` if the desk was closed instead.
    fn wait_for_due(&self) -> bool {
        let mut state = self.lock();
        while !state.is_closed {
            let Some(due) = state.ledger.due() else {
                let woken = self.changed.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let now = Instant::now();
            if due <= now {
                return true;
            }
            let nap = NAP.min(due - now);
            let (woken, timeout) = self
                .changed
                .wait_timeout(state, nap)
                .unwrap_or_else(PoisonError::into_inner);
            state = woken;
            if timeout.timed_out() {
                state.ledger.woken(now + nap, Instant::now());
            }
        }
        false
    }

    fn lock(&self) -> MutexGuard<'_, AgendaState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write> Desk<W> {
    pub(crate) fn new(output: W) -> Desk<W> {
        Desk {
            output: Mutex::new(output),
            agenda: Arc::new(Agenda::new()),
        }
    }

    /// For a thread that may outlive the desk.
    pub(crate) fn agenda(&self) -> Arc<Agenda> {
        Arc::clone(&self.agenda)
    }

    /// See [`Ledger::set_loading`].
    pub(crate) fn set_loading(&self, is_loading: bool) {
        self.agenda.lock().ledger.set_loading(is_loading);
    }

    /// See [`Ledger::promise`].
    pub(crate) fn promise(&self, promise: Promise) {
        let mut state = self.agenda.lock();
        let due = state.ledger.due();
        state.ledger.promise(promise);
        // Most promises differ from the one before in their lines alone.
        if state.ledger.due() != due {
            self.agenda.changed.notify_all();
        }
    }

    /// How late this machine wakes a thread that sleeps: the worst of the last seconds.
    pub(crate) fn lateness(&self) -> Duration {
        self.agenda.lock().ledger.lateness()
    }

    /// Writes what [`Ledger::admit`] leaves of the lines, and empties them.
    ///
    /// # Errors
    ///
    /// The output's.
    pub(crate) fn print(&self, lines: &mut Vec<String>) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut output = self.lock_output();
        self.agenda.lock().ledger.admit(lines);
        write(&mut *output, lines)?;
        lines.clear();
        Ok(())
    }

    /// Keeps promises until [`Desk::close`].
    pub(crate) fn keep_promises(&self) {
        while self.agenda.wait_for_due() {
            let mut output = self.lock_output();
            // The loop that thinks may have come before.
            let due = self.agenda.lock().ledger.take_due(Instant::now());
            if let Some(lines) = due {
                // That loop will see for itself that nobody reads any more.
                let _ = write(&mut *output, &lines);
            }
        }
    }

    /// Lets [`Desk::keep_promises`] return.
    pub(crate) fn close(&self) {
        self.agenda.lock().is_closed = true;
        self.agenda.changed.notify_all();
    }

    fn lock_output(&self) -> MutexGuard<'_, W> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(output: &mut impl Write, lines: &[String]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut text = lines.join("\n");
    text.push('\n');
    output.write_all(text.as_bytes())?;
    output.flush()
}
