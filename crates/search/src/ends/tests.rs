use rules::{DeclarationRule, GameRules, PlyLimitStyle};

use super::judge;
use crate::search::tests::{game, game_with};
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

#[track_caller]
fn check_under(rules: GameRules, usi: &str, expected: Status, winning: Option<&str>) {
    let game = game_with(usi, rules);
    let (status, mv) = judge(&game, &game.position().legal_moves());
    assert_eq!(status, expected, "{usi}");
    assert_eq!(mv, winning.map(|mv| mv.parse().unwrap()), "{usi}");
}

fn declared_under(declaration: DeclarationRule) -> GameRules {
    GameRules {
        declaration,
        ..GameRules::default()
    }
}

#[test]
fn a_declaration_is_certain_only_where_it_wins() {
    let entered = "K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b";
    let (draw, win) = (format!("{entered} P 1"), format!("{entered} 5P 1"));
    let points24 = declared_under(DeclarationRule::Points24);
    check_under(points24, &draw, Status::Open, None);
    check_under(points24, &win, Status::Won { plies: 1 }, None);
}

#[test]
fn a_try_is_a_win_in_one_ply() {
    let near = "9/4K4/9/9/9/9/9/9/4k4 b - 1";
    let try_rule = declared_under(DeclarationRule::Try);
    check_under(try_rule, near, Status::Won { plies: 1 }, Some("5b5a"));
    let points = declared_under(DeclarationRule::Points27);
    check_under(points, near, Status::Open, None);
    let tried = format!("{near} moves 5b5a");
    check_under(try_rule, &tried, Status::Lost { plies: 0 }, None);
}

#[test]
fn checks_prolong_a_game_at_the_association_s_limit() {
    let rules = |max_ply_style| GameRules {
        max_ply: Some(1),
        max_ply_style,
        ..GameRules::default()
    };
    let checked = "8k/R8/9/9/9/9/9/9/K8 b - 1 moves 9b9a";
    check_under(rules(PlyLimitStyle::Plain), checked, Status::Drawn, None);
    check_under(rules(PlyLimitStyle::Jsa), checked, Status::Open, None);
    let quiet = format!("{checked} 1a1b 9a9c");
    check_under(rules(PlyLimitStyle::Jsa), &quiet, Status::Drawn, None);
}
