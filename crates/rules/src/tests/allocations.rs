//! The inner loops of a search never allocate.

use std::hint::black_box;

use crate::testing::{Stream, random_game, scattered};
use crate::{Game, GameRules, Move, MoveList, Position, perft_made};

/// How many allocations of this thread `run` causes.
fn allocations(run: impl FnOnce()) -> u64 {
    allocation_counter::measure(run).count_total
}

/// Positions of random games, and some of an odd kind.
fn positions() -> Vec<Position> {
    let mut positions = vec![
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "8k/9/7+R1/9/9/9/9/9/9 b P 1",
    ]
    .into_iter()
    .map(|sfen| Position::from_sfen(sfen).unwrap())
    .collect::<Vec<_>>();
    let mut stream = Stream(21);
    for _ in 0..20 {
        let game = random_game(Position::startpos(), &mut stream, 150);
        let mut position = game.start().clone();
        for &mv in game.moves() {
            positions.push(position.clone());
            position.do_move(mv);
        }
    }
    positions.extend((0..200).map(|_| scattered(&mut stream)));
    positions
}

#[test]
fn the_counter_sees_an_allocation() {
    assert_eq!(allocations(|| drop(black_box(vec![1]))), 1);
}

#[test]
fn moves_are_listed_played_and_taken_back_without_allocating() {
    let mut list = MoveList::new();
    for position in positions() {
        let mut after = position.clone();
        let count = allocations(|| {
            position.legal_moves_into(&mut list);
            for &mv in &list {
                black_box(position.gives_check(mv));
                black_box(position.is_legal(mv));
                let undo = after.do_move(mv);
                black_box((after.key(), after.in_check(), after.has_legal_move()));
                black_box(after.is_checkmate());
                after.undo_move(undo);
            }
            black_box(position.legal_moves().len());
            black_box(position.checking_moves().len());
            position.checking_moves_into(&mut list);
            black_box(position.mate_in_one());
            black_box((position.rotated(), position.mirrored()));
        });
        assert_eq!(count, 0, "{position}");
        assert_eq!(after, position);
    }
}

#[test]
fn why_a_move_is_illegal_is_told_without_allocating() {
    for position in positions().iter().step_by(40) {
        let count = allocations(|| {
            for mv in (0..1 << 15).filter_map(Move::from_raw) {
                black_box(position.why_illegal(mv));
            }
        });
        assert_eq!(count, 0, "{position}");
    }
}

/// Playing in a [`Game`] does allocate now and then, as its history grows.
#[test]
fn outcomes_are_told_without_allocating() {
    let mut stream = Stream(22);
    for _ in 0..20 {
        let line = random_game(Position::startpos(), &mut stream, 400);
        let mut game = Game::new(line.start().clone(), GameRules::default());
        for &mv in line.moves() {
            game.play_unchecked(mv);
            let count = allocations(|| {
                black_box(game.outcome());
                black_box((game.repetitions(), game.repetition_in_search()));
                black_box((game.declaration(), game.declare(), game.impasse()));
                black_box(game.try_move());
            });
            assert_eq!(count, 0, "{}", game.position());
        }
        let count = allocations(|| while game.undo().is_some() {});
        assert_eq!(count, 0);
    }
}

#[test]
fn a_game_that_is_copied_over_another_as_long_allocates_nothing() {
    let mut stream = Stream(23);
    let games = [300, 400, 200].map(|n| random_game(Position::startpos(), &mut stream, n));
    let mut copy = games[1].clone();
    for game in games.iter().rev() {
        let count = allocations(|| copy.clone_from(game));
        assert_eq!(count, 0);
        assert_eq!(copy.moves(), game.moves());
        assert_eq!(copy.position(), game.position());
        let (mut copied, mut game) = (copy.clone(), game.clone());
        while game.undo().is_some() {
            copied.undo();
            assert_eq!(copied.repetitions(), game.repetitions());
            assert_eq!(copied.position(), game.position());
        }
    }
}

#[test]
fn perft_allocates_its_lists_alone() {
    let mut position = Position::startpos();
    assert_eq!(
        allocations(|| assert_eq!(perft_made(&mut position, 3), 25_470)),
        1
    );
}
