//! One ply of KIF: what stands behind its number.

use super::line::ascii_digit;
use crate::clock::{Clock, parse_clock};

/// The parts of `７六歩(77)   ( 0:16/00:00:16)+`. The texts are slices of the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlyText<'a> {
    /// The move, or the word for an ending.
    pub(super) word: &'a str,
    /// Its time, if there is one that can be read.
    pub(super) clock: Option<Clock>,
}

/// Takes the parts apart. A `+` at the end says that there are variations; they come with their own
/// lines, so it is not needed.
pub(super) fn split_ply(text: &str) -> PlyText<'_> {
    let end = move_end(text);
    let (word, time) = text.split_at(end);
    let time = time.trim().trim_end_matches('+').trim();
    PlyText {
        word: word.trim().trim_end_matches('+').trim_end(),
        clock: read_clock(time),
    }
}

/// Where the move ends: behind its origin if it has one, else before the time.
fn move_end(text: &str) -> usize {
    let Some(open) = text.find(['(', '（']) else {
        return text.len();
    };
    let mut behind = text[open..].char_indices().skip(1).take(3);
    let is_digit = |found: Option<(usize, char)>| found.and_then(|(_, c)| ascii_digit(c)).is_some();
    let has_digits = is_digit(behind.next()) && is_digit(behind.next());
    match behind.next() {
        Some((at, c @ (')' | '）'))) if has_digits => open + at + c.len_utf8(),
        _ => open,
    }
}

/// `( 0:16/00:00:16)`; times that cannot be read are taken for none, since so many programs write
/// odd ones.
fn read_clock(text: &str) -> Option<Clock> {
    let text = text.strip_prefix(['(', '（'])?;
    let (text, _) = text.split_once([')', '）']).unwrap_or((text, ""));
    let (spent, total) = text.split_once('/').unwrap_or((text, ""));
    Some(Clock {
        spent: parse_clock(spent.trim())?,
        total: parse_clock(total.trim()),
    })
}

#[cfg(test)]
mod tests;
