//! A match on all threads: reading players, playing, and listening to what happens.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use arena::stats::sprt::Sprt;
use arena::{
    ArenaEvent, Baseline, Effort, EngineSettings, GameScore, Match, MatchOptions, MatchReport,
    OwnSettings, Player, PlayerSpec, Progress, StoredGame, TimeControl, Who,
};
use clap::ValueEnum;
use search::SearchOptions;

use crate::anchors::{Anchors, engine_limit, engine_settings};
use crate::exit::{Refuse, Usage};
use crate::interrupt;
use crate::nets::{CpuPrecision, Net};
use crate::report::terminal::{ProgressLine, note};

/// A player that was read and checked; every thread makes its own [`Player`] of it.
#[derive(Debug)]
pub struct Contestant {
    /// What reports call it.
    pub name: String,
    /// The words that it was made from, all settings included: the same words, the same player.
    pub words: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Baseline(Baseline),
    Net { net: Box<Net>, effort: Effort },
    Usi(Box<EngineSettings>),
}

impl Contestant {
    /// Reads a player; `effort` is for those whose words do not say how much they may think.
    ///
    /// # Errors
    ///
    /// If the words are no player (exit code 2), or a net or an anchor is refused (3).
    pub fn read(text: &str, effort: Effort, anchors: &Anchors) -> anyhow::Result<Contestant> {
        let spec: PlayerSpec = text
            .parse()
            .map_err(|error: arena::PlayerSpecError| Usage(error.to_string()))?;
        let own = &spec.own;
        let effort_of_own = own.effort.unwrap_or(effort);
        let kind = match &spec.who {
            Who::Baseline(baseline) => Kind::Baseline(*baseline),
            Who::Model(path) => {
                let net = read_net(path, own).with_context(|| format!("player {path}"))?;
                Kind::Net {
                    net: Box::new(net),
                    effort: effort_of_own,
                }
            }
            Who::Usi(command) => {
                let settings = engine_settings(command, engine_limit(effort_of_own));
                Kind::Usi(Box::new(with_own(settings, own)))
            }
            Who::Anchor(name) => {
                let mut settings = anchors.find(name)?.settings()?;
                if let Some(effort) = own.effort {
                    settings.limit = engine_limit(effort);
                }
                Kind::Usi(Box::new(with_own(settings, own)))
            }
        };
        let words = match &kind {
            Kind::Baseline(baseline) => baseline.name().to_owned(),
            Kind::Net { net, effort } => {
                let precision = net.precision().word();
                let generation = net.generation();
                format!(
                    "{} generation {generation} {precision} {effort:?}",
                    spec.who
                )
            }
            Kind::Usi(settings) => {
                format!("{} {:?} {:?}", spec.who, settings.limit, settings.options)
            }
        };
        Ok(Contestant {
            name: own.name.clone().unwrap_or_else(|| text.to_owned()),
            words,
            kind,
        })
    }

    /// The clock that it plays by, if any.
    pub fn time(&self) -> Option<TimeControl> {
        match &self.kind {
            Kind::Net {
                effort: Effort::Clock(control),
                ..
            } => Some(*control),
            Kind::Usi(settings) => settings.time_control(),
            Kind::Net { .. } | Kind::Baseline(_) => None,
        }
    }

    /// A player of one thread.
    ///
    /// # Errors
    ///
    /// If a net cannot be run.
    pub fn player(&self, max_batch: u32) -> anyhow::Result<Player<'static>> {
        Ok(match &self.kind {
            Kind::Baseline(baseline) => Player::baseline(*baseline),
            Kind::Usi(settings) => Player::usi(&self.name, EngineSettings::clone(settings)),
            Kind::Net { net, effort } => {
                let mut options = SearchOptions::default();
                if let Effort::Nodes(visits) = effort {
                    options.visits = *visits;
                }
                let player = Player::net(&self.name, options, net.evaluator(max_batch as usize)?);
                match effort {
                    Effort::Clock(control) => player.with_time(*control),
                    _ => player,
                }
            }
        })
    }
}

/// A net, computed as the player's own settings say.
fn read_net(path: &str, own: &OwnSettings) -> anyhow::Result<Net> {
    let precision = own.precision.as_deref().unwrap_or("auto");
    let precision = CpuPrecision::from_str(precision, false).map_err(|_| {
        Usage(format!(
            "precision={precision}: expected auto, f32, bf16 or int8"
        ))
    })?;
    Net::load(path.as_ref())?.with_precision(precision)
}

fn with_own(mut settings: EngineSettings, own: &OwnSettings) -> EngineSettings {
    settings.options.extend(own.options.iter().cloned());
    settings.swapped_clocks |= own.swapped_clocks;
    settings.margin = own.margin.unwrap_or(settings.margin);
    if let Some(time) = own.start {
        settings.patience.start = time;
        settings.patience.ready = time;
    }
    settings.stuck_after = own.stuck_after.unwrap_or(settings.stuck_after);
    settings
}

/// One match.
#[derive(Debug)]
pub struct Contest<'a> {
    /// How it is played.
    pub options: &'a MatchOptions,
    /// The player measured.
    pub a: &'a Contestant,
    /// Its opponent.
    pub b: &'a Contestant,
    /// Threads, each with its own evaluators and engines.
    pub threads: u32,
    /// Ends the match as soon as it is clear.
    pub sprt: Option<Sprt>,
    /// Games that were finished before, by number.
    pub finished: Vec<(u32, GameScore)>,
}

impl Contest<'_> {
    /// Plays until the match is over, the test has its verdict, or Ctrl-C comes. Each game is
    /// handed to `keep` when it ends. Openings and seeds do not depend on the number of threads,
    /// and so neither do the games, unless a net rounds differently in batches of another size.
    ///
    /// # Errors
    ///
    /// If a player does not start, a net cannot evaluate, the machine is unfit, or `keep` fails. An
    /// engine that fails during a game has lost it.
    pub fn play(
        &self,
        keep: &mut dyn FnMut(&StoredGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<MatchReport> {
        let mut results = vec![None; self.options.games as usize];
        for (game, score) in &self.finished {
            if let Some(result) = results.get_mut(*game as usize) {
                *result = Some(score.clone());
            }
        }
        let mut table = Table {
            contest: self,
            results,
            keep,
        };
        let n_threads = self.threads.min(self.options.games / 2).max(1);
        let stop = AtomicBool::new(table.is_decided());
        let evaluations = AtomicU64::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads)
                .map(|share| {
                    let (sender, stop) = (sender.clone(), &stop);
                    let evaluations = &evaluations;
                    scope.spawn(move || {
                        let played = self
                            .share(share, n_threads)
                            .and_then(|part| play_part(part, &sender, stop, evaluations));
                        // One thread less is a match without an end.
                        stop.fetch_or(played.is_err(), Ordering::Relaxed);
                        played
                    })
                })
                .collect();
            drop(sender);
            let listened = table.listen(&receiver, &stop, &evaluations);
            stop.fetch_or(listened.is_err(), Ordering::Relaxed);
            for thread in threads {
                match thread.join() {
                    Ok(played) => played?,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            listened
        })?;
        Ok(table.report())
    }

    /// The part of one thread, with players of its own.
    fn share(&self, share: u32, n_shares: u32) -> anyhow::Result<Match<'static>> {
        let player = |contestant: &Contestant| -> anyhow::Result<Player<'static>> {
            let player = contestant.player(self.options.parallel_games)?;
            Ok(player.with_interrupt(interrupt::requested))
        };
        let whole = Match::new(self.options, player(self.a)?, player(self.b)?)?;
        let finished = self.finished.iter().cloned();
        Ok(whole.with_finished(finished).only_share(share, n_shares))
    }
}

fn play_part(
    mut part: Match<'_>,
    sender: &Sender<ArenaEvent>,
    stop: &AtomicBool,
    evaluations: &AtomicU64,
) -> anyhow::Result<()> {
    let mut on_event = |event| {
        // The receiver lives until all threads have ended, unless it has failed.
        let _ = sender.send(event);
    };
    let stopped = || interrupt::requested() || stop.load(Ordering::Relaxed);
    let mut counted = 0;
    while !stopped() && part.advance(&mut on_event)? == Progress::Running {
        let done = part.evaluations();
        evaluations.fetch_add(done - counted, Ordering::Relaxed);
        counted = done;
    }
    part.dismiss().iter().for_each(|remark| note(remark));
    Ok(())
}

/// What is known of a match while it is played.
struct Table<'a> {
    contest: &'a Contest<'a>,
    /// By number of the game.
    results: Vec<Option<GameScore>>,
    keep: &'a mut dyn FnMut(&StoredGame) -> anyhow::Result<()>,
}

/// Time after which progress is shown even if no game has finished.
const LOOK_EVERY: Duration = Duration::from_secs(1);

impl Table<'_> {
    fn report(&self) -> MatchReport {
        let Contest { a, b, sprt, .. } = self.contest;
        let report = MatchReport::new(&a.name, &b.name, &self.results);
        match sprt {
            Some(test) => report.judged_by(test),
            None => report,
        }
    }

    fn is_decided(&self) -> bool {
        let sprt = self.report().sprt;
        sprt.is_some_and(|sprt| sprt.verdict.is_some())
    }

    /// Keeps games and shows progress until all threads have ended.
    fn listen(
        &mut self,
        events: &Receiver<ArenaEvent>,
        stop: &AtomicBool,
        evaluations: &AtomicU64,
    ) -> anyhow::Result<()> {
        let begun = Instant::now();
        let left = self
            .results
            .iter()
            .filter(|result| result.is_none())
            .count();
        let mut progress = ProgressLine::new("arena", "games", left as u64);
        let mut done = 0;
        loop {
            match events.recv_timeout(LOOK_EVERY) {
                Ok(ArenaEvent::GameFinished(game)) => {
                    (self.keep)(&StoredGame::new(&game, false))?;
                    self.results[game.game as usize] = Some(game.score());
                    stop.fetch_or(self.is_decided(), Ordering::Relaxed);
                    done += 1;
                }
                Ok(ArenaEvent::GameReplayed(game)) => {
                    (self.keep)(&StoredGame::new(&game, true))?;
                }
                Ok(ArenaEvent::GameVoided { game, message }) => {
                    note(&format!("game {game} is played again: {message}"));
                }
                Ok(ArenaEvent::GameStarted { .. }) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let rate = evaluations.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64();
            progress.set(done, &self.words(rate));
        }
        progress.finish();
        Ok(())
    }

    /// The score so far, and how fast networks evaluate.
    fn words(&self, evals_per_s: f64) -> String {
        let report = self.report();
        let MatchReport {
            wins,
            draws,
            losses,
            ..
        } = report;
        let mut words = format!("+{wins} ={draws} -{losses}");
        if let (Some(elo), Some(low), Some(high)) = (report.elo, report.elo_low, report.elo_high) {
            words.push_str(&format!(", Elo {elo:+.0} ± {:.0}", (high - low) / 2.0));
        }
        if let Some(sprt) = &report.sprt {
            words.push_str(&format!(", LLR {:.2}", sprt.llr));
        }
        if evals_per_s > 0.0 {
            words.push_str(&format!(", {evals_per_s:.0} evaluations/s"));
        }
        words
    }
}

/// What there is to say about the openings of a match: some that end the game at once, or too few.
pub fn remark_on_openings(options: &MatchOptions) -> Option<String> {
    let openings = match &options.openings {
        arena::OpeningOptions::List { openings } => openings.clone(),
        arena::OpeningOptions::Book => arena::Opening::book(),
        _ => return None,
    };
    let rules = options.rules();
    let playable = openings
        .iter()
        .filter(|opening| opening.goes_on(rules))
        .count();
    let mut remarks = Vec::new();
    if playable < openings.len() {
        let over = openings.len() - playable;
        remarks.push(format!(
            "{over} openings are left out: the game is over there"
        ));
    }
    let pairs = options.games / 2;
    if (playable as u32) < pairs {
        remarks.push(format!(
            "{playable} openings for {pairs} pairs: some are used again"
        ));
    }
    (!remarks.is_empty()).then(|| remarks.join("; "))
}

/// Reads `--openings`: `book`, `random:PLIES`, `handicap:NAME+PLIES` or a file.
///
/// # Errors
///
/// For a file that cannot be read or is refused (exit code 3), and for words that mean nothing (2).
pub fn read_openings(text: &str) -> anyhow::Result<arena::OpeningOptions> {
    use arena::OpeningOptions;

    if text == "book" {
        return Ok(OpeningOptions::Book);
    }
    if let Some(plies) = text.strip_prefix("random:") {
        let plies = plies
            .parse()
            .map_err(|_| Usage(format!("openings {text:?}: expected random:PLIES")))?;
        return Ok(OpeningOptions::Random { plies });
    }
    if let Some(words) = text.strip_prefix("handicap:") {
        let (name, plies) = words.split_once('+').unwrap_or((words, "4"));
        let expected = |what: String| Usage(format!("openings {text:?}: expected {what}"));
        return Ok(OpeningOptions::Handicap {
            handicap: name
                .parse()
                .map_err(|error| expected(format!("handicap:NAME+PLIES ({error})")))?,
            plies: plies
                .parse()
                .map_err(|_| expected("a number of plies behind +".to_owned()))?,
        });
    }
    let openings = crate::openings::read(Path::new(text))
        .map_err(|error| anyhow!(error).context(format!("openings {text}")))
        .refused()?;
    Ok(OpeningOptions::List { openings })
}
