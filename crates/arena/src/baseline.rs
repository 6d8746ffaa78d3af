//! Players without a network: yardsticks that never change.

mod two_plies;

use rules::material::{promotion_gain, value_in_hand};
use rules::{Move, Position};
use search::mix_seed;

/// A player without a network or memory; its move is a function of position and seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// Any legal move, all equally likely.
    Random,
    /// Gives mate in one if there is one, else any legal move.
    Mate1,
    /// Gives mate in one if there is one, else makes the capture or promotion that gains most at
    /// once, else any legal move. Equal moves are equally likely. Pieces count by the traditional
    /// values (pawn 1, lance 5, knight 6, silver 8, gold 9, bishop 13, rook 15); captured ones as
    /// they come into the hand; promotion makes a minor piece a gold and adds 2 to bishop and rook.
    /// It does not look at the answer, so it takes guarded pieces too.
    Greedy,
    /// Looks two plies ahead: gives mate in one if there is one, else makes the move after which it
    /// is best off in material once the opponent has answered as well as it can. Pieces count as
    /// for `Greedy`; a captured piece counts for the side that loses it as well as for the one that
    /// gets it, and a move that lets the opponent mate is the worst. Equal moves are equally likely.
    Material2,
}

impl Baseline {
    /// All of them, weakest first.
    pub const ALL: [Baseline; 4] = [
        Baseline::Random,
        Baseline::Mate1,
        Baseline::Greedy,
        Baseline::Material2,
    ];

    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Baseline::Random => "random",
            Baseline::Mate1 => "mate1",
            Baseline::Greedy => "greedy",
            Baseline::Material2 => "material2",
        }
    }

    /// Whether the player declares a win (入玉宣言) or makes its try (トライ) as soon as it may.
    pub(crate) fn declares(self) -> bool {
        matches!(self, Baseline::Greedy | Baseline::Material2)
    }

    /// The player's move; `None` if there is no legal move.
    pub fn choose(self, position: &Position, seed: u64) -> Option<Move> {
        if self != Baseline::Random
            && let Some(mate) = position.mate_in_one()
        {
            return Some(mate);
        }
        let legal_moves = position.legal_moves();
        match self {
            Baseline::Random | Baseline::Mate1 => pick(&legal_moves, seed),
            Baseline::Greedy => pick(&highest(&legal_moves, |mv| gain(position, mv)), seed),
            Baseline::Material2 => {
                pick(&two_plies::best_after_answer(position, &legal_moves), seed)
            }
        }
    }
}

/// The moves that share the highest score.
fn highest<S: Ord>(legal_moves: &[Move], mut score: impl FnMut(Move) -> S) -> Vec<Move> {
    let mut best = None;
    let mut moves = Vec::new();
    for &mv in legal_moves {
        let found = Some(score(mv));
        if found > best {
            best = found;
            moves.clear();
        } else if found < best {
            continue;
        }
        moves.push(mv);
    }
    moves
}

/// What `mv` gains at once, in pawns: the value of the captured piece as it comes into the hand
/// (a captured promoted pawn is a pawn), plus what a promotion adds: a minor piece becomes a gold,
/// bishop and rook add 2. At least 0. Knows nothing of what is lost afterwards.
pub(crate) fn gain(position: &Position, mv: Move) -> u32 {
    let captured = position
        .piece_at(mv.to())
        .map_or(0, |piece| value_in_hand(piece.kind));
    captured + promotion_gain(position, mv)
}

/// One of `items`, each equally likely over the seeds; `None` if there is none.
pub(crate) fn pick<T: Copy>(items: &[T], seed: u64) -> Option<T> {
    // The seeds of neighbouring plies are close together: mix once more before scaling.
    let scaled = u128::from(mix_seed(seed, 0)) * items.len() as u128;
    items.get((scaled >> 64) as usize).copied()
}

#[cfg(test)]
mod tests;
