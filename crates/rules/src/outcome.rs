//! How a game ended.

use std::fmt;
use std::str::FromStr;

use crate::{Color, IllegalReason};

/// Who won a finished game, and why it ended.
///
/// A game that was broken off (中断 chūdan) has no outcome: it is not a draw. Where that can
/// happen, as in records of other programs, an `Option` of this says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Why the game ended.
    pub reason: EndReason,
}

/// Why a game ended.
///
/// Some ends stand on the board and are told by [`Game::outcome`](crate::Game::outcome); some are
/// what a player says, and the board tells what it leads to ([`Game::declare`](crate::Game::declare),
/// [`Game::impasse`](crate::Game::impasse)); the others must be believed.
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
    /// 時間切れ: the loser's time ran out.
    TimeForfeit,
    /// 反則: an illegal move that is not named, or the failure of an engine; it loses.
    IllegalMove,
    /// 入玉宣言 with points for a draw only: a draw. See
    /// [`DeclarationRule::Points24`](crate::DeclarationRule::Points24).
    DeclaredDraw,
    /// トライ: the winner's king has stepped to where the other king began.
    Try,
    /// 持将棋: both sides agreed to count; a draw, or a loss for who has too few points. See
    /// [`Game::impasse`](crate::Game::impasse).
    Impasse,
    /// 合意による引き分け: a draw that both sides agreed on without counting.
    Agreement,
    /// 不戦敗: the loser did not play at all.
    Forfeit,
    /// 反則: the loser made an illegal move, for this reason.
    Foul(IllegalReason),
}

impl EndReason {
    /// All reasons.
    pub const ALL: [EndReason; 28] = {
        const PLAIN: [EndReason; 15] = [
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
            EndReason::DeclaredDraw,
            EndReason::Try,
            EndReason::Impasse,
            EndReason::Agreement,
            EndReason::Forfeit,
        ];
        let mut all = [EndReason::Checkmate; 28];
        let mut i = 0;
        while i < all.len() {
            all[i] = if i < PLAIN.len() {
                PLAIN[i]
            } else {
                EndReason::Foul(IllegalReason::ALL[i - PLAIN.len()])
            };
            i += 1;
        }
        all
    };

    /// The name in kebab-case, as in JSON and event files. A foul has the name of its rule.
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
            EndReason::DeclaredDraw => "declared-draw",
            EndReason::Try => "try",
            EndReason::Impasse => "impasse",
            EndReason::Agreement => "agreement",
            EndReason::Forfeit => "forfeit",
            EndReason::Foul(reason) => reason.as_str(),
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

#[cfg(test)]
mod tests;
