//! How a game ended.

use std::fmt;
use std::str::FromStr;

use crate::Color;

/// Who won a finished game, and why it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Why the game ended.
    pub reason: EndReason,
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EndReason {
    /// 詰み: in check without a legal move; the side to move loses.
    Checkmate,
    /// Not in check, but without a legal move; the side to move loses (there is no stalemate).
    NoMoves,
    /// 千日手: the fourth occurrence of a position; a draw.
    Repetition,
    /// 連続王手の千日手: repetition by perpetual check; the checking side loses.
    PerpetualCheck,
    /// 入玉宣言: a correct declaration; the declarer wins.
    Declaration,
    /// A declaration without its conditions; the declarer loses.
    FailedDeclaration,
    /// The game reached its ply limit; a draw.
    PlyLimit,
    /// 投了: the loser resigned.
    Resignation,
    /// The loser's time ran out.
    TimeForfeit,
    /// The loser made an illegal move, or its engine failed.
    IllegalMove,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [EndReason; 10] = [
        EndReason::Checkmate,
        EndReason::NoMoves,
        EndReason::Repetition,
        EndReason::PerpetualCheck,
        EndReason::Declaration,
        EndReason::FailedDeclaration,
        EndReason::PlyLimit,
        EndReason::Resignation,
        EndReason::TimeForfeit,
        EndReason::IllegalMove,
    ];

    /// The name in kebab-case, as in JSON and event files.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::Checkmate => "checkmate",
            EndReason::NoMoves => "no-moves",
            EndReason::Repetition => "repetition",
            EndReason::PerpetualCheck => "perpetual-check",
            EndReason::Declaration => "declaration",
            EndReason::FailedDeclaration => "failed-declaration",
            EndReason::PlyLimit => "ply-limit",
            EndReason::Resignation => "resignation",
            EndReason::TimeForfeit => "time-forfeit",
            EndReason::IllegalMove => "illegal-move",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is not the name of an [`EndReason`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseEndReasonError(String);

impl fmt::Display for ParseEndReasonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "end reason {:?}: expected a name such as checkmate or repetition",
            self.0
        )
    }
}

impl std::error::Error for ParseEndReasonError {}

impl FromStr for EndReason {
    type Err = ParseEndReasonError;

    fn from_str(text: &str) -> Result<EndReason, ParseEndReasonError> {
        let found = EndReason::ALL
            .into_iter()
            .find(|reason| reason.as_str() == text);
        found.ok_or_else(|| ParseEndReasonError(text.to_owned()))
    }
}

impl Outcome {
    /// A win for `color`.
    pub const fn win(color: Color, reason: EndReason) -> Outcome {
        Outcome {
            winner: Some(color),
            reason,
        }
    }

    /// A draw.
    pub const fn draw(reason: EndReason) -> Outcome {
        Outcome {
            winner: None,
            reason,
        }
    }
}
