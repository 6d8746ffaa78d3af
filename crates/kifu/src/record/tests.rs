use super::*;

fn record(moves: &str) -> Record {
    let moves = moves.split_whitespace().map(|mv| mv.parse().unwrap());
    Record::new(Position::startpos(), moves)
}

fn variation(at: usize, moves: &str) -> Variation {
    let line = record(moves).main;
    Variation { at, line }
}

#[track_caller]
fn check_fault(record: &Record, message: &str) {
    let found = record.check().unwrap_err().to_string();
    assert!(found.starts_with(message), "{found}");
}

#[test]
fn an_illegal_move_is_the_last_of_its_line() {
    assert_eq!(record("7g7f 3c3d 2g2f").check(), Ok(()));
    assert_eq!(record("7g7f 3c3d 7f7d").check(), Ok(()));
    check_fault(
        &record("7g7f 3c3d 7f7d 8c8d"),
        "ply 3: the move 7f7d is illegal in lnsgkgsnl/",
    );
    check_fault(
        &record("7g7f 3c3d 5e5d"),
        "ply 3: the move 5e5d moves no piece",
    );
    check_fault(&record("7g7f 2g2f"), "ply 2: the move 2g2f moves no piece");
}

#[test]
fn variations_grow_from_their_line() {
    let mut tree = record("7g7f 3c3d 2g2f");
    tree.main.add_variation(variation(3, "8c8d"));
    tree.main.add_variation(variation(1, "8c8d 2g2f"));
    tree.main.add_variation(variation(1, "5c5d"));
    assert_eq!(tree.check(), Ok(()));
    let places: Vec<usize> = tree.main.variations.iter().map(|v| v.at).collect();
    assert_eq!(places, [1, 1, 3]);

    let mut tree = record("7g7f");
    tree.main.variations.push(variation(2, "3c3d"));
    check_fault(
        &tree,
        "a variation begins at ply 3, the line that it leaves ends before ply 2",
    );

    let mut tree = record("7g7f 3c3d");
    tree.main.variations = vec![variation(1, "8c8d"), variation(0, "2g2f")];
    check_fault(
        &tree,
        "the variations at ply 1 and later stand in the wrong order",
    );

    let mut twin = variation(1, "8c8d");
    twin.line.variations.push(variation(0, "5c5d"));
    tree.main.variations = vec![twin];
    check_fault(
        &tree,
        "a variation of a variation begins at ply 2 like that one",
    );

    tree.main.variations = vec![variation(1, "8c8e 7f7e")];
    check_fault(&tree, "ply 2: the move 8c8e is illegal");
}

#[test]
fn no_variation_follows_an_illegal_move() {
    let mut tree = record("7g7f 3c3e");
    tree.main.variations = vec![variation(1, "3c3d")];
    assert_eq!(tree.check(), Ok(()));
    tree.main.variations = vec![variation(2, "2g2f")];
    check_fault(
        &tree,
        "a variation begins at ply 3, the line that it leaves ends before ply 2",
    );
}

#[test]
fn the_result_is_what_the_ending_says() {
    let mut game = record("7g7f 3c3d 2g2f");
    assert_eq!((game.result(), game.outcome()), (GameResult::Unknown, None));
    game.main.end = Some(End::new(Ending::TimeUp));
    assert_eq!(game.result(), GameResult::Win(Color::Black));
    assert_eq!(
        game.outcome(),
        Some(Outcome::win(Color::Black, EndReason::TimeForfeit))
    );
    game.main.end = Some(End::new(Ending::MaxMoves));
    assert_eq!(game.outcome(), Some(Outcome::draw(EndReason::PlyLimit)));
    game.main.end = Some(End::new(Ending::Interrupt));
    assert_eq!((game.result(), game.outcome()), (GameResult::Unknown, None));
}

#[test]
fn the_moves_name_the_foul() {
    let mut game = record("7g7f 3c3d 8h2b 3a2b P*5e");
    game.main.end = Some(End::new(Ending::Foul(Color::Black)));
    let outcome = game.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason.as_str()),
        (Some(Color::White), "not-in-hand")
    );
    // White's foul is not the move of Black.
    game.main.end = Some(End::new(Ending::Foul(Color::White)));
    assert_eq!(
        game.outcome(),
        Some(Outcome::win(Color::Black, EndReason::IllegalMove))
    );
}
