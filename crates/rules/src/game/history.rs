//! The positions that a game has seen, for repetition.

/// Stands for "no occurrence".
const NONE: u32 = u32::MAX;

/// A power of two; more than most games have plies, so that few ever grow.
const FIRST_BUCKETS: usize = 256;

/// A position that occurred.
#[derive(Debug, Clone, Copy)]
struct Occurrence {
    key: u64,
    /// The occurrence before this one in the same bucket, or `NONE`.
    previous: u32,
    /// Moves in a row, up to the one that led here, by which its side gave check.
    checks: u32,
}

/// The keys of a game's positions in their order, the start's first.
///
/// They are also chained in buckets by their key, so that earlier occurrences are found at once
/// however long the game is. Taking back the last one needs nothing but the chain itself.
#[derive(Debug)]
pub(super) struct History {
    occurrences: Vec<Occurrence>,
    /// The latest occurrence of each bucket, or `NONE`. As many as a power of two.
    latest: Vec<u32>,
}

impl Clone for History {
    fn clone(&self) -> History {
        let History {
            occurrences,
            latest,
        } = self;
        History {
            occurrences: occurrences.clone(),
            latest: latest.clone(),
        }
    }

    fn clone_from(&mut self, source: &History) {
        let History {
            occurrences,
            latest,
        } = source;
        self.occurrences.clone_from(occurrences);
        self.latest.clone_from(latest);
    }
}

impl History {
    /// A history that begins with one position.
    pub(super) fn new(key: u64, in_check: bool) -> History {
        let mut history = History {
            occurrences: Vec::new(),
            latest: vec![NONE; FIRST_BUCKETS],
        };
        history.push(key, in_check);
        history
    }

    /// Adds the position that the next move has led to.
    #[inline]
    pub(super) fn push(&mut self, key: u64, in_check: bool) {
        if self.occurrences.len() >= self.latest.len() {
            self.grow();
        }
        let now = self.occurrences.len();
        let checks = match now.checked_sub(2) {
            _ if !in_check => 0,
            Some(own_last) => self.occurrences[own_last].checks + 1,
            None => 1,
        };
        let bucket = self.bucket(key);
        let previous = std::mem::replace(&mut self.latest[bucket], now as u32);
        self.occurrences.push(Occurrence {
            key,
            previous,
            checks,
        });
    }

    /// Forgets the last position; the first one stays.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.occurrences.len() > 1
            && let Some(Occurrence { key, previous, .. }) = self.occurrences.pop()
        {
            let bucket = self.bucket(key);
            self.latest[bucket] = previous;
        }
    }

    /// The number of the position now: how many moves led to it.
    #[inline]
    pub(super) fn now(&self) -> usize {
        self.occurrences.len() - 1
    }

    /// The numbers of the earlier positions that are the same as the one now, the latest first.
    #[inline]
    pub(super) fn earlier(&self) -> impl Iterator<Item = usize> + '_ {
        let Occurrence { key, previous, .. } = self.occurrences[self.now()];
        let mut next = previous;
        let chain = std::iter::from_fn(move || {
            let occurrence = *self.occurrences.get(next as usize)?;
            Some((
                std::mem::replace(&mut next, occurrence.previous),
                occurrence,
            ))
        });
        chain
            .filter(move |(_, occurrence)| occurrence.key == key)
            .map(|(number, _)| number as usize)
    }

    /// Moves in a row, up to the last one, by which the side that made it gave check.
    #[inline]
    pub(super) fn checks(&self) -> usize {
        self.occurrences[self.now()].checks as usize
    }

    /// The same for the side to move now, up to its own last move.
    #[inline]
    pub(super) fn checks_before(&self) -> usize {
        let before = self.now().checked_sub(1);
        before.map_or(0, |before| self.occurrences[before].checks as usize)
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        key as usize & (self.latest.len() - 1)
    }

    /// Doubles the buckets and chains all positions anew.
    #[cold]
    fn grow(&mut self) {
        self.latest = vec![NONE; 2 * self.latest.len()];
        for number in 0..self.occurrences.len() {
            let bucket = self.bucket(self.occurrences[number].key);
            self.occurrences[number].previous =
                std::mem::replace(&mut self.latest[bucket], number as u32);
        }
    }
}

#[cfg(test)]
mod tests;
