//! One thread's work in a benchmark.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rules::{MoveList, Position};
use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError, SearchOptions};
use selfplay::{GameIds, SelfPlay, SelfPlayOptions};

use super::device::Device;
use crate::machine::thread_time;
use crate::nets::Net;
use crate::speed::{self, Positions};

/// What one thread works with.
pub(super) struct Worker {
    naive: Option<Box<dyn Evaluator>>,
    evaluator: Timed,
    selfplay: SelfPlay,
    batch: usize,
    totals: Totals,
}

/// Sums over a thread's rounds of self-play. Times are of the processor, so that threads which wait for
/// one do not look as if the tree was slow.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    /// On the clock.
    pub(super) seconds: f64,
    pub(super) cpu_seconds: f64,
    pub(super) evaluator_seconds: f64,
    pub(super) evaluations: f64,
    /// Evaluations there would have been with full batches.
    pub(super) places: f64,
    pub(super) plies: f64,
}

impl std::iter::Sum for Totals {
    fn sum<I: Iterator<Item = Totals>>(totals: I) -> Totals {
        totals.fold(Totals::default(), |a, b| Totals {
            seconds: a.seconds + b.seconds,
            cpu_seconds: a.cpu_seconds + b.cpu_seconds,
            evaluator_seconds: a.evaluator_seconds + b.evaluator_seconds,
            evaluations: a.evaluations + b.evaluations,
            places: a.places + b.places,
            plies: a.plies + b.plies,
        })
    }
}

/// Positions of self-play that are kept.
const KEPT: usize = 1024;

/// Of so many positions one is kept, so that they are of many games and plies.
const KEEP_EVERY: usize = 31;

/// An evaluator that is looked at with a stop-watch, and that keeps some of what it is asked.
struct Timed {
    inner: Box<dyn Evaluator>,
    device: Arc<Device>,
    seconds: f64,
    n_asked: usize,
    asked: Positions,
}

impl Evaluator for Timed {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        let started = thread_time();
        self.device.enter();
        let result = self.inner.evaluate(requests, answers);
        self.device.leave();
        self.seconds += (thread_time() - started).as_secs_f64();
        for request in requests {
            self.n_asked += 1;
            if self.n_asked.is_multiple_of(KEEP_EVERY) && self.asked.len() < KEPT {
                self.asked.push(kept(request));
            }
        }
        result
    }
}

fn kept(request: &EvalRequest<'_>) -> (Position, MoveList) {
    (request.position.clone(), request.position.legal_moves())
}

/// What all workers have in common.
pub(super) struct Common<'a> {
    pub(super) net: &'a Net,
    /// A device of libtorch's; without it, the CPU.
    pub(super) device: Option<&'a str>,
    /// Games at once and positions per batch.
    pub(super) batch: usize,
    pub(super) positions: &'a Positions,
    pub(super) ids: GameIds,
    pub(super) occupancy: Arc<Device>,
}

impl Worker {
    /// Gets everything ready and warm: nets are compiled when they are first asked.
    pub(super) fn new(common: &Common<'_>) -> anyhow::Result<Worker> {
        let &Common {
            net,
            device,
            batch,
            positions,
            ref ids,
            ref occupancy,
        } = common;
        let options = SelfPlayOptions {
            games_at_once: batch as u32,
            ..SelfPlayOptions::default()
        };
        let inner = match device {
            None => net.evaluator(batch)?,
            Some(device) => net.device_evaluator(device, batch)?,
        };
        let selfplay = SelfPlay::new(&options, &SearchOptions::default(), 1, 1, ids.clone());
        let naive = net.naive_evaluator()?;
        let evaluator = Timed {
            inner,
            device: occupancy.clone(),
            seconds: 0.0,
            n_asked: 0,
            asked: Vec::new(),
        };
        let mut worker = Worker {
            naive,
            evaluator,
            selfplay,
            batch,
            totals: Totals::default(),
        };
        let one_batch = Duration::ZERO;
        if worker.naive.is_some() {
            worker.run_naive(positions, one_batch)?;
        }
        worker.run_evaluator(positions, one_batch)?;
        Ok(worker)
    }

    pub(super) fn has_naive(&self) -> bool {
        self.naive.is_some()
    }

    pub(super) fn totals(&self) -> Totals {
        self.totals
    }

    /// Some of the positions that self-play has asked about.
    pub(super) fn asked(&self) -> &Positions {
        &self.evaluator.asked
    }

    /// Memory of a game's tree, in bytes: the mean.
    pub(super) fn tree_bytes(&self) -> usize {
        self.selfplay.tree_bytes() / self.selfplay.n_games()
    }

    pub(super) fn run_naive(
        &mut self,
        positions: &Positions,
        time: Duration,
    ) -> anyhow::Result<f64> {
        let naive = self.naive.as_mut().expect("asked only where there is one");
        Ok(speed::evals_per_s(
            naive.as_mut(),
            positions,
            self.batch,
            time,
        )?)
    }

    pub(super) fn run_evaluator(
        &mut self,
        positions: &Positions,
        time: Duration,
    ) -> anyhow::Result<f64> {
        Ok(speed::evals_per_s(
            &mut self.evaluator.inner,
            positions,
            self.batch,
            time,
        )?)
    }

    pub(super) fn run_selfplay(&mut self, time: Duration) -> anyhow::Result<f64> {
        let Worker {
            evaluator,
            selfplay,
            totals,
            ..
        } = self;
        evaluator.seconds = 0.0;
        let (mut n_evaluations, mut n_places) = (0, 0);
        let n_plies = selfplay.n_plies();
        let (started, cpu_started) = (Instant::now(), thread_time());
        while started.elapsed() < time {
            let round = selfplay.advance(evaluator, &mut |_| {})?;
            n_evaluations += round.n_evaluations;
            n_places += round.n_searches;
        }
        let seconds = started.elapsed().as_secs_f64();
        totals.seconds += seconds;
        totals.cpu_seconds += (thread_time() - cpu_started).as_secs_f64();
        totals.evaluator_seconds += evaluator.seconds;
        totals.evaluations += n_evaluations as f64;
        totals.places += n_places as f64;
        totals.plies += (selfplay.n_plies() - n_plies) as f64;
        Ok(n_evaluations as f64 / seconds)
    }
}

/// The sum of what `work` returns on all threads at once.
pub(super) fn together(
    workers: &mut [Worker],
    work: impl Fn(&mut Worker) -> anyhow::Result<f64> + Sync,
) -> anyhow::Result<f64> {
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = workers
            .iter_mut()
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        let rates = threads.into_iter().map(|thread| match thread.join() {
            Ok(rate) => rate,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        rates.sum()
    })
}
