//! A position: board, hands, side to move, ply. A value without history.

use crate::attacks::{
    between, bishop_attacks, bishop_lines, lance_attacks, lance_line, ray_through, reach,
    rook_attacks, rook_lines, step_attacks,
};
use crate::moves::Origin;
use crate::piece::Cell;
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
    board: [Cell; 128],
    /// 14 of the 16 are kinds.
    by_kind: [Bitboard; 16],
    by_color: [Bitboard; 2],
    pub(crate) hands: [Hand; 2],
    pub(crate) side: Color,
    pub(crate) ply: u32,
    /// The key of board and side; that of the hands is made when asked for.
    board_key: u64,
}

/// What [`Position::undo_move`] needs to take a move back.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    mv: Move,
    captured: Cell,
    board_key: u64,
}

impl Undo {
    /// The move that will be taken back.
    pub fn mv(&self) -> Move {
        self.mv
    }

    /// The piece that the move captured, as it stood on the board.
    pub fn captured(&self) -> Option<Piece> {
        self.captured.piece()
    }
}

impl Position {
    /// The initial position of an even game (平手).
    pub fn startpos() -> Position {
        Position::from_sfen(STARTPOS_SFEN).expect("the initial position is valid")
    }

    pub(crate) fn empty(side: Color, ply: u32) -> Position {
        Position {
            board: [Cell::EMPTY; 128],
            by_kind: [Bitboard::EMPTY; 16],
            by_color: [Bitboard::EMPTY; 2],
            hands: [Hand::default(); 2],
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
        self.board[square.slot()].piece()
    }

    /// A player's pieces in hand.
    #[inline]
    pub fn hand(&self, color: Color) -> &Hand {
        &self.hands[color.index()]
    }

    /// The squares on which `color` has a piece of `kind`.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.of_kind(kind) & self.occupied_by(color)
    }

    /// All squares with a piece.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.occupied_by(Color::Black) | self.occupied_by(Color::White)
    }

    /// The squares with a piece of `color`.
    #[inline]
    pub fn occupied_by(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares with a piece of `kind`, of either side.
    #[inline]
    pub(crate) fn of_kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// Where the king of `color` stands; `None` in problems without it.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, PieceKind::King).first()
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
        let kind = |kind: PieceKind| self.of_kind(kind);
        let royal = kind(PieceKind::King) | kind(PieceKind::Horse) | kind(PieceKind::Dragon);
        let steps = from_square(PieceKind::Pawn) & kind(PieceKind::Pawn)
            | from_square(PieceKind::Knight) & kind(PieceKind::Knight)
            | from_square(PieceKind::Silver) & kind(PieceKind::Silver)
            | from_square(PieceKind::Gold) & self.gold_movers()
            | from_square(PieceKind::King) & royal;
        steps & self.occupied_by(color)
    }

    /// The pieces of both sides that move as a gold does.
    #[inline]
    pub(crate) fn gold_movers(&self) -> Bitboard {
        let kind = |kind: PieceKind| self.of_kind(kind);
        kind(PieceKind::Gold)
            | kind(PieceKind::ProPawn)
            | kind(PieceKind::ProLance)
            | kind(PieceKind::ProKnight)
            | kind(PieceKind::ProSilver)
    }

    /// The sliders of `color` that would attack `square` if no piece stood between.
    #[inline]
    pub(crate) fn snipers_to(&self, square: Square, color: Color) -> Bitboard {
        let kind = |kind: PieceKind| self.of_kind(kind);
        let bishops = kind(PieceKind::Bishop) | kind(PieceKind::Horse);
        let rooks = kind(PieceKind::Rook) | kind(PieceKind::Dragon);
        let lines = bishop_lines(square) & bishops
            | rook_lines(square) & rooks
            | lance_line(color.flipped(), square) & kind(PieceKind::Lance);
        lines & self.occupied_by(color)
    }

    /// The lances, bishops, rooks, horses and dragons of `color` that slide to `square`.
    #[inline]
    pub(crate) fn sliders_to(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let kind = |kind: PieceKind| self.pieces(color, kind);
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
    #[inline(always)]
    pub fn do_move(&mut self, mv: Move) -> Undo {
        let (us, to) = (self.side, mv.to());
        let mut undo = Undo {
            mv,
            captured: Cell::EMPTY,
            board_key: self.board_key,
        };
        match mv.origin_or_slot() {
            Ok(from) => {
                let mover = self.board[from.slot()];
                let arrived = mover.promoted_if(mv.is_promotion());
                assert!(!mover.is_empty(), "a legal move moves a piece");
                undo.captured = self.board[to.slot()];
                self.board[from.slot()] = Cell::EMPTY;
                self.board[to.slot()] = arrived;
                self.board_key ^= zobrist::board(mover, from) ^ zobrist::board(arrived, to);
                self.flip_moved(us, mover, from, arrived, to);
                if !undo.captured.is_empty() {
                    self.board_key ^= zobrist::board(undo.captured, to);
                    self.flip_one(us.flipped(), undo.captured, to);
                    self.hands[us.index()].add_slot(undo.captured.hand_slot());
                }
            }
            Err(slot) => {
                let dropped = Cell::of_hand_slot(us, slot);
                self.hands[us.index()].remove_slot(slot);
                self.board[to.slot()] = dropped;
                self.board_key ^= zobrist::board(dropped, to);
                self.flip_one(us, dropped, to);
            }
        }
        self.side = us.flipped();
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.ply += 1;
        undo
    }

    /// Takes back the last move.
    ///
    /// `undo` must belong to the last move done; any other leaves a position that means nothing.
    #[inline(always)]
    pub fn undo_move(&mut self, undo: Undo) {
        let (us, to) = (self.side.flipped(), undo.mv.to());
        match undo.mv.origin_or_slot() {
            Ok(from) => {
                let arrived = self.board[to.slot()];
                let mover = arrived.unpromoted_if(undo.mv.is_promotion());
                self.board[from.slot()] = mover;
                self.board[to.slot()] = undo.captured;
                self.flip_moved(us, mover, from, arrived, to);
                if !undo.captured.is_empty() {
                    self.flip_one(us.flipped(), undo.captured, to);
                    self.hands[us.index()].remove_slot(undo.captured.hand_slot());
                }
            }
            Err(slot) => {
                self.hands[us.index()].add_slot(slot);
                self.board[to.slot()] = Cell::EMPTY;
                self.flip_one(us, Cell::of_hand_slot(us, slot), to);
            }
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
            Origin::Square(from) => match self.piece_at(from) {
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
    #[inline(always)]
    fn reaches(
        &self,
        kind: PieceKind,
        color: Color,
        from: Square,
        target: Square,
        occupied: Bitboard,
    ) -> bool {
        // Nothing lies between a step's ends.
        reach(kind, color, from).contains(target) && (between(from, target) & occupied).is_empty()
    }

    /// Whether a slider of the side to move, not the piece from `from`, attacks the enemy king after a
    /// move from `from` that leaves `occupied` squares.
    #[inline(always)]
    fn discovers(&self, king: Square, from: Square, occupied: Bitboard) -> bool {
        let behind = ray_through(king, from);
        if behind.is_empty() {
            return false;
        }
        let mut snipers = self.snipers_to(king, self.side) & behind & !Bitboard::single(from);
        snipers.any(|sniper| (between(king, sniper) & occupied).is_empty())
    }

    /// The position with left and right exchanged.
    ///
    /// Its legal moves are the [`Move::mirrored`] ones of this position.
    pub fn mirrored(&self) -> Position {
        self.rearranged(Square::mirrored, |color| color)
    }

    /// The same position with the players exchanged: the board turned by 180 degrees, every piece
    /// given to the other side, hands and turn exchanged.
    ///
    /// Its legal moves are the [`Move::rotated`] ones of this position. The ply stays.
    ///
    /// ```
    /// use rules::{Move, Position};
    ///
    /// let mut position = Position::startpos();
    /// let mv: Move = "7g7f".parse()?;
    /// position.do_move(mv);
    /// assert_eq!(
    ///     position.rotated().to_string(),
    ///     "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2"
    /// );
    /// assert_eq!(mv.rotated().to_string(), "3c3d");
    /// # Ok::<(), rules::ParseMoveError>(())
    /// ```
    pub fn rotated(&self) -> Position {
        self.rearranged(Square::rotated, Color::flipped)
    }

    /// The position with every piece on another square and perhaps of the other side.
    fn rearranged(&self, square_to: fn(Square) -> Square, owner: fn(Color) -> Color) -> Position {
        let mut rearranged = Position::empty(owner(self.side), self.ply);
        for square in self.occupied() {
            let Piece { color, kind } = self
                .piece_at(square)
                .expect("an occupied square has a piece");
            let color = owner(color);
            rearranged.put(square_to(square), Piece { color, kind });
        }
        for color in Color::ALL {
            rearranged.hands[owner(color).index()] = *self.hand(color);
        }
        rearranged
    }

    #[inline]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.board[square.slot()].is_empty());
        self.board[square.slot()] = piece.into();
        self.board_key ^= zobrist::board(piece.into(), square);
        self.flip_one(piece.color, piece.into(), square);
    }

    #[inline]
    pub(crate) fn add_to_hand(&mut self, color: Color, kind: PieceKind) {
        self.hands[color.index()].add(kind, 1);
    }

    /// Moves a piece in the sets, there or back. Each set is read and written once: one after
    /// another they would wait for each other.
    #[inline(always)]
    fn flip_moved(&mut self, us: Color, mover: Cell, from: Square, arrived: Cell, to: Square) {
        let (left, reached) = (Bitboard::single(from), Bitboard::single(to));
        let both = left | reached;
        self.by_color[us.index()] ^= both;
        if mover == arrived {
            self.by_kind[mover.kind_slot()] ^= both;
        } else {
            self.by_kind[mover.kind_slot()] ^= left;
            self.by_kind[arrived.kind_slot()] ^= reached;
        }
    }

    /// Adds a piece to the sets, or takes it out.
    #[inline(always)]
    fn flip_one(&mut self, color: Color, cell: Cell, square: Square) {
        let single = Bitboard::single(square);
        self.by_kind[cell.kind_slot()] ^= single;
        self.by_color[color.index()] ^= single;
    }
}
