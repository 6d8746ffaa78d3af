//! A batch of samples as plain arrays, and how one row of it is filled.

use ndarray::{Array1, Array2, Array3};
use rayon::prelude::*;
use rules::{Color, Move, Position};

use crate::encoding::{
    BOARD_PLANES, HAND_PLANES, encode_board, encode_board_mirrored, encode_hands,
};
use crate::label::{MoveLabel, N_LABELS};
use crate::quantize::probability;
use crate::record::ValueWdl;
use crate::targets::{N_HORIZONS, ShortTargets, outcome_wdl};
use crate::window::PackedGame;

const BOARD_LEN: usize = BOARD_PLANES * 81;

/// N samples, each seen by its side to move. All arrays are in standard layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Board planes, `[N, BOARD_PLANES, 81]`, 0 or 1.
    pub board: Array3<f32>,
    /// Constant planes, `[N, HAND_PLANES]`, 0 or 1.
    pub hands: Array2<f32>,
    /// Which labels are legal moves, `[N, N_LABELS]`, 0 or 1.
    pub legal: Array2<f32>,
    /// Policy target, `[N, N_LABELS]`: sums to 1 over legal moves, or all 0 where there is none.
    pub policy: Array2<f32>,
    /// Weight of the policy loss, `[N]`: 1, or 0 where there is no policy target.
    pub policy_weight: Array1<f32>,
    /// TD(lambda) value target, `[N, 3]`: win, draw, loss; sums to 1.
    pub wdl: Array2<f32>,
    /// Weight of the value loss, `[N]`: 1, or the options' `cap_weight` in games that ended by the
    /// ply limit.
    pub value_weight: Array1<f32>,
    /// Final result of the game, `[N, 3]`, one-hot: win, draw, loss.
    pub outcome: Array2<f32>,
    /// Targets of heads that only help training, where they were asked for.
    pub auxiliary: Option<AuxiliaryBatch>,
}

/// What auxiliary heads should say about the same N samples.
#[derive(Debug, Clone, PartialEq)]
pub struct AuxiliaryBatch {
    /// Policy target of the opponent at the next ply, `[N, N_LABELS]`, by
    /// [`MoveLabel::reply_index`]: sums to 1, or all 0 where there is none.
    pub reply: Array2<f32>,
    /// Weight of the reply's loss, `[N]`: 1, or 0 where there is no target.
    pub reply_weight: Array1<f32>,
    /// Plies from the sample to the end of its game, `[N]`, at least 1.
    pub moves_left: Array1<f32>,
    /// Weight of the loss of moves left, `[N]`: 1, or 0 where the game was cut by the ply limit or
    /// is not known.
    pub moves_left_weight: Array1<f32>,
    /// Value targets with short horizons, `[N, 3 * N_HORIZONS]`: win, draw, loss by horizon.
    pub short_wdl: Array2<f32>,
    /// Weight of their loss, `[N]`: that of the value loss, or 0 where the game is not known.
    pub short_weight: Array1<f32>,
}

/// Targets of one sample for auxiliary heads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AuxiliaryTargets<'a> {
    /// The opponent's policy at the next ply in steps of 1/65,535; empty if there is none.
    pub(crate) reply: &'a [(Move, u16)],
    /// Plies to the end of the game; absent if it was cut.
    pub(crate) moves_left: Option<u32>,
    pub(crate) short: ShortTargets,
}

/// One sample to be encoded, wherever it is kept.
pub(crate) trait Drawn: Sync {
    fn position(&self) -> Position;
    /// Who is to move.
    fn side(&self) -> Color;
    /// Policy target in steps of 1/65,535; empty if there is none.
    fn policy(&self) -> &[(Move, u16)];
    /// Value target, of the side to move.
    fn target(&self) -> ValueWdl;
    fn value_weight(&self) -> f32;
    fn winner(&self) -> Option<Color>;
    fn mirrored(&self) -> bool;
    /// Targets for auxiliary heads, if any are known.
    fn auxiliary(&self) -> Option<AuxiliaryTargets<'_>>;
}

/// A sample of a packed game.
#[derive(Clone, Copy)]
pub(crate) struct Draw<'a> {
    pub(crate) game: &'a PackedGame,
    pub(crate) sample: usize,
    pub(crate) mirrored: bool,
}

impl Drawn for Draw<'_> {
    fn position(&self) -> Position {
        self.game.position(self.sample)
    }

    fn side(&self) -> Color {
        self.game.side(self.sample)
    }

    fn policy(&self) -> &[(Move, u16)] {
        self.game.policy(self.sample)
    }

    fn target(&self) -> ValueWdl {
        self.game.target(self.sample)
    }

    fn value_weight(&self) -> f32 {
        self.game.value_weight()
    }

    fn winner(&self) -> Option<Color> {
        self.game.outcome().winner
    }

    fn mirrored(&self) -> bool {
        self.mirrored
    }

    fn auxiliary(&self) -> Option<AuxiliaryTargets<'_>> {
        self.game.auxiliary(self.sample)
    }
}

impl Batch {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.policy_weight.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Encodes samples, on as many threads as rayon has; the result does not depend on how many.
    pub(crate) fn encode(draws: &[impl Drawn], auxiliary: bool) -> Self {
        let n = draws.len();
        let mut batch = Self {
            board: Array3::zeros((n, BOARD_PLANES, 81)),
            hands: Array2::zeros((n, HAND_PLANES)),
            legal: Array2::zeros((n, N_LABELS)),
            policy: Array2::zeros((n, N_LABELS)),
            policy_weight: Array1::zeros(n),
            wdl: Array2::zeros((n, 3)),
            value_weight: Array1::zeros(n),
            outcome: Array2::zeros((n, 3)),
            auxiliary: auxiliary.then(|| AuxiliaryBatch::encode(draws)),
        };
        batch
            .rows()
            .zip(draws)
            .for_each(|(row, draw)| row.fill(draw));
        batch
    }

    fn rows(&mut self) -> impl IndexedParallelIterator<Item = Row<'_>> {
        const STANDARD: &str = "arrays made by zeros are in standard layout";
        (
            self.board
                .as_slice_mut()
                .expect(STANDARD)
                .par_chunks_exact_mut(BOARD_LEN),
            self.hands
                .as_slice_mut()
                .expect(STANDARD)
                .par_chunks_exact_mut(HAND_PLANES),
            self.legal
                .as_slice_mut()
                .expect(STANDARD)
                .par_chunks_exact_mut(N_LABELS),
            self.policy
                .as_slice_mut()
                .expect(STANDARD)
                .par_chunks_exact_mut(N_LABELS),
            self.policy_weight.as_slice_mut().expect(STANDARD),
            self.wdl
                .as_slice_mut()
                .expect(STANDARD)
                .par_chunks_exact_mut(3),
            self.value_weight.as_slice_mut().expect(STANDARD),
            self.outcome
                .as_slice_mut()
                .expect(STANDARD)
                .par_chunks_exact_mut(3),
        )
            .into_par_iter()
            .map(
                |(board, hands, legal, policy, policy_weight, wdl, value_weight, outcome)| Row {
                    board,
                    hands,
                    legal,
                    policy,
                    policy_weight,
                    wdl,
                    value_weight,
                    outcome,
                },
            )
    }
}

/// The part of a batch that belongs to one sample; all zero at first.
struct Row<'a> {
    board: &'a mut [f32],
    hands: &'a mut [f32],
    legal: &'a mut [f32],
    policy: &'a mut [f32],
    policy_weight: &'a mut f32,
    wdl: &'a mut [f32],
    value_weight: &'a mut f32,
    outcome: &'a mut [f32],
}

impl Row<'_> {
    fn fill(self, drawn: &impl Drawn) {
        let (position, mirrored) = (drawn.position(), drawn.mirrored());
        let side = position.side_to_move();
        if mirrored {
            encode_board_mirrored(&position, self.board);
        } else {
            encode_board(&position, self.board);
        }
        encode_hands(&position, self.hands);
        for &mv in &position.legal_moves() {
            self.legal[label_index(mv, side, mirrored)] = 1.0;
        }
        let policy = drawn.policy();
        for &(mv, rounded) in policy {
            self.policy[label_index(mv, side, mirrored)] = probability(rounded);
        }
        *self.policy_weight = if policy.is_empty() { 0.0 } else { 1.0 };
        self.wdl.copy_from_slice(&drawn.target());
        *self.value_weight = drawn.value_weight();
        self.outcome
            .copy_from_slice(&outcome_wdl(drawn.winner(), side));
    }
}

impl AuxiliaryBatch {
    /// Few numbers are not zero, so this is quick beside the planes.
    fn encode(draws: &[impl Drawn]) -> Self {
        let n = draws.len();
        let mut batch = Self {
            reply: Array2::zeros((n, N_LABELS)),
            reply_weight: Array1::zeros(n),
            moves_left: Array1::ones(n),
            moves_left_weight: Array1::zeros(n),
            short_wdl: Array2::from_elem((n, 3 * N_HORIZONS), 1.0 / 3.0),
            short_weight: Array1::zeros(n),
        };
        for (row, draw) in draws.iter().enumerate() {
            if let Some(targets) = draw.auxiliary() {
                batch.fill(row, draw, &targets);
            }
        }
        batch
    }

    fn fill(&mut self, row: usize, draw: &impl Drawn, targets: &AuxiliaryTargets<'_>) {
        let &AuxiliaryTargets {
            reply,
            moves_left,
            short,
        } = targets;
        let replies = draw.side().flipped();
        for &(mv, rounded) in reply {
            let label = label(mv, replies, draw.mirrored());
            self.reply[[row, label.reply_index()]] = probability(rounded);
        }
        if !reply.is_empty() {
            self.reply_weight[row] = 1.0;
        }
        if let Some(plies) = moves_left {
            self.moves_left[row] = plies as f32;
            self.moves_left_weight[row] = 1.0;
        }
        for (found, target) in self.short_wdl.row_mut(row).iter_mut().zip(short.concat()) {
            *found = target;
        }
        self.short_weight[row] = draw.value_weight();
    }
}

fn label_index(mv: Move, side: Color, mirrored: bool) -> usize {
    label(mv, side, mirrored).index()
}

fn label(mv: Move, side: Color, mirrored: bool) -> MoveLabel {
    let label = MoveLabel::of(mv, side);
    if mirrored { label.mirrored() } else { label }
}
