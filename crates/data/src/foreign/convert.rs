//! Our records as training data of other programs, and the other way round.

use rules::{EndReason, Game, GameRules, Move, Outcome};
use serde::{Deserialize, Serialize};

use super::Handicaps;
use super::error::WriteFault;
use super::hcpe3::{Hcpe3Game, Hcpe3Ply, Opponent};
use super::positions::PositionRecord;
use super::result::{Ending, GameResult};
use crate::codec::quantized_policy;
use crate::record::{GameRecord, PlyKind, PlyRecord, ValueWdl};
use crate::window::SampleOptions;

/// An evaluation of this size is a mate.
const MATE_EVAL: i16 = 30_000;

/// How records become data of other programs, and the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConversionOptions {
    /// Centipawns per unit of log-odds, > 0: an evaluation e is a win probability of
    /// 1 / (1 + exp(-e / eval_scale)).
    pub eval_scale: f32,
    /// What to do with positions that lack pieces.
    pub handicaps: Handicaps,
}

impl Default for ConversionOptions {
    /// `eval_scale`: dlshogi's and cshogi's constant, 1 / 0.0013226. dlshogi's own self-play data
    /// is fitted better by about 465.
    fn default() -> Self {
        Self {
            eval_scale: 756.086_5,
            handicaps: Handicaps::Refuse,
        }
    }
}

impl ConversionOptions {
    /// Looks at the ranges.
    ///
    /// # Errors
    ///
    /// The key, and what was found and expected.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let found = self.eval_scale;
        if found.is_finite() && 0.0 < found {
            Ok(())
        } else {
            Err(("eval_scale", format!("{found}: expected a number above 0")))
        }
    }
}

/// The win, draw and loss that an evaluation stands for: draws are not in it.
pub(crate) fn eval_wdl(eval: i16, scale: f32) -> ValueWdl {
    let win = match eval {
        MATE_EVAL.. => 1.0,
        ..=-30_000 => 0.0,
        _ => 1.0 / (1.0 + (-f32::from(eval) / scale).exp()),
    };
    [win, 0.0, 1.0 - win]
}

/// The evaluation of a value, a draw counted as half a win. Never as large as a mate.
fn wdl_eval([win, draw, _]: ValueWdl, scale: f32) -> i16 {
    let p = f64::from(win + draw / 2.0);
    let eval = f64::from(scale) * (p / (1.0 - p)).ln();
    let most = f64::from(MATE_EVAL - 1);
    eval.clamp(-most, most).round() as i16
}

/// What a search thought of a ply, as centipawns; `None` where nothing was searched.
fn ply_eval(ply: &PlyRecord, scale: f32) -> Option<i16> {
    match ply.kind {
        PlyKind::Mate => Some(MATE_EVAL),
        _ => ply.value.map(|value| wdl_eval(value, scale)),
    }
}

/// The positions of a game that are samples by `samples`, for files of positions: those with a
/// value or a proven mate. The best move is the policy's first choice, else the move played.
pub fn positions_of(
    record: &GameRecord,
    samples: &SampleOptions,
    options: &ConversionOptions,
) -> Vec<PositionRecord> {
    let result = GameResult::from(record.outcome);
    let mut position = record.start.clone();
    let mut positions = Vec::new();
    for ply in &record.plies {
        if samples.admits(ply.kind)
            && let Some(eval) = ply_eval(ply, options.eval_scale)
        {
            positions.push(PositionRecord {
                position: position.clone(),
                best: Some(best_move(ply)),
                eval,
                result,
            });
        }
        position.do_move(ply.mv);
    }
    positions
}

/// Ties go to the move that is named first.
fn best_move(ply: &PlyRecord) -> Move {
    if ply.kind == PlyKind::Mate {
        return ply.mv;
    }
    let mut best = (ply.mv, f32::NEG_INFINITY);
    for &(mv, p) in &ply.policy {
        if best.1 < p {
            best = (mv, p);
        }
    }
    best.0
}

impl Hcpe3Game {
    /// A game of ours as dlshogi keeps it.
    ///
    /// Policies become visits that sum to 65,535. A proven mate is its move alone, with an
    /// evaluation of 30,000. Plies without a policy (openings, fast searches that kept none) have
    /// no candidates. Seed, generation, rules, and draws within a value are lost.
    ///
    /// # Errors
    ///
    /// A game that [`GameRecord::check`] refuses. Whether dlshogi can hold it, the writer decides.
    pub fn of(record: &GameRecord, options: &ConversionOptions) -> Result<Self, WriteFault> {
        record.check()?;
        let plies = record.plies.iter().map(|ply| Hcpe3Ply {
            mv: ply.mv,
            eval: ply_eval(ply, options.eval_scale).unwrap_or(0),
            candidates: match ply.kind {
                PlyKind::Opening => Vec::new(),
                PlyKind::Mate => vec![(ply.mv, 1)],
                PlyKind::Full | PlyKind::Fast => quantized_policy(&ply.policy),
            },
        });
        Ok(Self {
            start: record.start.clone(),
            result: GameResult::from(record.outcome),
            opponent: Opponent::Itself,
            plies: plies.collect(),
        })
    }

    /// The plies with candidates as single positions; the best move is the one with most visits
    /// (the first of several), and a single candidate whatever its visits.
    pub fn positions(&self) -> Vec<PositionRecord> {
        let mut position = self.start.clone();
        let mut positions = Vec::new();
        for ply in &self.plies {
            let most = ply
                .candidates
                .iter()
                .rev()
                .max_by_key(|(_, visits)| *visits);
            if let Some(&(best, _)) = most {
                positions.push(PositionRecord {
                    position: position.clone(),
                    best: Some(best),
                    eval: ply.eval,
                    result: self.result,
                });
            }
            position.do_move(ply.mv);
        }
        positions
    }

    /// The game as a record of ours with this number; its seed and generation are 0.
    ///
    /// A ply without candidates is one of kind `Opening`, with a value unless its evaluation is 0.
    /// The reason of the end is what the last position shows, else what the file says, else a
    /// resignation or an agreement. Whether the record passes [`GameRecord::check`] is another
    /// question: dlshogi goes on after some ends of ours.
    ///
    /// # Panics
    ///
    /// May panic on a move that is not legal: a game that was read has none.
    pub fn to_record(&self, id: u64, options: &ConversionOptions) -> GameRecord {
        let no_limit = GameRules {
            max_ply: None,
            ..GameRules::default()
        };
        let mut game = Game::new(self.start.clone(), no_limit);
        for ply in &self.plies {
            game.play_unchecked(ply.mv);
        }
        let outcome = outcome_of(self.result, &game);
        let max_ply = match outcome.reason {
            EndReason::PlyLimit => Some(game.position().ply()),
            _ => None,
        };
        GameRecord {
            id,
            seed: 0,
            generation: 0,
            start: self.start.clone(),
            rules: GameRules {
                max_ply,
                ..no_limit
            },
            plies: self
                .plies
                .iter()
                .map(|ply| ply.to_record(options))
                .collect(),
            outcome,
        }
    }
}

impl Hcpe3Ply {
    fn to_record(&self, options: &ConversionOptions) -> PlyRecord {
        let value = Some(eval_wdl(self.eval, options.eval_scale));
        let (kind, value, policy) = match self.candidates.as_slice() {
            [] if self.eval == 0 => (PlyKind::Opening, None, Vec::new()),
            [] => (PlyKind::Opening, value, Vec::new()),
            &[(mv, _)] if mv == self.mv && MATE_EVAL <= self.eval => {
                (PlyKind::Mate, value, Vec::new())
            }
            &[(mv, _)] => (PlyKind::Full, value, vec![(mv, 1.0)]),
            candidates => (PlyKind::Full, value, shares(candidates)),
        };
        PlyRecord {
            mv: self.mv,
            kind,
            value,
            policy,
        }
    }
}

/// Each move's share of all visits, of which there is at least one.
fn shares(candidates: &[(Move, u16)]) -> Vec<(Move, f32)> {
    let sum: u64 = candidates
        .iter()
        .map(|&(_, visits)| u64::from(visits))
        .sum();
    candidates
        .iter()
        .filter(|&&(_, visits)| 0 < visits)
        .map(|&(mv, visits)| (mv, (f64::from(visits) / sum as f64) as f32))
        .collect()
}

/// Why the game ended, of which the file says little.
fn outcome_of(result: GameResult, game: &Game) -> Outcome {
    let GameResult { winner, ending } = result;
    if let Some(on_board) = game.outcome()
        && on_board.winner == winner
    {
        return on_board;
    }
    match (winner, ending) {
        (Some(winner), Ending::Declaration)
            if game.declare() == Outcome::win(winner, EndReason::Declaration) =>
        {
            game.declare()
        }
        (Some(winner), _) => Outcome::win(winner, EndReason::Resignation),
        (None, Ending::PlyLimit) => Outcome::draw(EndReason::PlyLimit),
        (None, _) => Outcome::draw(EndReason::Agreement),
    }
}

#[cfg(test)]
mod tests;
