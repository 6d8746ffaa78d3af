//! `narikin status`: where does a run stand?

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use crate::config::Config;
use crate::exit::{self, Refuse};
use crate::history::{Ending, History};
use crate::output::{self, SCHEMA};
use crate::report::events::{
    Games, Learned, Measured, Progress, TrainerReport, read_events, unix_time_s,
};
use crate::report::terminal::clock;
use crate::run_folder::{self, RunFolderError};

/// Arguments of `narikin status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin status runs/quick

Reads the run folder and changes nothing; the run may be going on.

The JSON object: {schema, run, name, state: running, finished, interrupted or stopped (killed, or ended
by an error or a sentinel), starts, progress: {generation, steps, samples, games, elapsed_s}, budget,
seconds_left: null where nothing limits the run, told_s: seconds since it last said something, games,
learned: the newest reports as in events.jsonl, or null, measured: the newest measurement against each
opponent, fleet: what is known of workers on other machines, or null, warnings: [{sentinel, message}]}.")]
pub struct StatusArgs {
    /// Folder of the run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A run at this moment.
#[derive(Debug, Serialize)]
struct Status<'a> {
    schema: u32,
    run: &'a Path,
    name: String,
    state: State,
    starts: u32,
    progress: Progress,
    budget: String,
    seconds_left: Option<f64>,
    told_s: f64,
    games: Option<&'a Games>,
    learned: Option<&'a Learned>,
    measured: Vec<&'a Measured>,
    fleet: Option<&'a TrainerReport>,
    warnings: Vec<StandingWarning<'a>>,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    Running,
    Finished,
    Interrupted,
    Stopped,
}

#[derive(Debug, Serialize)]
struct StandingWarning<'a> {
    sentinel: &'a str,
    message: &'a str,
}

/// Prints where the run stands.
///
/// # Errors
///
/// If the folder is no run.
pub fn run(args: &StatusArgs) -> anyhow::Result<ExitCode> {
    let (config, history) = read(&args.run)?;
    let is_running = run_folder::is_locked(&args.run).refused()?;
    let status = Status::new(&args.run, &config, &history, is_running, unix_time_s());
    if args.json {
        output::print_json(&status)?;
    } else {
        output::print(status.text().trim_end())?;
    }
    Ok(exit::done())
}

/// The configuration and the history of the run in `folder`.
///
/// # Errors
///
/// If the folder is no run, or one of its files cannot be read.
pub fn read(folder: &Path) -> anyhow::Result<(Config, History)> {
    let config = folder.join("config.toml");
    if !config.is_file() {
        let path = folder.to_owned();
        return Err(RunFolderError::NoRun { path }).refused();
    }
    let config = Config::load(Some(&config), &[]).refused()?;
    let entries = read_events(&folder.join("events.jsonl")).refused()?;
    Ok((config, History::of(entries)))
}

impl<'a> Status<'a> {
    fn new(
        run: &'a Path,
        config: &Config,
        history: &'a History,
        is_running: bool,
        now_s: f64,
    ) -> Status<'a> {
        let state = match (is_running, history.ending) {
            (true, _) => State::Running,
            (false, Ending::Finished) => State::Finished,
            (false, Ending::Interrupted) => State::Interrupted,
            (false, Ending::None) => State::Stopped,
        };
        let warning =
            |(sentinel, message): (&'a String, &'a String)| StandingWarning { sentinel, message };
        Status {
            schema: SCHEMA,
            run,
            name: config.name.clone(),
            state,
            starts: history.starts,
            progress: history.progress,
            budget: config.budget.words(),
            seconds_left: config.budget.seconds_left(&history.progress),
            // The clock may have been set back since.
            told_s: (now_s - history.told_at_s).max(0.0),
            games: history.games.last().map(|point| &point.what),
            learned: history.learned.last().map(|point| &point.what),
            measured: history.newest_measured(),
            fleet: history.fleet.as_ref().map(|stands| &stands.trainer),
            warnings: history.standing.iter().map(warning).collect(),
        }
    }

    fn text(&self) -> String {
        let state = match self.state {
            State::Running => "running",
            State::Finished => "finished",
            State::Interrupted => "interrupted; start it again to go on",
            State::Stopped => "not running; start it again to go on",
        };
        let Progress {
            generation,
            steps,
            samples,
            games,
            elapsed_s,
        } = self.progress;
        let left = match self.seconds_left {
            Some(left) => format!("{} left at this pace", clock(left)),
            None => "no end in sight".to_owned(),
        };
        let mut text = format!(
            "run       {} in {}: {state}\n\
             time      {} spent of {}, {left}; last heard of {} ago\n",
            self.name,
            self.run.display(),
            clock(elapsed_s),
            self.budget,
            clock(self.told_s),
        );
        let _ = writeln!(
            text,
            "games     {games}{}",
            self.games.map_or(String::new(), games_words)
        );
        let _ = writeln!(
            text,
            "samples   {samples} in {steps} steps{}",
            self.learned.map_or(String::new(), learned_words)
        );
        let _ = writeln!(text, "net       {generation}");
        if let Some(fleet) = self.fleet {
            let _ = writeln!(text, "fleet     {}", fleet_words(fleet));
        }
        for measured in &self.measured {
            let _ = writeln!(text, "rating    {}", rating_words(measured));
        }
        match self.warnings.as_slice() {
            [] => text.push_str("warnings  none\n"),
            warnings => {
                for StandingWarning { sentinel, message } in warnings {
                    let _ = writeln!(text, "warning   {sentinel}: {message}");
                }
            }
        }
        text
    }
}

#[cfg(not(feature = "fleet"))]
fn fleet_words(fleet: &TrainerReport) -> String {
    fleet.to_string()
}

#[cfg(feature = "fleet")]
fn fleet_words(fleet: &TrainerReport) -> String {
    let TrainerReport {
        workers,
        games,
        games_per_s,
        waiting_messages,
        refused,
        connected,
        ..
    } = fleet;
    let refused: u64 = refused.values().sum();
    let away = if *connected {
        ""
    } else {
        "; the broker was away"
    };
    format!(
        "{workers} workers, {games} games of theirs ({games_per_s:.1}/s), {waiting_messages} messages wait, \
         {refused} refused{away}"
    )
}

fn games_words(games: &Games) -> String {
    format!(
        " ({:.0} plies, {:.1} % draws; {:.1} games/s, {:.0} evaluations/s)",
        games.plies.mean(),
        100.0 * games.draw_share,
        games.games_per_s,
        games.evals_per_s,
    )
}

fn learned_words(learned: &Learned) -> String {
    let unseen = learned
        .unseen_value_loss
        .map_or(String::new(), |loss| format!(", unseen {loss:.3}"));
    format!(
        " ({:.0} samples/s, each position {:.1} times; policy {:.3} of at best {:.3}, value {:.3}{unseen})",
        learned.samples_per_s,
        learned.reuse,
        learned.policy_loss,
        learned.policy_target_entropy,
        learned.value_loss,
    )
}

/// A measurement in words.
pub fn rating_words(measured: &Measured) -> String {
    let Measured {
        generation,
        opponent,
        games,
        elo,
        elo_low,
        elo_high,
        ..
    } = measured;
    let end =
        |elo: &Option<f64>, none: &str| elo.map_or(none.to_owned(), |elo| format!("{elo:+.0}"));
    format!(
        "net {generation} against {opponent}: {:.1} % of {games} games, Elo {} [{}, {}]",
        100.0 * measured.score(),
        end(elo, "–"),
        end(elo_low, "–∞"),
        end(elo_high, "+∞"),
    )
}

#[cfg(test)]
mod tests;
