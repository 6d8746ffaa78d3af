//! Shogi (将棋): positions, legal moves, game ends, move and position notations.
//!
//! Read [`Position`] (board, hands, side to move: a value without history) and [`Game`] (a start
//! position and the moves since: the only type that knows repetition, perpetual check, the ply
//! limit and who won) first. No I/O, no clock, no threads, no randomness, no dependencies.
//!
//! ```
//! use rules::{Game, GameRules, Position};
//!
//! let mut game = Game::new(Position::startpos(), GameRules::default());
//! game.play("7g7f".parse().unwrap()).unwrap();
//! assert_eq!(game.position().legal_moves().len(), 30);
//! assert_eq!(
//!     game.position().to_string(),
//!     "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
//! );
//! ```
//!
//! # The game in short
//!
//! Two players, **Black** (先手 sente, moves first) and **White** (後手 gote), move in turn on a board
//! of nine files and nine ranks. The aim is to capture the king; the game is over as soon as nothing
//! prevents that any more: checkmate (詰み tsumi). The pieces of both players look alike; whose a
//! piece is shows only in the direction that it points to, since captured pieces change sides.
//!
//! ## The board
//!
//! Files are counted 1 to 9 from Black's right, ranks `a` to `i` (in Japanese texts 一 to 九) from
//! White's side, so that the square before Black's king is `5h` (５八). Black's pawns move up, towards
//! rank `a`. [`Square`] numbers the squares file by file: `1a` is 0, `1b` is 1, `9i` is 80.
//!
//! ```text
//!   9  8  7  6  5  4  3  2  1
//!   l  n  s  g  k  g  s  n  l  a     White's pieces, in lower case
//!   .  r  .  .  .  .  .  b  .  b
//!   p  p  p  p  p  p  p  p  p  c
//!   .  .  .  .  .  .  .  .  .  d
//!   .  .  .  .  .  .  .  .  .  e
//!   .  .  .  .  .  .  .  .  .  f
//!   P  P  P  P  P  P  P  P  P  g
//!   .  B  .  .  .  .  .  R  .  h
//!   L  N  S  G  K  G  S  N  L  i     Black's pieces, in upper case
//! ```
//!
//! ## The pieces
//!
//! | [`PieceKind`] | Japanese | moves, seen by its player | promotes to |
//! | --- | --- | --- | --- |
//! | `King` | 玉 gyoku, 王 o | one step in all eight directions | - |
//! | `Rook` | 飛 hisha | any distance along file and rank | `Dragon` |
//! | `Bishop` | 角 kaku | any distance along the diagonals | `Horse` |
//! | `Gold` | 金 kin | one step, but not diagonally backward | - |
//! | `Silver` | 銀 gin | one step forward or in a diagonal direction | `ProSilver` |
//! | `Knight` | 桂 kei | jumps: two forward and one to a side, only forward | `ProKnight` |
//! | `Lance` | 香 kyo | any distance straight forward | `ProLance` |
//! | `Pawn` | 歩 fu | one step forward, and captures so too | `ProPawn` |
//! | `Dragon` | 龍 ryu | as a rook, or one step diagonally | |
//! | `Horse` | 馬 uma | as a bishop, or one step along file or rank | |
//! | `ProSilver`, `ProKnight`, `ProLance`, `ProPawn` | 成銀 narigin, 成桂 narikei, 成香 narikyo, と tokin | as a gold | |
//!
//! [`attacks`] is the table of these movements:
//!
//! ```
//! use rules::{Bitboard, Color, PieceKind, attacks, bitboard};
//!
//! let gold = attacks(PieceKind::Gold, Color::Black, "5h".parse().unwrap(), Bitboard::EMPTY);
//! assert_eq!(
//!     gold,
//!     bitboard! {
//!         . . . . . . . . .
//!         . . . . . . . . .
//!         . . . . . . . . .
//!         . . . . . . . . .
//!         . . . . . . . . .
//!         . . . . . . . . .
//!         . . . X X X . . .
//!         . . . X . X . . .
//!         . . . . X . . . .
//!     }
//! );
//! ```
//!
//! ## Promotion (成り nari)
//!
//! A move that begins or ends in the three far ranks may promote the piece. It need not, unless the
//! piece could not move again: a pawn or lance on the last rank, a knight on the last two (行き所のない駒).
//! Promotion lasts until the piece is captured.
//!
//! ## Drops (打つ utsu)
//!
//! A captured piece changes sides: it goes, unpromoted, into the [`Hand`] (持ち駒 mochigoma) of who
//! took it. Instead of moving, a player may put one of them on any empty square, except
//!
//! - where it could not move again,
//! - a pawn on a file with an own unpromoted pawn (二歩 nifu),
//! - a pawn that gives mate at once (打ち歩詰め uchifuzume).
//!
//! ```
//! use rules::{Move, position};
//!
//! let mut position = position!(
//!     "
//!     .  .  .  .  .  .  .  .  k
//!     .  .  .  .  .  .  .  .  .
//!     .  .  .  .  .  .  .  +R .
//!     .  .  .  .  .  .  .  .  .
//!     .  .  .  .  .  .  .  .  .
//!     .  .  .  .  .  .  .  .  .
//!     .  .  .  .  .  .  .  .  .
//!     .  .  .  .  .  .  .  .  .
//!     K  .  .  .  .  .  .  .  .
//!     Black: P, L
//!     "
//! );
//! let pawn: Move = "P*1b".parse().unwrap();
//! let lance: Move = "L*1b".parse().unwrap();
//! assert!(!position.is_legal(pawn)); // it would be mate
//! assert!(position.is_legal(lance)); // so is this, and allowed
//! position.do_move(lance);
//! assert!(position.is_checkmate());
//! ```
//!
//! ## Check (王手 ote)
//!
//! A king that is attacked is in check, and the next move must end it; no move may leave the own
//! king in check. [`Position::legal_moves`] has exactly the moves that remain. A player without a
//! legal move has lost, in check or not.
//!
//! ## How games end
//!
//! [`Game::outcome`] knows these ends; [`EndReason`] names them and those that players and referees
//! bring about.
//!
//! - No legal move: the side to move loses.
//! - The same position (board, hands, side to move) for the fourth time (千日手 sennichite): a draw,
//!   but if all moves of one side since the first time gave check, that side loses (連続王手の千日手).
//! - A declared win with the king in the enemy camp (入玉宣言 nyugyoku sengen): [`DeclarationRule`].
//! - The ply limit of the event: [`GameRules`].
//!
//! # Notation
//!
//! Positions are written as SFEN ([`Position::from_sfen`] and `Display`) and drawn as boards
//! ([`Position::diagram`]); [`PositionBuilder`] sets them up piece by piece, and [`Handicap`] has the
//! named starts. Moves are written as in the engine protocol USI by [`Move`] itself, and in the ways
//! of records and books by [`Notation`]:
//!
//! ```
//! use rules::{Notation, Position};
//!
//! let position = Position::startpos();
//! let mv = Notation::Ki2.read(&position, "▲５八金右", None)?;
//! assert_eq!(mv.to_string(), "4i5h");
//! assert_eq!(Notation::Hodges.write(&position, mv, None), "G4i-5h");
//! # Ok::<(), rules::NotationError>(())
//! ```

// The checks of the fuzz targets are tests of this crate too, and name it from outside.
#[cfg(test)]
extern crate self as rules;

mod attacks;
mod bitboard;
mod builder;
mod checks;
mod color;
mod declaration;
mod diagram;
mod game;
mod hand;
mod handicap;
mod illegal;
mod macros;
pub mod mate;
pub mod material;
mod movegen;
mod moves;
mod notation;
mod outcome;
mod perft;
mod piece;
mod ply_limit;
mod position;
mod sfen;
mod square;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod zobrist;

pub use attacks::{attacks, between};
pub use bitboard::Bitboard;
pub use builder::{PositionBuilder, PositionError};
pub use color::Color;
pub use declaration::{Declaration, DeclarationRule, ParseDeclarationRuleError};
pub use diagram::{Diagram, DiagramError, Script};
pub use game::{Game, GameRules};
pub use hand::Hand;
pub use handicap::{Handicap, ParseHandicapError};
pub use illegal::{IllegalMove, IllegalReason};
pub use moves::{MAX_MOVES, Move, MoveList, ParseMoveError};
pub use notation::names::{
    digit_value, full_width_digit, kanji_digit, kanji_number, parse_kanji_number,
};
pub use notation::{Notation, NotationError, NotationProblem, ParseNotationError};
pub use outcome::{EndReason, Outcome, ParseEndReasonError};
pub use perft::{divide, perft, perft_made};
pub use piece::{Piece, PieceKind};
pub use ply_limit::{ParsePlyLimitStyleError, PlyLimitStyle};
pub use position::{Position, Undo};
pub use sfen::{STARTPOS_SFEN, SfenError};
pub use square::{ParseSquareError, Square};
