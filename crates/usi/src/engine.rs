//! The engine's side of USI as a state machine: lines in, lines out.
//!
//! [`UsiEngine`] neither reads nor writes nor loads: [`crate::run`] does.

use std::time::{Duration, Instant};

use rules::mate::Solver;
use search::{Evaluator, Search, mix_seed};

use crate::book::Book;
use crate::command::{Command, Go};
use crate::crew::Crew;
use crate::gaps::Gaps;
use crate::given::GivenGame;
use crate::info::info_string;
use crate::limits::GoLimits;
use crate::mate::{MateHunt, new_solver};
use crate::options::{NetworkSettings, Settings};
use crate::run::Promise;
use crate::thinking::{Assignment, Memory, Thinking};
use crate::time::without_delay;

#[cfg(test)]
mod tests;

/// Who the engine is and what its options are at the start.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// For `id name`, ASCII.
    pub name: String,
    /// For `id author`, ASCII.
    pub author: String,
    /// The options' values before any `setoption`; `usi` announces them as defaults.
    pub settings: Settings,
}

/// Where the engine reads the time; a fake one in tests.
pub type Clock = Box<dyn Fn() -> Instant>;

/// What the caller must do after a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Think if [`UsiEngine::is_thinking`], then handle the next line.
    GoOn,
    /// Load this, call [`UsiEngine::network_loaded`], and only then handle the next line.
    Load(NetworkSettings),
    /// Leave at once, printing nothing more.
    Quit,
}

/// What was loaded for a search.
pub struct Loaded {
    /// Evaluators of one network, at least one; more than one work at the same time. They must answer
    /// alike.
    pub evaluators: Vec<Box<dyn Evaluator>>,
    /// The opening book, empty for none.
    pub book: Book,
    /// What the user should know, for `info string`.
    pub notes: Vec<String>,
}

impl From<Box<dyn Evaluator>> for Loaded {
    /// One evaluator, no book.
    fn from(evaluator: Box<dyn Evaluator>) -> Loaded {
        Loaded {
            evaluators: vec![evaluator],
            book: Book::default(),
            notes: Vec::new(),
        }
    }
}

/// A USI engine between two lines. Every `go` gets exactly one `bestmove`, every `go mate` one
/// `checkmate`.
pub struct UsiEngine {
    options: EngineOptions,
    settings: Settings,
    given: GivenGame,
    network: Option<Network>,
    /// Whether a new game has begun since the last search.
    forget_tree: bool,
    /// What waits for the network.
    waiting: Option<Waiting>,
    thinking: Option<Thinking>,
    /// A `go mate` under way; there is never one beside a search.
    hunt: Option<MateHunt>,
    /// What solves mates, when nothing does; it takes its memory when it is first needed.
    solver: Option<Box<Solver>>,
    /// The last search, for its memory and what it knows about the game.
    spare: Option<Box<Search>>,
    gaps: Gaps,
    clock: Clock,
    /// When the engine was made. How long ago that was when a `go` comes decides what is drawn by lot.
    born: Instant,
}

/// What is loaded, and for which settings.
struct Network {
    settings: NetworkSettings,
    crew: Crew,
    book: Book,
}

enum Waiting {
    ReadyOk(NetworkSettings),
    Go(NetworkSettings, GoLimits, Instant),
}

impl UsiEngine {
    /// An engine that has read nothing yet and has no network.
    pub fn new(options: EngineOptions, clock: Clock) -> UsiEngine {
        let born = clock();
        UsiEngine {
            settings: options.settings.clone(),
            options,
            given: GivenGame::startpos(),
            network: None,
            forget_tree: false,
            waiting: None,
            thinking: None,
            hunt: None,
            solver: None,
            spare: None,
            gaps: Gaps::new(born),
            born,
            clock,
        }
    }

    /// Handles one line that came at `at`, adding the answers to `out`.
    pub fn handle(&mut self, line: &str, at: Instant, out: &mut Vec<String>) -> Next {
        let Some(command) = Command::parse(line) else {
            return Next::GoOn;
        };
        match command {
            Command::Usi => self.introduce(out),
            Command::IsReady => return self.get_ready(out),
            Command::SetOption { name, value } => {
                if let Err(error) = self.settings.set(&name, &value) {
                    out.push(info_string(format_args!("setoption ignored: {error}")));
                }
            }
            // The same opponent should meet the same engine, not one that knows the first game's tree.
            Command::NewGame => {
                self.forget_tree = true;
                // Now, and not on the clock. A search under way leaves its tree behind later.
                self.spare = None;
            }
            Command::Position(text) => match GivenGame::parse(&text) {
                Ok(given) => self.given = given,
                Err(error) => out.push(info_string(format_args!(
                    "position ignored, the previous one stays: {error}"
                ))),
            },
            Command::Go(Go::Mate(limit)) => self.go_mate(limit, at, out),
            Command::Go(Go::Search(limits)) => return self.go(limits, at, out),
            Command::Stop | Command::GameOver => self.finish(out),
            Command::PonderHit(clocks) => self.ponderhit(clocks, at, out),
            Command::Quit => return Next::Quit,
        }
        Next::GoOn
    }

    /// Whether [`UsiEngine::think`] has something to do. An engine that only waits for `stop` or
    /// `ponderhit` does not think.
    pub fn is_thinking(&self) -> bool {
        self.thinking.as_ref().is_some_and(Thinking::can_go_on)
            || self.hunt.as_ref().is_some_and(MateHunt::can_go_on)
    }

    /// Thinks on for the time of one evaluation. Adds `info` lines and, at the end, the `bestmove`.
    pub fn think(&mut self, out: &mut Vec<String>) {
        if let Some(hunt) = &mut self.hunt {
            hunt.search(&self.clock, out);
            self.finish_if_done(out);
            return;
        }
        let (Some(thinking), Some(network)) = (&mut self.thinking, &mut self.network) else {
            return;
        };
        if let Err(error) = thinking.visit(&mut network.crew, &self.clock) {
            self.give_up(&error, out);
            return;
        }
        if !self.finish_if_done(out)
            && let Some(thinking) = &mut self.thinking
        {
            thinking.report((self.clock)(), out);
        }
    }

    /// Takes what [`Next::Load`] asked for, and does what waited for it.
    ///
    /// # Panics
    ///
    /// If there is no evaluator.
    pub fn network_loaded(&mut self, loaded: impl Into<Loaded>, out: &mut Vec<String>) {
        let Loaded {
            evaluators,
            book,
            notes,
        } = loaded.into();
        // Another network's tree is of no use.
        self.spare = None;
        let (settings, go) = match self.waiting.take() {
            Some(Waiting::ReadyOk(settings)) => (settings, None),
            Some(Waiting::Go(settings, limits, at)) => (settings, Some((limits, at))),
            None => return,
        };
        self.prepare_solver();
        out.extend(notes.iter().map(info_string));
        let batch_size = settings.batch_size as usize;
        self.network = Some(Network {
            crew: Crew::new(evaluators, batch_size, self.settings.cache_mib()),
            settings,
            book,
        });
        match go {
            None => out.push("readyok".to_owned()),
            Some((limits, at)) => self.start(limits, at, out),
        }
    }

    /// Threads that sleep are woken so late on this machine: answers come earlier by as much.
    pub(crate) fn allow_for(&mut self, lateness: Duration) {
        if let Some(thinking) = &mut self.thinking {
            thinking.allow_for(lateness);
        }
    }

    /// The answer that must be out at a certain time or at `stop`, if more is known than at the last call
    /// or the time has changed. For a caller that can answer while this engine does not get to work.
    pub(crate) fn promise(&mut self) -> Option<Promise> {
        let now = (self.clock)();
        self.thinking.as_mut()?.promise(now)
    }

    fn introduce(&self, out: &mut Vec<String>) {
        out.push(format!("id name {}", self.options.name));
        out.push(format!("id author {}", self.options.author));
        out.extend(self.options.settings.lines());
        out.push("usiok".to_owned());
    }

    fn get_ready(&mut self, out: &mut Vec<String>) -> Next {
        // A search keeps the network that it began with; a new one is loaded at the next `go`.
        let is_busy = self.thinking.is_some() || self.hunt.is_some();
        if is_busy || self.has_network() {
            if let (false, Some(network)) = (is_busy, &mut self.network) {
                network.crew.resize(self.settings.cache_mib());
                self.prepare_solver();
            }
            out.push("readyok".to_owned());
            return Next::GoOn;
        }
        let wanted = self.settings.network();
        self.waiting = Some(Waiting::ReadyOk(wanted.clone()));
        Next::Load(wanted)
    }

    /// Takes the solver's memory before a clock runs.
    fn prepare_solver(&mut self) {
        let is_in_use = self.thinking.is_some() || self.hunt.is_some();
        if !is_in_use && 0 < self.settings.root_mate_nodes {
            self.solver.get_or_insert_with(new_solver);
        }
    }

    fn go_mate(&mut self, limit: Option<Duration>, at: Instant, out: &mut Vec<String>) {
        self.finish(out);
        let solver = self.solver.take().unwrap_or_else(new_solver);
        let game = self.given.game(self.settings.rules());
        let limit = limit.map(|limit| without_delay(limit, self.settings.network_delay()));
        self.hunt = Some(MateHunt::new(&game, solver, (at, limit), &self.settings));
        self.finish_if_done(out);
    }

    fn go(&mut self, limits: GoLimits, at: Instant, out: &mut Vec<String>) -> Next {
        self.finish(out);
        if !self.has_network() {
            let wanted = self.settings.network();
            self.waiting = Some(Waiting::Go(wanted.clone(), limits, at));
            return Next::Load(wanted);
        }
        self.start(limits, at, out);
        Next::GoOn
    }

    fn has_network(&self) -> bool {
        self.network
            .as_ref()
            .is_some_and(|network| network.settings == self.settings.network())
    }

    fn start(&mut self, limits: GoLimits, at: Instant, out: &mut Vec<String>) {
        if !limits.is_limited() && !limits.infinite && !limits.ponder {
            out.push(info_string("go without a limit: thinking until stop"));
        }
        if std::mem::take(&mut self.forget_tree) {
            self.spare = None;
        }
        let Some(network) = &self.network else {
            return;
        };
        self.gaps.resume((self.clock)());
        self.thinking = Some(Thinking::new(Assignment {
            game: self.given.game(self.settings.rules()),
            settings: self.settings.clone(),
            limits,
            at,
            spare: self.spare.take(),
            book: &network.book,
            solver: self.solver.take(),
            seed: mix_seed(0, at.saturating_duration_since(self.born).as_nanos() as u64),
            gaps: self.gaps,
        }));
        self.finish_if_done(out);
    }

    fn ponderhit(&mut self, clocks: GoLimits, at: Instant, out: &mut Vec<String>) {
        let Some(thinking) = &mut self.thinking else {
            return;
        };
        if let Some(mut limits) = thinking.limits_after_guess() {
            if clocks.has_clock() || clocks.movetime.is_some() {
                limits = clocks;
            }
            self.drop_work();
            if let Some(thinking) = self.thinking.take() {
                self.keep(thinking.into_memory());
            }
            self.start(limits, at, out);
        } else {
            thinking.ponderhit(clocks, at);
            self.finish_if_done(out);
        }
    }

    fn drop_work(&mut self) {
        if let (Some(thinking), Some(network)) = (&mut self.thinking, &mut self.network) {
            thinking.drop_work(&mut network.crew);
        }
    }

    /// Answers if the search is over by itself, and says whether it was.
    fn finish_if_done(&mut self, out: &mut Vec<String>) -> bool {
        let now = (self.clock)();
        let has_thought = |thinking: &Thinking| thinking.is_done(now);
        let done = self.thinking.as_ref().is_some_and(has_thought)
            || self.hunt.as_ref().is_some_and(|hunt| hunt.is_done(now));
        if done {
            self.finish(out);
        }
        done
    }

    /// Ends the search, if there is one, with its answer.
    fn finish(&mut self, out: &mut Vec<String>) {
        if let Some(hunt) = self.hunt.take() {
            self.solver = Some(hunt.answer((self.clock)(), out));
        }
        while let (Some(thinking), Some(network)) = (&mut self.thinking, &mut self.network)
            && !thinking.has_answer()
        {
            if let Err(error) = thinking.visit(&mut network.crew, &self.clock) {
                self.give_up(&error, out);
                return;
            }
        }
        self.drop_work();
        if let Some(thinking) = self.thinking.take() {
            let memory = thinking.answer((self.clock)(), out);
            self.keep(memory);
        }
    }

    fn keep(&mut self, memory: Memory) {
        let Memory {
            search,
            solver,
            gaps,
        } = memory;
        self.spare = search;
        self.solver = solver.or(self.solver.take());
        self.gaps = gaps;
    }

    /// The network failed: answer with what there is, and load it anew before the next search.
    fn give_up(&mut self, error: &dyn std::error::Error, out: &mut Vec<String>) {
        self.drop_work();
        self.network = None;
        let mut message = format!("evaluation failed: {error}");
        let mut source = error.source();
        while let Some(error) = source {
            message.push_str(&format!(": {error}"));
            source = error.source();
        }
        out.push(info_string(message));
        if let Some(thinking) = self.thinking.take() {
            if thinking.has_answer() {
                let memory = thinking.answer((self.clock)(), out);
                self.keep(memory);
            } else {
                thinking.answer_blindly(out);
            }
        }
    }
}
