//! What a match consists of.

use rules::{DeclarationRule, GameRules, PlyLimitStyle};
use search::OptionError;
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::opening::OpeningOptions;

/// How a match is played. The players are not part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchOptions {
    /// Games, an even number of at least 2: every opening is played with both colours.
    pub games: u32,
    /// Decides openings and the choices of players that draw lots; same seed, same match.
    pub seed: u64,
    /// Games played at the same time, at least 1; so many positions can share one batch. Changes
    /// speed and the order of the events only. With a USI engine in the match it is 1.
    pub parallel_games: u32,
    /// Number of the first pair: openings and seeds go on behind those of a match with as many
    /// pairs.
    pub first_pair: u32,
    /// Where the games begin.
    pub openings: OpeningOptions,
    /// Plies after which a game is drawn, the opening's included; 0 plays on.
    pub max_ply: u32,
    /// Whether the limit waits for the end of a chain of checks: `plain` or `jsa`.
    #[serde(with = "search::as_text")]
    pub max_ply_style: PlyLimitStyle,
    /// What an entered king can win: `27`, `24` (points), `try` or `none`. Points given in a
    /// handicap count for their giver.
    #[serde(with = "search::as_text")]
    pub declaration: DeclarationRule,
    /// How often a game that ends in a repetition (千日手) is replayed from its opening, each time
    /// with colours swapped and the time that was left, as in tournaments; 0: it is drawn.
    pub replays: u32,
    /// When games end before the rules end them.
    pub adjudication: Adjudication,
}

impl Default for MatchOptions {
    fn default() -> MatchOptions {
        MatchOptions {
            games: 100,
            seed: 1,
            // Evaluators are at their fastest from about 32 positions on.
            parallel_games: 64,
            first_pair: 0,
            openings: OpeningOptions::default(),
            max_ply: 512,
            max_ply_style: PlyLimitStyle::Plain,
            declaration: DeclarationRule::Points27,
            replays: 0,
            adjudication: Adjudication::default(),
        }
    }
}

impl MatchOptions {
    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// Names the first key that is out of range, relative to this struct.
    pub fn check(&self) -> Result<(), OptionError> {
        if self.games < 2 || !self.games.is_multiple_of(2) {
            return refuse("games", self.games, "an even number of at least 2");
        }
        if self.parallel_games == 0 {
            return refuse("parallel_games", 0, "a whole number of at least 1");
        }
        if let OpeningOptions::Random { plies } | OpeningOptions::Handicap { plies, .. } =
            self.openings
            && self.max_ply != 0
            && self.max_ply <= plies
        {
            return refuse("max_ply", self.max_ply, "0 or more than openings.plies");
        }
        self.adjudication
            .check()
            .map_err(|error| error.within("adjudication"))?;
        self.openings
            .check()
            .map_err(|error| error.within("openings"))
    }

    /// The rules of the games.
    pub fn rules(&self) -> GameRules {
        GameRules {
            declaration: self.declaration,
            max_ply: (self.max_ply != 0).then_some(self.max_ply),
            max_ply_style: self.max_ply_style,
            ..GameRules::default()
        }
    }
}

/// The refusal of `found` at `key`.
pub(crate) fn refuse(key: &str, found: u32, expected: &str) -> Result<(), OptionError> {
    let (found, expected) = (found.to_string(), expected.to_owned());
    Err(OptionError {
        key: key.to_owned(),
        found,
        expected,
    })
}

#[cfg(test)]
mod tests;
