use rules::DeclarationRule;

use super::*;
use crate::testing::{mv, ply, random_game, small_game};

#[track_caller]
fn check_refused(change: impl FnOnce(&mut GameRecord), message: &str) {
    let mut game = small_game();
    change(&mut game);
    assert_eq!(game.check().unwrap_err().to_string(), message);
}

#[test]
fn sound_games_pass() {
    small_game().check().unwrap();
    for seed in 0..20 {
        random_game(seed, 120).check().unwrap();
    }
}

#[test]
fn illegal_moves_are_refused() {
    check_refused(
        |game| game.plies[2].mv = mv("9g9e"),
        "ply 2: found the move 9g9e, which is illegal in 4k4/9/4P4/9/p8/9/P8/4K4/9 b G 5",
    );
    check_refused(
        |game| game.plies[3].policy[0].0 = mv("5a5b"),
        "ply 3: the policy names 5a5b, which is illegal in 4k4/9/4P4/9/p8/P8/9/4K4/9 w G 6",
    );
}

#[test]
fn policies_that_are_no_distribution_are_refused() {
    check_refused(
        |game| game.plies[2].policy[1].1 = 0.1,
        "ply 2: the policy sums to 0.975, expected 1 within 0.001",
    );
    check_refused(
        |game| game.plies[2].policy[1].1 = f32::NAN,
        "ply 2: the policy gives G*5b the probability NaN, expected 0 to 1",
    );
    check_refused(
        |game| game.plies[2].policy[1].1 = -0.125,
        "ply 2: the policy gives G*5b the probability -0.125, expected 0 to 1",
    );
    check_refused(
        |game| game.plies[2].policy[1].0 = mv("9g9f"),
        "ply 2: the policy names 9g9f more than once",
    );
}

#[test]
fn values_that_are_no_distribution_are_refused() {
    for value in [
        [0.5, 0.5, 0.5],
        [1.5, 0.0, -0.5],
        [f32::NAN, 0.5, 0.5],
        [f32::INFINITY; 3],
    ] {
        let expected = format!(
            "ply 1: the value is {value:?}, expected three probabilities that sum to 1 within 0.001"
        );
        check_refused(|game| game.plies[1].value = Some(value), &expected);
    }
}

#[test]
fn results_that_the_board_contradicts_are_refused() {
    check_refused(
        |game| game.outcome.winner = Some(Color::White),
        "the record says white won by checkmate, but on the board the game is over: black won by \
         checkmate",
    );
    check_refused(
        |game| game.plies.truncate(4),
        "the record says black won by checkmate, but on the board the game is not over in that way",
    );
    check_refused(
        |game| game.outcome = Outcome::win(Color::White, EndReason::Declaration),
        "the record says white won by declaration, but on the board the game is over: black won \
         by failed-declaration",
    );
}

/// A game without moves that ended so.
fn ended_at(sfen: &str, declaration: DeclarationRule, outcome: Outcome) -> GameRecord {
    let mut game = small_game();
    game.start = Position::from_sfen(sfen).unwrap();
    game.rules.declaration = declaration;
    game.plies.clear();
    game.outcome = outcome;
    game
}

#[test]
fn what_a_player_says_is_compared_with_the_board() {
    let entered = "K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b - 1";
    let drawn = Outcome::draw(EndReason::DeclaredDraw);
    ended_at(entered, DeclarationRule::Points24, drawn)
        .check()
        .unwrap();
    let fault = ended_at(entered, DeclarationRule::Points27, drawn).check();
    assert_eq!(
        fault.unwrap_err().to_string(),
        "the record says draw by declared-draw, but on the board the game is over: white won by \
         failed-declaration"
    );
    let counted = Outcome::win(Color::Black, EndReason::Impasse);
    ended_at(entered, DeclarationRule::None, counted)
        .check()
        .unwrap();
    let fault = ended_at(
        entered,
        DeclarationRule::None,
        Outcome::draw(EndReason::Impasse),
    )
    .check();
    assert!(matches!(fault, Err(RecordFault::WrongOutcome { .. })));
}

#[test]
fn a_try_stands_on_the_board() {
    let start = "3k5/5K3/9/9/9/9/9/9/9 b - 1";
    let tried = Outcome::win(Color::Black, EndReason::Try);
    let mut game = ended_at(start, DeclarationRule::Try, tried);
    assert!(matches!(
        game.check(),
        Err(RecordFault::WrongOutcome { .. })
    ));
    game.plies.push(ply("4b5a", PlyKind::Mate, None));
    assert!(matches!(game.check(), Err(RecordFault::IllegalMove { .. })));
    game.start = Position::from_sfen("2k6/5K3/9/9/9/9/9/9/9 b - 1").unwrap();
    game.check().unwrap();
}

#[test]
fn result_that_needs_no_board_is_believed() {
    let mut game = small_game();
    game.plies.truncate(4);
    game.outcome = Outcome::win(Color::White, EndReason::Resignation);
    game.check().unwrap();
}

#[test]
fn plies_after_the_end_are_refused() {
    check_refused(
        |game| game.plies.push(ply("5a5b", PlyKind::Full, None)),
        "ply 5: found a move, but the game ended before it by checkmate",
    );
}

#[test]
fn games_that_do_not_fit_the_format_are_refused() {
    check_refused(
        |game| game.plies = vec![game.plies[0].clone(); 65_536],
        "the game has 65536 plies, at most 65535 can be kept",
    );
}

#[test]
fn a_game_comes_back_from_its_bytes() {
    let game = small_game();
    let bytes = game.to_bytes().unwrap();
    let back = GameRecord::from_bytes(&bytes).unwrap();
    assert_eq!(back.to_bytes().unwrap(), bytes);
}

#[test]
fn bytes_of_strangers_are_refused_with_the_reason() {
    let bytes = small_game().to_bytes().unwrap();
    for length in 0..bytes.len() {
        let fault = GameRecord::from_bytes(&bytes[..length]).unwrap_err();
        assert!(matches!(fault, BytesFault::Layout(_)), "{length}");
    }
    let mut impossible = small_game();
    impossible.plies[0].mv = mv("5i5g");
    let fault = GameRecord::from_bytes(&encode_game(&impossible)).unwrap_err();
    assert!(matches!(
        fault,
        BytesFault::Impossible(RecordFault::IllegalMove { ply: 0, .. })
    ));
}
