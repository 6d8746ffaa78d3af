use rules::{EndReason, GameRules, Outcome, Position};

use super::*;
use crate::record::PlyKind;
use crate::testing::ply;

/// Three plies from the start position, Black to move first, then White resigns or has won.
fn three_plies(values: [Option<ValueWdl>; 3], winner: Option<Color>) -> GameRecord {
    let moves = ["7g7f", "3c3d", "2g2f"].into_iter().zip(values);
    GameRecord {
        id: 0,
        seed: 0,
        generation: 0,
        start: Position::startpos(),
        rules: GameRules::default(),
        plies: moves
            .map(|(usi, value)| ply(usi, PlyKind::Full, value))
            .collect(),
        outcome: Outcome {
            winner,
            reason: EndReason::Resignation,
        },
    }
}

/// Of Black, White, Black.
const VALUES: [Option<ValueWdl>; 3] = [
    Some([0.9, 0.0, 0.1]),
    Some([0.3, 0.3, 0.4]),
    Some([0.6, 0.2, 0.2]),
];

#[track_caller]
fn check_targets(game: &GameRecord, lambda: f32, expected: [ValueWdl; 3]) {
    for (ply, (found, expected)) in td_targets(game, lambda)
        .into_iter()
        .zip(expected)
        .enumerate()
    {
        let close = found
            .iter()
            .zip(&expected)
            .all(|(f, e)| (f - e).abs() < 1e-6);
        assert!(close, "ply {ply}: found {found:?}, expected {expected:?}");
    }
}

#[test]
fn targets_of_a_game_that_black_won() {
    let game = three_plies(VALUES, Some(Color::Black));
    check_targets(
        &game,
        0.5,
        [[0.6, 0.2, 0.2], [0.1, 0.1, 0.8], [1.0, 0.0, 0.0]],
    );
}

#[test]
fn targets_of_a_game_that_white_won() {
    let game = three_plies(VALUES, Some(Color::White));
    check_targets(
        &game,
        0.5,
        [[0.35, 0.2, 0.45], [0.6, 0.1, 0.3], [0.0, 0.0, 1.0]],
    );
}

#[test]
fn lambda_0_is_the_next_opinion_and_lambda_1_the_result() {
    let game = three_plies(VALUES, Some(Color::White));
    check_targets(
        &game,
        0.0,
        [[0.4, 0.3, 0.3], [0.2, 0.2, 0.6], [0.0, 0.0, 1.0]],
    );
    check_targets(
        &game,
        1.0,
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    );
    let draw = three_plies(VALUES, None);
    check_targets(&draw, 1.0, [[0.0, 1.0, 0.0]; 3]);
}

#[test]
fn ply_without_a_value_passes_the_target_through() {
    let game = three_plies([VALUES[0], None, VALUES[2]], Some(Color::Black));
    check_targets(
        &game,
        0.5,
        [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8], [1.0, 0.0, 0.0]],
    );
}

#[test]
fn targets_are_of_the_side_to_move_when_white_begins() {
    let mut game = three_plies(VALUES, Some(Color::White));
    game.start = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w - 1").unwrap();
    check_targets(
        &game,
        0.5,
        [[0.6, 0.2, 0.2], [0.1, 0.1, 0.8], [1.0, 0.0, 0.0]],
    );
}
