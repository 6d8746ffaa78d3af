use search::HashEvaluator;

use super::*;

#[test]
fn the_same_evaluator_answers_the_same_and_another_does_not() {
    let probe = |seed| Probe::of(&mut HashEvaluator { seed }).unwrap();
    assert!(probe(1).is_same(&probe(1)));
    assert_eq!(probe(1).distance(&probe(1)), 0.0);
    assert!(!probe(1).is_same(&probe(2)));
}

#[test]
fn probabilities_of_logits_sum_to_one_however_large_they_are() {
    let policy = probabilities(&[1000.0, 1000.0, -1000.0]);
    assert_eq!(policy, [0.5, 0.5, 0.0]);
}
