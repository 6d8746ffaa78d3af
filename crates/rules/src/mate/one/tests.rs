use crate::mate::testing::{mates_within, problems, walk};
use crate::{Move, Position};

#[track_caller]
fn check(position: &Position) -> Option<Move> {
    let found = position.mate_in_one();
    let exists = mates_within(&mut position.clone(), 1);
    assert_eq!(found.is_some(), exists, "{position}");
    assert_eq!(
        position
            .mate_in_one_among(&position.legal_moves())
            .is_some(),
        exists,
        "{position}"
    );
    if let Some(mv) = found {
        assert!(position.is_legal(mv), "{mv} in {position}");
        let mut after = position.clone();
        after.do_move(mv);
        assert!(after.is_checkmate(), "{mv} in {position}");
    }
    found
}

#[test]
fn it_is_found_exactly_where_a_move_of_a_random_game_mates() {
    let mut n_mates = 0;
    walk(1, 20_000, |position| {
        if check(position).is_some() {
            n_mates += 1;
        }
    });
    assert!(n_mates > 400, "{n_mates}");
}

#[test]
fn it_is_found_exactly_where_a_move_of_a_problem_mates() {
    let mut n_mates = 0;
    for position in problems(2, 20_000) {
        if check(&position).is_some() {
            n_mates += 1;
        }
    }
    assert!(n_mates > 400, "{n_mates}");
}

#[test]
fn it_is_found_exactly_where_a_move_out_of_check_mates() {
    let mut n_mates = 0;
    let in_check = problems(3, 60_000).into_iter().filter(Position::in_check);
    for position in in_check {
        n_mates += u32::from(check(&position).is_some());
    }
    assert!(n_mates > 2, "{n_mates}");
}

#[test]
fn each_kind_of_mate_is_found() {
    for (sfen, mates) in [
        // A gold on the head.
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", true),
        // A knight over the king's own pieces.
        ("7nk/7bp/9/9/9/9/9/9/1K7 b N 1", true),
        // A rook from afar, as long as there is nothing to put between.
        ("8k/9/7G1/9/9/9/9/9/K8 b R 1", true),
        ("8k/9/7G1/9/9/9/9/9/K8 b Rp 1", false),
        ("8k/6p2/7G1/9/9/9/9/9/K8 b R 1", true),
        ("8k/6s2/6G2/7G1/9/9/9/9/K8 b R 1", false),
        // The pawn is pushed; dropped it would be against the rules.
        ("8k/9/7+RP/9/9/9/9/9/K8 b - 1", true),
        ("8k/9/7+R1/9/9/9/9/9/K8 b P 1", false),
        // The only taker is pinned.
        ("4R2gk/9/8G/9/9/9/9/9/K8 b L 1", true),
        // Two checkers at once: neither taking one nor putting something between helps.
        ("4k4/3p1p3/9/4N4/9/9/9/4L4/K8 b - 1", false),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(check(&position).is_some(), mates, "{sfen}");
    }
}
