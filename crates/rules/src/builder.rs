//! Setting up positions, and what no position may be.

use std::fmt;

use crate::movegen::immobile;
use crate::{Color, Piece, PieceKind, Position, Square};

/// A position being set up: pieces on squares, hands, side to move, ply.
///
/// Anything can be put anywhere; [`PositionBuilder::build`] says what is wrong with it. All readers
/// of positions (SFEN, diagrams, game records) go through here.
///
/// ```
/// use rules::{Color, Piece, PieceKind, PositionBuilder, Square};
///
/// let square = |name: &str| name.parse::<Square>().unwrap();
/// let mut builder = PositionBuilder::new();
/// builder
///     .put(square("5a"), Piece { color: Color::White, kind: PieceKind::King })
///     .put(square("5c"), Piece { color: Color::Black, kind: PieceKind::Pawn })
///     .set_hand(Color::Black, PieceKind::Gold, 1);
/// let problem = builder.build()?;
/// assert_eq!(problem.to_string(), "4k4/9/4P4/9/9/9/9/9/9 b G 1");
/// assert!(problem.mate_in_one().is_some());
///
/// builder.put(square("5d"), Piece { color: Color::Black, kind: PieceKind::Pawn });
/// assert_eq!(
///     builder.build().unwrap_err().to_string(),
///     "black has unpromoted pawns on 5c and 5d, expected at most one on file 5"
/// );
/// # Ok::<(), rules::PositionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionBuilder {
    board: [Option<Piece>; Square::COUNT],
    hands: [[u32; PieceKind::ALL.len()]; 2],
    side: Color,
    ply: u32,
}

impl Default for PositionBuilder {
    fn default() -> PositionBuilder {
        PositionBuilder::new()
    }
}

impl PositionBuilder {
    /// An empty board with empty hands; Black is to move, at ply 0.
    pub const fn new() -> PositionBuilder {
        PositionBuilder {
            board: [None; Square::COUNT],
            hands: [[0; PieceKind::ALL.len()]; 2],
            side: Color::Black,
            ply: 0,
        }
    }

    /// Puts a piece on a square, in place of what stands there.
    pub fn put(&mut self, square: Square, piece: Piece) -> &mut PositionBuilder {
        self.board[square.index()] = Some(piece);
        self
    }

    /// Empties a square.
    pub fn clear(&mut self, square: Square) -> &mut PositionBuilder {
        self.board[square.index()] = None;
        self
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Gives a player `count` pieces of a kind in hand, in place of those held so far.
    pub fn set_hand(&mut self, color: Color, kind: PieceKind, count: u32) -> &mut PositionBuilder {
        self.hands[color.index()][kind.index()] = count;
        self
    }

    /// Gives a player `count` more pieces of a kind in hand.
    pub fn add_to_hand(
        &mut self,
        color: Color,
        kind: PieceKind,
        count: u32,
    ) -> &mut PositionBuilder {
        let held = &mut self.hands[color.index()][kind.index()];
        *held = held.saturating_add(count);
        self
    }

    /// Gives a player all pieces of a full set (kings aside) that are nowhere yet, as mate problems
    /// give them to the defender.
    pub fn add_rest_to_hand(&mut self, color: Color) -> &mut PositionBuilder {
        for kind in PieceKind::HAND {
            let used = u64::from(self.on_board(kind)) + self.in_hands(kind);
            let rest = u64::from(kind.in_full_set()).saturating_sub(used);
            self.add_to_hand(color, kind, rest as u32);
        }
        self
    }

    /// Says whose turn it is.
    pub fn set_side_to_move(&mut self, color: Color) -> &mut PositionBuilder {
        self.side = color;
        self
    }

    /// Says how many half-moves were played before.
    pub fn set_ply(&mut self, ply: u32) -> &mut PositionBuilder {
        self.ply = ply;
        self
    }

    /// The position.
    ///
    /// # Errors
    ///
    /// If it could not arise in a game or a problem, see [`PositionError`]. Missing pieces are no
    /// reason, not even missing kings, and neither are some too many: composed problems have
    /// three bishops now and then.
    pub fn build(&self) -> Result<Position, PositionError> {
        if self.ply > MAX_PLY {
            return Err(PositionError::Ply(self.ply));
        }
        self.check_counts()?;
        for color in Color::ALL {
            self.check_pieces(color)?;
        }
        let mut position = Position::empty(self.side, self.ply);
        for square in Square::all() {
            if let Some(piece) = self.piece_at(square) {
                position.put(square, piece);
            }
        }
        for color in Color::ALL {
            for kind in PieceKind::HAND {
                for _ in 0..self.hands[color.index()][kind.index()] {
                    position.add_to_hand(color, kind);
                }
            }
        }
        check_waiting_side(&position)?;
        Ok(position)
    }

    /// Pieces of a kind on the board, promoted ones of it too.
    fn on_board(&self, kind: PieceKind) -> u32 {
        let pieces = self.board.iter().flatten();
        pieces
            .filter(|piece| piece.kind.unpromoted() == kind)
            .count() as u32
    }

    fn in_hands(&self, kind: PieceKind) -> u64 {
        let held = |color: Color| u64::from(self.hands[color.index()][kind.index()]);
        held(Color::Black) + held(Color::White)
    }

    fn check_counts(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                if !PieceKind::HAND.contains(&kind) && self.hands[color.index()][kind.index()] > 0 {
                    return Err(PositionError::NeverInHand { color, kind });
                }
            }
        }
        for kind in PieceKind::HAND {
            let (on_board, in_hands) = (self.on_board(kind), self.in_hands(kind));
            if u64::from(on_board) + in_hands > u64::from(most_accepted(kind)) {
                return Err(PositionError::TooMany {
                    kind,
                    on_board,
                    in_hands,
                });
            }
        }
        Ok(())
    }

    /// What one side's pieces on the board must not be.
    fn check_pieces(&self, color: Color) -> Result<(), PositionError> {
        let squares_of = |kind: PieceKind| {
            let piece = Some(Piece { color, kind });
            Square::all().filter(move |&square| self.piece_at(square) == piece)
        };
        let kings: Vec<Square> = squares_of(PieceKind::King).collect();
        if kings.len() > 1 {
            return Err(PositionError::ManyKings {
                color,
                squares: kings,
            });
        }
        for kind in PieceKind::HAND {
            let stuck = immobile(kind, color);
            if let Some(square) = squares_of(kind).find(|&square| stuck.contains(square)) {
                return Err(PositionError::Immobile {
                    piece: Piece { color, kind },
                    square,
                });
            }
        }
        for file in 1..=9 {
            let pawns: Vec<Square> = squares_of(PieceKind::Pawn)
                .filter(|pawn| pawn.file() == file)
                .collect();
            if pawns.len() > 1 {
                return Err(PositionError::DoubledPawns {
                    color,
                    squares: pawns,
                });
            }
        }
        Ok(())
    }
}

impl From<&Position> for PositionBuilder {
    fn from(position: &Position) -> PositionBuilder {
        let mut builder = PositionBuilder::new();
        builder.set_side_to_move(position.side_to_move());
        builder.set_ply(position.ply());
        for square in Square::all() {
            if let Some(piece) = position.piece_at(square) {
                builder.put(square, piece);
            }
        }
        for color in Color::ALL {
            for (kind, count) in position.hand(color).iter() {
                builder.set_hand(color, kind, count);
            }
        }
        builder
    }
}

/// The side that has just moved must not be in check.
fn check_waiting_side(position: &Position) -> Result<(), PositionError> {
    let color = position.side_to_move().flipped();
    let Some(king) = position.king(color) else {
        return Ok(());
    };
    let checkers: Vec<(PieceKind, Square)> = position
        .attackers_to(king, color.flipped())
        .filter_map(|square| Some((position.piece_at(square)?.kind, square)))
        .collect();
    if checkers.is_empty() {
        Ok(())
    } else {
        Err(PositionError::WaitingSideInCheck {
            color,
            king,
            checkers,
        })
    }
}

/// Composed problems now and then have a piece too many (three bishops, say), so up to twice a full
/// set is read; the bound keeps hands and move lists within their fixed sizes.
const fn most_accepted(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Pawn => kind.in_full_set(),
        _ => 2 * kind.in_full_set(),
    }
}

/// The latest ply that a position may be set up at: half of what the counter holds, so that the moves
/// of no game that follows can overflow it.
const MAX_PLY: u32 = 1 << 31;

/// Why a set-up is not a position that can be played from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PositionError {
    /// More half-moves were played before than any game has.
    Ply(u32),
    /// More pieces of a kind than problems with an odd set have: 18 pawns, twice the set of others.
    TooMany {
        /// Which kind, unpromoted.
        kind: PieceKind,
        /// How many stand on the board, promoted ones included.
        on_board: u32,
        /// How many are in the two hands.
        in_hands: u64,
    },
    /// A king or a promoted piece in hand.
    NeverInHand {
        /// Whose hand.
        color: Color,
        /// What is in it.
        kind: PieceKind,
    },
    /// A side has several kings.
    ManyKings {
        /// Which side.
        color: Color,
        /// Where they stand.
        squares: Vec<Square>,
    },
    /// A piece stands where it could never move (行き所のない駒).
    Immobile {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// Several unpromoted pawns of one side on one file (二歩 nifu).
    DoubledPawns {
        /// Whose pawns.
        color: Color,
        /// Where they stand, all on one file.
        squares: Vec<Square>,
    },
    /// The side that is not to move is in check.
    WaitingSideInCheck {
        /// The side in check.
        color: Color,
        /// Where its king stands.
        king: Square,
        /// What gives check, and from where.
        checkers: Vec<(PieceKind, Square)>,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Ply(found) => {
                write!(f, "found ply {found}, expected at most {MAX_PLY}")
            }
            PositionError::TooMany {
                kind,
                on_board,
                in_hands,
            } => write!(
                f,
                "found {} {}s ({on_board} on the board, {in_hands} in hand), expected at most {}",
                u64::from(*on_board) + in_hands,
                kind.english(),
                most_accepted(*kind)
            ),
            PositionError::NeverInHand { color, kind } => write!(
                f,
                "found a {} in {color}'s hand, expected unpromoted pieces other than kings",
                kind.english()
            ),
            PositionError::ManyKings { color, squares } => write!(
                f,
                "{color} has kings on {}, expected at most one",
                listed(squares)
            ),
            PositionError::Immobile { piece, square } => write!(
                f,
                "the {} {} on {square} could never move, expected it on ranks {}",
                piece.color,
                piece.kind.english(),
                mobile_ranks(*piece)
            ),
            PositionError::DoubledPawns { color, squares } => write!(
                f,
                "{color} has unpromoted pawns on {}, expected at most one on file {}",
                listed(squares),
                squares.first().map_or(0, |square| square.file())
            ),
            PositionError::WaitingSideInCheck {
                color,
                king,
                checkers,
            } => {
                let by = checkers
                    .iter()
                    .map(|(kind, square)| format!("the {} on {square}", kind.english()));
                write!(
                    f,
                    "{color}'s king on {king} is in check by {}, but {} is to move",
                    joined(by.collect()),
                    color.flipped()
                )
            }
        }
    }
}

impl std::error::Error for PositionError {}

/// The ranks on which a piece has a move, as `b to i`.
fn mobile_ranks(piece: Piece) -> String {
    let stuck = immobile(piece.kind, piece.color);
    let mut ranks = (1..=9).filter(|&rank| {
        Square::from_file_rank(5, rank).is_some_and(|square| !stuck.contains(square))
    });
    let letter = |rank: Option<u8>| char::from(b'a' + rank.unwrap_or(1) - 1);
    let first = ranks.next();
    format!("{} to {}", letter(first), letter(ranks.next_back()))
}

pub(crate) fn listed(squares: &[Square]) -> String {
    joined(squares.iter().map(ToString::to_string).collect())
}

/// `x`, `x and y`, `x, y and z`.
pub(crate) fn joined(parts: Vec<String>) -> String {
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests;
