//! How long this process is kept from working at a time.

use std::time::{Duration, Instant};

#[cfg(test)]
mod tests;

/// After this time a gap counts half.
const HALF_LIFE: Duration = Duration::from_secs(10);

/// The longest gap lately, between two looks at the clock or as told.
///
/// On a busy machine a process that computes is set aside now and then, for some tens of milliseconds;
/// so may a slow network keep it. An answer must be out so much before its time is over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gaps {
    longest: Duration,
    seen: Instant,
}

impl Gaps {
    /// No gaps known yet.
    pub(crate) fn new(now: Instant) -> Gaps {
        Gaps {
            longest: Duration::ZERO,
            seen: now,
        }
    }

    /// What lies between the last look and `now` was no gap: nothing was to be done.
    pub(crate) fn resume(&mut self, now: Instant) {
        self.longest = self.longest_at(now);
        self.seen = now;
    }

    /// Looks at the clock.
    pub(crate) fn look(&mut self, now: Instant) {
        self.add(now.saturating_duration_since(self.seen), now);
    }

    /// There was such a gap, which ended `now`.
    pub(crate) fn add(&mut self, gap: Duration, now: Instant) {
        self.longest = self.longest_at(now).max(gap);
        self.seen = now;
    }

    /// The longest gap lately.
    pub(crate) fn longest(&self) -> Duration {
        self.longest
    }

    fn longest_at(&self, now: Instant) -> Duration {
        let since = now.saturating_duration_since(self.seen);
        let half_lives = since.as_secs_f64() / HALF_LIFE.as_secs_f64();
        self.longest.mul_f64(0.5_f64.powf(half_lives))
    }
}
