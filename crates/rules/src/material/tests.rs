use super::*;

#[test]
fn a_promotion_is_worth_what_the_piece_is_worth_more_on_the_board() {
    let position = Position::from_sfen("9/9/9/PLNSBR3/8k/9/9/9/8K b - 1").unwrap();
    let gain = |mv: &str| promotion_gain(&position, mv.parse().unwrap());
    let gains = ["9d9c+", "8d8c+", "7d6b+", "6d6c+", "5d6c+", "4d4a+", "4d4a"].map(gain);
    assert_eq!(gains, [8, 4, 3, 1, 2, 2, 0]);
}

#[test]
fn in_hand_a_promoted_piece_is_worth_what_it_was_before() {
    for kind in PieceKind::ALL {
        assert_eq!(value_in_hand(kind), value_on_board(kind.unpromoted()));
        let promoted = kind.promoted().unwrap_or(kind);
        assert!(value_on_board(kind) <= value_on_board(promoted), "{kind:?}");
    }
    assert_eq!(value_on_board(PieceKind::Dragon), 17);
    assert_eq!(value_on_board(PieceKind::ProPawn), 9);
    assert_eq!(value_on_board(PieceKind::King), 0);
}
