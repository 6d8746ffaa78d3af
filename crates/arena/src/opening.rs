//! Where games begin: random plies from the start position, or a list.
//!
//! Players here choose their moves without dice where they can, so that all variety of a match
//! comes from its openings.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use rules::{Game, GameRules, Handicap, Move, Position};
use search::{OptionError, mix_seed};
use serde::{Deserialize, Serialize};
use usi::{GivenGame, PositionError};

use crate::baseline::pick;
use crate::options::refuse;

/// One opening a line, comments behind `#`.
const BOOK: &str = include_str!("../book/even.txt");

/// Draws for one pair before an opening that another pair has already is accepted.
const DRAWS_FOR_A_NEW_OPENING: u64 = 64;

/// Longest random opening: far below the length at which random games begin to end.
const MAX_RANDOM_PLIES: u32 = 40;

/// A start position and moves from there.
///
/// Text forms, as they are usual in opening files: `startpos moves 7g7f 3c3d`,
/// `sfen SFEN moves …`, either with `position` before it, and a bare SFEN.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Opening {
    start: Position,
    moves: Vec<Move>,
}

/// A text that is not an opening.
#[derive(Debug, thiserror::Error)]
#[error("{text:?} is not an opening")]
pub struct OpeningError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    #[source]
    pub source: PositionError,
}

impl Opening {
    /// The book that comes with the program: openings of ten plies that Fairy-Stockfish calls even.
    /// How it was made stands at its head.
    pub fn book() -> Vec<Opening> {
        let lines = BOOK.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| line.parse().expect("the book's lines are openings"))
            .collect()
    }

    /// Position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Moves from there, all legal.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// A game at the end of the opening; `None` if it is over on the way or there.
    pub(crate) fn game(&self, rules: GameRules) -> Option<Game> {
        let mut game = Game::new(self.start.clone(), rules);
        for &mv in &self.moves {
            if game.outcome().is_some() {
                return None;
            }
            game.play(mv).expect("the moves of an opening are legal");
        }
        game.outcome().is_none().then_some(game)
    }

    /// Whether a game under `rules` can go on from here; an opening that ends one is not played.
    pub fn goes_on(&self, rules: GameRules) -> bool {
        self.game(rules).is_some()
    }

    /// The start and the moves of `game`.
    pub(crate) fn of(game: &Game) -> Opening {
        Opening {
            start: game.start().clone(),
            moves: game.moves().to_vec(),
        }
    }

    /// `plies` random moves from `start`; `None` if that ends the game.
    fn random(start: &Position, plies: u32, rules: GameRules, seed: u64) -> Option<Opening> {
        let mut game = Game::new(start.clone(), rules);
        for ply in 0..plies {
            let mv = pick(
                &game.position().legal_moves(),
                mix_seed(seed, u64::from(ply)),
            )?;
            game.play_unchecked(mv);
            if game.outcome().is_some() {
                return None;
            }
        }
        Some(Opening::of(&game))
    }
}

impl FromStr for Opening {
    type Err = OpeningError;

    fn from_str(text: &str) -> Result<Opening, OpeningError> {
        let line = text.trim();
        let line = line.strip_prefix("position ").unwrap_or(line);
        let given = GivenGame::parse(line).map_err(|source| OpeningError {
            text: text.to_owned(),
            source,
        })?;
        let game = given.game(GameRules::default());
        Ok(Opening::of(&game))
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start == Position::startpos() {
            f.write_str("startpos")?;
        } else {
            write!(f, "sfen {}", self.start)?;
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

impl TryFrom<String> for Opening {
    type Error = OpeningError;

    fn try_from(text: String) -> Result<Opening, OpeningError> {
        text.parse()
    }
}

impl From<Opening> for String {
    fn from(opening: Opening) -> String {
        opening.to_string()
    }
}

/// Where the openings of a match come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum OpeningOptions {
    /// Random plies from the start position, a new opening for each pair as long as there are
    /// enough. Not balanced: that the colours are swapped makes it fair.
    Random {
        /// Plies, 0 to 40. A deterministic player needs some: without, all games are one game.
        plies: u32,
    },
    /// A handicap game and random plies from there, a new opening for each pair as long as there
    /// are enough.
    Handicap {
        /// The handicap by its key, such as `two-piece`.
        #[serde(with = "search::as_text")]
        handicap: Handicap,
        /// Plies, 0 to 40; White, who gives the handicap, moves first.
        plies: u32,
    },
    /// The openings of [`Opening::book`] in their order, again from the top when all are used up.
    Book,
    /// The given ones in this order, again from the top when all are used up. Openings that are
    /// over already are left out.
    List {
        /// The openings, each in a form that [`Opening`] reads.
        openings: Vec<Opening>,
    },
}

impl Default for OpeningOptions {
    /// Six random plies: three moves of each side, enough for thousands of different games.
    fn default() -> OpeningOptions {
        OpeningOptions::Random { plies: 6 }
    }
}

impl OpeningOptions {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// Names the key that is out of range, relative to this value.
    pub fn check(&self) -> Result<(), OptionError> {
        match self {
            OpeningOptions::Random { plies } | OpeningOptions::Handicap { plies, .. }
                if *plies > MAX_RANDOM_PLIES =>
            {
                refuse("plies", *plies, "a whole number from 0 to 40")
            }
            OpeningOptions::List { openings } if openings.is_empty() => {
                refuse("openings", 0, "a list of at least one opening")
            }
            _ => Ok(()),
        }
    }

    /// One opening for each pair seed; none of them is over. `None` if the list has no such
    /// opening.
    pub(crate) fn draw(
        &self,
        rules: GameRules,
        first_pair: usize,
        pair_seeds: &[u64],
    ) -> Option<Vec<Opening>> {
        match self {
            OpeningOptions::Random { plies } => Some(draw_random(
                &Position::startpos(),
                *plies,
                rules,
                pair_seeds,
            )),
            OpeningOptions::Handicap { handicap, plies } => {
                Some(draw_random(&handicap.position(), *plies, rules, pair_seeds))
            }
            OpeningOptions::Book => {
                let openings = Opening::book();
                OpeningOptions::List { openings }.draw(rules, first_pair, pair_seeds)
            }
            OpeningOptions::List { openings } => {
                let playable: Vec<&Opening> = openings
                    .iter()
                    .filter(|opening| opening.game(rules).is_some())
                    .collect();
                let first = first_pair % playable.len().max(1);
                let chosen = playable.iter().copied().cycle().skip(first);
                let chosen = chosen.take(pair_seeds.len());
                (!playable.is_empty()).then(|| chosen.cloned().collect())
            }
        }
    }
}

fn draw_random(start: &Position, plies: u32, rules: GameRules, pair_seeds: &[u64]) -> Vec<Opening> {
    let mut seen = HashSet::new();
    let mut draw_one = |pair_seed: u64| {
        for draw in 0.. {
            let Some(opening) = Opening::random(start, plies, rules, mix_seed(pair_seed, draw))
            else {
                continue;
            };
            let mut position = opening.start.clone();
            for &mv in &opening.moves {
                position.do_move(mv);
            }
            if seen.insert(position.key()) || draw >= DRAWS_FOR_A_NEW_OPENING {
                return opening;
            }
        }
        unreachable!("few games end within 40 random plies")
    };
    pair_seeds
        .iter()
        .map(|&pair_seed| draw_one(pair_seed))
        .collect()
}

#[cfg(test)]
mod tests;
