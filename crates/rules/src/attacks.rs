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

/// Tables over squares have room for 128, so that [`Square::slot`] needs no bounds check.
const SLOTS: usize = 128;

/// `RAYS[direction][square]`: all squares from there to the edge, without the square itself.
static RAYS: [[u128; SLOTS]; 8] = rays();
/// `DIRECTION_TO[from][to]`: the direction that leads there, or `NO_DIRECTION`.
static DIRECTION_TO: [[u8; SLOTS]; SLOTS] = direction_table();
/// `STEPS[color][kind][square]`: the one-square (and knight) moves of each kind.
static STEPS: [[[u128; SLOTS]; 14]; 2] = step_table();
/// `REACH[color][kind][square]`: what a piece attacks on an empty board.
static REACH: [[[u128; SLOTS]; 14]; 2] = reach_table();
/// `LINES[0][square]`: what a bishop reaches on an empty board, `LINES[1]`: a rook.
static LINES: [[u128; SLOTS]; 2] = line_table();
/// `NEAR[0][square]`: from where a bishop on an empty board reaches the square or a neighbour of
/// it, `NEAR[1]`: a rook.
static NEAR: [[u128; SLOTS]; 2] = near_table();
/// `NEAR_FILES[square]`: the files of the square and its neighbours.
static NEAR_FILES: [u128; SLOTS] = near_files_table();
/// `FROM_BIT[n]`: bit `n` and all above it.
static FROM_BIT: [u128; SLOTS] = from_bit_table();

const fn bit(file: i8, rank: i8) -> u128 {
    if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
        1 << (9 * file + rank)
    } else {
        0
    }
}

const fn rays() -> [[u128; SLOTS]; 8] {
    let mut table = [[0; SLOTS]; 8];
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

const fn direction_table() -> [[u8; SLOTS]; SLOTS] {
    let table_of_rays = rays();
    let mut table = [[NO_DIRECTION; SLOTS]; SLOTS];
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

const fn line_table() -> [[u128; SLOTS]; 2] {
    let rays = rays();
    let mut table = [[0; SLOTS]; 2];
    let mut square = 0;
    while square < 81 {
        let mut n = 0;
        while n < 4 {
            table[0][square] |= rays[DIAGONAL[n]][square];
            table[1][square] |= rays[STRAIGHT[n]][square];
            n += 1;
        }
        square += 1;
    }
    table
}

const fn reach_table() -> [[[u128; SLOTS]; 14]; 2] {
    let rays = rays();
    let lines = line_table();
    let mut table = step_table();
    let mut square = 0;
    while square < 81 {
        table[0][PieceKind::Lance.index()][square] = rays[UP][square];
        table[1][PieceKind::Lance.index()][square] = rays[DOWN][square];
        let mut color = 0;
        while color < 2 {
            table[color][PieceKind::Bishop.index()][square] |= lines[0][square];
            table[color][PieceKind::Horse.index()][square] |= lines[0][square];
            table[color][PieceKind::Rook.index()][square] |= lines[1][square];
            table[color][PieceKind::Dragon.index()][square] |= lines[1][square];
            color += 1;
        }
        square += 1;
    }
    table
}

const fn near_table() -> [[u128; SLOTS]; 2] {
    let lines = line_table();
    let steps = step_table();
    let mut table = [[0; SLOTS]; 2];
    let mut square = 0;
    while square < 81 {
        let mut targets = steps[0][PieceKind::King.index()][square] | 1 << square;
        while targets != 0 {
            let target = targets.trailing_zeros() as usize;
            table[0][square] |= lines[0][target];
            table[1][square] |= lines[1][target];
            targets &= targets - 1;
        }
        square += 1;
    }
    table
}

const fn near_files_table() -> [u128; SLOTS] {
    let mut table = [0; SLOTS];
    let mut square = 0;
    while square < 81 {
        let mut file = square / 9;
        file = if file == 0 { 0 } else { file - 1 };
        while file <= square / 9 + 1 && file < 9 {
            table[square] |= 0x1ff << (9 * file);
            file += 1;
        }
        square += 1;
    }
    table
}

const fn from_bit_table() -> [u128; SLOTS] {
    let mut table = [0; SLOTS];
    let mut n = 0;
    while n < SLOTS {
        table[n] = u128::MAX << n;
        n += 1;
    }
    table
}

const fn step_table() -> [[[u128; SLOTS]; 14]; 2] {
    let mut table = [[[0; SLOTS]; 14]; 2];
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
/// Along growing squares, subtracting one from the blockers flips exactly the bits up to the first
/// of them. Along falling squares all bits from the last blocker up are kept; a bit at the ray's far
/// end or beyond it stands for the edge of the board.
#[inline(always)]
fn ray_attacks(direction: usize, square: Square, occupied: u128) -> u128 {
    let ray = RAYS[direction][square.slot()];
    let blockers = ray & occupied;
    if direction < 4 {
        ray & (blockers ^ blockers.wrapping_sub(1))
    } else {
        let last = 127 - (blockers | 1).leading_zeros();
        ray & FROM_BIT[(last & 0x7f) as usize]
    }
}

#[inline(always)]
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
    Bitboard(STEPS[color.index()][kind.index()][square.slot()])
}

/// The squares that a piece of `kind` and `color` on `square` attacks when `occupied` squares
/// block. Sliders stop at and include the first piece, of either colour.
#[inline(always)]
pub fn attacks(kind: PieceKind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let steps = step_attacks(kind, color, square);
    match kind {
        PieceKind::Lance => lance_attacks(color, square, occupied),
        PieceKind::Bishop | PieceKind::Horse => bishop_attacks(square, occupied) | steps,
        PieceKind::Rook | PieceKind::Dragon => rook_attacks(square, occupied) | steps,
        _ => steps,
    }
}

/// What a piece attacks on an empty board.
#[inline(always)]
pub(crate) fn reach(kind: PieceKind, color: Color, square: Square) -> Bitboard {
    Bitboard(REACH[color.index()][kind.index()][square.slot()])
}

/// What a bishop reaches from `square` on an empty board.
#[inline]
pub(crate) fn bishop_lines(square: Square) -> Bitboard {
    Bitboard(LINES[0][square.slot()])
}

/// What a rook reaches from `square` on an empty board.
#[inline]
pub(crate) fn rook_lines(square: Square) -> Bitboard {
    Bitboard(LINES[1][square.slot()])
}

/// What a lance of `color` reaches from `square` on an empty board.
#[inline]
pub(crate) fn lance_line(color: Color, square: Square) -> Bitboard {
    let direction = match color {
        Color::Black => UP,
        Color::White => DOWN,
    };
    Bitboard(RAYS[direction][square.slot()])
}

/// From where a bishop might attack `square` or one of its neighbours.
#[inline]
pub(crate) fn bishop_near(square: Square) -> Bitboard {
    Bitboard(NEAR[0][square.slot()])
}

/// From where a rook might attack `square` or one of its neighbours.
#[inline]
pub(crate) fn rook_near(square: Square) -> Bitboard {
    Bitboard(NEAR[1][square.slot()])
}

/// The files of `square` and of its neighbours.
#[inline]
pub(crate) fn near_files(square: Square) -> Bitboard {
    Bitboard(NEAR_FILES[square.slot()])
}

/// The squares strictly between `a` and `b`; empty if they share no line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    match DIRECTION_TO[a.slot()][b.slot()] {
        NO_DIRECTION => Bitboard::EMPTY,
        d => {
            let d = usize::from(d & 7);
            Bitboard(RAYS[d][a.slot()] & RAYS[d ^ 4][b.slot()])
        }
    }
}

/// The whole ray that starts at `from` and leads through `through`; empty if they share no line.
#[inline]
pub(crate) fn ray_through(from: Square, through: Square) -> Bitboard {
    match DIRECTION_TO[from.slot()][through.slot()] {
        NO_DIRECTION => Bitboard::EMPTY,
        d => Bitboard(RAYS[usize::from(d & 7)][from.slot()]),
    }
}
