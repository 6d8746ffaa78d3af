use super::judge;
use crate::search::tests::game;
use crate::tree::Status;

#[track_caller]
fn check_status(usi: &str, expected: Status) {
    let game = game(usi);
    let (status, mate) = judge(&game, &game.position().legal_moves());
    assert_eq!(status, expected, "{usi}");
    let mates = mate.is_some_and(|mv| {
        let mut after = game.position().clone();
        after.do_move(mv);
        after.legal_moves().is_empty()
    });
    assert_eq!(mates, mate.is_some(), "{usi}");
}

#[test]
fn nothing_is_certain_about_the_initial_position() {
    check_status("startpos", Status::Open);
}

#[test]
fn a_side_without_legal_moves_has_lost() {
    check_status("8k/8G/8P/9/9/9/9/9/K8 w - 1", Status::Lost { plies: 0 });
}

#[test]
fn a_mate_in_one_is_a_win_in_one_ply() {
    check_status("8k/9/8P/9/9/9/9/9/K8 b G 1", Status::Won { plies: 1 });
}

#[test]
fn a_repetition_is_judged_before_a_mate_in_one() {
    // Black could mate by G*1b, but has let the position come back.
    let usi = "8k/9/8P/9/9/9/9/9/K8 b G 1 moves 9i8i 1a2a 8i9i 2a1a";
    check_status(usi, Status::Drawn);
}

#[test]
fn a_perpetual_check_counts_for_the_checked_side_from_either_view() {
    // White to move in check, then Black to move again.
    let start = "8k/R8/9/9/9/9/9/9/K8 b - 1 moves";
    check_status(
        &format!("{start} 9b9a 1a1b 9a9b 1b1a"),
        Status::CountsAsLost,
    );
    check_status(
        &format!("{start} 9b9a 1a1b 9a9b 1b1a 9b9a"),
        Status::CountsAsWon,
    );
    check_status(&format!("{start} 9b9a 1a1b 9a9c"), Status::Open);
}

#[test]
fn the_fourth_occurrence_ends_the_game_for_certain() {
    let cycle = "9b9a 1a1b 9a9b 1b1a";
    let start = "8k/R8/9/9/9/9/9/9/K8 b - 1 moves";
    check_status(
        &format!("{start} {cycle} {cycle} {cycle}"),
        Status::Lost { plies: 0 },
    );
}
