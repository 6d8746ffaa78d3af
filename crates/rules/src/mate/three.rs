//! Mate in three: every reply to a check allows a mate in one.

use std::ops::Deref;

use crate::{Move, Position};

/// A forced mate in one or three plies, as one line of it: the attacker's moves are checks, the
/// defender's reply is one of those that last longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortMate {
    moves: [Move; 3],
    /// 1 or 3.
    plies: usize,
}

impl ShortMate {
    fn in_one(mv: Move) -> ShortMate {
        ShortMate {
            moves: [mv; 3],
            plies: 1,
        }
    }

    /// The move that mates, or from which the mate is forced.
    pub fn first(&self) -> Move {
        self.moves[0]
    }

    /// How many plies the mate takes: 1 or 3.
    pub fn plies(&self) -> u32 {
        self.plies as u32
    }
}

impl Deref for ShortMate {
    type Target = [Move];

    /// The line, 1 or 3 moves long.
    fn deref(&self) -> &[Move] {
        &self.moves[..self.plies]
    }
}

impl Position {
    /// The shortest forced mate in at most three plies, if there is one: each move of the side to
    /// move a check, every legal reply answered, each ply counted (also those in which something is
    /// put between in vain). Works in check as well. It knows no history: whether the first move
    /// repeats a position is for the caller to see.
    pub fn mate_in_three(&self) -> Option<ShortMate> {
        if let Some(mv) = self.mate_in_one() {
            return Some(ShortMate::in_one(mv));
        }
        self.king(self.side_to_move().flipped())?;
        let mut position = self.clone();
        self.checking_moves().iter().find_map(|&first| {
            let undo = position.do_move(first);
            let line = position.mated_in_two();
            position.undo_move(undo);
            let [reply, last] = line?;
            Some(ShortMate {
                moves: [first, reply, last],
                plies: 3,
            })
        })
    }

    /// A reply and the mate after it, if every reply to this check allows a mate in one.
    fn mated_in_two(&mut self) -> Option<[Move; 2]> {
        let mut line = None;
        for &reply in &self.legal_moves() {
            let undo = self.do_move(reply);
            let last = self.mate_in_one();
            self.undo_move(undo);
            line = Some([reply, last?]);
        }
        line
    }
}

#[cfg(test)]
mod tests;
