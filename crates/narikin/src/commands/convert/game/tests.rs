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
    let text = Game::Record(Box::new(played()))
        .into_text(&ConversionOptions::default())
        .unwrap();
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
    let record = Game::Record(Box::new(played()))
        .into_record(1, &ConversionOptions::default())
        .unwrap();
    assert_eq!((record.id, record.seed), (7, 8));
    assert_eq!(record.plies, played().plies);
}

#[test]
fn a_text_becomes_a_record_if_it_has_a_result() {
    let mut text = Game::Record(Box::new(played()))
        .into_text(&ConversionOptions::default())
        .unwrap();
    let record = Game::Text(Box::new(text.clone()))
        .into_record(3, &ConversionOptions::default())
        .unwrap();
    assert_eq!(record.check(), Ok(()));
    assert_eq!((record.id, record.outcome), (3, played().outcome));
    assert!(
        record
            .plies
            .iter()
            .all(|ply| ply.policy.is_empty() && ply.value.is_none())
    );

    text.main.end = Some(End::new(Ending::MaxMoves));
    let drawn = Game::Text(Box::new(text.clone()))
        .into_record(1, &ConversionOptions::default())
        .unwrap();
    assert_eq!(drawn.rules.max_ply, Some(4));
    assert_eq!(drawn.check(), Ok(()));

    text.main.end = Some(End::new(Ending::Interrupt));
    let error = Game::Text(Box::new(text))
        .into_record(1, &ConversionOptions::default())
        .unwrap_err();
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
    let record = Game::Text(Box::new(text))
        .into_record(1, &ConversionOptions::default())
        .unwrap();
    assert_eq!(record.plies.len(), 2);
    assert_eq!(record.outcome.winner, Some(Color::White));
    assert_eq!(record.check(), Ok(()));
}

#[test]
fn a_text_becomes_training_data_with_the_move_played_as_policy() {
    let options = ConversionOptions::default();
    let text = Game::Record(Box::new(played()))
        .into_text(&options)
        .unwrap();
    let game = Game::Text(Box::new(text)).into_hcpe3(&options).unwrap();
    assert_eq!(game.start, Position::startpos());
    assert_eq!(game.result.winner, Some(Color::White));
    let plies: Vec<_> = game
        .plies
        .iter()
        .map(|ply| (ply.mv.to_string(), ply.eval, ply.candidates.len()))
        .collect();
    // Of the side to move: 0.75 and 0.5 by the scale of the USI engine, none for the second move.
    let expected = [("7g7f", 659), ("3c3d", 0), ("2g2f", 0), ("8c8d", 659)];
    assert_eq!(plies, expected.map(|(mv, eval)| (mv.to_owned(), eval, 1)));
    assert!(game.plies.iter().all(|ply| ply.candidates == [(ply.mv, 1)]));
}

#[test]
fn training_data_becomes_a_text_with_evaluations_from_blacks_view() {
    let options = ConversionOptions::default();
    let game = Game::Record(Box::new(played()))
        .into_hcpe3(&options)
        .unwrap();
    let text = Game::Hcpe3(Box::new(game)).into_text(&options).unwrap();
    let scores: Vec<_> = text
        .main
        .plies
        .iter()
        .map(|ply| match ply.notes.as_slice() {
            [Note::Analysis(analysis)] => Some(analysis.score),
            _ => None,
        })
        .collect();
    // By dlshogi's scale; nothing is known of a ply without candidates and with evaluation 0.
    assert_eq!(scores, [Some(831), None, None, Some(-831)]);
    assert_eq!(text.outcome(), Some(played().outcome));
}

#[test]
fn a_single_position_stays_one() {
    let options = ConversionOptions::default();
    let position = || {
        let [position, ..] = &positions_of(&played(), &SampleOptions::default(), &options)[..]
        else {
            panic!("the game has positions")
        };
        Game::Position(Box::new(position.clone()))
    };
    assert_eq!(position().into_positions(&options).unwrap().len(), 1);
    assert!(matches!(
        position().into_text(&options),
        Err(NoGame::SinglePosition)
    ));
    assert!(matches!(
        position().into_record(1, &options),
        Err(NoGame::SinglePosition)
    ));
    assert!(matches!(
        position().into_hcpe3(&options),
        Err(NoGame::SinglePosition)
    ));
}
