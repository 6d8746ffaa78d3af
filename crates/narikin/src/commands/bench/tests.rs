use super::*;

#[test]
fn median_is_the_middle_of_the_sorted_values() {
    assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
}

#[test]
fn seconds_are_above_0() {
    assert_eq!(seconds("0.5"), Ok(0.5));
    assert!(seconds("0").is_err());
    assert!(seconds("NaN").is_err());
    assert!(seconds("soon").is_err());
}
