use rules::GameRules;

use super::*;

#[track_caller]
fn check(sfen: &str, expected: &str) {
    let position = Position::from_sfen(sfen).unwrap();
    let best = match move_by_thumb(&Game::new(position, GameRules::default())) {
        BestMove::Move(mv) => mv.to_string(),
        other => format!("{other:?}"),
    };
    assert_eq!(best, expected);
}

#[test]
fn it_declares_mates_and_resigns() {
    check(
        "+R+P1+P5/1K+B+P+P4/+P+P+P+P5/9/9/9/9/9/4k4 b RB10P4g4s4n4l 1",
        "Win",
    );
    check("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", "G*5b");
    check("4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1", "Resign");
}

#[test]
fn it_takes_what_is_worth_most_and_is_not_guarded() {
    check("7k1/9/9/3s5/9/3R4g/9/9/7K1 b - 1", "6f1f");
    // Behind the gold stands a lance.
    check("7k1/9/9/3s5/8l/3R4g/9/9/7K1 b - 1", "6f6d");
}

#[test]
fn it_saves_a_piece_that_would_be_lost() {
    // The pawn that attacks the gold is guarded.
    let mut position = Position::from_sfen("8k/9/3s5/3p5/3G5/9/9/9/8K b - 1").unwrap();
    let undo = position.do_move("1i1h".parse().unwrap());
    assert_eq!(most_in_danger(&position), 9);
    position.undo_move(undo);
    let game = Game::new(position.clone(), GameRules::default());
    let BestMove::Move(mv) = move_by_thumb(&game) else {
        panic!("there are moves")
    };
    position.do_move(mv);
    assert_eq!(most_in_danger(&position), 0, "{mv}");
}
