//! What trainer and workers have to agree on beside the messages of `fleet`: what a worker says about
//! a game, and which rules a message of games has to keep.

pub mod broker;
#[cfg(feature = "torch")]
pub mod judge;
pub mod pair;

use selfplay::SearchTotals;

/// Bytes of what a worker says about a game.
const REMARKS_LEN: usize = 32;

/// What a worker says about a game: what its searches were like.
pub fn remarks_of(searches: &SearchTotals) -> Vec<u8> {
    let &SearchTotals {
        n_searches,
        n_evaluations,
        n_networks,
        entropy_nats,
        kl_nats,
        n_overridden,
        n_visited_moves,
        prior_ranks,
    } = searches;
    let words = [
        n_searches,
        n_evaluations,
        n_networks,
        entropy_nats.to_bits(),
        kl_nats.to_bits(),
        n_overridden,
        n_visited_moves,
        prior_ranks,
    ];
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Reads what [`remarks_of`] wrote; `None` for anything else, and for sums that are no numbers or too
/// large to be true of a game of `plies` plies, searched with no more than `visits` visits each.
#[cfg(feature = "torch")]
pub fn read_remarks(bytes: &[u8], plies: usize, visits: u32) -> Option<SearchTotals> {
    let bytes: &[u8; REMARKS_LEN] = bytes.try_into().ok()?;
    let (words, _) = bytes.as_chunks::<4>();
    let word = |index: usize| u32::from_le_bytes(words[index]);
    let searches = SearchTotals {
        n_searches: word(0),
        n_evaluations: word(1),
        n_networks: word(2),
        entropy_nats: f32::from_bits(word(3)),
        kl_nats: f32::from_bits(word(4)),
        n_overridden: word(5),
        n_visited_moves: word(6),
        prior_ranks: word(7),
    };
    // A ply has one search, and a search at most 593 moves; ln 593 is 6.4. Divergences from a
    // network that gives a move next to nothing are larger: an e-th of that for each nat.
    // Who resigns has searched once more.
    let most = plies as u32 + 1;
    let counts_fit = searches.n_searches <= most
        && u64::from(searches.n_evaluations) <= u64::from(most) * u64::from(visits)
        && searches.n_networks <= most
        && searches.n_overridden <= most
        && searches.n_visited_moves <= most * 600
        && searches.prior_ranks <= most * 600;
    let most_nats = most as f32 * 200.0;
    // Rounding may take a divergence of nothing below 0.
    let sums_fit = (0.0..=most_nats).contains(&searches.entropy_nats)
        && (-1.0..=most_nats).contains(&searches.kl_nats);
    (counts_fit && sums_fit).then_some(searches)
}

#[cfg(all(test, feature = "torch"))]
mod tests;
