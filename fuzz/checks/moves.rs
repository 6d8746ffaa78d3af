//! What must hold for any text that is read as a move in any notation.

use rules::{Notation, Position, Square};

/// The first line is a position (SFEN; the initial one if it cannot be read), the second a square
/// (where the last move arrived, none if it cannot be read), the rest a text for all notations.
pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.splitn(3, '\n');
    let mut next = || lines.next().unwrap_or_default();
    let position = Position::from_sfen(next()).unwrap_or_else(|_| Position::startpos());
    let previous = next().parse::<Square>().ok();
    let text = next();
    for notation in Notation::ALL {
        check_text(notation, &position, text, previous);
    }
}

fn check_text(notation: Notation, position: &Position, text: &str, previous: Option<Square>) {
    let mv = match notation.read(position, text, previous) {
        Ok(mv) => mv,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let is_legal = position.is_legal(mv);
    assert_eq!(position.why_illegal(mv).is_none(), is_legal);
    for notation in Notation::ALL {
        let written = notation.write(position, mv, previous);
        if is_legal {
            let read = notation.read(position, &written, previous);
            assert_eq!(read, Ok(mv), "{notation} {written} in {position}");
        } else {
            // Not every illegal move can be read back, but nothing may break.
            let _ = notation.read(position, &written, previous);
        }
    }
}
