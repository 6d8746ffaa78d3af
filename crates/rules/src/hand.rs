//! Pieces in hand.

use crate::PieceKind;

/// One player's pieces in hand (持ち駒). It cannot hold a king or a promoted piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand([u8; 7]);

impl Hand {
    /// How many pieces of `kind` are held, 0..=18; 0 for kinds that cannot be in hand.
    #[inline]
    pub fn count(&self, kind: PieceKind) -> u32 {
        self.0.get(kind.index()).map_or(0, |&n| u32::from(n))
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 7]
    }

    /// The kinds that are held at least once, in index order, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (PieceKind, u32)> + '_ {
        PieceKind::HAND
            .into_iter()
            .map(|kind| (kind, self.count(kind)))
            .filter(|&(_, n)| n > 0)
    }

    /// # Panics
    ///
    /// If `kind` cannot be in hand.
    #[inline]
    pub(crate) fn add(&mut self, kind: PieceKind, n: u8) {
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
