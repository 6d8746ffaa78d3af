//! CSA's notation: `+7776FU`.

use super::reach::own_piece;
use super::{NotationProblem, syntax};
use crate::{Color, Move, PieceKind, Position, Square};

pub(super) fn write(position: &Position, mv: Move) -> String {
    let sign = match position.side_to_move() {
        Color::Black => '+',
        Color::White => '-',
    };
    let (from, after) = match (mv.from(), mv.drop_kind()) {
        (Some(from), _) => {
            let before = position.piece_at(from).map(|piece| piece.kind);
            let after = match before {
                Some(kind) if mv.is_promotion() => kind.promoted().or(before),
                _ => before,
            };
            (digits(from), after)
        }
        (None, kind) => ("00".to_owned(), kind),
    };
    let name = after.map_or("??", PieceKind::csa);
    format!("{sign}{from}{}{name}", digits(mv.to()))
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file(), square.rank())
}

pub(super) fn read(position: &Position, text: &str) -> Result<Move, NotationProblem> {
    let unsigned = match text.as_bytes().first() {
        Some(b'+') => signed(position, Color::Black, text)?,
        Some(b'-') => signed(position, Color::White, text)?,
        _ => text,
    };
    if unsigned.len() != 6 || !unsigned.is_ascii() {
        return Err(syntax(
            unsigned,
            "two squares and a piece, such as 7776FU or 0055KA",
        ));
    }
    let (from_text, rest) = unsigned.split_at(2);
    let (to_text, name) = rest.split_at(2);
    let to = square(to_text).ok_or_else(|| syntax(rest, "the square of destination, 11 to 99"))?;
    let after = PieceKind::from_csa(name)
        .ok_or_else(|| syntax(name, "a piece: FU KY KE GI KI KA HI OU TO NY NK NG UM RY"))?;
    if from_text == "00" {
        return match after {
            kind if PieceKind::HAND.contains(&kind) => Ok(Move::drop(kind, to)),
            kind => Err(NotationProblem::NotDroppable(kind)),
        };
    }
    let from = square(from_text)
        .ok_or_else(|| syntax(unsigned, "the square of origin, 11 to 99, or 00 for a drop"))?;
    if from == to {
        return Err(NotationProblem::StandsStill(from));
    }
    let before = own_piece(position, from)?;
    if after == before {
        Ok(Move::board(from, to, false))
    } else if before.promoted() == Some(after) {
        Ok(Move::board(from, to, true))
    } else {
        Err(NotationProblem::OtherPiece {
            square: from,
            found: before,
            expected: after,
        })
    }
}

/// The text after the sign, if `color` is to move.
fn signed<'a>(
    position: &Position,
    color: Color,
    text: &'a str,
) -> Result<&'a str, NotationProblem> {
    if position.side_to_move() == color {
        Ok(&text[1..])
    } else {
        Err(NotationProblem::Side { found: color })
    }
}

fn square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => {
            Square::from_file_rank(file - b'0', rank - b'0')
        }
        _ => None,
    }
}
