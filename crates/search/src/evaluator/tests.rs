use rules::Position;

use super::{EvalAnswers, EvalRequest, Evaluator, HashEvaluator, UniformEvaluator, check_answer};
use crate::Wdl;

/// The only answer of `evaluator` to `position`.
fn ask(evaluator: &mut dyn Evaluator, position: &Position) -> (Vec<f32>, Wdl) {
    let legal_moves = position.legal_moves();
    let mut answers = EvalAnswers::new();
    evaluator
        .evaluate(
            &[EvalRequest {
                position,
                legal_moves: &legal_moves,
            }],
            &mut answers,
        )
        .unwrap();
    assert_eq!(answers.len(), 1);
    let (logits, wdl) = answers.get(0);
    (logits.to_vec(), wdl)
}

#[test]
fn the_uniform_evaluator_prefers_nothing() {
    let (logits, wdl) = ask(&mut UniformEvaluator, &Position::startpos());
    assert_eq!(logits, [0.0; 30]);
    assert_eq!(wdl, Wdl::EVEN);
}

#[test]
fn the_hash_evaluator_depends_on_position_and_seed_only() {
    let position = Position::startpos();
    let first = ask(&mut HashEvaluator { seed: 1 }, &position);
    assert_eq!(first, ask(&mut HashEvaluator { seed: 1 }, &position));
    assert_ne!(first, ask(&mut HashEvaluator { seed: 2 }, &position));

    let mut other = position.clone();
    other.do_move("7g7f".parse().unwrap());
    assert_ne!(first, ask(&mut HashEvaluator { seed: 1 }, &other));
    assert!(first.1.is_probability());
    assert!(first.0.iter().all(|logit| (-2.0..=2.0).contains(logit)));
}

#[test]
fn answers_come_back_in_the_order_in_which_they_were_pushed() {
    let mut answers = EvalAnswers::new();
    answers.push(&[1.0, 2.0], Wdl::WIN);
    answers.push_with(Wdl::LOSS, 3, |logits| logits[1] = 5.0);
    assert_eq!(answers.get(0), ([1.0, 2.0].as_slice(), Wdl::WIN));
    assert_eq!(answers.get(1), ([0.0, 5.0, 0.0].as_slice(), Wdl::LOSS));
    answers.clear();
    assert!(answers.is_empty());
}

#[track_caller]
fn check_refused(logits: &[f32], wdl: Wdl, message: &str) {
    let position = Position::startpos();
    let legal_moves = ["7g7f".parse().unwrap(), "2g2f".parse().unwrap()];
    let request = EvalRequest {
        position: &position,
        legal_moves: &legal_moves,
    };
    let error = check_answer(request, logits, wdl).expect_err(message);
    assert_eq!(error.to_string(), message);
}

const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn a_wrong_answer_is_refused_with_the_position() {
    check_refused(
        &[0.0],
        Wdl::EVEN,
        &format!("the evaluator gave 1 logits for 2 legal moves of sfen {STARTPOS}"),
    );
    check_refused(
        &[0.0, f32::NAN],
        Wdl::EVEN,
        &format!(
            "the evaluator gave 2g2f the logit NaN, expected a finite number, in sfen {STARTPOS}"
        ),
    );
    check_refused(
        &[0.0, 0.0],
        Wdl {
            win: 0.5,
            draw: 0.0,
            loss: 0.4,
        },
        &format!(
            "the evaluator gave Wdl {{ win: 0.5, draw: 0.0, loss: 0.4 }}, expected three \
             probabilities that sum to 1, in sfen {STARTPOS}"
        ),
    );
}
