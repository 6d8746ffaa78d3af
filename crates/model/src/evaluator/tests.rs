use super::*;
use crate::testing::reference::forward;
use crate::testing::{
    ALL_PARTS, Case, PARTS, SMALL, anchor, cases, chain, exported, library, lively_net,
};
use crate::{Model, NetShape};
use data::MoveLabel;
use rules::{PieceKind, Position};
use tempfile::TempDir;

mod onnx_runtime;
mod pytorch;

/// An answer: logits of the legal moves, and win, draw, loss.
type Answer = (Vec<f32>, [f32; 3]);

fn evaluator(library: &OpenVino, net: OnnxNet, precision: Precision) -> OpenVinoEvaluator {
    let options = EvaluatorOptions {
        max_batch: 64,
        precision,
        ..EvaluatorOptions::default()
    };
    OpenVinoEvaluator::new(library, net, &options).unwrap()
}

fn evaluate(evaluator: &mut OpenVinoEvaluator, cases: &[Case]) -> Vec<Answer> {
    let mut answers = EvalAnswers::new();
    evaluator.evaluate(&requests(cases), &mut answers).unwrap();
    assert_eq!(answers.len(), cases.len());
    (0..cases.len())
        .map(|i| {
            let (logits, wdl) = answers.get(i);
            (logits.to_vec(), [wdl.win, wdl.draw, wdl.loss])
        })
        .collect()
}

fn requests(cases: &[Case]) -> Vec<EvalRequest<'_>> {
    cases
        .iter()
        .map(|case| EvalRequest {
            position: &case.position,
            legal_moves: &case.legal_moves,
        })
        .collect()
}

fn case(sfen: &str) -> Case {
    let position = Position::from_sfen(sfen).unwrap();
    let legal_moves = position.legal_moves().to_vec();
    Case {
        position,
        legal_moves,
    }
}

fn loaded(bytes: &[u8]) -> OnnxNet {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.onnx");
    std::fs::write(&path, bytes).unwrap();
    OnnxNet::load(&path).unwrap()
}

/// What the slow forward pass says.
fn expected(model: &Model, case: &Case) -> Answer {
    let (labels, wdl) = forward(model, &case.position);
    let side = case.position.side_to_move();
    let logits = case
        .legal_moves
        .iter()
        .map(|&mv| labels[MoveLabel::of(mv, side).index()] as f32)
        .collect();
    (logits, wdl.map(|p| p as f32))
}

/// Largest distances of logits and of probabilities between two lists of answers.
fn distances(left: &[Answer], right: &[Answer]) -> (f32, f32) {
    assert_eq!(left.len(), right.len());
    let mut largest = (0.0_f32, 0.0_f32);
    for ((logits, wdl), (other_logits, other_wdl)) in left.iter().zip(right) {
        assert_eq!(logits.len(), other_logits.len());
        for (x, y) in logits.iter().zip(other_logits) {
            largest.0 = largest.0.max((x - y).abs());
        }
        for (x, y) in wdl.iter().zip(other_wdl) {
            largest.1 = largest.1.max((x - y).abs());
        }
    }
    largest
}

#[track_caller]
fn check_near(left: &[Answer], right: &[Answer], most_logit: f32, most_probability: f32) {
    let (logit, probability) = distances(left, right);
    assert!(logit <= most_logit, "logits differ by {logit}");
    assert!(
        probability <= most_probability,
        "probabilities by {probability}"
    );
}

#[test]
fn f32_answers_equal_the_plain_forward_pass() {
    let Some(library) = library() else { return };
    let cases = cases(40);
    for (name, shape) in [("plain", SMALL)].iter().chain(&PARTS) {
        let model = lively_net(*shape, 1);
        let mut evaluator = evaluator(&library, OnnxNet::from_model(&model), Precision::F32);
        let answers = evaluate(&mut evaluator, &cases);
        let reference: Vec<Answer> = cases.iter().map(|case| expected(&model, case)).collect();
        check_near(&answers, &reference, 1e-4, 1e-4);
        let spread = |answers: &[Answer]| {
            let wins = answers.iter().map(|(_, wdl)| wdl[0]);
            wins.clone().fold(0.0, f32::max) - wins.fold(1.0, f32::min)
        };
        assert!(
            0.01 < spread(&reference),
            "{name}: a net that tells positions apart"
        );
    }
}

/// A part that is wired in such a way that its weights hardly matter would pass all comparisons.
#[test]
fn every_tensor_of_every_part_matters() {
    let model = lively_net(ALL_PARTS, 1);
    let has_hand = |case: &Case| !case.position.hand(case.position.side_to_move()).is_empty();
    let case = cases(40)
        .into_iter()
        .find(has_hand)
        .expect("captures happen");
    let before = forward(&model, &case.position);
    for name in model.tensors.keys() {
        let mut other = model.clone();
        let tensor = other.tensors.get_mut(name).expect("one of its own names");
        tensor.data.iter_mut().for_each(|x| *x = 0.5 * *x + 0.1);
        let after = forward(&other, &case.position);
        assert!(before != after, "{name}");
    }
}

#[test]
fn bf16_answers_of_a_full_net_stay_near_the_plain_forward_pass() {
    let Some(library) = library() else { return };
    let plain = NetShape::default();
    let full = NetShape {
        squeeze_ratio: 8,
        pool_every: 2,
        attention_blocks: 1,
        ..plain
    };
    let cases = cases(9);
    for (shape, most_logit) in [(plain, 0.05), (full, 0.1)] {
        let model = lively_net(shape, 2);
        let mut evaluator = evaluator(&library, OnnxNet::from_model(&model), Precision::Bf16);
        let answers = evaluate(&mut evaluator, &cases);
        let reference: Vec<Answer> = cases.iter().map(|case| expected(&model, case)).collect();
        check_near(&answers, &reference, most_logit, 0.02);
    }
}

#[test]
fn an_answer_does_not_depend_on_the_rest_of_its_batch() {
    let Some(library) = library() else { return };
    let cases = cases(103);
    // Another batch size may add up in another order.
    for (shape, precision, rounding) in [
        (SMALL, Precision::F32, 1e-5),
        (SMALL, Precision::Bf16, 0.03),
        (ALL_PARTS, Precision::F32, 1e-5),
    ] {
        let net = OnnxNet::from_model(&lively_net(shape, 1));
        let mut evaluator = evaluator(&library, net, precision);
        let alone: Vec<Answer> = cases
            .iter()
            .flat_map(|case| evaluate(&mut evaluator, std::slice::from_ref(case)))
            .collect();
        for n in [2, 6, 7, 8, 9, 31, 64, 103] {
            let together = evaluate(&mut evaluator, &cases[..n]);
            check_near(&together, &alone[..n], rounding, rounding);
        }
    }
}

#[test]
fn an_answer_does_not_depend_on_what_was_evaluated_before() {
    let Some(library) = library() else { return };
    let model = lively_net(SMALL, 1);
    let cases = cases(64);
    let nets = [
        OnnxNet::from_model(&model),
        OnnxNet::from_model(&lively_net(ALL_PARTS, 1)),
        loaded(&exported(&model, OnnxOutputs::WithWdl)),
    ];
    for net in nets {
        let mut used = evaluator(&library, net.clone(), Precision::F32);
        let mut backwards = cases.clone();
        backwards.reverse();
        evaluate(&mut used, &backwards);
        let mut fresh = evaluator(&library, net, Precision::F32);
        assert_eq!(evaluate(&mut used, &cases), evaluate(&mut fresh, &cases));
    }
}

#[test]
fn the_exported_file_answers_as_the_model_does() {
    let Some(library) = library() else { return };
    let model = lively_net(SMALL, 1);
    let exported = loaded(&exported(&model, OnnxOutputs::Dlshogi));
    let cases = cases(20);
    let ours = OnnxNet::from_model(&model);
    let ours = evaluate(&mut evaluator(&library, ours, Precision::F32), &cases);
    let theirs = evaluate(&mut evaluator(&library, exported, Precision::F32), &cases);
    let as_win_rate: Vec<Answer> = ours
        .into_iter()
        .map(|(logits, [win, draw, _])| {
            let win_rate = win + draw / 2.0;
            (logits, [win_rate, 0.0, 1.0 - win_rate])
        })
        .collect();
    check_near(&as_win_rate, &theirs, 1e-4, 1e-5);
}

#[test]
fn threads_with_an_evaluator_each_do_not_disturb_one_another() {
    let Some(library) = library() else { return };
    let cases = cases(72);
    let models = [lively_net(SMALL, 1), lively_net(SMALL, 2)];
    let answers = |model: &Model| {
        let net = OnnxNet::from_model(model);
        let mut evaluator = evaluator(&library, net, Precision::F32);
        (0..5)
            .map(|_| evaluate(&mut evaluator, &cases))
            .last()
            .unwrap()
    };
    let one_by_one = models.each_ref().map(answers);
    let at_once = std::thread::scope(|scope| {
        let threads = models
            .each_ref()
            .map(|model| scope.spawn(move || answers(model)));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(one_by_one, at_once);
}

#[test]
fn an_evaluator_can_move_to_another_thread() {
    let Some(library) = library() else { return };
    let net = OnnxNet::from_model(&lively_net(SMALL, 1));
    let cases = cases(3);
    let mut moved = evaluator(&library, net, Precision::F32);
    let here = evaluate(&mut moved, &cases);
    let there = std::thread::scope(|scope| {
        let cases = &cases;
        scope
            .spawn(move || evaluate(&mut moved, cases))
            .join()
            .unwrap()
    });
    assert_eq!(here, there);
}

/// Rooks and dragons of the side to move, on the board and in hand, less the opponent's.
fn rooks_ahead(position: &Position) -> i32 {
    let [own, opponent] =
        [position.side_to_move(), position.side_to_move().flipped()].map(|side| {
            let on_board =
                [PieceKind::Rook, PieceKind::Dragon].map(|kind| position.pieces(side, kind).len());
            on_board.iter().sum::<u32>() + position.hand(side).count(PieceKind::Rook)
        });
    own.cast_signed() - opponent.cast_signed()
}

#[test]
fn a_trained_foreign_net_knows_what_a_rook_is_worth() {
    let Some(library) = library() else { return };
    let net = OnnxNet::load(&anchor()).unwrap();
    let mut evaluator = evaluator(&library, net, Precision::Auto);
    let cases: Vec<Case> = cases(600)
        .into_iter()
        .filter(|case| 40 < case.position.ply())
        .collect();
    let answers = evaluate(&mut evaluator, &cases);
    let mean_win = |rooks: i32| {
        let wins: Vec<f32> = cases
            .iter()
            .zip(&answers)
            .filter(|(case, _)| rooks_ahead(&case.position) == rooks)
            .map(|(_, (_, wdl))| wdl[0])
            .collect();
        assert!(20 < wins.len(), "{} positions with {rooks}", wins.len());
        wins.iter().sum::<f32>() / wins.len() as f32
    };
    let [behind, even, ahead] = [-2, 0, 2].map(mean_win);
    assert!(
        behind + 0.05 < even && even + 0.05 < ahead,
        "{behind} {even} {ahead}"
    );
    assert!(answers.iter().all(|(_, wdl)| wdl[1] == 0.0));
}

#[test]
fn a_trained_foreign_net_sees_who_is_winning_from_either_side() {
    let Some(library) = library() else { return };
    let net = OnnxNet::load(&anchor()).unwrap();
    let mut evaluator = evaluator(&library, net, Precision::Auto);
    let attackers = "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let cases = [
        case(&format!("{attackers} b RB2G2S 1")),
        case(&format!("{attackers} w RB2G2S 1")),
    ];
    let answers = evaluate(&mut evaluator, &cases);
    let [winning, losing] = [answers[0].1, answers[1].1];
    assert!(0.9 < winning[0], "{winning:?}");
    assert!(losing[0] < 0.1, "{losing:?}");
}

#[test]
fn an_untrained_net_has_no_opinion() {
    let Some(library) = library() else { return };
    let net = OnnxNet::from_model(&Model::random(SMALL, 1, false));
    let mut evaluator = evaluator(&library, net, Precision::Auto);
    for (logits, wdl) in evaluate(&mut evaluator, &cases(10)) {
        assert!(logits.iter().all(|&logit| logit == 0.0));
        assert_eq!(wdl, [1.0 / 3.0; 3]);
    }
}

#[test]
fn numbers_that_are_not_finite_are_errors_with_the_position() {
    let Some(library) = library() else { return };
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let refused = |tensor: &str| {
        let mut model = lively_net(SMALL, 1);
        model.tensors.get_mut(tensor).unwrap().data.fill(f32::MAX);
        let net = OnnxNet::from_model(&model);
        let mut evaluator = evaluator(&library, net, Precision::F32);
        let error = evaluator
            .evaluate(&requests(&[case(sfen)]), &mut EvalAnswers::new())
            .unwrap_err();
        chain(&error)
    };
    let text = refused("policy.weight");
    let expected = format!(
        "the net's output_policy for `{sfen}` is infinite or not a number, expected finite logits"
    );
    assert!(text.ends_with(&expected), "{text}");
    let text = refused("value.fc2.weight");
    let expected = format!(
        "the net's win, draw and loss for `{sfen}` is [NaN, NaN, NaN], \
         expected probabilities that sum to 1"
    );
    assert!(text.ends_with(&expected), "{text}");
}

#[test]
fn a_request_without_moves_is_an_error() {
    let Some(library) = library() else { return };
    let net = OnnxNet::from_model(&lively_net(SMALL, 1));
    let mut evaluator = evaluator(&library, net, Precision::F32);
    let mut cases = cases(3);
    cases[1].legal_moves.clear();
    let error = evaluator
        .evaluate(&requests(&cases), &mut EvalAnswers::new())
        .unwrap_err();
    let text = chain(&error);
    let expected = "request 1 has no legal moves, expected at least one";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn no_requests_give_no_answers() {
    let Some(library) = library() else { return };
    let net = OnnxNet::from_model(&lively_net(SMALL, 1));
    let mut evaluator = evaluator(&library, net, Precision::F32);
    assert_eq!(evaluate(&mut evaluator, &[]), []);
}

/// Which batches take `n` positions.
fn plan(n: usize, max_batch: usize) -> Vec<usize> {
    let mut left = n;
    let mut sizes = Vec::new();
    while 0 < left {
        let size = BATCH_SIZES[next_size(left, max_batch)];
        sizes.push(size);
        left = left.saturating_sub(size);
    }
    sizes
}

#[test]
fn requests_are_cut_into_whole_batches_and_at_most_two_positions_of_padding() {
    assert_eq!(plan(64, 64), [64]);
    assert_eq!(plan(64, 32), [32, 32]);
    assert_eq!(plan(70, 64), [64, 8]);
    assert_eq!(plan(500, 256), [256, 128, 64, 32, 8, 8, 1, 1, 1, 1]);
    assert_eq!(plan(7, 7), [1; 7]);
    assert_eq!(plan(9, 1), [1; 9]);
    for max_batch in [1, 8, 50, 1000] {
        for n in 0..600 {
            let sizes = plan(n, max_batch);
            assert!((n..=n + 2).contains(&sizes.iter().sum()), "{n}: {sizes:?}");
            assert!(
                sizes.iter().all(|&size| size <= max_batch),
                "{n}: {sizes:?}"
            );
        }
    }
}

#[test]
fn automatic_precision_is_one_that_the_processor_has() {
    assert_ne!(Precision::Auto.resolved(), Precision::Auto);
    assert_eq!(Precision::F32.resolved(), Precision::F32);
    assert_eq!(Precision::Bf16.resolved(), Precision::Bf16);
}

#[test]
fn answers_in_8_bits_stay_near_those_of_the_net() {
    let Some(library) = library() else { return };
    let model = lively_net(SMALL, 1);
    let cases = cases(64);
    let net = OnnxNet::quantized(&library, &model).unwrap();
    let mut short = evaluator(&library, net, Precision::F32);
    let mut exact = evaluator(&library, OnnxNet::from_model(&model), Precision::F32);
    let (short, exact) = (evaluate(&mut short, &cases), evaluate(&mut exact, &cases));
    check_near(&short, &exact, 0.1, 0.05);
    let (logit, _) = distances(&short, &exact);
    assert!(logit > 1e-4, "8 bits cannot be as exact as 32: {logit}");
}
