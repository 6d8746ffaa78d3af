//! What is certain about a new node before anybody is asked: ends of the game, repetition,
//! declaration and mate in one.

use rules::{Game, Move, MoveList};

use crate::tree::Status;

/// The status of the position that `game` has reached, which has these legal moves, and the move
/// that mates if it is won by a mate in one.
///
/// In order: the real end of the game (no legal move, fourth repetition, ply limit); a second or
/// third occurrence, in the game or on the walk, which counts as what the repetition would come to
/// but proves nothing, since either side could still turn off; the right to declare; mate in
/// one. The mating move itself needs no look at repetition: a mated position ends its game and
/// cannot have occurred before.
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
    if position.can_declare(game.rules().declaration) {
        return (Status::Won { plies: 1 }, None);
    }
    match position.mate_in_one_among(legal_moves) {
        Some(mv) => (Status::Won { plies: 1 }, Some(mv)),
        None => (Status::Open, None),
    }
}

#[cfg(test)]
mod tests;
