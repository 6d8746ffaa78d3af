//! Which games of workers are known already.

use std::collections::BTreeMap;

use crate::ids::{Sender, sequence_of, worker_of};

/// A set of game numbers. A worker's are mostly in a row, so millions take little memory.
#[derive(Debug, Clone, Default)]
pub struct SeenGames {
    /// Of each worker: first to last of each row of sequences, both included.
    rows: BTreeMap<u32, BTreeMap<u32, u32>>,
}

impl SeenGames {
    /// Whether game `id` is known.
    pub fn contains(&self, id: u64) -> bool {
        let sequence = sequence_of(id);
        let Some(rows) = self.rows.get(&worker_of(id)) else {
            return false;
        };
        let row = rows.range(..=sequence).next_back();
        row.is_some_and(|(_, &last)| sequence <= last)
    }

    /// Makes game `id` known; false if it was.
    pub fn insert(&mut self, id: u64) -> bool {
        if self.contains(id) {
            return false;
        }
        let sequence = sequence_of(id);
        let rows = self.rows.entry(worker_of(id)).or_default();
        let before = rows.range(..sequence).next_back();
        let before = before
            .filter(|&(_, &last)| last.checked_add(1) == Some(sequence))
            .map(|(&first, _)| first);
        let after = sequence.checked_add(1).and_then(|next| rows.remove(&next));
        rows.insert(before.unwrap_or(sequence), after.unwrap_or(sequence));
        true
    }

    /// The highest number of a worker with a known game, members aside; 0 without any.
    pub fn highest_worker(&self) -> u32 {
        let given = |&number: &u32| Sender::of(number) == Sender::Worker(number);
        let mut newest_first = self.rows.keys().rev().copied();
        newest_first.find(given).unwrap_or(0)
    }

    /// Number of rows: what the memory in use is in proportion to.
    pub fn n_rows(&self) -> usize {
        self.rows.values().map(BTreeMap::len).sum()
    }
}

#[cfg(test)]
mod tests;
