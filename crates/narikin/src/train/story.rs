//! What a run tells: each event goes to the log first, then to the views of it.

use std::time::Duration;

use anyhow::Context;
use fleet::TrainerReport;

use crate::config::Config;
use crate::exit::Refuse;
use crate::report::events::{
    Entry, Event, EventLog, Games, Gated, Learned, Measured, Progress, Warning, elapsed_s,
    read_events,
};
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
    learned_words: String,
    fleet_words: String,
    learned: Option<Learned>,
    /// All measurements against `greedy`, of earlier starts too.
    measured: Vec<Measured>,
    /// The newest report of the fleet, of an earlier start perhaps.
    fleet: Option<TrainerReport>,
    /// Time that earlier starts spent.
    earlier: Duration,
}

impl Story {
    /// Opens the log of the run.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub fn open(folder: &RunFolder, config: &Config) -> anyhow::Result<Story> {
        let log = EventLog::open(&folder.events_file())?;
        let told = read_events(&folder.events_file()).refused()?;
        let curves = TensorBoard::create(&folder.tensorboard())
            .with_context(|| format!("cannot write to {}", folder.tensorboard().display()))?;
        let against_greedy = |entry: &Entry| match &entry.event {
            Event::Measured(measured) if measured.opponent == GREEDY => Some(measured.clone()),
            _ => None,
        };
        let fleet = |entry: &Entry| match &entry.event {
            Event::Fleet(stands) => Some(stands.trainer.clone()),
            _ => None,
        };
        Ok(Story {
            log,
            curves,
            line: BudgetLine::new("train", config.budget.clone()),
            introduction: format!(
                "a new run in {}: {} blocks of {} channels, {} to train",
                folder.path().display(),
                config.net.blocks,
                config.net.channels,
                config.budget.words(),
            ),
            games: String::new(),
            learned_words: String::new(),
            fleet_words: String::new(),
            learned: None,
            measured: told.iter().filter_map(against_greedy).collect(),
            fleet: told.iter().rev().find_map(fleet),
            earlier: Duration::try_from_secs_f64(elapsed_s(&told)).unwrap_or_default(),
        })
    }

    /// Time that earlier starts of the run spent.
    pub fn earlier(&self) -> Duration {
        self.earlier
    }

    /// The newest report of the fleet, of earlier starts too.
    pub fn fleet(&self) -> Option<&TrainerReport> {
        self.fleet.as_ref()
    }

    /// The newest report of the learner in this process.
    pub fn learned(&self) -> Option<&Learned> {
        self.learned.as_ref()
    }

    /// All measurements against `greedy`, oldest first.
    pub fn measured(&self) -> &[Measured] {
        &self.measured
    }

    /// The newest of them: the lower end of its interval, in Elo.
    pub fn elo(&self) -> Option<f64> {
        self.measured.last().and_then(|measured| measured.elo_low)
    }

    /// Logs an event and shows it in all views.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    pub fn tell(&mut self, event: Event) -> anyhow::Result<()> {
        let entry = self.log.append(event)?;
        self.curves.show(&entry.event);
        match entry.event {
            Event::Games(games) => self.games = games_words(&games),
            Event::Learned(learned) => {
                self.learned_words = learned_words(&learned);
                self.learned = Some(learned);
            }
            Event::Measured(measured) => {
                self.line.note(&measured_words(&measured));
                if measured.opponent == GREEDY {
                    self.measured.push(measured);
                }
            }
            Event::Gated(gated) => self.line.note(&gated_words(&gated)),
            Event::Fleet(stands) => {
                self.fleet_words = fleet_words(&stands.trainer);
                self.fleet = Some(stands.trainer);
            }
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
            Event::Warning(Warning { message, over, .. }) if !over => {
                self.line.note(&format!("warning: {message}"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Shows where the run stands.
    pub fn show(&mut self, progress: &Progress) {
        let words = format!(
            "net {}, {}{}{}",
            progress.generation, self.games, self.learned_words, self.fleet_words
        );
        self.line.show(progress, &words);
    }
}

/// The player that runs are measured against.
const GREEDY: &str = "greedy";

fn gated_words(gated: &Gated) -> String {
    let Gated {
        generation,
        games,
        wins,
        draws,
        losses,
        accepted,
        ..
    } = gated;
    let verdict = if *accepted {
        "takes its place"
    } else {
        "is turned away"
    };
    format!(
        "a new net against net {generation}: {wins} won, {draws} drawn, {losses} lost of {games} games; it {verdict}"
    )
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

fn fleet_words(trainer: &TrainerReport) -> String {
    if !trainer.connected {
        return ", the broker is away".to_owned();
    }
    let refused: u64 = trainer.refused.values().sum();
    let refused = match refused {
        0 => String::new(),
        n => format!(", {n} refused"),
    };
    format!(
        ", {} workers ({:.1} games/s, {} messages wait{refused})",
        trainer.workers, trainer.games_per_s, trainer.waiting_messages
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
