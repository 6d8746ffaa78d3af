//! Entered kings (入玉 nyūgyoku): what they can win without mate.
//!
//! Pieces other than pawns hardly attack backwards, so a king that has reached the far side of the
//! board can rarely be mated, least of all where both kings have. Such games are decided by what
//! else the sides have: by declaration ([`Game::declaration`]), by agreed counting
//! ([`Game::impasse`]), or by a goal to walk to ([`Game::try_move`]).
//!
//! Points: rook and bishop 5 each, promoted or not, every other piece 1, kings nothing. A full set
//! is worth 54, each side's own 27.

use std::fmt;
use std::str::FromStr;

use crate::attacks::attacks;
use crate::{Bitboard, Color, EndReason, Game, Move, Outcome, PieceKind, Position, Square};

/// Which rule for entered kings a game is played under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeclarationRule {
    /// Entering wins nothing by itself.
    None,
    /// 24点法: the rule of professionals. With 31 points a declaration wins, with 24 to 30 it
    /// draws, with fewer it loses.
    Points24,
    /// 27点法: the rule of amateurs and of computer events (CSA). A declaration wins with 28 points
    /// for Black, 27 for White, and loses with fewer.
    #[default]
    Points27,
    /// トライルール: a king that steps to the other king's first square (5a for Black, 5i for White)
    /// has won. Nothing is declared and no points count.
    Try,
}

impl DeclarationRule {
    /// All rules.
    pub const ALL: [DeclarationRule; 4] = [
        DeclarationRule::None,
        DeclarationRule::Points24,
        DeclarationRule::Points27,
        DeclarationRule::Try,
    ];

    /// The name on command lines and in configurations: `none`, `24`, `27`, `try`.
    pub const fn as_str(self) -> &'static str {
        match self {
            DeclarationRule::None => "none",
            DeclarationRule::Points24 => "24",
            DeclarationRule::Points27 => "27",
            DeclarationRule::Try => "try",
        }
    }
}

impl fmt::Display for DeclarationRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is not the name of a [`DeclarationRule`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseDeclarationRuleError(String);

impl fmt::Display for ParseDeclarationRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "declaration rule {:?}: expected 27, 24, try or none",
            self.0
        )
    }
}

impl std::error::Error for ParseDeclarationRuleError {}

impl FromStr for DeclarationRule {
    type Err = ParseDeclarationRuleError;

    fn from_str(text: &str) -> Result<DeclarationRule, ParseDeclarationRuleError> {
        let found = DeclarationRule::ALL
            .into_iter()
            .find(|rule| rule.as_str() == text);
        found.ok_or_else(|| ParseDeclarationRuleError(text.to_owned()))
    }
}

/// What declaring would come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Declaration {
    /// The declarer would win.
    Win,
    /// The game would be a draw.
    Draw,
    /// Nothing to declare: who does so loses.
    No,
}

/// Pieces beside the king that must stand in the zone.
const PIECES_IN_ZONE: u32 = 10;
/// Points of one side's full set.
const FULL_SET: u32 = 27;
/// From so many points on an agreed count does not lose.
const IMPASSE_POINTS: u32 = 24;

impl Game {
    /// What a declaration (入玉宣言) of the side to move would come to. It is a player's choice:
    /// no game ends by the right to declare.
    ///
    /// The conditions, all seen by the declarer: it is its turn; its king stands in the three far
    /// ranks, and so do at least ten of its other pieces; it is not in check; and it has enough
    /// [`Game::declaration_points`] for the rule. [`DeclarationRule`] says how many are enough.
    pub fn declaration(&self) -> Declaration {
        let us = self.position().side_to_move();
        let (to_win, to_draw) = match (self.rules().declaration, us) {
            (DeclarationRule::None | DeclarationRule::Try, _) => return Declaration::No,
            (DeclarationRule::Points24, _) => (31, 24),
            (DeclarationRule::Points27, Color::Black) => (28, 28),
            (DeclarationRule::Points27, Color::White) => (27, 27),
        };
        // The cheapest first: search asks at every position.
        if !self.position().has_entered(us) || self.in_check() {
            return Declaration::No;
        }
        match self.declaration_points(us) {
            points if points >= to_win => Declaration::Win,
            points if points >= to_draw => Declaration::Draw,
            _ => Declaration::No,
        }
    }

    /// How the game ends if the side to move declares now.
    pub fn declare(&self) -> Outcome {
        let side = self.position().side_to_move();
        match self.declaration() {
            Declaration::Win => Outcome::win(side, EndReason::Declaration),
            Declaration::Draw => Outcome::draw(EndReason::DeclaredDraw),
            Declaration::No => Outcome::win(side.flipped(), EndReason::FailedDeclaration),
        }
    }

    /// The points that a declaration of `color` would count: its pieces in its three far ranks and
    /// in hand, and what it gave away at the start (see [`Game::given_points`]).
    pub fn declaration_points(&self, color: Color) -> u32 {
        self.position().declaration_points(color) + self.credit(color)
    }

    /// The points that an agreed count gives `color`: all its pieces on the board and in hand, and
    /// what it gave away at the start (see [`Game::given_points`]).
    pub fn impasse_points(&self, color: Color) -> u32 {
        self.position().total_points(color) + self.credit(color)
    }

    /// How the game ends if both sides agree to count now (持将棋 jishōgi): a draw if both have 24
    /// points, else who has fewer loses. Neither has only where pieces are missing from the set;
    /// that is a draw too.
    ///
    /// Players agree when both kings have entered and neither can be mated; whether that is so is
    /// theirs to say. The rule is the same whichever way a game lets a side declare.
    pub fn impasse(&self) -> Outcome {
        let enough = |color| self.impasse_points(color) >= IMPASSE_POINTS;
        match (enough(Color::Black), enough(Color::White)) {
            (true, false) => Outcome::win(Color::Black, EndReason::Impasse),
            (false, true) => Outcome::win(Color::White, EndReason::Impasse),
            _ => Outcome::draw(EndReason::Impasse),
        }
    }

    /// The move that wins at once under [`DeclarationRule::Try`]: the king of the side to move steps
    /// to the other king's first square, where it must be safe like everywhere. `None` if it cannot,
    /// and under other rules.
    pub fn try_move(&self) -> Option<Move> {
        if self.rules().declaration != DeclarationRule::Try {
            return None;
        }
        let us = self.position().side_to_move();
        let (king, goal) = (self.position().king(us)?, try_square(us));
        let is_near = attacks(PieceKind::King, us, king, Bitboard::EMPTY).contains(goal);
        let mv = is_near.then(|| Move::board(king, goal, false))?;
        self.position().is_legal(mv).then_some(mv)
    }

    /// Whether the last move was a try. A king that stood on the goal from the start made none.
    pub(crate) fn was_try(&self) -> bool {
        let mover = self.position().side_to_move().flipped();
        let goal = try_square(mover);
        self.rules().declaration == DeclarationRule::Try
            && self.moves().last().is_some_and(|mv| mv.to() == goal)
            && self.position().king(mover) == Some(goal)
    }

    /// What is added to the points of `color`.
    fn credit(&self, color: Color) -> u32 {
        if self.rules().credit_handicap {
            self.given_points(color)
        } else {
            0
        }
    }
}

/// Where the opponent's king begins.
fn try_square(color: Color) -> Square {
    let rank = match color {
        Color::Black => 1,
        Color::White => 9,
    };
    Square::from_file_rank(5, rank).expect("5a and 5i are squares")
}

impl Position {
    /// The points of the pieces that `color` has in its three far ranks and in hand, without the
    /// king. See [`Game::declaration_points`] for what a declaration counts.
    pub fn declaration_points(&self, color: Color) -> u32 {
        self.points_among(color, Bitboard::zone(color))
    }

    /// The points of all pieces of `color`, on the board and in hand, without the king.
    pub(crate) fn total_points(&self, color: Color) -> u32 {
        self.points_among(color, Bitboard::FULL)
    }

    /// Points that `color` gave away if this is where a handicap game (駒落ち komaochi) begins,
    /// else 0.
    ///
    /// In a handicap game the stronger side, by custom White, begins without some of its pieces. A
    /// position is taken for such a beginning if one side has its 20 pieces at home and nothing in
    /// hand, and the other has its king and what it has left on the board at home, too. What it has
    /// in hand (three pawns against a bare king, 歩三兵) is not given away. No later position of an
    /// even game looks like this: its missing pieces would be in a hand.
    pub fn handicap_points(&self, color: Color) -> u32 {
        // Also what every even game begins with: nothing to compare.
        if self.occupied().len() == 40 || self.king(color).is_none() {
            return 0;
        }
        let home = Position::startpos();
        let is_home = |square: Square| self.piece_at(square) == home.piece_at(square);
        let other = color.flipped();
        let other_is_whole = self.hand(other).is_empty() && home.occupied_by(other).all(is_home);
        let rest_is_home = self.occupied().all(is_home);
        let is_own = |&kind: &PieceKind| {
            let on_board = self.pieces(color, kind).len();
            on_board + self.hand(color).count(kind) <= home.pieces(color, kind).len()
        };
        if other_is_whole && rest_is_home && PieceKind::HAND.iter().all(is_own) {
            FULL_SET - self.total_points(color)
        } else {
            0
        }
    }

    /// Whether the king of `color` and enough of its other pieces stand in its three far ranks.
    fn has_entered(&self, color: Color) -> bool {
        let in_zone = |king: Square| king.in_zone(color);
        let zone = self.occupied_by(color) & Bitboard::zone(color);
        self.king(color).is_some_and(in_zone) && zone.len() > PIECES_IN_ZONE
    }

    fn points_among(&self, color: Color, squares: Bitboard) -> u32 {
        let counted = self.occupied_by(color) & squares & !self.pieces(color, PieceKind::King);
        let big = [
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Horse,
            PieceKind::Dragon,
        ]
        .into_iter()
        .map(|kind| (counted & self.pieces(color, kind)).len())
        .sum::<u32>();
        let in_hand: u32 = self
            .hand(color)
            .iter()
            .map(|(kind, n)| match kind {
                PieceKind::Bishop | PieceKind::Rook => 5 * n,
                _ => n,
            })
            .sum();
        counted.len() + 4 * big + in_hand
    }
}

#[cfg(test)]
mod tests;
