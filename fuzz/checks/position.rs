//! What must hold for any text behind the USI command `position`.

use rules::GameRules;
use usi::{GivenGame, position_line};

/// Reads `data` as what follows the word `position`.
pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let given = match GivenGame::parse(&text) {
        Ok(given) => given,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut game = given.game(GameRules::default());
    let line = position_line(&game);
    let tail = line.strip_prefix("position ").expect("the command's name");
    let again = GivenGame::parse(tail).expect("what was written is read");
    let again = again.game(GameRules::default());
    assert_eq!(again.position(), game.position(), "{line}");
    assert_eq!(again.moves(), game.moves(), "{line}");
    assert_eq!(again.outcome(), game.outcome(), "{line}");
    // Nothing to assert about what these say, but they must say it.
    let _ = (
        game.declaration(),
        game.impasse(),
        game.try_move(),
        game.repetition_in_search(),
    );
    while game.undo().is_some() {}
    assert_eq!(game.position(), game.start(), "{line}");
}
