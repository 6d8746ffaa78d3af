use rules::{EndReason, Outcome};

use super::*;
use crate::finished::GameEnd;

fn finished() -> FinishedGame {
    let note = |score, ms| MoveNote {
        score,
        time: Duration::from_millis(ms),
    };
    FinishedGame {
        game: 3,
        replay: 0,
        seed: u64::MAX,
        pair_seed: 7,
        black: Seat::B,
        start: Position::startpos(),
        moves: ["7g7f", "3c3d", "8h2b+"]
            .map(|mv| mv.parse().unwrap())
            .to_vec(),
        opening_plies: 1,
        notes: vec![
            note(Some(Score::Cp(-12)), 0),
            note(Some(Score::Mate(3)), 1500),
        ],
        end: GameEnd::Rules(Outcome::win(Color::Black, EndReason::Resignation)),
    }
}

#[test]
fn a_stored_game_holds_all_of_the_finished_one() {
    let game = finished();
    let stored = StoredGame::new(&game, false);
    assert_eq!(
        stored.moves().unwrap(),
        (game.start.clone(), game.moves.clone())
    );
    assert_eq!(stored.notes(), game.notes);
    assert_eq!(stored.score(), game.score());
    assert_eq!(stored.winner(), Some(Seat::B));
}

#[test]
fn the_line_of_a_stored_game_is_what_files_hold() {
    let line = serde_json::to_string(&StoredGame::new(&finished(), false)).unwrap();
    assert_eq!(
        line,
        r#"{"game":3,"seed":18446744073709551615,"pair_seed":7,"black":"b","winner":"black","#
            .to_owned()
            + r#""reason":"resignation","start":"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/"#
            + r#"LNSGKGSNL b - 1","moves":"7g7f 3c3d 8h2b+","opening_plies":1,"#
            + r#""scores":["cp -12","mate 3"],"times_ms":[0,1500]}"#
    );
    let read: StoredGame = serde_json::from_str(&line).unwrap();
    assert_eq!(read, StoredGame::new(&finished(), false));
}

#[test]
fn a_text_that_is_no_game_is_refused_with_its_place() {
    let mut stored = StoredGame::new(&finished(), false);
    stored.moves = "7g7f 7g7f".to_owned();
    assert_eq!(
        stored.moves().unwrap_err().to_string(),
        "game 3: move 2 \"7g7f\" is not legal"
    );
    stored.start = "nowhere".to_owned();
    let message = stored.moves().unwrap_err().to_string();
    assert_eq!(message, "game 3: the start \"nowhere\" is no position");
}
