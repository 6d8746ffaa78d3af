//! PGN, written for programs that make rating lists (Ordo, BayesElo, …).
//!
//! PGN is chess's: its White is the side that moves first in an even game, and so shogi's Black
//! (sente) here, handicap games too. `1-0` is a win of that side.

use rules::{Color, Handicap, Notation};

use crate::ending::GameResult;
use crate::header::HeaderKey;
use crate::record::Record;

/// The text of a game: tags, moves in Western notation, result. Times, remarks, variations and an
/// illegal last move are left out.
pub(crate) fn write_pgn(record: &Record) -> String {
    let result = match record.result() {
        GameResult::Win(Color::Black) => "1-0",
        GameResult::Win(Color::White) => "0-1",
        GameResult::Draw => "1/2-1/2",
        GameResult::Unknown => "*",
    };
    let said = |key| {
        record
            .header(&key)
            .filter(|value| !value.is_empty())
            .unwrap_or("?")
    };
    let mut text = String::new();
    let date = [HeaderKey::StartTime, HeaderKey::EndTime]
        .into_iter()
        .find_map(|key| record.header(&key).filter(|value| !value.is_empty()))
        .map_or_else(|| pgn_date("?"), pgn_date);
    for (name, value) in [
        ("Event", said(HeaderKey::Event)),
        ("Site", said(HeaderKey::Site)),
        ("Date", date.as_str()),
        ("Round", "?"),
        ("White", said(HeaderKey::Black)),
        ("Black", said(HeaderKey::White)),
        ("Result", result),
        ("Variant", "Shogi"),
    ] {
        text.push_str(&tag(name, value));
    }
    if Handicap::of(&record.start) != Some(Handicap::Even) {
        text.push_str(&tag("SetUp", "1"));
        text.push_str(&tag("FEN", &record.start.to_string()));
    }
    text.push('\n');
    text.push_str(&wrapped(&words(record, result)));
    text
}

fn tag(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{}\"]\n", crate::words::one_line(&value))
}

/// `2026.01.02` of `2026/01/02 03:04:05`.
fn pgn_date(text: &str) -> String {
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['/', '-', '.']).collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match parts.as_slice() {
        [year, month, day] if parts.iter().all(is_number) && year.len() == 4 => {
            format!("{year}.{month:0>2}.{day:0>2}")
        }
        _ => "????.??.??".to_owned(),
    }
}

/// Move numbers, moves, and the result at the end.
fn words(record: &Record, result: &str) -> Vec<String> {
    let mut position = record.start.clone();
    let mut previous = None;
    let mut words = Vec::new();
    // Numbers count pairs of moves, of which Black's is the first.
    let offset = usize::from(record.start.side_to_move() == Color::White);
    for (idx, mv) in record.moves().enumerate() {
        if !position.is_legal(mv) {
            break;
        }
        let half = idx + offset;
        if half.is_multiple_of(2) {
            words.push(format!("{}.", half / 2 + 1));
        } else if idx == 0 {
            words.push(format!("{}...", half / 2 + 1));
        }
        words.push(Notation::Hodges.write(&position, mv, previous));
        previous = Some(mv.to());
        position.do_move(mv);
    }
    words.push(result.to_owned());
    words
}

/// The words on lines of less than 80 characters, as PGN's export format wants it.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() >= 80 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
