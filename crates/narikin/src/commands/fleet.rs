//! `narikin fleet`: the workers of a run, and the run at the broker.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::ValueEnum;
use fleet::{Broker, FleetError, FleetStatus, MatchStatus, RunName, TrainerReport, WorkerReport};
use serde::Serialize;

use crate::exit::{self, Refuse};
use crate::output::{self, SCHEMA};
use crate::report::terminal::clock;
use crate::wire::broker::BrokerArgs;

/// Arguments of `narikin fleet`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin fleet status --broker nats://trainer.example:4222
         narikin fleet remove --broker nats://trainer.example:4222 --run old

`remove` takes everything that the broker holds of a run away: orders, nets, and games that the trainer
has not taken. The run folder stays as it is, and `narikin train --broker` opens the run again.

The JSON object: {schema, runs: the names that the broker has, status: {card, order, trainer: as in
events.jsonl, or null where it is away, workers: {number: {label, program, state, threads, generation,
seconds, games, plies, evaluations, games_per_s, waiting_chunks, waiting_bytes, sent_chunks,
lost_games, pairs}}, waiting_messages, waiting_bytes}, pairs: {waiting, in_play, results}: of
`narikin rate --broker`}.")]
pub struct FleetArgs {
    /// What to do
    #[arg(value_name = "ACTION")]
    pub action: Action,
    /// The broker
    #[command(flatten)]
    pub broker: BrokerArgs,
    /// Name of the run [default: the only one at the broker]
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Action {
    /// Show workers, rates, games that wait, the current net, and games refused by reason
    Status,
    /// Take a run off the broker
    Remove,
}

/// What `status --json` prints.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    schema: u32,
    runs: Vec<String>,
    status: Option<&'a FleetStatus>,
    pairs: MatchStatus,
}

/// Shows or removes a run.
///
/// # Errors
///
/// If the broker cannot be reached, or there is no such run.
pub fn run(args: &FleetArgs) -> anyhow::Result<ExitCode> {
    let broker = args.broker.connect_at_once("narikin fleet")?;
    let runs = fleet::runs(&broker)?;
    let name = match &args.run {
        Some(text) => Some(named(text, &runs)?),
        None => only(&runs)?,
    };
    match args.action {
        Action::Status => show(&broker, &runs, name.as_ref(), args.json)?,
        Action::Remove => {
            let runs = Vec::new();
            let name = name.ok_or(FleetError::WhichRun { runs }).refused()?;
            FleetStatus::remove(&broker, &name)?;
            output::print(&format!("run {name} is no more at {}", broker.address()))?;
        }
    }
    Ok(exit::done())
}

fn named(text: &str, runs: &[RunName]) -> anyhow::Result<RunName> {
    let found = runs.iter().find(|run| run.to_string() == text).cloned();
    let no_run = || FleetError::NoRun {
        name: text.to_owned(),
        others: runs.iter().map(RunName::to_string).collect(),
    };
    found.ok_or_else(no_run).refused()
}

/// The run that is meant where none is named; `None` if there is none at all.
fn only(runs: &[RunName]) -> anyhow::Result<Option<RunName>> {
    match runs {
        [] => Ok(None),
        [only] => Ok(Some(only.clone())),
        runs => {
            let runs = runs.iter().map(RunName::to_string).collect();
            Err(FleetError::WhichRun { runs }).refused()
        }
    }
}

fn show(
    broker: &Broker,
    runs: &[RunName],
    name: Option<&RunName>,
    json: bool,
) -> anyhow::Result<()> {
    let status = name.map(|name| FleetStatus::read(broker, name));
    let status = status.transpose()?;
    let pairs = MatchStatus::read(broker)?;
    if json {
        return output::print_json(&Printed {
            schema: SCHEMA,
            runs: runs.iter().map(RunName::to_string).collect(),
            status: status.as_ref(),
            pairs,
        });
    }
    let mut words = match status {
        None => "no run at this broker\n".to_owned(),
        Some(status) => text(&status),
    };
    if pairs != MatchStatus::default() {
        let MatchStatus {
            waiting,
            in_play,
            results,
        } = pairs;
        let _ = writeln!(
            words,
            "matches   {waiting} pairs wait, {in_play} in play, {results} results wait"
        );
    }
    output::print(words.trim_end())
}

fn text(status: &FleetStatus) -> String {
    let FleetStatus {
        card,
        order,
        trainer,
        workers,
        waiting_messages,
        waiting_bytes,
    } = status;
    let mut text = format!("run       {} (narikin {})\n", card.name, card.program);
    let net = match order {
        None => "none ordered yet".to_owned(),
        Some(order) if order.playing => order.generation.to_string(),
        Some(order) => format!("{}; the run is finished, workers rest", order.generation),
    };
    let _ = writeln!(text, "net       {net}");
    match trainer {
        None => text.push_str("trainer   away\n"),
        Some(trainer) => text.push_str(&trainer_text(trainer)),
    }
    let mib = *waiting_bytes as f64 / f64::from(1 << 20);
    let _ = writeln!(text, "waiting   {waiting_messages} messages, {mib:.1} MiB");
    let sum = workers
        .values()
        .fold(0.0, |sum, worker| sum + worker.games_per_s);
    let _ = writeln!(text, "workers   {}, {sum:.2} games/s", workers.len());
    for (number, worker) in workers {
        let _ = writeln!(text, "{}", worker_line(*number, worker));
    }
    text
}

fn trainer_text(trainer: &TrainerReport) -> String {
    let mean = trainer.bytes as f64 / trainer.games.max(1) as f64;
    let mut text = format!(
        "trainer   {} games of workers ({:.2}/s, {mean:.0} bytes each), {} came twice\n",
        trainer.games, trainer.games_per_s, trainer.duplicates,
    );
    for (reason, count) in &trainer.refused {
        let _ = writeln!(text, "refused   {count} {reason}");
    }
    if !trainer.trouble.is_empty() {
        let _ = writeln!(text, "trouble   {}", trainer.trouble);
    }
    text
}

fn worker_line(number: u32, worker: &WorkerReport) -> String {
    let WorkerReport {
        label,
        state,
        threads,
        generation,
        seconds,
        games,
        games_per_s,
        waiting_chunks,
        lost_games,
        pairs,
        ..
    } = worker;
    let mut line = format!(
        "  {number:<7} {label:<20} {state:<8} {threads} threads, net {generation}, {games} games \
         ({games_per_s:.2}/s) in {}",
        clock(*seconds)
    );
    if *waiting_chunks > 0 {
        let _ = write!(line, ", {waiting_chunks} chunks wait");
    }
    if *pairs > 0 {
        let _ = write!(line, ", {pairs} pairs of matches");
    }
    if *lost_games > 0 {
        let _ = write!(line, ", {lost_games} too large");
    }
    line
}
