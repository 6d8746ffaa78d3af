use crate::{Bitboard, Color, Square};

#[test]
fn a_drawn_set_has_file_9_at_the_left_and_rank_a_at_the_top() {
    let drawn = bitboard! {
        X . . . . . . . X
        . X . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . X .
    };
    let squares: Bitboard = ["9a", "1a", "8b", "5e", "2i"]
        .into_iter()
        .map(|name| name.parse::<Square>().unwrap())
        .collect();
    assert_eq!(drawn, squares);
}

#[test]
fn a_full_and_an_empty_drawing_are_the_constants() {
    let full = bitboard! {
        X X X X X X X X X  X X X X X X X X X  X X X X X X X X X
        X X X X X X X X X  X X X X X X X X X  X X X X X X X X X
        X X X X X X X X X  X X X X X X X X X  X X X X X X X X X
    };
    let empty = bitboard! {
        . . . . . . . . .  . . . . . . . . .  . . . . . . . . .
        . . . . . . . . .  . . . . . . . . .  . . . . . . . . .
        . . . . . . . . .  . . . . . . . . .  . . . . . . . . .
    };
    assert_eq!((full, empty), (Bitboard::FULL, Bitboard::EMPTY));
}

#[test]
fn a_drawn_position_has_hands_and_side_to_move() {
    let position = position!(
        "
        White: 2p
        l  n  s  g  k  g  s  n  l
        .  r  .  .  .  .  .  .  .
        p  p  p  p  p  p  +B .  p
        .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .
        .  .  P  .  .  .  .  .  .
        P  P  .  P  P  P  P  .  P
        .  .  .  .  .  .  .  R  .
        L  N  S  G  K  G  S  N  L
        Black: B, pawn
        White to move
        "
    );
    assert_eq!(
        position.to_string(),
        "lnsgkgsnl/1r7/pppppp+B1p/9/9/2P6/PP1PPPP1P/7R1/LNSGKGSNL w BP2p 1"
    );
    assert_eq!(position.side_to_move(), Color::White);
}
