//! How many pieces of each kind a hand holds, ordered by "has at least as many of every kind".

use crate::{Hand, PieceKind};

/// The counts of a hand in one word, seven fields of three to five bits.
///
/// Also used as the upper end of an interval: a full field ([`Counts::ALL`]) then stands for any
/// number, and stays full under [`Counts::plus`] and [`Counts::minus`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts(u32);

/// First bit and width of each field, by kind: 31 pawns, 15 of the small ones, 7 bishops and rooks
/// fit, more than any position has.
const FIELDS: [(u32, u32); 7] = [(0, 5), (5, 4), (9, 4), (13, 4), (17, 3), (20, 3), (23, 4)];

/// Where a field's subtraction would borrow from: the bit behind each field.
const BORROWS: u32 = {
    let mut bits = 0;
    let mut kind = 0;
    while kind < 7 {
        let (shift, width) = FIELDS[kind];
        bits |= 1 << (shift + width);
        kind += 1;
    }
    bits
};

/// The bits of one field.
const fn mask(kind: PieceKind) -> u32 {
    let (shift, width) = FIELDS[kind.index()];
    ((1 << width) - 1) << shift
}

/// One piece of a kind.
const fn one(kind: PieceKind) -> u32 {
    1 << FIELDS[kind.index()].0
}

impl Counts {
    /// Nothing held.
    pub(super) const NONE: Counts = Counts(0);
    /// More than can be held of every kind.
    pub(super) const ALL: Counts = Counts((1 << 27) - 1);

    pub(super) fn of(hand: &Hand) -> Counts {
        let fields = PieceKind::HAND.map(|kind| hand.count(kind) << FIELDS[kind.index()].0);
        Counts(fields.into_iter().fold(0, |bits, field| bits | field))
    }

    #[inline]
    pub(super) const fn count(self, kind: PieceKind) -> u32 {
        (self.0 & mask(kind)) >> FIELDS[kind.index()].0
    }

    /// The counts as a number, for keys.
    #[inline]
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// The counts that [`Counts::bits`] gave.
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Counts {
        Counts(bits)
    }

    /// Whether this hand holds at least as many of every kind as `other`.
    #[inline]
    pub(super) const fn covers(self, other: Counts) -> bool {
        let difference = self.0.wrapping_sub(other.0);
        (self.0 ^ other.0 ^ difference) & BORROWS == 0
    }

    /// One more of `kind`.
    #[inline]
    pub(super) const fn plus(self, kind: PieceKind) -> Counts {
        if self.0 & mask(kind) == mask(kind) {
            self
        } else {
            Counts(self.0 + one(kind))
        }
    }

    /// One less of `kind`, if there is one.
    #[inline]
    pub(super) const fn minus(self, kind: PieceKind) -> Counts {
        let field = self.0 & mask(kind);
        if field == 0 || field == mask(kind) {
            self
        } else {
            Counts(self.0 - one(kind))
        }
    }

    /// `kind` at `n` at most.
    #[inline]
    pub(super) fn at_most(self, kind: PieceKind, n: u32) -> Counts {
        let n = n.min(self.count(kind));
        Counts(self.0 & !mask(kind) | n << FIELDS[kind.index()].0)
    }

    /// `kind` at `n` at least.
    #[inline]
    pub(super) fn at_least(self, kind: PieceKind, n: u32) -> Counts {
        let n = n.max(self.count(kind));
        Counts(self.0 & !mask(kind) | n << FIELDS[kind.index()].0)
    }

    /// The larger count of each kind.
    #[inline]
    pub(super) fn join(self, other: Counts) -> Counts {
        if other.covers(self) {
            return other;
        }
        let kinds = PieceKind::HAND.into_iter();
        kinds.fold(self, |counts, kind| {
            counts.at_least(kind, other.count(kind))
        })
    }

    /// The smaller count of each kind.
    #[inline]
    pub(super) fn meet(self, other: Counts) -> Counts {
        if self.covers(other) {
            return other;
        }
        let kinds = PieceKind::HAND.into_iter();
        kinds.fold(self, |counts, kind| counts.at_most(kind, other.count(kind)))
    }
}

#[cfg(test)]
mod tests;
