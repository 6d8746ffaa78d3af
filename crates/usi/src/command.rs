//! A GUI's lines as values. Nothing here knows shogi or what the engine is doing.

use std::time::Duration;

use crate::limits::{GoLimits, parse_number};

#[cfg(test)]
mod tests;

/// One command from the GUI.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// `usi`: say who you are and which options you have.
    Usi,
    /// `isready`: load what must be loaded, then say `readyok`.
    IsReady,
    /// `setoption name N value V`; an absent value and `<empty>` are both the empty string.
    SetOption {
        /// The option's name as written.
        name: String,
        /// The rest of the line after `value`, blanks inside it kept.
        value: String,
    },
    /// `usinewgame`.
    NewGame,
    /// `position …`, not yet checked: see [`crate::GivenGame::parse`].
    Position(String),
    /// `go …`.
    Go(Go),
    /// `stop`.
    Stop,
    /// `ponderhit`; early ponder puts the clocks here.
    PonderHit(GoLimits),
    /// `gameover`, with or without a result.
    GameOver,
    /// `quit`.
    Quit,
}

/// What a `go` asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Go {
    /// A move.
    Search(GoLimits),
    /// A mate (`go mate`), in so much time at most; `None` for no limit.
    Mate(Option<Duration>),
}

impl Command {
    /// Reads one line, with or without its line end; `None` for an empty line and for a first word
    /// that is no command. Never fails: unreadable numbers and unknown words are skipped.
    pub fn parse(line: &str) -> Option<Command> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(match word {
            "usi" => Command::Usi,
            "isready" => Command::IsReady,
            "setoption" => parse_option(rest),
            "usinewgame" => Command::NewGame,
            "position" => Command::Position(rest.trim().to_owned()),
            "go" => Command::Go(parse_go(rest)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit(GoLimits::parse(rest)),
            "gameover" => Command::GameOver,
            "quit" => Command::Quit,
            _ => return None,
        })
    }
}

/// `mate`, `mate infinite` and `mate MS` ask for a mate; a word that is no number is no limit.
fn parse_go(rest: &str) -> Go {
    let mut words = rest.split_whitespace();
    if words.any(|word| word == "mate") {
        let ms = words.next().and_then(parse_number);
        Go::Mate(ms.map(Duration::from_millis))
    } else {
        Go::Search(GoLimits::parse(rest))
    }
}

/// `name N [value V]`; without the word `name` the name is empty, which no option has.
fn parse_option(rest: &str) -> Command {
    let rest = rest.trim();
    let rest = match rest.split_once(char::is_whitespace) {
        Some(("name", rest)) => rest.trim_start(),
        _ => "",
    };
    let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let value = value.trim_start();
    let value = match value.split_once(char::is_whitespace) {
        Some(("value", value)) => value.trim(),
        None if value == "value" => "",
        // A name of several words: no option of ours, so what follows does not matter.
        _ => value,
    };
    let value = if value == "<empty>" { "" } else { value };
    Command::SetOption {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}
