//! A folder that keeps the games of a match, so that a match that was broken off goes on.
//!
//! ```text
//! match.json     what is played; written before anything else
//! games.jsonl    one line per finished game
//! report.json    the result; this and the next are written when the match is over or interrupted
//! games.csa      the games for other programs; see `transcripts`
//! games.pgn
//! lock           held by the one process that may write here
//! ```

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arena::stats::sprt::Sprt;
use arena::{GameScore, MatchOptions, MatchReport, StoredGame};
use model::write_whole;
use serde::{Deserialize, Serialize};

use crate::contest::Contestant;
use crate::exit::Refuse;
use crate::journal::{Journal, read_journal};
use crate::report::events::unix_time_s;
use crate::run_folder::lock;

/// The version of `match.json`.
const FORMAT: u32 = 1;

/// `match.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    format: u32,
    a: String,
    b: String,
    options: MatchOptions,
    sprt: Option<Sprt>,
}

/// An open folder of a match.
#[derive(Debug)]
pub struct MatchFolder {
    path: PathBuf,
    games: Journal<StoredGame>,
    /// Unlocked by the system when the process ends, however it ends.
    _lock: File,
}

impl Description {
    /// What `a` and `b` play.
    pub fn new(
        a: &Contestant,
        b: &Contestant,
        options: &MatchOptions,
        sprt: Option<Sprt>,
    ) -> Description {
        Description {
            format: FORMAT,
            a: a.words.clone(),
            b: b.words.clone(),
            options: options.clone(),
            sprt,
        }
    }

    /// What must not change when a match goes on: all but its length and its speed.
    fn fixed(&self) -> Description {
        let options = MatchOptions {
            games: 2,
            parallel_games: 1,
            ..self.options.clone()
        };
        Description {
            options,
            sprt: None,
            ..self.clone()
        }
    }
}

impl MatchFolder {
    /// Opens the match in `path`, creating it if it is absent; returns the games that are finished.
    ///
    /// # Errors
    ///
    /// If another match lies there (exit code 3), another process is at it, or the folder cannot be
    /// read or written.
    pub fn open(
        path: &Path,
        description: &Description,
    ) -> anyhow::Result<(MatchFolder, Vec<(u32, GameScore)>)> {
        fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))?;
        let lock = lock(path)?;
        let file = path.join("match.json");
        if file.exists() {
            check_same(&file, description).refused()?;
        }
        let text = serde_json::to_string_pretty(description)?;
        write_whole(&file, text.as_bytes())?;
        let games = path.join("games.jsonl");
        let finished = read_games(&games).refused()?;
        let scores = finished
            .iter()
            .filter(|game| !game.replayed)
            .map(|game| (game.game, game.score()))
            .collect();
        let folder = MatchFolder {
            path: path.to_owned(),
            games: Journal::open(&games)?,
            _lock: lock,
        };
        Ok((folder, scores))
    }

    /// Keeps a finished game, with the time of day.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn keep(&mut self, game: &StoredGame) -> anyhow::Result<()> {
        let dated = StoredGame {
            ended_s: Some(unix_time_s()),
            ..game.clone()
        };
        Ok(self.games.append(&dated)?)
    }

    /// Keeps the result.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn keep_report(&self, report: &MatchReport) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(report)?;
        Ok(write_whole(
            &self.path.join("report.json"),
            text.as_bytes(),
        )?)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All games that are kept, in the order in which they ended.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn games(&self) -> anyhow::Result<Vec<StoredGame>> {
        read_games(&self.path.join("games.jsonl"))
    }
}

fn read_games(path: &Path) -> anyhow::Result<Vec<StoredGame>> {
    Ok(read_journal(path, "a game")?)
}

fn check_same(file: &Path, description: &Description) -> anyhow::Result<()> {
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let stored: Description =
        serde_json::from_slice(&text).with_context(|| file.display().to_string())?;
    if stored.format != FORMAT {
        bail!(
            "{} has format {}, this build reads {FORMAT}",
            file.display(),
            stored.format
        );
    }
    let (stored, given) = (stored.fixed(), description.fixed());
    let differs = [
        ("player A", stored.a != given.a),
        ("player B", stored.b != given.b),
        (
            "openings",
            stored.options.openings != given.options.openings,
        ),
        ("seed", stored.options.seed != given.options.seed),
        ("rules or adjudication", stored != given),
    ];
    match differs.iter().find(|(_, differs)| *differs) {
        Some((what, _)) => bail!(
            "{} is of another match ({what}): choose another folder, or the same settings",
            file.display()
        ),
        None => Ok(()),
    }
}

/// A name for files from any text: what is not a letter, a digit, a dot, or a dash is a dash, it
/// does not begin with a dot, and is not longer than 60 characters.
pub fn file_name(text: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' || c == '_' {
            c
        } else {
            '-'
        }
    };
    let name: String = text.chars().map(plain).collect();
    let name = name.trim_matches(['.', '-']);
    // The end of a path tells more than its beginning.
    let skipped = name.len().saturating_sub(60);
    let name = name[skipped..].trim_start_matches(['.', '-']);
    if name.is_empty() {
        "player".to_owned()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests;
