//! Breaks batches on purpose, to see that a sentinel reports it ([`Fault`]).

use data::Batch;
use rand::{Rng, RngExt};

use crate::config::Fault;

/// Spoils a batch as the fault says; faults of the players leave it alone.
pub fn spoil(fault: Fault, batch: &mut Batch, rng: &mut impl Rng) {
    match fault {
        Fault::SwappedPlanes => swap_sides(batch),
        Fault::ShuffledLabels => shuffle_labels(batch, rng),
        Fault::FlippedValue | Fault::NoLearning | Fault::FrozenPlayers => {}
    }
}

/// Exchanges the planes of both sides: the board's are one side's 31, then the other's.
fn swap_sides(batch: &mut Batch) {
    let n_planes = batch.board.shape()[1];
    let right = batch.board.clone();
    for (mut row, right) in batch.board.outer_iter_mut().zip(right.outer_iter()) {
        for plane in 0..n_planes {
            let other = right.row((plane + n_planes / 2) % n_planes);
            row.row_mut(plane).assign(&other);
        }
    }
}

/// Gives each legal move's probability to a legal move drawn at random.
fn shuffle_labels(batch: &mut Batch, rng: &mut impl Rng) {
    let rows = batch.policy.outer_iter_mut().zip(batch.legal.outer_iter());
    for (mut policy, legal) in rows {
        let labels: Vec<usize> = (0..legal.len())
            .filter(|&label| legal[label] > 0.0)
            .collect();
        for first in (1..labels.len()).rev() {
            policy.swap(labels[first], labels[rng.random_range(0..=first)]);
        }
    }
}
