use super::*;

/// The answers of a history, asked the slow way.
fn slow_earlier(keys: &[u64]) -> Vec<usize> {
    let (now, earlier) = keys.split_last().unwrap();
    (0..earlier.len())
        .rev()
        .filter(|&i| earlier[i] == *now)
        .collect()
}

#[test]
fn earlier_positions_are_found_after_any_pushes_and_pops() {
    let mut stream = 3_u64;
    let mut below = |n: u64| {
        stream = stream
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (stream >> 33) % n
    };
    // Keys that share buckets on purpose: the low bits of few values, and some high bits.
    let mut keys = vec![5];
    let mut history = History::new(5, false);
    for step in 0..20_000 {
        // Grows to some thousands, then shrinks.
        let pops = below(100) < if step < 12_000 { 30 } else { 80 };
        if pops && keys.len() > 1 {
            keys.pop();
            history.pop();
        } else {
            let key = below(300) | below(4) << 60;
            keys.push(key);
            history.push(key, false);
        }
        assert_eq!(history.now(), keys.len() - 1);
        assert_eq!(history.earlier().collect::<Vec<_>>(), slow_earlier(&keys));
    }
    assert!(history.latest.len() > FIRST_BUCKETS, "it has grown");
}

#[test]
fn the_first_position_is_never_taken_back() {
    let mut history = History::new(1, true);
    history.pop();
    assert_eq!((history.now(), history.checks()), (0, 1));
    assert_eq!(history.checks_before(), 0);
}

#[test]
fn checks_of_each_side_are_counted_in_a_row() {
    let mut history = History::new(0, false);
    // Black checks by its first three moves, White answers the last one by a check of its own.
    let in_check = [true, false, true, false, true, true, false, true];
    let expected = [
        (1, 0),
        (0, 1),
        (2, 0),
        (0, 2),
        (3, 0),
        (1, 3),
        (0, 1),
        (2, 0),
    ];
    for (key, (in_check, expected)) in (1..).zip(in_check.into_iter().zip(expected)) {
        history.push(key, in_check);
        assert_eq!(
            (history.checks(), history.checks_before()),
            expected,
            "{key}"
        );
    }
}
