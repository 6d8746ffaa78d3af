//! The start position in CSA: `PI`, `P1` to `P9`, `P+`, `P-`.

use rules::{Color, Piece, PieceKind, Position, PositionBuilder, Square};

use crate::error::{Fault, Refusal};
use crate::lines::{Place, TextLine};

const PIECE: &str = "a piece: FU KY KE GI KI KA HI OU TO NY NK NG UM RY";
const CELL: &str = "one of nine squares: *, or + or - and a piece such as +FU";
const SQUARE: &str = "a square of two digits from 1 to 9, or 00 for the hand";

/// The statements seen so far.
pub(super) struct CsaStart {
    builder: PositionBuilder,
    /// Where the first of them stands; `None` while there is none.
    place: Option<Place>,
}

impl CsaStart {
    pub(super) fn new() -> CsaStart {
        CsaStart {
            builder: PositionBuilder::new(),
            place: None,
        }
    }

    /// Reads a statement that begins with `P`.
    pub(super) fn read(&mut self, line: TextLine<'_>, statement: &str) -> Result<(), Refusal> {
        self.place.get_or_insert(line.place(statement));
        let (kind, rest) = statement.split_at_checked(2).unwrap_or((statement, ""));
        match kind.as_bytes() {
            b"PI" => self.read_removed(line, rest),
            [b'P', rank @ b'1'..=b'9'] => self.read_rank(line, rank - b'0', rest),
            b"P+" => self.read_pieces(line, Color::Black, rest),
            b"P-" => self.read_pieces(line, Color::White, rest),
            _ => Err(line.unexpected(statement, "PI, P1 to P9, P+ or P-")),
        }
    }

    /// The position; that of the even game if nothing was said.
    pub(super) fn position(&self, side: Color) -> Result<Position, Refusal> {
        match self.place {
            None => {
                let start = &mut PositionBuilder::from(&Position::startpos());
                let position = start.set_side_to_move(side).build();
                Ok(position.expect("both sides can begin the even game"))
            }
            Some(place) => {
                let position = self.builder.clone().set_side_to_move(side).build();
                position.map_err(|error| place.fault(error))
            }
        }
    }

    /// `PI82HI22KA`: the even start without these pieces.
    fn read_removed(&mut self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        self.builder = PositionBuilder::from(&Position::startpos());
        let mut rest = text.trim_end();
        while !rest.is_empty() {
            let (square, kind, behind) = split_piece(line, rest)?;
            let there = square.filter(|&square| {
                self.builder
                    .piece_at(square)
                    .is_some_and(|piece| piece.kind == kind)
            });
            let Some(square) = there else {
                return Err(line.unexpected(rest, "a square of the even start and its piece"));
            };
            self.builder.clear(square);
            rest = behind;
        }
        Ok(())
    }

    /// `P1-KY-KE … *`: a rank from file 9 to file 1. Blanks may be missing or too many.
    fn read_rank(&mut self, line: TextLine<'_>, rank: u8, text: &str) -> Result<(), Refusal> {
        let mut rest = text.trim_start();
        for file in (1..=9).rev() {
            let square = Square::from_file_rank(file, rank).expect("file and rank are in 1..=9");
            let (piece, behind) = split_cell(rest).ok_or_else(|| line.unexpected(rest, CELL))?;
            if let Some(piece) = piece {
                self.put(line.place(rest), square, piece)?;
            }
            rest = behind.trim_start();
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err(line.unexpected(rest, "the end of the line after nine squares"))
        }
    }

    /// `P+99KY00FU`: pieces on squares and in hand; `00AL` is all that is left.
    fn read_pieces(&mut self, line: TextLine<'_>, color: Color, text: &str) -> Result<(), Refusal> {
        let mut rest = text.trim();
        while !rest.is_empty() {
            if let Some(behind) = rest.strip_prefix("00AL") {
                self.builder.add_rest_to_hand(color);
                rest = behind.trim_start();
                continue;
            }
            let (square, kind, behind) = split_piece(line, rest)?;
            match square {
                Some(square) => self.put(line.place(rest), square, Piece { color, kind })?,
                None => {
                    self.builder.add_to_hand(color, kind, 1);
                }
            }
            rest = behind.trim_start();
        }
        Ok(())
    }
}

impl CsaStart {
    fn put(&mut self, place: Place, square: Square, piece: Piece) -> Result<(), Refusal> {
        if self.builder.piece_at(square).is_some() {
            return Err(place.fault(Fault::TwoPieces { square }));
        }
        self.builder.put(square, piece);
        Ok(())
    }
}

/// A square (`None` for the hand) and a piece at the beginning of `text`, and what follows.
fn split_piece<'a>(
    line: TextLine<'_>,
    text: &'a str,
) -> Result<(Option<Square>, PieceKind, &'a str), Refusal> {
    let square = match text.as_bytes() {
        [b'0', b'0', ..] => None,
        &[file @ b'1'..=b'9', rank @ b'1'..=b'9', ..] => {
            Square::from_file_rank(file - b'0', rank - b'0')
        }
        _ => return Err(line.unexpected(text, SQUARE)),
    };
    let (kind, rest) = split_kind(&text[2..]).ok_or_else(|| line.unexpected(&text[2..], PIECE))?;
    Ok((square, kind, rest))
}

/// A square of a rank at the beginning of `text`, and what follows.
fn split_cell(text: &str) -> Option<(Option<Piece>, &str)> {
    let color = match text.as_bytes().first()? {
        b'*' => return Some((None, &text[1..])),
        b'+' => Color::Black,
        b'-' => Color::White,
        _ => return None,
    };
    let (kind, rest) = split_kind(&text[1..])?;
    Some((Some(Piece { color, kind }), rest))
}

fn split_kind(text: &str) -> Option<(PieceKind, &str)> {
    let (letters, rest) = text.split_at_checked(2)?;
    Some((PieceKind::from_csa(letters)?, rest))
}
