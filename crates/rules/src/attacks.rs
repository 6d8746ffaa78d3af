//! Which squares a piece attacks: step tables, and rays cut at the first piece.

use crate::{Bitboard, Color, PieceKind, Square};

/// The eight directions as (file step, rank step). Squares grow along the first four and fall
/// along the others; direction `d` and `d ^ 4` are opposite.
const DIRECTIONS: [(i8, i8); 8] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (1, -1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (-1, 1),
];
const DOWN: usize = 0;
const UP: usize = 4;
const STRAIGHT: [usize; 4] = [0, 1, 4, 5];
const DIAGONAL: [usize; 4] = [2, 3, 6, 7];
const NO_DIRECTION: u8 = 8;

/// `RAYS[direction][square]`: all squares from there to the edge, without the square itself.
static RAYS: [[u128; 81]; 8] = rays();
/// `DIRECTION_TO[from][to]`: the direction that leads there, or `NO_DIRECTION`.
static DIRECTION_TO: [[u8; 81]; 81] = direction_table();
/// `STEPS[color][kind][square]`: the one-square (and knight) moves of each kind.
static STEPS: [[[u128; 81]; 14]; 2] = step_table();

const fn bit(file: i8, rank: i8) -> u128 {
    if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
        1 << (9 * file + rank)
    } else {
        0
    }
}

const fn rays() -> [[u128; 81]; 8] {
    let mut table = [[0; 81]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (step_file, step_rank) = DIRECTIONS[direction];
        let mut square = 0;
        while square < 81 {
            let (mut file, mut rank) = (
                (square / 9) as i8 + step_file,
                (square % 9) as i8 + step_rank,
            );
            while bit(file, rank) != 0 {
                table[direction][square] |= bit(file, rank);
                file += step_file;
                rank += step_rank;
            }
            square += 1;
        }
        direction += 1;
    }
    table
}

const fn direction_table() -> [[u8; 81]; 81] {
    let table_of_rays = rays();
    let mut table = [[NO_DIRECTION; 81]; 81];
    let mut direction = 0;
    while direction < 8 {
        let mut from = 0;
        while from < 81 {
            let mut ray = table_of_rays[direction][from];
            while ray != 0 {
                table[from][ray.trailing_zeros() as usize] = direction as u8;
                ray &= ray - 1;
            }
            from += 1;
        }
        direction += 1;
    }
    table
}

/// The steps of each kind for Black, as (file step, rank step); sliders list only the steps that
/// they have beside their slides.
const fn steps_of(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::Pawn => &[(0, -1)],
        PieceKind::Knight => &[(1, -2), (-1, -2)],
        PieceKind::Silver => &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)],
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)],
        PieceKind::King => &[
            (0, -1),
            (1, -1),
            (-1, -1),
            (1, 0),
            (-1, 0),
            (0, 1),
            (1, 1),
            (-1, 1),
        ],
        PieceKind::Horse => &[(0, -1), (1, 0), (-1, 0), (0, 1)],
        PieceKind::Dragon => &[(1, -1), (-1, -1), (1, 1), (-1, 1)],
        PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook => &[],
    }
}

const fn step_table() -> [[[u128; 81]; 14]; 2] {
    let mut table = [[[0; 81]; 14]; 2];
    let mut kind = 0;
    while kind < 14 {
        let steps = steps_of(PieceKind::ALL[kind]);
        let mut square = 0;
        while square < 81 {
            let (file, rank) = ((square / 9) as i8, (square % 9) as i8);
            let mut step = 0;
            while step < steps.len() {
                let (step_file, step_rank) = steps[step];
                table[0][kind][square] |= bit(file + step_file, rank + step_rank);
                table[1][kind][square] |= bit(file - step_file, rank - step_rank);
                step += 1;
            }
            square += 1;
        }
        kind += 1;
    }
    table
}

/// The ray from `square`, up to and including the first occupied square.
///
/// The sentinel is the last (first) square of the board: every ray from there that could be
/// subtracted is empty, so an unblocked ray stays whole without a branch.
#[inline]
fn ray_attacks(direction: usize, square: Square, occupied: u128) -> u128 {
    let ray = RAYS[direction][square.index()];
    let blocker = if direction < 4 {
        (ray & occupied | 1 << 80).trailing_zeros()
    } else {
        127 - (ray & occupied | 1).leading_zeros()
    };
    ray ^ RAYS[direction][blocker as usize]
}

#[inline]
fn slides(directions: [usize; 4], square: Square, occupied: u128) -> u128 {
    ray_attacks(directions[0], square, occupied)
        | ray_attacks(directions[1], square, occupied)
        | ray_attacks(directions[2], square, occupied)
        | ray_attacks(directions[3], square, occupied)
}

#[inline]
pub(crate) fn lance_attacks(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let direction = match color {
        Color::Black => UP,
        Color::White => DOWN,
    };
    Bitboard(ray_attacks(direction, square, occupied.0))
}

#[inline]
pub(crate) fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(slides(DIAGONAL, square, occupied.0))
}

#[inline]
pub(crate) fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(slides(STRAIGHT, square, occupied.0))
}

/// The steps of a piece; empty for lance, bishop and rook.
#[inline]
pub(crate) fn step_attacks(kind: PieceKind, color: Color, square: Square) -> Bitboard {
    Bitboard(STEPS[color.index()][kind.index()][square.index()])
}

/// The squares that a piece of `kind` and `color` on `square` attacks when `occupied` squares
/// block. Sliders stop at and include the first piece, of either colour.
#[inline]
pub fn attacks(kind: PieceKind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let steps = step_attacks(kind, color, square);
    match kind {
        PieceKind::Lance => lance_attacks(color, square, occupied),
        PieceKind::Bishop | PieceKind::Horse => bishop_attacks(square, occupied) | steps,
        PieceKind::Rook | PieceKind::Dragon => rook_attacks(square, occupied) | steps,
        _ => steps,
    }
}

/// The squares strictly between `a` and `b`; empty if they share no line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    match DIRECTION_TO[a.index()][b.index()] {
        NO_DIRECTION => Bitboard::EMPTY,
        d => {
            let d = usize::from(d);
            Bitboard(RAYS[d][a.index()] & RAYS[d ^ 4][b.index()])
        }
    }
}

/// Whether a queen of chess could go from `a` to `b` on an empty board.
#[inline]
pub(crate) fn aligned(a: Square, b: Square) -> bool {
    DIRECTION_TO[a.index()][b.index()] != NO_DIRECTION
}

/// The whole ray that starts at `from` and leads through `through`; empty if they share no line.
#[inline]
pub(crate) fn ray_through(from: Square, through: Square) -> Bitboard {
    match DIRECTION_TO[from.index()][through.index()] {
        NO_DIRECTION => Bitboard::EMPTY,
        d => Bitboard(RAYS[usize::from(d)][from.index()]),
    }
}
