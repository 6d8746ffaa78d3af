//! Who plays whom next in a pool of ratings.

use crate::stats::rating::Ratings;

/// The two players between whom a game tells most, as indices, the smaller first; `busy` holds
/// pairings that are being played, `absent` players that play nobody now. `None` if no game would tell
/// anything, as between anchors.
///
/// A player without a rating comes first, so that everybody gets one: against the rated player in
/// the middle of the table, or, where nobody is rated, against the next player.
pub fn next_pairing(
    ratings: &Ratings,
    anchors: &[Option<f64>],
    busy: &[(usize, usize)],
    absent: &[usize],
) -> Option<(usize, usize)> {
    let n = ratings.players.len();
    let is_free = |&(a, b): &(usize, usize)| a != b && !busy.contains(&sorted(a, b));
    let present: Vec<usize> = (0..n).filter(|player| !absent.contains(player)).collect();
    let newcomers = present
        .iter()
        .enumerate()
        .filter(|&(_, &player)| ratings.players[player].is_none());
    let middle = middle_of(ratings, &present);
    let first_game = newcomers
        .map(|(place, &player)| {
            let next = present[(place + 1) % present.len()];
            sorted(player, middle.unwrap_or(next))
        })
        .find(is_free);
    if first_game.is_some() {
        return first_game;
    }
    let after = |place: usize| present[place + 1..].iter();
    let pairings = present
        .iter()
        .enumerate()
        .flat_map(|(place, &a)| after(place).map(move |&b| (a, b)));
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

/// The rated player in the middle of the table of those that are `present`.
fn middle_of(ratings: &Ratings, present: &[usize]) -> Option<usize> {
    let rated = |&player: &usize| Some((ratings.players[player]?.elo, player));
    let mut table: Vec<(f64, usize)> = present.iter().filter_map(rated).collect();
    table.sort_by(|(x, _), (y, _)| x.total_cmp(y));
    table.get(table.len() / 2).map(|&(_, player)| player)
}

#[cfg(test)]
mod tests;
