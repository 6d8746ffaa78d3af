//! What must hold for any text that is read as an SFEN, and for the position if it is one.

use rules::{Move, Position};

/// Reads `data` as an SFEN.
pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Position::from_sfen(&text) {
        Ok(position) => check_position(&position),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What must hold for every position.
pub(crate) fn check_position(position: &Position) {
    let written = position.to_string();
    assert_eq!(Position::from_sfen(&written).as_ref(), Ok(position));
    assert_eq!(&position.mirrored().mirrored(), position);
    assert_eq!(&position.rotated().rotated(), position);

    let moves = position.legal_moves();
    assert_eq!(position.has_legal_move(), !moves.is_empty());
    assert_eq!(position.rotated().legal_moves().len(), moves.len());
    assert_eq!(position.mirrored().legal_moves().len(), moves.len());
    let checks = position.checking_moves();
    let mut after = position.clone();
    let mut mates = false;
    for &mv in &moves {
        assert_eq!(position.why_illegal(mv), None, "{mv} in {written}");
        assert_eq!(
            checks.contains(&mv),
            position.gives_check(mv),
            "{mv} in {written}"
        );
        let undo = after.do_move(mv);
        assert_eq!(
            after.in_check(),
            position.gives_check(mv),
            "{mv} in {written}"
        );
        mates |= after.is_checkmate();
        after.undo_move(undo);
    }
    assert_eq!(&after, position, "{written}");
    assert_eq!(position.mate_in_one().is_some(), mates, "{written}");
    // Every 61st of the numbers: a different share of all moves for each position.
    let first = (position.key() % 61) as u16;
    for mv in (first..1 << 15).step_by(61).filter_map(Move::from_raw) {
        let is_listed = moves.contains(&mv);
        assert_eq!(position.is_legal(mv), is_listed, "{mv} in {written}");
        assert_eq!(
            position.why_illegal(mv).is_none(),
            is_listed,
            "{mv} in {written}"
        );
    }
}
