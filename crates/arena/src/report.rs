//! The result of a match, as numbers and as a table.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde::Serialize;

use crate::player::Seat;
use crate::stats::sprt::{Sprt, Verdict};
use crate::stats::{Estimate, finite};

/// Version of [`MatchReport`]'s serialised form.
const SCHEMA: u32 = 1;

/// Wins, draws and losses of one player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Counts {
    fn add(&mut self, half_points: u32) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// What is kept of a finished game for the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameScore {
    /// A's half points: 2 win, 1 draw, 0 loss.
    pub half_points: u32,
    /// Who played Black.
    pub black: Seat,
    /// Why it ended, in one word.
    pub reason: String,
    /// Moves, the opening's included.
    pub plies: u32,
}

/// A match in numbers, all from A's view. Rates and ratings that are undefined or infinite (no
/// games; a clean score) are `None`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchReport {
    /// Version of this form; changes when a field changes its meaning.
    pub schema: u32,
    /// Name of the player measured.
    pub a: String,
    /// Name of its opponent.
    pub b: String,
    /// Finished games.
    pub games: u32,
    /// Games that A won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that A lost.
    pub losses: u32,
    /// A's games as Black.
    pub as_black: Counts,
    /// A's games as White.
    pub as_white: Counts,
    /// Finished pairs by A's points: 0, ½, 1, 1½, 2.
    pub pentanomial: [u32; 5],
    /// A's mean score in `[0, 1]` over all games, draws half.
    pub score: Option<f64>,
    /// Elo difference, from the pairs.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub elo_high: Option<f64>,
    /// Likelihood in `[0, 1]` that A is the stronger, from the pairs.
    pub los: Option<f64>,
    /// Normalized Elo: the mean in units of the spread of single games, from the pairs.
    pub normalized_elo: Option<f64>,
    /// Share of draws in `[0, 1]`.
    pub draw_share: Option<f64>,
    /// Mean length of the games in plies, openings included.
    pub mean_plies: Option<f64>,
    /// Games by the reason of their end.
    pub by_reason: BTreeMap<String, u32>,
    /// The same by A's result.
    pub reasons: BTreeMap<String, Counts>,
    /// The sequential test, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
}

/// A sequential test as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SprtReport {
    /// What is tested.
    pub test: Sprt,
    /// Log likelihood ratio of `elo1` to `elo0`.
    pub llr: f64,
    /// Ratio at which `elo0` is accepted.
    pub lower: f64,
    /// Ratio at which `elo1` is accepted.
    pub upper: f64,
    /// The verdict; `None` while the test goes on.
    pub verdict: Option<Verdict>,
}

impl MatchReport {
    /// From the games finished so far, by number; game `2k` and `2k + 1` are a pair.
    pub fn new(a: &str, b: &str, results: &[Option<GameScore>]) -> MatchReport {
        let mut total = Counts::default();
        let mut by_colour = [Counts::default(); 2];
        let mut by_reason = BTreeMap::new();
        let mut reasons: BTreeMap<String, Counts> = BTreeMap::new();
        let mut plies = 0;
        for result in results.iter().flatten() {
            total.add(result.half_points);
            by_colour[result.black.index()].add(result.half_points);
            *by_reason.entry(result.reason.clone()).or_insert(0) += 1;
            let counts = reasons.entry(result.reason.clone()).or_default();
            counts.add(result.half_points);
            plies += u64::from(result.plies);
        }
        let mut pentanomial = [0; 5];
        for pair in results.chunks(2) {
            if let [Some(first), Some(second)] = pair {
                pentanomial[(first.half_points + second.half_points) as usize] += 1;
            }
        }
        let games = total.wins + total.draws + total.losses;
        let pairs = Estimate::of_pairs(&pentanomial);
        MatchReport {
            schema: SCHEMA,
            a: a.to_owned(),
            b: b.to_owned(),
            games,
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
            as_black: by_colour[Seat::A.index()],
            as_white: by_colour[Seat::B.index()],
            pentanomial,
            score: Estimate::of_games(total.wins, total.draws, total.losses)
                .map(|estimate| estimate.score),
            elo: pairs.and_then(|estimate| finite(estimate.elo)),
            elo_low: pairs.and_then(|estimate| finite(estimate.elo_low)),
            elo_high: pairs.and_then(|estimate| finite(estimate.elo_high)),
            los: pairs.map(|estimate| estimate.los),
            normalized_elo: pairs.and_then(|estimate| estimate.normalized_elo),
            draw_share: (games > 0).then(|| f64::from(total.draws) / f64::from(games)),
            mean_plies: (games > 0).then(|| plies as f64 / f64::from(games)),
            by_reason,
            reasons,
            sprt: None,
        }
    }

    /// With what `test` says about the pairs.
    #[must_use]
    pub fn judged_by(self, test: &Sprt) -> MatchReport {
        let (lower, upper) = test.bounds();
        let sprt = SprtReport {
            test: *test,
            llr: test.llr(&self.pentanomial),
            lower,
            upper,
            verdict: test.decide(&self.pentanomial),
        };
        MatchReport {
            sprt: Some(sprt),
            ..self
        }
    }

    /// Results by side and by reason, a line each; every line ends with a newline.
    pub fn details(&self) -> String {
        let counts = |counts: &Counts| {
            let Counts {
                wins,
                draws,
                losses,
            } = counts;
            format!("+{wins} ={draws} -{losses}")
        };
        let mut rows = vec![
            ("as Black", counts(&self.as_black)),
            ("as White", counts(&self.as_white)),
        ];
        rows.extend(
            self.reasons
                .iter()
                .map(|(reason, by_result)| (reason.as_str(), counts(by_result))),
        );
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let line = |(name, counts): &(&str, String)| format!("  {name:<width$}  {counts}\n");
        rows.iter().map(line).collect()
    }

    /// Everything on one line, to paste.
    pub fn summary(&self) -> String {
        let interval = match (self.elo_low, self.elo_high) {
            (None, None) => String::new(),
            (low, high) => {
                let end = |elo: Option<f64>, unknown: &str| {
                    elo.map_or(unknown.to_owned(), |elo| format!("{elo:+.0}"))
                };
                format!(" [{}, {}]", end(low, "-inf"), end(high, "+inf"))
            }
        };
        let elo = self.elo.map_or(DASH.to_owned(), |elo| format!("{elo:+.0}"));
        let percent = |share: Option<f64>| {
            share.map_or(DASH.to_owned(), |share| format!("{:.1} %", 100.0 * share))
        };
        let pairs = self.pentanomial.map(|n| n.to_string()).join(" ");
        let mut text = format!(
            "{} - {}: +{} ={} -{}, {}, Elo {elo}{interval}, LOS {}, pairs [{pairs}]",
            self.a,
            self.b,
            self.wins,
            self.draws,
            self.losses,
            percent(self.score),
            percent(self.los),
        );
        if let Some(sprt) = &self.sprt {
            let _ = write!(text, ", {sprt}");
        }
        text
    }

    fn elo_text(&self) -> String {
        let Some(elo) = self.elo else {
            return DASH.to_owned();
        };
        match (self.elo_low, self.elo_high) {
            (Some(low), Some(high)) => format!("{elo:+.0} ± {:.0}", (high - low) / 2.0),
            _ => format!("{elo:+.0} ± {DASH}"),
        }
    }

    /// Reasons by falling frequency, the three most frequent.
    fn reasons_text(&self) -> String {
        let mut reasons: Vec<(&str, u32)> = self
            .by_reason
            .iter()
            .map(|(reason, &n)| (reason.as_str(), n))
            .collect();
        reasons.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        let shown: Vec<String> = reasons
            .iter()
            .take(3)
            .map(|(reason, n)| format!("{reason} {n}"))
            .collect();
        shown.join(", ")
    }

    fn cells(&self) -> [String; 7] {
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| DASH.to_owned());
        [
            self.b.clone(),
            self.games.to_string(),
            format!("{}-{}-{}", self.wins, self.draws, self.losses),
            or_dash(self.score.map(|score| format!("{:.1} %", 100.0 * score))),
            self.elo_text(),
            or_dash(self.mean_plies.map(|plies| format!("{plies:.0}"))),
            self.reasons_text(),
        ]
    }
}

impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, .. } = self.test;
        write!(
            f,
            "SPRT [{elo0}, {elo1}] LLR {:.2} ({:.2}, {:.2}) {}",
            self.llr,
            self.lower,
            self.upper,
            match self.verdict {
                None => "goes on",
                Some(Verdict::Accepted) => "accepted",
                Some(Verdict::Rejected) => "rejected",
            }
        )
    }
}

/// Stands for an undefined value in a table.
const DASH: &str = "–";

const HEADINGS: [&str; 7] = [
    "opponent", "games", "W-D-L", "score", "Elo", "plies", "ended by",
];

/// One line per report, in aligned columns under a line of headings: A's results against several
/// opponents. Lines end with a newline.
pub fn table(reports: &[MatchReport]) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(reports.iter().map(MatchReport::cells));
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Words to the left, numbers to the right.
            let written = match column {
                0 => write!(line, "{cell:<width$}"),
                6 => write!(line, "  {cell}"),
                _ => write!(line, "  {cell:>width$}"),
            };
            written.expect("writing to a string does not fail");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

impl fmt::Display for MatchReport {
    /// The table of this one match.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&table(std::slice::from_ref(self)))
    }
}

#[cfg(test)]
mod tests;
