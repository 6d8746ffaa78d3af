//! Writing CSA.

use rules::{Color, Handicap, Notation, Piece, PieceKind, Position, Square};

use super::{CsaVersion, ending_name};
use crate::clock::{Clock, TimeControl, seconds_text};
use crate::header::{Header, HeaderKey};
use crate::notes::{Analysis, Note};
use crate::record::Record;
use crate::words::one_line;

/// The text of a game: the main line with its remarks, times and evaluations. Variations and
/// bookmarks are left out, since the format has none. The version, which stands once in a file, is
/// the caller's to write.
pub(crate) fn write_csa(record: &Record, version: CsaVersion) -> String {
    let mut writer = CsaWriter {
        text: String::new(),
        version,
    };
    writer.headers(&record.headers);
    writer.start(&record.start);
    writer.game(record);
    writer.text
}

struct CsaWriter {
    text: String,
    version: CsaVersion,
}

impl CsaWriter {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The players come first: the format wants it so.
    fn headers(&mut self, headers: &[Header]) {
        for (key, start) in [(HeaderKey::Black, "N+"), (HeaderKey::White, "N-")] {
            for header in headers.iter().filter(|header| header.key == key) {
                self.line(&format!("{start}{}", one_line(&header.value)));
            }
        }
        let players = [HeaderKey::Black, HeaderKey::White];
        for header in headers
            .iter()
            .filter(|header| !players.contains(&header.key))
        {
            let line = self.header(header);
            self.line(&line);
        }
    }

    fn header(&self, Header { key, value }: &Header) -> String {
        let time = match key {
            HeaderKey::TimeLimit | HeaderKey::BlackTimeLimit | HeaderKey::WhiteTimeLimit => {
                TimeControl::parse(value)
            }
            _ => None,
        };
        match (key, time, key.to_csa()) {
            (HeaderKey::TimeLimit, Some(time), _) => self.time_control(time),
            (_, Some(time), Some(keyword)) => format!("${keyword}:{}", time.to_csa3()),
            (HeaderKey::Note, ..) => format!("$NOTE:{}", escaped(value)),
            (_, _, Some(keyword)) => format!("${keyword}:{}", one_line(value)),
            // No keyword of CSA: a remark keeps it for people.
            (key, _, None) => format!("'{}：{}", one_line(key.to_kif(false)), one_line(value)),
        }
    }

    /// V2.2 cannot express all: then V3.0's statement, which older readers pass over.
    fn time_control(&self, time: TimeControl) -> String {
        match (self.version, time.to_csa2()) {
            (CsaVersion::V22, Some(text)) => format!("$TIME_LIMIT:{text}"),
            _ => format!("$TIME:{}", time.to_csa3()),
        }
    }

    fn start(&mut self, start: &Position) {
        if Handicap::of(start) == Some(Handicap::Even) {
            self.line("PI");
        } else {
            self.board(start);
            self.hand('+', start, Color::Black);
            self.hand('-', start, Color::White);
        }
        self.line(sign(start.side_to_move()));
    }

    fn board(&mut self, start: &Position) {
        for rank in 1..=9 {
            let cells = (1..=9).rev().map(|file| {
                let square = Square::from_file_rank(file, rank).expect("both are in 1..=9");
                match start.piece_at(square) {
                    None => " * ".to_owned(),
                    Some(Piece { color, kind }) => format!("{}{}", sign(color), kind.csa()),
                }
            });
            let line = format!("P{rank}{}", cells.collect::<String>());
            self.line(&line);
        }
    }

    /// A line for each kind, so that none is so long that a reader cuts it.
    fn hand(&mut self, sign: char, start: &Position, color: Color) {
        for kind in PieceKind::HAND.into_iter().rev() {
            let n = start.hand(color).count(kind) as usize;
            if n > 0 {
                let pieces = format!("00{}", kind.csa()).repeat(n);
                self.line(&format!("P{sign}{pieces}"));
            }
        }
    }

    fn game(&mut self, record: &Record) {
        let mut position = record.start.clone();
        self.notes(&record.main.notes, &position);
        for ply in &record.main.plies {
            let text = Notation::Csa.write(&position, ply.mv, None);
            self.line(&text);
            self.clock(ply.clock);
            if position.is_legal(ply.mv) {
                position.do_move(ply.mv);
            }
            self.notes(&ply.notes, &position);
        }
        if let Some(end) = &record.main.end {
            let name = ending_name(end.ending, record.side_at_end());
            self.line(&format!("%{name}"));
            self.clock(end.clock);
            self.notes(&end.notes, &position);
        }
    }

    fn clock(&mut self, clock: Option<Clock>) {
        if let Some(Clock { spent, .. }) = clock {
            let seconds = match self.version {
                CsaVersion::V22 => spent.as_secs().to_string(),
                CsaVersion::V30 => seconds_text(spent),
            };
            self.line(&format!("T{seconds}"));
        }
    }

    /// `position` is the one that the notes are about: after the move.
    fn notes(&mut self, notes: &[Note], position: &Position) {
        for note in notes {
            match note {
                Note::Text(text) => {
                    for line in text.lines().chain(text.is_empty().then_some("")) {
                        // A second asterisk would make it an engine's.
                        let space = if line.starts_with('*') { " " } else { "" };
                        self.line(&format!("'*{space}{}", one_line(line)));
                    }
                }
                Note::Engine(text) => self.line(&format!("'**{}", one_line(text))),
                Note::Analysis(analysis) => self.line(&analysis_text(analysis, position)),
                Note::Bookmark(_) => {}
            }
        }
    }
}

fn analysis_text(analysis: &Analysis, position: &Position) -> String {
    let mut text = format!("'** {}", analysis.score);
    let mut position = position.clone();
    for &mv in &analysis.pv {
        text.push(' ');
        text.push_str(&Notation::Csa.write(&position, mv, None));
        if !position.is_legal(mv) {
            break;
        }
        position.do_move(mv);
    }
    if let Some(nodes) = analysis.nodes {
        text.push_str(&format!(" #{nodes}"));
    }
    text
}

fn sign(color: Color) -> &'static str {
    match color {
        Color::Black => "+",
        Color::White => "-",
    }
}

/// V3.0's form of a text of several lines.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\r', "")
        .replace('\n', "\\n")
}
