//! The engine's side of USI as a state machine: lines in, lines out.
//!
//! [`UsiEngine`] neither reads nor writes nor loads: [`crate::run`] does.

use std::time::Instant;

use search::{EvalAnswers, EvalCache, Evaluator, Search};

use crate::command::{Command, Go};
use crate::given::GivenGame;
use crate::info::info_string;
use crate::limits::GoLimits;
use crate::options::{NetworkSettings, Settings};
use crate::thinking::Thinking;

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
    /// Load this network, call [`UsiEngine::network_loaded`], and only then handle the next line.
    Load(NetworkSettings),
    /// Leave at once, printing nothing more.
    Quit,
}

/// A USI engine between two lines. Every `go` gets exactly one `bestmove`.
pub struct UsiEngine {
    options: EngineOptions,
    settings: Settings,
    given: GivenGame,
    network: Option<(NetworkSettings, EvalCache<Box<dyn Evaluator>>)>,
    /// What waits for the network.
    waiting: Option<Waiting>,
    thinking: Option<Thinking>,
    /// The last search, for its memory and what it knows about the game.
    spare: Option<Box<Search>>,
    answers: EvalAnswers,
    clock: Clock,
}

enum Waiting {
    ReadyOk(NetworkSettings),
    Go(NetworkSettings, GoLimits, Instant),
}

impl UsiEngine {
    /// An engine that has read nothing yet and has no network.
    pub fn new(options: EngineOptions, clock: Clock) -> UsiEngine {
        UsiEngine {
            settings: options.settings.clone(),
            options,
            given: GivenGame::startpos(),
            network: None,
            waiting: None,
            thinking: None,
            spare: None,
            answers: EvalAnswers::default(),
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
            Command::NewGame => {}
            Command::Position(text) => match GivenGame::parse(&text) {
                Ok(given) => self.given = given,
                Err(error) => out.push(info_string(format_args!(
                    "position ignored, the previous one stays: {error}"
                ))),
            },
            Command::Go(Go::Mate) => {
                self.finish(out);
                out.push("checkmate notimplemented".to_owned());
            }
            Command::Go(Go::Search(limits)) => return self.go(limits, at, out),
            Command::Stop | Command::GameOver => self.finish(out),
            Command::PonderHit(clocks) => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.ponderhit(clocks, at);
                    self.finish_if_done(out);
                }
            }
            Command::Quit => return Next::Quit,
        }
        Next::GoOn
    }

    /// Whether [`UsiEngine::think`] has something to do. An engine that only waits for `stop` or
    /// `ponderhit` does not think.
    pub fn is_thinking(&self) -> bool {
        self.thinking.as_ref().is_some_and(Thinking::can_go_on)
    }

    /// One visit: the time of one evaluation. Adds `info` lines and, at the end, the `bestmove`.
    pub fn think(&mut self, out: &mut Vec<String>) {
        let Some(thinking) = &mut self.thinking else {
            return;
        };
        let Some((_, evaluator)) = &mut self.network else {
            return;
        };
        if let Err(error) = thinking.visit(evaluator, &mut self.answers, &self.clock) {
            self.give_up(&error, out);
            return;
        }
        if !self.finish_if_done(out)
            && let Some(thinking) = &mut self.thinking
        {
            thinking.report((self.clock)(), out);
        }
    }

    /// Takes the network that [`Next::Load`] asked for, and does what waited for it.
    pub fn network_loaded(&mut self, evaluator: Box<dyn Evaluator>, out: &mut Vec<String>) {
        // Another network's tree is of no use.
        self.spare = None;
        let evaluator = EvalCache::new(evaluator, self.settings.cache_mib());
        match self.waiting.take() {
            Some(Waiting::ReadyOk(settings)) => {
                self.network = Some((settings, evaluator));
                out.push("readyok".to_owned());
            }
            Some(Waiting::Go(settings, limits, at)) => {
                self.network = Some((settings, evaluator));
                self.start(limits, at, out);
            }
            None => {}
        }
    }

    fn introduce(&self, out: &mut Vec<String>) {
        out.push(format!("id name {}", self.options.name));
        out.push(format!("id author {}", self.options.author));
        out.extend(self.options.settings.lines());
        out.push("usiok".to_owned());
    }

    fn get_ready(&mut self, out: &mut Vec<String>) -> Next {
        // A search keeps the network that it began with; a new one is loaded at the next `go`.
        if self.thinking.is_some() || self.has_network() {
            if let (None, Some((_, cache))) = (&self.thinking, &mut self.network) {
                cache.resize(self.settings.cache_mib());
            }
            out.push("readyok".to_owned());
            return Next::GoOn;
        }
        let wanted = self.settings.network();
        self.waiting = Some(Waiting::ReadyOk(wanted.clone()));
        Next::Load(wanted)
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
            .is_some_and(|(loaded, _)| *loaded == self.settings.network())
    }

    fn start(&mut self, limits: GoLimits, at: Instant, out: &mut Vec<String>) {
        if !limits.is_limited() && !limits.infinite && !limits.ponder {
            out.push(info_string("go without a limit: thinking until stop"));
        }
        let game = self.given.game(self.settings.rules());
        let settings = self.settings.clone();
        let spare = self.spare.take();
        self.thinking = Some(Thinking::new(game, settings, (limits, at), spare));
        self.finish_if_done(out);
    }

    /// Answers if the search is over by itself, and says whether it was.
    fn finish_if_done(&mut self, out: &mut Vec<String>) -> bool {
        let now = (self.clock)();
        let done = self
            .thinking
            .as_ref()
            .is_some_and(|thinking| thinking.is_done(now));
        if done {
            self.finish(out);
        }
        done
    }

    /// Ends the search, if there is one, with its `bestmove`.
    fn finish(&mut self, out: &mut Vec<String>) {
        let Some(thinking) = &mut self.thinking else {
            return;
        };
        if !thinking.has_answer()
            && let Some((_, evaluator)) = &mut self.network
            && let Err(error) = thinking.visit(evaluator, &mut self.answers, &self.clock)
        {
            self.give_up(&error, out);
            return;
        }
        if let Some(thinking) = self.thinking.take() {
            self.spare = thinking.answer((self.clock)(), out);
        }
    }

    /// The network failed: answer with what there is, and load it anew before the next search.
    fn give_up(&mut self, error: &dyn std::error::Error, out: &mut Vec<String>) {
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
                self.spare = thinking.answer((self.clock)(), out);
            } else {
                thinking.answer_blindly(out);
            }
        }
    }
}
