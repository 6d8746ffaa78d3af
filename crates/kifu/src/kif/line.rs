//! What a line of KIF or KI2 is.

use rules::Color;

use super::endings::split_exact;

/// A line, understood as far as that needs nothing but itself. The texts are slices of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KifLine<'a> {
    /// Nothing, or nothing that matters: blank, `#` for programs, rulers, 盤面反転.
    Skipped,
    /// The line for programs that says what the ending is exactly, and the word in it.
    Exact(&'a str),
    /// `*`, and what is behind it.
    Comment(&'a str),
    /// `&`, and what is behind it.
    Bookmark(&'a str),
    /// `|v香v桂 ・ …|一`
    Rank(&'a str),
    /// 後手番 and the like.
    Side(Color),
    /// `先手：名前`.
    Header {
        /// What it is about.
        key: &'a str,
        /// What it says.
        value: &'a str,
    },
    /// `変化：5手`, and the number.
    Variation(usize),
    /// `まで`, and what is behind it.
    Summary(&'a str),
    /// `12 ２三歩打 ( 0:34/00:02:24)`
    Ply {
        /// The number of the ply.
        number: usize,
        /// What is behind the number.
        rest: &'a str,
    },
    /// `▲７六歩    △３四歩`
    Marked(&'a str),
    /// None of these.
    Unknown(&'a str),
}

/// What stands before the moves of KI2: filled or black for Black, empty for White.
pub(super) const MARKS: [char; 8] = ['▲', '△', '▼', '▽', '☗', '☖', '⛊', '⛉'];

/// A header's name is not longer; a line without one may have a colon somewhere.
const LONGEST_KEY: usize = 30;

/// What `line` is.
pub(super) fn classify(line: &str) -> KifLine<'_> {
    let text = line.trim();
    let Some(first) = text.chars().next() else {
        return KifLine::Skipped;
    };
    let behind = &text[first.len_utf8()..];
    match first {
        '#' => return split_exact(behind).map_or(KifLine::Skipped, KifLine::Exact),
        '*' => return KifLine::Comment(behind),
        '&' => return KifLine::Bookmark(behind),
        '|' => return KifLine::Rank(text),
        '+' if behind.starts_with('-') => return KifLine::Skipped,
        _ if MARKS.contains(&first) => return KifLine::Marked(text),
        _ => {}
    }
    if let Some(rest) = text.strip_prefix("まで") {
        return KifLine::Summary(rest);
    }
    if let Some(number) = variation(text) {
        return KifLine::Variation(number);
    }
    match text {
        "先手番" | "下手番" => return KifLine::Side(Color::Black),
        "後手番" | "上手番" => return KifLine::Side(Color::White),
        "盤面反転" => return KifLine::Skipped,
        _ => {}
    }
    if ["手数-", "手数＝", "手数="]
        .iter()
        .any(|start| text.starts_with(start))
        || is_files(text)
    {
        return KifLine::Skipped;
    }
    if let Some((number, rest)) = numbered(text) {
        return KifLine::Ply { number, rest };
    }
    match text.split_once(['：', ':']) {
        Some((key, value)) if !key.trim().is_empty() && key.chars().count() <= LONGEST_KEY => {
            KifLine::Header {
                key: key.trim(),
                value: value.trim(),
            }
        }
        _ => KifLine::Unknown(text),
    }
}

/// The row above a diagram: `９ ８ ７ ６ ５ ４ ３ ２ １`.
fn is_files(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || ascii_digit(c).is_some())
}

/// A number and what stands behind it with a blank between.
fn numbered(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = split_number(text)?;
    let is_apart = rest.starts_with(char::is_whitespace);
    is_apart.then(|| (number, rest.trim_start()))
}

fn variation(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("変化")?.trim_start();
    let rest = rest.strip_prefix(['：', ':'])?.trim_start();
    let (number, rest) = split_number(rest)?;
    rest.trim_start().starts_with('手').then_some(number)
}

/// A number in ordinary or full-width digits at the beginning of `text`, and what follows.
pub(super) fn split_number(text: &str) -> Option<(usize, &str)> {
    /// Far above the number of moves that a record may have.
    const MAX_DIGITS: usize = 9;
    let end = text
        .find(|c| ascii_digit(c).is_none())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let digits: String = digits.chars().filter_map(ascii_digit).collect();
    if digits.len() > MAX_DIGITS {
        return None;
    }
    Some((digits.parse().ok()?, rest))
}

/// The digit `c` stands for, `5` or `５`.
pub(super) fn ascii_digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
