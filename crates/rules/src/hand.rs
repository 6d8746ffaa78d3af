//! Pieces in hand.

use crate::PieceKind;

/// One player's pieces in hand (持ち駒). It cannot hold a king or a promoted piece.
///
/// A byte per kind in one word: a count is written and read as the same eight bytes, which a
/// processor passes on at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u64);

impl Hand {
    /// How many pieces of `kind` are held, 0..=18; 0 for kinds that cannot be in hand.
    #[inline]
    pub const fn count(&self, kind: PieceKind) -> u32 {
        if kind.is_promoted() {
            0
        } else {
            (self.0 >> (8 * kind.index()) & 0xff) as u32
        }
    }

    /// The counts as one number, a byte per kind.
    #[inline]
    pub(crate) const fn packed(&self) -> u64 {
        self.0
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// The kinds that are held at least once, in index order, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (PieceKind, u32)> + '_ {
        PieceKind::HAND
            .into_iter()
            .map(|kind| (kind, self.count(kind)))
            .filter(|&(_, n)| n > 0)
    }

    /// `kind` must be one that can be in hand, and no count may pass 255.
    #[inline]
    pub(crate) fn add(&mut self, kind: PieceKind, n: u8) {
        debug_assert!(kind.index() < 7);
        self.0 += u64::from(n) << (8 * (kind.index() & 7));
    }

    /// One more of the kind with this index, which must be below 7.
    #[inline]
    pub(crate) fn add_slot(&mut self, slot: usize) {
        self.0 += 1 << (8 * (slot & 7));
    }

    /// One less of the kind with this index; it must be held.
    #[inline]
    pub(crate) fn remove_slot(&mut self, slot: usize) {
        self.0 -= 1 << (8 * (slot & 7));
    }
}
