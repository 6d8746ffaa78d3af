//! A game: a start position and the moves since.

use std::fmt;

use crate::position::Undo;
use crate::{Color, DeclarationRule, EndReason, Move, Outcome, Position};

/// The rules that differ between events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameRules {
    /// Whether and when a side can declare.
    pub declaration: DeclarationRule,
    /// The game is a draw once this many plies (counted by [`Position::ply`]) are played, unless
    /// the last one ended it otherwise; `None` for no limit.
    pub max_ply: Option<u32>,
}

impl Default for GameRules {
    /// 27 points, and AlphaZero's limit of 512 plies.
    fn default() -> GameRules {
        GameRules {
            declaration: DeclarationRule::Points27,
            max_ply: Some(512),
        }
    }
}

/// A position that occurred: what repetition needs to know.
#[derive(Debug, Clone, Copy)]
struct Occurrence {
    key: u64,
    in_check: bool,
}

/// A start position, the moves played since, and what only history can tell: repetition, perpetual
/// check, the ply limit, who won and why.
///
/// The start counts as the first occurrence of its position; captures do not clear the history.
#[derive(Debug, Clone)]
pub struct Game {
    start: Position,
    position: Position,
    rules: GameRules,
    moves: Vec<Move>,
    undos: Vec<Undo>,
    /// One more than moves: the start, and the position after each move.
    occurrences: Vec<Occurrence>,
}

/// A move that the rules forbid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The position in which it was tried, as SFEN.
    pub sfen: String,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} is illegal in {}", self.mv, self.sfen)
    }
}

impl std::error::Error for IllegalMove {}

impl Game {
    /// A game without moves yet.
    pub fn new(start: Position, rules: GameRules) -> Game {
        let first = Occurrence {
            key: start.key(),
            in_check: start.in_check(),
        };
        Game {
            position: start.clone(),
            start,
            rules,
            moves: Vec::new(),
            undos: Vec::new(),
            occurrences: vec![first],
        }
    }

    /// The position now.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position at the start.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The rules of this game.
    pub fn rules(&self) -> GameRules {
        self.rules
    }

    /// The moves played so far.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a move, also after an end that [`Game::outcome`] has told: players decide to stop.
    ///
    /// # Errors
    ///
    /// If the move is illegal; the game is then as before.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(mv) {
            return Err(IllegalMove {
                mv,
                sfen: self.position.to_string(),
            });
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    ///
    /// # Panics
    ///
    /// As [`Position::do_move`] on an illegal move.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.undos.push(self.position.do_move(mv));
        self.moves.push(mv);
        self.occurrences.push(Occurrence {
            key: self.position.key(),
            in_check: self.position.in_check(),
        });
    }

    /// Takes the last move back and returns it; `None` at the start.
    #[inline]
    pub fn undo(&mut self) -> Option<Move> {
        let undo = self.undos.pop()?;
        self.position.undo_move(undo);
        self.occurrences.pop();
        self.moves.pop()
    }

    /// How often the position has occurred so far, at least 1. Board, both hands and the side to
    /// move count; the ply does not.
    pub fn repetitions(&self) -> u32 {
        1 + self.earlier_occurrences().count() as u32
    }

    /// How the game stands ended by its last move, or `None` while it goes on. A declaration is a
    /// player's choice and not part of it: see [`Game::declare`].
    ///
    /// Mate comes before repetition, repetition before the ply limit.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_if(self.position.has_legal_move())
    }

    /// [`Game::outcome`] for a caller that knows whether there is a legal move.
    #[inline]
    pub fn outcome_if(&self, has_legal_move: bool) -> Option<Outcome> {
        let side = self.position.side_to_move();
        if !has_legal_move {
            let reason = if self.position.in_check() {
                EndReason::Checkmate
            } else {
                EndReason::NoMoves
            };
            return Some(Outcome::win(side.flipped(), reason));
        }
        if let Some(first) = self.earlier_occurrences().nth(2) {
            return Some(self.repetition_since(first));
        }
        match self.rules.max_ply {
            Some(limit) if self.position.ply() >= limit => Some(Outcome::draw(EndReason::PlyLimit)),
            _ => None,
        }
    }

    /// What a repetition of the position would come to if both sides went on as since its last
    /// occurrence: `None` if it occurs for the first time. For search trees; it never ends a game.
    #[inline]
    pub fn repetition_in_search(&self) -> Option<Outcome> {
        let last = self.earlier_occurrences().next()?;
        Some(self.repetition_since(last))
    }

    /// The result of declaring now: a win if the conditions hold, else a loss.
    pub fn declare(&self) -> Outcome {
        let side = self.position.side_to_move();
        if self.position.can_declare(self.rules.declaration) {
            Outcome::win(side, EndReason::Declaration)
        } else {
            Outcome::win(side.flipped(), EndReason::FailedDeclaration)
        }
    }

    /// The earlier occurrences of the position now, as indices, the latest first. The same side is
    /// to move only every other ply, and a position cannot recur before four plies.
    #[inline]
    fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let now = self.occurrences.len() - 1;
        let key = self.occurrences[now].key;
        (0..(now + 1).saturating_sub(4))
            .rev()
            .filter(move |&i| (now - i).is_multiple_of(2) && self.occurrences[i].key == key)
    }

    /// The result of a repetition between occurrence `first` and now.
    fn repetition_since(&self, first: usize) -> Outcome {
        let span = &self.occurrences[first + 1..];
        // The side to move now was checked at every other position, counted from the end.
        let always = |offset: usize| {
            span.iter()
                .rev()
                .skip(offset)
                .step_by(2)
                .all(|o| o.in_check)
        };
        repetition_outcome(self.position.side_to_move(), always(0), always(1))
    }
}

/// Who wins a repetition in which `side` is to move: `side_checked` if each move of the opponent
/// gave check, `opponent_checked` if each move of `side` did.
///
/// Perpetual check loses. The rules leave open what happens if both sides checked throughout, and
/// nobody knows such a sequence: a draw here.
fn repetition_outcome(side: Color, side_checked: bool, opponent_checked: bool) -> Outcome {
    match (side_checked, opponent_checked) {
        (true, false) => Outcome::win(side, EndReason::PerpetualCheck),
        (false, true) => Outcome::win(side.flipped(), EndReason::PerpetualCheck),
        _ => Outcome::draw(EndReason::Repetition),
    }
}

#[cfg(test)]
mod tests;
