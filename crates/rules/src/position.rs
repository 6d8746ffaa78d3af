//! A position: board, hands, side to move, ply. A value without history.

use crate::attacks::{
    between, bishop_attacks, bishop_lines, lance_attacks, lance_line, ray_through, rook_attacks,
    rook_lines, step_attacks,
};
use crate::moves::Origin;
use crate::sfen::STARTPOS_SFEN;
use crate::zobrist;
use crate::{Bitboard, Color, Hand, Move, Piece, PieceKind, Square};

/// Board, hands, side to move and ply. It does not know how it came about, so it cannot tell a
/// repetition: see [`Game`](crate::Game).
///
/// A position has at most one king per side (problems may lack one), never leaves the side that
/// has just moved in check, and holds no piece that could never move and no doubled pawn: the
/// readers refuse anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// 81 of the 128 are squares: [`Square::slot`] needs no bounds check.
    board: [Option<Piece>; 128],
    pub(crate) by_kind: [Bitboard; 14],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) hands: [Hand; 2],
    pub(crate) kings: [Option<Square>; 2],
    pub(crate) side: Color,
    pub(crate) ply: u32,
    /// The key of board and side; that of the hands is made when asked for.
    board_key: u64,
}

/// What [`Position::undo_move`] needs to take a move back.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    mv: Move,
    captured: Option<Piece>,
    board_key: u64,
}

impl Undo {
    /// The move that will be taken back.
    pub fn mv(&self) -> Move {
        self.mv
    }

    /// The piece that the move captured, as it stood on the board.
    pub fn captured(&self) -> Option<Piece> {
        self.captured
    }
}

impl Position {
    /// The initial position of an even game (平手).
    pub fn startpos() -> Position {
        Position::from_sfen(STARTPOS_SFEN).expect("the initial position is valid")
    }

    pub(crate) fn empty(side: Color, ply: u32) -> Position {
        Position {
            board: [None; 128],
            by_kind: [Bitboard::EMPTY; 14],
            by_color: [Bitboard::EMPTY; 2],
            hands: [Hand::default(); 2],
            kings: [None; 2],
            side,
            ply,
            board_key: match side {
                Color::Black => 0,
                Color::White => zobrist::WHITE_TO_MOVE,
            },
        }
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Half-moves since the start of the game: SFEN's move number less one.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.slot()]
    }

    /// A player's pieces in hand.
    #[inline]
    pub fn hand(&self, color: Color) -> &Hand {
        &self.hands[color.index()]
    }

    /// The squares on which `color` has a piece of `kind`.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()] & self.by_color[color.index()]
    }

    /// All squares with a piece.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares with a piece of `color`.
    #[inline]
    pub fn occupied_by(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// Where the king of `color` stands; `None` in problems without it.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// The pieces that give check to the side to move. Worked out at each call.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        match self.king(self.side) {
            Some(king) => self.attackers_to(king, self.side.flipped()),
            None => Bitboard::EMPTY,
        }
    }

    /// Whether the side to move is in check (王手). Worked out at each call.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// A 64-bit key of board, hands and side to move; the ply is not part of it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board_key ^ zobrist::hands(&self.hands)
    }

    /// The pieces of `color` that attack `square`.
    #[inline]
    pub fn attackers_to(&self, square: Square, color: Color) -> Bitboard {
        self.attackers_with(square, color, self.occupied())
    }

    /// [`Position::attackers_to`] as if exactly `occupied` squares were occupied.
    #[inline]
    pub(crate) fn attackers_with(
        &self,
        square: Square,
        color: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        self.steppers_to(square, color) | self.sliders_to(square, color, occupied)
    }

    /// The pieces of `color` that attack `square` by a step: sliders are left out, but for the steps
    /// of horses and dragons.
    #[inline]
    pub(crate) fn steppers_to(&self, square: Square, color: Color) -> Bitboard {
        let from_square = |kind| step_attacks(kind, color.flipped(), square);
        let kind = |kind: PieceKind| self.by_kind[kind.index()];
        let royal = kind(PieceKind::King) | kind(PieceKind::Horse) | kind(PieceKind::Dragon);
        let steps = from_square(PieceKind::Pawn) & kind(PieceKind::Pawn)
            | from_square(PieceKind::Knight) & kind(PieceKind::Knight)
            | from_square(PieceKind::Silver) & kind(PieceKind::Silver)
            | from_square(PieceKind::Gold) & self.gold_movers()
            | from_square(PieceKind::King) & royal;
        steps & self.by_color[color.index()]
    }

    /// The pieces of both sides that move as a gold does.
    #[inline]
    pub(crate) fn gold_movers(&self) -> Bitboard {
        let kind = |kind: PieceKind| self.by_kind[kind.index()];
        kind(PieceKind::Gold)
            | kind(PieceKind::ProPawn)
            | kind(PieceKind::ProLance)
            | kind(PieceKind::ProKnight)
            | kind(PieceKind::ProSilver)
    }

    /// The sliders of `color` that would attack `square` if no piece stood between.
    #[inline]
    pub(crate) fn snipers_to(&self, square: Square, color: Color) -> Bitboard {
        let kind = |kind: PieceKind| self.by_kind[kind.index()];
        let bishops = kind(PieceKind::Bishop) | kind(PieceKind::Horse);
        let rooks = kind(PieceKind::Rook) | kind(PieceKind::Dragon);
        let lines = bishop_lines(square) & bishops
            | rook_lines(square) & rooks
            | lance_line(color.flipped(), square) & kind(PieceKind::Lance);
        lines & self.by_color[color.index()]
    }

    /// The lances, bishops, rooks, horses and dragons of `color` that slide to `square`.
    #[inline]
    pub(crate) fn sliders_to(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let own = self.by_color[color.index()];
        let kind = |kind: PieceKind| self.by_kind[kind.index()] & own;
        let bishops = kind(PieceKind::Bishop) | kind(PieceKind::Horse);
        let rooks = kind(PieceKind::Rook) | kind(PieceKind::Dragon);
        let lances = kind(PieceKind::Lance);
        let mut found = Bitboard::EMPTY;
        if !bishops.is_empty() {
            found |= bishop_attacks(square, occupied) & bishops;
        }
        if !rooks.is_empty() {
            found |= rook_attacks(square, occupied) & rooks;
        }
        if !lances.is_empty() {
            found |= lance_attacks(color.flipped(), square, occupied) & lances;
        }
        found
    }

    /// Plays a legal move and returns what takes it back.
    ///
    /// # Panics
    ///
    /// May panic on a move that is not legal here; an illegal move that does not panic leaves a
    /// position that means nothing. [`Game::play`](crate::Game::play) checks.
    #[inline]
    pub fn do_move(&mut self, mv: Move) -> Undo {
        let (us, to) = (self.side, mv.to());
        let mut undo = Undo {
            mv,
            captured: None,
            board_key: self.board_key,
        };
        match mv.origin() {
            Origin::Square(from) => {
                let mover = self.board[from.slot()].expect("a legal move moves a piece");
                undo.captured = self.board[to.slot()];
                if let Some(captured) = undo.captured {
                    self.flip(to, captured);
                    self.hands[us.index()].add(captured.kind.unpromoted(), 1);
                }
                let arrived = Piece {
                    color: us,
                    kind: if mv.is_promotion() {
                        mover.kind.promoted().expect("a legal promotion promotes")
                    } else {
                        mover.kind
                    },
                };
                self.flip(from, mover);
                self.flip(to, arrived);
                self.board[from.slot()] = None;
                self.board[to.slot()] = Some(arrived);
                if arrived.kind == PieceKind::King {
                    self.kings[us.index()] = Some(to);
                }
            }
            Origin::Hand(kind) => {
                let piece = Piece { color: us, kind };
                self.hands[us.index()].remove_one(kind);
                self.flip(to, piece);
                self.board[to.slot()] = Some(piece);
            }
        }
        self.side = us.flipped();
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.ply += 1;
        undo
    }

    /// Takes back the last move.
    ///
    /// # Panics
    ///
    /// May panic if `undo` does not belong to the last move done.
    #[inline]
    pub fn undo_move(&mut self, undo: Undo) {
        let (us, to) = (self.side.flipped(), undo.mv.to());
        let arrived = self.board[to.slot()].expect("the moved piece stands on its destination");
        self.flip_sets(to, arrived);
        self.board[to.slot()] = undo.captured;
        match undo.mv.origin() {
            Origin::Square(from) => {
                let mover = Piece {
                    color: us,
                    kind: if undo.mv.is_promotion() {
                        arrived.kind.unpromoted()
                    } else {
                        arrived.kind
                    },
                };
                self.flip_sets(from, mover);
                self.board[from.slot()] = Some(mover);
                if let Some(captured) = undo.captured {
                    self.flip_sets(to, captured);
                    self.hands[us.index()].remove_one(captured.kind.unpromoted());
                }
                if mover.kind == PieceKind::King {
                    self.kings[us.index()] = Some(from);
                }
            }
            Origin::Hand(kind) => self.hands[us.index()].add(kind, 1),
        }
        self.side = us;
        self.ply -= 1;
        self.board_key = undo.board_key;
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let Some(king) = self.king(us.flipped()) else {
            return false;
        };
        let to = mv.to();
        let (from, kind) = match mv.origin() {
            Origin::Hand(kind) => return self.reaches(kind, us, to, king, self.occupied()),
            Origin::Square(from) => match self.board[from.slot()] {
                None => return false,
                Some(mover) if mv.is_promotion() => {
                    (from, mover.kind.promoted().unwrap_or(mover.kind))
                }
                Some(mover) => (from, mover.kind),
            },
        };
        let occupied = self.occupied() & !Bitboard::single(from) | Bitboard::single(to);
        self.reaches(kind, us, to, king, occupied) || self.discovers(king, from, occupied)
    }

    /// Whether a piece of `kind` and `color` on `from` attacks `target`.
    #[inline]
    fn reaches(
        &self,
        kind: PieceKind,
        color: Color,
        from: Square,
        target: Square,
        occupied: Bitboard,
    ) -> bool {
        let line = match kind {
            PieceKind::Lance => lance_line(color, from),
            PieceKind::Bishop | PieceKind::Horse => bishop_lines(from),
            PieceKind::Rook | PieceKind::Dragon => rook_lines(from),
            kind => return step_attacks(kind, color, from).contains(target),
        };
        line.contains(target) && (between(from, target) & occupied).is_empty()
            || step_attacks(kind, color, from).contains(target)
    }

    /// Whether a slider of the side to move, not the piece from `from`, attacks the enemy king after a
    /// move from `from` that leaves `occupied` squares.
    #[inline]
    fn discovers(&self, king: Square, from: Square, occupied: Bitboard) -> bool {
        let behind = ray_through(king, from);
        let mut snipers = self.snipers_to(king, self.side) & behind & !Bitboard::single(from);
        snipers.any(|sniper| (between(king, sniper) & occupied).is_empty())
    }

    /// The position with left and right exchanged.
    pub fn mirrored(&self) -> Position {
        let mut mirror = Position::empty(self.side, self.ply);
        for square in self.occupied() {
            let piece = self
                .piece_at(square)
                .expect("an occupied square has a piece");
            mirror.put(square.mirrored(), piece);
        }
        for color in Color::ALL {
            for (kind, n) in self.hand(color).iter() {
                for _ in 0..n {
                    mirror.add_to_hand(color, kind);
                }
            }
        }
        mirror
    }

    #[inline]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.board[square.slot()].is_none());
        self.board[square.slot()] = Some(piece);
        self.flip(square, piece);
        if piece.kind == PieceKind::King {
            self.kings[piece.color.index()] = Some(square);
        }
    }

    #[inline]
    pub(crate) fn add_to_hand(&mut self, color: Color, kind: PieceKind) {
        self.hands[color.index()].add(kind, 1);
    }

    /// Adds `piece` to the sets and the key, or takes it out.
    #[inline(always)]
    fn flip(&mut self, square: Square, piece: Piece) {
        self.flip_sets(square, piece);
        self.board_key ^= zobrist::board(piece.color, piece.kind, square);
    }

    #[inline(always)]
    fn flip_sets(&mut self, square: Square, piece: Piece) {
        let single = Bitboard::single(square);
        self.by_kind[piece.kind.index()] ^= single;
        self.by_color[piece.color.index()] ^= single;
    }
}
