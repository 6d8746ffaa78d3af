//! Drawings of boards as text, in Japanese (as KIF records have them) and in English.
//!
//! [`Position::diagram`] draws, [`Position::from_diagram`] reads both scripts;
//! [`position!`](crate::position!) is the latter for drawings in source text. Readers of records
//! that meet a diagram among other lines use [`PositionBuilder::put_row`] and
//! [`PositionBuilder::add_hand_text`].

mod read;

use std::fmt;

pub use read::DiagramError;

use crate::{
    Color, Piece, PieceKind, Position, Square, full_width_digit, kanji_digit, kanji_number,
};

/// The script of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Script {
    /// As KIF records have it (局面図): one kanji a piece, White's with a `v` before.
    Japanese,
    /// SFEN's letters, upper case for Black; a dot for an empty square.
    English,
}

/// The drawing of a position, made by [`Position::diagram`] and shown by its [`Display`](fmt::Display).
#[derive(Debug, Clone, Copy)]
pub struct Diagram<'a> {
    position: &'a Position,
    script: Script,
}

impl Position {
    /// The position as a drawing of several lines, seen by Black: board, hands, side to move. The
    /// ply is not in it.
    ///
    /// ```
    /// use rules::{Handicap, Script};
    ///
    /// let position = Handicap::TwoPiece.position();
    /// let english = "\
    /// White in hand: nothing
    ///   9  8  7  6  5  4  3  2  1
    ///   l  n  s  g  k  g  s  n  l  a
    ///   .  .  .  .  .  .  .  .  .  b
    ///   p  p  p  p  p  p  p  p  p  c
    ///   .  .  .  .  .  .  .  .  .  d
    ///   .  .  .  .  .  .  .  .  .  e
    ///   .  .  .  .  .  .  .  .  .  f
    ///   P  P  P  P  P  P  P  P  P  g
    ///   .  B  .  .  .  .  .  R  .  h
    ///   L  N  S  G  K  G  S  N  L  i
    /// Black in hand: nothing
    /// White to move
    /// ";
    /// assert_eq!(position.diagram(Script::English).to_string(), english);
    ///
    /// let japanese = "\
    /// 後手の持駒：なし
    ///   ９ ８ ７ ６ ５ ４ ３ ２ １
    /// +---------------------------+
    /// |v香v桂v銀v金v玉v金v銀v桂v香|一
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|二
    /// |v歩v歩v歩v歩v歩v歩v歩v歩v歩|三
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|四
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|五
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|六
    /// | 歩 歩 歩 歩 歩 歩 歩 歩 歩|七
    /// | ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
    /// | 香 桂 銀 金 玉 金 銀 桂 香|九
    /// +---------------------------+
    /// 先手の持駒：なし
    /// 後手番
    /// ";
    /// assert_eq!(position.diagram(Script::Japanese).to_string(), japanese);
    /// ```
    pub fn diagram(&self, script: Script) -> Diagram<'_> {
        Diagram {
            position: self,
            script,
        }
    }

    /// One player's pieces in hand, the strongest first: `飛　金二　歩十八` and `なし`, or
    /// `rook, 2 golds, 18 pawns` and `nothing`.
    pub fn hand_text(&self, color: Color, script: Script) -> String {
        let held = HAND_ORDER
            .into_iter()
            .map(|kind| (kind, self.hand(color).count(kind)))
            .filter(|&(_, count)| count > 0);
        let (parts, separator, nothing): (Vec<String>, _, _) = match script {
            Script::Japanese => (
                held.map(|(kind, count)| japanese_count(kind, count))
                    .collect(),
                "　",
                "なし",
            ),
            Script::English => (
                held.map(|(kind, count)| english_count(kind, count))
                    .collect(),
                ", ",
                "nothing",
            ),
        };
        if parts.is_empty() {
            nothing.to_owned()
        } else {
            parts.join(separator)
        }
    }
}

/// The order in which people list a hand: the strongest first.
const HAND_ORDER: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
];

fn japanese_count(kind: PieceKind, count: u32) -> String {
    let number = match count {
        1 => String::new(),
        _ => kanji_number(count),
    };
    format!("{}{number}", kind.kanji_single())
}

fn english_count(kind: PieceKind, count: u32) -> String {
    match count {
        1 => kind.english().to_owned(),
        _ => format!("{count} {}s", kind.english()),
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |color| self.position.hand_text(color, self.script);
        let (white, black) = (hand(Color::White), hand(Color::Black));
        let side = self.position.side_to_move();
        match self.script {
            Script::Japanese => {
                writeln!(f, "後手の持駒：{white}")?;
                self.japanese_board(f)?;
                writeln!(f, "先手の持駒：{black}")?;
                let player = match side {
                    Color::Black => "先手番",
                    Color::White => "後手番",
                };
                writeln!(f, "{player}")
            }
            Script::English => {
                writeln!(f, "White in hand: {white}")?;
                self.english_board(f)?;
                writeln!(f, "Black in hand: {black}")?;
                let player = match side {
                    Color::Black => "Black",
                    Color::White => "White",
                };
                writeln!(f, "{player} to move")
            }
        }
    }
}

impl Diagram<'_> {
    fn japanese_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As wide as the frame.
        f.write_str(" ")?;
        for file in (1..=9).rev() {
            write!(f, " {}", full_width_digit(file))?;
        }
        writeln!(f, "\n+---------------------------+")?;
        for rank in 1..=9 {
            f.write_str("|")?;
            for square in row(rank) {
                match self.position.piece_at(square) {
                    None => f.write_str(" ・")?,
                    Some(Piece { color, kind }) => {
                        let mark = match color {
                            Color::Black => ' ',
                            Color::White => 'v',
                        };
                        write!(f, "{mark}{}", kind.kanji_single())?;
                    }
                }
            }
            writeln!(f, "|{}", kanji_digit(rank))?;
        }
        writeln!(f, "+---------------------------+")
    }

    fn english_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for rank in 1..=9 {
            for square in row(rank) {
                match self.position.piece_at(square) {
                    None => f.write_str("  .")?,
                    Some(piece) => write!(f, "{:>3}", piece.to_string())?,
                }
            }
            writeln!(f, "  {}", char::from(b'a' + rank - 1))?;
        }
        Ok(())
    }
}

/// The squares of a rank as they are drawn, file 9 first.
fn row(rank: u8) -> impl Iterator<Item = Square> {
    (1..=9)
        .rev()
        .filter_map(move |file| Square::from_file_rank(file, rank))
}

#[cfg(test)]
mod tests;
