//! Ways of writing single moves.
//!
//! [`Notation`] names them and reads and writes all of them. USI and CSA say everything in the
//! text; the others leave out what the position tells, so reading needs the position too. Whole
//! games (headers, times, variations) are not here.

mod csa;
mod error;
mod japanese;
pub(crate) mod names;
mod reach;
mod western;

use std::fmt;
use std::str::FromStr;

pub use error::{NotationError, NotationProblem};

use crate::{Color, Move, Position, Square};
use western::Style;

/// A way of writing single moves.
///
/// ```
/// use rules::{Notation, Position};
///
/// let position = Position::startpos();
/// let mv = "7g7f".parse()?;
/// let write = |notation: Notation| notation.write(&position, mv, None);
/// assert_eq!(write(Notation::Usi), "7g7f");
/// assert_eq!(write(Notation::Csa), "+7776FU");
/// assert_eq!(write(Notation::Kif), "７六歩(77)");
/// assert_eq!(write(Notation::Ki2), "▲７六歩");
/// assert_eq!(write(Notation::Hodges), "P-7f");
/// assert_eq!(write(Notation::Hosking), "P-76");
/// assert_eq!(write(Notation::Vietnamese), "T(77)-76");
/// for notation in Notation::ALL {
///     assert_eq!(notation.read(&position, &write(notation), None), Ok(mv));
/// }
/// # Ok::<(), rules::ParseMoveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Notation {
    /// The engine protocol's: `7g7f`, `8h2b+`, `P*5e`.
    Usi,
    /// CSA's records and server protocol: sign, origin (`00` for a drop), destination, and the
    /// piece **after** the move: `+7776FU`, `-2288UM`, `+0055KA`.
    Csa,
    /// KIF records (棋譜): destination, piece, `成` for promoting, and the origin or `打` for a drop:
    /// `７六歩(77)`, `同　歩成(23)`, `５五角打`. Not promoting is not written.
    Kif,
    /// KI2 records, newspapers and books: no origin, but marks where several pieces could move to
    /// the square: `▲７六歩`, `△同歩不成`, `▲５八金右`.
    ///
    /// The marks are the Japan Shogi Association's. If the movement alone tells the piece: `上`
    /// forward, `寄` sideways, `引` backward. Otherwise where it came from, seen by the player who
    /// moves: `左` left, `右` right, `直` straight from behind (not for rooks, bishops, dragons and
    /// horses, of which two at most are told apart by left and right of each other). Otherwise
    /// both: `左上`. `打` for a drop only if a piece on the board could go there too, `成` for
    /// promoting, `不成` where that was possible and declined.
    Ki2,
    /// English texts since George Hodges: `P-7f`, `Px3c+`, `G6i-5h`, `B*4d`, `+R-5b`; `=` where
    /// promoting was possible and declined; the origin where several pieces could move there.
    Hodges,
    /// As [`Notation::Hodges`] with two digits for squares, after Tony Hosking: `P-76`, `Px33+`.
    Hosking,
    /// Vietnam's letters: V king (vua), X rook (xe), Tg bishop (tượng), Vg gold (vàng), B silver
    /// (bạc), M knight (mã), Th lance (thương), T pawn (tốt), promoted ones with a `+` before;
    /// then the origin in parentheses, `-`, `x` or `*`, and the destination, both in digits; `+`
    /// and `=` as Hodges has them: `T(77)-76`, `M(65)x53+`, `+X(28)-25`, `Tg*55`.
    Vietnamese,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 7] = [
        Notation::Usi,
        Notation::Csa,
        Notation::Kif,
        Notation::Ki2,
        Notation::Hodges,
        Notation::Hosking,
        Notation::Vietnamese,
    ];

    /// The name for command lines and messages: `usi`, `csa`, `kif`, …; [`FromStr`] reads it.
    pub const fn key(self) -> &'static str {
        match self {
            Notation::Usi => "usi",
            Notation::Csa => "csa",
            Notation::Kif => "kif",
            Notation::Ki2 => "ki2",
            Notation::Hodges => "hodges",
            Notation::Hosking => "hosking",
            Notation::Vietnamese => "vietnamese",
        }
    }

    /// Writes a move that is played in `position`.
    ///
    /// `previous` is where the last move arrived (`同` in Japanese texts), `None` at the start of a
    /// game. Every legal move is read back by [`Notation::read`]. An illegal one is written as far
    /// as the notation goes, for records that end with it: a KI2 move that the piece cannot make
    /// gets its origin in parentheses, one from an empty square has `?` for the piece and is not
    /// read back.
    pub fn write(self, position: &Position, mv: Move, previous: Option<Square>) -> String {
        match self {
            Notation::Usi => mv.to_string(),
            Notation::Csa => csa::write(position, mv),
            Notation::Kif => japanese::write_kif(position, mv, previous),
            Notation::Ki2 => japanese::write_ki2(position, mv, previous),
            Notation::Hodges => western::write(Style::Hodges, position, mv),
            Notation::Hosking => western::write(Style::Hosking, position, mv),
            Notation::Vietnamese => western::write(Style::Vietnamese, position, mv),
        }
    }

    /// Reads a move that is to be played in `position`.
    ///
    /// `previous` is where the last move arrived, for `同`. Blanks around the text don't matter.
    /// Marks that say more than needed are accepted, and missing ones where a single legal move
    /// fits. That a move is legal is not checked: a record may end with an illegal one.
    ///
    /// # Errors
    ///
    /// If the text is not a move in this notation or does not fit the position (another piece on
    /// the origin, say); a text that fits several moves is refused with the pieces that it could
    /// mean. See [`NotationProblem`].
    pub fn read(
        self,
        position: &Position,
        text: &str,
        previous: Option<Square>,
    ) -> Result<Move, NotationError> {
        let trimmed = text.trim();
        let mv = match self {
            Notation::Usi => read_usi(position, trimmed),
            Notation::Csa => csa::read(position, trimmed),
            Notation::Kif | Notation::Ki2 => japanese::read(position, trimmed, previous),
            Notation::Hodges => western::read(Style::Hodges, position, trimmed),
            Notation::Hosking => western::read(Style::Hosking, position, trimmed),
            Notation::Vietnamese => western::read(Style::Vietnamese, position, trimmed),
        };
        mv.map_err(|problem| NotationError::new(self, text, problem))
    }
}

impl fmt::Display for Notation {
    /// The key, see [`Notation::key`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// A text that is not the key of a notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseNotationError(String);

impl fmt::Display for ParseNotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "notation {:?}: expected one of ", self.0)?;
        for (i, notation) in Notation::ALL.into_iter().enumerate() {
            write!(f, "{}{notation}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseNotationError {}

impl FromStr for Notation {
    type Err = ParseNotationError;

    fn from_str(text: &str) -> Result<Notation, ParseNotationError> {
        Notation::ALL
            .into_iter()
            .find(|notation| notation.key() == text)
            .ok_or_else(|| ParseNotationError(text.to_owned()))
    }
}

fn read_usi(position: &Position, text: &str) -> Result<Move, NotationProblem> {
    let mv: Move = text.parse().map_err(|_| NotationProblem::Syntax {
        found: text.to_owned(),
        expected: "a move such as 7g7f, 8h2b+ or P*5e",
    })?;
    if let Some(from) = mv.from() {
        let mover = reach::own_piece(position, from)?;
        if mv.is_promotion() && mover.promoted().is_none() {
            return Err(NotationProblem::NoPromotion { kind: mover });
        }
    }
    Ok(mv)
}

/// What follows the sign of the player, which may be absent. `▼` is no sign of a player alone:
/// some texts mean Black by it, others White.
fn read_player<'a>(position: &Position, text: &'a str) -> Result<&'a str, NotationProblem> {
    let mut chars = text.chars();
    let found = match chars.next() {
        Some('▲' | '☗') => Some(Color::Black),
        Some('△' | '☖' | '▽') => Some(Color::White),
        Some('▼') => None,
        _ => return Ok(text),
    };
    match found {
        Some(found) if found != position.side_to_move() => Err(NotationProblem::Side { found }),
        _ => Ok(chars.as_str().trim_start()),
    }
}

fn syntax(found: &str, expected: &'static str) -> NotationProblem {
    NotationProblem::Syntax {
        found: found.to_owned(),
        expected,
    }
}

#[cfg(test)]
mod tests;
