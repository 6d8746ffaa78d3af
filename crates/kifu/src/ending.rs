//! How games end in files, and who won.

use rules::{Color, EndReason, Outcome};

/// What a file says at the end of a line of moves. "The side to move" is that after the last move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// 投了: the side to move resigns.
    Resign,
    /// 中断: the game was broken off; nobody won.
    Interrupt,
    /// 千日手: a position occurred for the fourth time.
    Repetition,
    /// 切れ負け: the side to move ran out of time.
    TimeUp,
    /// 反則: this side made an illegal move, which may be the last of the record, or broke another
    /// rule (perpetual check, a wrong declaration, …): the other side wins.
    Foul(Color),
    /// 持将棋: a draw since both kings have entered.
    Impasse,
    /// 入玉勝ち: the side to move declares that it has won.
    Declaration,
    /// 引き分け: a draw by agreement, or for a reason that is not told.
    Draw,
    /// 最大手数: a draw since the game reached the limit of moves.
    MaxMoves,
    /// 詰み: the side to move is mated.
    Mate,
    /// 不詰: a problem without solution; nobody won.
    NoMate,
    /// 待った: a player wanted to take back; nobody won.
    TakeBack,
    /// エラー: something failed; nobody won.
    Error,
    /// 不戦勝: the opponent did not play: the side to move wins.
    DefaultWin,
    /// 不戦敗: the side to move did not play.
    DefaultLoss,
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// This side.
    Win(Color),
    /// Nobody: a draw.
    Draw,
    /// Broken off, or the file does not say.
    Unknown,
}

impl Ending {
    /// Every ending, with [`Ending::Foul`] for both sides.
    pub const ALL: [Ending; 16] = [
        Ending::Resign,
        Ending::Interrupt,
        Ending::Repetition,
        Ending::TimeUp,
        Ending::Foul(Color::Black),
        Ending::Foul(Color::White),
        Ending::Impasse,
        Ending::Declaration,
        Ending::Draw,
        Ending::MaxMoves,
        Ending::Mate,
        Ending::NoMate,
        Ending::TakeBack,
        Ending::Error,
        Ending::DefaultWin,
        Ending::DefaultLoss,
    ];

    /// Who won if `side` was to move. A repetition is a draw here:
    /// [`Record::result`](crate::Record::result) looks for perpetual check.
    pub fn result(self, side: Color) -> GameResult {
        match self {
            Ending::Resign | Ending::TimeUp | Ending::Mate | Ending::DefaultLoss => {
                GameResult::Win(side.flipped())
            }
            Ending::Declaration | Ending::DefaultWin => GameResult::Win(side),
            Ending::Foul(color) => GameResult::Win(color.flipped()),
            Ending::Repetition | Ending::Impasse | Ending::Draw | Ending::MaxMoves => {
                GameResult::Draw
            }
            Ending::Interrupt | Ending::NoMate | Ending::TakeBack | Ending::Error => {
                GameResult::Unknown
            }
        }
    }

    /// How a game with this outcome is written, where `side` is to move after the last move that the
    /// record holds. The winner is always right; reasons that files have no word for become the
    /// nearest that names it.
    pub fn of(outcome: Outcome, side: Color) -> Ending {
        let Some(winner) = outcome.winner else {
            return match outcome.reason {
                EndReason::Repetition | EndReason::PerpetualCheck => Ending::Repetition,
                EndReason::PlyLimit => Ending::MaxMoves,
                EndReason::Impasse | EndReason::DeclaredDraw => Ending::Impasse,
                _ => Ending::Draw,
            };
        };
        let mover_won = winner == side;
        match outcome.reason {
            EndReason::Declaration if mover_won => Ending::Declaration,
            EndReason::Forfeit if mover_won => Ending::DefaultWin,
            EndReason::Checkmate | EndReason::NoMoves if !mover_won => Ending::Mate,
            EndReason::TimeForfeit if !mover_won => Ending::TimeUp,
            EndReason::Forfeit if !mover_won => Ending::DefaultLoss,
            EndReason::Resignation | EndReason::Try if !mover_won => Ending::Resign,
            _ => Ending::Foul(winner.flipped()),
        }
    }
}

#[cfg(test)]
mod tests;
