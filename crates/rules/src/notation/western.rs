//! The notations in Latin letters: Hodges, Hosking, and Vietnam's.
//!
//! One grammar with three sets of letters: piece, origin, movement, destination, promotion. Readers
//! take squares in both forms (`7f`, `76`), the origin with or without parentheses, and leave out
//! the movement (`P76`).

use super::NotationProblem;
use super::reach::{Named, may_promote, reach};
use super::{read_player, syntax};
use crate::{Move, PieceKind, Position, Square};

/// What differs between the notations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Hodges,
    Hosking,
    Vietnamese,
}

const ENGLISH: [(&str, PieceKind); 8] = [
    ("P", PieceKind::Pawn),
    ("L", PieceKind::Lance),
    ("N", PieceKind::Knight),
    ("S", PieceKind::Silver),
    ("B", PieceKind::Bishop),
    ("R", PieceKind::Rook),
    ("G", PieceKind::Gold),
    ("K", PieceKind::King),
];

/// Some servers have letters of their own for promoted pieces; these are only read.
const ENGLISH_PROMOTED: [(&str, PieceKind); 3] = [
    ("T", PieceKind::ProPawn),
    ("H", PieceKind::Horse),
    ("D", PieceKind::Dragon),
];

/// Two letters before one: `Th` begins with `T`.
const VIETNAMESE: [(&str, PieceKind); 8] = [
    ("Th", PieceKind::Lance),
    ("Tg", PieceKind::Bishop),
    ("Vg", PieceKind::Gold),
    ("T", PieceKind::Pawn),
    ("M", PieceKind::Knight),
    ("B", PieceKind::Silver),
    ("X", PieceKind::Rook),
    ("V", PieceKind::King),
];

impl Style {
    const fn letters(self) -> &'static [(&'static str, PieceKind)] {
        match self {
            Style::Hodges | Style::Hosking => &ENGLISH,
            Style::Vietnamese => &VIETNAMESE,
        }
    }

    const fn read_only_letters(self) -> &'static [(&'static str, PieceKind)] {
        match self {
            Style::Hodges | Style::Hosking => &ENGLISH_PROMOTED,
            Style::Vietnamese => &[],
        }
    }

    fn piece(self, kind: PieceKind) -> String {
        let plain = kind.unpromoted();
        let letters = self.letters().iter().find(|(_, named)| *named == plain);
        let (letters, _) = letters.expect("every unpromoted kind has letters");
        format!("{}{letters}", if kind.is_promoted() { "+" } else { "" })
    }

    fn square(self, square: Square) -> String {
        match self {
            Style::Hodges => square.to_string(),
            Style::Hosking | Style::Vietnamese => format!("{}{}", square.file(), square.rank()),
        }
    }

    const fn example(self) -> &'static str {
        match self {
            Style::Hodges => "a piece (PLNSGBRK, + before if promoted), as in P-7f, +Rx5b or B*4d",
            Style::Hosking => "a piece (PLNSGBRK, + before if promoted), as in P-76, +Rx52 or B*44",
            Style::Vietnamese => {
                "a piece (V X Tg Vg B M Th T, + before if promoted), as in T(77)-76 or Tg*44"
            }
        }
    }
}

pub(super) fn write(style: Style, position: &Position, mv: Move) -> String {
    let to = mv.to();
    let destination = style.square(to);
    let (Some(from), None) = (mv.from(), mv.drop_kind()) else {
        let piece = mv
            .drop_kind()
            .map_or_else(|| "?".to_owned(), |kind| style.piece(kind));
        return format!("{piece}*{destination}");
    };
    let Some(kind) = position.piece_at(from).map(|piece| piece.kind) else {
        return format!("?{}-{destination}", style.square(from));
    };
    let reach = reach(position, kind, to);
    let alone = reach.contains(from) && !reach.has_several();
    let origin = match style {
        Style::Vietnamese => format!("({})", style.square(from)),
        _ if alone => String::new(),
        _ => style.square(from),
    };
    let movement = match position.piece_at(to) {
        Some(_) => 'x',
        None => '-',
    };
    let promotion = if mv.is_promotion() {
        "+"
    } else if may_promote(position, kind, from, to) {
        "="
    } else {
        ""
    };
    format!(
        "{}{origin}{movement}{destination}{promotion}",
        style.piece(kind)
    )
}

/// How the piece moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Movement {
    Board,
    Drop,
}

pub(super) fn read(style: Style, position: &Position, text: &str) -> Result<Move, NotationProblem> {
    let rest = read_player(position, text)?;
    let (kind, rest) = read_piece(style, rest).ok_or_else(|| syntax(rest, style.example()))?;
    let (origin, rest) = split(read_origin(rest), rest);
    let (movement, rest) = split(read_movement(rest), rest);
    let (destination, rest) = split(read_square(rest), rest);
    let (origin, to) = match (origin, movement, destination) {
        (Some(_), Some(Movement::Drop), _) => return Err(NotationProblem::DropFromBoard),
        (origin, _, Some(to)) => (origin, to),
        // Nothing follows: what looked like an origin is the destination, as in P76.
        (Some(to), None, None) => (None, to),
        (_, _, None) => return Err(syntax(rest, "the square of destination, 7f or 76")),
    };
    let promotion = match rest {
        "" => None,
        "+" => Some(true),
        "=" => Some(false),
        _ => return Err(syntax(rest, "+ or = or the end")),
    };
    let named = Named {
        kind,
        to,
        promotion,
    };
    match (movement, origin) {
        (Some(Movement::Drop), _) => named.drop_move(),
        (_, Some(from)) => named.move_from(position, from),
        (Some(Movement::Board), None) => named.find(position, Some(&|_| true)),
        (None, None) => named.find(position, None),
    }
}

/// What was read and the rest of the text; without it, the whole text is still there.
fn split<'a, T>(read: Option<(T, &'a str)>, text: &'a str) -> (Option<T>, &'a str) {
    match read {
        Some((value, rest)) => (Some(value), rest),
        None => (None, text),
    }
}

fn read_piece(style: Style, text: &str) -> Option<(PieceKind, &str)> {
    let (promoted, unmarked) = match text.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let strip = |letters: &str| {
        let start = unmarked.get(..letters.len())?;
        start
            .eq_ignore_ascii_case(letters)
            .then(|| &unmarked[letters.len()..])
    };
    let find = |table: &[(&str, PieceKind)]| {
        table
            .iter()
            .find_map(|&(letters, kind)| Some((kind, strip(letters)?)))
    };
    if promoted {
        let (kind, rest) = find(style.letters())?;
        return Some((kind.promoted()?, rest));
    }
    find(style.letters()).or_else(|| find(style.read_only_letters()))
}

/// `7f` or `(7f)`.
fn read_origin(text: &str) -> Option<(Square, &str)> {
    match text.strip_prefix('(') {
        Some(inside) => {
            let (square, rest) = read_square(inside)?;
            Some((square, rest.strip_prefix(')')?))
        }
        None => read_square(text),
    }
}

fn read_movement(text: &str) -> Option<(Movement, &str)> {
    let mut chars = text.chars();
    let movement = match chars.next()? {
        '-' | '‐' | '–' | '—' | '−' | 'x' | 'X' | '×' => Movement::Board,
        '*' | '\'' | '’' => Movement::Drop,
        _ => return None,
    };
    Some((movement, chars.as_str()))
}

/// `7f` or `76`.
fn read_square(text: &str) -> Option<(Square, &str)> {
    let square = match *text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9', ..] => {
            Square::from_file_rank(file - b'0', rank - b'0')
        }
        [file @ b'1'..=b'9', rank @ b'a'..=b'i', ..] => {
            Square::from_file_rank(file - b'0', rank - b'a' + 1)
        }
        _ => None,
    };
    Some((square?, &text[2..]))
}

#[cfg(test)]
mod tests;
