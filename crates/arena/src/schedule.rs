//! Who plays whom next in a pool of ratings.

use crate::stats::rating::Ratings;

/// The two players between whom a game tells most, as indices, the smaller first; `busy` holds
/// pairings that are being played. `None` if no game would tell anything, as between anchors.
///
/// A player without a rating comes first, so that everybody gets one: against the rated player in
/// the middle of the table, or, where nobody is rated, against the next player.
pub fn next_pairing(
    ratings: &Ratings,
    anchors: &[Option<f64>],
    busy: &[(usize, usize)],
) -> Option<(usize, usize)> {
    let n = ratings.players.len();
    let is_free = |&(a, b): &(usize, usize)| a != b && !busy.contains(&sorted(a, b));
    let newcomers = (0..n).filter(|&player| ratings.players[player].is_none());
    let middle = middle_of(ratings);
    let first_game = newcomers
        .map(|player| {
            let opponent = middle.unwrap_or((player + 1) % n);
            sorted(player, opponent)
        })
        .find(is_free);
    if first_game.is_some() {
        return first_game;
    }
    let pairings = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let told = |&(a, b): &(usize, usize)| {
        let between_anchors = anchors[a].is_some() && anchors[b].is_some();
        let information = ratings.information(a, b).filter(|_| !between_anchors);
        information.map(|information| ((a, b), information))
    };
    // Rather a pairing that is being played than none.
    let best = |free: bool| {
        let candidates = pairings.clone().filter(|pairing| !free || is_free(pairing));
        candidates
            .filter_map(|pairing| told(&pairing))
            .max_by(|(_, x), (_, y)| x.total_cmp(y))
            .map(|(pairing, _)| pairing)
    };
    best(true).or_else(|| best(false))
}

fn sorted(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// The rated player in the middle of the table.
fn middle_of(ratings: &Ratings) -> Option<usize> {
    let rated = |player: usize| Some((ratings.players[player]?.elo, player));
    let mut table: Vec<(f64, usize)> = (0..ratings.players.len()).filter_map(rated).collect();
    table.sort_by(|(x, _), (y, _)| x.total_cmp(y));
    table.get(table.len() / 2).map(|&(_, player)| player)
}

#[cfg(test)]
mod tests;
