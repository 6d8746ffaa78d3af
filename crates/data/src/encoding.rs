//! Input planes: what the network sees of a position, as dlshogi defines it.
//!
//! `docs/encoding.md` lists every plane. Here the planes are cut in two arrays, as in dlshogi:
//! [`encode_board`] (62 planes of 81 squares) and [`encode_hands`] (57 planes that are constant
//! over the board, so one number each).

use rules::{Bitboard, Color, PieceKind, Position, attacks};

/// Planes of [`encode_board`]: 31 of the side to move, then 31 of its opponent.
pub const BOARD_PLANES: usize = 2 * PLANES_PER_SIDE;
/// Planes of [`encode_hands`]: 28 per hand, and one for check.
pub const HAND_PLANES: usize = 2 * PLANES_PER_HAND + 1;
/// Number of this encoding. Checkpoints and models carry it; it changes whenever a plane or a
/// label changes its meaning.
pub const ENCODING_VERSION: u32 = 1;

const SQUARES: usize = 81;
const KINDS: usize = PieceKind::ALL.len();
/// 14 kinds of pieces, 14 kinds of attacks, attackers >= 1, >= 2, >= 3.
const PLANES_PER_SIDE: usize = 2 * KINDS + 3;
const PLANES_PER_HAND: usize = 28;

/// Kinds in the order of the hand planes, and how many planes each has. This is neither the order
/// of the board planes nor that of the drop labels.
const HAND_LAYOUT: [(PieceKind, usize); 7] = [
    (PieceKind::Pawn, 8),
    (PieceKind::Lance, 4),
    (PieceKind::Knight, 4),
    (PieceKind::Silver, 4),
    (PieceKind::Gold, 4),
    (PieceKind::Bishop, 2),
    (PieceKind::Rook, 2),
];

/// Where each square of the real board lies on the encoded one.
type SquareMap = [u8; SQUARES];

static UPRIGHT: SquareMap = square_map(false, false);
static ROTATED: SquareMap = square_map(true, false);
static MIRRORED: SquareMap = square_map(false, true);
static ROTATED_MIRRORED: SquareMap = square_map(true, true);

/// The board as the side to move sees it.
fn upright(position: &Position) -> &'static SquareMap {
    match position.side_to_move() {
        Color::Black => &UPRIGHT,
        Color::White => &ROTATED,
    }
}

const fn square_map(rotated: bool, mirrored: bool) -> SquareMap {
    let mut map = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let turned = if rotated {
            SQUARES - 1 - square
        } else {
            square
        };
        let (file, rank) = (turned / 9, turned % 9);
        map[square] = (if mirrored {
            9 * (8 - file) + rank
        } else {
            turned
        }) as u8;
        square += 1;
    }
    map
}

/// Writes the board planes of `position` into `planes`.
///
/// Shape `[BOARD_PLANES, 81]`, row-major, squares as numbered by [`rules::Square::index`]; all
/// values are 0 or 1. Seen by the side to move: for White the board is turned by 180 degrees and
/// the colours are exchanged. Each side has 14 planes of pieces, 14 of squares that at least one
/// piece of that kind attacks (defended pieces count; no x-rays; pins are ignored), and three of
/// squares attacked at least once, twice, three times. Source: dlshogi.
///
/// # Panics
///
/// If `planes` is not exactly `BOARD_PLANES * 81` long.
pub fn encode_board(position: &Position, planes: &mut [f32]) {
    encode_board_with(position, upright(position), 1.0, planes);
}

/// As [`encode_board`], in bytes.
///
/// # Panics
///
/// If `planes` is not exactly `BOARD_PLANES * 81` long.
pub fn encode_board_bytes(position: &Position, planes: &mut [u8]) {
    encode_board_with(position, upright(position), 1, planes);
}

/// As [`encode_board`], with left and right exchanged (file f becomes 10 - f): the planes of the
/// mirrored position, whose moves have the labels [`crate::MoveLabel::mirrored`].
///
/// Shogi's rules do not know left from right, so a mirrored sample is as true as the original.
/// The hand planes of both are the same.
///
/// # Panics
///
/// If `planes` is not exactly `BOARD_PLANES * 81` long.
pub fn encode_board_mirrored(position: &Position, planes: &mut [f32]) {
    let map = match position.side_to_move() {
        Color::Black => &MIRRORED,
        Color::White => &ROTATED_MIRRORED,
    };
    encode_board_with(position, map, 1.0, planes);
}

/// Writes `one` or zero, the default number, into each of `planes`.
fn encode_board_with<T: Copy + Default>(
    position: &Position,
    map: &SquareMap,
    one: T,
    planes: &mut [T],
) {
    assert_eq!(
        planes.len(),
        BOARD_PLANES * SQUARES,
        "planes must hold one position"
    );
    planes.fill(T::default());
    visit_board(position, map, &mut |index| planes[index] = one);
}

/// Calls `set` with the index, in `[BOARD_PLANES, 81]`, of every 1; of some more than once.
fn visit_board(position: &Position, map: &SquareMap, set: &mut impl FnMut(usize)) {
    let side = position.side_to_move();
    visit_side(position, side, map, set);
    visit_side(position, side.flipped(), map, &mut |index| {
        set(PLANES_PER_SIDE * SQUARES + index);
    });
}

fn visit_side(position: &Position, color: Color, map: &SquareMap, set: &mut impl FnMut(usize)) {
    let occupied = position.occupied();
    // Attackers per square, in unary: `at_least[n]` holds the squares attacked more than n times.
    let mut at_least = [Bitboard::EMPTY; 3];
    for (plane, kind) in PieceKind::ALL.into_iter().enumerate() {
        let mut by_kind = Bitboard::EMPTY;
        for square in position.pieces(color, kind) {
            set(plane * SQUARES + usize::from(map[square.index()]));
            let reached = attacks(kind, color, square, occupied);
            by_kind |= reached;
            at_least[2] |= at_least[1] & reached;
            at_least[1] |= at_least[0] & reached;
            at_least[0] |= reached;
        }
        visit_squares(by_kind, KINDS + plane, map, set);
    }
    for (n, squares) in at_least.into_iter().enumerate() {
        visit_squares(squares, 2 * KINDS + n, map, set);
    }
}

fn visit_squares(squares: Bitboard, plane: usize, map: &SquareMap, set: &mut impl FnMut(usize)) {
    for square in squares {
        set(plane * SQUARES + usize::from(map[square.index()]));
    }
}

/// Writes the constant planes of `position` into `planes`: one number, 0 or 1, for each plane.
///
/// Shape `[HAND_PLANES]`: the hand of the side to move (28), the opponent's hand (28), and whether
/// the side to move is in check. Within a hand, n pieces of a kind set the first n planes of that
/// kind: pawn 8, lance 4, knight 4, silver 4, gold 4, bishop 2, rook 2; more than eight pawns
/// count as eight. Source: dlshogi.
///
/// # Panics
///
/// If `planes` is not exactly `HAND_PLANES` long.
pub fn encode_hands(position: &Position, planes: &mut [f32]) {
    assert_eq!(planes.len(), HAND_PLANES, "planes must hold one position");
    planes.fill(0.0);
    visit_hands(position, &mut |index| planes[index] = 1.0);
}

/// Calls `set` with the index of every constant plane of ones.
fn visit_hands(position: &Position, set: &mut impl FnMut(usize)) {
    let side = position.side_to_move();
    let mut first = 0;
    for color in [side, side.flipped()] {
        let hand = position.hand(color);
        for (kind, n_planes) in HAND_LAYOUT {
            let n_set = (hand.count(kind) as usize).min(n_planes);
            (first..first + n_set).for_each(&mut *set);
            first += n_planes;
        }
    }
    if position.in_check() {
        set(first);
    }
}

/// Bytes of [`encode_packed`].
pub const PACKED_BYTES: usize = (BOARD_PLANES * SQUARES + HAND_PLANES).div_ceil(8);

/// Writes all planes of `position` into `bytes`, one bit for each value: a thirtieth of what
/// [`encode_board`] and [`encode_hands`] write, for a device at the other end of a bus.
///
/// First the board planes, then the hand planes, in their order; value `i` is bit `i % 8` of byte `i / 8`, bit 0 being
/// the lowest. The last byte is filled up with zeros.
///
/// # Panics
///
/// If `bytes` is not exactly [`PACKED_BYTES`] long.
pub fn encode_packed(position: &Position, bytes: &mut [u8]) {
    assert_eq!(bytes.len(), PACKED_BYTES, "bytes must hold one position");
    bytes.fill(0);
    let mut set = |index: usize| bytes[index / 8] |= 1 << (index % 8);
    visit_board(position, upright(position), &mut set);
    visit_hands(position, &mut |index| set(BOARD_PLANES * SQUARES + index));
}

#[cfg(test)]
mod tests;
