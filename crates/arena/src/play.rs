//! The match itself: many games in lockstep, one batch per network and round.

use rules::{EndReason, Outcome};
use search::{EvalRequest, EvaluatorError, OptionError, Search, mix_seed};
use usi::GameResult;

use crate::external::{Begun, EngineError, EngineFault};
use crate::finished::{FinishedGame, GameEnd};
use crate::live::{LiveGame, Round};
use crate::opening::Opening;
use crate::options::MatchOptions;
use crate::player::{Mind, NetMind, Player, Seat};
use crate::report::{GameScore, MatchReport};

/// How often a game is begun again through the machine's fault before the match is given up.
const MOST_VOIDED: u32 = 3;

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
    /// A game has ended in a repetition and is replayed: it is not the result.
    GameReplayed(Box<FinishedGame>),
    /// A game does not count, through the machine's fault, and begins again.
    GameVoided {
        /// Number of the game.
        game: u32,
        /// What happened.
        message: String,
    },
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
    /// The machine keeps getting in the way: no result would be fair.
    #[error("game {game} could not be played: {message}")]
    Machine {
        /// Number of the game.
        game: u32,
        /// What happened the last time.
        message: String,
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
    n_evaluations: u64,
}

impl<'a> Match<'a> {
    /// A match of `a` against `b`; no game has begun.
    ///
    /// # Errors
    ///
    /// [`MatchError::Options`] or [`MatchError::NoOpening`].
    pub fn new(
        options: &MatchOptions,
        mut a: Player<'a>,
        mut b: Player<'a>,
    ) -> Result<Match<'a>, MatchError> {
        options.check()?;
        for player in [&mut a, &mut b] {
            match &mut player.mind {
                Mind::Net(net) => net
                    .options
                    .check()
                    .map_err(|error| error.within("search"))?,
                Mind::Usi(engine) => engine.rules = options.rules(),
                Mind::Baseline(_) => {}
            }
        }
        let pairs = options.first_pair..options.first_pair + options.games / 2;
        let pair_seeds: Vec<u64> = pairs.map(|pair| pair_seed(options.seed, pair)).collect();
        let openings = options
            .openings
            .draw(options.rules(), options.first_pair as usize, &pair_seeds)
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
            n_evaluations: 0,
        })
    }

    /// Leaves every `n_shares`-th pair to this match, beginning with pair `share`: several threads
    /// play one match, each with players of its own. The games are those of the whole match; a
    /// [`MatchReport`] of all their scores puts them together.
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

    /// Goes on with a match that was broken off: games that are finished already, by number, are
    /// not played again. Numbers that the match does not have are left out.
    #[must_use]
    pub fn with_finished(
        mut self,
        finished: impl IntoIterator<Item = (u32, GameScore)>,
    ) -> Match<'a> {
        for (game, score) in finished {
            if let Some(result) = self.results.get_mut(game as usize) {
                *result = Some(score);
            }
        }
        self
    }

    /// One round: every game in play goes on until it waits for a network, is over, or a USI
    /// engine has moved; then each network evaluates what waits for it, in one batch.
    ///
    /// # Errors
    ///
    /// [`MatchError::Evaluator`], [`MatchError::Engine`] and [`MatchError::Machine`]; the match is
    /// not to be advanced any further then.
    pub fn advance(
        &mut self,
        on_event: &mut dyn FnMut(ArenaEvent),
    ) -> Result<Progress, MatchError> {
        self.start_games(on_event)?;
        let mut still_live = Vec::with_capacity(self.live.len());
        for mut live in std::mem::take(&mut self.live) {
            match live.run(&mut self.players, &self.options.adjudication) {
                Round::Live => still_live.push(live),
                Round::Over(end) => {
                    if let Some(replay) = self.finish(live, end, on_event) {
                        still_live.extend(self.begin(replay, on_event)?);
                    }
                }
                Round::Void(message) => {
                    let again = self.void(&live, message, on_event)?;
                    still_live.extend(self.begin(again, on_event)?);
                }
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
        let [a, b] = &self.players;
        MatchReport::new(a.name(), b.name(), &self.results)
    }

    /// Positions that networks have evaluated so far: the work that a match mostly is.
    pub fn evaluations(&self) -> u64 {
        self.n_evaluations
    }

    /// Asks the engines of the match to leave; returns what there is to say of those that did not.
    pub fn dismiss(&mut self) -> Vec<String> {
        let mut remarks = Vec::new();
        for player in &mut self.players {
            if let Mind::Usi(engine) = &mut player.mind {
                engine.dismiss();
                remarks.extend(engine.take_remarks());
            }
        }
        remarks
    }

    fn start_games(&mut self, on_event: &mut dyn FnMut(ArenaEvent)) -> Result<(), MatchError> {
        while self.next_game < self.options.games
            && self.live.len() < self.options.parallel_games as usize
        {
            let number = self.next_game;
            self.next_game += 1;
            let is_done = self.results[number as usize].is_some();
            if number / 2 % self.n_shares != self.share || is_done {
                continue;
            }
            let live = self.new_game(number);
            let begun = self.begin(live, on_event)?;
            self.live.extend(begun);
        }
        Ok(())
    }

    /// Begins a game; `None` if it is over at once, because an engine does not get ready.
    fn begin(
        &mut self,
        live: LiveGame,
        on_event: &mut dyn FnMut(ArenaEvent),
    ) -> Result<Option<LiveGame>, MatchError> {
        on_event(ArenaEvent::GameStarted {
            game: live.number,
            black: live.black,
        });
        for seat in Seat::ALL {
            let player = &mut self.players[seat.index()];
            let Mind::Usi(engine) = &mut player.mind else {
                continue;
            };
            let begun = engine.begin_game().map_err(|source| MatchError::Engine {
                player: player.name.clone(),
                source,
            })?;
            if let Begun::Fault(message) = begun {
                let end = GameEnd::EngineFault {
                    loser: live.color_of(seat),
                    fault: EngineFault::NotReady,
                    message,
                };
                self.finish(live, end, on_event);
                return Ok(None);
            }
        }
        Ok(Some(live))
    }

    fn new_game(&self, number: u32) -> LiveGame {
        let pair = (number / 2) as usize;
        let game = self.openings[pair]
            .game(self.options.rules())
            .expect("drawn openings are not over");
        LiveGame {
            number,
            replay: 0,
            voided: 0,
            seed: game_seed(self.pair_seeds[pair], number),
            black: Seat::ALL[(number % 2) as usize],
            opening_plies: game.moves().len() as u32,
            game,
            notes: Vec::new(),
            clocks: Seat::ALL.map(|seat| self.players[seat.index()].clock()),
            search: None,
        }
    }

    /// Keeps the result; returns the game to play instead if it is to be replayed.
    fn finish(
        &mut self,
        live: LiveGame,
        end: GameEnd,
        on_event: &mut dyn FnMut(ArenaEvent),
    ) -> Option<LiveGame> {
        for seat in Seat::ALL {
            if let Mind::Usi(engine) = &mut self.players[seat.index()].mind {
                engine.end_game(live.result_for(seat, &end));
            }
        }
        let repeated = end == GameEnd::Rules(Outcome::draw(EndReason::Repetition));
        let replay = (repeated && live.replay < self.options.replays).then(|| LiveGame {
            replay: live.replay + 1,
            black: live.black.other(),
            seed: mix_seed(live.seed, u64::from(live.replay)),
            // The time that is left is all there is.
            clocks: live.clocks,
            ..self.new_game(live.number)
        });
        let finished = Box::new(FinishedGame {
            game: live.number,
            replay: live.replay,
            seed: live.seed,
            pair_seed: self.pair_seeds[(live.number / 2) as usize],
            black: live.black,
            start: live.game.start().clone(),
            moves: live.game.moves().to_vec(),
            opening_plies: live.opening_plies,
            notes: live.notes,
            end,
        });
        if replay.is_some() {
            on_event(ArenaEvent::GameReplayed(finished));
        } else {
            self.results[finished.game as usize] = Some(finished.score());
            on_event(ArenaEvent::GameFinished(finished));
        }
        replay
    }

    /// The game to play instead of one that does not count.
    fn void(
        &mut self,
        live: &LiveGame,
        message: String,
        on_event: &mut dyn FnMut(ArenaEvent),
    ) -> Result<LiveGame, MatchError> {
        if live.voided == MOST_VOIDED {
            return Err(MatchError::Machine {
                game: live.number,
                message,
            });
        }
        for seat in Seat::ALL {
            if let Mind::Usi(engine) = &mut self.players[seat.index()].mind {
                engine.end_game(GameResult::Draw);
            }
        }
        on_event(ArenaEvent::GameVoided {
            game: live.number,
            message,
        });
        Ok(LiveGame {
            voided: live.voided + 1,
            ..self.new_game(live.number)
        })
    }

    /// Evaluates the leaves that wait for the network of `seat`.
    fn evaluate(&mut self, seat: Seat) -> Result<(), MatchError> {
        let Player {
            name,
            mind: Mind::Net(net),
            ..
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
            .map(|thinking| &mut *thinking.search)
            .collect();
        if searches.is_empty() {
            return Ok(());
        }
        self.n_evaluations += searches.len() as u64;
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
    search::evaluate(&mut *net.evaluator, &requests, &mut net.answers)?;
    for (index, search) in searches.iter_mut().enumerate() {
        let (logits, wdl) = net.answers.get(index);
        search.apply(logits, wdl)?;
    }
    Ok(())
}

/// Seed that the opening of pair `pair` of a match is drawn by.
pub(crate) fn pair_seed(seed: u64, pair: u32) -> u64 {
    mix_seed(seed, u64::from(pair))
}

/// Seed of the choices in game `number` of a match, whose pair has `pair_seed`.
pub(crate) fn game_seed(pair_seed: u64, number: u32) -> u64 {
    // Stream 0 and up belong to the draws of the opening.
    mix_seed(!pair_seed, u64::from(number % 2))
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
