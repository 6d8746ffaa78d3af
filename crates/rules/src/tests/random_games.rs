//! What must hold in every position of many random games.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::testing::{Stream, random_game};
use crate::{Color, Game, Handicap, Notation, Position, PositionBuilder};

/// 10,000 games in slow tests, else 200; every tenth begins with a handicap.
fn each_game(seed: u64, mut check: impl FnMut(&Game)) {
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let mut stream = Stream(seed);
    for number in 0..if slow { 10_000 } else { 200 } {
        let start = match number % 10 {
            0 => *stream.choose(&Handicap::ALL),
            _ => Handicap::Even,
        };
        check(&random_game(start.position(), &mut stream, 300));
    }
}

/// Calls `check` with every position of a game, the start's first.
fn each_position(game: &Game, mut check: impl FnMut(&Position)) {
    let mut position = game.start().clone();
    check(&position);
    for &mv in game.moves() {
        position.do_move(mv);
        check(&position);
    }
}

#[test]
fn every_position_is_read_back_from_its_sfen() {
    each_game(31, |game| {
        each_position(game, |position| {
            let read = Position::from_sfen(&position.to_string());
            assert_eq!(read.as_ref(), Ok(position));
        });
    });
}

#[test]
fn every_game_is_read_back_from_its_moves_in_each_notation() {
    each_game(32, |game| {
        for notation in Notation::ALL {
            check_read_back(game, notation);
        }
    });
}

/// Writes the moves, then plays what is read, knowing nothing but the texts.
fn check_read_back(game: &Game, notation: Notation) {
    let mut position = game.start().clone();
    let mut previous = None;
    let mut texts = Vec::new();
    for &mv in game.moves() {
        texts.push(notation.write(&position, mv, previous));
        position.do_move(mv);
        previous = Some(mv.to());
    }
    let mut again = Game::new(game.start().clone(), game.rules());
    for text in &texts {
        let previous = again.moves().last().map(|mv| mv.to());
        let mv = notation.read(again.position(), text, previous);
        again.play(mv.unwrap()).unwrap();
    }
    assert_eq!(again.moves(), game.moves(), "{notation}");
    assert_eq!(again.position(), game.position(), "{notation}");
    assert_eq!(again.outcome(), game.outcome(), "{notation}");
}

/// Board, hands and side to move, in 128 bits that owe nothing to the key: two passes of the
/// standard library's hash over the SFEN without its move number.
fn identity(position: &Position) -> (u64, u64) {
    let sfen = position.to_string();
    let (fields, _) = sfen.rsplit_once(' ').unwrap();
    let hash = |pass: u8| BuildHasherDefault::<DefaultHasher>::default().hash_one((pass, fields));
    (hash(1), hash(2))
}

/// Positions that differ in little: the other side to move, one more piece in a hand, and those
/// with board and hands exchanged.
fn neighbours(position: &Position) -> Vec<Position> {
    let builder = PositionBuilder::from(position);
    let mut other_side = builder.clone();
    other_side.set_side_to_move(position.side_to_move().flipped());
    let with_piece = Color::ALL.into_iter().flat_map(|color| {
        let builder = &builder;
        crate::PieceKind::HAND.map(move |kind| {
            let mut builder = builder.clone();
            builder.add_to_hand(color, kind, 1);
            builder
        })
    });
    let mut hands_exchanged = builder.clone();
    for color in Color::ALL {
        for kind in crate::PieceKind::HAND {
            let count = position.hand(color.flipped()).count(kind);
            hands_exchanged.set_hand(color, kind, count);
        }
    }
    let built = with_piece.chain([other_side, hands_exchanged]);
    let mut found: Vec<Position> = built.filter_map(|builder| builder.build().ok()).collect();
    found.extend([position.mirrored(), position.rotated()]);
    found
}

#[test]
fn keys_are_equal_exactly_where_board_hands_and_side_to_move_are() {
    let mut by_key = HashMap::new();
    let mut by_identity = HashMap::new();
    let (mut n_seen, mut n_met_again) = (0, 0);
    let mut note = |position: &Position| {
        let (key, identity) = (position.key(), identity(position));
        n_seen += 1;
        n_met_again += u32::from(by_identity.contains_key(&identity));
        assert_eq!(
            *by_key.entry(key).or_insert(identity),
            identity,
            "{position}"
        );
        assert_eq!(
            *by_identity.entry(identity).or_insert(key),
            key,
            "{position}"
        );
    };
    let mut number = 0;
    each_game(33, |game| {
        each_position(game, |position| {
            note(position);
            number += 1;
            if number % 50 == 0 {
                neighbours(position).iter().for_each(&mut note);
            }
        });
    });
    assert!(n_seen > 20_000, "{n_seen}");
    // On other paths, at the start of the games above all.
    assert!(n_met_again > 200, "{n_met_again}");
}

#[test]
fn the_ply_is_not_part_of_the_key() {
    each_game(34, |game| {
        let position = game.position();
        let mut builder = PositionBuilder::from(position);
        let later = builder.set_ply(position.ply() + 2).build().unwrap();
        assert_eq!(later.key(), position.key(), "{position}");
        assert_ne!(&later, position);
    });
}

#[test]
fn repetitions_are_those_that_the_positions_written_down_show() {
    let mut stream = Stream(35);
    let mut n_repeated = 0;
    for _ in 0..100 {
        // Few pieces shuffle.
        let start = Position::from_sfen("8k/R8/9/9/9/9/9/9/K8 b - 1").unwrap();
        let game = random_game(start, &mut stream, 200);
        let mut again = Game::new(game.start().clone(), game.rules());
        let mut written = vec![identity(again.position())];
        for &mv in game.moves() {
            again.play(mv).unwrap();
            written.push(identity(again.position()));
            let now = written.last();
            let count = written
                .iter()
                .filter(|&identity| Some(identity) == now)
                .count();
            assert_eq!(again.repetitions() as usize, count, "{}", again.position());
            n_repeated += u32::from(count > 1);
        }
    }
    assert!(n_repeated > 100, "{n_repeated}");
}
