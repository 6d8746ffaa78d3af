//! A mate as a line of moves.

use super::search::Search;
use super::walk::is_mated;
use crate::Move;

/// A forced mate, as one line of it: the attacker's moves are checks and lead to the shortest mate
/// that was found, the defender's are those after which it takes longest, as far as known.
///
/// Plies are counted as in mate problems (詰将棋): a piece put between in vain (無駄合い muda-ai) is
/// not a move of the line. That is a drop which the checker takes, such that the defender, even with
/// the piece back in hand, is then mated no later than after its other replies. So in the last
/// position the defender either has no legal move at all, or only such drops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateLine {
    moves: Vec<Move>,
    is_shortest: bool,
}

impl MateLine {
    /// The line, if it is one: `None` if a move is illegal or no check, if a position repeats or has
    /// occurred before, or if the end is no mate. The search must stand at the start of the line.
    pub(super) fn new(search: &mut Search, moves: Vec<Move>) -> Option<MateLine> {
        let start = search.position.clone();
        let is_line = is_line(search, &moves);
        search.position = start;
        is_line.then_some(MateLine {
            moves,
            is_shortest: false,
        })
    }

    /// The moves, the attacker's first and last.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many plies the mate takes, an odd number.
    pub fn plies(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Whether it is proved that no shorter mate exists.
    pub fn is_shortest(&self) -> bool {
        self.is_shortest
    }

    pub(super) fn set_shortest(&mut self, is_shortest: bool) {
        self.is_shortest = is_shortest;
    }
}

fn is_line(search: &mut Search, moves: &[Move]) -> bool {
    let mut position = search.position.clone();
    let mut occurred = vec![search.node_of(&position)];
    for (ply, &mv) in moves.iter().enumerate() {
        if !position.is_legal(mv) {
            return false;
        }
        position.do_move(mv);
        let node = search.node_of(&position);
        let is_check = ply % 2 == 1 || position.in_check();
        if !is_check || occurred.contains(&node) || search.was_played(node) {
            return false;
        }
        occurred.push(node);
    }
    is_mated(&position, search)
}
