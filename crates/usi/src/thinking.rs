//! One `go`, from its arrival to its `bestmove`.

mod answer;
mod draw;

use std::time::{Duration, Instant};

use rules::mate::Solver;
use rules::{Declaration, Game, Move};
use search::{EvaluatorError, Search, SearchResult, mix_seed};

use crate::book::{Book, BookMove};
use crate::crew::Crew;
use crate::gaps::Gaps;
use crate::info::{BestMove, bestmove_line};
use crate::limits::GoLimits;
use crate::mate::RootMate;
use crate::options::Settings;
use crate::run::{Promise, Turn, reserve};
use crate::time::Budget;

/// Visits between two looks at how the search stands; the first ones are all looked at. Also the
/// most that may pass without a look at clock and input, when walks end at ends of games.
const LOOK_INTERVAL: u32 = 16;

/// Shortest time between two reports when `PV_Interval` is 0.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

/// One part of the time for the solver, so many for the search (guess).
const MATE_SHARE: u32 = 8;

/// What a search begins with.
pub(crate) struct Assignment<'a> {
    pub(crate) game: Game,
    pub(crate) settings: Settings,
    pub(crate) limits: GoLimits,
    /// When `go` came.
    pub(crate) at: Instant,
    /// Another search, for its memory and, if it may, what it knows about the game.
    pub(crate) spare: Option<Box<Search>>,
    pub(crate) book: &'a Book,
    /// A solver, for its memory.
    pub(crate) solver: Option<Box<Solver>>,
    /// For what is drawn by lot.
    pub(crate) seed: u64,
    /// Seen in searches before.
    pub(crate) gaps: Gaps,
}

/// What a search leaves to the next one.
pub(crate) struct Memory {
    pub(crate) search: Option<Box<Search>>,
    pub(crate) solver: Option<Box<Solver>>,
    pub(crate) gaps: Gaps,
}

/// A search under way.
pub(crate) struct Thinking {
    /// The game to answer for.
    game: Game,
    /// The move that the opponent is thought to make, if the search is about all that it could make.
    guess: Option<Move>,
    settings: Settings,
    limits: GoLimits,
    plan: Plan,
    mate: RootMate,
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
    gaps: Gaps,
    /// Visits at the last look at how the search stands.
    looked_at: u32,
    standing: Option<Standing>,
    shown: Option<(Instant, Vec<Move>)>,
    /// The turn of the answer that was promised last, and the visits that it stands on.
    promised: Option<(Option<Turn>, u32)>,
    /// How late threads are woken.
    lateness: Duration,
    seed: u64,
}

/// Where the answer comes from.
enum Plan {
    Search(Box<Search>),
    /// The rules leave nothing to think about.
    Known(BestMove),
    Book(BookMove),
}

/// The search as last looked at.
struct Standing {
    result: SearchResult,
    best_since: Instant,
}

impl Thinking {
    /// Begins to think.
    pub(crate) fn new(assignment: Assignment<'_>) -> Thinking {
        let Assignment {
            game,
            settings,
            limits,
            at,
            spare,
            book,
            solver,
            seed,
            gaps,
        } = assignment;
        let position = game.position();
        let (side, ply) = (position.side_to_move(), position.ply());
        let budget = Budget::new(&limits, side, ply, settings.network_delay())
            .map(|budget| budget.with_minimum(settings.minimum_time()));
        let before_guess = before_guess(&game, &settings, &limits);
        let guess = before_guess
            .is_some()
            .then(|| game.moves().last().copied())
            .flatten();
        let plan = match known(&game, &settings, &limits, (book, seed)) {
            Some(plan) => plan,
            None => begin(before_guess.as_ref().unwrap_or(&game), &settings, spare),
        };
        let is_search = matches!(plan, Plan::Search(_));
        let mate_nodes = match &guess {
            None if is_search => settings.root_mate_nodes,
            _ => 0,
        };
        let mut thinking = Thinking {
            guess: guess.filter(|_| is_search),
            mate: RootMate::new(&game, solver, mate_nodes),
            pondering: limits.ponder,
            started: at,
            clock_started: at,
            budget,
            most_visits: most_visits(&settings, &limits),
            settled: !is_search,
            gaps,
            looked_at: 0,
            standing: None,
            shown: None,
            promised: None,
            lateness: Duration::ZERO,
            game,
            settings,
            limits,
            plan,
            seed,
        };
        if let Plan::Search(search) = &thinking.plan
            && 0 < search.visit_count()
        {
            // The tree that was kept has an answer; on a busy machine there may be no time for more.
            thinking.look(at);
        }
        thinking
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
            self.budget = Budget::new(&clocks, position.side_to_move(), position.ply(), delay)
                .map(|budget| budget.with_minimum(self.settings.minimum_time()));
            self.limits = clocks;
        }
    }

    /// For a search that ponders on all moves of the opponent: the limits with which the one that was
    /// made is to be thought about, now that it is known.
    pub(crate) fn limits_after_guess(&self) -> Option<GoLimits> {
        self.guess.map(|_| GoLimits {
            ponder: false,
            ..self.limits.clone()
        })
    }

    /// Gives the memory back, without an answer.
    pub(crate) fn into_memory(self) -> Memory {
        let search = match self.plan {
            Plan::Search(search) => Some(search),
            Plan::Known(_) | Plan::Book(_) => None,
        };
        Memory {
            search,
            solver: self.mate.into_solver(),
            gaps: self.gaps,
        }
    }

    /// Whether another visit could be of use.
    pub(crate) fn can_go_on(&self) -> bool {
        !self.settled
    }

    /// The time of one evaluation; nothing if the search has settled.
    pub(crate) fn visit(
        &mut self,
        crew: &mut Crew,
        clock: &dyn Fn() -> Instant,
    ) -> Result<(), EvaluatorError> {
        let Plan::Search(search) = &mut self.plan else {
            return Ok(());
        };
        let before = clock();
        let made = search.visit_count() - search.inherited_visits();
        let rest = self.most_visits.saturating_sub(made);
        search.allow(rest.min(LOOK_INTERVAL + crew.most_open()));
        // Other lines are still of interest where several are shown.
        let is_mate = self.mate.line().is_some() && self.settings.multi_pv == 1;
        self.settled = search.is_finished() || is_mate && 0 < search.visit_count();
        if self.settled {
            crew.drop_work(search);
        } else {
            crew.work(search)?;
            let spent = clock().saturating_duration_since(before);
            self.mate.search(spent / MATE_SHARE, clock);
        }
        let visits = search.visit_count() - search.inherited_visits();
        let now = clock();
        self.gaps.look(now);
        let is_due = visits < LOOK_INTERVAL || self.looked_at + LOOK_INTERVAL <= visits;
        if self.settled || is_due || search.is_finished() {
            self.look(now);
        }
        Ok(())
    }

    /// Stops waiting for answers: before the search is asked for its result.
    pub(crate) fn drop_work(&mut self, crew: &mut Crew) {
        if let Plan::Search(search) = &mut self.plan {
            crew.drop_work(search);
        }
    }

    fn look(&mut self, now: Instant) {
        let Plan::Search(search) = &self.plan else {
            return;
        };
        let result = search.result();
        self.looked_at = search.visit_count() - search.inherited_visits();
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
            let is_known = result.mate.is_some() || self.mate.line().is_some();
            if is_known || result.pv.len() >= depth as usize {
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
        // Before the promise is called in, which knows less.
        let hard = budget.hard - reserve(budget.hard, self.lateness);
        // A single long gap must not end all thinking.
        let gap = self.gaps.longest().min(hard * 2 / 3);
        if elapsed + gap >= hard {
            return true;
        }
        if self.limits.movetime.is_some() {
            return false;
        }
        let is_known = standing.result.mate.is_some() || self.mate.line().is_some();
        if is_known || standing.result.visits.len() == 1 {
            return true;
        }
        if elapsed < self.settings.minimum_time() {
            return false;
        }
        // What is not used on a busy machine makes up for the times at which it stands still.
        let soft = budget.soft - reserve(budget.soft, self.lateness);
        if elapsed < soft {
            return budget.saves && self.is_decided(standing, soft - elapsed, now);
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
    /// There must have been a visit, unless the rules gave the answer, and no work on its way. Returns
    /// the memory: giving that back takes longer than the client should wait for the answer.
    pub(crate) fn answer(mut self, now: Instant, out: &mut Vec<String>) -> Memory {
        self.look(now);
        self.write_answer(now, out);
        self.into_memory()
    }

    /// The answer as it stands, with the time at which it must be out if there is one; `None` if
    /// nothing is known yet or no more than was promised last.
    pub(crate) fn promise(&mut self, now: Instant) -> Option<Promise> {
        let is_timed = !self.pondering && !self.limits.infinite;
        let budget = self.budget.filter(|_| is_timed);
        let turn = budget.map(|budget| Turn::new(self.clock_started, budget.hard));
        if self.standing.is_none() && self.mate.line().is_none() {
            return None;
        }
        let promised = Some((turn, self.looked_at));
        if self.promised == promised {
            return None;
        }
        self.promised = promised;
        let mut lines = Vec::new();
        self.write_answer(now, &mut lines);
        Some(Promise { turn, lines })
    }

    /// The answer when the network has failed before the first visit: any legal move.
    pub(crate) fn answer_blindly(self, out: &mut Vec<String>) {
        let best = match self.plan {
            Plan::Known(best) => best,
            Plan::Search(_) | Plan::Book(_) => BestMove::Move(self.any_move()),
        };
        out.push(bestmove_line(best, None));
    }

    /// A legal move. There is one, or the plan would be to resign.
    fn any_move(&self) -> Move {
        self.game.position().legal_moves()[0]
    }

    /// Whether there is something to answer with: a visit, a proof or a rule.
    pub(crate) fn has_answer(&self) -> bool {
        match &self.plan {
            Plan::Known(_) | Plan::Book(_) => true,
            Plan::Search(search) => search.is_finished() || search.visit_count() > 0,
        }
    }

    /// Threads are woken so late: see [`reserve`].
    pub(crate) fn allow_for(&mut self, lateness: Duration) {
        self.lateness = lateness;
    }

    /// Visits made for this `go`.
    fn visits(&self) -> u32 {
        match &self.plan {
            Plan::Known(_) | Plan::Book(_) => 0,
            Plan::Search(search) => search.visit_count() - search.inherited_visits(),
        }
    }
}

/// The game before the guess, if a search that ponders is to think about all moves there.
fn before_guess(game: &Game, settings: &Settings, limits: &GoLimits) -> Option<Game> {
    if !settings.ponder_all || !limits.ponder {
        return None;
    }
    let mut before = game.clone();
    before.undo()?;
    Some(before)
}

/// The answer that needs no search: by the rules, or from the book.
fn known(
    game: &Game,
    settings: &Settings,
    limits: &GoLimits,
    (book, seed): (&Book, u64),
) -> Option<Plan> {
    if !game.position().has_legal_move() {
        return Some(Plan::Known(BestMove::Resign));
    }
    if game.declaration() == Declaration::Win {
        return Some(Plan::Known(BestMove::Win));
    }
    let n_moves = u32::try_from(game.moves().len()).unwrap_or(u32::MAX);
    if limits.infinite || !settings.own_book || settings.book_moves <= n_moves {
        return None;
    }
    draw::draw_from_book(&book.moves(game.position()), seed).map(Plan::Book)
}

fn begin(game: &Game, settings: &Settings, spare: Option<Box<Search>>) -> Plan {
    let options = settings.search(game.position().side_to_move(), 1);
    let seed = mix_seed(0, u64::from(game.position().ply()));
    Plan::Search(match spare {
        Some(mut search) => {
            if settings.reuse_tree {
                search.advance_to(game, &options, seed);
            } else {
                search.restart(game, &options, seed);
            }
            search
        }
        None => Box::new(Search::new(game, &options, seed)),
    })
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
