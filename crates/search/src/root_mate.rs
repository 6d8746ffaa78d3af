//! A mate of any length at the root, by the mate search of the rules.

use rules::mate::{Answer, Solver, SolverOptions};
use rules::{DeclarationRule, Game, Move};

/// Nodes for which the solver gets a MiB, with some room.
const NODES_PER_MIB: u32 = 8_000;

/// The line of a mate that the side to move has, if the solver sees one within so many nodes.
///
/// The solver does not know how games end otherwise, so that a mate counts only where nothing else
/// can happen on the way: it must be over before the ply limit even if the opponent puts all that it
/// has between, which the line leaves out; and where a king wins by a step (try rule) none is looked
/// for. The opponent is in check throughout, so it cannot declare; a line that repeats a position of
/// the game is no mate for the solver either.
pub(crate) fn find(game: &Game, nodes: u32) -> Option<Vec<Move>> {
    if nodes == 0 || game.rules().declaration == DeclarationRule::Try {
        return None;
    }
    let max_ply = game.rules().max_ply;
    let plies_left = max_ply.map(|max_ply| max_ply.saturating_sub(game.position().ply()));
    let mut solver = Solver::new(SolverOptions {
        memory_mib: 1 + (nodes / NODES_PER_MIB) as usize,
        max_plies: plies_left,
        shorten: true,
    });
    solver.start_in_game(game);
    let Answer::Mate(line) = solver.search(u64::from(nodes)) else {
        return None;
    };
    let is_over_in_time = plies_left.is_none_or(|left| longest(game, line.plies()) <= left);
    is_over_in_time.then(|| line.moves().to_vec())
}

/// How long a mate in so many plies can become by pieces put between in vain: two plies for each
/// piece in the opponent's hand, or taken by it on the way.
fn longest(game: &Game, plies: u32) -> u32 {
    let position = game.position();
    let hand = position.hand(position.side_to_move().flipped());
    let n_pieces: u32 = hand.iter().map(|(_, count)| count).sum();
    plies + 2 * (n_pieces + plies / 2)
}

#[cfg(test)]
mod tests;
