//! `narikin rate`: many players, one table.

#[cfg(feature = "fleet")]
mod remote;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use arena::{ArenaEvent, Effort, Heading, Match, MatchOptions, Progress, StoredGame, next_pairing};
use model::write_whole;

use crate::anchors::Anchors;
use crate::contest::{Contestant, read_openings};
use crate::exit::{self, Interrupted, Usage};
use crate::interrupt;
use crate::machine::cores;
use crate::output;
use crate::pool::{Pool, PoolGame, PoolPlayer, PoolRules, PoolWishes, Standing};
use crate::report::events::unix_time_s;
use crate::report::terminal::{ProgressLine, note};
use crate::transcripts::{RecordFormat, write_games};
#[cfg(feature = "fleet")]
use crate::wire::broker::BrokerArgs;

/// Arguments of `narikin rate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin rate pools/quick runs/quick/models/*.safetensors anchor:fairy-n100 --games 1000
         narikin rate pools/quick --games 0 --html quick.html

POOL is a folder that only grows: players named here join it and stay, games are added to those that
are there, and a command that was broken off loses only the games in play. Games are played where
they tell most. Players are named as for `narikin arena`; a run folder joins with its current net.
Ratings are maximum likelihood, relative to players whose rating is given: anchors of
configs/anchors.toml, unless elo=free stands behind them, and PLAYER@elo=NUMBER. Without any, the
mean is 0.

With --broker (builds with the feature `fleet`), any `narikin worker` there plays the games, in pairs; nobody plays here. Results are
replayed before they are kept, a pair whose worker is lost goes to another, and each is kept once. Nets
in our own format and baselines are sent; engines and players with a clock stay at home. --minutes ends
the wait for results.

The JSON object: {schema, games, advantage: Black's in Elo, players: [{name, player, anchor, elo,
elo_low, elo_high, games, wins, draws, losses, faults, score, origin: {run, progress}}], crosstable:
a row for each player with {wins, draws, losses} against each, curves: [{title, unit, points: [{at,
elo, error}]}]}, the strongest player first.")]
pub struct RateArgs {
    /// Folder of the pool
    #[arg(value_name = "POOL")]
    pub pool: PathBuf,
    /// Players that join
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// Games to add
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub games: u64,
    /// Begin no more games after so many minutes
    #[arg(long, value_name = "MINUTES")]
    pub minutes: Option<f64>,
    /// Pairs of games that two players play in a row
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub round: u32,
    /// Visits or nodes per move of players that join without a limit of their own
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub visits: u32,
    /// Number that openings and random choices follow from; a pool keeps its first [default: 1]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Where games begin, as for arena; a pool keeps its first [default: book]
    #[arg(long, value_name = "SET")]
    pub openings: Option<String>,
    /// Plies after which a game is drawn; 0 for no limit; a pool keeps its first [default: 512]
    #[arg(long, value_name = "PLIES")]
    pub max_ply: Option<u32>,
    /// List of anchors [default: the program's own, configs/anchors.toml]
    #[arg(long, value_name = "FILE")]
    pub anchors: Option<PathBuf>,
    /// Threads, each with a pairing of its own [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    #[cfg_attr(feature = "fleet", arg(conflicts_with = "broker"))]
    pub threads: Option<u32>,
    /// The broker whose workers play the games
    #[cfg(feature = "fleet")]
    #[command(flatten)]
    pub broker: BrokerArgs,
    /// Pairs of games that wait for workers or are being played at a time
    #[cfg(feature = "fleet")]
    #[arg(long, value_name = "N", default_value_t = 64, requires = "broker", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub pairs_out: u32,
    /// Write the report page: table, crosstable, curves, games to click through
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the curve of Elo over a run's hours as SVG: of several the one with the most nets
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write all games into this folder, for other programs: games.csa, games.pgn
    #[arg(long, value_name = "DIR")]
    pub records: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Plays games and prints the table.
///
/// # Errors
///
/// If a player is refused or does not start, a net cannot evaluate, or the pool cannot be written.
pub fn run(args: &RateArgs) -> anyhow::Result<ExitCode> {
    let wishes = PoolWishes {
        seed: args.seed,
        openings: args.openings.as_deref().map(read_openings).transpose()?,
        max_ply: args.max_ply,
    };
    // Before a folder is made of them.
    match_options(&wishes.fresh())
        .check()
        .map_err(|error| Usage(error.to_string()))?;
    let anchors = Anchors::load(args.anchors.as_deref())?;
    let joining: Vec<PoolPlayer> = args
        .players
        .iter()
        .map(|text| PoolPlayer::read(text, args.visits, &anchors))
        .collect::<anyhow::Result<_>>()?;
    let mut pool = Pool::open(&args.pool, &wishes)?;
    let options = match_options(pool.rules());
    for player in joining {
        pool.add(player)?;
    }
    interrupt::listen()?;
    let is_playing = args.games > 0 && pool.players().len() > 1;
    #[cfg(feature = "fleet")]
    let elsewhere = is_playing && remote::play_if_asked(&mut pool, args, &options)?;
    #[cfg(not(feature = "fleet"))]
    let elsewhere = false;
    if is_playing && !elsewhere {
        let read = |player: &PoolPlayer| {
            Contestant::read(&player.player, Effort::Nodes(args.visits), &anchors)
        };
        let contestants: Vec<Contestant> = pool
            .players()
            .iter()
            .map(read)
            .collect::<anyhow::Result<_>>()?;
        pool = play(pool, &contestants, &options, args)?;
    }
    show(&pool, args)?;
    if interrupt::requested() {
        return Err(Interrupted.into());
    }
    Ok(exit::done())
}

/// One pair of games by the rules of a pool.
fn match_options(rules: &PoolRules) -> MatchOptions {
    MatchOptions {
        games: 2,
        seed: rules.seed,
        openings: rules.openings.clone(),
        max_ply: rules.max_ply,
        ..MatchOptions::default()
    }
}

fn show(pool: &Pool, args: &RateArgs) -> anyhow::Result<()> {
    let standing = Standing::of(pool);
    if let Some(file) = &args.html {
        write_whole(file, standing.page(pool).html().as_bytes())?;
    }
    if let Some(file) = &args.svg {
        let over_hours = standing
            .curves()
            .iter()
            .filter(|curve| curve.unit == "hours");
        let Some(curve) = over_hours.max_by_key(|curve| curve.points.len()) else {
            anyhow::bail!(
                "no curve for {}: it takes two rated nets of one run folder",
                file.display()
            );
        };
        write_whole(file, arena::page::svg(curve).as_bytes())?;
    }
    if let Some(folder) = &args.records {
        let dated: Vec<StoredGame> = pool.games().iter().map(PoolGame::dated).collect();
        let headed = pool
            .games()
            .iter()
            .zip(&dated)
            .map(|(PoolGame { a, b, .. }, game)| {
                let heading = Heading {
                    event: "rating pool".to_owned(),
                    a: a.clone(),
                    b: b.clone(),
                    max_ply: pool.rules().max_ply,
                    ..Heading::default()
                };
                (game, heading)
            });
        write_games(folder, &[RecordFormat::Csa, RecordFormat::Pgn], headed)?;
    }
    if args.json {
        output::print_json(&standing)
    } else {
        output::print(standing.table().trim_end())
    }
}

/// What the threads share.
struct Shared {
    pool: Pool,
    /// Pairings that are being played.
    busy: Vec<(usize, usize)>,
    games_left: u64,
}

/// Two players' turn.
struct Round {
    a: usize,
    b: usize,
    options: MatchOptions,
}

/// A finished game of a round.
struct Played {
    a: usize,
    b: usize,
    first_pair: u32,
    game: Box<StoredGame>,
}

/// What the threads work with.
struct Session<'a> {
    shared: Mutex<Shared>,
    contestants: &'a [Contestant],
    options: &'a MatchOptions,
    /// Pairs of a round.
    pairs: u32,
    deadline: Option<Instant>,
    failed: AtomicBool,
}

impl Session<'_> {
    /// Plays rounds until all games are taken, the time is up, or Ctrl-C comes.
    fn work(&self, sender: &Sender<Played>) -> anyhow::Result<()> {
        let is_over = || {
            self.deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        };
        let stopped = || interrupt::requested() || self.failed.load(Ordering::Relaxed);
        while !is_over() && !stopped() {
            let Some(round) = next_round(&self.shared, self.options, self.pairs) else {
                break;
            };
            let played = play_round(&round, self.contestants, sender, &stopped);
            let mut shared = lock(&self.shared);
            if let Some(index) = shared.busy.iter().position(|&p| p == (round.a, round.b)) {
                shared.busy.swap_remove(index);
            }
            played?;
        }
        Ok(())
    }
}

/// When `--minutes` are over.
fn deadline(args: &RateArgs) -> Option<Instant> {
    let budget = Duration::try_from_secs_f64(60.0 * args.minutes?);
    Instant::now().checked_add(budget.ok()?)
}

/// Adds games to the pool, on all threads.
fn play(
    pool: Pool,
    contestants: &[Contestant],
    options: &MatchOptions,
    args: &RateArgs,
) -> anyhow::Result<Pool> {
    let session = Session {
        shared: Mutex::new(Shared {
            pool,
            busy: Vec::new(),
            games_left: args.games,
        }),
        contestants,
        options,
        pairs: args.round,
        deadline: deadline(args),
        failed: AtomicBool::new(false),
    };
    let (sender, receiver) = mpsc::channel();
    let n_threads = args.threads.unwrap_or(cores() as u32);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|_| {
                let (sender, session) = (sender.clone(), &session);
                scope.spawn(move || {
                    let worked = session.work(&sender);
                    session.failed.fetch_or(worked.is_err(), Ordering::Relaxed);
                    worked
                })
            })
            .collect();
        drop(sender);
        let listened = listen(&receiver, &session.shared, args.games);
        session
            .failed
            .fetch_or(listened.is_err(), Ordering::Relaxed);
        for thread in threads {
            match thread.join() {
                Ok(worked) => worked?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        listened
    })?;
    let shared = session
        .shared
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    Ok(shared.pool)
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared
        .lock()
        .expect("no thread panics while it holds the pool")
}

/// The pairing that tells most, taken by the caller; `None` when there is nothing left to play.
fn next_round(shared: &Mutex<Shared>, options: &MatchOptions, pairs: u32) -> Option<Round> {
    let mut shared = lock(shared);
    if shared.games_left == 0 {
        return None;
    }
    let anchors = shared.pool.anchors();
    let (a, b) = next_pairing(&shared.pool.ratings(), &anchors, &shared.busy, &[])?;
    // The same two twice at a time: the second plays what the first has not begun.
    let doubled = shared.busy.iter().filter(|&&busy| busy == (a, b)).count() as u32;
    let pairs = u64::from(pairs).min(shared.games_left.div_ceil(2)) as u32;
    let first_pair = shared.pool.next_pair(a, b) + doubled * pairs;
    shared.games_left -= u64::from(2 * pairs).min(shared.games_left);
    shared.busy.push((a, b));
    Some(Round {
        a,
        b,
        options: MatchOptions {
            games: 2 * pairs,
            parallel_games: 2 * pairs,
            first_pair,
            ..options.clone()
        },
    })
}

fn play_round(
    round: &Round,
    contestants: &[Contestant],
    sender: &Sender<Played>,
    stopped: &dyn Fn() -> bool,
) -> anyhow::Result<()> {
    let Round { a, b, options } = round;
    let player = |index: usize| -> anyhow::Result<arena::Player<'static>> {
        let player = contestants[index].player(options.parallel_games)?;
        Ok(player.with_interrupt(interrupt::requested))
    };
    let mut game = Match::new(options, player(*a)?, player(*b)?)?;
    let mut on_event = |event| match event {
        ArenaEvent::GameFinished(game) => {
            // The receiver lives until all threads have ended, unless it has failed.
            let _ = sender.send(Played {
                a: *a,
                b: *b,
                first_pair: options.first_pair,
                game: Box::new(StoredGame::new(&game, false)),
            });
        }
        ArenaEvent::GameVoided { message, .. } => {
            note(&format!("a game is played again: {message}"));
        }
        ArenaEvent::GameStarted { .. } | ArenaEvent::GameReplayed(_) => {}
    };
    while !stopped() && game.advance(&mut on_event)? == Progress::Running {}
    game.dismiss().iter().for_each(|remark| note(remark));
    Ok(())
}

/// Time after which progress is shown even if no game has finished.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Keeps games and shows progress until all threads have ended.
fn listen(played: &Receiver<Played>, shared: &Mutex<Shared>, n_games: u64) -> anyhow::Result<()> {
    let mut progress = ProgressLine::new("rate", "games", n_games);
    let mut done = 0;
    let mut words = String::new();
    loop {
        match played.recv_timeout(LOOK_EVERY) {
            Ok(Played {
                a,
                b,
                first_pair,
                game,
            }) => {
                let mut shared = lock(shared);
                let [a, b] = [a, b].map(|index| shared.pool.players()[index].name.clone());
                words = format!("{a} - {b}");
                shared.pool.keep(PoolGame {
                    a,
                    b,
                    pair: first_pair + game.game / 2,
                    time_s: unix_time_s(),
                    game: *game,
                })?;
                done += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        progress.set(done, &words);
    }
    progress.finish();
    Ok(())
}
