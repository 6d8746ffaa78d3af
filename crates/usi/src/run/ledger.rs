//! [`Ledger`]: which answers are due, and which are out. Pure bookkeeping; its times come from outside.

use std::time::{Duration, Instant};

use super::standby::Call;
use crate::gaps::Gaps;

#[cfg(test)]
mod tests;

/// A day: no turn lasts longer.
const LONGEST_TURN: Duration = Duration::from_secs(24 * 3600);

/// How long the search may take to answer `stop` itself.
const STOP_GRACE: Duration = Duration::from_millis(25);

/// The time that a clock leaves for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    /// When the clock began to run.
    pub(crate) since: Instant,
    /// When the answer must be out.
    pub(crate) until: Instant,
}

impl Turn {
    /// So long, but for times beyond all use.
    pub(crate) fn new(since: Instant, time: Duration) -> Turn {
        Turn {
            since,
            until: since + time.min(LONGEST_TURN),
        }
    }

    fn time(self) -> Duration {
        self.until.saturating_duration_since(self.since)
    }

    fn middle(self) -> Instant {
        self.until - self.time() / 2
    }
}

/// The answer that goes out at a certain time, unless another one comes before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Promise {
    /// `None` if only `stop` asks for the answer.
    pub(crate) turn: Option<Turn>,
    /// Analysis and `bestmove`.
    pub(crate) lines: Vec<String>,
}

/// The account of answers. A search's own answers, its promises and the answers on standby (made
/// without the search) meet here, and each `go` gets the first of them to be due.
///
/// A `go` has a number, counted from 1; one that no `bestmove` answers does not count.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// Answers that the loop that thinks has come to.
    n_reached: u64,
    /// Answers that are out: as many as that, or more if the loop is late.
    n_out: u64,
    /// What the loop promises for its next answer.
    promise: Option<Promise>,
    /// For the `go` of this number: its turn, and what goes out if the loop promises nothing.
    standby: Option<(u64, Turn, Vec<String>)>,
    /// The `go` that was stopped last, and when.
    stopped: Option<(u64, Instant)>,
    /// Whether there is no network yet. What is asked then waits for it: no clock is meant.
    is_loading: bool,
    /// How late the thread that keeps promises is woken.
    lateness: Gaps,
}

impl Ledger {
    /// Nothing asked, nothing answered, no network.
    pub(crate) fn new(now: Instant) -> Ledger {
        Ledger {
            n_reached: 0,
            n_out: 0,
            promise: None,
            standby: None,
            stopped: None,
            is_loading: true,
            lateness: Gaps::new(now),
        }
    }

    /// The loop's promise for its next answer, in place of the one before.
    pub(crate) fn promise(&mut self, promise: Promise) {
        if self.n_out == self.n_reached {
            self.promise = Some(promise);
        }
    }

    /// A network is being loaded, or it is there.
    pub(crate) fn set_loading(&mut self, is_loading: bool) {
        self.is_loading = is_loading;
        self.standby = None;
    }

    /// What is on standby from now on, whether or not the loop has heard of it.
    pub(crate) fn stand_by(&mut self, call: Call) {
        match call {
            Call::Go { .. } if self.is_loading => {}
            Call::Go { n_go, answer } => {
                self.standby = answer.map(|(turn, lines)| (n_go, turn, lines));
            }
            Call::Stop { n_go, at } => self.stopped = Some((n_go, at)),
        }
    }

    /// Takes what the loop says and leaves what is to be written: an answer that is out already is
    /// left out, and with it the analysis that led there.
    pub(crate) fn admit(&mut self, lines: &mut Vec<String>) {
        lines.retain(|line| {
            let is_late = self.n_reached < self.n_out;
            if is_answer(line) {
                self.n_reached += 1;
                self.n_out = self.n_out.max(self.n_reached);
                self.promise = None;
                return !is_late;
            }
            !(is_late && line.starts_with("info "))
        });
    }

    /// When the next answer must go out if the loop does not come before.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.next().map(|(moment, _)| moment)
    }

    /// The answer to write now, if one is due: it counts as out.
    pub(crate) fn take_due(&mut self, now: Instant) -> Option<Vec<String>> {
        let (moment, lines) = self.next()?;
        if now < moment {
            return None;
        }
        let lines = lines.to_vec();
        self.n_out += 1;
        self.promise = None;
        self.standby = None;
        Some(lines)
    }

    /// The thread that keeps promises wanted to be woken at `wanted`, and it is `now`.
    pub(crate) fn woken(&mut self, wanted: Instant, now: Instant) {
        self.lateness
            .add(now.saturating_duration_since(wanted), now);
    }

    /// The worst of the last seconds.
    pub(crate) fn lateness(&self) -> Duration {
        self.lateness.longest()
    }

    fn next(&self) -> Option<(Instant, &[String])> {
        let n_go = self.n_out + 1;
        let standby = self.standby.as_ref().filter(|(n, ..)| *n == n_go);
        let Some(promise) = &self.promise else {
            // An answer for the worst case waits longer: at least half of its turn.
            return standby
                .map(|(_, turn, lines)| (self.moment(*turn).max(turn.middle()), &lines[..]));
        };
        // What the search has found is better than what was made without it, and it may not have heard
        // yet that its clock runs.
        let turn = promise.turn.or(standby.map(|(_, turn, _)| *turn));
        let stopped = self.stopped.filter(|(n, _)| *n == n_go);
        let moments = [
            turn.map(|turn| self.moment(turn)),
            stopped.map(|(_, at)| at + STOP_GRACE),
        ];
        let moment = moments.into_iter().flatten().min()?;
        Some((moment, &promise.lines[..]))
    }

    fn moment(&self, turn: Turn) -> Instant {
        turn.until - reserve(turn.time(), self.lateness())
    }
}

/// How much of `time` is left unused on a machine that wakes threads so late. The lines that come in are
/// as late as those that go out, so it is twice that; three quarters at most.
pub(crate) fn reserve(time: Duration, lateness: Duration) -> Duration {
    (2 * lateness).min(time * 3 / 4)
}

fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove ")
}
