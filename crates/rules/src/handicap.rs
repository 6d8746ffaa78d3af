//! The named starts: the even game and the handicaps.

use std::fmt;
use std::str::FromStr;

use crate::{Color, Position};

/// A start with a name: the even game, or a handicap (駒落ち komaochi).
///
/// In a handicap game White is the stronger side (上手 uwate): White lacks pieces and moves first.
/// Black, who receives the handicap (下手 shitate), always has the full set. Left and right are
/// White's: White's left lance stands on 1a, the right one on 9a.
///
/// ```
/// use rules::{Handicap, Position};
///
/// let two_pieces: Handicap = "two-piece".parse()?;
/// assert_eq!(two_pieces.name_japanese(), "二枚落ち");
/// assert_eq!(
///     two_pieces.position().to_string(),
///     "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
/// );
/// assert_eq!(Handicap::of(&Position::startpos()), Some(Handicap::Even));
/// # Ok::<(), rules::ParseHandicapError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Handicap {
    /// 平手 hirate: no handicap, Black moves first.
    Even,
    /// 香落ち: without the left lance (1a).
    LanceLeft,
    /// 右香落ち: without the right lance (9a).
    LanceRight,
    /// 角落ち: without the bishop.
    Bishop,
    /// 飛車落ち: without the rook.
    Rook,
    /// 飛香落ち: without the rook and the left lance.
    RookLance,
    /// 二枚落ち: without rook and bishop.
    TwoPiece,
    /// 三枚落ち: without rook, bishop and the left lance.
    ThreePiece,
    /// 四枚落ち: without rook, bishop and both lances.
    FourPiece,
    /// 五枚落ち: as four pieces, and without the right knight (8a).
    FivePiece,
    /// 左五枚落ち: as four pieces, and without the left knight (2a).
    FivePieceLeft,
    /// 六枚落ち: without rook, bishop, lances and knights.
    SixPiece,
    /// 左七枚落ち: as six pieces, and without the left silver (3a).
    SevenPieceLeft,
    /// 右七枚落ち: as six pieces, and without the right silver (7a).
    SevenPieceRight,
    /// 八枚落ち: only king, golds and pawns.
    EightPiece,
    /// 九枚落ち: as eight pieces, and without the left gold (4a).
    NinePieceLeft,
    /// 右九枚落ち: as eight pieces, and without the right gold (6a).
    NinePieceRight,
    /// 十枚落ち: only king and pawns.
    TenPiece,
    /// 歩三兵 fusanbyo: only the king, and three pawns in hand.
    ThreePawns,
    /// 裸玉 hadakagyoku (十九枚落ち): only the king.
    NakedKing,
}

use Handicap::*;

impl Handicap {
    /// All of them, the even game first, then by what is given away.
    pub const ALL: [Handicap; 20] = [
        Even,
        LanceLeft,
        LanceRight,
        Bishop,
        Rook,
        RookLance,
        TwoPiece,
        ThreePiece,
        FourPiece,
        FivePiece,
        FivePieceLeft,
        SixPiece,
        SevenPieceLeft,
        SevenPieceRight,
        EightPiece,
        NinePieceLeft,
        NinePieceRight,
        TenPiece,
        ThreePawns,
        NakedKing,
    ];

    /// The start position, with ply 0.
    pub fn position(self) -> Position {
        Position::from_sfen(&self.sfen()).expect("the named starts are valid")
    }

    /// The handicap that starts with this position: board, hands and side to move count, the ply
    /// does not. `None` if it is none of them.
    pub fn of(position: &Position) -> Option<Handicap> {
        Handicap::ALL.into_iter().find(|handicap| {
            let start = handicap.position();
            start.key() == position.key()
                && start.side_to_move() == position.side_to_move()
                && Color::ALL
                    .iter()
                    .all(|&color| start.hand(color) == position.hand(color))
                && crate::Square::all().all(|at| start.piece_at(at) == position.piece_at(at))
        })
    }

    /// Who moves first: Black in the even game, otherwise White, who gives the handicap.
    pub const fn first_to_move(self) -> Color {
        match self {
            Even => Color::Black,
            _ => Color::White,
        }
    }

    /// The name as records have it (KIF's 手合割), such as `平手` or `二枚落ち`.
    ///
    /// See [`Handicap::is_kif_name`] for the names that every reader of KIF knows.
    pub const fn name_japanese(self) -> &'static str {
        self.names().0
    }

    /// The English name, lower case, such as `even` or `two pieces`.
    pub const fn name_english(self) -> &'static str {
        self.names().1
    }

    /// The name for configurations and command lines, such as `even`, `lance-left`, `two-piece`;
    /// [`FromStr`] reads it.
    pub const fn key(self) -> &'static str {
        self.names().2
    }

    /// Whether KIF's definition has the name: records with another one should hold a diagram too.
    pub const fn is_kif_name(self) -> bool {
        matches!(
            self,
            Even | LanceLeft
                | LanceRight
                | Bishop
                | Rook
                | RookLance
                | TwoPiece
                | FourPiece
                | SixPiece
                | EightPiece
                | TenPiece
        )
    }

    /// The handicap with this Japanese name. Padding, `落` without `ち`, digits instead of kanji
    /// and the other names in use (飛落ち, 左香落ち, 十九枚落ち, …) are accepted.
    pub fn from_japanese(name: &str) -> Option<Handicap> {
        let mut plain: String = name.chars().filter(|c| !c.is_whitespace()).collect();
        if let Some((count, rest)) = plain.split_once('枚') {
            let digits = count.trim_start_matches(['左', '右']);
            let side = &count[..count.len() - digits.len()];
            let count = crate::parse_kanji_number(digits)?;
            plain = format!("{side}{}枚{rest}", crate::kanji_number(count));
        }
        if plain.ends_with('落') {
            plain.push('ち');
        }
        let alias = match plain.as_str() {
            "左香落ち" | "香車落ち" => Some(LanceLeft),
            "右香車落ち" => Some(LanceRight),
            "角行落ち" => Some(Bishop),
            "飛落ち" => Some(Rook),
            "飛車香落ち" | "飛車香車落ち" => Some(RookLance),
            "右五枚落ち" => Some(FivePiece),
            "左九枚落ち" => Some(NinePieceLeft),
            "十九枚落ち" => Some(NakedKing),
            _ => None,
        };
        alias.or_else(|| {
            Handicap::ALL
                .into_iter()
                .find(|handicap| handicap.name_japanese() == plain)
        })
    }

    /// Japanese name, English name, key.
    const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Even => ("平手", "even", "even"),
            LanceLeft => ("香落ち", "left lance", "lance-left"),
            LanceRight => ("右香落ち", "right lance", "lance-right"),
            Bishop => ("角落ち", "bishop", "bishop"),
            Rook => ("飛車落ち", "rook", "rook"),
            RookLance => ("飛香落ち", "rook and left lance", "rook-lance"),
            TwoPiece => ("二枚落ち", "two pieces", "two-piece"),
            ThreePiece => ("三枚落ち", "three pieces", "three-piece"),
            FourPiece => ("四枚落ち", "four pieces", "four-piece"),
            FivePiece => ("五枚落ち", "five pieces", "five-piece"),
            FivePieceLeft => ("左五枚落ち", "five pieces, left", "five-piece-left"),
            SixPiece => ("六枚落ち", "six pieces", "six-piece"),
            SevenPieceLeft => ("左七枚落ち", "seven pieces, left", "seven-piece-left"),
            SevenPieceRight => ("右七枚落ち", "seven pieces, right", "seven-piece-right"),
            EightPiece => ("八枚落ち", "eight pieces", "eight-piece"),
            NinePieceLeft => ("九枚落ち", "nine pieces, left", "nine-piece-left"),
            NinePieceRight => ("右九枚落ち", "nine pieces, right", "nine-piece-right"),
            TenPiece => ("十枚落ち", "ten pieces", "ten-piece"),
            ThreePawns => ("歩三兵", "three pawns in hand", "three-pawns"),
            NakedKing => ("裸玉", "naked king", "naked-king"),
        }
    }

    /// White's two back ranks tell the handicaps apart, with few exceptions.
    fn sfen(self) -> String {
        const PAWNS: &str = "ppppppppp";
        let (back_ranks, pawns, hands) = match self {
            Even => ("lnsgkgsnl/1r5b1", PAWNS, "-"),
            LanceLeft => ("lnsgkgsn1/1r5b1", PAWNS, "-"),
            LanceRight => ("1nsgkgsnl/1r5b1", PAWNS, "-"),
            Bishop => ("lnsgkgsnl/1r7", PAWNS, "-"),
            Rook => ("lnsgkgsnl/7b1", PAWNS, "-"),
            RookLance => ("lnsgkgsn1/7b1", PAWNS, "-"),
            TwoPiece => ("lnsgkgsnl/9", PAWNS, "-"),
            ThreePiece => ("lnsgkgsn1/9", PAWNS, "-"),
            FourPiece => ("1nsgkgsn1/9", PAWNS, "-"),
            FivePiece => ("2sgkgsn1/9", PAWNS, "-"),
            FivePieceLeft => ("1nsgkgs2/9", PAWNS, "-"),
            SixPiece => ("2sgkgs2/9", PAWNS, "-"),
            SevenPieceLeft => ("2sgkg3/9", PAWNS, "-"),
            SevenPieceRight => ("3gkgs2/9", PAWNS, "-"),
            EightPiece => ("3gkg3/9", PAWNS, "-"),
            NinePieceLeft => ("3gk4/9", PAWNS, "-"),
            NinePieceRight => ("4kg3/9", PAWNS, "-"),
            TenPiece => ("4k4/9", PAWNS, "-"),
            ThreePawns => ("4k4/9", "9", "3p"),
            NakedKing => ("4k4/9", "9", "-"),
        };
        let side = match self.first_to_move() {
            Color::Black => 'b',
            Color::White => 'w',
        };
        format!("{back_ranks}/{pawns}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {side} {hands} 1")
    }
}

impl fmt::Display for Handicap {
    /// The key, see [`Handicap::key`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// A text that is not the key of a handicap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseHandicapError(String);

impl fmt::Display for ParseHandicapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "handicap {:?}: expected one of ", self.0)?;
        for (i, handicap) in Handicap::ALL.into_iter().enumerate() {
            write!(f, "{}{handicap}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseHandicapError {}

impl FromStr for Handicap {
    type Err = ParseHandicapError;

    fn from_str(text: &str) -> Result<Handicap, ParseHandicapError> {
        Handicap::ALL
            .into_iter()
            .find(|handicap| handicap.key() == text)
            .ok_or_else(|| ParseHandicapError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
