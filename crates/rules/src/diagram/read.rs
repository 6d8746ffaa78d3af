//! Reading drawings of boards.

use std::fmt;

use super::row;
use crate::notation::names::split_kanji;
use crate::{
    Color, Piece, PieceKind, Position, PositionBuilder, PositionError, parse_kanji_number,
};

/// Why a text is not the drawing of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiagramError {
    /// A row has not nine squares.
    RowLength {
        /// 1 to 9.
        rank: u8,
        /// Squares drawn.
        found: usize,
    },
    /// Something in a row is no square.
    Cell {
        /// 1 to 9.
        rank: u8,
        /// 9 to 1.
        file: u8,
        /// What was found.
        found: String,
    },
    /// There are not nine rows.
    RowCount(usize),
    /// Something in a hand is no piece with a count.
    Hand {
        /// Whose hand.
        color: Color,
        /// The text from where it stops being understood.
        found: String,
    },
    /// A line that is neither row, frame, hand nor side to move.
    Line(String),
    /// The text can be read, but the position could not arise.
    Position(PositionError),
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagramError::RowLength { rank, found } => {
                write!(f, "diagram, rank {rank}: found {found} squares, expected 9")
            }
            DiagramError::Cell { rank, file, found } => write!(
                f,
                "diagram, rank {rank}, file {file}: found {found:?}, expected a piece or an empty \
                 square"
            ),
            DiagramError::RowCount(found) => {
                write!(f, "diagram: found {found} rows, expected 9")
            }
            DiagramError::Hand { color, found } => write!(
                f,
                "diagram, {color}'s hand: found {found:?}, expected pieces with their numbers, as \
                 in 飛　歩十八, or rook, 18 pawns, or R18P"
            ),
            DiagramError::Line(found) => write!(
                f,
                "diagram: found the line {found:?}, expected a row, a hand or the side to move"
            ),
            DiagramError::Position(source) => write!(f, "diagram: {source}"),
        }
    }
}

impl std::error::Error for DiagramError {}

impl From<PositionError> for DiagramError {
    fn from(source: PositionError) -> DiagramError {
        DiagramError::Position(source)
    }
}

impl Position {
    /// Reads a drawing as [`Position::diagram`] makes it, in either script.
    ///
    /// Only the nine rows are needed: frame, hands (`Black: RB2G` will do) and side to move may be
    /// absent, then the hands are empty and Black is to move. Blanks around lines don't matter.
    /// The ply is 0.
    ///
    /// # Errors
    ///
    /// If a line cannot be read, rows are missing, or the position could not arise.
    pub fn from_diagram(text: &str) -> Result<Position, DiagramError> {
        let mut builder = PositionBuilder::new();
        let mut rows = 0;
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() || is_frame(line) || read_facts(&mut builder, line)? {
                continue;
            }
            rows += 1;
            if rows <= 9 {
                builder.put_row(rows as u8, line)?;
            }
        }
        if rows != 9 {
            return Err(DiagramError::RowCount(rows));
        }
        Ok(builder.build()?)
    }
}

/// The names of the files, or a line of `+---+`.
fn is_frame(line: &str) -> bool {
    let border = line.starts_with("+-") && line.chars().all(|c| matches!(c, '+' | '-'));
    let files: Vec<u8> = line.chars().filter_map(crate::digit_value).collect();
    border
        || (files == [9, 8, 7, 6, 5, 4, 3, 2, 1]
            && line
                .chars()
                .all(|c| c.is_whitespace() || crate::digit_value(c).is_some()))
}

/// Reads a line with a hand or the side to move; false if it is something else.
fn read_facts(builder: &mut PositionBuilder, line: &str) -> Result<bool, DiagramError> {
    let side = match line {
        "先手番" | "下手番" | "Black to move" | "black to move" => Some(Color::Black),
        "後手番" | "上手番" | "White to move" | "white to move" => Some(Color::White),
        _ => None,
    };
    if let Some(side) = side {
        builder.set_side_to_move(side);
        return Ok(true);
    }
    if line.starts_with("手数＝") {
        return Ok(true);
    }
    let Some((owner, hand)) = line.split_once(['：', ':']) else {
        return Ok(false);
    };
    let color = match owner.trim() {
        "先手の持駒" | "下手の持駒" | "Black in hand" | "Black" | "black" => Color::Black,
        "後手の持駒" | "上手の持駒" | "White in hand" | "White" | "white" => Color::White,
        _ => return Err(DiagramError::Line(line.to_owned())),
    };
    builder.add_hand_text(color, hand)?;
    Ok(true)
}

impl PositionBuilder {
    /// Puts one rank (1 to 9, from White's side) of a drawing on the board: `|v香 ・ 飛…|一`, with
    /// or without frame and name, or `  l  .  R …  a`. Its squares are emptied first.
    ///
    /// # Errors
    ///
    /// If it has not nine squares, or one of them cannot be read; the rank is then half put.
    ///
    /// # Panics
    ///
    /// If `rank` is not in 1..=9.
    pub fn put_row(&mut self, rank: u8, text: &str) -> Result<&mut PositionBuilder, DiagramError> {
        assert!((1..=9).contains(&rank), "a board has the ranks 1 to 9");
        let inner = inner_row(text);
        let cells = if inner.is_ascii() {
            english_cells(inner, rank)?
        } else {
            japanese_cells(inner, rank)?
        };
        if cells.len() != 9 {
            return Err(DiagramError::RowLength {
                rank,
                found: cells.len(),
            });
        }
        for (square, piece) in row(rank).zip(cells) {
            match piece {
                Some(piece) => self.put(square, piece),
                None => self.clear(square),
            };
        }
        Ok(self)
    }

    /// Adds the pieces of a text to a hand: `飛　歩十八`, `飛二 金四`, `rook, 18 pawns`, `R18P`.
    /// Nothing is added for `なし`, `nothing`, `-` and the empty text.
    ///
    /// # Errors
    ///
    /// If a part is no piece with its number; what came before it is then added.
    pub fn add_hand_text(
        &mut self,
        color: Color,
        text: &str,
    ) -> Result<&mut PositionBuilder, DiagramError> {
        let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | '、' | '，' | '・');
        let mut rest = text.trim_matches(is_separator);
        if matches!(rest, "なし" | "nothing" | "-") {
            return Ok(self);
        }
        while !rest.is_empty() {
            let read = read_japanese_count(rest).or_else(|| read_english_count(rest));
            let (kind, count, after) = read.ok_or_else(|| DiagramError::Hand {
                color,
                found: rest.to_owned(),
            })?;
            self.add_to_hand(color, kind, count);
            rest = after.trim_start_matches(is_separator);
        }
        Ok(self)
    }
}

/// The squares of a row without frame; an English row keeps its name, which tells nothing new.
fn inner_row(text: &str) -> &str {
    let text = text.trim_end();
    match text.trim_start().strip_prefix('|') {
        // What follows the frame is the rank's name.
        Some(framed) => framed.rfind('|').map_or(framed, |end| &framed[..end]),
        None => text,
    }
}

/// Squares separated by blanks, and the rank's letter or nothing.
fn english_cells(text: &str, rank: u8) -> Result<Vec<Option<Piece>>, DiagramError> {
    let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
    let name = [b'a' + rank - 1];
    if words.len() == 10 && words.last().is_some_and(|word| word.as_bytes() == name) {
        words.pop();
    }
    let mut cells = Vec::with_capacity(9);
    for word in words {
        cells.push(match word {
            "." | "-" => None,
            _ => Some(Piece::from_sfen(word).ok_or_else(|| cell_error(rank, cells.len(), word))?),
        });
    }
    Ok(cells)
}

/// Two characters a square, the first one `v` for White; rows whose blanks were trimmed or widened
/// are read by their marks and pieces alone.
fn japanese_cells(text: &str, rank: u8) -> Result<Vec<Option<Piece>>, DiagramError> {
    let chars: Vec<char> = text.chars().collect();
    let pairs: Vec<(char, char)> = if chars.len() == 18 {
        chars
            .chunks_exact(2)
            .map(|pair| (pair[0], pair[1]))
            .collect()
    } else {
        marked_pieces(&chars)
    };
    let mut cells = Vec::with_capacity(9);
    for (mark, piece) in pairs {
        let color = match mark {
            'v' | 'V' | 'ｖ' => Color::White,
            _ => Color::Black,
        };
        cells.push(match piece {
            '・' | '．' | '.' | '　' | ' ' | '･' => None,
            _ => {
                let name = piece.to_string();
                let (kind, _) =
                    split_kanji(&name).ok_or_else(|| cell_error(rank, cells.len(), &name))?;
                Some(Piece { color, kind })
            }
        });
    }
    Ok(cells)
}

fn marked_pieces(chars: &[char]) -> Vec<(char, char)> {
    let mut pairs = Vec::new();
    let mut mark = ' ';
    for &c in chars {
        match c {
            'v' | 'V' | 'ｖ' => mark = 'v',
            _ if c.is_whitespace() => {}
            _ => {
                pairs.push((mark, c));
                mark = ' ';
            }
        }
    }
    pairs
}

fn cell_error(rank: u8, squares_before: usize, found: &str) -> DiagramError {
    match u8::try_from(squares_before) {
        Ok(before @ 0..=8) => DiagramError::Cell {
            rank,
            file: 9 - before,
            found: found.to_owned(),
        },
        _ => DiagramError::RowLength {
            rank,
            found: squares_before + 1,
        },
    }
}

/// A piece and its number: `歩`, `歩十八`, `歩18`.
fn read_japanese_count(text: &str) -> Option<(PieceKind, u32, &str)> {
    let (kind, rest) = split_kanji(text)?;
    let is_number = |c: char| c.is_numeric() || c == '十' || crate::digit_value(c).is_some();
    let end = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
    let count = match &rest[..end] {
        "" => 1,
        number => parse_kanji_number(number)?,
    };
    Some((kind, count, &rest[end..]))
}

/// A number and its piece: `pawn`, `18 pawns`, `P`, `18P`.
fn read_english_count(text: &str) -> Option<(PieceKind, u32, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let count = match &text[..end] {
        "" => 1,
        number => number.parse().ok()?,
    };
    let rest = text[end..].trim_start();
    let named = PieceKind::HAND.into_iter().find_map(|kind| {
        let after = rest.strip_prefix(kind.english())?;
        Some((kind, after.strip_prefix('s').unwrap_or(after)))
    });
    let lettered = || {
        let mut chars = rest.chars();
        let kind = PieceKind::from_letter(chars.next()?.to_ascii_uppercase())?;
        Some((kind, chars.as_str()))
    };
    let (kind, after) = named.or_else(lettered)?;
    Some((kind, count, after))
}
