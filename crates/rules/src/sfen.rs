//! Positions as SFEN text.

use std::fmt;

use crate::movegen::immobile;
use crate::{Bitboard, Color, Piece, PieceKind, Position, Square};

/// The initial position of an even game.
pub const STARTPOS_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Why a text is not a position that can be played.
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
        /// What was found.
        found: String,
    },
    /// The side to move is neither `b` nor `w`.
    Side(String),
    /// The hands cannot be read.
    Hands(String),
    /// The move number is not a number.
    MoveNumber(String),
    /// More pieces of a kind than problems with an odd set have: 18 pawns, twice the set of others.
    TooMany {
        /// Which kind, unpromoted.
        kind: PieceKind,
        /// How many were found, board and hands together.
        found: u32,
    },
    /// A side has two kings.
    TwoKings(Color),
    /// A piece stands where it could never move.
    Immobile(Piece, Square),
    /// Two unpromoted pawns of one side on one file.
    DoubledPawns(Color, u8),
    /// The side that is not to move is in check.
    OpponentInCheck(Color),
}

impl fmt::Display for SfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SfenError::MissingField(field) => write!(f, "sfen: {field} is missing"),
            SfenError::ExtraField(text) => {
                write!(
                    f,
                    "sfen: found {text:?} after the move number, expected nothing"
                )
            }
            SfenError::RankCount(found) => write!(f, "sfen board: found {found} ranks, expected 9"),
            SfenError::RankLength { rank, found } => {
                write!(
                    f,
                    "sfen board, rank {rank}: found {found} squares, expected 9"
                )
            }
            SfenError::UnknownPiece { rank, found } => write!(
                f,
                "sfen board, rank {rank}: found {found:?}, expected a piece (KRBGSNLP, + before \
                 RBSNLP) or a number of empty squares 1-9"
            ),
            SfenError::Side(found) => {
                write!(f, "sfen side to move: found {found:?}, expected b or w")
            }
            SfenError::Hands(found) => write!(
                f,
                "sfen hands: found {found:?}, expected - or counts and pieces such as RB2gp"
            ),
            SfenError::MoveNumber(found) => {
                write!(f, "sfen move number: found {found:?}, expected a number")
            }
            SfenError::TooMany { kind, found } => write!(
                f,
                "sfen: found {found} pieces of kind {kind:?}, expected at most {}",
                most_accepted(*kind)
            ),
            SfenError::TwoKings(color) => write!(f, "sfen: {color} has two kings, expected one"),
            SfenError::Immobile(piece, square) => {
                write!(f, "sfen: the piece {piece} on {square} could never move")
            }
            SfenError::DoubledPawns(color, file) => {
                write!(f, "sfen: {color} has two unpromoted pawns on file {file}")
            }
            SfenError::OpponentInCheck(color) => {
                write!(
                    f,
                    "sfen: {color} is in check, but it is the opponent's turn"
                )
            }
        }
    }
}

impl std::error::Error for SfenError {}

impl Position {
    /// Reads an SFEN (`startpos` and a leading `sfen` are accepted too). The hands may come in
    /// any order, the move number may be absent; both are written in the usual way.
    ///
    /// # Errors
    ///
    /// If the text is no SFEN, or the position could not arise in a game: see [`SfenError`]. A
    /// side without a king is accepted, as problems have it.
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
        let mut position = Position::empty(side, number.saturating_sub(1));
        for (rank, text) in (1..=9).zip(ranks) {
            read_rank(&mut position, rank, text)?;
        }
        read_hands(&mut position, hands)?;
        check(&position)?;
        Ok(position)
    }
}

fn read_rank(position: &mut Position, rank: u8, text: &str) -> Result<(), SfenError> {
    let rank_name = char::from(b'a' + rank - 1);
    let unknown = |found: &str| SfenError::UnknownPiece {
        rank: rank_name,
        found: found.to_owned(),
    };
    let mut squares = 0;
    let mut promoted = false;
    for letter in text.chars() {
        if let Some(empty @ 1..=9) = letter.to_digit(10) {
            if promoted {
                return Err(unknown(&format!("+{letter}")));
            }
            squares += empty as usize;
            continue;
        }
        if letter == '+' && !promoted {
            promoted = true;
            continue;
        }
        let found = format!("{}{letter}", if promoted { "+" } else { "" });
        let kind = PieceKind::from_letter(letter.to_ascii_uppercase());
        let kind = if promoted {
            kind.and_then(PieceKind::promoted)
        } else {
            kind
        };
        let kind = kind.ok_or_else(|| unknown(&found))?;
        let color = if letter.is_ascii_uppercase() {
            Color::Black
        } else {
            Color::White
        };
        squares += 1;
        if squares <= 9 {
            let square = Square::from_file_rank(10 - squares as u8, rank)
                .expect("file and rank are within 1..=9");
            if kind == PieceKind::King && position.king(color).is_some() {
                return Err(SfenError::TwoKings(color));
            }
            position.put(square, Piece { color, kind });
        }
        promoted = false;
    }
    if promoted {
        return Err(unknown("+"));
    }
    if squares != 9 {
        return Err(SfenError::RankLength {
            rank: rank_name,
            found: squares,
        });
    }
    Ok(())
}

fn read_hands(position: &mut Position, text: &str) -> Result<(), SfenError> {
    if text == "-" {
        return Ok(());
    }
    let refused = || SfenError::Hands(text.to_owned());
    let mut count: Option<u32> = None;
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            let value = count.unwrap_or(0) * 10 + digit;
            // "0" and "01" are no counts, and nobody holds more than 18 pawns.
            if !(1..=18).contains(&value) {
                return Err(refused());
            }
            count = Some(value);
            continue;
        }
        let kind = PieceKind::from_letter(letter.to_ascii_uppercase())
            .filter(|&kind| kind != PieceKind::King)
            .ok_or_else(refused)?;
        let color = if letter.is_ascii_uppercase() {
            Color::Black
        } else {
            Color::White
        };
        for _ in 0..count.take().unwrap_or(1) {
            if position.hand(color).count(kind) == 18 {
                return Err(refused());
            }
            position.add_to_hand(color, kind);
        }
    }
    if count.is_some() {
        Err(refused())
    } else {
        Ok(())
    }
}

/// Composed problems now and then have a piece too many (three bishops, say), so up to twice a full
/// set is read; the bound keeps hands and move lists within their fixed sizes.
fn most_accepted(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Pawn => kind.in_full_set(),
        _ => 2 * kind.in_full_set(),
    }
}

/// Refuses what cannot arise in a game.
fn check(position: &Position) -> Result<(), SfenError> {
    for kind in PieceKind::HAND {
        let promoted = kind
            .promoted()
            .map_or(0, |kind| position.of_kind(kind).len());
        let in_hands: u32 = Color::ALL
            .iter()
            .map(|&color| position.hand(color).count(kind))
            .sum();
        let found = position.of_kind(kind).len() + promoted + in_hands;
        if found > most_accepted(kind) {
            return Err(SfenError::TooMany { kind, found });
        }
    }
    for color in Color::ALL {
        for kind in PieceKind::HAND {
            let stuck = position.pieces(color, kind) & immobile(kind, color);
            if let Some(square) = stuck.first() {
                return Err(SfenError::Immobile(Piece { color, kind }, square));
            }
        }
        for file in 1..=9 {
            let pawns = position.pieces(color, PieceKind::Pawn) & Bitboard::file(file);
            if pawns.has_several() {
                return Err(SfenError::DoubledPawns(color, file));
            }
        }
    }
    let waiting = position.side_to_move().flipped();
    match position.king(waiting) {
        Some(king) if !position.attackers_to(king, waiting.flipped()).is_empty() => {
            Err(SfenError::OpponentInCheck(waiting))
        }
        _ => Ok(()),
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
