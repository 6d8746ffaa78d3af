//! Many training games, advanced together.

mod replay;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use data::{GameRecord, PlyKind, PlyRecord};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rules::{Declaration, EndReason, Game, Move, Outcome};
use search::{
    Evaluator, EvaluatorError, Pool, Round, Search, SearchOptions, SearchResult, Step, mix_seed,
};
use thiserror::Error;

use crate::opening::{LateStarts, Opening};
use crate::resign::{ResignTuner, ResignWatch};
use crate::{PlayMemory, ResignStats, SelfPlayOptions};
pub use replay::{Replay, replay};

/// Hands out the numbers of games, each once; shared by all pools of a run.
#[derive(Debug, Clone)]
pub struct GameIds(Arc<AtomicU64>);

impl GameIds {
    /// The first number handed out is `first`.
    pub fn starting_at(first: u64) -> GameIds {
        GameIds(Arc::new(AtomicU64::new(first)))
    }

    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Why games could not go on.
#[derive(Debug, Error)]
pub enum PlayError {
    /// A batch could not be evaluated.
    #[error("cannot go on with {n_games} training games (numbers {first} to {last})")]
    Evaluator {
        /// Games in the batch.
        n_games: usize,
        /// Lowest number.
        first: u64,
        /// Highest number.
        last: u64,
        /// What went wrong.
        source: EvaluatorError,
    },
}

/// News from self-play; the only way out of this crate.
#[derive(Debug, Clone)]
pub enum PlayEvent {
    /// A game has ended.
    GameFinished {
        /// The whole game.
        record: Box<GameRecord>,
        /// What its searches were like.
        searches: SearchTotals,
    },
}

/// Sums over the searches of one game, for health metrics. Divide by the counts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SearchTotals {
    /// Searches made.
    pub n_searches: u32,
    /// Positions evaluated for them.
    pub n_evaluations: u32,
    /// Searches whose root the network was asked about: the count for the sums below.
    pub n_networks: u32,
    /// Sum of the entropies of the network's root policies, in nats.
    pub entropy_nats: f32,
    /// Sum of the divergences of the search's policy from the network's, in nats.
    pub kl_nats: f32,
    /// Searches that preferred another move than the network's favourite.
    pub n_overridden: u32,
    /// Sum of the numbers of root moves that were visited.
    pub n_visited_moves: u32,
    /// Sum of the ranks of the preferred moves in the network's policy, from 1.
    pub prior_ranks: u32,
}

/// Many games of one net against itself, in lockstep. Each has its own tree and random stream, so
/// no game depends on which others share its batches.
pub struct SelfPlay {
    options: SelfPlayOptions,
    search_options: SearchOptions,
    master_seed: u64,
    generation: u32,
    ids: GameIds,
    /// The game of each search of the pool.
    games: Vec<LiveGame>,
    pool: Pool,
    seen: Seen,
    n_plies: u64,
    /// Games that end get no successors.
    is_finishing: bool,
}

/// What later games take from earlier ones.
struct Seen {
    late_starts: LateStarts,
    tuner: Option<ResignTuner>,
}

struct LiveGame {
    id: u64,
    seed: u64,
    /// The net that played the first move.
    generation: u32,
    rng: Xoshiro256PlusPlus,
    game: Game,
    n_opening: usize,
    plies: Vec<PlyRecord>,
    totals: SearchTotals,
    /// The search of this move is a fast one.
    is_fast: bool,
    /// The net that the tree has asked.
    tree_generation: u32,
    watch: ResignWatch,
}

impl SelfPlay {
    /// Starts `options.games_at_once` games of the net of `generation`.
    ///
    /// Generation 0 is the one that knows nothing yet: its values are not recorded, except where a
    /// mate is proven, so that value targets rest on results alone.
    pub fn new(
        options: &SelfPlayOptions,
        search_options: &SearchOptions,
        master_seed: u64,
        generation: u32,
        ids: GameIds,
    ) -> SelfPlay {
        let memory = PlayMemory::default();
        SelfPlay::with_memory(
            options,
            search_options,
            master_seed,
            generation,
            ids,
            memory,
        )
    }

    /// [`SelfPlay::new`] that goes on with what an earlier one had taken from its games
    /// ([`SelfPlay::memory`]).
    pub fn with_memory(
        options: &SelfPlayOptions,
        search_options: &SearchOptions,
        master_seed: u64,
        generation: u32,
        ids: GameIds,
        memory: PlayMemory,
    ) -> SelfPlay {
        let tuner = |resign: crate::ResignOptions| ResignTuner::new(resign, memory.resigning);
        let seen = Seen {
            late_starts: LateStarts::from_memory(memory.late_starts),
            tuner: options.resign.clone().map(tuner),
        };
        let mut games: Vec<LiveGame> = (0..options.games_at_once)
            .map(|_| LiveGame::begin(options, master_seed, generation, &ids, &seen))
            .collect();
        let searches = games
            .iter_mut()
            .map(|live| {
                let search_options = live.next_search(options, search_options);
                Search::new(&live.game, &search_options, live.search_seed())
            })
            .collect();
        SelfPlay {
            options: options.clone(),
            search_options: search_options.clone(),
            master_seed,
            generation,
            ids,
            games,
            pool: Pool::new(searches),
            seen,
            n_plies: 0,
            is_finishing: false,
        }
    }

    /// Begins no more games: those in progress are played to their ends, until
    /// [`SelfPlay::n_games`] is 0.
    pub fn finish_begun(&mut self) {
        self.is_finishing = true;
    }

    /// From now on the evaluator given is the net of `generation`; games that go on keep the
    /// generation they began with.
    pub fn set_generation(&mut self, generation: u32) {
        self.generation = generation;
    }

    /// Searches that begin from now on use these options.
    pub fn set_search(&mut self, search_options: &SearchOptions) {
        self.search_options = search_options.clone();
    }

    /// The generation of the net that games beginning now are told to belong to.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// What is known about resigning; `None` if nobody resigns by the options.
    pub fn resign_stats(&self) -> Option<ResignStats> {
        self.seen.tuner.as_ref().map(ResignTuner::stats)
    }

    /// Moves played so far, those of games in progress included and openings not.
    pub fn n_plies(&self) -> u64 {
        self.n_plies
    }

    /// Memory of all trees, in bytes; see [`Search::tree_bytes`].
    pub fn tree_bytes(&self) -> usize {
        self.pool.searches().iter().map(Search::tree_bytes).sum()
    }

    /// What later games need of earlier ones, for [`SelfPlay::with_memory`]; `None` if by the options
    /// they need nothing.
    pub fn memory(&self) -> Option<PlayMemory> {
        let Seen { late_starts, tuner } = &self.seen;
        if tuner.is_none() && self.options.late_start_share == 0.0 {
            return None;
        }
        let resigning = tuner.as_ref().map(ResignTuner::memory);
        Some(PlayMemory {
            resigning: resigning.unwrap_or_default(),
            late_starts: late_starts.memory(),
        })
    }

    /// Games in progress.
    pub fn n_games(&self) -> usize {
        self.games.len()
    }

    /// Makes the moves whose searches are finished, then evaluates one leaf of every game in one
    /// batch. Games that end go to `on_event`, and new ones take their places, unless
    /// [`SelfPlay::finish_begun`] was called.
    ///
    /// # Errors
    ///
    /// If the evaluator fails or answers nonsense; no game is lost, the call can be repeated.
    pub fn advance(
        &mut self,
        evaluator: &mut dyn Evaluator,
        on_event: &mut dyn FnMut(PlayEvent),
    ) -> Result<Round, PlayError> {
        let mut game_idx = 0;
        while game_idx < self.games.len() {
            let mut goes_on = true;
            while goes_on && let Step::Finished = self.pool.searches_mut()[game_idx].next_leaf() {
                goes_on = self.finish_move(game_idx, on_event);
            }
            if goes_on {
                game_idx += 1;
            } else {
                // The last one moves into its place, and is looked at next.
                self.games.swap_remove(game_idx);
                self.pool.swap_remove(game_idx);
            }
        }
        self.pool.round(evaluator).map_err(|source| {
            let ids = || self.games.iter().map(|live| live.id);
            PlayError::Evaluator {
                n_games: self.games.len(),
                first: ids().min().unwrap_or(0),
                last: ids().max().unwrap_or(0),
                source,
            }
        })
    }

    /// Makes the move of a finished search. False if that was the end, and no game takes its place.
    fn finish_move(&mut self, game_idx: usize, on_event: &mut dyn FnMut(PlayEvent)) -> bool {
        let live = &mut self.games[game_idx];
        let search = &self.pool.searches()[game_idx];
        let result = search.result();
        live.totals.add(search, &result);
        let outcome = if live.resigns(&result, self.seen.tuner.as_ref()) {
            let winner = live.game.position().side_to_move().flipped();
            Some(Outcome::win(winner, EndReason::Resignation))
        } else {
            live.play(&result, &self.options);
            self.n_plies += 1;
            live.outcome()
        };
        let mut keeps_tree = self.options.reuse_tree && live.tree_generation == self.generation;
        if let Some(outcome) = outcome {
            keeps_tree = false;
            self.seen.learn(live, &outcome, &self.options);
            let next = LiveGame::begin(
                &self.options,
                self.master_seed,
                self.generation,
                &self.ids,
                &self.seen,
            );
            let done = std::mem::replace(live, next);
            let searches = done.totals;
            let record = Box::new(done.into_record(outcome));
            on_event(PlayEvent::GameFinished { record, searches });
            if self.is_finishing {
                return false;
            }
        }
        live.tree_generation = self.generation;
        let search_options = live.next_search(&self.options, &self.search_options);
        let seed = live.search_seed();
        let search = &mut self.pool.searches_mut()[game_idx];
        if keeps_tree {
            search.advance_to(&live.game, &search_options, seed);
        } else {
            search.restart(&live.game, &search_options, seed);
        }
        true
    }
}

impl Seen {
    /// Takes from a game that has ended what later ones can use.
    fn learn(&mut self, live: &mut LiveGame, outcome: &Outcome, options: &SelfPlayOptions) {
        if options.late_start_share > 0.0 && outcome.winner.is_some() {
            let n_opening = live.n_opening;
            self.late_starts
                .add(&live.game, n_opening, options, &mut live.rng);
        }
        if let Some(tuner) = &mut self.tuner
            && live.watch.plays_out
        {
            tuner.add(&live.watch, outcome.winner);
        }
    }
}

impl LiveGame {
    fn begin(
        options: &SelfPlayOptions,
        master_seed: u64,
        generation: u32,
        ids: &GameIds,
        seen: &Seen,
    ) -> LiveGame {
        let id = ids.next();
        let seed = mix_seed(master_seed, id);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let Opening { game, plies } = Opening::draw(options, &seen.late_starts, &mut rng);
        let plays_out = match (&options.resign, &seen.tuner) {
            (Some(resign), Some(tuner)) => {
                // Drawn in any case, so that the threshold does not change the numbers that follow.
                let is_drawn = rng.random::<f32>() < resign.played_out_share;
                is_drawn || tuner.threshold() == 0.0
            }
            _ => true,
        };
        LiveGame {
            id,
            seed,
            generation,
            rng,
            game,
            n_opening: plies.len(),
            plies,
            totals: SearchTotals::default(),
            is_fast: false,
            tree_generation: generation,
            watch: ResignWatch::new(plays_out),
        }
    }

    /// The seed of the search of the position now.
    fn search_seed(&self) -> u64 {
        mix_seed(self.seed, self.plies.len() as u64)
    }

    /// Draws what kind of search the next move gets, and returns its options.
    fn next_search(&mut self, options: &SelfPlayOptions, search: &SearchOptions) -> SearchOptions {
        self.is_fast = options.fast_share > 0.0
            && options.fast_visits < search.visits
            && self.rng.random::<f32>() < options.fast_share;
        if !self.is_fast {
            return search.clone();
        }
        SearchOptions {
            visits: options.fast_visits,
            noise: false,
            ..search.clone()
        }
    }

    /// Whether the side to move resigns after this search. A forced move says nothing about it.
    fn resigns(&mut self, result: &SearchResult, tuner: Option<&ResignTuner>) -> bool {
        let Some(tuner) = tuner else {
            return false;
        };
        if self.generation == 0 || result.visits.len() == 1 {
            return false;
        }
        let side = self.game.position().side_to_move();
        self.watch.resigns(side, result.value.expected(), tuner)
    }

    /// Plays the move that a finished search leads to, and records both.
    fn play(&mut self, result: &SearchResult, options: &SelfPlayOptions) {
        let mates = result.mate.is_some_and(|plies| plies > 0);
        let temperature = options.temperature_at(self.plies.len() - self.n_opening);
        let mv = match temperature {
            Some(temperature) if !mates => draw_move(&result.policy, temperature, &mut self.rng),
            _ => result.best,
        };
        let known = self.generation > 0 || result.mate.is_some();
        // A single visit is the network's own opinion: nothing to learn from.
        let searched = result.n_visits > 1 || result.mate.is_some();
        let kind = match self.is_fast {
            _ if mates => PlyKind::Mate,
            true => PlyKind::Fast,
            false => PlyKind::Full,
        };
        let teaches = searched && kind != PlyKind::Fast;
        let value = result.value;
        self.plies.push(PlyRecord {
            mv,
            kind,
            value: known.then_some([value.win, value.draw, value.loss]),
            policy: if teaches {
                positive(&result.policy)
            } else {
                Vec::new()
            },
        });
        self.game.play_unchecked(mv);
    }

    /// How the game has ended, if it has; whoever can declare a win does. A draw is not declared:
    /// the side plays on for more.
    fn outcome(&self) -> Option<Outcome> {
        let declared = || {
            let wins = self.game.declaration() == Declaration::Win;
            wins.then(|| self.game.declare())
        };
        self.game.outcome().or_else(declared)
    }

    fn into_record(self, outcome: Outcome) -> GameRecord {
        GameRecord {
            id: self.id,
            seed: self.seed,
            generation: self.generation,
            start: self.game.start().clone(),
            rules: self.game.rules(),
            plies: self.plies,
            outcome,
        }
    }
}

impl SearchTotals {
    fn add(&mut self, search: &Search, result: &SearchResult) {
        self.n_searches += 1;
        self.n_evaluations += result.n_evaluations;
        if let Some(network) = result.network {
            let best = search.root_moves().find(|root| root.mv == result.best);
            let best_prior = best.map_or(0.0, |root| root.prior);
            let n_before = search
                .root_moves()
                .filter(|root| root.prior > best_prior)
                .count() as u32;
            let n_visited = search.root_moves().filter(|root| root.visits > 0).count();
            self.n_networks += 1;
            self.entropy_nats += network.entropy_nats;
            self.kl_nats += network.kl_nats;
            self.n_overridden += u32::from(n_before > 0);
            self.n_visited_moves += n_visited as u32;
            self.prior_ranks += n_before + 1;
        }
    }
}

impl std::ops::AddAssign for SearchTotals {
    /// Counts that come from elsewhere may be too large to be true: they end at the largest number.
    fn add_assign(&mut self, other: SearchTotals) {
        let count = |sum: &mut u32, more: u32| *sum = sum.saturating_add(more);
        count(&mut self.n_searches, other.n_searches);
        count(&mut self.n_evaluations, other.n_evaluations);
        count(&mut self.n_networks, other.n_networks);
        self.entropy_nats += other.entropy_nats;
        self.kl_nats += other.kl_nats;
        count(&mut self.n_overridden, other.n_overridden);
        count(&mut self.n_visited_moves, other.n_visited_moves);
        count(&mut self.prior_ranks, other.prior_ranks);
    }
}

/// The moves of `policy` that have a probability at all.
fn positive(policy: &[(Move, f32)]) -> Vec<(Move, f32)> {
    policy.iter().copied().filter(|&(_, p)| p > 0.0).collect()
}

/// Draws a move with probabilities in proportion to `policy^(1/temperature)`.
fn draw_move(policy: &[(Move, f32)], temperature: f32, rng: &mut Xoshiro256PlusPlus) -> Move {
    let weight = |p: f32| {
        if temperature == 1.0 {
            p
        } else {
            p.powf(1.0 / temperature)
        }
    };
    let total: f32 = policy.iter().map(|&(_, p)| weight(p)).sum();
    let mut left = rng.random::<f32>() * total;
    for &(mv, p) in policy {
        left -= weight(p);
        if left < 0.0 {
            return mv;
        }
    }
    // Rounding can leave a hair over: the likeliest move is the safe answer.
    let likeliest = policy.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    likeliest
        .expect("a search has a policy over the legal moves of its root")
        .0
}

#[cfg(test)]
mod tests;
