//! What the tests of several parts of the loop need.

use search::{SearchOptions, UniformEvaluator};
use selfplay::{GameIds, PlayEvent, SelfPlay, SelfPlayOptions};

use crate::playing::worker::Played;

/// `n` short games, numbered from `first`.
pub fn games(first: u64, n: usize) -> Vec<Played> {
    let options = SelfPlayOptions {
        games_at_once: 2,
        max_ply: 12,
        ..SelfPlayOptions::default()
    };
    let search = SearchOptions {
        visits: 2,
        ..SearchOptions::default()
    };
    let mut play = SelfPlay::new(&options, &search, 1, 0, GameIds::starting_at(first));
    let mut games = Vec::new();
    while games.len() < n {
        play.advance(&mut UniformEvaluator, &mut |event| {
            let PlayEvent::GameFinished { record, searches } = event;
            games.push(Played { record, searches });
        })
        .unwrap();
    }
    games.truncate(n);
    games
}
