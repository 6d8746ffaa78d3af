//! What the newest games of a run are like.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use data::{GameRecord, PlyKind};
use rules::{Color, EndReason};
use selfplay::SearchTotals;
use serde::{Deserialize, Serialize};

/// Games that are looked at together.
const KEPT: usize = 2000;

/// Plies of a line that games are told apart by.
const LINE_PLIES: usize = 10;

/// Plies before the end of a game in which the side that wins can be expected to be seen.
pub const NEAR_END: usize = 10;

/// The newest games, up to 2,000. Shares are in [0, 1] and of these games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GameHealth {
    /// How many they are.
    pub games: u64,
    /// Black's wins.
    pub black_share: f64,
    /// White's wins.
    pub white_share: f64,
    /// Games without a winner.
    pub draw_share: f64,
    /// Games that came to the ply limit.
    pub cap_share: f64,
    /// Games drawn by repetition.
    pub repetition_share: f64,
    /// Games won by declaration.
    pub declared_share: f64,
    /// Games that a side resigned.
    pub resigned_share: f64,
    /// Length of the game in the middle.
    pub plies_median: u32,
    /// Nine of ten games are no longer.
    pub plies_p90: u32,
    /// Of the games that reached ply 10: different beginnings.
    pub lines_share: f64,
    /// Of the same games: those of the most frequent beginning.
    pub top_line_share: f64,
    /// Mean entropy of the network's policy at the root, in nats; none without a network.
    pub network_entropy: Option<f64>,
    /// Mean divergence of the search's policy from the network's, in nats.
    pub policy_divergence: Option<f64>,
    /// Share of searches that chose another move than the network's first.
    pub overridden_share: Option<f64>,
    /// Mean number of root moves that a search visited.
    pub visited_moves: Option<f64>,
    /// Mean rank of the move that a search preferred in the network's policy, from 1.
    pub prior_rank: Option<f64>,
    /// Of decided games' positions near the end (not proven ones): where the search's value prefers
    /// the winner.
    pub value_sign_near_end: Option<f64>,
    /// How many such positions there are.
    pub near_end_positions: u64,
}

impl GameHealth {
    /// Black's wins among the games that somebody won; `None` if nobody did.
    pub fn black_of_decided(&self) -> Option<f64> {
        let decided = self.black_share + self.white_share;
        (decided > 0.0).then(|| self.black_share / decided)
    }
}

/// What is kept of a game.
#[derive(Debug, Clone)]
struct Facts {
    winner: Option<Color>,
    reason: EndReason,
    plies: u32,
    /// The first plies; none where the game is shorter.
    line: Option<u64>,
    searches: SearchTotals,
    n_near_end: u32,
    n_right: u32,
}

/// Keeps the newest games of a run in mind.
#[derive(Debug, Clone, Default)]
pub struct RecentGames {
    games: VecDeque<Facts>,
}

impl RecentGames {
    /// Takes a finished game, and what its searches were like.
    pub fn add(&mut self, record: &GameRecord, searches: &SearchTotals) {
        if self.games.len() == KEPT {
            self.games.pop_front();
        }
        self.games.push_back(Facts::of(record, searches));
    }

    /// What the games are like together.
    pub fn health(&self) -> GameHealth {
        let n = self.games.len();
        let share = |is: &dyn Fn(&Facts) -> bool| {
            self.games.iter().filter(|game| is(game)).count() as f64 / n.max(1) as f64
        };
        let mut plies: Vec<u32> = self.games.iter().map(|game| game.plies).collect();
        plies.sort_unstable();
        let quantile = |share: f64| {
            let last = n.saturating_sub(1);
            plies.get((share * last as f64).round() as usize).copied()
        };
        let mut searches = SearchTotals::default();
        self.games.iter().for_each(|game| searches += game.searches);
        let n_networks = searches.n_networks;
        let of_searches = |sum: f64| (n_networks > 0).then(|| sum / f64::from(n_networks));
        let near_end: u64 = self
            .games
            .iter()
            .map(|game| u64::from(game.n_near_end))
            .sum();
        let right: u64 = self.games.iter().map(|game| u64::from(game.n_right)).sum();
        let (lines_share, top_line_share) = self.lines();
        GameHealth {
            games: n as u64,
            black_share: share(&|game| game.winner == Some(Color::Black)),
            white_share: share(&|game| game.winner == Some(Color::White)),
            draw_share: share(&|game| game.winner.is_none()),
            cap_share: share(&|game| game.reason == EndReason::PlyLimit),
            repetition_share: share(&|game| game.reason == EndReason::Repetition),
            declared_share: share(&|game| game.reason == EndReason::Declaration),
            resigned_share: share(&|game| game.reason == EndReason::Resignation),
            plies_median: quantile(0.5).unwrap_or(0),
            plies_p90: quantile(0.9).unwrap_or(0),
            lines_share,
            top_line_share,
            network_entropy: of_searches(f64::from(searches.entropy_nats)),
            policy_divergence: of_searches(f64::from(searches.kl_nats)),
            overridden_share: of_searches(f64::from(searches.n_overridden)),
            visited_moves: of_searches(f64::from(searches.n_visited_moves)),
            prior_rank: of_searches(f64::from(searches.prior_ranks)),
            value_sign_near_end: (near_end > 0).then(|| right as f64 / near_end as f64),
            near_end_positions: near_end,
        }
    }

    /// Shares of different lines, and of the most frequent one.
    fn lines(&self) -> (f64, f64) {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for line in self.games.iter().filter_map(|game| game.line) {
            *counts.entry(line).or_default() += 1;
        }
        let n = f64::from(counts.values().sum::<u32>()).max(1.0);
        let top = counts.values().max().copied().unwrap_or(0);
        (counts.len() as f64 / n, f64::from(top) / n)
    }
}

impl Facts {
    fn of(record: &GameRecord, searches: &SearchTotals) -> Facts {
        let line = record.plies.get(..LINE_PLIES).map(|plies| {
            let mut hasher = DefaultHasher::new();
            record.start.key().hash(&mut hasher);
            for ply in plies {
                ply.mv.raw().hash(&mut hasher);
            }
            hasher.finish()
        });
        let (n_near_end, n_right) = near_end(record);
        Facts {
            winner: record.outcome.winner,
            reason: record.outcome.reason,
            plies: record.plies.len() as u32,
            line,
            searches: *searches,
            n_near_end,
            n_right,
        }
    }
}

/// Positions near the end of a decided game whose value is an opinion, and those of them in which it
/// prefers the winner.
fn near_end(record: &GameRecord) -> (u32, u32) {
    let Some(winner) = record.outcome.winner else {
        return (0, 0);
    };
    let first = record.plies.len().saturating_sub(NEAR_END);
    let mut counts = (0, 0);
    for (ply, played) in record.plies.iter().enumerate().skip(first) {
        let Some([win, _, loss]) = played.value else {
            continue;
        };
        let is_proven = played.kind == PlyKind::Mate || win >= 1.0 || loss >= 1.0;
        if is_proven || win == loss {
            continue;
        }
        counts.0 += 1;
        counts.1 += u32::from((win > loss) == (record.side_at(ply) == winner));
    }
    counts
}

#[cfg(test)]
mod tests;
