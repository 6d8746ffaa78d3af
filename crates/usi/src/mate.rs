//! Mates: what `go mate` asks for, and what a search finds beside its tree.

use std::time::{Duration, Instant};

use rules::mate::{Answer, Solver, SolverOptions};
use rules::{Game, Move};

use crate::info::{Checkmate, Effort, Line, Score, checkmate_line, info_line};
use crate::options::Settings;

#[cfg(test)]
mod tests;

/// Nodes between two looks at the clock.
const NODES_PER_LOOK: u64 = 64;

/// Nodes between two looks at the input in `go mate`: some tens of milliseconds at most.
const NODES_PER_STEP: u64 = 2_000;

/// A mate that was found is given this many nodes, and as many as it took to find it, to become a
/// shorter one.
const NODES_TO_SHORTEN: u64 = 200_000;

/// A solver with its memory.
pub(crate) fn new_solver() -> Box<Solver> {
    Box::new(Solver::new(SolverOptions::default()))
}

/// A `go mate` under way.
pub(crate) struct MateHunt {
    solver: Box<Solver>,
    started: Instant,
    limit: Option<Duration>,
    /// Nodes at which the first mate was there.
    found_at: Option<u64>,
    report_interval: Duration,
    shown: Instant,
}

impl MateHunt {
    /// Begins to look for a mate by the side to move in `game`, for a `go mate` that came at `at`.
    pub(crate) fn new(
        game: &Game,
        mut solver: Box<Solver>,
        (at, limit): (Instant, Option<Duration>),
        settings: &Settings,
    ) -> MateHunt {
        solver.start_in_game(game);
        MateHunt {
            solver,
            started: at,
            limit,
            found_at: None,
            report_interval: Duration::from_millis(settings.pv_interval_ms.into()),
            shown: at,
        }
    }

    /// Whether more nodes could be of use.
    pub(crate) fn can_go_on(&self) -> bool {
        !self.solver.is_finished()
    }

    /// Looks at some nodes, and says so from time to time.
    pub(crate) fn search(&mut self, clock: &dyn Fn() -> Instant, out: &mut Vec<String>) {
        self.solver.search(NODES_PER_STEP);
        if let Answer::Mate(_) = self.solver.answer() {
            self.found_at.get_or_insert(self.solver.nodes());
        }
        let now = clock();
        let is_due = self.report_interval <= now.saturating_duration_since(self.shown);
        if !self.report_interval.is_zero() && is_due {
            self.shown = now;
            let effort = self.effort(now);
            let (time, nodes) = (effort.time.as_millis(), effort.nodes);
            out.push(format!(
                "info time {time} nodes {nodes} nps {}",
                effort.nps()
            ));
        }
    }

    /// Whether the answer is due without `stop`.
    pub(crate) fn is_done(&self, now: Instant) -> bool {
        let elapsed = now.saturating_duration_since(self.started);
        let is_short_enough = self
            .found_at
            .is_some_and(|found_at| 2 * found_at + NODES_TO_SHORTEN <= self.solver.nodes());
        is_short_enough
            || self.solver.is_finished()
            || self.limit.is_some_and(|limit| limit <= elapsed)
    }

    /// Writes the `checkmate` line, and the mate as analysis before it.
    pub(crate) fn answer(self, now: Instant, out: &mut Vec<String>) -> Box<Solver> {
        let answer = match self.solver.answer() {
            Answer::Mate(line) => {
                let score = Score::Mate(i32::try_from(line.plies()).unwrap_or(i32::MAX));
                let pv = line.moves().to_vec();
                out.push(info_line(&self.effort(now), &Line { score, pv }, 1, false));
                Checkmate::Line(line.moves().to_vec())
            }
            Answer::NoMate => Checkmate::None,
            Answer::Unknown => Checkmate::Timeout,
        };
        out.push(checkmate_line(&answer));
        self.solver
    }

    fn effort(&self, now: Instant) -> Effort {
        Effort {
            time: now.saturating_duration_since(self.started),
            nodes: self.solver.nodes(),
            seldepth: 0,
            hashfull: 0,
        }
    }
}

/// The solver at work beside a search of the same position.
pub(crate) struct RootMate {
    solver: Option<Box<Solver>>,
    most_nodes: u64,
    line: Option<Vec<Move>>,
}

impl RootMate {
    /// Begins to look for a mate by the side to move in `game`, among `most_nodes` nodes; 0 for not at
    /// all.
    pub(crate) fn new(game: &Game, solver: Option<Box<Solver>>, most_nodes: u32) -> RootMate {
        let solver = if most_nodes == 0 {
            solver
        } else {
            let mut solver = solver.unwrap_or_else(new_solver);
            solver.start_in_game(game);
            Some(solver)
        };
        RootMate {
            solver,
            most_nodes: most_nodes.into(),
            line: None,
        }
    }

    /// Looks on for about `time`.
    pub(crate) fn search(&mut self, time: Duration, clock: &dyn Fn() -> Instant) {
        let Some(solver) = &mut self.solver else {
            return;
        };
        let end = clock() + time;
        while !solver.is_finished() && self.line.is_none() && solver.nodes() < self.most_nodes {
            let rest = self.most_nodes - solver.nodes();
            if let Answer::Mate(line) = solver.search(rest.min(NODES_PER_LOOK)) {
                self.line = Some(line.moves().to_vec());
            }
            if end <= clock() {
                return;
            }
        }
    }

    /// The mate, if there is one.
    pub(crate) fn line(&self) -> Option<&[Move]> {
        self.line.as_deref()
    }

    /// The solver, for its memory.
    pub(crate) fn into_solver(self) -> Option<Box<Solver>> {
        self.solver
    }
}
