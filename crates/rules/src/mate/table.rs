//! The memory of a search: a table of fixed size that keeps what cost most.

use super::counts::Counts;
use super::keys::mixed;
use super::value::{INFINITE, NO_PATH, Plies, Value};
use crate::Move;

/// Entries that share a place: one board usually has several, with different hands.
const BUCKET: usize = 8;

/// Which node: a board with the side to move, and the attacker's hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeKey {
    pub(super) board: u64,
    pub(super) hand: Counts,
}

impl NodeKey {
    /// For sorted lists.
    pub(super) fn sorted_key(self) -> (u64, u32) {
        (self.board, self.hand.bits())
    }
}

/// What the table says about a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) value: Value,
    /// Of a mate with the attacker to move: the move to play.
    pub(super) best: Option<Move>,
}

/// All that is remembered of one search. Another search starts by counting up the age.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    age: u16,
    /// Different for each age: a board has another tag in another search.
    salt: u64,
}

/// Four cache lines. The first says whether a board is here at all, which it is mostly not.
#[derive(Debug, Clone)]
#[repr(align(64))]
struct Bucket {
    tags: [u64; BUCKET],
    entries: [Entry; BUCKET],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Not solved: `low` is the hand, `high` the proof number, `dn` the disproof number.
    Open,
    Mate,
    NoMate,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    low: Counts,
    high: u32,
    dn: u32,
    plies: Plies,
    /// The search that wrote it; 0 is nobody.
    age: u16,
    /// Nodes below, as far as the field goes.
    effort: u16,
    /// Of a mate: the move to play.
    best: u16,
    kind: Kind,
}

const EMPTY: Bucket = Bucket {
    tags: [0; BUCKET],
    entries: [Entry {
        low: Counts::NONE,
        high: 0,
        dn: 0,
        plies: Plies::UNLIMITED,
        age: 0,
        effort: 0,
        best: u16::MAX,
        kind: Kind::Open,
    }; BUCKET],
};

impl Table {
    /// A table of about so many bytes, at least one bucket.
    pub(super) fn new(bytes: usize) -> Table {
        let n = (bytes / size_of::<Bucket>()).max(1);
        Table {
            buckets: vec![EMPTY; n],
            age: 1,
            salt: mixed(1),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.age == u16::MAX {
            self.buckets.fill(EMPTY);
            self.age = 0;
        }
        self.age += 1;
        self.salt = mixed(u64::from(self.age));
    }

    /// Where a board belongs, and the tag that it has there.
    #[inline]
    fn place(&self, board: u64) -> (usize, u64) {
        // The high half of the product spreads the key over any number of buckets.
        let idx = ((u128::from(mixed(board)) * self.buckets.len() as u128) >> 64) as usize;
        (idx, board ^ self.salt)
    }

    /// Reads where the node belongs, so that it comes from memory while other work is done.
    #[inline]
    pub(super) fn warm(&self, node: NodeKey) {
        std::hint::black_box(self.buckets[self.place(node.board).0].tags[0]);
    }

    /// What is known about "mate within so many plies?" at a node.
    #[inline]
    pub(super) fn look(&self, node: NodeKey, within: Plies) -> Option<Known> {
        let (idx, tag) = self.place(node.board);
        let bucket = &self.buckets[idx];
        let mut found = None;
        for (&there, entry) in bucket.tags.iter().zip(&bucket.entries) {
            if there != tag {
                continue;
            }
            match entry.kind {
                Kind::Open if entry.low == node.hand => {
                    found = Some(Known {
                        value: Value::open(entry.high, entry.dn),
                        best: None,
                    });
                }
                Kind::Open => {}
                Kind::Mate if entry.plies <= within && entry.is_for(node.hand) => {
                    return Some(entry.answer());
                }
                Kind::NoMate if entry.plies >= within && entry.is_for(node.hand) => {
                    return Some(entry.answer());
                }
                _ => {}
            }
        }
        found
    }

    /// Remembers the numbers of a node that is not solved, and how many nodes they cost.
    pub(super) fn keep_open(&mut self, node: NodeKey, value: &Value, effort: u64) {
        let entry = Entry {
            low: node.hand,
            high: value.pn,
            dn: value.dn,
            plies: Plies::UNLIMITED,
            age: self.age,
            effort: effort.min(u64::from(u16::MAX)) as u16,
            best: u16::MAX,
            kind: Kind::Open,
        };
        self.insert(node, entry);
    }

    /// Remembers an answer that does not depend on the path, and how many nodes it cost.
    pub(super) fn keep_answer(
        &mut self,
        node: NodeKey,
        value: &Value,
        best: Option<Move>,
        effort: u64,
    ) {
        debug_assert!(value.is_solved() && value.leans_on == NO_PATH);
        debug_assert!(node.hand.covers(value.low) && value.high.covers(node.hand));
        let kind = if value.is_mate() {
            Kind::Mate
        } else {
            Kind::NoMate
        };
        let entry = Entry {
            low: value.low,
            high: value.high.bits(),
            dn: 0,
            plies: value.plies,
            age: self.age,
            effort: effort.min(u64::from(u16::MAX)) as u16,
            best: best.map_or(u16::MAX, Move::raw),
            kind,
        };
        self.insert(node, entry);
    }

    /// Puts the entry in place of one that it makes needless, else of the one that cost least.
    fn insert(&mut self, node: NodeKey, entry: Entry) {
        let (idx, tag) = self.place(node.board);
        let Bucket { tags, entries } = &mut self.buckets[idx];
        let mut cheapest = (u32::MAX, 0);
        for (slot, (&there, old)) in tags.iter().zip(entries.iter()).enumerate() {
            if there == tag && entry.replaces(old, node.hand) {
                let effort = old.effort.saturating_add(entry.effort);
                entries[slot] = Entry { effort, ..entry };
                return;
            }
            cheapest = cheapest.min((old.worth(self.age), slot));
        }
        tags[cheapest.1] = tag;
        entries[cheapest.1] = entry;
    }
}

impl Entry {
    fn is_for(&self, hand: Counts) -> bool {
        hand.covers(self.low) && Counts::from_bits(self.high).covers(hand)
    }

    fn answer(&self) -> Known {
        let (pn, dn) = match self.kind {
            Kind::Mate => (0, INFINITE),
            _ => (INFINITE, 0),
        };
        Known {
            value: Value {
                pn,
                dn,
                plies: self.plies,
                low: self.low,
                high: Counts::from_bits(self.high),
                leans_on: NO_PATH,
            },
            best: Move::from_raw(self.best),
        }
    }

    /// What it would cost to lose the entry. An answer saves more than numbers that were as dear:
    /// proofs are walked again.
    fn worth(&self, age: u16) -> u32 {
        if self.age != age {
            return 0;
        }
        let factor = if self.kind == Kind::Open { 1 } else { 4 };
        1 + factor * u32::from(self.effort)
    }

    /// Whether `old`, of the same board, says nothing more once this entry, made for `hand`, is
    /// there.
    fn replaces(&self, old: &Entry, hand: Counts) -> bool {
        match (self.kind, old.kind) {
            (_, Kind::Open) => old.low == hand,
            (Kind::Mate, Kind::Mate) => self.plies <= old.plies && self.spans(old),
            (Kind::NoMate, Kind::NoMate) => self.plies >= old.plies && self.spans(old),
            _ => false,
        }
    }

    fn spans(&self, old: &Entry) -> bool {
        old.low.covers(self.low) && Counts::from_bits(self.high).covers(Counts::from_bits(old.high))
    }
}

/// Disproofs through a repetition: they hold on one path only, so the path is part of the key.
pub(super) struct PathTable {
    entries: Vec<PathEntry>,
    age: u16,
}

#[derive(Debug, Clone, Copy)]
struct PathEntry {
    key: u64,
    plies: Plies,
    leans_on: u16,
    age: u16,
}

impl PathTable {
    /// A table of about so many bytes, at least one entry.
    pub(super) fn new(bytes: usize) -> PathTable {
        let n = (bytes / size_of::<PathEntry>()).max(1);
        let empty = PathEntry {
            key: 0,
            plies: Plies::UNLIMITED,
            leans_on: 0,
            age: 0,
        };
        PathTable {
            entries: vec![empty; n],
            age: 1,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.age == u16::MAX {
            self.entries.iter_mut().for_each(|entry| entry.age = 0);
            self.age = 0;
        }
        self.age += 1;
    }

    /// The disproof of a node at the end of a path, if it is for at least so many plies.
    pub(super) fn look(&self, path: u64, node: NodeKey, within: Plies) -> Option<Value> {
        let entry = self.entries[self.idx(path)];
        (entry.key == path && entry.age == self.age && entry.plies >= within).then(|| Value {
            plies: entry.plies,
            ..Value::repetition(node.hand, entry.leans_on)
        })
    }

    /// Remembers the disproof of the node at the end of a path.
    pub(super) fn keep(&mut self, path: u64, value: &Value) {
        let idx = self.idx(path);
        self.entries[idx] = PathEntry {
            key: path,
            plies: value.plies,
            leans_on: value.leans_on,
            age: self.age,
        };
    }

    fn idx(&self, path: u64) -> usize {
        ((u128::from(path) * self.entries.len() as u128) >> 64) as usize
    }
}
