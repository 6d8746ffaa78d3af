//! `narikin arena`: one player against others.

use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use arena::{
    ArenaEvent, EngineLimit, EngineSettings, Match, MatchOptions, MatchReport, OpeningOptions,
    Player, PlayerSpec, Progress, TimeControl,
};
use search::SearchOptions;
use serde::Serialize;

use crate::exit::{self, Interrupted, Usage};
use crate::interrupt;
use crate::machine::cores;
use crate::nets::Net;
use crate::output::{self, SCHEMA};
use crate::report::terminal::ProgressLine;

/// Arguments of `narikin arena`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin arena runs/quick mate1 greedy --games 200 --visits 64

A player is a model file, a run folder (its current net), an ONNX file in dlshogi's interface,
`random`, `mate1` (gives mate in one, else random), `greedy` (mate in one, else the best capture or
promotion, else random), or `usi:COMMAND`. Every opening is played twice, colours swapped.

The JSON object for one opponent: {schema, a, b, games, wins, draws, losses, score, elo, elo_low,
elo_high, pentanomial: pairs by A's points 0, 1/2, 1, 3/2, 2, by_reason, …}, from A's side; ratings
that are infinite are null. For several opponents: {schema, a, matches: [one such object each]}.")]
pub struct ArenaArgs {
    /// Player to measure
    #[arg(value_name = "A")]
    pub a: String,
    /// Its opponents, one match each
    #[arg(value_name = "B", required = true)]
    pub b: Vec<String>,
    /// Games per match, an even number
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u32,
    /// Visits per move of nets; nodes per move of USI engines
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub visits: u32,
    /// Time per move of USI engines in milliseconds, instead of nodes
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub byoyomi: Option<u64>,
    /// Number that openings and random choices follow from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Random moves at the start of every pair of games
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    pub openings_plies: u32,
    /// Plies after which a game is drawn; 0 for no limit
    #[arg(long, value_name = "PLIES", default_value_t = 512)]
    pub max_ply: u32,
    /// Threads, each with its own evaluator and share of the games [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Several matches as one JSON object.
#[derive(Debug, Serialize)]
struct Table<'a> {
    schema: u32,
    a: &'a str,
    matches: &'a [MatchReport],
}

/// A player that was read and checked; every thread makes its own [`Player`] of it.
#[derive(Debug)]
enum Contestant {
    Baseline(arena::Baseline),
    Net(Box<Net>),
    Usi {
        name: String,
        settings: Box<EngineSettings>,
    },
}

/// Plays the matches and prints the table.
///
/// # Errors
///
/// If a player is refused, does not start, or a net cannot evaluate. An engine that fails during a
/// game has lost it.
pub fn run(args: &ArenaArgs) -> anyhow::Result<ExitCode> {
    let options = MatchOptions {
        games: args.games,
        seed: args.seed,
        openings: OpeningOptions::Random {
            plies: args.openings_plies,
        },
        max_ply: args.max_ply,
        ..MatchOptions::default()
    };
    options.check().map_err(|error| Usage(error.to_string()))?;
    let a = Contestant::read(&args.a, args)?;
    let opponents: Vec<Contestant> = args
        .b
        .iter()
        .map(|b| Contestant::read(b, args))
        .collect::<anyhow::Result<_>>()?;
    interrupt::listen()?;

    let mut reports = Vec::new();
    for b in &opponents {
        reports.push(play(&options, &a, b, args)?);
        if interrupt::requested() {
            break;
        }
    }
    match reports.as_slice() {
        [report] if args.json && opponents.len() == 1 => output::print_json(report)?,
        matches if args.json => {
            output::print_json(&Table {
                schema: SCHEMA,
                a: &args.a,
                matches,
            })?;
        }
        reports => output::print(arena::table(reports).trim_end())?,
    }
    if interrupt::requested() {
        return Err(Interrupted.into());
    }
    Ok(exit::done())
}

impl Contestant {
    fn read(text: &str, args: &ArenaArgs) -> anyhow::Result<Contestant> {
        let Ok(spec) = text.parse::<PlayerSpec>();
        Ok(match spec {
            PlayerSpec::Baseline(baseline) => Contestant::Baseline(baseline),
            PlayerSpec::Model(path) => Contestant::Net(Box::new(
                Net::load(path.as_ref()).with_context(|| format!("player {text}"))?,
            )),
            PlayerSpec::Usi(command) => {
                let limit = match args.byoyomi {
                    Some(ms) => {
                        EngineLimit::Clock(TimeControl::per_move(Duration::from_millis(ms)))
                    }
                    None => EngineLimit::Nodes(u64::from(args.visits)),
                };
                let settings = Box::new(EngineSettings::new(&command, limit));
                Contestant::Usi {
                    name: text.to_owned(),
                    settings,
                }
            }
        })
    }

    fn player(&self, visits: u32, max_batch: u32) -> anyhow::Result<Player<'static>> {
        Ok(match self {
            Contestant::Baseline(baseline) => Player::baseline(*baseline),
            Contestant::Net(net) => {
                let options = SearchOptions {
                    visits,
                    ..SearchOptions::default()
                };
                Player::net(
                    net.name.clone(),
                    options,
                    net.evaluator(max_batch as usize)?,
                )
            }
            Contestant::Usi { name, settings } => {
                Player::usi(name.clone(), EngineSettings::clone(settings))
            }
        })
    }
}

/// Plays one match on all threads. Openings and seeds do not depend on how many there are, and so
/// neither do the games, unless a net rounds differently in batches of another size.
fn play(
    options: &MatchOptions,
    a: &Contestant,
    b: &Contestant,
    args: &ArenaArgs,
) -> anyhow::Result<MatchReport> {
    let n_shares = args
        .threads
        .unwrap_or(cores() as u32)
        .min(options.games / 2);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for share in 0..n_shares {
            let sender = sender.clone();
            threads.push(scope.spawn(move || -> anyhow::Result<Match<'static>> {
                let player = |contestant: &Contestant| {
                    contestant.player(args.visits, options.parallel_games)
                };
                let whole = Match::new(options, player(a)?, player(b)?)?;
                let mut part = whole.only_share(share, n_shares);
                let mut on_event = |event| {
                    if let ArenaEvent::GameFinished(_) = event {
                        // The receiver lives until all threads have ended.
                        let _ = sender.send(());
                    }
                };
                while !interrupt::requested() && part.advance(&mut on_event)? == Progress::Running {
                }
                Ok(part)
            }));
        }
        drop(sender);
        show_progress(&receiver, options.games);
        let mut parts = Vec::new();
        for thread in threads {
            match thread.join() {
                Ok(part) => parts.push(part?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(Match::joint_report(&parts))
    })
}

/// Time after which progress is shown even if no game has finished.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Shows how many games are finished until all threads have ended.
fn show_progress(finished: &Receiver<()>, n_games: u32) {
    let mut progress = ProgressLine::new("arena", "games", u64::from(n_games));
    let mut done = 0;
    loop {
        match finished.recv_timeout(LOOK_EVERY) {
            Ok(()) => done += 1,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        progress.set(done, "");
    }
    progress.finish();
}
