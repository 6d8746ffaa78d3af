//! How a pool stands: the table, who met whom, and the curve of a run.

use std::fmt::Write as _;
use std::path::Path;

use arena::page::{Curve, CurvePoint, Page, PageGame, PageTable};
use arena::stats::Z95;
use arena::stats::rating::Rating;
use arena::{StoredGame, Winner};
use serde::Serialize;
use usi::Score;

use super::{Origin, Pool, PoolGame, PoolPlayer};
use crate::output::SCHEMA;
use crate::report::events::Progress;

/// Games shown on a page: about half a megabyte.
pub const GAMES_SHOWN: usize = 200;

/// A pool in numbers.
#[derive(Debug, Clone, Serialize)]
pub struct Standing {
    /// Version of this form.
    schema: u32,
    /// Games in all.
    games: u32,
    /// Black's advantage in Elo, where ratings exist.
    advantage: Option<f64>,
    /// Players, the strongest first; those without a rating last.
    players: Vec<Row>,
    /// For each player, in the order of `players`, its results against each of them.
    crosstable: Vec<Vec<Option<Against>>>,
    /// Elo of the nets of each run, over its games, samples and hours.
    curves: Vec<Curve>,
}

/// A line of the table.
#[derive(Debug, Clone, Serialize)]
struct Row {
    name: String,
    player: String,
    /// Whether the rating is given.
    anchor: bool,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// Lost games that ended by a failure of the player's engine: to be looked at, they say little
    /// about strength.
    faults: u32,
    /// Mean score in [0, 1].
    score: Option<f64>,
    origin: Option<Origin>,
}

/// Results against one opponent.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Against {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Against {
    fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }
}

impl Standing {
    /// Of a pool, by all its games.
    pub fn of(pool: &Pool) -> Standing {
        let n = pool.players().len();
        let ratings = pool.ratings();
        let mut results = vec![vec![Against::default(); n]; n];
        for encounter in pool.encounters() {
            let (black, white) = (encounter.black, encounter.white);
            results[black][white].wins += encounter.black_wins;
            results[black][white].draws += encounter.draws;
            results[black][white].losses += encounter.white_wins;
            results[white][black].wins += encounter.white_wins;
            results[white][black].draws += encounter.draws;
            results[white][black].losses += encounter.black_wins;
        }
        let mut order: Vec<usize> = (0..n).collect();
        let elo = |player: usize| ratings.players[player].map_or(f64::NEG_INFINITY, |r| r.elo);
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        let met = |a: usize, b: usize| {
            let against = results[a][b];
            (against.games() > 0).then_some(against)
        };
        Standing {
            schema: SCHEMA,
            games: pool
                .encounters()
                .iter()
                .map(|encounter| encounter.games())
                .sum(),
            advantage: ratings.advantage,
            players: order
                .iter()
                .map(|&i| row(pool, i, ratings.players[i], &results[i]))
                .collect(),
            crosstable: order
                .iter()
                .map(|&a| order.iter().map(|&b| met(a, b)).collect())
                .collect(),
            curves: curves(pool, &ratings.players),
        }
    }

    /// The table as aligned text; lines end with a newline.
    pub fn table(&self) -> String {
        let mut rows = vec![["", "player", "Elo", "± 95 %", "games", "score"].map(str::to_owned)];
        rows.extend(
            (1..)
                .zip(&self.players)
                .map(|(rank, player)| player.cells(rank)),
        );
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: [usize; 6] = std::array::from_fn(|column| width(column).unwrap_or(0));
        let mut text = String::new();
        for row in &rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
                let _ = match column {
                    1 => write!(line, "{cell:<width$}  "),
                    _ => write!(line, "{cell:>width$}  "),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let _ = write!(text, "{} games", self.games);
        if let Some(advantage) = self.advantage {
            let _ = write!(text, ", Black's advantage {advantage:+.0} Elo");
        }
        text.push('\n');
        text
    }

    /// The curves of all runs.
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// The report page: this, and the newest games of `pool` to click through.
    pub fn page(&self, pool: &Pool) -> Page {
        let headings = ["player", "rank", "Elo", "± 95 %", "games", "score"];
        let ranks = (1..).zip(&self.players);
        let ratings = PageTable {
            title: "Ratings".to_owned(),
            headings: headings.map(str::to_owned).to_vec(),
            rows: ranks
                .map(|(rank, player)| {
                    let [rank, name, elo, error, games, score] = player.cells(rank);
                    vec![name, rank, elo, error, games, score]
                })
                .collect(),
            ..PageTable::default()
        };
        let against = |cell: &Option<Against>| match cell {
            Some(against) => format!("{}/{}", against.points(), against.games()),
            None => String::new(),
        };
        let names = self.players.iter().map(|player| player.name.clone());
        let crosstable = PageTable {
            title: "Points of games against each other".to_owned(),
            headings: std::iter::once(String::new())
                .chain((1..=self.players.len()).map(|rank| rank.to_string()))
                .collect(),
            rows: (1..)
                .zip(names)
                .zip(&self.crosstable)
                .map(|((rank, name), cells)| {
                    let first = std::iter::once(format!("{rank}. {name}"));
                    first.chain(cells.iter().map(against)).collect()
                })
                .collect(),
            ..PageTable::default()
        };
        let newest = pool.games().iter().rev().take(GAMES_SHOWN);
        Page {
            title: "Ratings".to_owned(),
            notes: vec![self.table().lines().last().unwrap_or_default().to_owned()],
            tables: vec![ratings, crosstable],
            curves: self.curves.clone(),
            games: newest
                .map(|PoolGame { a, b, game, .. }| page_game([a, b], game))
                .collect(),
            ..Page::default()
        }
    }
}

impl Row {
    fn cells(&self, rank: u32) -> [String; 6] {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let error = match (self.elo_low, self.elo_high) {
            (Some(low), Some(high)) => format!("{:.0}", (high - low) / 2.0),
            _ => "–".to_owned(),
        };
        [
            rank.to_string(),
            self.name.clone(),
            or_dash(self.elo.map(|elo| format!("{elo:.0}"))),
            if self.anchor {
                "fixed".to_owned()
            } else {
                error
            },
            self.games.to_string(),
            or_dash(self.score.map(|score| format!("{:.1} %", 100.0 * score))),
        ]
    }
}

fn row(pool: &Pool, index: usize, rating: Option<Rating>, against: &[Against]) -> Row {
    let player = &pool.players()[index];
    let sum = |count: fn(&Against) -> u32| against.iter().map(count).sum::<u32>();
    let (wins, draws) = (sum(|a| a.wins), sum(|a| a.draws));
    let losses = sum(|a| a.losses);
    let games = wins + draws + losses;
    let points = f64::from(wins) + f64::from(draws) / 2.0;
    Row {
        name: player.name.clone(),
        player: player.player.clone(),
        anchor: player.elo.is_some(),
        elo: rating.map(|rating| rating.elo),
        elo_low: rating.map(|rating| rating.elo - Z95 * rating.se),
        elo_high: rating.map(|rating| rating.elo + Z95 * rating.se),
        games,
        wins,
        draws,
        losses,
        faults: pool.faults(index),
        score: (games > 0).then(|| points / f64::from(games)),
        origin: player.origin.clone(),
    }
}

/// For each run that has two rated nets or more under the same conditions: Elo over games, samples and
/// hours.
fn curves(pool: &Pool, ratings: &[Option<Rating>]) -> Vec<Curve> {
    let mut points: Vec<(&Origin, String, Rating)> = pool
        .players()
        .iter()
        .zip(ratings)
        .filter_map(|(player, rating)| {
            Some((player.origin.as_ref()?, conditions(player), (*rating)?))
        })
        .collect();
    points.sort_by_key(|(origin, conditions, _)| {
        let generation = origin.progress.generation;
        (origin.run.clone(), conditions.clone(), generation)
    });
    let runs = points.chunk_by(|a, b| (&a.0.run, &a.1) == (&b.0.run, &b.1));
    runs.filter(|nets| nets.len() > 1)
        .flat_map(|nets| {
            let (origin, conditions, _) = &nets[0];
            let run = Path::new(&origin.run);
            let run = run.file_name().unwrap_or(run.as_os_str()).to_string_lossy();
            ["games", "samples", "hours"].map(|unit| Curve {
                title: format!("{run}, {conditions}: Elo over {unit}"),
                unit: unit.to_owned(),
                points: nets
                    .iter()
                    .map(|(origin, _, rating)| CurvePoint {
                        at: spent(&origin.progress, unit),
                        elo: rating.elo,
                        error: Z95 * rating.se,
                    })
                    .collect(),
            })
        })
        .collect()
}

/// How a player thinks, in its own words: nets of a run are points of one curve only if that is the same.
fn conditions(player: &PoolPlayer) -> String {
    let settings = player
        .player
        .rsplit_once('@')
        .map_or("", |(_, words)| words);
    let counts = |word: &&str| !word.starts_with("name=") && !word.starts_with("elo=");
    let words: Vec<&str> = settings.split(',').filter(counts).collect();
    words.join(", ")
}

/// What a run had spent, in `unit`.
fn spent(progress: &Progress, unit: &str) -> f64 {
    match unit {
        "games" => progress.games as f64,
        "samples" => progress.samples as f64,
        _ => progress.elapsed_s / 3600.0,
    }
}

/// A game of A and B, called so, as the page shows it.
pub fn page_game([a, b]: [&str; 2], game: &StoredGame) -> PageGame {
    let (black, white) = match game.black {
        arena::Seat::A => (a, b),
        arena::Seat::B => (b, a),
    };
    let winner = match game.winner {
        Winner::Black => "Black wins",
        Winner::White => "White wins",
        Winner::Draw => "draw",
    };
    let white_first = game.start.split(' ').nth(1) == Some("w");
    let scores = game.notes().into_iter().enumerate().map(|(index, note)| {
        let score = hundredths(note.score?);
        let is_white = (index as u32 + game.opening_plies) % 2 == 1;
        Some(if is_white == white_first {
            score
        } else {
            -score
        })
    });
    PageGame {
        black: black.to_owned(),
        white: white.to_owned(),
        result: format!("{winner}, {}", game.reason),
        start: game.start.clone(),
        moves: game.moves.clone(),
        opening: game.opening_plies,
        scores: scores.collect(),
        thoughts: Vec::new(),
    }
}

/// A score in hundredths of a pawn; proven ones as 30,000 and more.
fn hundredths(score: Score) -> i32 {
    const PROVEN: i32 = 32_000;
    match score {
        Score::Cp(cp) => cp.clamp(-29_999, 29_999),
        Score::Won => PROVEN,
        Score::Lost => -PROVEN,
        Score::Mate(plies) if plies > 0 => (PROVEN - plies).max(30_000),
        Score::Mate(plies) => (-PROVEN - plies).min(-30_000),
    }
}
