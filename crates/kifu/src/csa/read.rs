//! Reading CSA.

use rules::{Color, Move, Notation, Position};

use super::ending;
use super::start::CsaStart;
use crate::builder::Builder;
use crate::clock::{Clock, parse_seconds};
use crate::error::{Fault, Refusal};
use crate::header::{Header, HeaderKey};
use crate::lines::TextLine;
use crate::notes::{Analysis, Note};
use crate::record::Record;

const STATEMENT: &str = "a statement of CSA: V, N, $, P, +, -, %, T or '";
const ENDING: &str = "an ending: %TORYO %CHUDAN %SENNICHITE %TIME_UP %ILLEGAL_MOVE \
                      %+ILLEGAL_ACTION %-ILLEGAL_ACTION %JISHOGI %KACHI %HIKIWAKE %MAX_MOVES \
                      %MATTA %TSUMI %FUZUMI or %ERROR";

/// Whether a line stands between two games.
pub(crate) fn is_separator(line: &[u8]) -> bool {
    line.trim_ascii() == b"/"
}

/// A game of which some lines were read.
pub(crate) struct CsaGame {
    state: State,
    /// Whether there was anything but blanks and remarks for nobody.
    seen: bool,
}

/// What can come next.
enum State {
    /// Headers and the start position.
    Head(Box<Head>),
    /// Moves, and what belongs to them.
    Moves(Box<Builder>),
}

struct Head {
    headers: Vec<Header>,
    notes: Vec<Note>,
    start: CsaStart,
}

impl CsaGame {
    pub(crate) fn new() -> CsaGame {
        CsaGame {
            state: State::Head(Box::new(Head {
                headers: Vec::new(),
                notes: Vec::new(),
                start: CsaStart::new(),
            })),
            seen: false,
        }
    }

    /// Reads one line: a whole-line statement, or several with commas between them.
    pub(crate) fn read_line(&mut self, line: TextLine<'_>) -> Result<(), Refusal> {
        let mut rest = line.text.trim();
        while !rest.is_empty() {
            if rest.starts_with(['\'', '$', 'N']) {
                return self.read_whole_line(line, rest);
            }
            let (statement, behind) = rest.split_once(',').unwrap_or((rest, ""));
            let behind = behind.trim_start();
            self.read_statement(line, statement.trim_end())?;
            // AobaZero says what its search found behind the move: `+7776FU,v=0.5,…`.
            if behind.starts_with("v=") {
                return Ok(());
            }
            rest = behind;
        }
        Ok(())
    }

    /// The game; `None` if there was none.
    pub(crate) fn finish(mut self) -> Result<Option<Record>, Refusal> {
        if !self.seen {
            return Ok(None);
        }
        self.begin_moves(None)?;
        match self.state {
            State::Moves(builder) => Ok(Some(builder.finish())),
            State::Head(_) => unreachable!("the moves have begun"),
        }
    }

    fn read_whole_line(&mut self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        let (key, value) = match text.split_at(1) {
            ("'", comment) => {
                self.read_comment(comment);
                return Ok(());
            }
            ("N", rest) => match rest.split_at_checked(1) {
                Some(("+", name)) => (HeaderKey::Black, name),
                Some(("-", name)) => (HeaderKey::White, name),
                _ => return Err(line.unexpected(text, "N+ or N- and a name")),
            },
            (_, rest) => match rest.split_once(':') {
                Some((key, value)) => (HeaderKey::from_csa(key.trim()), value),
                None => return Err(line.unexpected(text, "$ and a keyword with a colon behind it")),
            },
        };
        self.seen = true;
        let value = match key {
            HeaderKey::Note => unescaped(value.trim()),
            _ => value.trim().to_owned(),
        };
        if !value.is_empty() {
            let headers = match &mut self.state {
                State::Head(head) => &mut head.headers,
                State::Moves(builder) => builder.headers_mut(),
            };
            headers.push(Header { key, value });
        }
        Ok(())
    }

    fn read_comment(&mut self, comment: &str) {
        let Some(text) = comment.strip_prefix('*') else {
            return;
        };
        self.seen = true;
        let note = match (text.strip_prefix('*'), &self.state) {
            (None, _) => Note::Text(text.to_owned()),
            (Some(text), State::Moves(builder)) => read_analysis(text, builder),
            (Some(text), State::Head(_)) => Note::Engine(text.to_owned()),
        };
        match &mut self.state {
            State::Head(head) => head.notes.push(note),
            State::Moves(builder) => builder.add_note(note),
        }
    }

    fn read_statement(&mut self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        self.seen = true;
        match text.as_bytes() {
            [b'V', ..] => self.read_version(line, text),
            [b'P', ..] => match &mut self.state {
                State::Head(head) => head.start.read(line, text),
                State::Moves(_) => Err(line.unexpected(text, "a move, an ending or a time")),
            },
            b"+" | b"-" => {
                if let State::Moves(_) = self.state {
                    return Err(line.unexpected(text, "a move, an ending or a time"));
                }
                self.begin_moves(Some(side(text)))
            }
            [b'+' | b'-', ..] => self.read_move(line, text),
            [b'%', ..] => self.read_ending(line, text),
            [b'T', ..] => self.read_time(line, text),
            _ => Err(line.unexpected(text, STATEMENT)),
        }
    }

    fn read_version(&self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        const VERSION: &str = "a version from V1 to V3.0, before the moves";
        let number = text[1..].trim_end();
        let known = ["1", "2", "3"].iter().any(|major| {
            let minor = number.strip_prefix(major);
            minor.is_some_and(|minor| minor.is_empty() || minor.starts_with('.'))
        });
        match self.state {
            State::Head(_) if known => Ok(()),
            _ => Err(line.unexpected(text, VERSION)),
        }
    }

    /// `+7776FU`, maybe with a remark glued to it.
    fn read_move(&mut self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        const MOVE: &str = "a move such as +7776FU";
        let (word, behind) = text
            .split_at_checked(7)
            .ok_or_else(|| line.unexpected(text, MOVE))?;
        self.begin_moves(Some(side(text)))?;
        let State::Moves(builder) = &mut self.state else {
            unreachable!("the moves have begun");
        };
        let place = line.place(text);
        let fault = |fault: Fault| place.fault(fault);
        builder.expect_move(word).map_err(fault)?;
        let read = Notation::Csa.read(builder.position(), word, builder.previous());
        builder.add_move(read.map_err(|error| fault(error.into()))?);
        match behind.trim_start().strip_prefix('\'') {
            Some(comment) => self.read_comment(comment),
            None if behind.trim().is_empty() => {}
            None => return Err(line.unexpected(behind, "the end of the move")),
        }
        Ok(())
    }

    fn read_ending(&mut self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        self.begin_moves(None)?;
        let State::Moves(builder) = &mut self.state else {
            unreachable!("the moves have begun");
        };
        let ending = ending(text[1..].trim_end(), builder.side(), builder.is_illegal());
        let ending = ending.ok_or_else(|| line.unexpected(text, ENDING))?;
        let ended = builder.end(ending, text);
        ended.map_err(|fault| line.place(text).fault(fault))
    }

    /// `T12` or `T12.345`. Before the first move there is nothing that it could belong to.
    fn read_time(&mut self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        let time = parse_seconds(text[1..].trim())
            .ok_or_else(|| line.unexpected(text, "T and a number of seconds"))?;
        if let State::Moves(builder) = &mut self.state {
            builder.set_clock(Clock::of(time));
        }
        Ok(())
    }

    /// Completes the start position, with the side to move that the file names; Black where it
    /// names none.
    fn begin_moves(&mut self, side: Option<Color>) -> Result<(), Refusal> {
        let State::Head(head) = &mut self.state else {
            return Ok(());
        };
        let position = head.start.position(side.unwrap_or(Color::Black))?;
        let mut builder = Builder::new(std::mem::take(&mut head.headers), position);
        for note in head.notes.drain(..) {
            builder.add_note(note);
        }
        self.state = State::Moves(Box::new(builder));
        Ok(())
    }
}

/// The side whose sign stands at the beginning.
fn side(text: &str) -> Color {
    if text.starts_with('+') {
        Color::Black
    } else {
        Color::White
    }
}

/// `30 -8384FU +2726FU #1234`: what an engine thinks of the last move. Text that is something else
/// is kept as it is.
fn read_analysis(text: &str, builder: &Builder) -> Note {
    let words = text.split_whitespace();
    let analysis = (!builder.is_illegal()).then(|| parse_analysis(words, builder));
    match analysis.flatten() {
        Some(analysis) => Note::Analysis(analysis),
        None => Note::Engine(text.to_owned()),
    }
}

fn parse_analysis<'a>(
    mut words: impl Iterator<Item = &'a str>,
    builder: &Builder,
) -> Option<Analysis> {
    let mut analysis = Analysis {
        score: words.next()?.parse().ok()?,
        ..Analysis::default()
    };
    let mut position = builder.position().clone();
    for word in words {
        if analysis.nodes.is_some() {
            return None;
        }
        match word.strip_prefix('#') {
            Some(nodes) => analysis.nodes = Some(nodes.parse().ok()?),
            None => {
                let mv = legal_move(&position, word)?;
                position.do_move(mv);
                analysis.pv.push(mv);
            }
        }
    }
    Some(analysis)
}

fn legal_move(position: &Position, word: &str) -> Option<Move> {
    let mv = Notation::Csa.read(position, word, None).ok()?;
    position.is_legal(mv).then_some(mv)
}

/// Undoes V3.0's `\n` and `\\`.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            c => plain.push(c),
        }
    }
    plain
}
