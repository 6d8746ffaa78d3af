//! Writing KIF and KI2.

use std::cmp::Reverse;
use std::time::Duration;

use rules::{Color, Handicap, Move, Notation, Position, Script, Square};

use super::endings::{Words, exact_line, summary, words};
use super::head::is_reserved;
use super::line::{KifLine, classify};
use crate::clock::{Clock, TimeControl};
use crate::ending::Ending;
use crate::header::{Header, HeaderKey};
use crate::notes::{Analysis, Note};
use crate::record::{Line, Record, Variation};
use crate::text::Encoding;
use crate::words::one_line;

/// The text of a game in KIF: all that a record knows, but fractions of seconds.
pub(crate) fn write_kif(record: &Record, encoding: Encoding) -> String {
    let encoding = match encoding {
        Encoding::Utf8 | Encoding::Utf8Bom => "UTF-8",
        Encoding::ShiftJis => "Shift_JIS",
    };
    let text = format!("#KIF version=2.0 encoding={encoding}\n");
    let mut writer = KifWriter::new(text, Dialect::Kif, record);
    writer.head(record);
    writer.line("手数----指手---------消費時間--");
    writer.game(record);
    writer.text
}

/// The text of a game in KI2: all that a record knows, but times.
pub(crate) fn write_ki2(record: &Record) -> String {
    let mut writer = KifWriter::new(String::new(), Dialect::Ki2, record);
    writer.head(record);
    writer.line("");
    writer.game(record);
    writer.text
}

/// How the two formats write moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// One move per line, with its number, origin and time.
    Kif,
    /// Several moves per line, without origins and times.
    Ki2,
}

struct KifWriter {
    text: String,
    dialect: Dialect,
    /// Whether the players are called 下手 and 上手.
    handicap: bool,
    /// How many moves stand on the last line, which then has no end yet; KI2 only.
    n_on_line: usize,
}

impl KifWriter {
    fn new(text: String, dialect: Dialect, record: &Record) -> KifWriter {
        let handicap = Handicap::of(&record.start).is_some_and(|named| named != Handicap::Even);
        KifWriter {
            text,
            dialect,
            handicap,
            n_on_line: 0,
        }
    }

    /// Writes a line of its own.
    fn line(&mut self, line: &str) {
        self.end_moves();
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn head(&mut self, record: &Record) {
        match Handicap::of(&record.start) {
            Some(handicap) => {
                self.line(&format!("手合割：{}", handicap.name_japanese()));
                // Other programs know only the names of the definition.
                if !handicap.is_kif_name() {
                    self.diagram(&record.start);
                }
            }
            None => {
                self.line("手合割：その他");
                self.diagram(&record.start);
            }
        }
        for header in &record.headers {
            self.header(header);
        }
    }

    /// Black is to move where a diagram does not say it, and some programs know no line that does.
    fn diagram(&mut self, start: &Position) {
        let drawing = start.diagram(Script::Japanese).to_string();
        for line in drawing.lines().filter(|line| *line != "先手番") {
            self.line(line);
        }
    }

    fn header(&mut self, Header { key, value }: &Header) {
        let name = one_line(key.to_kif(self.handicap)).into_owned();
        let time = match key {
            HeaderKey::TimeLimit | HeaderKey::BlackTimeLimit | HeaderKey::WhiteTimeLimit => {
                TimeControl::parse(value).and_then(TimeControl::to_kif)
            }
            _ => None,
        };
        for value in time.as_deref().unwrap_or(value).lines() {
            let line = format!("{name}：{value}");
            let comes_back = match classify(&line) {
                KifLine::Header { key: read, .. } => read == name && !is_reserved(read),
                _ => false,
            };
            // What a reader would take for something else is a remark that programs pass over.
            let start = if comes_back { "" } else { "#" };
            self.line(&format!("{start}{line}"));
        }
    }

    fn game(&mut self, record: &Record) {
        let root = Root {
            ply: 0,
            side: record.start.side_to_move(),
            position: record.start.clone(),
            previous: None,
            spent: [Duration::ZERO; 2],
        };
        self.moves(&record.main, root, true);
    }

    /// A line, then its variations from the last to the first, each with its own: as readers need
    /// them, which look for the root of a variation in the line before it.
    fn moves(&mut self, line: &Line, root: Root, is_main: bool) {
        let first = root.ply;
        let mut at = root;
        let mut roots = Vec::new();
        self.notes(&line.notes, &at);
        for idx in 0..=line.plies.len() {
            let branches = line.variations.iter().any(|variation| variation.at == idx);
            if branches {
                roots.push(at.clone());
            }
            if let Some(ply) = line.plies.get(idx) {
                let clock = at.add_clock(ply.clock);
                self.ply(ply.mv, &at, clock, branches);
                at.play(ply.mv);
                self.notes(&ply.notes, &at);
            }
        }
        if let Some(end) = &line.end {
            let clock = at.add_clock(end.clock);
            self.end(end.ending, &at, clock, is_main);
            self.notes(&end.notes, &at);
        }
        self.end_moves();
        for variation in backwards(&line.variations) {
            let ply = first + variation.at;
            let root = roots.iter().find(|root| root.ply == ply);
            let root = root.expect("every variation begins at a ply of its line or behind it");
            self.line("");
            self.line(&format!("変化：{}手", ply + 1));
            self.moves(&variation.line, root.clone(), false);
        }
    }

    fn ply(&mut self, mv: Move, at: &Root, clock: Option<Clock>, branches: bool) {
        let Root {
            position, previous, ..
        } = at;
        match self.dialect {
            Dialect::Kif => {
                let text = Notation::Kif.write(position, mv, *previous);
                self.numbered(at.ply, &text, clock, branches);
            }
            Dialect::Ki2 => {
                let text = Notation::Ki2.write(position, mv, *previous);
                self.marked(&text);
            }
        }
    }

    /// KIF's line: `   1 ７六歩(77)   ( 0:16/00:00:16)`.
    fn numbered(&mut self, ply: usize, text: &str, clock: Option<Clock>, branches: bool) {
        const WIDTH: usize = 13;
        let mut line = format!("{:4} {text}", ply + 1);
        if let Some(clock) = clock {
            let padding = WIDTH.saturating_sub(width(text)).max(1);
            line.push_str(&" ".repeat(padding));
            line.push_str(&clock_text(clock));
        }
        if branches {
            line.push('+');
        }
        self.line(&line);
    }

    /// KI2's move, six on a line.
    fn marked(&mut self, text: &str) {
        const ON_LINE: usize = 6;
        const WIDTH: usize = 12;
        if self.n_on_line == ON_LINE {
            self.end_moves();
        }
        if self.n_on_line > 0 {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.n_on_line += 1;
        if self.n_on_line < ON_LINE {
            self.text
                .push_str(&" ".repeat(WIDTH.saturating_sub(width(text))));
        }
    }

    /// Ends the line of moves that KI2 is at.
    fn end_moves(&mut self) {
        if self.n_on_line > 0 {
            let end = self.text.trim_end_matches(' ').len();
            self.text.truncate(end);
            self.text.push('\n');
            self.n_on_line = 0;
        }
    }

    /// In KI2 a sentence; in KIF a word like a move, and the sentence behind the main line: behind
    /// variations some programs would take it for the result of the game.
    fn end(&mut self, ending: Ending, at: &Root, clock: Option<Clock>, is_main: bool) {
        let Words { plain, exact } = words(ending, at.side);
        if self.dialect == Dialect::Kif {
            self.numbered(at.ply, plain, clock, false);
        }
        if self.dialect == Dialect::Ki2 || is_main {
            self.line(&summary(ending, at.side, at.ply, self.handicap));
        }
        if let Some(exact) = exact {
            self.line(&exact_line(exact));
        }
    }

    fn notes(&mut self, notes: &[Note], at: &Root) {
        for note in notes {
            match note {
                Note::Text(text) => {
                    for line in text.lines().chain(text.is_empty().then_some("")) {
                        // A second asterisk would make it an engine's.
                        let space = if line.starts_with('*') { " " } else { "" };
                        self.line(&format!("*{space}{}", one_line(line)));
                    }
                }
                Note::Engine(text) => self.line(&format!("**{}", one_line(text))),
                Note::Analysis(analysis) => self.line(&analysis_text(analysis, at.clone())),
                Note::Bookmark(name) => self.line(&format!("&{}", one_line(name))),
            }
        }
    }
}

/// A place in a game, and what the text of the next move depends on.
#[derive(Debug, Clone)]
struct Root {
    /// The number of the next ply, from 0 at the start of the record.
    ply: usize,
    /// Whose turn it is; an illegal move counts like any other.
    side: Color,
    /// The position after the last legal move.
    position: Position,
    /// Where the last move arrived.
    previous: Option<Square>,
    /// The time that each color has spent.
    spent: [Duration; 2],
}

impl Root {
    fn play(&mut self, mv: Move) {
        if self.position.is_legal(mv) {
            self.position.do_move(mv);
        }
        self.previous = Some(mv.to());
        self.side = self.side.flipped();
        self.ply += 1;
    }

    /// The clock with a total: the one that the record tells, else the sum.
    fn add_clock(&mut self, clock: Option<Clock>) -> Option<Clock> {
        let Clock { spent, total } = clock?;
        let sum = &mut self.spent[self.side.index()];
        *sum = total.unwrap_or(*sum + spent);
        let total = Some(*sum);
        Some(Clock { spent, total })
    }
}

/// Those that begin later first; those that begin together in their order.
fn backwards(variations: &[Variation]) -> Vec<&Variation> {
    let mut ordered: Vec<&Variation> = variations.iter().collect();
    ordered.sort_by_key(|variation| Reverse(variation.at));
    ordered
}

/// `**評価値 30 ノード数 1234 読み筋 △８四歩(83) ▲２六歩(27)`
fn analysis_text(analysis: &Analysis, mut at: Root) -> String {
    let mut text = format!("**評価値 {}", analysis.score);
    if let Some(nodes) = analysis.nodes {
        text.push_str(&format!(" ノード数 {nodes}"));
    }
    if !analysis.pv.is_empty() {
        text.push_str(" 読み筋");
    }
    for &mv in &analysis.pv {
        let mark = match at.side {
            Color::Black => '▲',
            Color::White => '△',
        };
        let mv_text = Notation::Kif.write(&at.position, mv, at.previous);
        text.push_str(&format!(" {mark}{mv_text}"));
        at.play(mv);
    }
    text
}

/// `( 0:16/00:00:16)`
fn clock_text(Clock { spent, total }: Clock) -> String {
    let spent = spent.as_secs();
    let total = total.unwrap_or_default().as_secs();
    format!(
        "({:2}:{:02}/{:02}:{:02}:{:02})",
        spent / 60,
        spent % 60,
        total / 3600,
        total / 60 % 60,
        total % 60
    )
}

/// How many columns a text takes: Japanese characters take two.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}
