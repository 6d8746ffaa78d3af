//! One whole game as it is kept: moves, and what the search thought at each of them.

use rules::{Color, EndReason, Game, GameRules, Move, Outcome, Position};
use thiserror::Error;

use crate::codec::{CodecFault, decode_game, encode_game};

/// Win, draw and loss probabilities of the side to move, in this order; they sum to 1.
pub type ValueWdl = [f32; 3];

/// How far a policy or a value may be from summing to 1 before it is refused.
const SUM_TOLERANCE: f32 = 1e-3;

/// A finished game of self-play. Knows nothing of planes or labels.
#[derive(Debug, Clone)]
pub struct GameRecord {
    /// Number of the game within its run.
    pub id: u64,
    /// Seed that all random choices of the game came from.
    pub seed: u64,
    /// Generation of the model that played; 0 is the untrained one.
    pub generation: u32,
    /// Where the game began.
    pub start: Position,
    /// Rules it was played under.
    pub rules: GameRules,
    /// What happened at each ply, from 0; at most 65,535.
    pub plies: Vec<PlyRecord>,
    /// Who won and why.
    pub outcome: Outcome,
}

/// One ply: the move played and what the search said before it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlyRecord {
    /// The move played.
    pub mv: Move,
    /// What kind of search chose it.
    pub kind: PlyKind,
    /// The search's value of the position before the move, of the side to move; none where
    /// nothing was searched.
    pub value: Option<ValueWdl>,
    /// The improved policy over legal moves (each at most once, sum 1; moves left out have
    /// probability 0). Empty: no policy target.
    pub policy: Vec<(Move, f32)>,
}

/// What kind of search chose a move, and so what can be learnt from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlyKind {
    /// A search with all its visits.
    Full,
    /// A search with few visits, only to get on with the game.
    Fast,
    /// Played to vary the openings: never a sample.
    Opening,
    /// A proven mate, found without the network: the move played is the whole policy.
    Mate,
}

/// Why a record is refused: it is no game, or its numbers are no probabilities.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RecordFault {
    /// The game does not fit the format.
    #[error("the game has {found} plies, at most {limit} can be kept")]
    TooLong {
        /// Plies of the game.
        found: usize,
        /// Plies that fit.
        limit: usize,
    },
    /// A move goes on after the end of the game.
    #[error("ply {ply}: found a move, but the game ended before it by {}", reason.as_str())]
    PlyAfterEnd {
        /// The ply, from 0.
        ply: usize,
        /// How the game had ended.
        reason: EndReason,
    },
    /// The move played is illegal.
    #[error("ply {ply}: found the move {mv}, which is illegal in {sfen}")]
    IllegalMove {
        /// The ply, from 0.
        ply: usize,
        /// The move.
        mv: Move,
        /// The position before it.
        sfen: String,
    },
    /// The policy names an illegal move.
    #[error("ply {ply}: the policy names {mv}, which is illegal in {sfen}")]
    IllegalPolicyMove {
        /// The ply, from 0.
        ply: usize,
        /// The move.
        mv: Move,
        /// The position before it.
        sfen: String,
    },
    /// The policy names a move twice.
    #[error("ply {ply}: the policy names {mv} more than once")]
    RepeatedPolicyMove {
        /// The ply, from 0.
        ply: usize,
        /// The move.
        mv: Move,
    },
    /// The policy holds something that is no probability.
    #[error("ply {ply}: the policy gives {mv} the probability {found}, expected 0 to 1")]
    PolicyProbability {
        /// The ply, from 0.
        ply: usize,
        /// The move.
        mv: Move,
        /// What the policy says.
        found: f32,
    },
    /// The policy does not sum to 1.
    #[error("ply {ply}: the policy sums to {found}, expected 1 within {SUM_TOLERANCE}")]
    PolicySum {
        /// The ply, from 0.
        ply: usize,
        /// The sum.
        found: f32,
    },
    /// The value is not three probabilities that sum to 1.
    #[error(
        "ply {ply}: the value is {found:?}, expected three probabilities that sum to 1 within \
         {SUM_TOLERANCE}"
    )]
    Value {
        /// The ply, from 0.
        ply: usize,
        /// The value.
        found: ValueWdl,
    },
    /// The result contradicts the board.
    #[error(
        "the record says {}, but on the board the game {}",
        ended(found),
        stands(expected)
    )]
    WrongOutcome {
        /// What the record says.
        found: Outcome,
        /// What the last position says; none where the game is not over.
        expected: Option<Outcome>,
    },
}

/// Why bytes are no game.
#[derive(Debug, Error)]
pub enum BytesFault {
    /// They are not laid out like one.
    #[error("cannot decode the game")]
    Layout(#[from] CodecFault),
    /// They are, but it cannot have been played.
    #[error("impossible game")]
    Impossible(#[from] RecordFault),
}

fn ended(outcome: &Outcome) -> String {
    let result = match outcome.winner {
        Some(Color::Black) => "black won",
        Some(Color::White) => "white won",
        None => "draw",
    };
    format!("{result} by {}", outcome.reason.as_str())
}

fn stands(outcome: &Option<Outcome>) -> String {
    match outcome {
        Some(outcome) => format!("is over: {}", ended(outcome)),
        None => "is not over in that way".to_owned(),
    }
}

impl GameRecord {
    /// Most plies a record can hold.
    pub const MAX_PLIES: usize = u16::MAX as usize;

    /// The side to move at `ply`, counted from 0 at the start of the record.
    pub fn side_at(&self, ply: usize) -> Color {
        let first = self.start.side_to_move();
        if ply.is_multiple_of(2) {
            first
        } else {
            first.flipped()
        }
    }

    /// The game as bytes, as a shard holds it before compression: `docs/record-format.md`. Two records
    /// with the same bytes are the same game, with the same search behind each ply as far as is kept.
    ///
    /// # Errors
    ///
    /// As [`GameRecord::check`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, RecordFault> {
        self.check()?;
        Ok(encode_game(self))
    }

    /// Reads what [`GameRecord::to_bytes`] wrote, whoever sends it: layout, replay and every number
    /// are looked at.
    ///
    /// # Errors
    ///
    /// Anything but exactly one game that [`GameRecord::check`] accepts.
    pub fn from_bytes(bytes: &[u8]) -> Result<GameRecord, BytesFault> {
        let record = decode_game(bytes)?;
        record.check()?;
        Ok(record)
    }

    /// Replays the game and looks at every number in it.
    ///
    /// # Errors
    ///
    /// The first thing that cannot be: an illegal move, a move after the end, a policy over
    /// illegal or repeated moves, a policy or value that is not a distribution (within 1e-3), or
    /// a result that the last position contradicts. Resignation, time, fouls, agreed draws and
    /// forfeits are believed.
    pub fn check(&self) -> Result<(), RecordFault> {
        if self.plies.len() > Self::MAX_PLIES {
            return Err(RecordFault::TooLong {
                found: self.plies.len(),
                limit: Self::MAX_PLIES,
            });
        }
        let mut game = Game::new(self.start.clone(), self.rules);
        for (ply, record) in self.plies.iter().enumerate() {
            let legal = game.position().legal_moves();
            if let Some(outcome) = game.outcome_if(!legal.is_empty()) {
                return Err(RecordFault::PlyAfterEnd {
                    ply,
                    reason: outcome.reason,
                });
            }
            record.check_numbers(ply)?;
            record.check_moves(ply, game.position(), &legal)?;
            game.play_unchecked(record.mv);
        }
        self.check_outcome(&game)
    }

    /// Compares the result with the last position, where the board decides.
    fn check_outcome(&self, game: &Game) -> Result<(), RecordFault> {
        let expected = match self.outcome.reason {
            EndReason::Resignation
            | EndReason::TimeForfeit
            | EndReason::IllegalMove
            | EndReason::Foul(_)
            | EndReason::Agreement
            | EndReason::Forfeit => return Ok(()),
            EndReason::Declaration | EndReason::FailedDeclaration | EndReason::DeclaredDraw => {
                Some(game.declare())
            }
            EndReason::Impasse => Some(game.impasse()),
            EndReason::Checkmate
            | EndReason::NoMoves
            | EndReason::Repetition
            | EndReason::PerpetualCheck
            | EndReason::PlyLimit
            | EndReason::Try => game.outcome(),
        };
        if expected == Some(self.outcome) {
            Ok(())
        } else {
            Err(RecordFault::WrongOutcome {
                found: self.outcome,
                expected,
            })
        }
    }
}

impl PlyRecord {
    fn check_numbers(&self, ply: usize) -> Result<(), RecordFault> {
        if let Some(found) = self.value
            && !(found.iter().all(|&p| is_probability(p)) && sums_to_one(found.iter().sum()))
        {
            return Err(RecordFault::Value { ply, found });
        }
        if let Some(&(mv, found)) = self.policy.iter().find(|&&(_, p)| !is_probability(p)) {
            return Err(RecordFault::PolicyProbability { ply, mv, found });
        }
        let found: f32 = self.policy.iter().map(|&(_, p)| p).sum();
        if !self.policy.is_empty() && !sums_to_one(found) {
            return Err(RecordFault::PolicySum { ply, found });
        }
        Ok(())
    }

    fn check_moves(
        &self,
        ply: usize,
        position: &Position,
        legal: &[Move],
    ) -> Result<(), RecordFault> {
        let mut legal = legal.to_vec();
        legal.sort_unstable();
        if legal.binary_search(&self.mv).is_err() {
            let sfen = position.to_string();
            return Err(RecordFault::IllegalMove {
                ply,
                mv: self.mv,
                sfen,
            });
        }
        let mut named = vec![false; legal.len()];
        for &(mv, _) in &self.policy {
            let Ok(move_idx) = legal.binary_search(&mv) else {
                let sfen = position.to_string();
                return Err(RecordFault::IllegalPolicyMove { ply, mv, sfen });
            };
            if std::mem::replace(&mut named[move_idx], true) {
                return Err(RecordFault::RepeatedPolicyMove { ply, mv });
            }
        }
        Ok(())
    }
}

fn is_probability(p: f32) -> bool {
    (0.0..=1.0 + SUM_TOLERANCE).contains(&p)
}

fn sums_to_one(sum: f32) -> bool {
    (sum - 1.0).abs() <= SUM_TOLERANCE
}

#[cfg(test)]
mod tests;
