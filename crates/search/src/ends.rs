//! What is certain about a new node before anybody is asked: ends of the game, repetition,
//! declaration, try and mate in one.

use rules::{Declaration, Game, Move, MoveList};

use crate::tree::Status;

/// The status of the position that `game` has reached, which has these legal moves, and the move
/// that ends the game if it is won by one: a mate or a try.
///
/// In order: the real end of the game (no legal move, try, fourth repetition, ply limit); a second
/// or third occurrence, in the game or on the walk, which counts as what the repetition would come
/// to but proves nothing, since either side could still turn off; the right to declare a win; try;
/// mate in one. The winning move itself needs no look at repetition: a position that ends its game
/// cannot have occurred before.
///
/// The right to declare a draw (24 points) proves nothing: the side may hope for more. Nor does it
/// count as a lower bound of the value, which the tree does not know; such a side is searched as if
/// it could not declare.
pub(crate) fn judge(game: &Game, legal_moves: &MoveList) -> (Status, Option<Move>) {
    let position = game.position();
    let side = position.side_to_move();
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
    match winning_move(game, legal_moves) {
        Some(mv) => (Status::Won { plies: 1 }, Some(mv)),
        None => (Status::Open, None),
    }
}

/// A move among the legal ones that wins the game at once.
pub(crate) fn winning_move(game: &Game, legal_moves: &MoveList) -> Option<Move> {
    let mates = || game.position().mate_in_one_among(legal_moves);
    game.try_move().or_else(mates)
}

#[cfg(test)]
mod tests;
