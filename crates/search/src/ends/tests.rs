use rules::{DeclarationRule, GameRules, PlyLimitStyle};

use super::Judge;
use crate::LeafMate;
use crate::search::tests::{game, game_with};
use crate::tree::Status;

#[track_caller]
fn check_status(usi: &str, expected: Status) {
    let mut game = game(usi);
    let legal_moves = game.position().legal_moves();
    let (status, mate) = Judge::new().judge(&mut game, &legal_moves, LeafMate::One);
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
    let mut game = game_with(usi, rules);
    let legal_moves = game.position().legal_moves();
    let (status, mv) = Judge::new().judge(&mut game, &legal_moves, LeafMate::Three);
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

#[track_caller]
fn check_leaf_mate(usi: &str, leaf_mate: LeafMate, expected: Status) {
    let mut game = game(usi);
    let before = game.clone();
    let legal_moves = game.position().legal_moves();
    let (status, first) = Judge::new().judge(&mut game, &legal_moves, leaf_mate);
    assert_eq!(status, expected, "{usi}");
    assert_eq!(first.is_some(), status != Status::Open);
    assert_eq!(game.position(), before.position());
    assert_eq!(game.moves(), before.moves());
}

const MATES_IN_THREE: [&str; 2] = [
    "9/k8/1L7/P8/9/9/RP7/3K5/9 b - 1",
    "6k2/9/7G1/5s1gp/9/9/9/9/4K4 b RSr2b2g2s4n4l17p 1",
];

#[test]
fn the_length_of_the_mates_looked_for_is_an_option() {
    let mate_in_one = "8k/9/8P/9/9/9/9/9/K8 b G 1";
    check_leaf_mate(mate_in_one, LeafMate::None, Status::Open);
    check_leaf_mate(mate_in_one, LeafMate::One, Status::Won { plies: 1 });
    check_leaf_mate(mate_in_one, LeafMate::Three, Status::Won { plies: 1 });
    for mate_in_three in MATES_IN_THREE {
        check_leaf_mate(mate_in_three, LeafMate::One, Status::Open);
        check_leaf_mate(mate_in_three, LeafMate::Three, Status::Won { plies: 3 });
    }
    check_leaf_mate("startpos", LeafMate::Three, Status::Open);
    // A mate in three that begins without a check is for the tree to find.
    let quiet = "5k3/3sL4/4G2S1/9/9/9/9/9/K8 b - 1";
    check_leaf_mate(quiet, LeafMate::Three, Status::Open);
}

/// The first move of the mate in three of this game.
#[track_caller]
fn first_of_three(usi: &str) -> Option<String> {
    let mut game = game(usi);
    let legal_moves = game.position().legal_moves();
    let win = Judge::new().win(&mut game, &legal_moves, LeafMate::Three);
    win.map(|win| win.first.to_string())
}

#[test]
fn a_mate_that_repeats_a_position_is_none() {
    // Two dragons drive the king to the edge: 8d8b, 1b1a, 9c9a. Black went back instead, and would
    // now repeat the position after 8d8b.
    let start = "9/8k/+R8/1+R7/9/9/9/9/K8 b - 1";
    assert_eq!(first_of_three(start).as_deref(), Some("8d8b"));
    let circle = format!("{start} moves 8d8b 1b1a 8b8d 1a1b");
    assert_eq!(first_of_three(&circle), None);
}

#[test]
fn a_mate_in_three_must_come_before_the_ply_limit() {
    let mate = |max_ply| {
        let rules = GameRules {
            max_ply: Some(max_ply),
            ..GameRules::default()
        };
        let mut game = game_with(MATES_IN_THREE[0], rules);
        let legal_moves = game.position().legal_moves();
        Judge::new().win(&mut game, &legal_moves, LeafMate::Three)
    };
    // Plies 0, 1 and 2: the limit of 2 ends the game before the last of them.
    assert_eq!(mate(2), None);
    assert_eq!(mate(3).map(|win| win.plies), Some(3));
}
