//! A position: board, hands, side to move, ply. A value without history.

use crate::attacks::{attacks, bishop_attacks, lance_attacks, rook_attacks, step_attacks};
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
    pub(crate) board: [Option<Piece>; 81],
    pub(crate) by_kind: [Bitboard; 14],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) hands: [Hand; 2],
    pub(crate) kings: [Option<Square>; 2],
    pub(crate) side: Color,
    pub(crate) ply: u32,
    key: u64,
    checkers: Bitboard,
}

/// What [`Position::undo_move`] needs to take a move back.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    mv: Move,
    captured: Option<Piece>,
    key: u64,
    checkers: Bitboard,
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
            board: [None; 81],
            by_kind: [Bitboard::EMPTY; 14],
            by_color: [Bitboard::EMPTY; 2],
            hands: [Hand::default(); 2],
            kings: [None; 2],
            side,
            ply,
            key: if side == Color::White {
                zobrist::WHITE_TO_MOVE
            } else {
                0
            },
            checkers: Bitboard::EMPTY,
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
        self.board[square.index()]
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

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check (王手).
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// A 64-bit key of board, hands and side to move; the ply is not part of it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
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
        let from_square = |kind| step_attacks(kind, color.flipped(), square);
        let kind = |kind: PieceKind| self.by_kind[kind.index()];
        let golds = kind(PieceKind::Gold)
            | kind(PieceKind::ProPawn)
            | kind(PieceKind::ProLance)
            | kind(PieceKind::ProKnight)
            | kind(PieceKind::ProSilver);
        let royal = kind(PieceKind::King) | kind(PieceKind::Horse) | kind(PieceKind::Dragon);
        let steps = from_square(PieceKind::Pawn) & kind(PieceKind::Pawn)
            | from_square(PieceKind::Knight) & kind(PieceKind::Knight)
            | from_square(PieceKind::Silver) & kind(PieceKind::Silver)
            | from_square(PieceKind::Gold) & golds
            | from_square(PieceKind::King) & royal;
        (steps & self.by_color[color.index()]) | self.sliders_to(square, color, occupied)
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
    pub fn do_move(&mut self, mv: Move) -> Undo {
        let (us, to) = (self.side, mv.to());
        let undo_key = self.key;
        let captured = match (mv.from(), mv.drop_kind()) {
            (Some(from), _) => {
                let mover = self.remove(from).expect("a legal move moves a piece");
                let captured = self.remove(to);
                if let Some(piece) = captured {
                    self.add_to_hand(us, piece.kind.unpromoted());
                }
                let kind = if mv.is_promotion() {
                    mover.kind.promoted().expect("a legal promotion promotes")
                } else {
                    mover.kind
                };
                self.put(to, Piece { color: us, kind });
                captured
            }
            (None, Some(kind)) => {
                self.remove_from_hand(us, kind);
                self.put(to, Piece { color: us, kind });
                None
            }
            (None, None) => unreachable!("a move has an origin or a dropped kind"),
        };
        self.side = us.flipped();
        self.key ^= zobrist::WHITE_TO_MOVE;
        self.ply += 1;
        let undo = Undo {
            mv,
            captured,
            key: undo_key,
            checkers: self.checkers,
        };
        self.update_checkers();
        undo
    }

    /// Takes back the last move.
    ///
    /// # Panics
    ///
    /// May panic if `undo` does not belong to the last move done.
    pub fn undo_move(&mut self, undo: Undo) {
        let to = undo.mv.to();
        let us = self.side.flipped();
        let mover = self
            .remove(to)
            .expect("the moved piece stands on its destination");
        match undo.mv.from() {
            Some(from) => {
                let kind = if undo.mv.is_promotion() {
                    mover.kind.unpromoted()
                } else {
                    mover.kind
                };
                self.put(from, Piece { color: us, kind });
                if let Some(piece) = undo.captured {
                    self.put(to, piece);
                    self.hands[us.index()].remove_one(piece.kind.unpromoted());
                }
            }
            None => self.hands[us.index()].add(mover.kind, 1),
        }
        self.side = us;
        self.ply -= 1;
        self.key = undo.key;
        self.checkers = undo.checkers;
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let Some(king) = self.king(us.flipped()) else {
            return false;
        };
        let to = mv.to();
        let Some(from) = mv.from() else {
            let kind = mv.drop_kind().expect("a move without origin is a drop");
            return attacks(kind, us, to, self.occupied()).contains(king);
        };
        let Some(mover) = self.piece_at(from) else {
            return false;
        };
        let kind = if mv.is_promotion() {
            mover.kind.promoted().unwrap_or(mover.kind)
        } else {
            mover.kind
        };
        let occupied = self.occupied() & !Bitboard::of(from) | Bitboard::of(to);
        attacks(kind, us, to, occupied).contains(king)
            || crate::attacks::aligned(king, from)
                && !(self.sliders_to(king, us, occupied) & !Bitboard::of(from)).is_empty()
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
        mirror.update_checkers();
        mirror
    }

    #[inline]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.board[square.index()].is_none());
        self.board[square.index()] = Some(piece);
        self.by_kind[piece.kind.index()] ^= Bitboard::of(square);
        self.by_color[piece.color.index()] ^= Bitboard::of(square);
        self.key ^= zobrist::board(piece.color, piece.kind, square);
        if piece.kind == PieceKind::King {
            self.kings[piece.color.index()] = Some(square);
        }
    }

    #[inline]
    fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board[square.index()].take()?;
        self.by_kind[piece.kind.index()] ^= Bitboard::of(square);
        self.by_color[piece.color.index()] ^= Bitboard::of(square);
        self.key ^= zobrist::board(piece.color, piece.kind, square);
        Some(piece)
    }

    #[inline]
    pub(crate) fn add_to_hand(&mut self, color: Color, kind: PieceKind) {
        let count = self.hands[color.index()].count(kind);
        self.key ^= zobrist::hand(color, kind, count) ^ zobrist::hand(color, kind, count + 1);
        self.hands[color.index()].add(kind, 1);
    }

    #[inline]
    fn remove_from_hand(&mut self, color: Color, kind: PieceKind) {
        let count = self.hands[color.index()].count(kind);
        self.hands[color.index()].remove_one(kind);
        self.key ^= zobrist::hand(color, kind, count) ^ zobrist::hand(color, kind, count - 1);
    }

    #[inline]
    pub(crate) fn update_checkers(&mut self) {
        self.checkers = match self.king(self.side) {
            Some(king) => self.attackers_to(king, self.side.flipped()),
            None => Bitboard::EMPTY,
        };
    }
}
