//! What must hold for any text that is read as the drawing of a board.

use rules::{Position, Script};

/// Reads `data` as a drawing.
pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let position = match Position::from_diagram(&text) {
        Ok(position) => position,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(position.ply(), 0);
    assert_eq!(
        Position::from_sfen(&position.to_string()).as_ref(),
        Ok(&position)
    );
    for script in [Script::Japanese, Script::English] {
        let drawing = position.diagram(script).to_string();
        assert_eq!(
            Position::from_diagram(&drawing).as_ref(),
            Ok(&position),
            "{drawing}"
        );
    }
}
