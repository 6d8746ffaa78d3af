use data::GameRecord;
use fleet::{MAX_CHUNK_BYTES, game_id};

use super::*;
use crate::testing;

const RUN: RunId = RunId([7; 8]);

/// The first games of worker 3.
fn games(n: usize) -> Vec<Played> {
    testing::games(game_id(3, 1), n)
}

fn gatherer(max_bytes: usize) -> Gatherer {
    let mut gatherer = Gatherer::new(RUN, 3, max_bytes);
    for generation in 0..3 {
        gatherer.know(ModelUse {
            generation,
            hash: Hash([generation as u8; 32]),
        });
    }
    gatherer
}

#[test]
fn chunks_hold_all_games_once_and_only_the_nets_that_began_them() {
    let mut gatherer = gatherer(MAX_CHUNK_BYTES);
    let games = games(20);
    for played in &games {
        gatherer.add(played).unwrap();
    }
    let chunks = gatherer.rest();
    assert_eq!(chunks.len(), 1);
    let chunk = Chunk::decode(&chunks[0]).unwrap();
    assert_eq!((chunk.run, chunk.worker), (RUN, 3));
    let models: Vec<u32> = chunk.models.iter().map(|model| model.generation).collect();
    assert_eq!(models, [0]);
    for (sent, played) in chunk.games.iter().zip(&games) {
        let record = GameRecord::from_bytes(&sent.record).unwrap();
        assert_eq!(record.id, played.record.id);
        assert_eq!(sent.sequence, sequence_of(record.id));
    }
    assert_eq!((gatherer.games(), gatherer.lost()), (20, 0));
    assert!(gatherer.rest().is_empty());
}

#[test]
fn no_chunk_is_larger_than_the_broker_takes() {
    let games = games(20);
    let mut whole = gatherer(MAX_CHUNK_BYTES);
    games.iter().for_each(|played| whole.add(played).unwrap());
    let limit = whole.rest()[0].len() / 3;
    let mut gatherer = gatherer(limit);
    games
        .iter()
        .for_each(|played| gatherer.add(played).unwrap());
    let chunks = gatherer.rest();
    assert!(chunks.len() >= 3);
    assert!(chunks.iter().all(|chunk| chunk.len() <= limit));
    let n_games: usize = chunks
        .iter()
        .map(|chunk| Chunk::decode(chunk).unwrap().games.len())
        .sum();
    assert_eq!((n_games as u64, gatherer.lost()), (20, 0));
}

#[test]
fn a_game_that_is_too_large_is_counted_and_the_others_are_sent() {
    let games = games(3);
    let mut alone = gatherer(MAX_CHUNK_BYTES);
    let mut largest = 0;
    for played in &games {
        alone.add(played).unwrap();
        largest = alone.rest()[0].len().max(largest);
    }
    let mut gatherer = gatherer(largest - 1);
    games
        .iter()
        .for_each(|played| gatherer.add(played).unwrap());
    let sent: usize = gatherer
        .rest()
        .iter()
        .map(|chunk| Chunk::decode(chunk).unwrap().games.len())
        .sum();
    assert_eq!(sent as u64 + gatherer.lost(), 3);
    assert!(gatherer.lost() >= 1);
}
