//! Looks at the net that the players get: how far it moved, whether they see it as the learner does,
//! and whether every thread plays it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use data::{GameRecord, MoveLabel, SampleOptions, UnseenPlace, unseen_positions};
use model::Model;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rules::Position;
use search::{EvalAnswers, EvalRequest, Evaluator};
use trainer::Predictions;

use super::learner::Learner;
use super::scores::expected;
use crate::health::NetHealth;
use crate::health::net::correlation;
use crate::nets::Net;
use crate::playing::orders::Orders;
use crate::probe::{Probe, probabilities};

/// Positions that learner and players are compared on.
const POSITIONS: usize = 32;

/// Time between two looks at a published net; the first few are all looked at.
const EVERY: Duration = Duration::from_secs(5);
const FIRST: u32 = 4;

/// Nets whose answers are remembered: threads may still play them.
const REMEMBERED: usize = 8;

/// Looks at nets as they are published.
pub struct Checkup {
    before: Option<Model>,
    looked_at: Option<Instant>,
    health: Option<NetHealth>,
    /// What the players' evaluator should answer, by generation.
    answers: BTreeMap<u32, Probe>,
}

impl Checkup {
    /// Looks at the nets that come after `newest`, which is the newest one of the run so far.
    pub fn after(newest: Option<&Net>) -> Checkup {
        Checkup {
            before: newest.and_then(Net::model).cloned(),
            looked_at: None,
            health: None,
            answers: BTreeMap::new(),
        }
    }

    /// Whether a net that is published now should be looked at.
    pub fn is_due(&self, generation: u32) -> bool {
        generation <= FIRST || self.looked_at.is_none_or(|at| at.elapsed() >= EVERY)
    }

    /// Looks at a new net: its weights, and how `evaluator`, of the players' kind, sees the positions of
    /// `records` beside the learner.
    ///
    /// # Errors
    ///
    /// If one of them fails.
    pub fn look(
        &mut self,
        model: &Model,
        evaluator: &mut dyn Evaluator,
        learner: &mut Learner,
        records: &[GameRecord],
        options: &SampleOptions,
    ) -> anyhow::Result<()> {
        self.looked_at = Some(Instant::now());
        let generation = model.manifest.generation;
        self.answers.insert(generation, Probe::of(evaluator)?);
        while self.answers.len() > REMEMBERED {
            self.answers.pop_first();
        }
        let before = self.before.replace(model.clone());
        let mut health = NetHealth::of(model, before.as_ref());
        if let Some(comparison) = compare(evaluator, learner, records, options)? {
            health.policy_distance = Some(comparison.policy_distance);
            health.value_distance = Some(comparison.value_distance);
            health.value_correlation = comparison.value_correlation;
        }
        self.health = Some(health);
        Ok(())
    }

    /// What was seen of the newest net that was looked at, and how many threads play another one than
    /// they believe.
    pub fn health(&self, orders: &Orders) -> Option<NetHealth> {
        let is_stranger = |(generation, probe): &(u32, Probe)| {
            let known = self.answers.get(generation);
            known.is_some_and(|own| !own.is_same(probe))
        };
        let strangers = orders
            .answers()
            .iter()
            .filter(|told| is_stranger(told))
            .count();
        self.health.map(|health| NetHealth {
            strangers: strangers as u32,
            ..health
        })
    }
}

/// How far two networks are apart on the same positions.
struct Comparison {
    policy_distance: f64,
    value_distance: f64,
    value_correlation: Option<f64>,
}

/// Compares the players' evaluator with the learner; none where there are no positions.
fn compare(
    evaluator: &mut dyn Evaluator,
    learner: &mut Learner,
    records: &[GameRecord],
    options: &SampleOptions,
) -> anyhow::Result<Option<Comparison>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let drawn = unseen_positions(records, POSITIONS, 0, options, &mut rng);
    if drawn.batch.is_empty() {
        return Ok(None);
    }
    let predictions = learner.predict(drawn.batch)?;
    let mut policy = 0.0;
    let mut scores = Vec::new();
    let mut answers = EvalAnswers::new();
    for (row, place) in drawn.places.iter().enumerate() {
        let position = position_at(&records[place.game], *place);
        let legal_moves = position.legal_moves();
        let request = EvalRequest {
            position: &position,
            legal_moves: &legal_moves,
        };
        evaluator.evaluate(&[request], &mut answers)?;
        let (logits, wdl) = answers.get(0);
        policy += policy_distance(&predictions, row, &request, logits);
        scores.push((
            f64::from(wdl.expected()),
            f64::from(expected(&predictions, row)),
        ));
    }
    let n = scores.len() as f64;
    Ok(Some(Comparison {
        policy_distance: policy / n,
        value_distance: scores.iter().map(|(a, b)| (a - b).abs()).sum::<f64>() / n,
        value_correlation: correlation(&scores),
    }))
}

fn policy_distance(
    predictions: &Predictions,
    row: usize,
    request: &EvalRequest<'_>,
    logits: &[f32],
) -> f64 {
    let side = request.position.side_to_move();
    let moves = request.legal_moves.iter().zip(probabilities(logits));
    let differences = moves.map(|(&mv, found)| {
        let label = MoveLabel::of(mv, side).index();
        f64::from((predictions.policy[[row, label]] - found).abs())
    });
    differences.sum::<f64>() / 2.0
}

fn position_at(record: &GameRecord, place: UnseenPlace) -> Position {
    let mut position = record.start.clone();
    for ply in &record.plies[..place.ply] {
        position.do_move(ply.mv);
    }
    position
}
