//! A position as it is typed for a command.

use anyhow::Context;
use rules::{Game, GameRules};
use usi::GivenGame;

use crate::exit::{Refuse, Usage};

/// The arguments that name a position.
#[derive(Debug, clap::Args)]
pub struct PositionText {
    /// Position in USI's form, in one argument or several: `startpos`, `sfen …` or a bare SFEN,
    /// each with `moves …` after it if there are any
    #[arg(value_name = "TEXT", conflicts_with_all = ["sfen", "moves"])]
    pub text: Vec<String>,
    /// Position [default: the start position]
    #[arg(long, value_name = "SFEN")]
    pub sfen: Option<String>,
    /// Moves played from there, in USI's form
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
}

impl PositionText {
    /// The game that has come to the position.
    ///
    /// # Errors
    ///
    /// If the position or a move is refused.
    pub fn game(&self, rules: GameRules) -> anyhow::Result<Game> {
        let given = GivenGame::parse(&self.usi_text()?)
            .context("position")
            .refused()?;
        Ok(given.game(rules))
    }

    /// The position as one text in USI's form, whichever way it was typed.
    fn usi_text(&self) -> anyhow::Result<String> {
        if !self.text.is_empty() {
            let text = self.text.join(" ");
            return Ok(text.strip_prefix("position ").unwrap_or(&text).to_owned());
        }
        let mut text = match &self.sfen {
            Some(sfen) if sfen.split_whitespace().any(|word| word == "moves") => {
                let text = "--sfen has moves in it: give them after --moves";
                return Err(Usage(text.to_owned()).into());
            }
            Some(sfen) => sfen.clone(),
            None => "startpos".to_owned(),
        };
        if !self.moves.is_empty() {
            text = format!("{text} moves {}", self.moves.join(" "));
        }
        Ok(text)
    }
}
