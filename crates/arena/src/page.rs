//! The report page: one HTML file without anything from elsewhere, light or dark as the reader's
//! system is. Tables, a curve of strength, and games to click through.
//!
//! Text in, text out: who collects the data and writes the file is the caller.

mod axis;
mod chart;
mod curve;
mod frame;

use std::fmt::Write as _;

use serde::Serialize;

pub use chart::{Chart, ChartLine};
pub use curve::{Curve, CurvePoint, svg};

/// Everything that a page shows.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Heading.
    pub title: String,
    /// Lines under the heading, one paragraph each.
    pub notes: Vec<String>,
    /// Lines that stand out: what a reader must not miss.
    pub warnings: Vec<String>,
    /// Charts, two in a row; those without points are left out.
    pub charts: Vec<Chart>,
    /// Tables, in order.
    pub tables: Vec<PageTable>,
    /// Curves of strength; those without points are left out.
    pub curves: Vec<Curve>,
    /// Games to click through.
    pub games: Vec<PageGame>,
}

/// A table; the first column is text, all others are numbers.
#[derive(Debug, Clone, Default)]
pub struct PageTable {
    /// What it shows.
    pub title: String,
    /// Headings of the columns.
    pub headings: Vec<String>,
    /// Rows, as long as the headings.
    pub rows: Vec<Vec<String>>,
    /// Whether only the title is shown until the reader opens it.
    pub folded: bool,
}

/// A game to click through.
#[derive(Debug, Clone, Serialize)]
pub struct PageGame {
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// How it ended.
    pub result: String,
    /// Position before the first move, as SFEN.
    pub start: String,
    /// Moves in USI notation, blanks between them.
    pub moves: String,
    /// Moves of the opening, which have no scores.
    pub opening: u32,
    /// For each move behind the opening, the score from Black's view in hundredths of a pawn,
    /// proven ones as 30,000 and more; `None` where there is none.
    pub scores: Vec<Option<i32>>,
    /// For each move behind the opening, what the search thought before it; empty where nothing of
    /// that kind is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<PageThought>,
}

/// What a search thought before a move.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PageThought {
    /// Black's expected score, from 0 to 1; `None` where nothing was searched.
    pub black: Option<f32>,
    /// Moves in USI notation with their probabilities, the likeliest first.
    pub policy: Vec<(String, f32)>,
}

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

impl Page {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let mut html = String::new();
        let title = escape(&self.title);
        let _ = write!(
            html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n"
        );
        for note in &self.notes {
            let _ = writeln!(html, "<p>{}</p>", escape(note));
        }
        for warning in &self.warnings {
            let _ = writeln!(html, "<p class=\"warning\">{}</p>", escape(warning));
        }
        let charts: String = self
            .charts
            .iter()
            .filter(|chart| !chart.is_empty())
            .map(Chart::html)
            .collect();
        if !charts.is_empty() {
            let _ = writeln!(html, "<div class=\"charts\">\n{charts}</div>");
        }
        self.tables
            .iter()
            .for_each(|table| html.push_str(&table.html()));
        for curve in self.curves.iter().filter(|curve| !curve.points.is_empty()) {
            let _ = writeln!(
                html,
                "<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>",
                svg(curve),
                escape(&curve.title)
            );
        }
        if !self.games.is_empty() {
            let games = serde_json::to_string(&self.games).expect("games are plain text");
            // A script ends at the first "</", wherever it stands.
            let games = games.replace("</", "<\\/");
            let _ = write!(
                html,
                "<h2>Games</h2>\n<div id=\"viewer\"></div>\n\
                 <script>\nconst GAMES = {games};\n{SCRIPT}</script>\n"
            );
        }
        html.push_str("</body>\n</html>\n");
        html
    }
}

impl PageTable {
    fn html(&self) -> String {
        let cells = |cells: &[String], tag: &str| -> String {
            cells
                .iter()
                .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)))
                .collect()
        };
        let rows: String = self
            .rows
            .iter()
            .map(|row| format!("<tr>{}</tr>\n", cells(row, "td")))
            .collect();
        let title = escape(&self.title);
        let table = format!(
            "<div class=\"wide\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody>\n\
             </table></div>\n",
            cells(&self.headings, "th")
        );
        match self.folded {
            true => format!("<details>\n<summary>{title}</summary>\n{table}</details>\n"),
            false => format!("<h2>{title}</h2>\n{table}"),
        }
    }
}

/// `text` as HTML shows it as it is.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
