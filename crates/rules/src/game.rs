//! A game: a start position and the moves since.

mod history;

use crate::position::Undo;
use crate::{
    Color, DeclarationRule, EndReason, IllegalMove, Move, Outcome, PlyLimitStyle, Position,
};
use history::History;

/// The rules that differ between events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameRules {
    /// What a king that has crossed the board can win.
    pub declaration: DeclarationRule,
    /// Whether the points of pieces given away at the start of a handicap game count for their
    /// giver: see [`Game::given_points`].
    pub credit_handicap: bool,
    /// The game is a draw once this many plies (counted by [`Position::ply`]) are played, unless
    /// the last one ended it otherwise; `None` for no limit.
    pub max_ply: Option<u32>,
    /// Whether a chain of checks may go on beyond that limit.
    pub max_ply_style: PlyLimitStyle,
}

impl Default for GameRules {
    /// 27 points, handicaps credited, and AlphaZero's limit of 512 plies.
    fn default() -> GameRules {
        GameRules {
            declaration: DeclarationRule::Points27,
            credit_handicap: true,
            max_ply: Some(512),
            max_ply_style: PlyLimitStyle::Plain,
        }
    }
}

/// A start position, the moves played since, and what only history can tell: repetition, perpetual
/// check, the ply limit, points given at the start, who won and why.
///
/// The start counts as the first occurrence of its position; captures do not clear the history.
/// What the history tells is known at once, however long the game is, and asking allocates nothing.
#[derive(Debug)]
pub struct Game {
    start: Position,
    position: Position,
    rules: GameRules,
    /// By [`Color::index`].
    given_points: [u32; 2],
    moves: Vec<Move>,
    undos: Vec<Undo>,
    history: History,
}

/// [`Clone::clone_from`] keeps the memory of the game that is overwritten: a search that goes from
/// position to position allocates nothing for it.
impl Clone for Game {
    fn clone(&self) -> Game {
        let Game {
            start,
            position,
            rules,
            given_points,
            moves,
            undos,
            history,
        } = self;
        Game {
            start: start.clone(),
            position: position.clone(),
            rules: *rules,
            given_points: *given_points,
            moves: moves.clone(),
            undos: undos.clone(),
            history: history.clone(),
        }
    }

    fn clone_from(&mut self, source: &Game) {
        let Game {
            start,
            position,
            rules,
            given_points,
            moves,
            undos,
            history,
        } = source;
        self.start.clone_from(start);
        self.position.clone_from(position);
        self.rules = *rules;
        self.given_points = *given_points;
        self.moves.clone_from(moves);
        self.undos.clone_from(undos);
        self.history.clone_from(history);
    }
}

impl Game {
    /// A game without moves yet.
    pub fn new(start: Position, rules: GameRules) -> Game {
        Game {
            position: start.clone(),
            given_points: Color::ALL.map(|color| start.handicap_points(color)),
            history: History::new(start.key(), start.in_check()),
            start,
            rules,
            moves: Vec::new(),
            undos: Vec::new(),
        }
    }

    /// The same game, of which it is known that `color` gave pieces worth `points` (see
    /// [`Game::given_points`]): for one whose record begins after the handicap's first move.
    #[must_use]
    pub fn with_given_points(mut self, color: Color, points: u32) -> Game {
        self.given_points[color.index()] = points;
        self
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

    /// The points of the pieces that `color` gave away at the start of a handicap game; 0 in every
    /// other game. With [`GameRules::credit_handicap`] they count for the giver in declarations and
    /// agreed counts, or it could hardly ever reach what the rules ask for.
    ///
    /// They are read off the start of the game once ([`Position::handicap_points`]), not off what
    /// is missing later: that cannot tell a handicap from a problem or a fragment of a game. A game
    /// given from its middle has none unless [`Game::with_given_points`] says so.
    pub fn given_points(&self, color: Color) -> u32 {
        self.given_points[color.index()]
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
    /// If the move is illegal; the game is then as before. A caller that does not let the player
    /// choose again ends the game with [`IllegalMove::outcome`].
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if let Some(reason) = self.position.why_illegal(mv) {
            return Err(IllegalMove {
                mv,
                side: self.position.side_to_move(),
                reason,
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
        self.history
            .push(self.position.key(), self.position.in_check());
    }

    /// Takes the last move back and returns it; `None` at the start.
    #[inline]
    pub fn undo(&mut self) -> Option<Move> {
        let undo = self.undos.pop()?;
        self.position.undo_move(undo);
        self.history.pop();
        self.moves.pop()
    }

    /// How often the position has occurred so far, at least 1. Board, both hands and the side to
    /// move count; the ply does not.
    pub fn repetitions(&self) -> u32 {
        1 + self.history.earlier().count() as u32
    }

    /// How the game stands ended by its last move, or `None` while it goes on. A declaration, an
    /// agreement or a resignation is a player's choice and not part of it.
    ///
    /// Without a legal move (mate, or no move at all) the side to move has lost. That comes before a
    /// try, the try before repetition, and repetition before the ply limit.
    ///
    /// Repetition (千日手 sennichite): a position, with both hands and the side to move, that occurs
    /// for the fourth time ends the game as a draw. But if between its first and its fourth
    /// occurrence every move of one side gave check, that side loses (連続王手の千日手). It does not
    /// matter whose move completes the repetition. Should every move of both sides have given check
    /// (the rules leave that open, and nobody knows such a sequence), it is a draw.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_if(self.position.has_legal_move())
    }

    /// [`Game::outcome`] for a caller that knows whether there is a legal move.
    #[inline]
    pub fn outcome_if(&self, has_legal_move: bool) -> Option<Outcome> {
        let side = self.position.side_to_move();
        if !has_legal_move {
            let reason = if self.in_check() {
                EndReason::Checkmate
            } else {
                EndReason::NoMoves
            };
            return Some(Outcome::win(side.flipped(), reason));
        }
        if self.was_try() {
            return Some(Outcome::win(side.flipped(), EndReason::Try));
        }
        if let Some(first) = self.history.earlier().nth(2) {
            return Some(self.repetition_since(first));
        }
        self.is_stopped()
            .then(|| Outcome::draw(EndReason::PlyLimit))
    }

    /// What a repetition of the position would come to if both sides went on as since its last
    /// occurrence: `None` if it occurs for the first time. For search trees; it never ends a game.
    #[inline]
    pub fn repetition_in_search(&self) -> Option<Outcome> {
        let last = self.history.earlier().next()?;
        Some(self.repetition_since(last))
    }

    /// Whether the side to move is in check, without looking at the board again.
    #[inline]
    pub(crate) fn in_check(&self) -> bool {
        self.history.checks() > 0
    }

    /// The result of a repetition between occurrence `first` and now.
    fn repetition_since(&self, first: usize) -> Outcome {
        let moves_each = (self.history.now() - first) / 2;
        repetition_outcome(
            self.position.side_to_move(),
            self.history.checks() >= moves_each,
            self.history.checks_before() >= moves_each,
        )
    }

    /// Whether the ply limit ends the game here; see [`PlyLimitStyle`].
    fn is_stopped(&self) -> bool {
        let limit = self.rules.max_ply;
        let Some(beyond) = limit.and_then(|limit| self.position.ply().checked_sub(limit)) else {
            return false;
        };
        match self.rules.max_ply_style {
            PlyLimitStyle::Plain => true,
            PlyLimitStyle::Jsa => {
                // A game that begins beyond the limit has its chain from its start on.
                let beyond = self.history.now().min(beyond as usize);
                let checks = if beyond.is_multiple_of(2) {
                    self.history.checks()
                } else {
                    self.history.checks_before()
                };
                // The move that reached the limit, and one every second ply since.
                checks < beyond / 2 + 1
            }
        }
    }
}

/// Who wins a repetition in which `side` is to move: `side_checked` if each move of the opponent
/// gave check, `opponent_checked` if each move of `side` did.
///
/// Row R21 of the rule cases asks for both at once.
fn repetition_outcome(side: Color, side_checked: bool, opponent_checked: bool) -> Outcome {
    match (side_checked, opponent_checked) {
        (true, false) => Outcome::win(side, EndReason::PerpetualCheck),
        (false, true) => Outcome::win(side.flipped(), EndReason::PerpetualCheck),
        _ => Outcome::draw(EndReason::Repetition),
    }
}

#[cfg(test)]
mod tests;
