//! `narikin report`: a page about a run.

mod charts;
mod games;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use arena::page::Page;
use model::write_whole;

use super::status;
use crate::config::Config;
use crate::exit;
use crate::history::History;
use crate::report::terminal::{clock, note};

/// Arguments of `narikin report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin report runs/quick --html quick.html

The page is one file without anything from elsewhere, light or dark as the reader's system is: curves,
health with what is usual, settings, and training games on a board, the newest ones or, with --stages,
some from all of the run, with the search's policy and value at every move. The run may be going on.")]
pub struct ReportArgs {
    /// Folder of the run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// File to write [default: report.html in the run folder]
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Games to show: the newest
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub games: u32,
    /// Show games of all stages of the run instead, from the first to the newest
    #[arg(long)]
    pub stages: bool,
}

/// Writes the page.
///
/// # Errors
///
/// If the folder is no run, or the file cannot be written.
pub fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let (config, history) = status::read(&args.run)?;
    let choose = if args.stages {
        games::of_all_stages
    } else {
        games::newest
    };
    let games = choose(&args.run.join("games"), args.games as usize)?;
    let file = args.html.clone().unwrap_or(args.run.join("report.html"));
    let page = Page {
        games,
        ..page(&config, &history)
    };
    write_whole(&file, page.html().as_bytes())?;
    note(&format!("wrote {}", file.display()));
    Ok(exit::done())
}

/// The page without its games.
fn page(config: &Config, history: &History) -> Page {
    let progress = history.progress;
    let mut notes = vec![format!(
        "{} spent of {}: {} games, {} training rows in {} steps, {} nets. Started {}.",
        clock(progress.elapsed_s),
        config.budget.words(),
        progress.games,
        progress.samples,
        progress.steps,
        progress.generation,
        match history.starts {
            1 => "once".to_owned(),
            n => format!("{n} times"),
        },
    )];
    let newest = history.newest_measured();
    notes.extend(newest.into_iter().map(status::rating_words));
    let standing = history.standing.iter();
    Page {
        title: format!("Run {}", config.name),
        notes,
        warnings: standing
            .map(|(sentinel, message)| format!("{sentinel}: {message}"))
            .collect(),
        charts: charts::charts(history),
        tables: tables::tables(config, history),
        ..Page::default()
    }
}

#[cfg(test)]
mod tests;
