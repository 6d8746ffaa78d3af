use super::*;

#[test]
fn self_play_rests_from_too_many_batches_behind_until_the_learner_has_caught_up() {
    let mut pace = Pace::new(4.0, 100);
    assert!(!pace.is_behind(0, 0));
    // 1,599 positions want 6,396 rows: 63.96 batches.
    assert!(!pace.is_behind(0, 1599));
    assert!(pace.is_behind(0, 1600));
    assert!(pace.is_behind(6300, 1600));
    assert!(!pace.is_behind(6301, 1600));
    assert!(!pace.is_behind(6301, 3000));
    assert!(pace.is_behind(6301, 3200));
}

#[test]
fn what_was_played_before_the_first_net_does_not_count() {
    let mut pace = Pace::new(4.0, 256);
    assert!(!pace.is_behind(50_000, 1_000_000));
    assert!(!pace.is_behind(50_000, 1_000_100));
}

#[test]
fn a_learner_that_keeps_up_never_makes_self_play_rest() {
    let mut pace = Pace::new(2.0, 256);
    for positions in 0..100_000 {
        assert!(!pace.is_behind(2 * positions, positions));
    }
}

#[test]
fn a_slow_learner_and_resting_self_play_come_to_the_reuse_wanted() {
    // Beside self-play the learner is too slow; alone it has both cores.
    let mut pace = Pace::new(4.0, 256);
    let (mut samples, mut positions) = (0u64, 0u64);
    for _ in 0..100_000 {
        if pace.is_behind(samples, positions) {
            samples += 44;
        } else {
            samples += 26;
            positions += 11;
        }
    }
    let reuse = samples as f64 / positions as f64;
    assert!((3.9..=4.0).contains(&reuse), "{reuse}");
}
