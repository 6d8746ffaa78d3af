use super::*;

#[test]
fn the_checksum_is_the_same_twice() {
    assert_eq!(checksum().unwrap(), checksum().unwrap());
}

#[test]
fn measured_positions_are_the_same_twice_and_no_ends() {
    let [first, second] = [positions(200), positions(200)];
    assert_eq!(first.len(), 200);
    for ((a, moves), (b, _)) in first.iter().zip(&second) {
        assert_eq!(a.to_string(), b.to_string());
        assert!(!moves.is_empty());
    }
}

#[test]
fn the_speed_of_an_evaluator_is_positive() {
    let time = Duration::from_millis(5);
    let speed = evals_per_s(&mut HashEvaluator { seed: 1 }, &positions(64), 16, time).unwrap();
    assert!(speed > 0.0);
}
