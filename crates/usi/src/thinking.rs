//! One `go`, from its arrival to its `bestmove`.

use std::time::{Duration, Instant};

use rules::{Declaration, Game, Move};
use search::{EvalAnswers, Evaluator, EvaluatorError, Search, SearchResult, Step, mix_seed};

use crate::info::{BestMove, Effort, Line, Score, bestmove_line, info_line};
use crate::limits::GoLimits;
use crate::lines::ranked_lines;
use crate::options::Settings;
use crate::time::Budget;

/// Visits between two looks at how the search stands; the first ones are all looked at. Also the
/// most that may pass without a look at clock and input, when walks end at ends of games.
const LOOK_INTERVAL: u32 = 16;

/// Shortest time between two reports when `PV_Interval` is 0.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

/// A search under way.
pub(crate) struct Thinking {
    game: Game,
    settings: Settings,
    limits: GoLimits,
    plan: Plan,
    /// Whether `ponderhit` or `stop` must come first.
    pondering: bool,
    /// When `go` came: what `info … time` counts from.
    started: Instant,
    /// When the clock began to run: `go`, or `ponderhit`.
    clock_started: Instant,
    budget: Option<Budget>,
    most_visits: u32,
    /// Whether the tree has nothing more to do within its limits.
    settled: bool,
    /// How long a visit takes: the longest lately.
    visit_time: Duration,
    standing: Option<Standing>,
    shown: Option<(Instant, Vec<Move>)>,
}

/// Where the answer comes from.
enum Plan {
    Search(Box<Search>),
    /// The rules leave nothing to think about.
    Known(BestMove),
}

/// The search as last looked at.
struct Standing {
    result: SearchResult,
    best_since: Instant,
}

impl Thinking {
    /// Begins to think about `game` for a `go` that came at `at`, in the memory of `spare` and, if
    /// the settings say so, with what it knows about the game.
    pub(crate) fn new(
        game: Game,
        settings: Settings,
        (limits, at): (GoLimits, Instant),
        spare: Option<Box<Search>>,
    ) -> Thinking {
        let side = game.position().side_to_move();
        let most_visits = most_visits(&settings, &limits);
        let plan = if game.position().legal_moves().is_empty() {
            Plan::Known(BestMove::Resign)
        } else if game.declaration() == Declaration::Win {
            Plan::Known(BestMove::Win)
        } else {
            let options = settings.search(side, 1);
            let seed = mix_seed(0, u64::from(game.position().ply()));
            Plan::Search(match spare {
                Some(mut search) => {
                    if settings.reuse_tree {
                        search.advance_to(&game, &options, seed);
                    } else {
                        search.restart(&game, &options, seed);
                    }
                    search
                }
                None => Box::new(Search::new(&game, &options, seed)),
            })
        };
        let budget = Budget::new(
            &limits,
            side,
            game.position().ply(),
            settings.network_delay(),
        );
        Thinking {
            pondering: limits.ponder,
            started: at,
            clock_started: at,
            budget,
            most_visits,
            settled: matches!(plan, Plan::Known(_)),
            visit_time: Duration::ZERO,
            standing: None,
            shown: None,
            game,
            settings,
            limits,
            plan,
        }
    }

    /// The guess was right: from `at` on this is an ordinary search. `clocks` replace those of `go`
    /// where they are given.
    pub(crate) fn ponderhit(&mut self, clocks: GoLimits, at: Instant) {
        if !self.pondering {
            return;
        }
        self.pondering = false;
        self.clock_started = at;
        if clocks.has_clock() || clocks.movetime.is_some() {
            let position = self.game.position();
            let delay = self.settings.network_delay();
            self.budget = Budget::new(&clocks, position.side_to_move(), position.ply(), delay);
            self.limits = clocks;
        }
    }

    /// Whether another visit could be of use.
    pub(crate) fn can_go_on(&self) -> bool {
        !self.settled
    }

    /// One visit; nothing if the search has settled.
    pub(crate) fn visit(
        &mut self,
        evaluator: &mut dyn Evaluator,
        answers: &mut EvalAnswers,
        clock: &dyn Fn() -> Instant,
    ) -> Result<(), EvaluatorError> {
        let Plan::Search(search) = &mut self.plan else {
            return Ok(());
        };
        let before = clock();
        if search.is_finished() {
            let made = search.visit_count() - search.inherited_visits();
            let rest = self.most_visits.saturating_sub(made);
            search.extend(rest.min(LOOK_INTERVAL));
        }
        self.settled = search.is_finished();
        if !self.settled && search.next_leaf() == Step::Leaf {
            evaluator.evaluate(&[search.request()], answers)?;
            let (found, expected) = (answers.len(), 1);
            if found != expected {
                return Err(EvaluatorError::AnswerCount { found, expected });
            }
            let (logits, wdl) = answers.get(0);
            search.apply(logits, wdl)?;
        }
        let visits = search.visit_count() - search.inherited_visits();
        let now = clock();
        self.visit_time = now.duration_since(before).max(self.visit_time.mul_f32(0.9));
        if self.settled || visits < LOOK_INTERVAL || search.is_finished() {
            self.look(now);
        }
        Ok(())
    }

    fn look(&mut self, now: Instant) {
        let Plan::Search(search) = &self.plan else {
            return;
        };
        let result = search.result();
        let best_since = match &self.standing {
            Some(old) if old.result.best == result.best => old.best_since,
            _ => now,
        };
        self.standing = Some(Standing { result, best_since });
    }

    /// Whether the answer is due by itself, without `stop`.
    pub(crate) fn is_done(&self, now: Instant) -> bool {
        if self.pondering || self.limits.infinite || !self.is_limited() {
            return false;
        }
        if self.settled {
            return true;
        }
        let Some(standing) = &self.standing else {
            return false;
        };
        if let Some(depth) = self.limits.depth {
            let result = &standing.result;
            if result.pv.len() >= depth as usize || result.mate.is_some() {
                return true;
            }
        }
        self.budget
            .is_some_and(|budget| self.time_is_up(&budget, standing, now))
    }

    fn is_limited(&self) -> bool {
        self.limits.is_limited() || self.settings.nodes_per_move > 0
    }

    fn time_is_up(&self, budget: &Budget, standing: &Standing, now: Instant) -> bool {
        let elapsed = now.saturating_duration_since(self.clock_started);
        if elapsed + self.visit_time >= budget.hard {
            return true;
        }
        if self.limits.movetime.is_some() {
            return false;
        }
        if standing.result.visits.len() == 1 || standing.result.mate.is_some() {
            return true;
        }
        if elapsed < budget.soft {
            return budget.saves && self.is_decided(standing, budget.soft - elapsed, now);
        }
        // A best move that is new deserves a second thought.
        let steady_for = now.saturating_duration_since(standing.best_since);
        steady_for >= elapsed / 4
    }

    /// Whether the second move cannot overtake the first in the `rest` of the time.
    fn is_decided(&self, standing: &Standing, rest: Duration, now: Instant) -> bool {
        let spent = now.saturating_duration_since(self.started);
        let visits = self.visits();
        if visits < 64 || spent.is_zero() {
            return false;
        }
        let rest_visits = f64::from(visits) * rest.as_secs_f64() / spent.as_secs_f64();
        let (mut first, mut second) = (0, 0);
        for &(_, visits) in &standing.result.visits {
            if visits > first {
                (first, second) = (visits, first);
            } else if visits > second {
                second = visits;
            }
        }
        f64::from(first - second) > rest_visits
    }

    /// Writes the lines of analysis if it is time for them.
    pub(crate) fn report(&mut self, now: Instant, out: &mut Vec<String>) {
        let interval = Duration::from_millis(self.settings.pv_interval_ms.into());
        let since = self.shown.as_ref().map_or(self.started, |(at, _)| *at);
        if now.saturating_duration_since(since) < interval.max(SHORTEST_INTERVAL) {
            return;
        }
        let Some(standing) = &self.standing else {
            return;
        };
        let pv = &standing.result.pv;
        if interval.is_zero() && self.shown.as_ref().is_some_and(|(_, shown)| shown == pv) {
            return;
        }
        self.shown = Some((now, pv.clone()));
        let lines = self.lines();
        self.write_lines(&lines, now, out);
    }

    /// Writes the last lines of analysis and the `bestmove`.
    ///
    /// There must have been a visit, unless the rules gave the answer. Returns the search for its
    /// memory: giving that back takes longer than the client should wait for the answer.
    pub(crate) fn answer(mut self, now: Instant, out: &mut Vec<String>) -> Option<Box<Search>> {
        self.look(now);
        let lines = self.lines();
        self.write_lines(&lines, now, out);
        let best = match &self.plan {
            Plan::Known(best) => *best,
            Plan::Search(_) if self.resigns() => BestMove::Resign,
            Plan::Search(search) => BestMove::Move(search.best_move()),
        };
        let ponder = self
            .settings
            .ponder
            .then(|| lines.first()?.pv.get(1).copied())
            .flatten();
        out.push(bestmove_line(best, ponder));
        match self.plan {
            Plan::Known(_) => None,
            Plan::Search(search) => Some(search),
        }
    }

    /// The answer when the network has failed before the first visit: any legal move.
    pub(crate) fn answer_blindly(self, out: &mut Vec<String>) {
        let best = match self.plan {
            Plan::Known(best) => best,
            Plan::Search(_) => BestMove::Move(self.game.position().legal_moves()[0]),
        };
        out.push(bestmove_line(best, None));
    }

    /// Whether there is something to answer with: a visit, a proof or a rule.
    pub(crate) fn has_answer(&self) -> bool {
        match &self.plan {
            Plan::Known(_) => true,
            Plan::Search(search) => search.is_finished() || search.visit_count() > 0,
        }
    }

    /// Visits made for this `go`.
    fn visits(&self) -> u32 {
        match &self.plan {
            Plan::Known(_) => 0,
            Plan::Search(search) => search.visit_count() - search.inherited_visits(),
        }
    }

    fn resigns(&self) -> bool {
        let Some(standing) = &self.standing else {
            return false;
        };
        let p = match standing.result.mate {
            Some(plies) if plies > 0 => 1.0,
            Some(_) => 0.0,
            None => standing.result.value.expected(),
        };
        !self.limits.infinite && p * 1000.0 < self.settings.resign_threshold as f32
    }

    fn write_lines(&self, lines: &[Line], now: Instant, out: &mut Vec<String>) {
        let nodes_used = match &self.plan {
            Plan::Known(_) => 0,
            Plan::Search(search) => search.node_count(),
        };
        let effort = Effort {
            time: now.saturating_duration_since(self.started),
            nodes: self.visits(),
            hashfull: nodes_used * 1000 / self.settings.node_limit as usize,
        };
        let ranked = self.settings.multi_pv > 1;
        for (idx, line) in lines.iter().enumerate() {
            out.push(info_line(&effort, line, idx + 1, ranked));
        }
    }

    /// The best lines, best first, as many as `MultiPV` asks for.
    fn lines(&self) -> Vec<Line> {
        match &self.plan {
            Plan::Known(BestMove::Win) => vec![Line {
                score: Score::Won,
                pv: Vec::new(),
            }],
            Plan::Known(_) => vec![Line {
                score: Score::Lost,
                pv: Vec::new(),
            }],
            Plan::Search(search) => ranked_lines(search, &self.settings),
        }
    }
}

fn most_visits(settings: &Settings, limits: &GoLimits) -> u32 {
    let wanted = limits
        .nodes
        .map_or(u32::MAX, |nodes| u32::try_from(nodes).unwrap_or(u32::MAX));
    let per_move = match settings.nodes_per_move {
        0 => u32::MAX,
        visits => visits,
    };
    wanted.min(per_move).min(settings.node_limit).max(1)
}
