//! `info` and `bestmove` lines: their exact text.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Duration;

use rules::Move;

#[cfg(test)]
mod tests;

/// An evaluation as USI writes it, from the side to move's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Plies to mate, positive when the side to move mates.
    Mate(i32),
    /// Won by mate or declaration, length unknown.
    Won,
    /// Mated, or being mated, length unknown.
    Lost,
}

impl Score {
    /// The score of an expected score `p` in [0, 1]: `coefficient * ln(p / (1 - p))`, where `p` is
    /// first kept within a millionth of its ends.
    pub fn from_expected(p: f32, coefficient: u32) -> Score {
        let p = f64::from(p).clamp(1e-6, 1.0 - 1e-6);
        Score::Cp((f64::from(coefficient) * (p / (1.0 - p)).ln()).round() as i32)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(cp) => write!(f, "cp {cp}"),
            Score::Mate(plies) => write!(f, "mate {plies}"),
            Score::Won => f.write_str("mate +"),
            Score::Lost => f.write_str("mate -"),
        }
    }
}

/// A text that is not a [`Score`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("score {0:?}: expected a text such as `cp 12` or `mate 3`")]
pub struct ParseScoreError(String);

impl FromStr for Score {
    type Err = ParseScoreError;

    fn from_str(text: &str) -> Result<Score, ParseScoreError> {
        let words = text.split_once(' ');
        words
            .and_then(|(kind, value)| parse_score(kind, value))
            .ok_or_else(|| ParseScoreError(text.to_owned()))
    }
}

/// Reads the words behind `score`; bounds and unknown words are skipped.
pub(crate) fn parse_score(kind: &str, value: &str) -> Option<Score> {
    match (kind, value) {
        ("cp", _) => value.parse().ok().map(Score::Cp),
        ("mate", "+" | "+0") => Some(Score::Won),
        ("mate", "-" | "-0" | "0") => Some(Score::Lost),
        ("mate", _) => value.parse().ok().map(Score::Mate),
        _ => None,
    }
}

/// What all lines of one report share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) time: Duration,
    pub(crate) nodes: u64,
    /// Plies of the longest walk.
    pub(crate) seldepth: u32,
    /// Of the tree's limit, in per mille.
    pub(crate) hashfull: usize,
}

impl Effort {
    /// Nodes per second.
    pub(crate) fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(0.001)) as u64
    }
}

/// One line of analysis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) score: Score,
    pub(crate) pv: Vec<Move>,
}

impl Line {
    /// A score without moves.
    pub(crate) fn bare(score: Score) -> Line {
        Line {
            score,
            pv: Vec::new(),
        }
    }

    /// The rest of a line as the player sees it who is to move after its first move.
    pub(crate) fn after_first(self) -> Line {
        let score = match self.score {
            Score::Cp(cp) => Score::Cp(-cp),
            Score::Mate(plies) if 0 < plies => Score::Mate(1 - plies),
            Score::Mate(plies) => Score::Mate(-1 - plies),
            Score::Won => Score::Lost,
            Score::Lost => Score::Won,
        };
        let pv = self.pv.into_iter().skip(1).collect();
        Line { score, pv }
    }
}

/// The `info` line of `line`; `rank` counts from 1 and is written only when `ranked`.
pub(crate) fn info_line(effort: &Effort, line: &Line, rank: usize, ranked: bool) -> String {
    let ms = effort.time.as_millis();
    let depth = line.pv.len();
    let mut text = format!(
        "info depth {depth} seldepth {} time {ms} nodes {} nps {} hashfull {}",
        depth.max(effort.seldepth as usize),
        effort.nodes,
        effort.nps(),
        effort.hashfull
    );
    if ranked {
        let _ = write!(text, " multipv {rank}");
    }
    let _ = write!(text, " score {}", line.score);
    if !line.pv.is_empty() {
        text.push_str(" pv");
    }
    for mv in &line.pv {
        let _ = write!(text, " {mv}");
    }
    text
}

/// An `info string` line; line breaks and what is not ASCII are replaced, since clients differ in
/// the encoding that they expect.
pub(crate) fn info_string(message: impl fmt::Display) -> String {
    let message = message.to_string();
    let clean: String = message
        .chars()
        .map(|c| {
            if c.is_ascii() && !c.is_ascii_control() {
                c
            } else {
                '?'
            }
        })
        .collect();
    format!("info string {clean}")
}

/// An answer to `go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BestMove {
    /// A move.
    Move(Move),
    /// `resign`.
    Resign,
    /// `win`: the side to move declares (入玉宣言).
    Win,
}

/// The `bestmove` line, with the move to ponder on if there is one.
pub(crate) fn bestmove_line(best: BestMove, ponder: Option<Move>) -> String {
    match (best, ponder) {
        (BestMove::Move(mv), Some(ponder)) => format!("bestmove {mv} ponder {ponder}"),
        (BestMove::Move(mv), None) => format!("bestmove {mv}"),
        (BestMove::Resign, _) => "bestmove resign".to_owned(),
        (BestMove::Win, _) => "bestmove win".to_owned(),
    }
}

/// What `go mate` is answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Checkmate {
    /// A mate: its moves, the attacker's first and last.
    Line(Vec<Move>),
    /// There is none by checks alone.
    None,
    /// Neither was found in time.
    Timeout,
}

/// The `checkmate` line.
pub(crate) fn checkmate_line(answer: &Checkmate) -> String {
    match answer {
        Checkmate::Line(moves) => {
            let mut text = "checkmate".to_owned();
            for mv in moves {
                let _ = write!(text, " {mv}");
            }
            text
        }
        Checkmate::None => "checkmate nomate".to_owned(),
        Checkmate::Timeout => "checkmate timeout".to_owned(),
    }
}
