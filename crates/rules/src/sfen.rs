//! Positions as SFEN text.

use std::fmt;

use crate::{Color, Piece, PieceKind, Position, PositionBuilder, PositionError, Square};

/// The initial position of an even game.
pub const STARTPOS_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Why a text is not the SFEN of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SfenError {
    /// A field is missing: board, side to move or hands.
    MissingField(&'static str),
    /// Something follows the move number.
    ExtraField(String),
    /// The board has not nine ranks.
    RankCount(usize),
    /// A rank does not describe nine squares.
    RankLength {
        /// a to i.
        rank: char,
        /// Squares described.
        found: usize,
    },
    /// A character that stands for no piece.
    UnknownPiece {
        /// a to i.
        rank: char,
        /// The file, 9 to 1; 0 if all nine squares of the rank are described already.
        file: u8,
        /// What was found.
        found: String,
    },
    /// The side to move is neither `b` nor `w`.
    Side(String),
    /// The hands hold something else than counts and pieces.
    Hands {
        /// The field.
        hands: String,
        /// The part that cannot be read; empty if the field ends too early.
        found: String,
    },
    /// The move number is not a number.
    MoveNumber(String),
    /// The text can be read, but the position could not arise.
    Position(PositionError),
}

impl fmt::Display for SfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PIECE: &str = "expected a piece (KRBGSNLP, + before RBSNLP) or a number of empty \
                             squares 1-9";
        match self {
            SfenError::MissingField(field) => write!(f, "sfen: {field} is missing"),
            SfenError::ExtraField(text) => write!(
                f,
                "sfen: found {text:?} after the move number, expected nothing"
            ),
            SfenError::RankCount(found) => write!(f, "sfen board: found {found} ranks, expected 9"),
            SfenError::RankLength { rank, found } => write!(
                f,
                "sfen board, rank {rank}: found {found} squares, expected 9"
            ),
            SfenError::UnknownPiece {
                rank,
                file: 0,
                found,
            } => write!(
                f,
                "sfen board, rank {rank}, after file 1: found {found:?}, {PIECE}"
            ),
            SfenError::UnknownPiece { rank, file, found } => write!(
                f,
                "sfen board, rank {rank}, file {file}: found {found:?}, {PIECE}"
            ),
            SfenError::Side(found) => {
                write!(f, "sfen side to move: found {found:?}, expected b or w")
            }
            SfenError::Hands { hands, found } if found.is_empty() => write!(
                f,
                "sfen hands {hands:?}: found the end after a count, expected a piece (RBGSNLP)"
            ),
            SfenError::Hands { hands, found } => write!(
                f,
                "sfen hands {hands:?}: found {found:?}, expected - or pieces (RBGSNLP), with \
                 counts 2-18 before, as in RB2gp"
            ),
            SfenError::MoveNumber(found) => {
                write!(f, "sfen move number: found {found:?}, expected a number")
            }
            SfenError::Position(source) => write!(f, "sfen: {source}"),
        }
    }
}

impl std::error::Error for SfenError {}

impl From<PositionError> for SfenError {
    fn from(source: PositionError) -> SfenError {
        SfenError::Position(source)
    }
}

impl Position {
    /// Reads an SFEN (`startpos` and a leading `sfen` are accepted too). The hands may come in
    /// any order, the move number may be absent; both are written in the usual way.
    ///
    /// # Errors
    ///
    /// If the text is no SFEN, or the position could not arise: see [`SfenError`] and
    /// [`PositionBuilder::build`]. A side without a king is accepted, as problems have it.
    pub fn from_sfen(text: &str) -> Result<Position, SfenError> {
        let mut fields = text.split_ascii_whitespace().peekable();
        if fields.next_if_eq(&"startpos").is_some() {
            return match fields.next() {
                None => Ok(Position::startpos()),
                Some(extra) => Err(SfenError::ExtraField(extra.to_owned())),
            };
        }
        fields.next_if_eq(&"sfen");
        let board = fields.next().ok_or(SfenError::MissingField("the board"))?;
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 9 {
            return Err(SfenError::RankCount(ranks.len()));
        }
        let side = match fields
            .next()
            .ok_or(SfenError::MissingField("the side to move"))?
        {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::Side(other.to_owned())),
        };
        let hands = fields
            .next()
            .ok_or(SfenError::MissingField("the hands field"))?;
        let number = match fields.next() {
            None => 1,
            Some(text) => text
                .parse::<u32>()
                .map_err(|_| SfenError::MoveNumber(text.to_owned()))?,
        };
        if let Some(extra) = fields.next() {
            return Err(SfenError::ExtraField(extra.to_owned()));
        }
        let mut builder = PositionBuilder::new();
        builder.set_side_to_move(side);
        builder.set_ply(number.saturating_sub(1));
        for (rank, text) in (1..=9).zip(ranks) {
            read_rank(&mut builder, rank, text)?;
        }
        read_hands(&mut builder, hands)?;
        Ok(builder.build()?)
    }
}

fn read_rank(builder: &mut PositionBuilder, rank: u8, text: &str) -> Result<(), SfenError> {
    let rank_name = char::from(b'a' + rank - 1);
    let unknown = |squares: usize, found: String| SfenError::UnknownPiece {
        rank: rank_name,
        file: 9_usize.saturating_sub(squares) as u8,
        found,
    };
    let mut squares = 0;
    let mut plus = "";
    for letter in text.chars() {
        if letter == '+' && plus.is_empty() {
            plus = "+";
            continue;
        }
        let found = format!("{plus}{letter}");
        if let (Some(empty @ 1..=9), "") = (letter.to_digit(10), plus) {
            squares += empty as usize;
            continue;
        }
        let piece = Piece::from_sfen(&found).ok_or_else(|| unknown(squares, found))?;
        squares += 1;
        // A rank that is too long is refused below, with its length.
        if let Some(square) = 10_usize
            .checked_sub(squares)
            .and_then(|file| Square::from_file_rank(file as u8, rank))
        {
            builder.put(square, piece);
        }
        plus = "";
    }
    if !plus.is_empty() {
        return Err(unknown(squares, plus.to_owned()));
    }
    if squares != 9 {
        return Err(SfenError::RankLength {
            rank: rank_name,
            found: squares,
        });
    }
    Ok(())
}

fn read_hands(builder: &mut PositionBuilder, text: &str) -> Result<(), SfenError> {
    if text == "-" {
        return Ok(());
    }
    let refused = |found: String| SfenError::Hands {
        hands: text.to_owned(),
        found,
    };
    let mut count: Option<u32> = None;
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            let value = count.unwrap_or(0) * 10 + digit;
            // "0" and "01" are no counts, and nobody holds more than 18 pawns.
            if !(1..=18).contains(&value) {
                return Err(refused(value.to_string()));
            }
            count = Some(value);
            continue;
        }
        let piece = Piece::from_sfen(letter.encode_utf8(&mut [0; 4]))
            .filter(|piece| piece.kind != PieceKind::King)
            .ok_or_else(|| refused(letter.to_string()))?;
        builder.add_to_hand(piece.color, piece.kind, count.take().unwrap_or(1));
    }
    match count {
        Some(_) => Err(refused(String::new())),
        None => Ok(()),
    }
}

impl fmt::Display for Position {
    /// The position as SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 1..=9 {
            if rank > 1 {
                f.write_str("/")?;
            }
            write_rank(self, rank, f)?;
        }
        f.write_str(if self.side_to_move() == Color::Black {
            " b "
        } else {
            " w "
        })?;
        write_hands(self, f)?;
        write!(f, " {}", self.ply().saturating_add(1))
    }
}

fn write_rank(position: &Position, rank: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut empty = 0;
    for file in (1..=9).rev() {
        let square = Square::from_file_rank(file, rank).expect("file and rank are within 1..=9");
        match position.piece_at(square) {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                write!(f, "{piece}")?;
            }
        }
    }
    if empty > 0 {
        write!(f, "{empty}")
    } else {
        Ok(())
    }
}

/// Hands in SFEN's order: rook, bishop, gold, silver, knight, lance, pawn; Black's first.
fn write_hands(position: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const ORDER: [PieceKind; 7] = [
        PieceKind::Rook,
        PieceKind::Bishop,
        PieceKind::Gold,
        PieceKind::Silver,
        PieceKind::Knight,
        PieceKind::Lance,
        PieceKind::Pawn,
    ];
    if Color::ALL
        .iter()
        .all(|&color| position.hand(color).is_empty())
    {
        return f.write_str("-");
    }
    for color in Color::ALL {
        for kind in ORDER {
            let piece = Piece { color, kind };
            match position.hand(color).count(kind) {
                0 => {}
                1 => write!(f, "{piece}")?,
                n => write!(f, "{n}{piece}")?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
