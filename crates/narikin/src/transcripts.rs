//! Files of games that other programs read: `games.csa` for servers and viewers, `games.pgn` for
//! programs that make rating lists, `kif/` for people.

use std::fs;
use std::path::Path;

use anyhow::Context;
use arena::{Heading, StoredGame};
use kifu::{CsaVersion, Encoding, Format, GameWriter};
use model::write_whole;

/// Writes `games` into the folder `path`, one file for each of `formats`, or a folder of files where
/// a format holds one game. Repetitions that were replayed are among the games of viewers, but not
/// of rating programs.
///
/// # Errors
///
/// If a stored game is none, or a file cannot be written.
pub fn write_games<'a>(
    path: &Path,
    formats: &[RecordFormat],
    games: impl Iterator<Item = (&'a StoredGame, Heading)> + Clone,
) -> anyhow::Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))?;
    for format in formats {
        match format {
            RecordFormat::Csa => {
                let csa = Format::Csa(CsaVersion::V30);
                write_whole(&path.join("games.csa"), &joined(csa, games.clone())?)?;
            }
            RecordFormat::Pgn => {
                let results = games.clone().filter(|(game, _)| !game.replayed);
                write_whole(&path.join("games.pgn"), &joined(Format::Pgn, results)?)?;
            }
            RecordFormat::Kif => write_kif(&path.join("kif"), games.clone())?,
        }
    }
    Ok(())
}

/// A format in which games are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RecordFormat {
    /// All games in games.csa (CSA V3.0, UTF-8), with scores and times.
    Csa,
    /// All games in games.pgn, for programs that make rating lists.
    Pgn,
    /// One file each in kif/ (UTF-8).
    Kif,
}

fn joined<'a>(
    format: Format,
    games: impl Iterator<Item = (&'a StoredGame, Heading)>,
) -> anyhow::Result<Vec<u8>> {
    let mut writer = GameWriter::new(Vec::new(), format, Encoding::Utf8);
    for (game, heading) in games {
        writer.write(&arena::record(game, &heading)?)?;
    }
    Ok(writer.into_inner())
}

fn write_kif<'a>(
    folder: &Path,
    games: impl Iterator<Item = (&'a StoredGame, Heading)>,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (number, (game, heading)) in (1..).zip(games) {
        let record = arena::record(game, &heading)?;
        let bytes = kifu::write(&record, Format::Kif, Encoding::Utf8)?;
        write_whole(&folder.join(format!("{number:05}.kifu")), &bytes)?;
    }
    Ok(())
}
