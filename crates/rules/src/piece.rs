//! Pieces with and without colour.

use crate::Color;

/// What a piece is, without its colour. The order is dlshogi's.
///
/// The [crate's page](crate#the-pieces) has the movements.
///
/// ```
/// use rules::PieceKind;
///
/// let rook = PieceKind::Rook;
/// assert_eq!(rook.promoted(), Some(PieceKind::Dragon));
/// assert_eq!(PieceKind::Gold.promoted(), None);
/// assert_eq!((rook.kanji(), rook.english(), rook.csa()), ("飛", "rook", "HI"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// 歩 fu.
    Pawn,
    /// 香 kyo.
    Lance,
    /// 桂 kei.
    Knight,
    /// 銀 gin.
    Silver,
    /// 角 kaku.
    Bishop,
    /// 飛 hisha.
    Rook,
    /// 金 kin.
    Gold,
    /// 玉 gyoku.
    King,
    /// と tokin.
    ProPawn,
    /// 成香 narikyo.
    ProLance,
    /// 成桂 narikei.
    ProKnight,
    /// 成銀 narigin.
    ProSilver,
    /// 馬 uma, promoted bishop.
    Horse,
    /// 龍 ryu, promoted rook.
    Dragon,
}

use PieceKind::*;

impl PieceKind {
    /// All kinds in index order.
    pub const ALL: [PieceKind; 14] = [
        Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight,
        ProSilver, Horse, Dragon,
    ];

    /// [`PieceKind::ALL`] with a filler up to 16, for an index that is visibly below that.
    const BY_SLOT: [PieceKind; 16] = [
        Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight,
        ProSilver, Horse, Dragon, King, King,
    ];

    /// The kinds that can be held in hand, in index order (0..7).
    pub const HAND: [PieceKind; 7] = [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold];

    /// The kind with this index among those that can be in hand; the index is taken modulo 8.
    #[inline]
    pub(crate) const fn from_hand_slot(slot: usize) -> PieceKind {
        PieceKind::BY_SLOT[slot & 7]
    }

    /// 0..14.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What the piece becomes by promoting; `None` for gold, king and promoted pieces.
    #[inline]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self {
            Pawn => Some(ProPawn),
            Lance => Some(ProLance),
            Knight => Some(ProKnight),
            Silver => Some(ProSilver),
            Bishop => Some(Horse),
            Rook => Some(Dragon),
            _ => None,
        }
    }

    /// The unpromoted kind; unpromoted kinds are returned as they are.
    #[inline]
    pub const fn unpromoted(self) -> PieceKind {
        PieceKind::BY_SLOT[self as usize & 7]
    }

    /// Whether this is a promoted piece.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 > King as u8
    }

    /// The SFEN letter of the unpromoted kind, upper case.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Pawn => 'P',
            Lance => 'L',
            Knight => 'N',
            Silver => 'S',
            Bishop => 'B',
            Rook => 'R',
            Gold => 'G',
            _ => 'K',
        }
    }

    /// The unpromoted kind with this SFEN letter (upper case).
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        match letter {
            'P' => Some(Pawn),
            'L' => Some(Lance),
            'N' => Some(Knight),
            'S' => Some(Silver),
            'B' => Some(Bishop),
            'R' => Some(Rook),
            'G' => Some(Gold),
            'K' => Some(King),
            _ => None,
        }
    }

    /// How many pieces of this (unpromoted) kind a full set has, both colours together.
    pub(crate) const fn in_full_set(self) -> u32 {
        match self.unpromoted() {
            Pawn => 18,
            Bishop | Rook | King => 2,
            _ => 4,
        }
    }
}

/// A piece on the board.
///
/// ```
/// use rules::{Color, Piece, PieceKind};
///
/// let piece = Piece::from_sfen("+r").unwrap();
/// assert_eq!(piece, Piece { color: Color::White, kind: PieceKind::Dragon });
/// assert_eq!(piece.to_string(), "+r");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub kind: PieceKind,
}

/// What stands on a square, in a byte: bits 0-3 the kind's index, bit 4 the colour, bit 5 empty.
///
/// A promoted kind has the index of the unpromoted one plus 8, so promoting sets bit 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell(u8);

const PROMOTED: u8 = 1 << 3;

impl Cell {
    pub(crate) const EMPTY: Cell = Cell(1 << 5);

    #[inline]
    pub(crate) const fn new(color: Color, kind: PieceKind) -> Cell {
        Cell(kind as u8 | (color as u8) << 4)
    }

    /// An unpromoted piece, by the index of its kind (modulo 8).
    #[inline]
    pub(crate) const fn of_hand_slot(color: Color, slot: usize) -> Cell {
        Cell((slot & 7) as u8 | (color as u8) << 4)
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == Cell::EMPTY.0
    }

    #[inline]
    pub(crate) const fn piece(self) -> Option<Piece> {
        if self.is_empty() {
            return None;
        }
        let color = if self.0 & 1 << 4 == 0 {
            Color::Black
        } else {
            Color::White
        };
        Some(Piece {
            color,
            kind: PieceKind::BY_SLOT[self.kind_slot()],
        })
    }

    /// The kind's index, visibly below 16.
    #[inline]
    pub(crate) const fn kind_slot(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Kind and colour in one number below 32.
    #[inline]
    pub(crate) const fn piece_slot(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The piece promoted if `promotes`.
    #[inline]
    pub(crate) const fn promoted_if(self, promotes: bool) -> Cell {
        Cell(self.0 | (promotes as u8) << 3)
    }

    /// The piece before a promotion, if it `promoted`.
    #[inline]
    pub(crate) const fn unpromoted_if(self, promoted: bool) -> Cell {
        Cell(self.0 & !((promoted as u8) << 3))
    }

    /// The unpromoted kind's index, visibly below 8.
    #[inline]
    pub(crate) const fn hand_slot(self) -> usize {
        (self.0 & (PROMOTED - 1)) as usize
    }
}

impl From<Piece> for Cell {
    #[inline]
    fn from(piece: Piece) -> Cell {
        Cell::new(piece.color, piece.kind)
    }
}

impl Piece {
    /// The piece with this SFEN name: `P`, `+p`, …
    pub fn from_sfen(name: &str) -> Option<Piece> {
        let (promoted, letter) = match name.strip_prefix('+') {
            Some(letter) => (true, letter),
            None => (false, name),
        };
        let &[letter] = letter.as_bytes() else {
            return None;
        };
        let plain = PieceKind::from_letter(char::from(letter.to_ascii_uppercase()))?;
        Some(Piece {
            color: if letter.is_ascii_uppercase() {
                Color::Black
            } else {
                Color::White
            },
            kind: if promoted { plain.promoted()? } else { plain },
        })
    }
}

impl std::fmt::Display for Piece {
    /// As in SFEN: `P`, `+p`, …
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = match self.color {
            Color::Black => self.kind.letter(),
            Color::White => self.kind.letter().to_ascii_lowercase(),
        };
        write!(
            f,
            "{}{letter}",
            if self.kind.is_promoted() { "+" } else { "" }
        )
    }
}
