//! [`Desk`]: the output, and somebody who keeps promises.
//!
//! A thread that computes is set aside by a busy machine for longer than some clocks allow; one that
//! sleeps is woken in time. So the loop that thinks leaves its answer at the desk together with the time
//! at which that must be out, and takes it back when it has a better one in time.

use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

#[cfg(test)]
mod tests;

/// The answer that goes out at a certain time, unless another one comes before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Promise {
    /// When it must be out.
    pub(crate) deadline: Instant,
    /// Analysis and `bestmove`.
    pub(crate) lines: Vec<String>,
}

/// Where lines are written, by the loop that thinks and by the one that keeps promises.
pub(crate) struct Desk<W> {
    state: Mutex<State<W>>,
    changed: Condvar,
}

struct State<W> {
    output: W,
    promise: Option<Promise>,
    /// Whether a promise was kept whose answer the loop that thinks has not come to yet.
    is_kept: bool,
    is_closed: bool,
}

impl<W: Write> Desk<W> {
    pub(crate) fn new(output: W) -> Desk<W> {
        Desk {
            state: Mutex::new(State {
                output,
                promise: None,
                is_kept: false,
                is_closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// Takes the place of what was promised before.
    pub(crate) fn promise(&self, promise: Promise) {
        let mut state = self.lock();
        if !state.is_kept {
            state.promise = Some(promise);
            self.changed.notify_all();
        }
    }

    /// Writes lines and empties them. With an answer nothing is promised any more; one that was given
    /// already by a promise is left out.
    ///
    /// # Errors
    ///
    /// The output's.
    pub(crate) fn print(&self, lines: &mut Vec<String>) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut state = self.lock();
        let answer = lines.iter().position(|line| is_answer(line));
        if state.is_kept {
            // What was thought after the answer is of no interest.
            let n_late = answer.map_or(lines.len(), |idx| idx + 1);
            let mut idx = 0;
            lines.retain(|line| {
                idx += 1;
                let is_late = idx <= n_late && (line.starts_with("info ") || is_answer(line));
                !is_late
            });
        }
        if answer.is_some() {
            state.is_kept = false;
            state.promise = None;
        }
        state.write(lines)?;
        lines.clear();
        Ok(())
    }

    /// Keeps promises until [`Desk::close`].
    pub(crate) fn keep_promises(&self) {
        let mut state = self.lock();
        while !state.is_closed {
            let Some(promise) = &state.promise else {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let wait = promise.deadline.saturating_duration_since(Instant::now());
            if !wait.is_zero() {
                let (woken, _) = self
                    .changed
                    .wait_timeout(state, wait)
                    .unwrap_or_else(PoisonError::into_inner);
                state = woken;
                continue;
            }
            let promise = state.promise.take().expect("looked at above");
            state.is_kept = true;
            // The loop that thinks will see for itself that nobody reads any more.
            let _ = state.write(&promise.lines);
        }
    }

    /// Lets [`Desk::keep_promises`] return.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write> State<W> {
    fn write(&mut self, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut text = lines.join("\n");
        text.push('\n');
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}

fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove ")
}
