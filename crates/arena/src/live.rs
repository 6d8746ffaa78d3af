//! A game in play: whose turn it is, and what that player does.

use std::time::{Duration, Instant};

use rules::{Color, Declaration, EndReason, Game, Move, Outcome};
use search::{RootOptions, Search, SearchOptions, Step, mix_seed};
use usi::{BestMove, Budget, GameResult, Score};

use crate::adjudication::{Adjudication, Ruling};
use crate::baseline::Baseline;
use crate::clock::{Clock, go_limits};
use crate::external::{Answer, EngineFault, External};
use crate::finished::{GameEnd, MoveNote};
use crate::player::{Mind, NetMind, Player, Seat};

/// Centipawns per unit of logit in the scores of networks; between the values of the two engines
/// of dlshogi's family (756 and 285).
const SCORE_COEFFICIENT: u32 = 600;

/// How much later than its time a network's move may come: the machine's load.
const MARGIN: Duration = Duration::from_millis(500);

/// What a network leaves of its time for what is not search.
const DELAY: Duration = Duration::from_millis(30);

/// A game in play.
pub(crate) struct LiveGame {
    pub(crate) number: u32,
    pub(crate) replay: u32,
    /// How often this game had to be begun again through the machine's fault.
    pub(crate) voided: u32,
    pub(crate) seed: u64,
    pub(crate) black: Seat,
    pub(crate) opening_plies: u32,
    pub(crate) game: Game,
    pub(crate) notes: Vec<MoveNote>,
    /// By seat; `None` for players without a clock.
    pub(crate) clocks: [Option<Clock>; 2],
    /// The tree of the move being looked for, where a network is to move.
    pub(crate) search: Option<Thinking>,
}

/// A network looking for its move.
pub(crate) struct Thinking {
    pub(crate) search: Box<Search>,
    /// Since when, and until when it should search, if it has a clock.
    time: Option<(Instant, Duration)>,
}

/// What became of a game in one round.
pub(crate) enum Round {
    /// It goes on.
    Live,
    /// It is over.
    Over(GameEnd),
    /// It does not count, through the machine's fault: what happened.
    Void(String),
}

/// What became of a game in one step.
enum Stepped {
    /// It waits for the network of the player to move.
    Waiting,
    /// A move was played.
    Moved,
    Over(GameEnd),
    Void(String),
}

impl LiveGame {
    /// Whose turn it is.
    pub(crate) fn to_move(&self) -> Seat {
        self.seat_of(self.side())
    }

    /// Who plays `color`.
    fn seat_of(&self, color: Color) -> Seat {
        if color == Color::Black {
            self.black
        } else {
            self.black.other()
        }
    }

    /// Which side `seat` plays.
    pub(crate) fn color_of(&self, seat: Seat) -> Color {
        if self.black == seat {
            Color::Black
        } else {
            Color::White
        }
    }

    fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    fn clocks_by_color(&self) -> [Option<Clock>; 2] {
        Color::ALL.map(|color| self.clocks[self.seat_of(color).index()])
    }

    /// The result from the view of `seat`, as engines are told it.
    pub(crate) fn result_for(&self, seat: Seat, end: &GameEnd) -> GameResult {
        match end.winner() {
            None => GameResult::Draw,
            Some(winner) if winner == self.color_of(seat) => GameResult::Win,
            Some(_) => GameResult::Lose,
        }
    }

    /// Plays on until the game waits for a network, is over, or an engine has moved.
    pub(crate) fn run(
        &mut self,
        players: &mut [Player<'_>; 2],
        adjudication: &Adjudication,
    ) -> Round {
        loop {
            let player = &mut players[self.to_move().index()];
            let alone = player.plays_alone();
            match self.step(player) {
                Stepped::Waiting => return Round::Live,
                Stepped::Over(end) => return Round::Over(end),
                Stepped::Void(message) => return Round::Void(message),
                Stepped::Moved => {}
            }
            if let Some(end) = self.adjudicated(adjudication) {
                return Round::Over(end);
            }
            // It may have taken its time: let the caller look around.
            if alone {
                return Round::Live;
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
        self.play(mv, None, Duration::ZERO)
    }

    fn step_net(&mut self, net: &NetMind<'_>) -> Stepped {
        if self.search.is_none() {
            if self.may_declare() {
                return Stepped::Over(GameEnd::Rules(self.game.declare()));
            }
            self.search = Some(self.begin_search(&net.options));
        }
        let thinking = self.search.as_mut().expect("just begun");
        if thinking.next_leaf() == Step::Leaf {
            return Stepped::Waiting;
        }
        let Thinking { search, time } = self.search.take().expect("just looked at");
        let result = search.result();
        let score = match result.mate {
            Some(plies) => Score::Mate(plies),
            None => Score::from_expected(result.value.expected(), SCORE_COEFFICIENT),
        };
        let elapsed = time.map_or(Duration::ZERO, |(since, _)| since.elapsed());
        // An engine's driver has looked at the time already.
        let clock = self.clocks[self.to_move().index()];
        if clock.is_some_and(|clock| elapsed > clock.usable() + MARGIN) {
            return Stepped::Over(GameEnd::TimeUp { loser: self.side() });
        }
        self.play(result.best, Some(score), elapsed)
    }

    fn begin_search(&self, options: &SearchOptions) -> Thinking {
        let seed = self.move_seed();
        let limits = go_limits(self.clocks_by_color(), self.side());
        let ply = self.game.position().ply();
        match Budget::new(&limits, self.side(), ply, DELAY) {
            None => Thinking {
                search: Box::new(Search::new(&self.game, options, seed)),
                time: None,
            },
            Some(budget) => {
                // How many visits there will be is not known: nothing for a root that plans ahead.
                let options = SearchOptions {
                    visits: 1,
                    root: RootOptions::Puct(search::PuctOptions::default()),
                    ..options.clone()
                };
                Thinking {
                    search: Box::new(Search::new(&self.game, &options, seed)),
                    time: Some((Instant::now(), budget.soft)),
                }
            }
        }
    }

    fn step_usi(&mut self, engine: &mut External) -> Stepped {
        let side = self.side();
        match engine.think(&self.game, self.clocks_by_color()) {
            Answer::Best {
                best: BestMove::Move(mv),
                score,
                elapsed,
            } => self.play(mv, score, elapsed),
            Answer::Best {
                best: BestMove::Resign,
                ..
            } => {
                let outcome = Outcome::win(side.flipped(), EndReason::Resignation);
                Stepped::Over(GameEnd::Rules(outcome))
            }
            Answer::Best {
                best: BestMove::Win,
                ..
            } => {
                let outcome = self.game.declare();
                if outcome.reason == EndReason::FailedDeclaration {
                    engine.dismiss();
                }
                Stepped::Over(GameEnd::Rules(outcome))
            }
            Answer::Fault(fault, message) => self.lost_by(fault, message),
            Answer::Void(message) => Stepped::Void(message),
            Answer::Interrupted => Stepped::Waiting,
        }
    }

    fn lost_by(&self, fault: EngineFault, message: String) -> Stepped {
        Stepped::Over(GameEnd::EngineFault {
            loser: self.side(),
            fault,
            message,
        })
    }

    /// Plays `mv` and stops the mover's clock.
    fn play(&mut self, mv: Move, score: Option<Score>, time: Duration) -> Stepped {
        if let Some(clock) = &mut self.clocks[self.to_move().index()] {
            clock.charge(time);
        }
        self.game.play_unchecked(mv);
        self.notes.push(MoveNote { score, time });
        Stepped::Moved
    }

    fn adjudicated(&self, rules: &Adjudication) -> Option<GameEnd> {
        let plies = self.game.moves().len() as u32;
        let ruling = rules.rule(&self.notes, plies, self.side())?;
        // What the rules say comes first.
        if let Some(outcome) = self.game.outcome() {
            return Some(GameEnd::Rules(outcome));
        }
        Some(GameEnd::Adjudicated {
            winner: match ruling {
                Ruling::Lost(loser) => Some(loser.flipped()),
                Ruling::Drawn => None,
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

impl Thinking {
    fn next_leaf(&mut self) -> Step {
        let mut step = self.search.next_leaf();
        let Some((since, time)) = self.time else {
            return step;
        };
        // A forced move needs no time.
        let has_choice = self.search.root_moves().nth(1).is_some();
        while has_choice && step == Step::Finished && since.elapsed() < time {
            let visits = self.search.visit_count();
            self.search.extend(1);
            step = self.search.next_leaf();
            if step == Step::Finished && self.search.visit_count() == visits {
                break; // The result is proven.
            }
        }
        step
    }
}
