//! A move without a search: better than a game lost on time, and no more than that.

use rules::material::{promotion_gain, value_on_board};
use rules::{Bitboard, Declaration, Game, Move, PieceKind, Position};

use crate::info::BestMove;

#[cfg(test)]
mod tests;

/// A declaration or a mate in one if there is one, else the move that wins most in pieces when the
/// opponent takes what is then worth most. A function of the position, found in about a millisecond.
pub(crate) fn move_by_thumb(game: &Game) -> BestMove {
    let position = game.position();
    if game.declaration() == Declaration::Win {
        return BestMove::Win;
    }
    if let Some(mate) = position.mate_in_one() {
        return BestMove::Move(mate);
    }
    let legal_moves = position.legal_moves();
    // The first of equal ones: pieces on the board come before drops.
    let best = legal_moves
        .iter()
        .rev()
        .max_by_key(|&&mv| balance(position, mv));
    best.map_or(BestMove::Resign, |&mv| BestMove::Move(mv))
}

/// What the mover has won after `mv` and the opponent's best capture, in pawns.
fn balance(position: &Position, mv: Move) -> i32 {
    let captured = position
        .piece_at(mv.to())
        .map_or(0, |piece| value_on_board(piece.kind));
    let won = captured + promotion_gain(position, mv);
    let mut after = position.clone();
    after.do_move(mv);
    won as i32 - most_in_danger(&after)
}

/// What the side to move wins by its best capture if that is taken back where it can be.
fn most_in_danger(position: &Position) -> i32 {
    let us = position.side_to_move();
    let them = us.flipped();
    let in_danger = position.occupied_by(them).map(|square| {
        let attackers = position.attackers_to(square, us);
        let Some(cheapest) = cheapest(position, attackers) else {
            return 0;
        };
        let taken = position
            .piece_at(square)
            .map_or(0, |piece| value_on_board(piece.kind) as i32);
        let is_guarded = !position.attackers_to(square, them).is_empty();
        taken - if is_guarded { cheapest } else { 0 }
    });
    in_danger.max().unwrap_or(0).max(0)
}

/// The least that one of these pieces is worth; `None` if there is none. A king counts for more than all
/// others: it takes only what is not guarded.
fn cheapest(position: &Position, pieces: Bitboard) -> Option<i32> {
    let pieces = pieces.filter_map(|square| position.piece_at(square));
    let worth = |kind| match kind {
        PieceKind::King => i32::MAX,
        kind => value_on_board(kind) as i32,
    };
    pieces.map(|piece| worth(piece.kind)).min()
}
