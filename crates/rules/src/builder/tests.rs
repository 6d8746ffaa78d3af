use crate::testing::walk;
use crate::{Color, Piece, PieceKind, Position, PositionBuilder, PositionError, Square};

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

#[test]
fn a_position_taken_apart_and_built_again_is_the_same() {
    walk(&Position::startpos(), 500, 7, |position, _| {
        assert_eq!(PositionBuilder::from(position).build().unwrap(), *position);
    });
}

#[test]
fn pieces_can_be_replaced_and_cleared_before_building() {
    let mut builder = PositionBuilder::from(&Position::startpos());
    let gold = Piece {
        color: Color::Black,
        kind: PieceKind::Gold,
    };
    builder.put(square("5i"), gold).clear(square("5a"));
    assert_eq!(builder.piece_at(square("5i")), Some(gold));
    assert_eq!(builder.piece_at(square("5a")), None);
    let position = builder.build().unwrap();
    assert_eq!(position.king(Color::Black), None);
    assert_eq!(position.king(Color::White), None);
}

#[test]
fn the_rest_of_the_set_goes_to_one_hand_without_kings() {
    let mut builder = PositionBuilder::new();
    builder
        .put(
            square("5a"),
            Piece {
                color: Color::White,
                kind: PieceKind::King,
            },
        )
        .put(
            square("5c"),
            Piece {
                color: Color::Black,
                kind: PieceKind::ProPawn,
            },
        )
        .set_hand(Color::Black, PieceKind::Gold, 1)
        .add_rest_to_hand(Color::White);
    assert_eq!(
        builder.build().unwrap().to_string(),
        "4k4/9/4+P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
    );
    let before = builder.clone();
    builder.add_rest_to_hand(Color::Black);
    assert_eq!(builder, before);
}

#[test]
fn kings_and_promoted_pieces_in_hand_are_refused() {
    let mut builder = PositionBuilder::new();
    builder.set_hand(Color::White, PieceKind::Horse, 1);
    assert_eq!(
        builder.build().unwrap_err().to_string(),
        "found a horse in white's hand, expected unpromoted pieces other than kings"
    );
    builder.set_hand(Color::White, PieceKind::Horse, 0);
    builder.add_to_hand(Color::Black, PieceKind::King, 1);
    assert_eq!(
        builder.build(),
        Err(PositionError::NeverInHand {
            color: Color::Black,
            kind: PieceKind::King
        })
    );
}

#[test]
fn hands_beyond_all_bounds_are_refused_and_not_summed_wrongly() {
    let mut builder = PositionBuilder::new();
    builder
        .set_hand(Color::Black, PieceKind::Pawn, u32::MAX)
        .set_hand(Color::White, PieceKind::Pawn, u32::MAX)
        .add_to_hand(Color::White, PieceKind::Pawn, 1)
        .add_rest_to_hand(Color::White);
    assert_eq!(
        builder.build().unwrap_err().to_string(),
        "found 8589934590 pawns (0 on the board, 8589934590 in hand), expected at most 18"
    );
}

#[test]
fn no_position_is_so_late_that_its_game_would_overflow_the_ply() {
    let mut builder = PositionBuilder::from(&Position::startpos());
    assert_eq!(builder.set_ply(1 << 31).build().unwrap().ply(), 1 << 31);
    assert_eq!(
        builder
            .set_ply((1 << 31) + 1)
            .build()
            .unwrap_err()
            .to_string(),
        "found ply 2147483649, expected at most 2147483648"
    );
}
