//! The measurements of a run: its newest net against players that never change.

use std::thread::{self, JoinHandle};

use anyhow::Context;
use arena::stats::sprt::Verdict;
use arena::stats::{elo_of_score, finite};
use arena::{Baseline, Match, MatchOptions, MatchReport, Player, Progress};

use crate::config::MeasureOptions;
use crate::config::gate::GateMatch;
use crate::interrupt;
use crate::nets::Net;
use crate::playing::orders::Orders;
use crate::report::events::Measured;

/// A measurement in a thread of its own. Its games end early where the run does.
pub struct Measurement {
    generation: u32,
    thread: JoinHandle<anyhow::Result<MatchReport>>,
}

impl Measurement {
    /// Begins to measure `net` against `greedy`.
    ///
    /// # Errors
    ///
    /// If the system starts no thread.
    pub fn start(
        net: &Net,
        generation: u32,
        options: &MeasureOptions,
        orders: std::sync::Arc<Orders>,
    ) -> anyhow::Result<Measurement> {
        let (net, options) = (net.clone(), options.clone());
        let thread = thread::Builder::new()
            .name("measure".to_owned())
            .spawn(move || {
                play(&net, Baseline::Greedy, &options, options.games, &|| {
                    orders.stopped()
                })
            })
            .context("cannot start a thread to measure the net")?;
        Ok(Measurement { generation, thread })
    }

    /// Whether [`Measurement::result`] would come at once.
    pub fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the result.
    ///
    /// # Errors
    ///
    /// If the net could not be evaluated.
    pub fn result(self) -> anyhow::Result<Measured> {
        let report = match self.thread.join() {
            Ok(report) => report?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        Ok(measured(self.generation, &report))
    }
}

/// Plays `net` against each built-in player; what is there already when Ctrl-C comes.
///
/// # Errors
///
/// If the net cannot be evaluated.
pub fn final_matches(net: &Net, options: &MeasureOptions) -> anyhow::Result<Vec<MatchReport>> {
    let mut reports = Vec::new();
    for baseline in [Baseline::Random, Baseline::Mate1, Baseline::Greedy] {
        if options.final_games > 0 && !interrupt::requested() {
            let games = options.final_games;
            reports.push(play(net, baseline, options, games, &interrupt::requested)?);
        }
    }
    Ok(reports)
}

/// The event that tells of a match of the net of `generation`.
pub fn measured(generation: u32, report: &MatchReport) -> Measured {
    let (elo_low, elo_high) = interval(report);
    Measured {
        generation,
        opponent: report.b.clone(),
        games: report.games,
        wins: report.wins,
        draws: report.draws,
        losses: report.losses,
        elo: report.elo,
        elo_low,
        elo_high,
    }
}

/// The 95 % interval of Elo. A clean score has none by its spread; there the rule of three holds: what
/// happened in none of n games happens in no more than 3 of n + 3.
fn interval(report: &MatchReport) -> (Option<f64>, Option<f64>) {
    let rare = 3.0 / (f64::from(report.games) + 3.0);
    match (report.wins, report.draws, report.losses) {
        (0, 0, 0) => (None, None),
        (_, 0, 0) => (finite(elo_of_score(1.0 - rare)), None),
        (0, 0, _) => (None, finite(elo_of_score(rare))),
        _ => (report.elo_low, report.elo_high),
    }
}

/// A match of a new net against the one that makes games.
pub struct GateMatchResult {
    /// The match, from the new net's view.
    pub report: MatchReport,
    /// Whether the new net takes the old one's place.
    pub accepted: bool,
}

/// Lets `new` play `old`. Ends early where `stop` says so; nothing is accepted then.
///
/// # Errors
///
/// If a net cannot be evaluated.
pub fn play_gate(
    new: &Net,
    old: &Net,
    gate: &GateMatch,
    options: &MeasureOptions,
    stop: &dyn Fn() -> bool,
) -> anyhow::Result<GateMatchResult> {
    let match_options = MatchOptions {
        games: gate.games,
        seed: 1,
        ..MatchOptions::default()
    };
    let player = |net: &Net| -> anyhow::Result<Player<'static>> {
        let evaluator = net.evaluator(match_options.parallel_games as usize)?;
        Ok(Player::net(
            net.name.clone(),
            options.search.clone(),
            evaluator,
        ))
    };
    let mut part = Match::new(&match_options, player(new)?, player(old)?)?;
    let mut verdict = None;
    while verdict.is_none() && !stop() && part.advance(&mut |_| {})? == Progress::Running {
        let test = gate.sprt.as_ref();
        verdict = test.and_then(|sprt| sprt.decide(&part.report().pentanomial));
    }
    let report = part.report();
    let is_whole = report.games == gate.games;
    let accepted = match verdict {
        Some(verdict) => verdict == Verdict::Accepted,
        None => is_whole && report.score.is_some_and(|score| score >= gate.score),
    };
    Ok(GateMatchResult { report, accepted })
}

fn play(
    net: &Net,
    opponent: Baseline,
    options: &MeasureOptions,
    games: u32,
    stop: &dyn Fn() -> bool,
) -> anyhow::Result<MatchReport> {
    // Always the same openings, so that nets can be compared.
    let match_options = MatchOptions {
        games,
        seed: 1,
        ..MatchOptions::default()
    };
    let evaluator = net.evaluator(match_options.parallel_games as usize)?;
    let player = Player::net(net.name.clone(), options.search.clone(), evaluator);
    let mut part = Match::new(&match_options, player, Player::baseline(opponent))?;
    while !stop() && part.advance(&mut |_| {})? == Progress::Running {}
    Ok(part.report())
}

#[cfg(test)]
mod tests;
