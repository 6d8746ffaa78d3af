//! Pieces in hand.

use crate::PieceKind;

/// One player's pieces in hand (持ち駒). It cannot hold a king or a promoted piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand([u8; 8]);

impl Hand {
    /// How many pieces of `kind` are held, 0..=18; 0 for kinds that cannot be in hand.
    #[inline]
    pub fn count(&self, kind: PieceKind) -> u32 {
        match kind {
            PieceKind::King => 0,
            kind => self.0.get(kind.index()).map_or(0, |&n| u32::from(n)),
        }
    }

    /// The counts as one number, a byte per kind.
    #[inline]
    pub(crate) const fn packed(&self) -> u64 {
        u64::from_le_bytes(self.0)
    }

    /// Whether nothing is held.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.packed() == 0
    }

    /// The kinds that are held at least once, in index order, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (PieceKind, u32)> + '_ {
        PieceKind::HAND
            .into_iter()
            .map(|kind| (kind, self.count(kind)))
            .filter(|&(_, n)| n > 0)
    }

    /// `kind` must be one that can be in hand.
    ///
    /// # Panics
    ///
    /// If `kind` is a promoted one.
    #[inline]
    pub(crate) fn add(&mut self, kind: PieceKind, n: u8) {
        debug_assert!(kind != PieceKind::King);
        self.0[kind.index()] += n;
    }

    /// # Panics
    ///
    /// If `kind` cannot be in hand.
    #[inline]
    pub(crate) fn remove_one(&mut self, kind: PieceKind) {
        debug_assert!(self.0[kind.index()] > 0, "no {kind:?} in hand");
        self.0[kind.index()] -= 1;
    }
}
