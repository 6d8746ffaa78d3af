//! What shapes the games that a net learns from.

use rules::{DeclarationRule, GameRules, PlyLimitStyle};
use serde::{Deserialize, Serialize};

/// How training games are played, apart from the search itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayOptions {
    /// Games that one pool advances together, 1 to 4096: the largest batch it evaluates.
    pub games_at_once: u32,
    /// The game is a draw after this many plies, 1 to 10,000. Early nets play on for ever; 320
    /// cuts 5 % of random games that give mate in one.
    pub max_ply: u32,
    /// Whether the limit waits for the end of a chain of checks: `plain` or `jsa`.
    #[serde(with = "search::as_text")]
    pub max_ply_style: PlyLimitStyle,
    /// What an entered king can win: `27`, `24` (points), `try` or `none`. A net learns the rule
    /// that it plays by, so it should be the one of its later games.
    #[serde(with = "search::as_text")]
    pub declaration: DeclarationRule,
    /// Share of games that begin with random moves, from 0 to 1.
    pub random_opening_share: f32,
    /// The most random moves such a game begins with, at most 100 and less than `max_ply`: each
    /// number from 1 to this is as likely.
    pub random_opening_plies: u32,
    /// Plies (counted from the end of the opening) whose move is drawn from the search's policy;
    /// after them the search's best move is played. AlphaZero: 30.
    pub temperature_plies: u32,
    /// Exponent 1/temperature on the policy that a move is drawn from, above 0: below 1 sharpens.
    pub temperature: f32,
}

impl Default for SelfPlayOptions {
    fn default() -> SelfPlayOptions {
        SelfPlayOptions {
            games_at_once: 64,
            max_ply: 320,
            max_ply_style: PlyLimitStyle::Plain,
            declaration: DeclarationRule::Points27,
            random_opening_share: 0.3,
            random_opening_plies: 8,
            temperature_plies: 30,
            temperature: 1.0,
        }
    }
}

impl SelfPlayOptions {
    /// The rules of training games.
    pub fn rules(&self) -> GameRules {
        GameRules {
            declaration: self.declaration,
            max_ply: Some(self.max_ply),
            max_ply_style: self.max_ply_style,
            ..GameRules::default()
        }
    }

    /// Refuses values outside the documented ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let whole = |key, found: u32, low: u32, high: u32| {
            let fits = (low..=high).contains(&found);
            let message = || format!("{found}: expected a whole number from {low} to {high}");
            if fits { Ok(()) } else { Err((key, message())) }
        };
        whole("games_at_once", self.games_at_once, 1, 4096)?;
        whole("max_ply", self.max_ply, 1, 10_000)?;
        let most = (self.max_ply - 1).min(100);
        whole("random_opening_plies", self.random_opening_plies, 0, most)?;
        if !(0.0..=1.0).contains(&self.random_opening_share) {
            let message = format!(
                "{}: expected a number from 0 to 1",
                self.random_opening_share
            );
            return Err(("random_opening_share", message));
        }
        if !(self.temperature > 0.0 && self.temperature.is_finite()) {
            return Err((
                "temperature",
                format!("{}: expected a number above 0", self.temperature),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
