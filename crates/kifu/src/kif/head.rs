//! The part of a game before its moves: headers, handicap, diagram.

use rules::{Color, Handicap, Position, PositionBuilder};

use super::line::KifLine;
use crate::error::{Fault, Refusal};
use crate::header::{Header, HeaderKey};
use crate::lines::{Place, TextLine};
use crate::notes::Note;

/// What was said before the moves. `'a` is the text.
#[derive(Default)]
pub(super) struct Head<'a> {
    pub(super) headers: Vec<Header>,
    pub(super) notes: Vec<Note>,
    /// 手合割.
    handicap: Option<Named<'a>>,
    /// By color.
    hands: [Option<Named<'a>>; 2],
    /// The squares of each rank, from the first.
    ranks: Vec<Named<'a>>,
    side: Option<Color>,
}

/// A text and the line that it stands on.
#[derive(Clone, Copy)]
struct Named<'a> {
    line: TextLine<'a>,
    text: &'a str,
}

impl<'a> Head<'a> {
    /// Whether nothing was said at all.
    pub(super) fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.notes.is_empty() && !self.has_start()
    }

    /// Whether something tells where a game begins.
    pub(super) fn has_start(&self) -> bool {
        self.handicap.is_some() || !self.ranks.is_empty()
    }

    /// Takes a line of this part; any other kind is refused.
    pub(super) fn read(&mut self, line: TextLine<'a>, kind: KifLine<'a>) -> Result<(), Refusal> {
        match kind {
            KifLine::Skipped | KifLine::Exact(_) => {}
            KifLine::Header { key, value } => self.read_header(line, key, value),
            KifLine::Rank(text) if self.ranks.len() < 9 => self.ranks.push(Named { line, text }),
            KifLine::Rank(text) => return Err(line.unexpected(text, "no more than nine ranks")),
            KifLine::Side(side) => self.side = Some(side),
            KifLine::Comment(text) => self.notes.push(note(text)),
            KifLine::Bookmark(text) => self.notes.push(Note::Bookmark(text.to_owned())),
            KifLine::Variation(_)
            | KifLine::Summary(_)
            | KifLine::Ply { .. }
            | KifLine::Marked(_)
            | KifLine::Unknown(_) => return Err(line.unexpected(line.text.trim(), HEADER)),
        }
        Ok(())
    }

    fn read_header(&mut self, line: TextLine<'a>, key: &'a str, text: &'a str) {
        let named = Some(Named { line, text });
        match key {
            "手合割" => self.handicap = named,
            _ => match hand_of(key) {
                Some(color) => self.hands[color.index()] = named,
                None => add_header(&mut self.headers, key, text),
            },
        }
    }

    /// Where the game begins. A diagram counts more than 手合割, and hands count only with a
    /// diagram: some programs write empty ones with every start.
    pub(super) fn position(&self) -> Result<Position, Refusal> {
        let named = match self.handicap {
            Some(named) => Handicap::from_japanese(named.text),
            None => Some(Handicap::Even),
        };
        match (self.ranks.as_slice(), named, self.handicap) {
            ([], None, Some(named)) => Err(named.line.unexpected(named.text, HANDICAP)),
            ([], named, _) => Ok(self.named_start(named.unwrap_or(Handicap::Even))),
            ([first, ..], named, _) => {
                let given = named.is_some_and(|handicap| handicap != Handicap::Even);
                let side = if given { Color::White } else { Color::Black };
                let place = first.line.place(first.text);
                self.drawn_start(place, self.side.unwrap_or(side))
            }
        }
    }

    fn named_start(&self, handicap: Handicap) -> Position {
        let mut builder = PositionBuilder::from(&handicap.position());
        if let Some(side) = self.side {
            builder.set_side_to_move(side);
        }
        builder.build().expect("no named start has a check")
    }

    fn drawn_start(&self, place: Place, side: Color) -> Result<Position, Refusal> {
        let mut builder = PositionBuilder::new();
        for (rank, &Named { line, text }) in (1..).zip(&self.ranks) {
            let put = builder.put_row(rank, text);
            put.map_err(|error| line.place(text).fault(error))?;
        }
        if self.ranks.len() < 9 {
            return Err(place.fault(Fault::Ended {
                expected: "nine ranks of a diagram before the moves",
            }));
        }
        for color in Color::ALL {
            if let Some(Named { line, text }) = self.hands[color.index()] {
                let added = builder.add_hand_text(color, text);
                added.map_err(|error| line.place(text).fault(error))?;
            }
        }
        let position = builder.set_side_to_move(side).build();
        position.map_err(|error| place.fault(error))
    }
}

/// Whose pieces in hand stand behind this name.
fn hand_of(key: &str) -> Option<Color> {
    let player = key
        .strip_suffix("の持駒")
        .or(key.strip_suffix("の持ち駒"))?;
    match player {
        "先手" | "下手" => Some(Color::Black),
        "後手" | "上手" => Some(Color::White),
        _ => None,
    }
}

/// Whether the name says something about the start position.
pub(super) fn is_reserved(key: &str) -> bool {
    key == "手合割" || hand_of(key).is_some()
}

const HEADER: &str = "a header such as 先手：, a diagram, a remark, or the moves";
const HANDICAP: &str = "平手, a handicap such as 二枚落ち, or a diagram behind it";

/// Adds a header; the lines of a note become one.
pub(super) fn add_header(headers: &mut Vec<Header>, key: &str, value: &str) {
    let key = HeaderKey::from_kif(key);
    match headers.last_mut() {
        Some(last) if key == HeaderKey::Note && last.key == HeaderKey::Note => {
            last.value.push('\n');
            last.value.push_str(value);
        }
        _ if value.is_empty() => {}
        _ => headers.push(Header {
            key,
            value: value.to_owned(),
        }),
    }
}

/// A remark whose text stands behind the first `*`, where no move is known that it is about.
fn note(text: &str) -> Note {
    match text.strip_prefix('*') {
        Some(text) => Note::Engine(text.to_owned()),
        None => Note::Text(text.to_owned()),
    }
}
