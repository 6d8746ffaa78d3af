//! Results of games, as the formats of dlshogi write them.

use rules::{Color, EndReason, Outcome};

use super::error::ForeignFault;

/// Result of a game as a file says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// How it ended, as far as it is said.
    pub ending: Ending,
}

/// How a game ended, as far as hcpe2 and hcpe3 say it; hcpe and psv never do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ending {
    /// Not said: mate, resignation, or a file that never says.
    #[default]
    Unsaid,
    /// By repetition.
    Repetition,
    /// By declaration.
    Declaration,
    /// By the limit of moves.
    PlyLimit,
}

impl Ending {
    const ALL: [Ending; 4] = [
        Ending::Unsaid,
        Ending::Repetition,
        Ending::Declaration,
        Ending::PlyLimit,
    ];

    fn flag(self) -> u8 {
        match self {
            Ending::Unsaid => 0,
            Ending::Repetition => 4,
            Ending::Declaration => 8,
            Ending::PlyLimit => 16,
        }
    }
}

impl From<Outcome> for GameResult {
    /// Of the reason, what these formats can say.
    fn from(outcome: Outcome) -> Self {
        let ending = match outcome.reason {
            EndReason::Repetition | EndReason::PerpetualCheck => Ending::Repetition,
            EndReason::Declaration | EndReason::DeclaredDraw | EndReason::Try => {
                Ending::Declaration
            }
            EndReason::PlyLimit => Ending::PlyLimit,
            _ => Ending::Unsaid,
        };
        Self {
            winner: outcome.winner,
            ending,
        }
    }
}

impl GameResult {
    /// A result of which only the winner is known.
    pub const fn of(winner: Option<Color>) -> Self {
        let ending = Ending::Unsaid;
        Self { winner, ending }
    }

    /// As in hcpe2 and hcpe3: 0 draw, 1 Black won, 2 White won, and one of 4, 8, 16 for the ending.
    pub(super) fn read(found: u8) -> Result<Self, ForeignFault> {
        let winner = match found & 3 {
            0 => Some(None),
            1 => Some(Some(Color::Black)),
            2 => Some(Some(Color::White)),
            _ => None,
        };
        let ending = Ending::ALL
            .into_iter()
            .find(|ending| ending.flag() == found & !3);
        match (winner, ending) {
            (Some(winner), Some(ending)) => Ok(Self { winner, ending }),
            _ => Err(ForeignFault::Result {
                found: i16::from(found),
                expected: "0 to 2, or that with one of 4, 8 and 16",
            }),
        }
    }

    pub(super) fn code(self) -> u8 {
        self.winner_code() | self.ending.flag()
    }

    /// As in hcpe, which does not know endings.
    pub(super) fn winner_code(self) -> u8 {
        match self.winner {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        }
    }
}
