use kifu::GameResult;
use rules::{EndReason, Outcome, Position};

use super::*;

fn played() -> GameRecord {
    let ply = |usi: &str, value| PlyRecord {
        mv: usi.parse().unwrap(),
        kind: PlyKind::Full,
        value,
        policy: Vec::new(),
    };
    GameRecord {
        id: 7,
        seed: 8,
        generation: 9,
        start: Position::startpos(),
        rules: GameRules::default(),
        plies: vec![
            ply("7g7f", Some([0.75, 0.0, 0.25])),
            ply("3c3d", None),
            ply("2g2f", Some([0.0, 1.0, 0.0])),
            ply("8c8d", Some([0.75, 0.0, 0.25])),
        ],
        outcome: Outcome::win(Color::White, EndReason::Resignation),
    }
}

#[test]
fn a_record_becomes_a_game_with_evaluations_from_blacks_view() {
    let text = Game::Record(Box::new(played())).into_text();
    assert_eq!(text.result(), GameResult::Win(Color::White));
    assert_eq!(
        text.header(&HeaderKey::Event),
        Some("self-play, game 7, generation 9, seed 8")
    );
    assert_eq!(text.header(&HeaderKey::MaxMoves), Some("512"));
    assert_eq!(text.header(&HeaderKey::Jishogi), Some("27"));
    let scores: Vec<Option<i32>> = text
        .main
        .plies
        .iter()
        .map(|ply| match ply.notes[..] {
            [Note::Analysis(ref analysis)] => Some(analysis.score),
            _ => None,
        })
        .collect();
    // 600 ln 3; White's advantage counts against Black.
    assert_eq!(scores, [Some(659), None, Some(0), Some(-659)]);
}

#[test]
fn a_record_stays_what_it_is_between_records() {
    let record = Game::Record(Box::new(played())).into_record(1).unwrap();
    assert_eq!((record.id, record.seed), (7, 8));
    assert_eq!(record.plies, played().plies);
}

#[test]
fn a_text_becomes_a_record_if_it_has_a_result() {
    let mut text = Game::Record(Box::new(played())).into_text();
    let record = Game::Text(Box::new(text.clone())).into_record(3).unwrap();
    assert_eq!(record.check(), Ok(()));
    assert_eq!((record.id, record.outcome), (3, played().outcome));
    assert!(
        record
            .plies
            .iter()
            .all(|ply| ply.policy.is_empty() && ply.value.is_none())
    );

    text.main.end = Some(End::new(Ending::MaxMoves));
    let drawn = Game::Text(Box::new(text.clone())).into_record(1).unwrap();
    assert_eq!(drawn.rules.max_ply, Some(4));
    assert_eq!(drawn.check(), Ok(()));

    text.main.end = Some(End::new(Ending::Interrupt));
    let error = Game::Text(Box::new(text)).into_record(1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the game has no result, and a record needs one"
    );
}

#[test]
fn an_illegal_last_move_is_left_out_of_a_record() {
    let moves = ["7g7f", "3c3d", "P*5e"].map(|mv| mv.parse().unwrap());
    let mut text = Record::new(Position::startpos(), moves);
    text.main.end = Some(End::new(Ending::Foul(Color::Black)));
    let record = Game::Text(Box::new(text)).into_record(1).unwrap();
    assert_eq!(record.plies.len(), 2);
    assert_eq!(record.outcome.winner, Some(Color::White));
    assert_eq!(record.check(), Ok(()));
}
