//! Positions that were thrown together: odd sets, missing kings, many checks.

use super::{all_moves, rebuilt, slowly_legal};
use crate::testing::{Stream, has_odd_set, scattered};
use crate::{Color, Move, MoveList, Position};

/// Calls `check` with scattered positions and their moves: `quick` of them, or many in slow tests.
fn each_scattered(seed: u64, quick: u32, mut check: impl FnMut(&Position, &MoveList)) {
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let mut stream = Stream(seed);
    for _ in 0..if slow { 20 * quick } else { quick } {
        let position = scattered(&mut stream);
        check(&position, &position.legal_moves());
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}

/// Checks that the other player, given the same position from its side, has the same to do.
pub(super) fn check_turned(position: &Position, moves: &MoveList) {
    let turned = position.rotated();
    assert_eq!(turned, rebuilt(&turned), "{position}");
    assert_eq!(&turned.rotated(), position);
    assert_ne!(turned.key(), position.key(), "{position}");
    assert_eq!(turned.in_check(), position.in_check(), "{position}");
    let rotated = |moves: &MoveList| sorted(moves.iter().map(|mv| mv.rotated()));
    assert_eq!(
        sorted(turned.legal_moves().to_vec()),
        rotated(moves),
        "{position}"
    );
    assert_eq!(
        sorted(turned.checking_moves().to_vec()),
        rotated(&position.checking_moves()),
        "{position}"
    );
    assert_eq!(
        turned.mate_in_one().is_some(),
        position.mate_in_one().is_some(),
        "{position}"
    );
    for color in Color::ALL {
        assert_eq!(
            turned.declaration_points(color.flipped()),
            position.declaration_points(color),
            "{position}"
        );
    }
}

#[test]
fn the_generator_equals_the_slow_definition() {
    let all = all_moves();
    // By side to move: positions in all, in check, with one king, without one.
    let mut seen = [[0; 4]; 2];
    let mut odd_sets = 0;
    each_scattered(1, 400, |position, moves| {
        for &mv in &all {
            let legal = moves.contains(&mv);
            assert_eq!(legal, slowly_legal(position, mv), "{mv} in {position}");
        }
        let kings = Color::ALL.map(|color| position.king(color).is_some());
        let counts = &mut seen[position.side_to_move().index()];
        counts[0] += 1;
        counts[1] += u32::from(position.in_check());
        counts[2] += u32::from(kings[0] != kings[1]);
        counts[3] += u32::from(kings == [false, false]);
        odd_sets += u32::from(has_odd_set(position));
    });
    for [all, in_check, one_king, kingless] in seen {
        assert!(
            all > 100 && in_check > 30 && one_king > 30 && kingless > 2,
            "{seen:?}"
        );
    }
    assert!(odd_sets > 50, "{odd_sets}");
}

#[test]
fn every_question_about_a_move_has_one_answer() {
    let all = all_moves();
    let mut mates = 0;
    each_scattered(2, 300, |position, moves| {
        for &mv in &all {
            let listed = moves.contains(&mv);
            assert_eq!(position.is_legal(mv), listed, "{mv} in {position}");
            assert_eq!(
                position.why_illegal(mv).is_none(),
                listed,
                "{mv} in {position}"
            );
        }
        let mut after = position.clone();
        let (mut checking, mut mating) = (Vec::new(), Vec::new());
        for &mv in moves {
            let undo = after.do_move(mv);
            assert_eq!(after, rebuilt(&after), "{mv} in {position}");
            assert_eq!(
                position.gives_check(mv),
                after.in_check(),
                "{mv} in {position}"
            );
            if after.in_check() {
                checking.push(mv);
            }
            if after.is_checkmate() {
                mating.push(mv);
            }
            after.undo_move(undo);
            assert_eq!(&after, position, "{mv}");
        }
        assert_eq!(
            sorted(position.checking_moves().to_vec()),
            sorted(checking),
            "{position}"
        );
        match position.mate_in_one() {
            Some(mv) => assert!(mating.contains(&mv), "{mv} in {position}"),
            None => assert_eq!(mating, [], "{position}"),
        }
        assert_eq!(position.has_legal_move(), !moves.is_empty(), "{position}");
        mates += u32::from(!mating.is_empty());
    });
    assert!(mates > 5, "{mates}");
}

#[test]
fn mirrored_and_turned_positions_have_the_corresponding_moves() {
    each_scattered(3, 2000, |position, moves| {
        let mirrored = sorted(moves.iter().map(|mv| mv.mirrored()));
        assert_eq!(
            sorted(position.mirrored().legal_moves().to_vec()),
            mirrored,
            "{position}"
        );
        assert_eq!(position.mirrored(), rebuilt(&position.mirrored()));
        check_turned(position, moves);
    });
}
