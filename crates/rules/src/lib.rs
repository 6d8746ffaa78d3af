//! Shogi: positions, legal moves, game ends, move and position notations.
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

mod attacks;
mod bitboard;
mod checks;
mod color;
mod declaration;
mod game;
mod hand;
mod illegal;
mod mate;
mod movegen;
mod moves;
mod outcome;
mod perft;
mod piece;
mod ply_limit;
mod position;
mod sfen;
mod square;
mod zobrist;

pub use attacks::{attacks, between};
pub use bitboard::Bitboard;
pub use color::Color;
pub use declaration::{Declaration, DeclarationRule, ParseDeclarationRuleError};
pub use game::{Game, GameRules};
pub use hand::Hand;
pub use illegal::{IllegalMove, IllegalReason};
pub use moves::{MAX_MOVES, Move, MoveList, ParseMoveError};
pub use outcome::{EndReason, Outcome, ParseEndReasonError};
pub use perft::{divide, perft, perft_made};
pub use piece::{Piece, PieceKind};
pub use ply_limit::{ParsePlyLimitStyleError, PlyLimitStyle};
pub use position::{Position, Undo};
pub use sfen::{STARTPOS_SFEN, SfenError};
pub use square::{ParseSquareError, Square};
