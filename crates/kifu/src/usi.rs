//! USI lists: one game per line, as the engine protocol's `position` command has it.

use rules::{Notation, Position, STARTPOS_SFEN};

use crate::builder::Builder;
use crate::ending::Ending;
use crate::error::Refusal;
use crate::lines::TextLine;
use crate::record::Record;

const START: &str = "startpos, or sfen and a position";
const MOVES: &str = "moves, or the end of the line";

/// Reads a line: `[position] startpos|sfen … [moves …]`, also an SFEN without the word. `resign` or
/// `win` may stand behind the moves. `None` for a blank line and a remark behind `#`.
pub(crate) fn read_line(line: TextLine<'_>) -> Result<Option<Record>, Refusal> {
    let text = line.text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let text = text
        .strip_prefix("position")
        .filter(|rest| rest.starts_with(' '))
        .unwrap_or(text);
    let text = text.trim_start();
    let (start, moves) = split_moves(line, text)?;
    let is_sfen = start.starts_with("sfen ") || start.contains('/');
    if start != "startpos" && !is_sfen {
        return Err(line.unexpected(start, START));
    }
    let position = Position::from_sfen(start);
    let position = position.map_err(|error| line.place(start).fault(error))?;
    let mut builder = Builder::new(Vec::new(), position);
    for word in moves.split_ascii_whitespace() {
        let place = line.place(word);
        let ending = match word {
            "resign" => Some(Ending::Resign),
            "win" => Some(Ending::Declaration),
            _ => None,
        };
        if let Some(ending) = ending {
            builder
                .end(ending, word)
                .map_err(|fault| place.fault(fault))?;
            continue;
        }
        builder
            .expect_move(word)
            .map_err(|fault| place.fault(fault))?;
        let read = Notation::Usi.read(builder.position(), word, None);
        builder.add_move(read.map_err(|error| place.fault(error))?);
    }
    Ok(Some(builder.finish()))
}

/// The start, and what stands behind the word `moves`.
fn split_moves<'a>(line: TextLine<'_>, text: &'a str) -> Result<(&'a str, &'a str), Refusal> {
    let n_fields = if text.starts_with("startpos") { 1 } else { 5 };
    let mut end = 0;
    for _ in 0..n_fields {
        let rest = &text[end..];
        let word = rest.trim_start();
        if word == "moves" || word.starts_with("moves ") {
            break;
        }
        let blank = rest.len() - word.len();
        end += blank + word.find(char::is_whitespace).unwrap_or(word.len());
    }
    let (start, rest) = text.split_at(end);
    let rest = rest.trim_start();
    match rest.strip_prefix("moves") {
        None if rest.is_empty() => Ok((start, "")),
        Some(moves) if moves.is_empty() || moves.starts_with(' ') => Ok((start, moves)),
        _ => Err(line.unexpected(rest, MOVES)),
    }
}

/// The line of a game: its start and its moves, nothing else.
pub(crate) fn write_usi(record: &Record) -> String {
    let sfen = record.start.to_string();
    let mut line = if sfen == STARTPOS_SFEN {
        "position startpos".to_owned()
    } else {
        format!("position sfen {sfen}")
    };
    let mut moves = record.moves().peekable();
    if moves.peek().is_some() {
        line.push_str(" moves");
    }
    for mv in moves {
        line.push_str(&format!(" {mv}"));
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
