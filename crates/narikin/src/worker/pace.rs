//! How fast a worker finishes games.

use std::time::{Duration, Instant};

/// Time over which a rate is told.
const RATE_OVER: Duration = Duration::from_secs(60);

/// How fast games are finished, lately.
pub(super) struct Pace {
    from: (Instant, u64),
    per_s: f64,
}

impl Pace {
    /// Nothing finished yet.
    pub(super) fn new() -> Pace {
        Pace {
            from: (Instant::now(), 0),
            per_s: 0.0,
        }
    }

    /// Takes the number of games finished since the start.
    pub(super) fn look(&mut self, games: u64) {
        let (at, before) = self.from;
        let seconds = at.elapsed().as_secs_f64();
        if seconds > 1.0 {
            self.per_s = (games - before) as f64 / seconds;
        }
        if at.elapsed() >= RATE_OVER {
            self.from = (Instant::now(), games);
        }
    }

    /// Games per second over the last minute or less.
    pub(super) fn per_s(&self) -> f64 {
        self.per_s
    }
}
