//! Positions for the tests of mates, and the slow truth about them.

use std::collections::HashMap;

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
    problems_of(seed, n, Size::Usual)
}

/// [`problems`] of which all lines can be followed to the end, however long.
pub(super) fn small_problems(seed: u64, n: usize) -> Vec<Position> {
    problems_of(seed, n, Size::Small)
}

/// How many pieces a problem has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    Usual,
    /// Few on the board, and hardly any in hand.
    Small,
}

fn problems_of(seed: u64, n: usize, size: Size) -> Vec<Position> {
    let mut stream = Stream(seed);
    let mut found = Vec::new();
    while found.len() < n {
        if let Ok(position) = Position::from_sfen(&problem(&mut stream, size)) {
            found.push(position);
        }
    }
    found
}

fn problem(stream: &mut Stream, size: Size) -> String {
    let mut board: [Option<Piece>; 81] = [None; 81];
    let side = Color::ALL[stream.below(2)];
    let king = match size {
        Size::Usual => stream.below(81),
        // On the first file.
        Size::Small => stream.below(9),
    };
    board[king] = Some(Piece {
        color: side.flipped(),
        kind: PieceKind::King,
    });
    let centre = Square::from_index(king);
    let n_pieces = 2 + stream.below(11);
    for _ in 0..n_pieces {
        let kind = PieceKind::ALL[stream.below(14)];
        let color = match size {
            Size::Small if stream.below(3) > 0 => side,
            _ => Color::ALL[stream.below(2)],
        };
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
    let (attacker_hand, defender_hand) = match size {
        Size::Usual => (1 + stream.below(3), stream.below(4)),
        Size::Small => (stream.below(3) / 2, 0),
    };
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
    if n_defender > 2 {
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

/// [`mates_within`] as mate problems count: a piece put between in vain is no move. This is the
/// definition in `docs/mate-search.md`, written down as it stands there, all lines tried.
pub(super) struct AllLines {
    known: HashMap<(u64, u32), bool>,
    /// How many positions may still be looked at.
    left: u32,
}

impl AllLines {
    /// The length of the shortest mate, up to `limit` plies; an error if that takes more than
    /// `effort` positions.
    pub(super) fn length(
        position: &Position,
        limit: u32,
        effort: u32,
    ) -> Result<Option<u32>, TooMany> {
        let mut lines = AllLines {
            known: HashMap::new(),
            left: effort,
        };
        for plies in (1..=limit).step_by(2) {
            if lines.mates(&mut position.clone(), plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// Whether the side to move mates within `plies` plies (odd).
    fn mates(&mut self, position: &mut Position, plies: u32) -> Result<bool, TooMany> {
        self.remembered(position, plies, |lines, position| {
            for mv in checks(position) {
                let undo = position.do_move(mv);
                let is_mated = lines.is_mated(position, plies - 1);
                position.undo_move(undo);
                if is_mated? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Whether the side to move, in check, is mated within `plies` plies (even).
    fn is_mated(&mut self, position: &mut Position, plies: u32) -> Result<bool, TooMany> {
        self.remembered(position, plies, |lines, position| {
            let replies = position.legal_moves();
            let (drops, others): (Vec<Move>, Vec<Move>) =
                replies.iter().partition(|mv| mv.is_drop());
            for &mv in &others {
                if !lines.answers(position, mv, plies)? {
                    return Ok(false);
                }
            }
            for &drop in &drops {
                if !lines.answers_drop(position, drop, &others, plies)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn answers_drop(
        &mut self,
        position: &mut Position,
        drop: Move,
        others: &[Move],
        plies: u32,
    ) -> Result<bool, TooMany> {
        if self.answers(position, drop, plies)?
            || plies >= 2 && self.takes_for_nothing(position, drop, plies - 2)?
        {
            return Ok(true);
        }
        if !self.takes_for_nothing(position, drop, plies)? {
            return Ok(false);
        }
        // Useless, unless the other replies end sooner.
        if plies == 0 {
            return Ok(true);
        }
        for &mv in others {
            if !self.answers(position, mv, plies - 2)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn answers(
        &mut self,
        position: &mut Position,
        reply: Move,
        plies: u32,
    ) -> Result<bool, TooMany> {
        if plies < 2 {
            return Ok(false);
        }
        let undo = position.do_move(reply);
        let mates = self.mates(position, plies - 1);
        position.undo_move(undo);
        mates
    }

    /// Whether the checker can take what is dropped, such that with the piece back in the defender's
    /// hand it is mate within `plies` plies.
    fn takes_for_nothing(
        &mut self,
        position: &Position,
        drop: Move,
        plies: u32,
    ) -> Result<bool, TooMany> {
        let checker = position.checkers().first();
        let kind = drop.drop_kind().unwrap();
        let mut dropped = position.clone();
        dropped.do_move(drop);
        for &take in &dropped.legal_moves() {
            if take.from() != checker || take.to() != drop.to() {
                continue;
            }
            let mut after = dropped.clone();
            after.do_move(take);
            let defender = after.side_to_move();
            after.hands[defender.flipped().index()].remove_slot(kind.index());
            after.hands[defender.index()].add(kind, 1);
            if after.in_check() && self.is_mated(&mut after, plies)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn remembered(
        &mut self,
        position: &mut Position,
        plies: u32,
        look: impl FnOnce(&mut AllLines, &mut Position) -> Result<bool, TooMany>,
    ) -> Result<bool, TooMany> {
        let question = (position.key(), plies);
        if let Some(&known) = self.known.get(&question) {
            return Ok(known);
        }
        self.left = self.left.checked_sub(1).ok_or(TooMany)?;
        let answer = look(self, position)?;
        self.known.insert(question, answer);
        Ok(answer)
    }
}

/// There are more lines than a test has time for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooMany;

/// Whether the side to move mates by checks, in however many plies: all positions that checks and
/// replies can reach, then backwards from the mates. Repetitions need no care here: who cannot avoid
/// a mate cannot by repeating either. An error if there are more than `limit` positions.
pub(super) fn mates_at_all(position: &Position, limit: usize) -> Result<bool, TooMany> {
    let mut indices = HashMap::from([(position.key(), 0)]);
    let mut nodes = vec![Reached::new(position.clone())];
    let mut idx = 0;
    while idx < nodes.len() {
        let position = nodes[idx].position.clone();
        let attacks = nodes[idx].is_attack;
        let moves = if attacks {
            checks(&position)
        } else {
            position.legal_moves().to_vec()
        };
        nodes[idx].n_open = moves.len();
        for mv in moves {
            let mut after = position.clone();
            after.do_move(mv);
            let next = *indices.entry(after.key()).or_insert_with(|| {
                nodes.push(Reached {
                    is_attack: !attacks,
                    ..Reached::new(after)
                });
                nodes.len() - 1
            });
            nodes[next].parents.push(idx);
        }
        if nodes.len() > limit {
            return Err(TooMany);
        }
        idx += 1;
    }
    let mut won: Vec<usize> = (0..nodes.len())
        .filter(|&idx| !nodes[idx].is_attack && nodes[idx].n_open == 0)
        .collect();
    while let Some(idx) = won.pop() {
        if std::mem::replace(&mut nodes[idx].is_won, true) {
            continue;
        }
        for parent in nodes[idx].parents.clone() {
            nodes[parent].n_open -= 1;
            if nodes[parent].is_attack || nodes[parent].n_open == 0 {
                won.push(parent);
            }
        }
    }
    Ok(nodes[0].is_won)
}

/// A position that checks and replies can reach.
struct Reached {
    position: Position,
    is_attack: bool,
    is_won: bool,
    /// Moves that are not known to lead to mate.
    n_open: usize,
    parents: Vec<usize>,
}

impl Reached {
    fn new(position: Position) -> Reached {
        Reached {
            position,
            is_attack: true,
            is_won: false,
            n_open: 0,
            parents: Vec::new(),
        }
    }
}
