//! Reading KIF and KI2.
//!
//! One reader takes both, line by line: a numbered line is KIF's, a line that begins with ▲ or △ is
//! KI2's, and all others mean the same in both.

use rules::{Move, Notation, Position};

use super::endings::{ending, exact_ending, read_summary};
use super::head::{Head, add_header};
use super::line::{KifLine, MARKS, classify};
use super::ply::{PlyText, split_ply};
use crate::builder::Builder;
use crate::error::{Fault, Refusal, shortened};
use crate::lines::{TextLine, lines};
use crate::notes::{Analysis, Note};
use crate::record::Record;

const PLY: &str = "a move such as ７六歩(77), or an ending such as 投了";
const MOVES: &str = "a move, a remark, 変化：, まで, or the headers of the next game";

/// The games of a text, one after another: headers or a diagram behind moves begin the next.
pub(crate) struct KifGames<'a> {
    lines: Vec<TextLine<'a>>,
    next: usize,
    /// Whether the moves of the game that is being read have begun.
    in_moves: bool,
}

impl<'a> KifGames<'a> {
    pub(crate) fn new(text: &'a str) -> KifGames<'a> {
        KifGames {
            lines: lines(text, 1).collect(),
            next: 0,
            in_moves: false,
        }
    }

    fn peek(&self) -> Option<(TextLine<'a>, KifLine<'a>)> {
        let line = *self.lines.get(self.next)?;
        Some((line, classify(line.text)))
    }

    fn read_game(&mut self) -> Result<Option<Record>, Refusal> {
        self.in_moves = false;
        let mut head = Head::default();
        while let Some((line, kind)) = self.peek() {
            if kind.is_game() {
                break;
            }
            self.next += 1;
            head.read(line, kind)?;
        }
        if head.is_empty() && self.next == self.lines.len() {
            return Ok(None);
        }
        let position = head.position()?;
        self.in_moves = true;
        let mut builder = Builder::new(head.headers, position);
        for note in head.notes {
            builder.add_note(note);
        }
        let mut game = KifGame {
            builder,
            first_number: None,
        };
        while let Some((line, kind)) = self.peek() {
            if kind.is_head() && self.begins_game() {
                break;
            }
            self.next += 1;
            game.read(line, kind)?;
        }
        Ok(Some(game.builder.finish()))
    }

    /// Whether the lines from here, which begin like those before a game, are followed by one;
    /// else they are late words on the last.
    fn begins_game(&self) -> bool {
        let mut kinds = self.lines[self.next..]
            .iter()
            .map(|line| classify(line.text));
        let decisive = kinds.find(|kind| {
            let names_start = matches!(
                kind,
                KifLine::Header {
                    key: "手合割", ..
                }
            );
            names_start || kind.is_game() || matches!(kind, KifLine::Rank(_))
        });
        decisive.is_some_and(|kind| !matches!(kind, KifLine::Variation(_) | KifLine::Summary(_)))
    }

    /// Passes over what is left of a game that was refused.
    fn skip_game(&mut self) {
        while let Some((_, kind)) = self.peek() {
            self.in_moves |= kind.is_game();
            if self.in_moves && kind.is_head() && self.begins_game() {
                return;
            }
            self.next += 1;
        }
    }
}

impl Iterator for KifGames<'_> {
    type Item = Result<Record, Refusal>;

    fn next(&mut self) -> Option<Result<Record, Refusal>> {
        let game = self.read_game();
        if game.is_err() {
            self.skip_game();
        }
        game.transpose()
    }
}

impl KifLine<'_> {
    /// Whether such a line cannot stand before the moves.
    fn is_game(&self) -> bool {
        matches!(
            self,
            KifLine::Ply { .. } | KifLine::Marked(_) | KifLine::Variation(_) | KifLine::Summary(_)
        )
    }

    /// Whether such a line usually stands before the moves.
    fn is_head(&self) -> bool {
        matches!(
            self,
            KifLine::Header { .. } | KifLine::Rank(_) | KifLine::Side(_)
        )
    }
}

/// A game whose moves have begun.
struct KifGame {
    builder: Builder,
    /// The number that the file gives to the first ply: 1, or more in parts of games.
    first_number: Option<usize>,
}

impl KifGame {
    fn read(&mut self, line: TextLine<'_>, kind: KifLine<'_>) -> Result<(), Refusal> {
        let start = line.place(line.text.trim());
        match kind {
            KifLine::Skipped => Ok(()),
            KifLine::Exact(word) => {
                self.read_exact(word);
                Ok(())
            }
            KifLine::Comment(text) => {
                self.builder.add_note(note(text, &self.builder));
                Ok(())
            }
            KifLine::Bookmark(text) => {
                self.builder.add_note(Note::Bookmark(text.to_owned()));
                Ok(())
            }
            KifLine::Header { key, value } => {
                add_header(self.builder.headers_mut(), key, value);
                Ok(())
            }
            KifLine::Variation(number) => {
                let ply = number.checked_sub(self.first_number.unwrap_or(1));
                let opened = match ply {
                    Some(ply) => self.builder.open_variation(ply),
                    None => Err(Fault::PlyNumber {
                        found: number,
                        expected: self.first_number.unwrap_or(1),
                    }),
                };
                opened.map_err(|fault| start.fault(fault))
            }
            KifLine::Summary(text) => {
                self.read_summary(line.text.trim(), text);
                Ok(())
            }
            KifLine::Ply { rest, .. } if self.builder.ending().is_some() => {
                let found = shortened(rest);
                Err(line.place(rest).fault(Fault::AfterEnd { found }))
            }
            KifLine::Ply { number, rest } => {
                let first = *self.first_number.get_or_insert(number.max(1));
                let expected = first + self.builder.next_ply();
                if number != expected {
                    let found = number;
                    return Err(start.fault(Fault::PlyNumber { found, expected }));
                }
                self.read_ply(line, rest)
            }
            KifLine::Marked(text) => self.read_marked(line, text),
            KifLine::Rank(_) | KifLine::Side(_) | KifLine::Unknown(_) => {
                Err(line.unexpected(line.text.trim(), MOVES))
            }
        }
    }

    /// KIF's line: one move or an ending, with its time.
    fn read_ply(&mut self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        let PlyText { word, clock } = split_ply(text);
        if word.is_empty() {
            return Err(line.unexpected(text, PLY));
        }
        self.read_word(line, word, Notation::Kif)?;
        if let Some(clock) = clock {
            self.builder.set_clock(clock);
        }
        Ok(())
    }

    /// KI2's line: moves, each behind its mark.
    fn read_marked(&mut self, line: TextLine<'_>, text: &str) -> Result<(), Refusal> {
        let mut rest = text;
        while let Some(mark) = rest.chars().next() {
            let behind = &rest[mark.len_utf8()..];
            let end = behind
                .find(MARKS)
                .map_or(rest.len(), |end| mark.len_utf8() + end);
            let (word, next) = rest.split_at(end);
            self.read_word(line, word.trim_end(), Notation::Ki2)?;
            rest = next;
        }
        Ok(())
    }

    fn read_word(
        &mut self,
        line: TextLine<'_>,
        word: &str,
        notation: Notation,
    ) -> Result<(), Refusal> {
        let place = line.place(word);
        let builder = &mut self.builder;
        if let Some(ending) = ending(word.trim_start_matches(MARKS), builder.side()) {
            let ended = builder.end(ending, word);
            return ended.map_err(|fault| place.fault(fault));
        }
        builder
            .expect_move(word)
            .map_err(|fault| place.fault(fault))?;
        let read = notation.read(builder.position(), word, builder.previous());
        builder.add_move(read.map_err(|error| place.fault(error))?);
        Ok(())
    }

    /// The sentence that begins with まで: KI2 says only there how a line ended. One that is not
    /// understood is kept as a remark where it would be the only word on the ending.
    fn read_summary(&mut self, sentence: &str, text: &str) {
        let builder = &mut self.builder;
        if builder.ending().is_some() {
            return;
        }
        match read_summary(text, builder.side()) {
            Some(found) => builder
                .end(found, sentence)
                .expect("the line has no ending yet"),
            None => builder.add_note(Note::Text(sentence.to_owned())),
        }
    }

    fn read_exact(&mut self, word: &str) {
        let builder = &mut self.builder;
        let known = builder.ending();
        if let Some(found) = known.and_then(|known| exact_ending(known, word, builder.side())) {
            builder.refine_ending(found);
        }
    }
}

/// A remark on the last move, whose text stands behind the first `*`.
fn note(text: &str, builder: &Builder) -> Note {
    let Some(text) = text.strip_prefix('*') else {
        return Note::Text(text.to_owned());
    };
    let analysis = (!builder.is_illegal()).then(|| parse_analysis(text, builder));
    match analysis.flatten() {
        Some(analysis) => Note::Analysis(analysis),
        None => Note::Engine(text.to_owned()),
    }
}

/// `評価値 30 ノード数 1234 読み筋 △８四歩(83) ▲２六歩(27)`, as the writer has it. What else engines
/// say is kept as it is.
fn parse_analysis(text: &str, builder: &Builder) -> Option<Analysis> {
    let mut words = text.split(' ').peekable();
    if words.next() != Some("評価値") {
        return None;
    }
    let mut analysis = Analysis {
        score: words.next()?.parse().ok()?,
        ..Analysis::default()
    };
    if words.next_if_eq(&"ノード数").is_some() {
        analysis.nodes = Some(words.next()?.parse().ok()?);
    }
    if words.next_if_eq(&"読み筋").is_none() {
        return words.next().is_none().then_some(analysis);
    }
    let mut position = builder.position().clone();
    let mut previous = builder.previous();
    for word in words {
        let mv = Notation::Kif.read(&position, word, previous).ok()?;
        play_legal(&mut position, mv)?;
        previous = Some(mv.to());
        analysis.pv.push(mv);
    }
    Some(analysis)
}

fn play_legal(position: &mut Position, mv: Move) -> Option<()> {
    position.is_legal(mv).then(|| position.do_move(mv))?;
    Some(())
}
