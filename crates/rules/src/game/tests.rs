use super::*;
use crate::{IllegalReason, Position, Square};

mod bugs;
mod cases;

/// A game from `sfen … moves …` or `startpos moves …`, stopped at its end.
fn game(text: &str, rules: GameRules) -> Game {
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut game = Game::new(Position::from_sfen(start).unwrap(), rules);
    for mv in moves.split_whitespace() {
        if game.outcome().is_some() {
            break;
        }
        game.play(mv.parse().unwrap()).unwrap();
    }
    game
}

fn result_of(game: &Game) -> &'static str {
    match game.outcome().map(|outcome| outcome.winner) {
        None => "ongoing",
        Some(None) => "draw",
        Some(Some(Color::Black)) => "black_wins",
        Some(Some(Color::White)) => "white_wins",
    }
}

fn no_limit() -> GameRules {
    GameRules {
        max_ply: None,
        ..GameRules::default()
    }
}

fn jsa(max_ply: u32) -> GameRules {
    GameRules {
        max_ply: Some(max_ply),
        max_ply_style: PlyLimitStyle::Jsa,
        ..GameRules::default()
    }
}

#[test]
fn undo_restores_position_repetitions_and_outcome() {
    let cycle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    let mut game = Game::new(Position::startpos(), no_limit());
    let mut counts = vec![game.repetitions()];
    for mv in cycle.iter().cycle().take(12) {
        game.play(mv.parse().unwrap()).unwrap();
        counts.push(game.repetitions());
    }
    assert_eq!(result_of(&game), "draw");
    while let Some(count) = counts.pop() {
        assert_eq!(game.repetitions(), count);
        game.undo();
    }
    assert_eq!(game.position(), &Position::startpos());
    assert!(game.moves().is_empty());
}

#[test]
fn the_second_occurrence_counts_in_search_but_does_not_end_the_game() {
    let moves = "startpos moves 2h3h 8b7b 3h2h 7b8b";
    let game = game(moves, no_limit());
    assert_eq!(game.outcome(), None);
    assert_eq!(
        game.repetition_in_search(),
        Some(Outcome::draw(EndReason::Repetition))
    );
}

#[test]
fn in_search_the_checking_side_loses_a_repetition_of_checks() {
    let moves = "sfen 8k/R8/9/9/9/9/9/9/K8 b - 1 moves 9b9a 1a1b 9a9b 1b1a";
    let game = game(moves, no_limit());
    let expected = Outcome::win(Color::White, EndReason::PerpetualCheck);
    assert_eq!(game.repetition_in_search(), Some(expected));
}

#[test]
fn mutual_perpetual_check_is_a_draw() {
    for side in Color::ALL {
        assert_eq!(
            repetition_outcome(side, true, true),
            Outcome::draw(EndReason::Repetition)
        );
        assert_eq!(
            repetition_outcome(side, true, false).winner,
            Some(side),
            "the side that was always in check wins"
        );
    }
}

#[test]
fn the_repetition_of_a_game_is_the_one_that_its_positions_show() {
    // Few moves to choose from, so that positions recur often and in all orders.
    let start = "sfen 8k/R8/9/9/9/9/9/9/K8 b - 1";
    let wanted = [
        "9b9a", "9a9b", "9b9c", "9c9b", "1a1b", "1b1a", "1a2a", "2a1a", "9a9c", "9c9a",
    ];
    let wanted = wanted.map(|mv| mv.parse::<Move>().unwrap());
    let mut stream = 7_u64;
    let (mut n_ended, mut n_perpetual) = (0, 0);
    for _ in 0..1_500 {
        let mut game = game(start, no_limit());
        let mut positions = vec![game.position().clone()];
        while game.outcome().is_none() && game.moves().len() < 60 {
            let legal = game.position().legal_moves();
            let choices: Vec<Move> = wanted
                .iter()
                .copied()
                .filter(|mv| legal.contains(mv))
                .collect();
            if choices.is_empty() {
                break;
            }
            stream = stream
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            game.play(choices[(stream >> 33) as usize % choices.len()])
                .unwrap();
            positions.push(game.position().clone());
        }
        let expected = slow_repetition(&positions);
        assert_eq!(game.outcome(), expected, "{:?}", game.moves());
        n_ended += u32::from(expected.is_some());
        n_perpetual += u32::from(expected.is_some_and(|end| end.winner.is_some()));
    }
    assert!(n_ended > 400 && n_perpetual > 5, "{n_ended} {n_perpetual}");
}

/// The rule as it is written: compares positions as such, and counts from the first occurrence.
fn slow_repetition(positions: &[Position]) -> Option<Outcome> {
    let without_number = |position: &Position| {
        let sfen = position.to_string();
        sfen.rsplit_once(' ').unwrap().0.to_owned()
    };
    let last = without_number(positions.last()?);
    let same = |position: &Position| without_number(position) == last;
    if positions.iter().filter(|position| same(position)).count() < 4 {
        return None;
    }
    let first = positions.iter().position(same)?;
    let checked = |side: Color| {
        let mut to_move = positions[first + 1..]
            .iter()
            .filter(|position| position.side_to_move() == side);
        to_move.all(Position::in_check)
    };
    Some(match (checked(Color::Black), checked(Color::White)) {
        (true, false) => Outcome::win(Color::Black, EndReason::PerpetualCheck),
        (false, true) => Outcome::win(Color::White, EndReason::PerpetualCheck),
        _ => Outcome::draw(EndReason::Repetition),
    })
}

#[test]
fn a_position_is_found_again_after_thousands_of_plies() {
    // Two kings on rounds of 30 and 34 squares meet again after 510 plies of each.
    let mut game = game("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1", no_limit());
    let round = |files: &[u8], near: u8, far: u8| -> Vec<Square> {
        let square = |file, rank| Square::from_file_rank(file, rank).unwrap();
        let there = files.iter().map(|&file| square(file, near));
        let back = files.iter().rev().map(|&file| square(file, far));
        there.chain(back).collect()
    };
    let rounds = [round(&[5, 6, 7, 8, 9], 9, 8), round(&[5, 4, 3, 2], 1, 2)];
    let mut first_return = None;
    for ply in 0..2_000_usize {
        let round = &rounds[ply % 2];
        let at = |step: usize| round[step % round.len()];
        game.play(Move::board(at(ply / 2), at(ply / 2 + 1), false))
            .unwrap();
        if game.repetitions() > 1 && first_return.is_none() {
            first_return = Some(ply + 1);
        }
    }
    // 40 steps of each king are whole rounds of both.
    assert_eq!(first_return, Some(80));
    assert_eq!(game.repetitions(), 2_000 / 80 + 1);
    while game.moves().len() > 400 {
        game.undo();
    }
    assert_eq!(game.repetitions(), 400 / 80 + 1);
}

#[test]
fn an_illegal_move_is_refused_with_its_reason_and_changes_nothing() {
    let mut game = Game::new(Position::startpos(), no_limit());
    let mv = Move::board(Square::new(0).unwrap(), Square::new(80).unwrap(), false);
    let error = game.play(mv).unwrap_err();
    assert_eq!(
        (error.mv, error.side, error.reason),
        (mv, Color::Black, IllegalReason::WrongTurn)
    );
    assert_eq!(
        error.to_string(),
        "move 1a9i is illegal in \
         lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1: \
         it is not the turn of the piece's side"
    );
    assert_eq!(game.position(), &Position::startpos());
}

#[test]
fn who_makes_an_illegal_move_has_lost_by_the_rule_that_it_breaks() {
    let mut game = game("sfen k8/9/9/9/9/9/2P6/9/K8 b P 1", no_limit());
    let error = game.play("P*7d".parse().unwrap()).unwrap_err();
    let expected = EndReason::Foul(IllegalReason::TwoPawns);
    assert_eq!(error.outcome(), Outcome::win(Color::White, expected));
}

#[test]
fn a_plain_limit_does_not_wait_for_checks() {
    let rules = GameRules {
        max_ply: Some(1),
        ..GameRules::default()
    };
    let game = game("sfen 8k/R8/9/9/9/9/9/9/K8 b - 1 moves 9b9a", rules);
    assert_eq!(game.outcome(), Some(Outcome::draw(EndReason::PlyLimit)));
}

#[test]
fn perpetual_check_loses_beyond_the_associations_limit_too() {
    let cycle = "9b9a 1a1b 9a9b 1b1a";
    let checks = format!("sfen 8k/R8/9/9/9/9/9/9/K8 b - 1 moves {cycle} {cycle} {cycle}");
    let game = game(&checks, jsa(1));
    assert_eq!(game.moves().len(), 12);
    let expected = Outcome::win(Color::White, EndReason::PerpetualCheck);
    assert_eq!(game.outcome(), Some(expected));
}

#[test]
fn only_a_check_by_the_move_that_reaches_the_limit_prolongs_the_game() {
    // The check came a ply too early: the limit is reached by the answer.
    let text = "sfen 8k/R8/9/9/9/9/9/9/K8 b - 1 moves 9b9a 1a1b";
    assert_eq!(result_of(&game(text, jsa(2))), "draw");
    assert_eq!(result_of(&game(text, jsa(3))), "ongoing");
}

#[test]
fn a_game_that_begins_in_check_beyond_the_limit_goes_on_while_the_checks_do() {
    let start = "sfen R7k/9/9/9/9/9/9/9/K8 w - 600";
    assert_eq!(result_of(&game(start, jsa(500))), "ongoing");
    let checks = format!("{start} moves 1a1b 9a9b");
    assert_eq!(result_of(&game(&checks, jsa(500))), "ongoing");
    let quiet = format!("{start} moves 1a1b 9a9c");
    assert_eq!(result_of(&game(&quiet, jsa(500))), "draw");
    let unchecked = "sfen 8k/R8/9/9/9/9/9/9/K8 w - 600";
    assert_eq!(result_of(&game(unchecked, jsa(500))), "draw");
}
