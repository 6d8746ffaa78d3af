//! [`Standby`]: an answer for the worst case, ready before the search has even begun.
//!
//! The thread that reads lines follows the conversation with it. On a machine that does not let the
//! loop that thinks get to a `go` in time, a move by rule of thumb is better than a game lost on time.

use std::time::Instant;

use super::ledger::Turn;
use crate::command::{Command, Go};
use crate::given::GivenGame;
use crate::info::{BestMove, Effort, Line, Score, bestmove_line, info_line, info_string};
use crate::limits::GoLimits;
use crate::options::Settings;
use crate::thumb::move_by_thumb;
use crate::time::Budget;

#[cfg(test)]
mod tests;

/// What the lines so far come to.
pub(crate) struct Standby {
    settings: Settings,
    given: GivenGame,
    /// A `position` that nobody has needed yet: games are long, and the next line should not wait.
    unread: Option<String>,
    /// `go`s that a `bestmove` answers.
    n_gos: u64,
    /// The last of them, if it waits for `ponderhit`.
    pondered: Option<GoLimits>,
}

/// What a line asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Call {
    /// An answer.
    Go {
        /// Number of the `go`, counted from 1.
        n_go: u64,
        /// Its turn, and analysis and `bestmove` for the end of it; `None` without a clock.
        answer: Option<(Turn, Vec<String>)>,
    },
    /// An answer at once.
    Stop {
        /// Number of the last `go`; 0 if there was none.
        n_go: u64,
        /// When the line came.
        at: Instant,
    },
}

impl Standby {
    /// Before the first line.
    pub(crate) fn new(settings: Settings) -> Standby {
        Standby {
            settings,
            given: GivenGame::startpos(),
            unread: None,
            n_gos: 0,
            pondered: None,
        }
    }

    /// Follows the line that came at `at`; `None` if it asks for nothing.
    pub(crate) fn hear(&mut self, line: &str, at: Instant) -> Option<Call> {
        let limits = match Command::parse(line)? {
            Command::SetOption { name, value } => {
                // The engine says why one is refused.
                let _ = self.settings.set(&name, &value);
                return None;
            }
            Command::Position(text) => {
                self.read_position();
                self.unread = Some(text);
                return None;
            }
            Command::Go(Go::Search(limits)) => {
                self.n_gos += 1;
                self.pondered = limits.ponder.then(|| limits.clone());
                limits
            }
            Command::PonderHit(clocks) => {
                let pondered = self.pondered.take()?;
                if clocks.has_clock() || clocks.movetime.is_some() {
                    clocks
                } else {
                    pondered
                }
            }
            Command::Stop | Command::GameOver => {
                self.pondered = None;
                let n_go = self.n_gos;
                return Some(Call::Stop { n_go, at });
            }
            Command::Usi
            | Command::IsReady
            | Command::NewGame
            | Command::Go(Go::Mate(_))
            | Command::Quit => return None,
        };
        let is_timed = self.pondered.is_none() && !limits.infinite;
        Some(Call::Go {
            n_go: self.n_gos,
            answer: is_timed.then(|| self.answer(&limits, at)).flatten(),
        })
    }

    fn read_position(&mut self) {
        // As for the engine, one that cannot be read leaves the one before.
        if let Some(text) = self.unread.take()
            && let Ok(given) = GivenGame::parse(&text)
        {
            self.given = given;
        }
    }

    /// The turn ends at the last moment that the clock allows.
    fn answer(&mut self, limits: &GoLimits, at: Instant) -> Option<(Turn, Vec<String>)> {
        self.read_position();
        let game = self.given.game(self.settings.rules());
        let position = game.position();
        let (side, ply) = (position.side_to_move(), position.ply());
        let budget = Budget::new(limits, side, ply, self.settings.network_delay())?;
        let best = move_by_thumb(&game);
        let line = match best {
            BestMove::Move(mv) => Line {
                score: Score::Cp(0),
                pv: vec![mv],
            },
            BestMove::Win => Line::bare(Score::Won),
            BestMove::Resign => Line::bare(Score::Lost),
        };
        let effort = Effort {
            time: budget.most,
            nodes: 0,
            seldepth: 0,
            hashfull: 0,
        };
        let lines = vec![
            info_string("no time to search on this machine: a move by rule of thumb"),
            info_line(&effort, &line, 1, false),
            bestmove_line(best, None),
        ];
        Some((Turn::new(at, budget.most), lines))
    }
}
