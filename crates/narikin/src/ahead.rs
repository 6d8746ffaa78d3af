//! The next batch made ready while the one before it is learned from.

use std::io;
use std::panic;
use std::thread;
use std::time::{Duration, Instant};

/// The items of a stream, each made in a second thread while the one before it is worked on.
///
/// What is made, and in which order, does not depend on time: each item is begun when the one before
/// it is handed out, and whatever making it reads stays as it is until both are done.
#[derive(Debug)]
pub struct Ahead<T> {
    ready: Option<T>,
    waited: Duration,
}

impl<T> Default for Ahead<T> {
    fn default() -> Ahead<T> {
        Ahead {
            ready: None,
            waited: Duration::ZERO,
        }
    }
}

impl<T: Send> Ahead<T> {
    /// Works on the next item while `make` makes the one after it; without one that is ready `make`
    /// makes the next one first.
    ///
    /// # Errors
    ///
    /// If the system starts no thread; the item is lost then.
    pub fn work_on_next<R>(
        &mut self,
        mut make: impl FnMut() -> T + Send,
        work: impl FnOnce(T) -> R,
    ) -> io::Result<R> {
        let begun = Instant::now();
        let item = self.ready.take().unwrap_or_else(&mut make);
        self.waited += begun.elapsed();
        thread::scope(|scope| {
            let maker = thread::Builder::new()
                .name("next batch".to_owned())
                .spawn_scoped(scope, make)?;
            let result = work(item);
            let begun = Instant::now();
            match maker.join() {
                Ok(next) => self.ready = Some(next),
                Err(panic) => panic::resume_unwind(panic),
            }
            self.waited += begun.elapsed();
            Ok(result)
        })
    }

    /// Drops the item that is ready: the next one is made anew. Where work is to go on exactly as in a
    /// process that begins at this point, this makes it begin alike.
    pub fn forget(&mut self) {
        self.ready = None;
    }

    /// Time since the last call in which an item was waited for.
    pub fn take_waited(&mut self) -> Duration {
        std::mem::take(&mut self.waited)
    }
}

#[cfg(test)]
mod tests;
