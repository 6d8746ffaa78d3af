use super::*;
use search::Wdl;

fn answers(list: &[(&[f32], f32)]) -> EvalAnswers {
    let mut answers = EvalAnswers::new();
    for &(logits, win) in list {
        let wdl = Wdl {
            win,
            draw: 0.0,
            loss: 1.0 - win,
        };
        answers.push(logits, wdl);
    }
    answers
}

#[test]
fn equal_answers_agree_wholly() {
    let both = answers(&[(&[0.5, -1.0, 700.0], 0.25), (&[3.0], 1.0)]);
    let expected = Agreement {
        positions: 2,
        kl_nats: 0.0,
        value_error: 0.0,
        same_favourite: 1.0,
    };
    assert_eq!(Agreement::between(&both, &both), expected);
}

#[test]
fn the_distances_are_those_computed_by_hand() {
    let exact = answers(&[(&[0.0, 0.0], 0.5), (&[1.0, 0.0], 0.5)]);
    let used = answers(&[(&[0.0, 3.0_f32.ln()], 0.6), (&[1.0, 0.0], 0.3)]);
    let found = Agreement::between(&exact, &used);
    // Halves against 1/4 and 3/4.
    let kl = 0.5 * (0.5_f64 / 0.75).ln() + 0.5 * (0.5_f64 / 0.25).ln();
    assert!((found.kl_nats - kl / 2.0).abs() < 1e-6);
    assert!((found.value_error - 0.15).abs() < 1e-6);
    // Of equal logits the first counts as favourite.
    assert_eq!(found.same_favourite, 0.5);
}
