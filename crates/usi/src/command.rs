//! A GUI's lines as values. Nothing here knows shogi or what the engine is doing.

use crate::limits::GoLimits;

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
    /// A mate (`go mate`).
    Mate,
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
            "go" if rest.split_whitespace().any(|word| word == "mate") => Command::Go(Go::Mate),
            "go" => Command::Go(Go::Search(GoLimits::parse(rest))),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit(GoLimits::parse(rest)),
            "gameover" => Command::GameOver,
            "quit" => Command::Quit,
            _ => return None,
        })
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
