//! What is certain about a new node before anybody is asked: ends of the game, repetition,
//! declaration, try and short mates.

use rules::{Declaration, Game, Move, MoveList};

use crate::LeafMate;
use crate::tree::Status;

/// A win that is certain: its first move, and the plies up to the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Win {
    pub(crate) first: Move,
    pub(crate) plies: u16,
}

/// Finds wins, with the lists that it needs for that kept from one position to the next.
#[derive(Debug, Clone)]
pub(crate) struct Judge {
    checks: MoveList,
    replies: MoveList,
}

impl Judge {
    pub(crate) fn new() -> Self {
        Self {
            checks: MoveList::new(),
            replies: MoveList::new(),
        }
    }

    /// The status of the position that `game` has reached, which has these legal moves, and the first
    /// move of the win if it is won by one: a mate or a try.
    ///
    /// In order: the real end of the game (no legal move, try, fourth repetition, ply limit); a second
    /// or third occurrence, in the game or on the walk, which counts as what the repetition would come
    /// to but proves nothing, since either side could still turn off; the right to declare a win; try;
    /// short mates. A move that mates needs no look at repetition: a position that ends its game cannot
    /// have occurred before.
    ///
    /// The right to declare a draw (24 points) proves nothing: the side may hope for more. Nor does it
    /// count as a lower bound of the value, which the tree does not know; such a side is searched as if
    /// it could not declare.
    pub(crate) fn judge(
        &mut self,
        game: &mut Game,
        legal_moves: &MoveList,
        leaf_mate: LeafMate,
    ) -> (Status, Option<Move>) {
        let side = game.position().side_to_move();
        if let Some(outcome) = game.outcome_if(!legal_moves.is_empty()) {
            let status = match outcome.winner {
                None => Status::Drawn,
                Some(winner) if winner == side => Status::Won { plies: 0 },
                Some(_) => Status::Lost { plies: 0 },
            };
            return (status, None);
        }
        if let Some(outcome) = game.repetition_in_search() {
            let status = match outcome.winner {
                None => Status::Drawn,
                Some(winner) if winner == side => Status::CountsAsWon,
                Some(_) => Status::CountsAsLost,
            };
            return (status, None);
        }
        if game.declaration() == Declaration::Win {
            return (Status::Won { plies: 1 }, None);
        }
        match self.win(game, legal_moves, leaf_mate) {
            Some(Win { first, plies }) => (Status::Won { plies }, Some(first)),
            None => (Status::Open, None),
        }
    }

    /// The shortest win that is looked for: a try, a mate in one, a mate in three.
    pub(crate) fn win(
        &mut self,
        game: &mut Game,
        legal_moves: &MoveList,
        leaf_mate: LeafMate,
    ) -> Option<Win> {
        let in_one = |first| Win { first, plies: 1 };
        if let Some(mv) = game.try_move() {
            return Some(in_one(mv));
        }
        if leaf_mate == LeafMate::None {
            return None;
        }
        let mate = game.position().mate_in_one_among(legal_moves);
        match (mate, leaf_mate) {
            (Some(mv), _) => Some(in_one(mv)),
            (None, LeafMate::Three) => self.mate_in_three(game),
            (None, _) => None,
        }
    }

    /// A check after which every reply allows a mate in one. There must be no mate in one.
    ///
    /// The game goes on in between, so its rules have a say: a line that repeats a position, comes
    /// to the ply limit or lets the opponent try first is no mate.
    fn mate_in_three(&mut self, game: &mut Game) -> Option<Win> {
        game.position().checking_moves_into(&mut self.checks);
        let mates = |&first: &Move| {
            game.play_unchecked(first);
            let mates = goes_on(game) && every_reply_is_mated(game, &mut self.replies);
            game.undo();
            mates
        };
        let first = self.checks.iter().copied().find(mates)?;
        Some(Win { first, plies: 3 })
    }
}

/// Whether neither the rules nor a repetition stop a game whose side to move has a legal move.
fn goes_on(game: &Game) -> bool {
    game.outcome_if(true).is_none() && game.repetition_in_search().is_none()
}

/// Whether a mate in one follows each reply to a check; `replies` is scratch space.
fn every_reply_is_mated(game: &mut Game, replies: &mut MoveList) -> bool {
    game.position().legal_moves_into(replies);
    replies.iter().all(|&reply| {
        game.play_unchecked(reply);
        let is_mated = goes_on(game) && game.position().mate_in_one().is_some();
        game.undo();
        is_mated
    })
}

#[cfg(test)]
mod tests;
