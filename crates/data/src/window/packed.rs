//! A finished game in few allocations, its targets computed.

use rules::{Color, EndReason, Move, Outcome, Position};

use super::SampleOptions;
use crate::batch::AuxiliaryTargets;
use crate::codec::quantized_policy;
use crate::quantize::ONE;
use crate::record::{GameRecord, PlyKind, PlyRecord, ValueWdl};
use crate::targets::{ShortTargets, short_targets, td_targets};

/// What sampling needs of a game, without a vector per ply.
pub(crate) struct PackedGame {
    start: Position,
    outcome: Outcome,
    value_weight: f32,
    moves: Box<[Move]>,
    /// The plies that may be drawn.
    plies: Box<[u16]>,
    /// Value targets, one per ply that may be drawn.
    targets: Box<[ValueWdl]>,
    /// Value targets with short horizons, one per ply that may be drawn; empty where no auxiliary
    /// heads are taught.
    short_targets: Box<[ShortTargets]>,
    /// Where in `policies` each of these plies' policy ends.
    policy_ends: Box<[u32]>,
    policies: Box<[(Move, u16)]>,
}

impl PackedGame {
    pub(crate) fn new(record: &GameRecord, options: &SampleOptions) -> Self {
        let all_targets = td_targets(record, options.lambda);
        let (mut plies, mut targets) = (Vec::new(), Vec::new());
        let (mut policy_ends, mut policies) = (Vec::new(), Vec::new());
        for (ply, played) in record.plies.iter().enumerate() {
            if !options.admits(played.kind) {
                continue;
            }
            plies.push(ply as u16);
            targets.push(all_targets[ply]);
            policies.extend(policy_target(played));
            policy_ends.push(policies.len() as u32);
        }
        let mut short = Vec::new();
        if options.auxiliary {
            let of_all = short_targets(record, options.short_horizons);
            short.extend(plies.iter().map(|&ply| of_all[usize::from(ply)]));
        }
        let capped = record.outcome.reason == EndReason::PlyLimit;
        Self {
            start: record.start.clone(),
            outcome: record.outcome,
            value_weight: if capped { options.cap_weight } else { 1.0 },
            moves: record.plies.iter().map(|ply| ply.mv).collect(),
            plies: plies.into(),
            targets: targets.into(),
            short_targets: short.into(),
            policy_ends: policy_ends.into(),
            policies: policies.into(),
        }
    }

    pub(crate) fn n_positions(&self) -> usize {
        self.plies.len()
    }

    /// The `sample`-th position that may be drawn.
    pub(crate) fn position(&self, sample: usize) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves[..usize::from(self.plies[sample])] {
            position.do_move(mv);
        }
        position
    }

    /// Who is to move in it.
    pub(crate) fn side(&self, sample: usize) -> Color {
        let first = self.start.side_to_move();
        if self.plies[sample].is_multiple_of(2) {
            first
        } else {
            first.flipped()
        }
    }

    /// Its policy target in steps of 1/65,535; empty if there is none.
    pub(crate) fn policy(&self, sample: usize) -> &[(Move, u16)] {
        let first = sample
            .checked_sub(1)
            .map_or(0, |before| self.policy_ends[before]);
        &self.policies[first as usize..self.policy_ends[sample] as usize]
    }

    /// Its value target, of the side to move.
    pub(crate) fn target(&self, sample: usize) -> ValueWdl {
        self.targets[sample]
    }

    /// Its targets for auxiliary heads, where the options asked for them.
    pub(crate) fn auxiliary(&self, sample: usize) -> Option<AuxiliaryTargets<'_>> {
        let &short = self.short_targets.get(sample)?;
        let ply = usize::from(self.plies[sample]);
        // The opponent's policy is known where its ply is a sample too.
        let is_next = |&next: &u16| usize::from(next) == ply + 1;
        let reply = match self.plies.get(sample + 1).filter(|next| is_next(next)) {
            Some(_) => self.policy(sample + 1),
            None => &[],
        };
        let ended = self.outcome.reason != EndReason::PlyLimit;
        Some(AuxiliaryTargets {
            reply,
            moves_left: ended.then_some((self.moves.len() - ply) as u32),
            short,
        })
    }

    /// Weight of the value loss in the whole game.
    pub(crate) fn value_weight(&self) -> f32 {
        self.value_weight
    }

    pub(crate) fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Bytes behind the boxes.
    pub(super) fn n_heap_bytes(&self) -> usize {
        size_of_val(&*self.moves)
            + size_of_val(&*self.plies)
            + size_of_val(&*self.targets)
            + size_of_val(&*self.short_targets)
            + size_of_val(&*self.policy_ends)
            + size_of_val(&*self.policies)
    }
}

/// A proven mate is the whole policy, whatever the search would have said.
fn policy_target(ply: &PlyRecord) -> Vec<(Move, u16)> {
    match ply.kind {
        PlyKind::Mate => vec![(ply.mv, ONE)],
        _ => quantized_policy(&ply.policy),
    }
}
