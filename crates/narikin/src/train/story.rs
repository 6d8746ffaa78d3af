//! What a run tells: each event goes to the log first, then to the views of it.

use std::time::Duration;

use crate::config::Config;
use crate::report::events::{Event, EventLog, Games, Learned, Measured, Progress};
use crate::report::tensorboard::TensorBoard;
use crate::report::terminal::{BudgetLine, clock};
use crate::run_folder::RunFolder;

/// The log of a run and its views.
pub struct Story {
    log: EventLog,
    curves: TensorBoard,
    line: BudgetLine,
    /// What a new run is introduced with.
    introduction: String,
    /// The newest words about playing and learning.
    games: String,
    learned: String,
}

impl Story {
    /// Opens the log of the run.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn open(folder: &RunFolder, config: &Config) -> anyhow::Result<Story> {
        let budget = Duration::from_secs_f64(60.0 * config.budget.minutes);
        Ok(Story {
            log: EventLog::open(&folder.events_file())?,
            curves: TensorBoard::create(&folder.tensorboard()),
            line: BudgetLine::new("train", budget),
            introduction: format!(
                "a new run in {}: {} blocks of {} channels, {} to train",
                folder.path().display(),
                config.net.blocks,
                config.net.channels,
                clock(budget.as_secs_f64()),
            ),
            games: String::new(),
            learned: String::new(),
        })
    }

    /// Logs an event and shows it in all views.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    pub fn tell(&mut self, event: Event) -> anyhow::Result<()> {
        let entry = self.log.append(event)?;
        self.curves.show(&entry.event);
        match &entry.event {
            Event::Games(games) => self.games = games_words(games),
            Event::Learned(learned) => self.learned = learned_words(learned),
            Event::Measured(measured) => self.line.note(&measured_words(measured)),
            Event::Started(started) if started.resumed || started.progress.games > 0 => {
                let Progress {
                    games,
                    generation,
                    elapsed_s,
                    ..
                } = started.progress;
                self.line.note(&format!(
                    "continuing after {}: {games} games, net {generation}",
                    clock(elapsed_s)
                ));
            }
            Event::Started(_) => self.line.note(&self.introduction),
            Event::Warning(warning) => self.line.note(&format!("warning: {}", warning.message)),
            _ => {}
        }
        Ok(())
    }

    /// Shows where the run stands.
    pub fn show(&mut self, progress: &Progress) {
        let words = format!(
            "net {}, {}{}",
            progress.generation, self.games, self.learned
        );
        self.line
            .show(Duration::from_secs_f64(progress.elapsed_s), &words);
    }
}

fn games_words(games: &Games) -> String {
    format!(
        "{} games ({:.0} plies, {:.0} % draws, {:.0} evals/s)",
        games.total_games,
        games.plies.mean(),
        100.0 * games.draw_share,
        games.evals_per_s,
    )
}

fn learned_words(learned: &Learned) -> String {
    let unseen = learned
        .unseen_value_loss
        .map_or(String::new(), |loss| format!(" / {loss:.3}"));
    format!(
        ", policy {:.3} (target {:.3}), value {:.3}{unseen} unseen, {:.0} samples/s, reuse {:.1}",
        learned.policy_loss,
        learned.policy_target_entropy,
        learned.value_loss,
        learned.samples_per_s,
        learned.reuse,
    )
}

fn measured_words(measured: &Measured) -> String {
    let Measured {
        generation,
        opponent,
        games,
        wins,
        draws,
        losses,
        ..
    } = measured;
    let score = 100.0 * measured.score();
    format!(
        "net {generation} against {opponent}: {score:.1} % of {games} games \
         ({wins} won, {draws} drawn, {losses} lost)"
    )
}
