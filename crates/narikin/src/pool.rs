//! The folder of a pool of ratings: players and games that only ever grow.
//!
//! ```text
//! pool.json       how games are played; written before anything else
//! players.jsonl   one line per player
//! games.jsonl     one line per finished game
//! identity        what it is called at a broker, once it was at one
//! lock            held by the one process that may write here
//! ```
//!
//! A process that is killed at any moment loses the games in play and no others.

mod standing;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arena::stats::rating::{Encounter, RatingOptions, Ratings, rate};
use arena::{Effort, Grade, OpeningOptions, PlayerSpec, StoredGame, Who};
#[cfg(feature = "fleet")]
use fleet::RunId;
use model::write_whole;
use serde::{Deserialize, Serialize};

use crate::anchors::Anchors;
use crate::exit::{Refuse, Usage};
use crate::journal::{Journal, read_journal};
use crate::nets::NetFile;
use crate::report::events::{Event, Progress, read_events};
use crate::run_folder::lock;

pub use standing::{GAMES_SHOWN, Standing, page_game};

/// The version of the files.
const FORMAT: u32 = 1;

/// How the games of a pool are played: `pool.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolRules {
    format: u32,
    /// Number that openings and random choices follow from.
    pub seed: u64,
    /// Where games begin.
    pub openings: OpeningOptions,
    /// Plies after which a game is drawn; 0 for no limit.
    pub max_ply: u32,
}

/// What is asked of a pool's rules: a new pool takes it, an old one must have it. What is not asked
/// for is as the pool has it, or as [`PoolWishes::fresh`] says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoolWishes {
    /// See [`PoolRules::seed`].
    pub seed: Option<u64>,
    /// See [`PoolRules::openings`].
    pub openings: Option<OpeningOptions>,
    /// See [`PoolRules::max_ply`].
    pub max_ply: Option<u32>,
}

impl PoolWishes {
    /// The rules of a new pool: seed 1, the book and 512 plies where nothing else is asked for.
    pub fn fresh(&self) -> PoolRules {
        PoolRules::new(
            self.seed.unwrap_or(1),
            self.openings.clone().unwrap_or(OpeningOptions::Book),
            self.max_ply.unwrap_or(512),
        )
    }

    /// What `rules` have otherwise, by the options of `narikin rate`.
    fn unmet(&self, rules: &PoolRules) -> Vec<&'static str> {
        let PoolRules {
            format: _,
            seed,
            openings,
            max_ply,
        } = rules;
        [
            ("--seed", self.seed.is_none_or(|wish| wish == *seed)),
            (
                "--openings",
                self.openings.as_ref().is_none_or(|wish| wish == openings),
            ),
            (
                "--max-ply",
                self.max_ply.is_none_or(|wish| wish == *max_ply),
            ),
        ]
        .into_iter()
        .filter_map(|(name, is_met)| (!is_met).then_some(name))
        .collect()
    }
}

impl PoolRules {
    /// Rules of a new pool.
    pub fn new(seed: u64, openings: OpeningOptions, max_ply: u32) -> PoolRules {
        PoolRules {
            format: FORMAT,
            seed,
            openings,
            max_ply,
        }
    }
}

/// A player of a pool: a line of `players.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolPlayer {
    /// What tables call it.
    pub name: String,
    /// Its words, all settings included.
    pub player: String,
    /// Its rating, if that is given.
    pub elo: Option<f64>,
    /// Where in a run it was made, if that is known.
    pub origin: Option<Origin>,
}

/// Where in a run a net was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The run's folder.
    pub run: String,
    /// Where the run stood.
    pub progress: Progress,
}

/// A game of a pool: a line of `games.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolGame {
    /// Name of the player that sat at A.
    pub a: String,
    /// Name of the player that sat at B.
    pub b: String,
    /// Number of the pair among the pairs of these two.
    pub pair: u32,
    /// When it ended, in seconds since 1970.
    pub time_s: f64,
    /// The game.
    pub game: StoredGame,
}

impl PoolGame {
    /// The game, knowing when it ended.
    pub fn dated(&self) -> StoredGame {
        StoredGame {
            ended_s: Some(self.time_s),
            ..self.game.clone()
        }
    }
}

/// An open pool.
#[derive(Debug)]
pub struct Pool {
    path: PathBuf,
    rules: PoolRules,
    players: Vec<PoolPlayer>,
    games: Vec<PoolGame>,
    player_file: Journal<PoolPlayer>,
    game_file: Journal<PoolGame>,
    /// Unlocked by the system when the process ends, however it ends.
    _lock: File,
}

impl Pool {
    /// Opens the pool in `path`, creating it if it is absent.
    ///
    /// # Errors
    ///
    /// If it has other rules than are asked for, or a line that is none of this version (exit code 3), another process is
    /// at it, or it cannot be read or written.
    pub fn open(path: &Path, wishes: &PoolWishes) -> anyhow::Result<Pool> {
        fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))?;
        let lock = lock(path)?;
        let file = path.join("pool.json");
        let rules = if file.exists() {
            read_rules(&file, wishes).refused()?
        } else {
            let rules = wishes.fresh();
            write_whole(&file, serde_json::to_string_pretty(&rules)?.as_bytes())?;
            rules
        };
        let [players, games] = ["players.jsonl", "games.jsonl"].map(|name| path.join(name));
        let pool = Pool {
            path: path.to_owned(),
            rules,
            players: read_journal(&players, "a player").refused()?,
            games: read_journal(&games, "a game of a pool").refused()?,
            player_file: Journal::open(&players)?,
            game_file: Journal::open(&games)?,
            _lock: lock,
        };
        pool.check_games(&games).refused()?;
        Ok(pool)
    }

    /// How its games are played.
    pub fn rules(&self) -> &PoolRules {
        &self.rules
    }

    /// What tells the pool from all others; made at the first call.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, or is none (exit code 3).
    #[cfg(feature = "fleet")]
    pub fn identity(&self) -> anyhow::Result<RunId> {
        let file = self.path.join("identity");
        if !file.exists() {
            let machine = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
            let path = fs::canonicalize(&self.path)
                .with_context(|| format!("cannot read {}", self.path.display()))?;
            let path = path.display().to_string();
            let now = crate::report::events::unix_time_s();
            let id = RunId::of(&[&machine, &path, &now.to_string()]);
            write_whole(&file, format!("{id}\n").as_bytes())?;
        }
        let text = fs::read_to_string(&file);
        let text = text.with_context(|| format!("cannot read {}", file.display()))?;
        let found = text.trim();
        RunId::from_text(found)
            .with_context(|| {
                let file = file.display();
                format!("{file}: found {found:?}, expected 16 hexadecimal digits")
            })
            .refused()
    }

    /// Its players.
    pub fn players(&self) -> &[PoolPlayer] {
        &self.players
    }

    /// Its games.
    pub fn games(&self) -> &[PoolGame] {
        &self.games
    }

    /// Adds a player, unless it is there already.
    ///
    /// # Errors
    ///
    /// If another player has its name (exit code 3), or it cannot be written.
    pub fn add(&mut self, player: PoolPlayer) -> anyhow::Result<()> {
        if let Some(known) = self.players.iter().find(|known| known.name == player.name) {
            if known.player == player.player && known.elo == player.elo {
                return Ok(());
            }
            let error = anyhow::anyhow!(
                "the pool has another player called {}: {} (rating {}), not {} (rating {}); \
                 give this one a name of its own with name=",
                known.name,
                known.player,
                grade_text(known.elo),
                player.player,
                grade_text(player.elo),
            );
            return Err(error).refused();
        }
        self.player_file.append(&player)?;
        self.players.push(player);
        Ok(())
    }

    /// Keeps a finished game.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn keep(&mut self, game: PoolGame) -> anyhow::Result<()> {
        self.game_file.append(&game)?;
        self.games.push(game);
        Ok(())
    }

    /// The next pair of two players that has no game yet.
    pub fn next_pair(&self, a: usize, b: usize) -> u32 {
        let names = [&self.players[a].name, &self.players[b].name];
        let of_these = |game: &&PoolGame| names.contains(&&game.a) && names.contains(&&game.b);
        let pairs = self.games.iter().filter(of_these).map(|game| game.pair + 1);
        pairs.max().unwrap_or(0)
    }

    /// Given ratings, by player.
    pub fn anchors(&self) -> Vec<Option<f64>> {
        self.players.iter().map(|player| player.elo).collect()
    }

    /// Results between players, one entry for each pairing and colours. Games that ended by an
    /// engine's failure are counted: who cannot finish its games is no stronger for that.
    pub fn encounters(&self) -> Vec<Encounter> {
        let mut encounters: Vec<Encounter> = Vec::new();
        for game in self.games.iter().filter(|game| !game.game.replayed) {
            let [black, white] = self.seats(game);
            let known = encounters
                .iter()
                .position(|known| (known.black, known.white) == (black, white));
            let index = known.unwrap_or_else(|| {
                encounters.push(Encounter {
                    black,
                    white,
                    black_wins: 0,
                    draws: 0,
                    white_wins: 0,
                });
                encounters.len() - 1
            });
            let encounter = &mut encounters[index];
            match game.game.winner {
                arena::Winner::Black => encounter.black_wins += 1,
                arena::Winner::White => encounter.white_wins += 1,
                arena::Winner::Draw => encounter.draws += 1,
            }
        }
        encounters
    }

    /// Games that a player has lost by a failure of its engine.
    pub fn faults(&self, player: usize) -> u32 {
        let failed = |game: &&PoolGame| {
            let [black, white] = self.seats(game);
            let loser = match game.game.winner {
                arena::Winner::Black => white,
                _ => black,
            };
            game.game.reason.starts_with("engine-") && loser == player
        };
        self.games.iter().filter(failed).count() as u32
    }

    /// The ratings by all games.
    pub fn ratings(&self) -> Ratings {
        let options = RatingOptions {
            advantage: true,
            ..RatingOptions::default()
        };
        rate(&self.anchors(), &self.encounters(), &options)
    }

    /// Who had Black and White, by index.
    fn seats(&self, game: &PoolGame) -> [usize; 2] {
        let index = |name: &str| self.index(name).expect("games are of known players");
        let (a, b) = (index(&game.a), index(&game.b));
        match game.game.black {
            arena::Seat::A => [a, b],
            arena::Seat::B => [b, a],
        }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player.name == name)
    }

    fn check_games(&self, file: &Path) -> anyhow::Result<()> {
        for (index, game) in self.games.iter().enumerate() {
            for name in [&game.a, &game.b] {
                if self.index(name).is_none() {
                    bail!(
                        "{} line {}: player {name} is not in players.jsonl",
                        file.display(),
                        index + 1
                    );
                }
            }
            if game.a == game.b {
                bail!(
                    "{} line {}: a game of a player with itself",
                    file.display(),
                    index + 1
                );
            }
        }
        Ok(())
    }
}

impl PoolPlayer {
    /// Reads a player that is to join. What is not fixed by its words is fixed now: a run folder
    /// means its current net, and who has no limit of its own gets `visits`.
    ///
    /// # Errors
    ///
    /// If the words are no player (exit code 2), or a run or an anchor is refused (3).
    pub fn read(text: &str, visits: u32, anchors: &Anchors) -> anyhow::Result<PoolPlayer> {
        let spec: PlayerSpec = text
            .parse()
            .map_err(|error: arena::PlayerSpecError| Usage(error.to_string()))?;
        let mut who = spec.who.clone();
        let mut origin = None;
        if let Who::Model(path) = &spec.who {
            let net = NetFile::read(Path::new(path));
            let file = net.with_context(|| format!("player {path}"))?.path;
            origin = origin_of(&file)?;
            who = Who::Model(file.display().to_string());
        }
        // Settings as they were typed, and a limit where there is none.
        let mut settings = match text.rsplit_once('@') {
            Some((_, settings)) if settings.contains('=') => settings.to_owned(),
            _ => String::new(),
        };
        let needs_limit = !matches!(who, Who::Baseline(_) | Who::Anchor(_));
        if needs_limit && spec.own.effort.is_none() {
            let comma = if settings.is_empty() { "" } else { "," };
            settings = format!("{settings}{comma}visits={visits}");
        }
        let elo = match (spec.own.grade, &who) {
            (Grade::Fixed(elo), _) => Some(elo),
            (Grade::AsListed, Who::Anchor(name)) => anchors.find(name)?.elo,
            (Grade::AsListed | Grade::Free, _) => None,
        };
        Ok(PoolPlayer {
            name: spec
                .own
                .name
                .clone()
                .unwrap_or_else(|| short_name(&who, spec.own.effort)),
            player: if settings.is_empty() {
                who.to_string()
            } else {
                format!("{who}@{settings}")
            },
            elo,
            origin,
        })
    }
}

/// `quick/000123` for `runs/quick/models/000123.safetensors`, and other players in short.
fn short_name(who: &Who, effort: Option<Effort>) -> String {
    let effort = match effort {
        Some(Effort::Nodes(nodes)) => format!("@{nodes}"),
        _ => String::new(),
    };
    let name = match who {
        Who::Model(path) => {
            let path = Path::new(path);
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            match run_of(path).and_then(Path::file_name) {
                Some(run) => format!("{}/{stem}", run.to_string_lossy()),
                None => stem.into_owned(),
            }
        }
        Who::Anchor(name) => name.clone(),
        who => who.to_string(),
    };
    name + &effort
}

/// The run folder of a net in `RUN/models/`.
fn run_of(file: &Path) -> Option<&Path> {
    let models = file.parent()?;
    let run = models.parent()?;
    let is_run = models.file_name()? == "models" && run.join("events.jsonl").is_file();
    is_run.then_some(run)
}

fn origin_of(file: &Path) -> anyhow::Result<Option<Origin>> {
    let Some(run) = run_of(file) else {
        return Ok(None);
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let events = read_events(&run.join("events.jsonl")).refused()?;
    let published = events.into_iter().find_map(|entry| match entry.event {
        Event::Published(published) if published.model == name => Some(published.progress),
        _ => None,
    });
    Ok(published.map(|progress| Origin {
        run: run.display().to_string(),
        progress,
    }))
}

fn grade_text(elo: Option<f64>) -> String {
    elo.map_or("free".to_owned(), |elo| elo.to_string())
}

fn read_rules(file: &Path, wishes: &PoolWishes) -> anyhow::Result<PoolRules> {
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let stored: PoolRules =
        serde_json::from_slice(&text).with_context(|| file.display().to_string())?;
    if stored.format != FORMAT {
        bail!(
            "{} has format {}, this build reads {FORMAT}",
            file.display(),
            stored.format
        );
    }
    let unmet = wishes.unmet(&stored);
    if !unmet.is_empty() {
        bail!(
            "{}: its games were played by another {}: leave that out, or take another folder",
            file.display(),
            unmet.join(" and ")
        );
    }
    Ok(stored)
}

#[cfg(test)]
mod tests;
