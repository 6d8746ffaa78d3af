//! `narikin selfplay`: training games without training, as records.

mod replay;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use anyhow::bail;
use data::{GameRecord, RecordReader, RecordWriter, WriterOptions, list_shards};
use search::{CacheStats, EvalCache, Evaluator, UniformEvaluator};
use selfplay::{GameIds, PlayEvent, SelfPlay};

use crate::config::Config;
use crate::exit::{self, Refuse};
use crate::interrupt;
use crate::machine::cores;
use crate::nets::{CpuPrecision, Net};
use crate::output;
use crate::report::terminal::{self, ProgressLine};

/// Arguments of `narikin selfplay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: narikin selfplay --model runs/quick --games 1000 --out games

Games are appended to the shards in DIR. With `--model none` no net plays: all moves are alike to
the search, which still finds mates.

Any game can be played again from its number: `--replay N` with the net, the configuration and the
folder that it was played with, and says whether it comes out the same, byte for byte (exit code 4 if
not). Of a run of `narikin train` that holds for games during which the net did not change, with
`--config RUN/config.toml --out RUN/games --model RUN/models/GENERATION.safetensors`, and
`--set search.…` where a stage had other options.")]
pub struct SelfplayArgs {
    /// Model file, run folder or ONNX file that plays, or `none`
    #[arg(long, value_name = "NET")]
    pub model: String,
    /// Games to play
    #[arg(long, value_name = "N", required_unless_present = "replay", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Play the recorded game with this number again instead, and compare
    #[arg(long, value_name = "N", conflicts_with = "games")]
    pub replay: Option<u64>,
    /// Folder for the records
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Configuration with the keys `seed`, `search` and `selfplay`; without it, the defaults
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Override one configuration key, e.g. `--set search.visits=64`
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// How exactly the net is computed
    #[arg(long, value_name = "KIND", value_enum, default_value = "auto")]
    pub precision: CpuPrecision,
    /// Threads, each with its own games [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: Option<u64>,
}

/// Finished games that may wait for the disk.
const WAITING_GAMES: usize = 256;

/// Time after which Ctrl-C is looked for even if no game has finished.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Plays the games and writes them.
///
/// # Errors
///
/// If the net or the configuration is refused, or the disk or the evaluator fails. Games that were
/// finished before stay written.
pub fn run(args: &SelfplayArgs) -> anyhow::Result<ExitCode> {
    let SelfplayArgs {
        model,
        games,
        replay,
        out,
        config,
        set,
        precision,
        threads,
    } = args;
    let config = Config::load(config.as_deref(), set).refused()?;
    let net = match model.as_str() {
        "none" => None,
        path => Some(Net::load(path.as_ref())?.with_precision(*precision)?),
    };
    if let Some(id) = replay {
        return replay::run(*id, out, net.as_ref(), &config);
    }
    let games = games.expect("clap asks for --games where there is no --replay");
    let (mut writer, recoveries) = RecordWriter::open(out, WriterOptions::default()).refused()?;
    for recovery in recoveries {
        terminal::note(&format!(
            "continuing {} ({} games)",
            recovery.path.display(),
            recovery.n_games
        ));
    }
    let first_id = next_game_id(out).refused()?;
    let n_threads = threads.map_or(cores(), |n| n as usize);
    interrupt::listen()?;

    let shared = Shared {
        config: &config,
        net: net.as_ref(),
        ids: GameIds::starting_at(first_id),
        end: first_id + games,
        stop: AtomicBool::new(false),
        cached: Mutex::default(),
    };
    let (sender, receiver) = mpsc::sync_channel(WAITING_GAMES);
    let played = thread::scope(|scope| {
        for _ in 0..n_threads {
            let (shared, sender) = (&shared, sender.clone());
            // If nobody listens any more, another thread's error was first.
            scope.spawn(move || play(shared, &sender).map_err(|error| sender.send(Err(error))));
        }
        drop(sender);
        let played = write_games(&receiver, &mut writer, games);
        shared.stop.store(true, Ordering::Relaxed);
        // Threads that wait for room in the channel go on when it is gone.
        drop(receiver);
        played
    })?;
    writer.finish()?;
    if config.selfplay.cache_mib > 0 {
        let cached = *shared
            .cached
            .lock()
            .expect("nothing panics with the sum in hand");
        let (hits, requests) = (cached.n_hits, cached.n_requests);
        let share = 100.0 * cached.hit_rate();
        terminal::note(&format!(
            "{share:.1} % of {requests} evaluations were kept ones ({hits})"
        ));
    }
    output::print(&format!("{played} games in {}", out.display()))?;
    if interrupt::requested() {
        return Err(exit::Interrupted.into());
    }
    Ok(exit::done())
}

/// What all playing threads look at.
struct Shared<'a> {
    config: &'a Config,
    net: Option<&'a Net>,
    ids: GameIds,
    /// Games from this number on are played along, but not wanted: were they, short games would be
    /// more than their share.
    end: u64,
    stop: AtomicBool,
    /// What the caches of the threads that have ended have spared.
    cached: Mutex<CacheStats>,
}

/// What a playing thread sends: a finished game, or why it had to stop.
type Sent = anyhow::Result<Box<GameRecord>>;

/// Plays until it is told to stop.
fn play(shared: &Shared<'_>, sender: &SyncSender<Sent>) -> anyhow::Result<()> {
    let Shared {
        config,
        net,
        ids,
        end,
        stop,
        cached,
    } = shared;
    let Config {
        seed,
        search,
        selfplay: options,
        ..
    } = config;
    let evaluator: Box<dyn Evaluator> = match net {
        None => Box::new(UniformEvaluator),
        Some(net) => net.evaluator(options.games_at_once as usize)?,
    };
    let mut evaluator = EvalCache::new(evaluator, options.cache_mib as usize);
    let generation = net.map_or(0, Net::generation);
    let mut games = SelfPlay::new(options, search, *seed, generation, ids.clone());
    while !stop.load(Ordering::Relaxed) {
        games.advance(&mut evaluator, &mut |event| {
            let PlayEvent::GameFinished { record, .. } = event;
            if record.id < *end {
                // Nobody listens any more only when `stop` is set, too.
                let _ = sender.send(Ok(record));
            }
        })?;
    }
    let mut sum = cached.lock().expect("nothing panics with the sum in hand");
    *sum += evaluator.stats();
    Ok(())
}

/// Writes games as they come until there are `wanted` or the user interrupts; returns how many.
fn write_games(
    receiver: &Receiver<Sent>,
    writer: &mut RecordWriter,
    wanted: u64,
) -> anyhow::Result<u64> {
    let mut progress = ProgressLine::new("self-play", "games", wanted);
    let (mut n_games, mut n_plies) = (0, 0);
    while n_games < wanted && !interrupt::requested() {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(sent) => {
                let record = sent?;
                writer.append(&record)?;
                n_games += 1;
                n_plies += record.plies.len();
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("the threads that play have ended"),
        }
        progress.set(n_games, &format!("{n_plies} plies"));
    }
    progress.finish();
    Ok(n_games)
}

/// The number after the highest one in the folder's records.
fn next_game_id(dir: &Path) -> anyhow::Result<u64> {
    let mut next = 0;
    for shard in list_shards(dir)? {
        for record in RecordReader::open(&shard.path)? {
            next = next.max(record?.id + 1);
        }
    }
    Ok(next)
}
