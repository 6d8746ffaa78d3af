//! Where games begin, and random first moves, so that they do not all begin alike.

use std::collections::VecDeque;

use data::{PlyKind, PlyRecord};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rules::{Game, Position};

use crate::{SelfPlayOptions, Start};

/// Late positions that are kept: some ten minutes of games at most.
const KEPT_POSITIONS: usize = 1024;

/// Positions from late in earlier games: their results are near, so values learn from them first.
#[derive(Debug, Clone, Default)]
pub(crate) struct LateStarts(VecDeque<Start>);

impl LateStarts {
    /// As if `position` were the only one that games had left.
    pub(crate) fn only(position: Position) -> LateStarts {
        LateStarts(VecDeque::from([Start(position)]))
    }

    /// Those of an earlier process, oldest first.
    pub(crate) fn from_memory(starts: Vec<Start>) -> LateStarts {
        LateStarts(starts.into())
    }

    /// What [`LateStarts::from_memory`] takes.
    pub(crate) fn memory(&self) -> Vec<Start> {
        self.0.iter().cloned().collect()
    }

    /// Takes a position from a finished game that somebody has won, if the game is long enough.
    pub(crate) fn add(
        &mut self,
        game: &Game,
        n_opening: usize,
        options: &SelfPlayOptions,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        let (nearest, farthest) = (options.late_start_nearest, options.late_start_farthest);
        let n_back = rng.random_range(nearest..=farthest) as usize;
        if game.moves().len() < n_opening + n_back {
            return;
        }
        let mut game = game.clone();
        for _ in 0..n_back {
            game.undo();
        }
        self.0.push_back(Start(game.position().clone()));
        if KEPT_POSITIONS < self.0.len() {
            self.0.pop_front();
        }
    }

    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> Option<Position> {
        pick(self.0.len(), rng).map(|idx| self.0[idx].0.clone())
    }
}

/// An index below `n`, each as likely; `None` if there is none.
fn pick(n: usize, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
    (n > 0).then(|| rng.random_range(0..n))
}

/// A game that has been led into its opening, with the plies played so far.
pub(crate) struct Opening {
    pub(crate) game: Game,
    pub(crate) plies: Vec<PlyRecord>,
}

impl Opening {
    /// Begins a game as the options say. An opening that would end the game is played again.
    pub(crate) fn draw(
        options: &SelfPlayOptions,
        late_starts: &LateStarts,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Opening {
        let (start, is_given) = draw_start(options, late_starts, rng);
        let random = !is_given && rng.random::<f32>() < options.random_opening_share;
        let n_plies = match options.random_opening_plies {
            most if random && most > 0 => rng.random_range(1..=most),
            _ => 0,
        };
        loop {
            let opening = Opening::random(&start, options, n_plies, rng);
            if n_plies == 0 || opening.game.outcome().is_none() {
                return opening;
            }
        }
    }

    fn random(
        start: &Position,
        options: &SelfPlayOptions,
        n_plies: u32,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Opening {
        let mut game = Game::new(start.clone(), options.rules());
        let mut plies = Vec::new();
        for _ in 0..n_plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            game.play_unchecked(mv);
            plies.push(PlyRecord {
                mv,
                kind: PlyKind::Opening,
                value: None,
                policy: Vec::new(),
            });
        }
        Opening { game, plies }
    }
}

/// The first position of a game, and whether it is one to be played as it is, without random moves.
fn draw_start(
    options: &SelfPlayOptions,
    late_starts: &LateStarts,
    rng: &mut Xoshiro256PlusPlus,
) -> (Position, bool) {
    let starts_end = options.starts_share;
    let handicaps_end = starts_end + options.handicap_share;
    let late_end = handicaps_end + options.late_start_share;
    // With the even start alone no number is drawn, so that such games stay the same.
    let draw = if late_end > 0.0 {
        rng.random::<f32>()
    } else {
        1.0
    };
    let given = if draw < starts_end {
        pick(options.starts.len(), rng).map(|idx| options.starts[idx].0.clone())
    } else if draw < handicaps_end {
        let handicap = pick(options.handicaps.len(), rng).map(|idx| options.handicaps[idx]);
        return (
            handicap.map_or_else(Position::startpos, |handicap| handicap.position()),
            false,
        );
    } else if draw < late_end {
        late_starts.draw(rng)
    } else {
        None
    };
    match given {
        Some(position) => (position, true),
        None => (Position::startpos(), false),
    }
}
