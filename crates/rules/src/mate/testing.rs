//! Positions for the tests of mates, and the slow truth about them.

use crate::{Color, Move, Piece, PieceKind, Position, Square};

/// A fixed stream of pseudo-random numbers.
pub(super) struct Stream(pub(super) u64);

impl Stream {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Calls `check` with the positions of random games, `plies` in all. Captures are preferred, so that
/// hands fill up and kings walk.
pub(super) fn walk(seed: u64, plies: u32, mut check: impl FnMut(&Position)) {
    let mut stream = Stream(seed);
    let mut position = Position::startpos();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.ply() > 250 {
            position = Position::startpos();
            continue;
        }
        check(&position);
        let captures: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| position.piece_at(mv.to()).is_some())
            .collect();
        let pool = if !captures.is_empty() && stream.below(2) == 0 {
            &captures[..]
        } else {
            &moves[..]
        };
        position.do_move(pool[stream.below(pool.len())]);
    }
}

/// `n` positions as problems have them: a king with some pieces of both sides around it, the rest of
/// the set in the hands or nowhere. The attacker (the side to move) may lack a king, be in check, or
/// have its pieces pinned.
pub(super) fn problems(seed: u64, n: usize) -> Vec<Position> {
    let mut stream = Stream(seed);
    let mut found = Vec::new();
    while found.len() < n {
        if let Ok(position) = Position::from_sfen(&problem(&mut stream)) {
            found.push(position);
        }
    }
    found
}

fn problem(stream: &mut Stream) -> String {
    let mut board: [Option<Piece>; 81] = [None; 81];
    let side = Color::ALL[stream.below(2)];
    let king = stream.below(81);
    board[king] = Some(Piece {
        color: side.flipped(),
        kind: PieceKind::King,
    });
    let centre = Square::from_index(king);
    let n_pieces = 2 + stream.below(11);
    for _ in 0..n_pieces {
        let kind = PieceKind::ALL[stream.below(14)];
        let color = Color::ALL[stream.below(2)];
        if kind != PieceKind::King {
            let radius = 2 + 2 * stream.below(3);
            place(stream, &mut board, Piece { color, kind }, centre, radius);
        }
    }
    if stream.below(3) > 0 {
        let kind = PieceKind::King;
        let radius = [3, 8][stream.below(2)];
        let own_king = place(
            stream,
            &mut board,
            Piece { color: side, kind },
            centre,
            radius,
        );
        if let Some(own_king) = own_king
            && stream.one_in(4)
        {
            // Something that may give check to the attacker.
            let kind = PieceKind::ALL[stream.below(14)];
            let color = side.flipped();
            if kind != PieceKind::King {
                place(stream, &mut board, Piece { color, kind }, own_king, 3);
            }
        }
    }
    let attacker_hand = 1 + stream.below(3);
    let defender_hand = stream.below(4);
    sfen(
        &board,
        side,
        &hands(stream, side, attacker_hand, defender_hand),
    )
}

/// Puts the piece on a random square near `centre` if that is on the board and free; says where.
fn place(
    stream: &mut Stream,
    board: &mut [Option<Piece>; 81],
    piece: Piece,
    centre: Square,
    radius: usize,
) -> Option<Square> {
    let file = i32::from(centre.file()) + stream.below(2 * radius + 1) as i32 - radius as i32;
    let rank = i32::from(centre.rank()) + stream.below(2 * radius + 1) as i32 - radius as i32;
    let (1..=9, 1..=9) = (file, rank) else {
        return None;
    };
    let square = Square::from_file_rank(file as u8, rank as u8)?;
    let slot = &mut board[square.index()];
    slot.is_none().then(|| {
        *slot = Some(piece);
        square
    })
}

fn hands(stream: &mut Stream, side: Color, n_attacker: usize, n_defender: usize) -> String {
    let mut counts = [[0_u32; 7]; 2];
    for _ in 0..n_attacker {
        counts[side.index()][stream.below(7)] += 1;
    }
    for _ in 0..n_defender {
        counts[side.flipped().index()][stream.below(7)] += 1;
    }
    if stream.one_in(3) {
        // As in problems: all that is left belongs to the defender.
        counts[side.flipped().index()] = [3, 1, 1, 1, 1, 1, 1];
    }
    let mut text = String::new();
    for color in Color::ALL {
        for kind in PieceKind::HAND {
            let count = counts[color.index()][kind.index()];
            if count > 0 {
                text += &count.to_string();
                text += &Piece { color, kind }.to_string();
            }
        }
    }
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

fn sfen(board: &[Option<Piece>; 81], side: Color, hands: &str) -> String {
    let mut text = String::new();
    for rank in 1..=9 {
        for file in (1..=9).rev() {
            let square = Square::from_file_rank(file, rank).unwrap();
            match board[square.index()] {
                Some(piece) => text += &piece.to_string(),
                None => text.push('1'),
            }
        }
        if rank < 9 {
            text.push('/');
        }
    }
    let side = if side == Color::Black { "b" } else { "w" };
    format!("{text} {side} {hands} 1")
}

/// The checks of a position, by doing each legal move.
pub(super) fn checks(position: &Position) -> Vec<Move> {
    let mut after = position.clone();
    let mut found = position.legal_moves().to_vec();
    found.retain(|&mv| {
        let undo = after.do_move(mv);
        let checks = after.in_check();
        after.undo_move(undo);
        checks
    });
    found
}

/// Whether the side to move can mate within `plies` plies (odd), each of its moves a check, whatever
/// the opponent plays.
pub(super) fn mates_within(position: &mut Position, plies: u32) -> bool {
    checks(position).into_iter().any(|mv| {
        let undo = position.do_move(mv);
        let replies = position.legal_moves();
        let mated = replies.is_empty()
            || plies > 1
                && replies.iter().all(|&reply| {
                    let undo = position.do_move(reply);
                    let mates = mates_within(position, plies - 2);
                    position.undo_move(undo);
                    mates
                });
        position.undo_move(undo);
        mated
    })
}
