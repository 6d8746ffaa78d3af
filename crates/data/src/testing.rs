//! Games for tests.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rules::{Color, EndReason, Game, GameRules, Move, Outcome, Position};

use crate::record::{GameRecord, PlyKind, PlyRecord, ValueWdl};

pub(crate) fn seeded(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

pub(crate) fn mv(usi: &str) -> Move {
    usi.parse().expect(usi)
}

pub(crate) fn ply(usi: &str, kind: PlyKind, value: Option<ValueWdl>) -> PlyRecord {
    PlyRecord {
        mv: mv(usi),
        kind,
        value,
        policy: Vec::new(),
    }
}

/// Five plies with every kind of search, ending in a drop mate.
pub(crate) fn small_game() -> GameRecord {
    let start = Position::from_sfen("4k4/9/4P4/p8/9/9/P8/9/4K4 b G 3").unwrap();
    let mut plies = vec![
        ply("5i5h", PlyKind::Opening, None),
        ply("9d9e", PlyKind::Fast, Some([0.25, 0.25, 0.5])),
        ply("9g9f", PlyKind::Full, Some([0.5, 0.125, 0.375])),
        ply("9e9f", PlyKind::Full, Some([0.0, 0.0, 1.0])),
        ply("G*5b", PlyKind::Mate, Some([1.0, 0.0, 0.0])),
    ];
    plies[2].policy = vec![(mv("9g9f"), 0.75), (mv("G*5b"), 0.125), (mv("5h5g"), 0.125)];
    plies[3].policy = vec![(mv("9e9f"), 1.0)];
    GameRecord {
        id: 0x0102_0304_0506_0708,
        seed: 0x1112_1314_1516_1718,
        generation: 0x2122_2324,
        start,
        rules: GameRules::default(),
        plies,
        outcome: Outcome::win(Color::Black, EndReason::Checkmate),
    }
}

/// A random game of at most `max_ply` plies that passes [`GameRecord::check`].
pub(crate) fn random_game(seed: u64, max_ply: u32) -> GameRecord {
    let mut rng = seeded(seed);
    let rules = GameRules {
        max_ply: Some(max_ply),
        ..GameRules::default()
    };
    let start = Position::startpos();
    let mut game = Game::new(start.clone(), rules);
    let mut plies = Vec::new();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        let legal = game.position().legal_moves();
        let mv = legal[rng.random_range(0..legal.len())];
        let kind = [PlyKind::Full, PlyKind::Fast, PlyKind::Opening][rng.random_range(0..3)];
        let value = rng
            .random_bool(0.5)
            .then(|| distribution(&mut rng, 3).try_into().unwrap());
        let policy = match kind {
            PlyKind::Full => {
                let probabilities = distribution(&mut rng, legal.len());
                legal.iter().copied().zip(probabilities).collect()
            }
            _ => Vec::new(),
        };
        plies.push(PlyRecord {
            mv,
            kind,
            value,
            policy,
        });
        game.play(mv).unwrap();
    };
    GameRecord {
        id: seed,
        seed,
        generation: 3,
        start,
        rules,
        plies,
        outcome,
    }
}

fn distribution(rng: &mut Xoshiro256PlusPlus, n: usize) -> Vec<f32> {
    let weights: Vec<f32> = (0..n).map(|_| rng.random::<f32>().powi(8) + 1e-6).collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Positions of random games, `n` with each colour to move.
pub(crate) fn random_positions(seed: u64, n: usize) -> Vec<Position> {
    let mut rng = seeded(seed);
    let mut missing = [n; 2];
    let mut positions = Vec::new();
    let mut position = Position::startpos();
    while missing != [0, 0] {
        let legal = position.legal_moves();
        if legal.is_empty() || position.ply() > 300 {
            position = Position::startpos();
            continue;
        }
        position.do_move(legal[rng.random_range(0..legal.len())]);
        let missing = &mut missing[position.side_to_move().index()];
        if *missing > 0 && rng.random_bool(0.2) {
            *missing -= 1;
            positions.push(position.clone());
        }
    }
    positions
}

/// The message of an error and of all its sources.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
}
