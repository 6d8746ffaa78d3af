//! The two Japanese notations: KIF with the origin, KI2 with marks.
//!
//! They are read by one grammar, since records mix them: player, square or `同`, piece, marks,
//! promotion or drop, origin.

mod marks;

use marks::Marks;

use super::names::{digit_value, split_kanji};
use super::reach::{Named, may_promote, reach};
use super::{NotationProblem, read_player, syntax};
use crate::{Color, Move, PieceKind, Position, Square};

pub(super) fn write_kif(position: &Position, mv: Move, previous: Option<Square>) -> String {
    // Programs pad 同 to the width of a square.
    let place = place(mv.to(), previous, "同　");
    match mv.from() {
        Some(from) => {
            let promotion = if mv.is_promotion() { "成" } else { "" };
            let name = name(position, from);
            format!("{place}{name}{promotion}{}", origin(from))
        }
        None => format!("{place}{}打", dropped_name(mv)),
    }
}

pub(super) fn write_ki2(position: &Position, mv: Move, previous: Option<Square>) -> String {
    let player = match position.side_to_move() {
        Color::Black => '▲',
        Color::White => '△',
    };
    let to = mv.to();
    let place = place(to, previous, "同");
    let (Some(from), None) = (mv.from(), mv.drop_kind()) else {
        let drop = if drop_needs_mark(position, mv) {
            "打"
        } else {
            ""
        };
        return format!("{player}{place}{}{drop}", dropped_name(mv));
    };
    let name = name(position, from);
    let Some(kind) = position.piece_at(from).map(|piece| piece.kind) else {
        return format!("{player}{place}{name}{}", origin(from));
    };
    let promotion = if mv.is_promotion() {
        "成"
    } else if may_promote(position, kind, from, to) {
        "不成"
    } else {
        ""
    };
    let candidates = reach(position, kind, to);
    let color = position.side_to_move();
    match Marks::telling(color, kind, from, to, candidates) {
        Some(marks) => format!("{player}{place}{name}{marks}{promotion}"),
        None => format!("{player}{place}{name}{promotion}{}", origin(from)),
    }
}

/// Whether a drop could be taken for a move on the board, or for a mistake.
fn drop_needs_mark(position: &Position, mv: Move) -> bool {
    let kind = mv.drop_kind().expect("only drops are asked for");
    let in_hand = position.hand(position.side_to_move()).count(kind);
    in_hand == 0 || !reach(position, kind, mv.to()).is_empty()
}

fn place(to: Square, previous: Option<Square>, same: &str) -> String {
    if previous == Some(to) {
        same.to_owned()
    } else {
        to.kanji()
    }
}

fn origin(from: Square) -> String {
    format!("({}{})", from.file(), from.rank())
}

fn name(position: &Position, from: Square) -> &'static str {
    position
        .piece_at(from)
        .map_or("?", |piece| piece.kind.kanji())
}

fn dropped_name(mv: Move) -> &'static str {
    mv.drop_kind().map_or("?", PieceKind::kanji)
}

pub(super) fn read(
    position: &Position,
    text: &str,
    previous: Option<Square>,
) -> Result<Move, NotationProblem> {
    let rest = read_player(position, text)?;
    let (to, rest) = read_place(rest, previous)?;
    let rest = rest.trim_start();
    let Some((kind, rest)) = split_kanji(rest) else {
        return Err(syntax(rest, "a piece such as 歩 or 成銀"));
    };
    let written = read_suffixes(rest)?;
    let named = Named {
        kind,
        to,
        promotion: written.promotion,
    };
    match written.origin {
        Some(Origin::Hand) if written.marks.is_empty() => named.drop_move(),
        Some(Origin::Hand) => Err(NotationProblem::DropFromBoard),
        Some(Origin::Square(from)) => Named {
            promotion: Some(written.promotion == Some(true)),
            ..named
        }
        .move_from(position, from),
        None if written.marks.is_empty() => named.find(position, None),
        None => {
            let candidates = reach(position, kind, to);
            let color = position.side_to_move();
            let fits = |from| written.marks.fit(color, kind, from, to, candidates);
            named.find(position, Some(&fits))
        }
    }
}

/// The destination: a square, `同`, or a square and `同` as some papers have it.
fn read_place(text: &str, previous: Option<Square>) -> Result<(Square, &str), NotationProblem> {
    if let Some(rest) = text.strip_prefix('同') {
        return Ok((previous.ok_or(NotationProblem::NoPrevious)?, rest));
    }
    let expected = "a square such as ７六, or 同";
    let (to, rest) = read_square(text).ok_or_else(|| syntax(text, expected))?;
    Ok((to, rest.strip_prefix('同').unwrap_or(rest)))
}

fn read_square(text: &str) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let file = digit_value(chars.next()?)?;
    let rank = digit_value(chars.next()?)?;
    Some((Square::from_file_rank(file, rank)?, chars.as_str()))
}

/// What follows the piece.
#[derive(Default)]
struct Suffixes {
    marks: Marks,
    promotion: Option<bool>,
    origin: Option<Origin>,
}

#[derive(PartialEq, Eq)]
enum Origin {
    Hand,
    Square(Square),
}

impl Suffixes {
    /// `打(00)` says the same twice; any other pair contradicts itself.
    fn take_origin(&mut self, origin: Origin) -> Result<(), NotationProblem> {
        if self.origin.as_ref().is_some_and(|known| *known != origin) {
            return Err(NotationProblem::DropFromBoard);
        }
        self.origin = Some(origin);
        Ok(())
    }
}

fn read_suffixes(text: &str) -> Result<Suffixes, NotationProblem> {
    let mut suffixes = Suffixes::default();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if suffixes.marks.add(c) {
            rest = after;
        } else if let Some((promotion, after)) = read_promotion(rest)
            && suffixes.promotion.is_none_or(|known| known == promotion)
        {
            suffixes.promotion = Some(promotion);
            rest = after;
        } else if c == '打' {
            suffixes.take_origin(Origin::Hand)?;
            rest = after;
        } else if matches!(c, '(' | '（') {
            let (origin, after) = read_origin(after)?;
            suffixes.take_origin(origin)?;
            rest = after;
        } else {
            return Err(syntax(
                rest,
                "a mark (左右直上寄引), 成, 不成, 打, an origin such as (77), or the end",
            ));
        }
        rest = rest.trim_start();
    }
    Ok(suffixes)
}

/// `成`, `不成`, or `生` for the latter.
fn read_promotion(text: &str) -> Option<(bool, &str)> {
    if let Some(rest) = text.strip_prefix('成') {
        return Some((true, rest));
    }
    let declined = text.strip_prefix("不成").or(text.strip_prefix('生'))?;
    Some((false, declined))
}

/// `77)` of `(77)`; `00)` is a drop.
fn read_origin(text: &str) -> Result<(Origin, &str), NotationProblem> {
    let drop = text.strip_prefix("00").or(text.strip_prefix("００"));
    let (origin, rest) = match (drop, read_square(text)) {
        (Some(rest), _) => (Origin::Hand, rest),
        (None, Some((square, rest))) => (Origin::Square(square), rest),
        (None, None) => return Err(syntax(text, "an origin such as 77, or 00 for a drop")),
    };
    let rest = rest
        .strip_prefix([')', '）'])
        .ok_or_else(|| syntax(rest, "a closing parenthesis after the origin"))?;
    Ok((origin, rest))
}

#[cfg(test)]
mod tests;
