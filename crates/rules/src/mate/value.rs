//! What is known about a node: proof and disproof numbers, and for which hands an answer holds.

use super::counts::Counts;

/// A number of plies, or no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Plies(u16);

impl Plies {
    pub(super) const UNLIMITED: Plies = Plies(u16::MAX);

    /// More than a search can be deep counts as no limit.
    pub(super) fn new(plies: u32) -> Plies {
        Plies(u16::try_from(plies).unwrap_or(u16::MAX))
    }

    pub(super) fn is_unlimited(self) -> bool {
        self == Plies::UNLIMITED
    }

    #[inline]
    pub(super) fn plus(self, n: u16) -> Plies {
        Plies(self.0.saturating_add(n))
    }

    /// `n` less; no limit stays none.
    #[inline]
    pub(super) fn minus(self, n: u16) -> Plies {
        match self {
            Plies::UNLIMITED => self,
            Plies(plies) => Plies(plies.saturating_sub(n)),
        }
    }
}

/// Larger than any proof number; a node with this number on one side has 0 on the other.
pub(super) const INFINITE: u32 = 1 << 30;
/// [`Value::leans_on`] of an answer that does not depend on the path.
pub(super) const NO_PATH: u16 = u16::MAX;

/// What is known about a node: a position in which one question is asked, "mate within so many
/// plies?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    /// Proof number: about how many leaves must still become mates; 0 if this is a mate.
    pub(super) pn: u32,
    /// Disproof number: about how many leaves must still fail; 0 if this is no mate.
    pub(super) dn: u32,
    /// Of a mate: within how many plies. Of no mate: within how many plies there is none.
    pub(super) plies: Plies,
    /// An answer holds for all hands of the attacker from `low`…
    pub(super) low: Counts,
    /// …up to `high`, on the same board, the defender having the rest.
    pub(super) high: Counts,
    /// For no mate because a position on the path would repeat: the depth of the shallowest such
    /// position. The answer then holds only below it.
    pub(super) leans_on: u16,
}

impl Value {
    pub(super) fn open(pn: u32, dn: u32) -> Value {
        Value {
            pn,
            dn,
            plies: Plies::UNLIMITED,
            low: Counts::NONE,
            high: Counts::ALL,
            leans_on: NO_PATH,
        }
    }

    pub(super) fn mate(plies: Plies, low: Counts, high: Counts) -> Value {
        Value {
            pn: 0,
            dn: INFINITE,
            plies,
            low,
            high,
            leans_on: NO_PATH,
        }
    }

    pub(super) fn no_mate(plies: Plies, low: Counts, high: Counts) -> Value {
        Value {
            pn: INFINITE,
            dn: 0,
            plies,
            low,
            high,
            leans_on: NO_PATH,
        }
    }

    /// No mate for exactly this hand, since it repeats the position at depth `leans_on`.
    pub(super) fn repetition(hand: Counts, leans_on: u16) -> Value {
        Value {
            leans_on,
            ..Value::no_mate(Plies::UNLIMITED, hand, hand)
        }
    }

    #[inline]
    pub(super) fn is_mate(&self) -> bool {
        self.pn == 0
    }

    #[inline]
    pub(super) fn is_no_mate(&self) -> bool {
        self.dn == 0
    }

    #[inline]
    pub(super) fn is_solved(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// Both answers needed: holds where both hold. Plies and the path are left alone.
    pub(super) fn only_where(&mut self, other: &Value) {
        self.low = self.low.join(other.low);
        self.high = self.high.meet(other.high);
    }

    /// Both of two disproofs needed: as far and as surely as both say.
    pub(super) fn and(&mut self, other: &Value) {
        self.only_where(other);
        self.plies = self.plies.min(other.plies);
        self.leans_on = self.leans_on.min(other.leans_on);
    }
}
