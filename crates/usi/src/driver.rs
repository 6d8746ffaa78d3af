//! Playing against another USI engine: a process that may crash, hang, flood or lie.
//!
//! Every wait has an end, and every failure has a name. [`EngineDriver`] checks that an answer is a
//! legal move; whether a `win` is justified, and what a late answer costs, is the caller's business.

mod child;
mod error;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rules::{Game, Move};

use crate::given::position_line;
use crate::info::{BestMove, Score, parse_score};
use crate::limits::GoLimits;
use child::{EngineProcess, Heard};

pub use error::{Awaited, DriverError};

#[cfg(test)]
mod tests;

/// A week: a longer limit is taken as this one.
const LONGEST_LIMIT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Lines that are no USI, printed for one move, at which an engine is given up. Boards and debug
/// output of real engines stay far below.
const MOST_RUBBISH: u32 = 10_000;

/// Lines that are no USI, printed instead of an answer, that make a silent engine a talking one.
const MUCH_RUBBISH: u32 = 100;

/// Time between two looks at whether the caller wants to stop.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// By how much this process may oversleep before what an engine did meanwhile counts for nothing.
const OVERSLEPT: Duration = Duration::from_secs(1);

/// How to start an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder to run it in; `None` for this process's own.
    pub dir: Option<PathBuf>,
}

/// How long an engine may take for what is not thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From start to `usiok`.
    pub start: Duration,
    /// From `isready` to `readyok`: networks are loaded then.
    pub ready: Duration,
    /// From `stop` to the answer that is overdue.
    pub stop: Duration,
    /// From `quit` to the end of the process.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            // ShogiHome's value.
            start: Duration::from_secs(10),
            ready: Duration::from_secs(60),
            stop: Duration::from_secs(2),
            quit: Duration::from_secs(3),
        }
    }
}

/// What an engine answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The answer; a move is legal.
    pub best: BestMove,
    /// The move that it would ponder on, unchecked.
    pub ponder: Option<Move>,
    /// Its score in the last `info` line that had one, from the side to move's view.
    pub score: Option<Score>,
    /// The last `info` line that had a score, as sent; empty if none.
    pub info: String,
    /// From sending `go` to reading `bestmove`.
    pub elapsed: Duration,
}

/// How a game ended, from the engine's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// It won.
    Win,
    /// It lost.
    Lose,
    /// Nobody won.
    Draw,
}

/// A running engine. Dropping it kills the process and everything that it has started.
pub struct EngineDriver {
    process: EngineProcess,
    patience: Patience,
    name: String,
    author: String,
    offered: Vec<String>,
    /// Answers that are still due to `go`s which were given up.
    owed: u32,
    /// The last answer that was read, as sent.
    last_answer: String,
    interrupted: fn() -> bool,
}

/// Whether an engine left when it was asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Farewell {
    /// It ended by itself.
    Left,
    /// It outlived both `quit` and the end of its input, and was killed.
    Killed,
}

impl EngineDriver {
    /// Starts an engine and shakes hands (`usi`, `usiok`).
    ///
    /// # Errors
    ///
    /// When it cannot be started, ends, or is silent for longer than `patience.start`.
    pub fn start(command: &EngineCommand, patience: Patience) -> Result<EngineDriver, DriverError> {
        let process = EngineProcess::spawn(command).map_err(|source| DriverError::Spawn {
            program: command.program.clone(),
            source,
        })?;
        let name = command
            .program
            .file_name()
            .unwrap_or(command.program.as_os_str());
        let mut driver = EngineDriver {
            process,
            patience,
            name: name.to_string_lossy().into_owned(),
            author: String::new(),
            offered: Vec::new(),
            owed: 0,
            last_answer: String::new(),
            interrupted: || false,
        };
        driver.process.send("usi");
        let mut lines = Vec::new();
        driver.wait(Awaited::UsiOk, patience.start, |line| {
            lines.push(line.to_owned())
        })?;
        for line in lines {
            driver.read_introduction(&line);
        }
        Ok(driver)
    }

    /// `id name`, or the program's file name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `id author`, empty if not given.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// Whether the engine has announced this option; case matters.
    pub fn offers(&self, option: &str) -> bool {
        self.offered.iter().any(|offered| offered == option)
    }

    /// Sends `setoption`, offered or not. An empty value is sent as `<empty>`.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let value = if value.is_empty() { "<empty>" } else { value };
        self.process
            .send(&format!("setoption name {name} value {value}"));
    }

    /// Gets the engine ready for a new game, reading away whatever it still says of the last one.
    ///
    /// # Errors
    ///
    /// When it ends, or is not ready within `patience.ready`, or still owes an answer then.
    pub fn new_game(&mut self) -> Result<(), DriverError> {
        self.process.send("isready");
        let mut answers = 0;
        self.wait(Awaited::ReadyOk, self.patience.ready, |line| {
            answers += u32::from(is_answer(line));
        })?;
        self.owed = self.owed.saturating_sub(answers);
        while self.owed > 0 {
            self.wait(Awaited::BestMove, self.patience.ready, |_| {})?;
            self.owed -= 1;
        }
        self.process.send("usinewgame");
        Ok(())
    }

    /// Lets [`EngineDriver::go`] end early, a moment after `interrupted` begins to say so.
    pub fn set_interrupt(&mut self, interrupted: fn() -> bool) {
        self.interrupted = interrupted;
    }

    /// Has the engine find a move in `game`. After `limit` it is told to stop, and the result is
    /// [`DriverError::TimedOut`] even if it then answers: `limit` is the time that it has, with the
    /// caller's margin.
    ///
    /// # Errors
    ///
    /// When the engine ends, is late, answers something that is not a legal move, has answered
    /// twice, or talks nonsense; and when this process itself was held up.
    pub fn go(
        &mut self,
        game: &Game,
        limits: &GoLimits,
        limit: Duration,
    ) -> Result<Reply, DriverError> {
        self.check_silent()?;
        self.process.send(&position_line(game));
        let limit = limit.min(LONGEST_LIMIT);
        let patience = limit.min(OVERSLEPT);
        let sent = self.process.send_timed(&limits.to_string(), patience);
        let mut info = String::new();
        let mut rubbish = Rubbish::default();
        let mut until = sent + limit;
        let mut late = false;
        loop {
            let look = until.min(Instant::now() + LOOK_INTERVAL);
            match self.process.hear(look) {
                Heard::Closed => return Err(self.crashed(Awaited::BestMove)),
                Heard::Nothing => self.check_awake(look)?,
                Heard::Line(_, line) if is_answer(&line) && self.owed > 0 => self.owed -= 1,
                Heard::Line(at, line) if is_answer(&line) => {
                    // What was in time may be heard late.
                    let late_by = at.saturating_duration_since(sent + limit);
                    if !late_by.is_zero() {
                        return Err(self.timed_out(Awaited::BestMove, limit, Some(late_by)));
                    }
                    return self.read_answer(line, game, info, at - sent);
                }
                Heard::Line(_, line) => {
                    if self.owed == 0 && info_score(&line).is_some() {
                        info = line;
                    } else {
                        rubbish.add(line);
                    }
                }
            }
            if (self.interrupted)() {
                self.process.send("stop");
                self.owed += 1;
                return Err(DriverError::Interrupted {
                    engine: self.name.clone(),
                });
            }
            if rubbish.lines >= MOST_RUBBISH {
                self.owed += 1;
                return Err(self.talked_rubbish(rubbish));
            }
            // Asked after each line: a flood of them must not hold the clock up.
            if Instant::now() < until {
                continue;
            }
            if late {
                self.owed += 1;
                return Err(if rubbish.lines >= MUCH_RUBBISH {
                    self.talked_rubbish(rubbish)
                } else {
                    self.timed_out(Awaited::BestMove, limit, None)
                });
            }
            late = true;
            self.process.send("stop");
            until = Instant::now() + self.patience.stop;
        }
    }

    /// Looks at what came since the last answer.
    fn check_silent(&mut self) -> Result<(), DriverError> {
        while let Some(line) = self.process.heard_already() {
            if !is_answer(&line) {
                continue;
            }
            if self.owed == 0 {
                return Err(self.unasked(line));
            }
            self.owed -= 1;
        }
        Ok(())
    }

    /// Whether waiting until `deadline` ended about then.
    fn check_awake(&self, deadline: Instant) -> Result<(), DriverError> {
        let by = Instant::now().saturating_duration_since(deadline);
        if by < OVERSLEPT {
            return Ok(());
        }
        Err(DriverError::Overslept {
            engine: self.name.clone(),
            by,
        })
    }

    /// Tells the engine how the game ended.
    pub fn game_over(&mut self, result: GameResult) {
        self.process.send(match result {
            GameResult::Win => "gameover win",
            GameResult::Lose => "gameover lose",
            GameResult::Draw => "gameover draw",
        });
    }

    /// The last lines that the engine wrote to stderr.
    pub fn stderr_tail(&self) -> String {
        self.process.stderr_tail()
    }

    /// Asks the engine to leave and ends its input; kills it after `patience.quit`.
    pub fn quit(mut self) -> Farewell {
        self.process.send("quit");
        self.process.close_input();
        self.process.leave(self.patience.quit)
    }

    /// Reads lines until `awaited` comes, showing the others to `other`.
    fn wait(
        &mut self,
        awaited: Awaited,
        limit: Duration,
        mut other: impl FnMut(&str),
    ) -> Result<(), DriverError> {
        let until = Instant::now() + limit;
        loop {
            match self.process.hear(until) {
                Heard::Closed => return Err(self.crashed(awaited)),
                Heard::Nothing => return Err(self.timed_out(awaited, limit, None)),
                Heard::Line(_, line) if awaited.is_in(&line) => return Ok(()),
                Heard::Line(_, line) => other(&line),
            }
            if Instant::now() >= until {
                return Err(self.timed_out(awaited, limit, None));
            }
        }
    }

    fn read_introduction(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["id", "name", ref name @ ..] if !name.is_empty() => self.name = name.join(" "),
            ["id", "author", ref author @ ..] => self.author = author.join(" "),
            ["option", "name", ref rest @ ..] => {
                let name = rest
                    .split(|&word| word == "type")
                    .next()
                    .unwrap_or_default();
                self.offered.push(name.join(" "));
            }
            _ => {}
        }
    }

    fn read_answer(
        &mut self,
        line: String,
        game: &Game,
        info: String,
        elapsed: Duration,
    ) -> Result<Reply, DriverError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let best = match words.get(1).copied() {
            Some("resign") => Some(BestMove::Resign),
            Some("win") => Some(BestMove::Win),
            Some(text) => text.parse().ok().map(BestMove::Move),
            None => None,
        };
        let broken = match best {
            Some(BestMove::Move(mv)) => game.position().why_illegal(mv),
            _ => None,
        };
        let Some(best) = best.filter(|_| broken.is_none()) else {
            // The same words once more, illegal by now, are a second answer that came a moment
            // after `go`.
            if line == self.last_answer {
                return Err(self.unasked(line));
            }
            return Err(DriverError::IllegalAnswer {
                engine: self.name.clone(),
                answer: line,
                reason: broken,
                sfen: game.position().to_string(),
            });
        };
        let ponder = match words[..] {
            [_, _, "ponder", text, ..] => text.parse().ok(),
            _ => None,
        };
        self.last_answer = line;
        Ok(Reply {
            best,
            ponder,
            score: info_score(&info),
            info,
            elapsed,
        })
    }

    fn crashed(&mut self, awaited: Awaited) -> DriverError {
        let (status, stderr) = self.process.post_mortem();
        DriverError::Crashed {
            engine: self.name.clone(),
            awaited,
            status,
            stderr,
        }
    }

    fn unasked(&self, answer: String) -> DriverError {
        DriverError::Unasked {
            engine: self.name.clone(),
            answer,
        }
    }

    fn talked_rubbish(&self, rubbish: Rubbish) -> DriverError {
        DriverError::Rubbish {
            engine: self.name.clone(),
            lines: rubbish.lines,
            sample: rubbish.last.chars().take(80).collect(),
        }
    }

    fn timed_out(
        &self,
        awaited: Awaited,
        after: Duration,
        late_by: Option<Duration>,
    ) -> DriverError {
        DriverError::TimedOut {
            engine: self.name.clone(),
            awaited,
            after,
            late_by,
        }
    }
}

/// Lines that are not USI.
#[derive(Debug, Default)]
struct Rubbish {
    lines: u32,
    last: String,
}

impl Rubbish {
    /// Counts `line` unless it is USI or empty.
    fn add(&mut self, line: String) {
        let first = line.split_whitespace().next();
        let known = [
            "info",
            "bestmove",
            "checkmate",
            "option",
            "id",
            "usiok",
            "readyok",
        ];
        if first.is_some_and(|word| !known.contains(&word)) {
            self.lines += 1;
            self.last = line;
        }
    }
}

fn is_answer(line: &str) -> bool {
    Awaited::BestMove.is_in(line)
}

/// The score of an `info` line; what stands behind `pv` or `string` is not looked at.
fn info_score(line: &str) -> Option<Score> {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    while let Some(word) = words.next() {
        match word {
            "pv" | "string" => return None,
            "score" => return parse_score(words.next()?, words.next()?),
            _ => {}
        }
    }
    None
}
