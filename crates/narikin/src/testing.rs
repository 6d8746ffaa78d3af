//! What the tests of several modules need.

use std::fs;
use std::path::PathBuf;

use model::NetShape;
use search::{SearchOptions, UniformEvaluator};
use selfplay::{GameIds, PlayEvent, SelfPlay, SelfPlayOptions};

use crate::playing::worker::Played;

/// A new, empty folder for the test called `name`; names are not used twice.
pub fn test_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("narikin-{}-{name}", std::process::id()));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old test folder can be removed");
    }
    fs::create_dir_all(&folder).expect("a test folder can be created");
    folder
}

/// The shape of a net that is quickly made and run.
pub fn tiny_shape() -> NetShape {
    NetShape {
        blocks: 1,
        channels: 8,
        value_channels: 2,
        value_hidden: 8,
        ..NetShape::default()
    }
}

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
