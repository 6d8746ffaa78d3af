use super::*;

const RULES: GameRules = GameRules {
    declaration: rules::DeclarationRule::Points27,
    credit_handicap: true,
    max_ply: Some(512),
    max_ply_style: rules::PlyLimitStyle::Plain,
};

/// Black mates by G*5b.
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

fn opening(text: &str) -> Opening {
    text.parse().unwrap()
}

fn seeds(n: u64) -> Vec<u64> {
    (0..n).map(|pair| mix_seed(7, pair)).collect()
}

#[test]
fn all_usual_text_forms_are_read() {
    let expected = opening("startpos moves 7g7f 3c3d");
    let sfen = Position::startpos().to_string();
    assert_eq!(opening("position startpos moves 7g7f 3c3d"), expected);
    assert_eq!(opening(&format!("sfen {sfen} moves 7g7f 3c3d")), expected);
    assert_eq!(
        opening(&format!("position sfen {sfen} moves 7g7f 3c3d ")),
        expected
    );
    assert_eq!(opening(&sfen), opening("startpos"));
    assert_eq!(opening(&expected.to_string()), expected);
}

#[test]
fn texts_with_illegal_moves_are_refused() {
    for text in [
        "startpos moves 7g7e",
        "startpos moves 7g7f 7g7f",
        "startpos moves x",
        "hello",
    ] {
        let error = text.parse::<Opening>().unwrap_err();
        assert_eq!(error.to_string(), format!("{text:?} is not an opening"));
        assert!(std::error::Error::source(&error).is_some());
    }
}

#[test]
fn random_openings_are_legal_long_enough_and_differ() {
    let drawn = OpeningOptions::Random { plies: 6 }
        .draw(RULES, 0, &seeds(200))
        .unwrap();
    let mut keys = HashSet::new();
    for opening in &drawn {
        assert_eq!(opening.moves().len(), 6);
        let game = opening.game(RULES).expect("not over");
        assert!(keys.insert(game.position().key()));
    }
    assert_eq!(
        drawn,
        OpeningOptions::Random { plies: 6 }
            .draw(RULES, 0, &seeds(200))
            .unwrap()
    );
}

#[test]
fn openings_repeat_only_when_there_are_no_others() {
    let drawn = OpeningOptions::Random { plies: 0 }
        .draw(RULES, 0, &seeds(3))
        .unwrap();
    assert_eq!(drawn, vec![opening("startpos"); 3]);
    let drawn = OpeningOptions::Random { plies: 1 }
        .draw(RULES, 0, &seeds(20))
        .unwrap();
    let different: HashSet<String> = drawn.iter().map(Opening::to_string).collect();
    assert_eq!(different.len(), 20);
}

#[test]
fn random_opening_that_ends_the_game_is_drawn_again() {
    // A limit of eight plies makes the short ones end: no draw of nine plies is playable.
    let short = GameRules {
        max_ply: Some(8),
        ..RULES
    };
    assert_eq!(Opening::random(&Position::startpos(), 9, short, 1), None);
    assert!(Opening::random(&Position::startpos(), 7, short, 1).is_some());
}

#[test]
fn listed_openings_that_are_over_are_left_out() {
    let over = opening(&format!("sfen {MATE_IN_ONE} moves G*5b"));
    let open = opening(MATE_IN_ONE);
    assert!(over.game(RULES).is_none());
    let list = OpeningOptions::List {
        openings: vec![over.clone(), open.clone()],
    };
    assert_eq!(
        list.draw(RULES, 0, &seeds(2)),
        Some(vec![open.clone(), open])
    );
    assert_eq!(
        OpeningOptions::List {
            openings: vec![over]
        }
        .draw(RULES, 0, &seeds(2)),
        None
    );
}

#[test]
fn listed_openings_are_used_in_order_and_again_from_the_top() {
    let openings = vec![
        opening("startpos moves 7g7f"),
        opening("startpos moves 2g2f"),
    ];
    let drawn = OpeningOptions::List {
        openings: openings.clone(),
    }
    .draw(RULES, 0, &seeds(3))
    .unwrap();
    assert_eq!(
        drawn,
        [&openings[0], &openings[1], &openings[0]].map(Clone::clone)
    );
}

#[test]
fn the_book_has_different_playable_openings_from_the_start_position() {
    let book = Opening::book();
    assert!(book.len() >= 200, "{}", book.len());
    let mut ends = std::collections::HashSet::new();
    for opening in &book {
        assert_eq!(*opening.start(), Position::startpos());
        assert_eq!(opening.moves().len(), 10);
        let game = opening.game(RULES).expect("the game goes on");
        assert!(ends.insert(game.position().key()), "{opening}");
    }
    let drawn = OpeningOptions::Book.draw(RULES, 1, &seeds(2)).unwrap();
    assert_eq!(drawn, book[1..3]);
}

#[test]
fn handicap_games_begin_with_whites_move_and_differ() {
    let options = OpeningOptions::Handicap {
        handicap: Handicap::TwoPiece,
        plies: 3,
    };
    options.check().unwrap();
    let drawn = options.draw(RULES, 0, &seeds(20)).unwrap();
    for opening in &drawn {
        assert_eq!(*opening.start(), Handicap::TwoPiece.position());
        assert_eq!(opening.moves().len(), 3);
    }
    assert_ne!(drawn[0], drawn[1]);
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(
        text,
        r#"{"kind":"handicap","handicap":"two-piece","plies":3}"#
    );
    assert_eq!(
        serde_json::from_str::<OpeningOptions>(&text).unwrap(),
        options
    );
}
