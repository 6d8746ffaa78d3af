//! Where games stop that will not end.

use std::fmt;
use std::str::FromStr;

/// What happens when a game reaches its ply limit. Either way a mate by the last move counts, and so
/// does everything else that ends a game by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PlyLimitStyle {
    /// The game is a draw at once, as in computer events.
    #[default]
    Plain,
    /// 500手ルール, the rule of the Japan Shogi Association (there with 500 plies): the game is a
    /// draw unless the last ply gave check. If it did, the game goes on as long as that side gives
    /// check with every move, and is a draw as soon as one of its moves does not. A mate in that
    /// chain of checks wins, and a perpetual check in it loses.
    Jsa,
}

impl PlyLimitStyle {
    /// All styles.
    pub const ALL: [PlyLimitStyle; 2] = [PlyLimitStyle::Plain, PlyLimitStyle::Jsa];

    /// The name on command lines and in configurations: `plain`, `jsa`.
    pub const fn as_str(self) -> &'static str {
        match self {
            PlyLimitStyle::Plain => "plain",
            PlyLimitStyle::Jsa => "jsa",
        }
    }
}

impl fmt::Display for PlyLimitStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is not the name of a [`PlyLimitStyle`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsePlyLimitStyleError(String);

impl fmt::Display for ParsePlyLimitStyleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply limit style {:?}: expected plain or jsa", self.0)
    }
}

impl std::error::Error for ParsePlyLimitStyleError {}

impl FromStr for PlyLimitStyle {
    type Err = ParsePlyLimitStyleError;

    fn from_str(text: &str) -> Result<PlyLimitStyle, ParsePlyLimitStyleError> {
        let found = PlyLimitStyle::ALL
            .into_iter()
            .find(|style| style.as_str() == text);
        found.ok_or_else(|| ParsePlyLimitStyleError(text.to_owned()))
    }
}
