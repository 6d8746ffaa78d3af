//! The net as one would write it first: what faster evaluators are measured against.

use crate::network::{Network, Statistics};
use data::{BOARD_PLANES, HAND_PLANES, MoveLabel, N_LABELS, encode_board, encode_hands};
use model::{Model, SQUARES, TensorError};
use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError, Wdl};
use tch::{Kind, Tensor};

/// Eager float32 on one CPU thread, planes outermost, batch normalisations as layers of their own,
/// batches of whatever size is asked for. For `narikin bench` and tests.
pub struct NaiveEvaluator {
    network: Network,
}

impl NaiveEvaluator {
    /// Takes the model's tensors as they are.
    ///
    /// # Errors
    ///
    /// Tensors that do not fit the manifest.
    pub fn new(model: &Model) -> Result<Self, TensorError> {
        model.check()?;
        let has = |name: &str| model.tensors.contains_key(name);
        let network = Network::new(&model.manifest.shape, &has, &mut |name| {
            tensor(&model.tensors[name])
        });
        Ok(Self { network })
    }
}

impl Evaluator for NaiveEvaluator {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        if requests.is_empty() {
            return Ok(());
        }
        let _no_grad = tch::no_grad_guard();
        tch::set_num_threads(1);
        let n = requests.len();
        let mut board = vec![0.0; n * BOARD_PLANES * SQUARES];
        let mut hands = vec![0.0; n * HAND_PLANES];
        for ((request, board), hands) in requests
            .iter()
            .zip(board.chunks_exact_mut(BOARD_PLANES * SQUARES))
            .zip(hands.chunks_exact_mut(HAND_PLANES))
        {
            encode_board(request.position, board);
            encode_hands(request.position, hands);
        }
        let board = Tensor::from_slice(&board).view([n as i64, BOARD_PLANES as i64, 9, 9]);
        let hands = Tensor::from_slice(&hands).view([n as i64, HAND_PLANES as i64]);
        let outputs = self.network.forward_t(&board, &hands, Statistics::Running);
        let policy = crate::layout::to_vec(&outputs.policy);
        let wdl = crate::layout::to_vec(&outputs.wdl.softmax(1, Kind::Float));
        read(requests, &policy, &wdl, answers);
        Ok(())
    }
}

/// Picks the logits of legal moves out of all labels.
fn read(requests: &[EvalRequest<'_>], policy: &[f32], wdl: &[f32], answers: &mut EvalAnswers) {
    let rows = policy.chunks_exact(N_LABELS).zip(wdl.chunks_exact(3));
    for (request, (policy, wdl)) in requests.iter().zip(rows) {
        let wdl = Wdl {
            win: wdl[0],
            draw: wdl[1],
            loss: wdl[2],
        };
        let side = request.position.side_to_move();
        answers.push_with(wdl, request.legal_moves.len(), |logits| {
            for (logit, &mv) in logits.iter_mut().zip(request.legal_moves) {
                *logit = policy[MoveLabel::of(mv, side).index()];
            }
        });
    }
}

/// A tensor of a model as libtorch's.
pub(crate) fn tensor(named: &model::NamedTensor) -> Tensor {
    let shape: Vec<i64> = named.shape.iter().map(|&len| len as i64).collect();
    Tensor::from_slice(&named.data).view(shape.as_slice())
}
