//! From what the net says of unseen positions to what health is made of.

use data::{Batch, GameRecord, PlyKind, UnseenPlace};
use rules::Color;
use trainer::Predictions;

use crate::health::positions::{Scored, ScoredPolicy};

/// Scores the rows of `batch`, which are from `places` in `records`. The first rows have been
/// predicted in mirrored form too: `reflections`.
pub fn scored(
    records: &[GameRecord],
    places: &[UnseenPlace],
    batch: &Batch,
    predictions: &Predictions,
    reflections: &Predictions,
) -> Vec<Scored> {
    let row = |(row, place): (usize, &UnseenPlace)| {
        let record = &records[place.game];
        let side = record.side_at(place.ply);
        let expected = expected(predictions, row);
        let reflected = row < reflections.wdl.shape()[0];
        Scored {
            plies_to_end: (record.plies.len() - place.ply) as u32,
            black: side == Color::Black,
            expected,
            came: match record.outcome.winner {
                None => 0.5,
                Some(winner) => f32::from(u8::from(winner == side)),
            },
            policy: scored_policy(batch, predictions, row, record.plies[place.ply].kind),
            illegal_mass: predictions.illegal_mass[row],
            mirror_difference: reflected
                .then(|| (expected - self::expected(reflections, row)).abs()),
        }
    };
    places.iter().enumerate().map(row).collect()
}

/// Score that the side to move expects, from 0 to 1.
pub fn expected(predictions: &Predictions, row: usize) -> f32 {
    predictions.wdl[[row, 0]] + 0.5 * predictions.wdl[[row, 1]]
}

fn scored_policy(
    batch: &Batch,
    predictions: &Predictions,
    row: usize,
    kind: PlyKind,
) -> Option<ScoredPolicy> {
    if batch.policy_weight[row] == 0.0 {
        return None;
    }
    let (mut loss, mut target_entropy, mut n_legal) = (0.0_f32, 0.0_f32, 0);
    let (mut wanted, mut preferred) = ((0.0, 0), (0.0, 0));
    let (legal, target) = (batch.legal.row(row), batch.policy.row(row));
    let policy = predictions.policy.row(row);
    for label in (0..legal.len()).filter(|&label| legal[label] > 0.0) {
        n_legal += 1;
        let (aim, found) = (target[label], policy[label]);
        if aim > 0.0 {
            loss -= aim * found.max(f32::MIN_POSITIVE).ln();
            target_entropy -= aim * aim.ln();
        }
        if aim > wanted.0 {
            wanted = (aim, label);
        }
        if found > preferred.0 {
            preferred = (found, label);
        }
    }
    Some(ScoredPolicy {
        loss,
        target_entropy,
        uniform_loss: (n_legal as f32).ln(),
        mates: kind == PlyKind::Mate,
        agrees: wanted.1 == preferred.1,
    })
}
