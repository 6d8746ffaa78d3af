//! Pieces with and without colour.

use crate::Color;

/// What a piece is, without its colour. The order is dlshogi's.
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

    /// The kinds that can be held in hand, in index order (0..7).
    pub const HAND: [PieceKind; 7] = [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold];

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
        const UNPROMOTED: [PieceKind; 14] = [
            Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, Pawn, Lance, Knight, Silver,
            Bishop, Rook,
        ];
        UNPROMOTED[self as usize]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub kind: PieceKind,
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
