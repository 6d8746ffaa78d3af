//! What shapes the games that a net learns from.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use rules::{DeclarationRule, Game, GameRules, Handicap, PlyLimitStyle, Position, SfenError};
use serde::{Deserialize, Serialize};

use crate::ResignOptions;

/// How training games are played, apart from the search itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayOptions {
    /// Games that one pool advances together, 1 to 4096: the largest batch it evaluates.
    pub games_at_once: u32,
    /// The game is a draw after this many plies, 1 to 10,000. Early nets play on for ever; 320
    /// cuts 5 % of random games that give mate in one.
    pub max_ply: u32,
    /// Whether the limit waits for the end of a chain of checks: `plain` or `jsa`.
    #[serde(with = "search::as_text")]
    pub max_ply_style: PlyLimitStyle,
    /// What an entered king can win: `27`, `24` (points), `try` or `none`. A net learns the rule
    /// that it plays by, so it should be the one of its later games.
    #[serde(with = "search::as_text")]
    pub declaration: DeclarationRule,
    /// Share of games that begin with random moves, from 0 to 1.
    pub random_opening_share: f32,
    /// The most random moves such a game begins with, at most 100 and less than `max_ply`: each
    /// number from 1 to this is as likely.
    pub random_opening_plies: u32,
    /// Plies (counted from the end of the opening) whose move is drawn from the search's policy;
    /// after them the search's best move is played. AlphaZero: 30.
    pub temperature_plies: u32,
    /// Exponent 1/temperature on the policy that a move is drawn from, above 0: below 1 sharpens.
    pub temperature: f32,
    /// The temperature at the end of the temperature plies, above 0, reached in equal steps;
    /// absent: the same all the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature_end: Option<f32>,
    /// Share of the moves, from 0 to 1, that a search of `fast_visits` visits without noise chooses.
    /// They teach no policy; their searches' values are recorded.
    pub fast_share: f32,
    /// Visits of a fast search, at least 1; where the search has no more than these, none is fast.
    pub fast_visits: u32,
    /// Whether a search goes on with the tree of the one before it.
    pub reuse_tree: bool,
    /// Memory for the network's answers, MiB for each thread, at most 65,536; 0 for none. The caller
    /// puts a [`search::EvalCache`] of this size around its evaluator. Where answers differ in
    /// their last bits between batch sizes, a game then depends on the games beside it.
    pub cache_mib: u32,
    /// Share of games, from 0 to 1, that begin with one of `starts`, each as likely.
    pub starts_share: f32,
    /// Positions that games can begin with, as SFEN.
    #[serde(with = "search::as_texts")]
    pub starts: Vec<Start>,
    /// A file of more of them, one a line: SFEN, or `startpos moves …`. Whoever reads the configuration
    /// puts them into `starts` and forgets the file, so that a run's own configuration holds all that
    /// its games began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts_file: Option<PathBuf>,
    /// Share of games, from 0 to 1, that begin with one of `handicaps`, each as likely.
    pub handicap_share: f32,
    /// Handicaps, by their names: `lance-left`, `two-piece`, ...
    #[serde(with = "search::as_texts")]
    pub handicaps: Vec<Handicap>,
    /// Share of games, from 0 to 1, that begin with a position from late in an earlier game that
    /// somebody won. As long as there is none, the start is the even one.
    pub late_start_share: f32,
    /// Such a position lies at least this many plies before the end of its game, at least 1, ...
    pub late_start_nearest: u32,
    /// ... and at most this many.
    pub late_start_farthest: u32,
    /// When a hopeless side resigns; absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignOptions>,
}

/// A position that games can begin with; its text is SFEN.
#[derive(Debug, Clone, PartialEq)]
pub struct Start(pub Position);

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Start {
    type Err = SfenError;

    fn from_str(sfen: &str) -> Result<Start, SfenError> {
        Position::from_sfen(sfen).map(Start)
    }
}

impl Default for SelfPlayOptions {
    fn default() -> SelfPlayOptions {
        SelfPlayOptions {
            games_at_once: 64,
            max_ply: 320,
            max_ply_style: PlyLimitStyle::Plain,
            declaration: DeclarationRule::Points27,
            random_opening_share: 0.3,
            random_opening_plies: 8,
            temperature_plies: 30,
            temperature: 1.0,
            temperature_end: None,
            fast_share: 0.0,
            fast_visits: 8,
            reuse_tree: false,
            cache_mib: 0,
            starts_share: 0.0,
            starts: Vec::new(),
            starts_file: None,
            handicap_share: 0.0,
            handicaps: Vec::new(),
            late_start_share: 0.0,
            late_start_nearest: 5,
            late_start_farthest: 60,
            resign: None,
        }
    }
}

impl SelfPlayOptions {
    /// The rules of training games.
    pub fn rules(&self) -> GameRules {
        GameRules {
            declaration: self.declaration,
            max_ply: Some(self.max_ply),
            max_ply_style: self.max_ply_style,
            ..GameRules::default()
        }
    }

    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        whole("games_at_once", self.games_at_once, 1, 4096)?;
        whole("max_ply", self.max_ply, 1, 10_000)?;
        let most = (self.max_ply - 1).min(100);
        whole("random_opening_plies", self.random_opening_plies, 0, most)?;
        share("random_opening_share", self.random_opening_share)?;
        above_zero("temperature", self.temperature)?;
        if let Some(end) = self.temperature_end {
            above_zero("temperature_end", end)?;
        }
        share("fast_share", self.fast_share)?;
        whole("fast_visits", self.fast_visits, 1, 1_000_000)?;
        whole("cache_mib", self.cache_mib, 0, 65_536)?;
        self.check_starts()?;
        self.resign.as_ref().map_or(Ok(()), ResignOptions::check)
    }

    fn check_starts(&self) -> Result<(), (&'static str, String)> {
        share("starts_share", self.starts_share)?;
        share("handicap_share", self.handicap_share)?;
        share("late_start_share", self.late_start_share)?;
        let sum = self.starts_share + self.handicap_share + self.late_start_share;
        if sum > 1.0 {
            let message = "expected no more than 1 together with starts_share and handicap_share";
            return Err((
                "late_start_share",
                format!("{}: {message}", self.late_start_share),
            ));
        }
        for (key, share, list, n) in [
            (
                "starts_share",
                self.starts_share,
                "starts",
                self.starts.len(),
            ),
            (
                "handicap_share",
                self.handicap_share,
                "handicaps",
                self.handicaps.len(),
            ),
        ] {
            if share > 0.0 && n == 0 {
                return Err((key, format!("{share}: expected 0, as {list} is empty")));
            }
        }
        for Start(position) in &self.starts {
            let game = Game::new(position.clone(), self.rules());
            if let Some(outcome) = game.outcome() {
                let reason = outcome.reason.as_str();
                let message = format!("{position}: expected a game that goes on, found {reason}");
                return Err(("starts", message));
            }
        }
        whole("late_start_nearest", self.late_start_nearest, 1, 10_000)?;
        let nearest = self.late_start_nearest;
        whole(
            "late_start_farthest",
            self.late_start_farthest,
            nearest,
            10_000,
        )
    }

    /// The temperature of a move that is drawn, `ply` plies after the end of the opening; `None`
    /// where the best move is played.
    pub(crate) fn temperature_at(&self, ply: usize) -> Option<f32> {
        let n_plies = self.temperature_plies as usize;
        (ply < n_plies).then(|| match self.temperature_end {
            None => self.temperature,
            Some(end) => {
                let passed = ply as f32 / n_plies as f32;
                self.temperature + (end - self.temperature) * passed
            }
        })
    }
}

fn whole(key: &'static str, found: u32, low: u32, high: u32) -> Result<(), (&'static str, String)> {
    let fits = (low..=high).contains(&found);
    let message = || format!("{found}: expected a whole number from {low} to {high}");
    if fits { Ok(()) } else { Err((key, message())) }
}

pub(crate) fn share(key: &'static str, found: f32) -> Result<(), (&'static str, String)> {
    let fits = (0.0..=1.0).contains(&found);
    let message = || format!("{found}: expected a number from 0 to 1");
    if fits { Ok(()) } else { Err((key, message())) }
}

fn above_zero(key: &'static str, found: f32) -> Result<(), (&'static str, String)> {
    let fits = found > 0.0 && found.is_finite();
    let message = || format!("{found}: expected a number above 0");
    if fits { Ok(()) } else { Err((key, message())) }
}

#[cfg(test)]
mod tests;
