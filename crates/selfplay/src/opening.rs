//! Random first moves, so that games do not all begin alike.

use data::{PlyKind, PlyRecord};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rules::{Game, Position};

use crate::SelfPlayOptions;

/// A game that has been led into its opening, with the plies played so far.
pub(crate) struct Opening {
    pub(crate) game: Game,
    pub(crate) plies: Vec<PlyRecord>,
}

impl Opening {
    /// Begins a game as the options say. An opening that would end the game is played again.
    pub(crate) fn draw(options: &SelfPlayOptions, rng: &mut Xoshiro256PlusPlus) -> Opening {
        let random = rng.random::<f32>() < options.random_opening_share;
        let n_plies = match options.random_opening_plies {
            most if random && most > 0 => rng.random_range(1..=most),
            _ => 0,
        };
        loop {
            let opening = Opening::random(options, n_plies, rng);
            if opening.game.outcome().is_none() {
                return opening;
            }
        }
    }

    fn random(options: &SelfPlayOptions, n_plies: u32, rng: &mut Xoshiro256PlusPlus) -> Opening {
        let mut game = Game::new(Position::startpos(), options.rules());
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
