//! Where self-play's time goes.

use std::hint::black_box;
use std::time::Duration;

use serde::Serialize;

use super::worker::Totals;
use crate::speed::{self, Positions};

/// Parts of self-play's time, as shares that sum to 1 or in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Parts {
    /// Walking and updating trees, choosing moves: what the other parts leave.
    pub(super) tree: f64,
    /// Legal moves and the test for mate in one, once per evaluated position.
    pub(super) rules: f64,
    /// Writing input planes.
    pub(super) features: f64,
    /// The evaluator's time without `features`.
    pub(super) network: f64,
    /// Waiting for another thread: 0, each has its own evaluator.
    pub(super) waiting: f64,
}

/// Splits the time of one evaluation, in microseconds: the evaluator's is measured as it plays, rules
/// and features are measured alone, on positions that self-play has asked about.
pub(super) fn us_per_eval(totals: &Totals, asked: &Positions) -> Parts {
    let time = Duration::from_millis(200);
    let rules = speed::seconds_each(asked, time, |position, moves| {
        position.legal_moves_into(moves);
        black_box(position.mate_in_one_among(moves));
    });
    let mut board = vec![0.0; data::BOARD_PLANES * model::SQUARES];
    let mut hands = vec![0.0; data::HAND_PLANES];
    let features = speed::seconds_each(asked, time, |position, _| {
        data::encode_board(position, &mut board);
        data::encode_hands(position, &mut hands);
        black_box((&board, &hands));
    });
    let each = |seconds: f64| seconds / totals.evaluations.max(1.0);
    let network = each(totals.evaluator_seconds) - features;
    let parts = Parts {
        tree: each(totals.cpu_seconds) - network - features - rules,
        rules,
        features,
        network,
        waiting: 0.0,
    };
    parts.map(|seconds| 1e6 * seconds)
}

impl Parts {
    fn map(self, change: impl Fn(f64) -> f64) -> Parts {
        Parts {
            tree: change(self.tree),
            rules: change(self.rules),
            features: change(self.features),
            network: change(self.network),
            waiting: change(self.waiting),
        }
    }

    pub(super) fn sum(&self) -> f64 {
        self.tree + self.rules + self.features + self.network + self.waiting
    }

    /// Each part as a share of the sum.
    pub(super) fn shares(self) -> Parts {
        let sum = self.sum();
        self.map(|part| part / sum)
    }

    pub(super) fn text(&self, number: impl Fn(f64) -> String) -> String {
        let Parts {
            tree,
            rules,
            features,
            network,
            waiting,
        } = *self;
        format!(
            "tree {}, rules {}, features {}, network {}, waiting {}",
            number(tree),
            number(rules),
            number(features),
            number(network),
            number(waiting)
        )
    }
}
