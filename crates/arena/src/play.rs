//! The match itself: many games in lockstep, one batch per network and round.

use rules::{Color, Declaration, EndReason, Game, Outcome};
use search::{EvalRequest, EvaluatorError, OptionError, Search, Step, mix_seed};
use usi::{BestMove, GameResult};

use crate::baseline::Baseline;
use crate::external::{Answer, EngineError, External};
use crate::finished::{FinishedGame, GameEnd};
use crate::opening::Opening;
use crate::options::MatchOptions;
use crate::player::{Mind, NetMind, Player, Seat};
use crate::report::{GameScore, MatchReport};

/// News from a match; the only way out besides the report.
#[derive(Debug, Clone)]
pub enum ArenaEvent {
    /// A game has begun.
    GameStarted {
        /// Number of the game in the match, from 0.
        game: u32,
        /// Who plays Black.
        black: Seat,
    },
    /// A game has ended.
    GameFinished(Box<FinishedGame>),
}

/// Why a match cannot go on. Failures of an engine during a game are no such reason, the game is
/// lost by them.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An option is out of range.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Every opening of the list is over already.
    #[error("no opening of the list can be played on: all of them end the game")]
    NoOpening,
    /// A network did not answer.
    #[error("{player} cannot evaluate positions")]
    Evaluator {
        /// Name of the player.
        player: String,
        /// What its evaluator says.
        #[source]
        source: EvaluatorError,
    },
    /// An engine does not start.
    #[error("{player} does not start")]
    Engine {
        /// Name of the player.
        player: String,
        /// What the driver says.
        #[source]
        source: EngineError,
    },
}

/// Whether a match goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Games are left.
    Running,
    /// All games are finished.
    Finished,
}

/// A match between two players, advanced step by step so that the caller can stop, report or do
/// other things between two rounds.
pub struct Match<'a> {
    options: MatchOptions,
    players: [Player<'a>; 2],
    pair_seeds: Vec<u64>,
    openings: Vec<Opening>,
    /// Games in play, by number.
    live: Vec<LiveGame>,
    next_game: u32,
    /// By number of the game.
    results: Vec<Option<GameScore>>,
    /// Which pairs are played here: those whose number leaves `share` when divided by `n_shares`.
    share: u32,
    n_shares: u32,
}

/// A game in play.
struct LiveGame {
    number: u32,
    seed: u64,
    black: Seat,
    opening_plies: u32,
    game: Game,
    /// The tree of the move being looked for, where a network is to move.
    search: Option<Search>,
}

/// What became of a game in one step.
enum Stepped {
    /// It waits for the network of the player to move.
    Waiting,
    /// A move was played.
    Moved,
    /// It is over.
    Over(GameEnd),
}

impl<'a> Match<'a> {
    /// A match of `a` against `b`; no game has begun.
    ///
    /// # Errors
    ///
    /// [`MatchError::Options`] or [`MatchError::NoOpening`].
    pub fn new(
        options: &MatchOptions,
        a: Player<'a>,
        b: Player<'a>,
    ) -> Result<Match<'a>, MatchError> {
        options.check()?;
        for player in [&a, &b] {
            if let Mind::Net(net) = &player.mind {
                net.options
                    .check()
                    .map_err(|error| error.within("search"))?;
            }
        }
        let n_pairs = options.games / 2;
        let pair_seeds: Vec<u64> = (0..n_pairs)
            .map(|pair| mix_seed(options.seed, u64::from(pair)))
            .collect();
        let openings = options
            .openings
            .draw(options.rules(), &pair_seeds)
            .ok_or(MatchError::NoOpening)?;
        let mut options = options.clone();
        if a.plays_alone() || b.plays_alone() {
            options.parallel_games = 1;
        }
        Ok(Match {
            results: vec![None; options.games as usize],
            options,
            players: [a, b],
            pair_seeds,
            openings,
            live: Vec::new(),
            next_game: 0,
            share: 0,
            n_shares: 1,
        })
    }

    /// Leaves every `n_shares`-th pair to this match, beginning with pair `share`: several threads
    /// play one match, each with players of its own. The games are those of the whole match;
    /// [`Match::joint_report`] puts them together.
    ///
    /// # Panics
    ///
    /// Unless `share` is below `n_shares`.
    #[must_use]
    pub fn only_share(self, share: u32, n_shares: u32) -> Match<'a> {
        assert!(share < n_shares, "share {share} of {n_shares}");
        Match {
            share,
            n_shares,
            ..self
        }
    }

    /// One round: every game in play goes on until it waits for a network, is over, or a USI
    /// engine has moved; then each network evaluates what waits for it, in one batch.
    ///
    /// # Errors
    ///
    /// [`MatchError::Evaluator`] and [`MatchError::Engine`]; the match is not to be advanced any
    /// further then.
    pub fn advance(
        &mut self,
        on_event: &mut dyn FnMut(ArenaEvent),
    ) -> Result<Progress, MatchError> {
        self.start_games(on_event)?;
        let mut still_live = Vec::with_capacity(self.live.len());
        for mut live in std::mem::take(&mut self.live) {
            match live.run(&mut self.players) {
                None => still_live.push(live),
                Some(end) => self.finish(live, end, on_event),
            }
        }
        self.live = still_live;
        for seat in Seat::ALL {
            self.evaluate(seat)?;
        }
        let finished = self.live.is_empty() && self.next_game == self.options.games;
        Ok(if finished {
            Progress::Finished
        } else {
            Progress::Running
        })
    }

    /// The result so far.
    pub fn report(&self) -> MatchReport {
        Match::joint_report(std::slice::from_ref(self))
    }

    /// The result so far of one match whose shares are played apart; see [`Match::only_share`].
    ///
    /// # Panics
    ///
    /// If there are no shares.
    pub fn joint_report(shares: &[Match<'_>]) -> MatchReport {
        let first = shares.first().expect("a match has at least one share");
        let [a, b] = &first.players;
        let result = |game: usize| shares.iter().find_map(|share| share.results[game]);
        let results: Vec<_> = (0..first.results.len()).map(result).collect();
        MatchReport::new(a.name(), b.name(), &results)
    }

    fn start_games(&mut self, on_event: &mut dyn FnMut(ArenaEvent)) -> Result<(), MatchError> {
        while self.next_game < self.options.games
            && self.live.len() < self.options.parallel_games as usize
        {
            let number = self.next_game;
            self.next_game += 1;
            if number / 2 % self.n_shares != self.share {
                continue;
            }
            for player in &mut self.players {
                if let Mind::Usi(engine) = &mut player.mind {
                    engine.begin_game().map_err(|source| MatchError::Engine {
                        player: player.name.clone(),
                        source,
                    })?;
                }
            }
            let live = self.new_game(number);
            on_event(ArenaEvent::GameStarted {
                game: number,
                black: live.black,
            });
            self.live.push(live);
        }
        Ok(())
    }

    fn new_game(&self, number: u32) -> LiveGame {
        let pair = (number / 2) as usize;
        let game = self.openings[pair]
            .game(self.options.rules())
            .expect("drawn openings are not over");
        LiveGame {
            number,
            // Stream 0 and up belong to the draws of the opening.
            seed: mix_seed(!self.pair_seeds[pair], u64::from(number % 2)),
            black: Seat::ALL[(number % 2) as usize],
            opening_plies: game.moves().len() as u32,
            game,
            search: None,
        }
    }

    fn finish(&mut self, live: LiveGame, end: GameEnd, on_event: &mut dyn FnMut(ArenaEvent)) {
        for seat in Seat::ALL {
            if let Mind::Usi(engine) = &mut self.players[seat.index()].mind {
                let color = if live.black == seat {
                    Color::Black
                } else {
                    Color::White
                };
                engine.end_game(match end.winner() {
                    None => GameResult::Draw,
                    Some(winner) if winner == color => GameResult::Win,
                    Some(_) => GameResult::Lose,
                });
            }
        }
        let finished = FinishedGame {
            game: live.number,
            seed: live.seed,
            pair_seed: self.pair_seeds[(live.number / 2) as usize],
            black: live.black,
            start: live.game.start().clone(),
            moves: live.game.moves().to_vec(),
            opening_plies: live.opening_plies,
            end,
        };
        self.results[finished.game as usize] = Some(finished.score());
        on_event(ArenaEvent::GameFinished(Box::new(finished)));
    }

    /// Evaluates the leaves that wait for the network of `seat`.
    fn evaluate(&mut self, seat: Seat) -> Result<(), MatchError> {
        let Player {
            name,
            mind: Mind::Net(net),
        } = &mut self.players[seat.index()]
        else {
            return Ok(());
        };
        let waiting = |live: &&mut LiveGame| live.search.is_some() && live.to_move() == seat;
        let mut searches: Vec<&mut Search> = self
            .live
            .iter_mut()
            .filter(waiting)
            .filter_map(|live| live.search.as_mut())
            .collect();
        if searches.is_empty() {
            return Ok(());
        }
        evaluate_leaves(net, &mut searches).map_err(|source| MatchError::Evaluator {
            player: name.clone(),
            source,
        })
    }
}

/// Answers the leaves that all of `searches` wait with, in one batch.
fn evaluate_leaves(
    net: &mut NetMind<'_>,
    searches: &mut [&mut Search],
) -> Result<(), EvaluatorError> {
    let requests: Vec<EvalRequest<'_>> = searches.iter().map(|search| search.request()).collect();
    net.evaluator.evaluate(&requests, &mut net.answers)?;
    let (found, expected) = (net.answers.len(), searches.len());
    if found != expected {
        return Err(EvaluatorError::AnswerCount { found, expected });
    }
    for (index, search) in searches.iter_mut().enumerate() {
        let (logits, wdl) = net.answers.get(index);
        search.apply(logits, wdl)?;
    }
    Ok(())
}

impl LiveGame {
    /// Whose turn it is.
    fn to_move(&self) -> Seat {
        if self.game.position().side_to_move() == Color::Black {
            self.black
        } else {
            self.black.other()
        }
    }

    /// Plays on until the game waits for a network, is over, or an engine has moved.
    fn run(&mut self, players: &mut [Player<'_>; 2]) -> Option<GameEnd> {
        loop {
            let player = &mut players[self.to_move().index()];
            match self.step(player) {
                Stepped::Waiting => return None,
                Stepped::Over(end) => return Some(end),
                // An engine may take its time: let the caller look around.
                Stepped::Moved if player.plays_alone() => return None,
                Stepped::Moved => {}
            }
        }
    }

    fn step(&mut self, player: &mut Player<'_>) -> Stepped {
        if let Some(outcome) = self.game.outcome() {
            return Stepped::Over(GameEnd::Rules(outcome));
        }
        match &mut player.mind {
            Mind::Baseline(baseline) => self.step_baseline(*baseline),
            Mind::Net(net) => self.step_net(net),
            Mind::Usi(engine) => self.step_usi(engine),
        }
    }

    fn step_baseline(&mut self, baseline: Baseline) -> Stepped {
        if baseline.declares() && self.may_declare() {
            return Stepped::Over(GameEnd::Rules(self.game.declare()));
        }
        let tried = self.game.try_move().filter(|_| baseline.declares());
        let mv = tried
            .or_else(|| baseline.choose(self.game.position(), self.move_seed()))
            .expect("a game that is not over has a legal move");
        self.game.play_unchecked(mv);
        Stepped::Moved
    }

    fn step_net(&mut self, net: &NetMind<'_>) -> Stepped {
        if self.search.is_none() {
            if self.may_declare() {
                return Stepped::Over(GameEnd::Rules(self.game.declare()));
            }
            self.search = Some(Search::new(&self.game, &net.options, self.move_seed()));
        }
        let search = self.search.as_mut().expect("just begun");
        match search.next_leaf() {
            Step::Leaf => Stepped::Waiting,
            Step::Finished => {
                let mv = search.best_move();
                self.search = None;
                self.game.play_unchecked(mv);
                Stepped::Moved
            }
        }
    }

    fn step_usi(&mut self, engine: &mut External) -> Stepped {
        let side = self.game.position().side_to_move();
        Stepped::Over(match engine.think(&self.game) {
            Answer::Best(BestMove::Move(mv)) => {
                self.game.play_unchecked(mv);
                return Stepped::Moved;
            }
            Answer::Best(BestMove::Resign) => {
                GameEnd::Rules(Outcome::win(side.flipped(), EndReason::Resignation))
            }
            Answer::Best(BestMove::Win) => GameEnd::Rules(self.game.declare()),
            Answer::Fault(fault, message) => GameEnd::EngineFault {
                loser: side,
                fault,
                message,
            },
        })
    }

    /// Whether declaring wins; a draw is not declared, the player plays on for more.
    fn may_declare(&self) -> bool {
        self.game.declaration() == Declaration::Win
    }

    /// Seed of the choice at this ply.
    fn move_seed(&self) -> u64 {
        mix_seed(self.seed, self.game.moves().len() as u64)
    }
}

/// Plays a whole match.
///
/// # Errors
///
/// As [`Match::new`] and [`Match::advance`].
pub fn play_match(
    options: &MatchOptions,
    a: Player<'_>,
    b: Player<'_>,
    on_event: &mut dyn FnMut(ArenaEvent),
) -> Result<MatchReport, MatchError> {
    let mut arena_match = Match::new(options, a, b)?;
    while arena_match.advance(on_event)? == Progress::Running {}
    Ok(arena_match.report())
}

#[cfg(test)]
mod tests;
