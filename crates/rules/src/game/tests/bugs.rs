//! Faults that other programs had: `testdata/bugs.tsv`, a row for each with its input and the right
//! value. The tests are named by what is true and take their input from the row.

use std::collections::BTreeSet;

use super::*;
use crate::{Declaration, DeclarationRule, PieceKind, perft};

const BUGS: &str = include_str!("../../../testdata/bugs.tsv");

/// Rows that are tested here.
const TESTED_HERE: [u32; 24] = [
    1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 25, 28, 29, 30, 32, 34, 36, 37, 38,
];
/// Rows about a part of the program that is elsewhere, and the crate whose tests name the row.
const TESTED_ELSEWHERE: [(u32, &str); 5] = [
    (21, "arena"),
    (22, "selfplay"),
    (24, "usi"),
    (26, "kifu"),
    (33, "search"),
];

/// The columns "minimal input" and "right value" of a row.
fn row(number: u32) -> (&'static str, &'static str) {
    let line = BUGS
        .lines()
        .find(|line| line.split('\t').next() == Some(&number.to_string()))
        .unwrap_or_else(|| panic!("no row {number}"));
    let fields: Vec<&str> = line.split('\t').collect();
    (fields[4], fields[5])
}

/// The position that is the whole input of a row.
fn position(number: u32) -> Position {
    Position::from_sfen(row(number).0).unwrap()
}

fn is_legal(position: &Position, mv: &str) -> bool {
    let mv = mv.parse().unwrap();
    let reason = position.why_illegal(mv);
    assert_eq!(position.is_legal(mv), reason.is_none(), "{reason:?}");
    reason.is_none()
}

fn why(position: &Position, mv: &str) -> Option<IllegalReason> {
    position.why_illegal(mv.parse().unwrap())
}

/// The input `… moves M M M M (three times)`, played so often.
fn cycle(number: u32, times: usize) -> Game {
    let (input, _) = row(number);
    let (start, moves) = input.split_once(" moves ").unwrap();
    let moves = moves.trim_end_matches(" (three times)");
    let text = format!("{start} moves {}", vec![moves; times].join(" "));
    game(&text, no_limit())
}

#[test]
fn every_row_is_tested_somewhere() {
    let rows: BTreeSet<u32> = BUGS
        .lines()
        .skip(1)
        .map(|line| line.split('\t').next().unwrap().parse().unwrap())
        .collect();
    let elsewhere = TESTED_ELSEWHERE.map(|(number, _)| number);
    let tested = TESTED_HERE.iter().chain(&elsewhere);
    assert_eq!(tested.copied().collect::<BTreeSet<u32>>(), rows);
}

/// Row 1.
#[test]
fn only_own_pawns_bar_a_file() {
    let position = position(1);
    assert_eq!(position.legal_moves().len(), 92);
    assert!(is_legal(&position, "P*8c"));
}

/// Row 2.
#[test]
fn no_bishop_move_is_missing() {
    let position = position(2);
    assert_eq!(position.legal_moves().len(), 39);
    assert!(is_legal(&position, "9d6g"));
}

/// Row 4.
#[test]
fn hands_count_beyond_nine() {
    assert_eq!(position(4).hand(Color::White).count(PieceKind::Pawn), 17);
}

/// Rows 5 and 6.
#[test]
fn a_dropped_pawn_that_opens_a_flight_square_does_not_mate() {
    for (number, n_moves) in [(5, 95), (6, 98)] {
        let position = position(number);
        assert_eq!(position.legal_moves().len(), n_moves, "row {number}");
        assert!(is_legal(&position, "P*2b"), "row {number}");
    }
}

/// Row 8.
#[test]
fn pawn_drop_mate_needs_no_own_king() {
    let position = position(8);
    assert_eq!(position.legal_moves().len(), 90);
    assert_eq!(why(&position, "P*1b"), Some(IllegalReason::PawnDropMate));
}

/// Row 9.
#[test]
fn pawn_drop_mates_are_not_in_the_move_list() {
    assert_eq!(perft(&mut position(9), 1), 92);
}

/// Row 10.
#[test]
fn non_promotions_without_use_are_counted() {
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let expected = [25_470, 719_731, 19_861_490, 547_581_517];
    for (depth, nodes) in (3..).zip(expected).take(if slow { 4 } else { 2 }) {
        assert_eq!(perft(&mut Position::startpos(), depth), nodes, "{depth}");
    }
}

/// Row 12.
#[test]
fn a_rook_does_not_promote_in_its_own_camp() {
    let (input, _) = row(12);
    let (text, mv) = input.split_once(" with ").unwrap();
    let game = game(text, no_limit());
    let reason = why(game.position(), mv);
    assert_eq!(reason, Some(IllegalReason::PromotionOutsideZone));
}

/// Row 13.
#[test]
fn the_giver_of_a_handicap_is_credited_with_what_it_gave() {
    let sfen = row(13).0.trim_end_matches(" in a two-piece handicap game");
    let fragment = game(sfen, no_limit());
    assert_eq!(fragment.declaration_points(Color::White), 17);
    assert_eq!(fragment.declaration(), Declaration::No);
    let whole = fragment.with_given_points(Color::White, 10);
    assert_eq!(whole.declaration_points(Color::White), 27);
    assert_eq!(whole.declaration(), Declaration::Win);
}

/// Row 14.
#[test]
fn a_position_read_anew_knows_that_it_is_in_check() {
    let sfen = row(14).0.trim_start_matches("pack and unpack ");
    let position = Position::from_sfen(sfen).unwrap();
    let again = Position::from_sfen(&position.to_string()).unwrap();
    assert!(again.in_check());
    assert_eq!(again.legal_moves().len(), 5);
}

/// Row 16.
#[test]
fn a_declaration_one_point_short_loses() {
    let game = game(row(16).0.split_once(" (").unwrap().0, no_limit());
    assert_eq!(game.declaration_points(Color::Black), 27);
    assert_eq!(
        game.declare(),
        Outcome::win(Color::White, EndReason::FailedDeclaration)
    );
}

/// Row 17.
#[test]
fn who_checks_for_ever_loses() {
    let expected = Outcome::win(Color::White, EndReason::PerpetualCheck);
    assert_eq!(cycle(17, 3).outcome(), Some(expected));
}

/// Rows 18 and 37.
#[test]
fn who_checks_for_ever_loses_by_the_own_move_too_and_from_a_start_in_check() {
    let expected = Outcome::win(Color::White, EndReason::PerpetualCheck);
    for number in [18, 37] {
        let game = cycle(number, 3);
        assert_eq!(game.position().side_to_move(), Color::White);
        assert_eq!(game.outcome(), Some(expected), "row {number}");
    }
}

/// Row 20.
#[test]
fn a_long_cycle_ends_the_game_and_one_checking_cycle_does_not() {
    // The long cycle is R17 of cases.tsv.
    let (_, one_cycle) = row(20).0.split_once("; ").unwrap();
    let game = game(one_cycle, no_limit());
    assert_eq!((game.moves().len(), game.outcome()), (4, None));
}

/// Row 25.
#[test]
fn what_is_no_position_is_an_error() {
    assert!(Position::from_sfen(row(25).0).is_err());
}

/// Row 28.
#[test]
fn hands_in_any_order_add_up() {
    let written = position(28).to_string();
    assert_eq!(written.split(' ').nth(2), Some("S2P2b2p"));
}

/// Row 29.
#[test]
fn a_position_without_a_move_number_has_number_1() {
    let position = position(29);
    assert_eq!(position.ply(), 0);
    assert!(position.to_string().ends_with(" b - 1"));
}

/// Row 30.
#[test]
fn a_pinned_bishop_moves_along_the_pin_and_nowhere_else() {
    let position = position(30);
    assert!(is_legal(&position, "4c3d"));
    assert_eq!(why(&position, "4c5d"), Some(IllegalReason::LeftInCheck));
}

/// Row 32.
#[test]
fn a_quiet_game_ends_by_repetition_or_the_limit_only() {
    let mut game = Game::new(Position::startpos(), no_limit());
    while game.moves().len() < 300 {
        // The first quiet move that leads to a position not seen yet.
        let legal = game.position().legal_moves();
        let went_on = legal.iter().any(|&mv| {
            let takes = game.position().piece_at(mv.to()).is_some();
            if takes || mv.is_promotion() {
                return false;
            }
            game.play_unchecked(mv);
            let is_new = game.repetitions() == 1;
            if !is_new {
                game.undo();
            }
            is_new
        });
        assert!(went_on, "no quiet move in {}", game.position());
        assert_eq!(game.outcome(), None, "{}", game.position());
    }
}

/// Row 34.
#[test]
fn pawn_drop_mate_is_seen_for_white_in_evasions_and_on_an_open_board() {
    let (input, expected) = row(34);
    let expected: Vec<&str> = expected.split("; ").collect();
    for (part, &expected) in input.split("; ").zip(&expected) {
        let (sfen, mv) = part.trim_end_matches(')').split_once(" (").unwrap();
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(is_legal(&position, mv), expected == "legal", "{part}");
        if expected == "illegal" {
            assert_eq!(why(&position, mv), Some(IllegalReason::PawnDropMate));
        }
    }
    assert_eq!(expected.len(), 5);
}

/// Row 36.
#[test]
fn a_pinned_piece_cannot_take_the_pawn() {
    let position = position(36);
    assert_eq!(position.legal_moves().len(), 106);
    assert_eq!(why(&position, "P*1b"), Some(IllegalReason::PawnDropMate));
}

/// Row 38.
#[test]
fn a_bad_board_is_refused_and_no_piece_of_a_mixed_hand_is_lost() {
    let (too_long, _) = row(38).0.split_once(" (").unwrap();
    assert!(Position::from_sfen(too_long).is_err());
    let promoted_gold = "+G3k4/9/9/9/9/9/9/9/4K4 b - 1";
    assert!(Position::from_sfen(promoted_gold).is_err());
    let mixed = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b PSPpbpb 1").unwrap();
    assert_eq!(mixed.to_string(), "4k4/9/9/9/9/9/9/9/4K4 b S2P2b2p 1");
}

#[test]
fn a_declaration_is_no_part_of_the_outcome() {
    let rules = GameRules {
        declaration: DeclarationRule::Points27,
        ..no_limit()
    };
    // Row 24: the engine that may declare is asked in the crate `usi`.
    let game = game(row(24).0.split_once(", go").unwrap().0, rules);
    assert_eq!(
        (game.declaration(), game.outcome()),
        (Declaration::Win, None)
    );
}
