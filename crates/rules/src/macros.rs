//! Boards drawn in source text, for tests and examples.

/// The position of a drawing, for tests and examples: [`Position::from_diagram`] that panics.
///
/// The nine rows are enough; hands and side to move follow where they are needed.
///
/// ```
/// let problem = rules::position!(
///     "
///     .  .  .  .  k  .  .  .  .
///     .  .  .  .  .  .  .  .  .
///     .  .  .  .  P  .  .  .  .
///     .  .  .  .  .  .  .  .  .
///     .  .  .  .  .  .  .  .  .
///     .  .  .  .  .  .  .  .  .
///     .  .  .  .  .  .  .  .  .
///     .  .  .  .  .  .  .  .  .
///     .  .  .  .  .  .  .  .  .
///     Black: G
///     "
/// );
/// assert_eq!(problem.to_string(), "4k4/9/4P4/9/9/9/9/9/9 b G 1");
/// assert_eq!(problem.mate_in_one(), Some("G*5b".parse().unwrap()));
/// ```
///
/// # Panics
///
/// If the text is no drawing of a position.
///
/// [`Position::from_diagram`]: crate::Position::from_diagram
#[macro_export]
macro_rules! position {
    ($drawing:expr) => {
        match $crate::Position::from_diagram($drawing) {
            Ok(position) => position,
            Err(error) => panic!("{error}"),
        }
    };
}

/// A set of squares, drawn as the board is seen by Black: `X` for a square of the set, `.` for
/// another, nine rows from rank a to i, each from file 9 to 1.
///
/// ```
/// use rules::{Bitboard, Color, PieceKind, attacks, bitboard};
///
/// let knight = attacks(PieceKind::Knight, Color::Black, "5e".parse().unwrap(), Bitboard::EMPTY);
/// assert_eq!(
///     knight,
///     bitboard! {
///         . . . . . . . . .
///         . . . . . . . . .
///         . . . X . X . . .
///         . . . . . . . . .
///         . . . . . . . . .
///         . . . . . . . . .
///         . . . . . . . . .
///         . . . . . . . . .
///         . . . . . . . . .
///     }
/// );
/// ```
///
/// A drawing with another number of squares, or another character, does not compile.
#[macro_export]
macro_rules! bitboard {
    (@square .) => {
        false
    };
    (@square X) => {
        true
    };
    ($($square:tt)*) => {{
        const DRAWN: [bool; 81] = [$($crate::bitboard!(@square $square)),*];
        (1..=9u8)
            .flat_map(|rank| (1..=9u8).rev().map(move |file| (file, rank)))
            .zip(DRAWN)
            .filter(|&(_, drawn)| drawn)
            .filter_map(|((file, rank), _)| $crate::Square::from_file_rank(file, rank))
            .collect::<$crate::Bitboard>()
    }};
}

#[cfg(test)]
mod tests;
