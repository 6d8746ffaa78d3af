use std::time::Duration;

use super::*;

fn notes(scores: &[Option<i32>]) -> Vec<MoveNote> {
    let note = |score: &Option<i32>| MoveNote {
        score: score.map(Score::Cp),
        time: Duration::ZERO,
    };
    scores.iter().map(note).collect()
}

#[track_caller]
fn check(scores: &[Option<i32>], expected: Option<Ruling>) {
    let rules = Adjudication {
        resign: Some(ResignRule {
            score: 1000,
            moves: 2,
        }),
        draw: Some(DrawRule {
            after_ply: 50,
            score: 10,
            moves: 2,
        }),
    };
    let ruling = rules.rule(&notes(scores), 60, Color::White);
    assert_eq!(ruling, expected, "{scores:?}");
    if expected == Some(Ruling::Drawn) {
        assert_eq!(rules.rule(&notes(scores), 49, Color::White), None);
    }
    assert_eq!(
        Adjudication::default().rule(&notes(scores), 60, Color::White),
        None
    );
}

const NONE: Option<i32> = None;

#[test]
fn the_side_to_move_is_lost_if_it_says_so_and_its_opponent_does_not_deny_it() {
    // The last note is Black's.
    let lost = Some(Ruling::Lost(Color::White));
    check(&[Some(-1000), Some(1000), Some(-2000), Some(1100)], lost);
    check(&[Some(-1000), NONE, Some(-2000), NONE], lost);
    // Black has to wait until it is to move itself.
    check(&[Some(1000), Some(-1000), Some(2000), Some(-1100)], None);
}

#[test]
fn doubt_of_either_side_keeps_a_game_going() {
    check(&[Some(-1000), Some(1100), Some(-2000), Some(900)], None);
    check(&[Some(-999), Some(1100), Some(-2000), Some(1100)], None);
    check(&[NONE, Some(2000), NONE, Some(2000)], None);
    check(&[Some(-2000), Some(2000)], None);
    check(&[], None);
}

#[test]
fn proven_losses_are_beyond_every_bound() {
    let rule = ResignRule {
        score: i32::MAX as u32,
        moves: 1,
    };
    let note = |score| MoveNote {
        score: Some(score),
        time: Duration::ZERO,
    };
    assert!(rule.has_lost(&[note(Score::Mate(-4)), note(Score::Mate(5))]));
    assert!(rule.has_lost(&[note(Score::Lost), note(Score::Won)]));
    assert!(!rule.has_lost(&[note(Score::Won), note(Score::Lost)]));
}

#[test]
fn long_games_without_ideas_are_drawn() {
    let drawn = Some(Ruling::Drawn);
    check(&[Some(900), Some(10), Some(-10), Some(0), Some(3)], drawn);
    check(&[Some(10), Some(-10), Some(0), Some(11)], None);
    check(&[Some(0), NONE, Some(0), Some(0)], None);
    check(&[Some(0), Some(0), Some(0)], None);
}

#[test]
fn rules_without_moves_or_bound_are_refused() {
    let with = |score, moves| Adjudication {
        resign: Some(ResignRule { score, moves }),
        draw: None,
    };
    assert!(with(1, 1).check().is_ok());
    assert_eq!(
        with(0, 1).check().unwrap_err().to_string(),
        "resign.score = 0: expected a whole number of at least 1"
    );
    assert!(with(1, 0).check().is_err());
    let draw = DrawRule {
        after_ply: 0,
        score: 0,
        moves: 0,
    };
    let draw = Adjudication {
        resign: None,
        draw: Some(draw),
    };
    assert!(draw.check().is_err());
}
