use crate::Position;
use crate::mate::testing::{mates_within, problems, walk};

/// Compares with all lines; says how many plies the mate takes, 0 for none.
#[track_caller]
fn check(position: &Position) -> usize {
    let shortest = [1, 3]
        .into_iter()
        .find(|&plies| mates_within(&mut position.clone(), plies));
    let found = position.mate_in_three();
    assert_eq!(found.map(|mate| mate.plies()), shortest, "{position}");
    let Some(mate) = found else {
        return 0;
    };
    assert_eq!(mate.first(), mate[0]);
    let mut after = position.clone();
    for &mv in mate.iter() {
        assert!(after.is_legal(mv), "{mv} in {after}");
        after.do_move(mv);
    }
    assert!(after.is_checkmate(), "{mate:?} in {position}");
    mate.len()
}

#[test]
fn in_random_games_it_is_found_exactly_where_all_replies_lose() {
    let mut n_mates = 0;
    walk(11, 4_000, |position| {
        n_mates += u32::from(check(position) == 3);
    });
    assert!(n_mates > 40, "{n_mates}");
}

#[test]
fn in_problems_it_is_found_exactly_where_all_replies_lose() {
    let mut n_mates = 0;
    for position in problems(12, 6_000) {
        n_mates += u32::from(check(&position) == 3);
    }
    assert!(n_mates > 100, "{n_mates}");
}

#[test]
fn a_side_without_an_opponent_king_mates_nobody() {
    let position = Position::from_sfen("9/9/9/9/9/9/9/9/4K4 b RG 1").unwrap();
    assert_eq!(position.mate_in_three(), None);
}
