use super::*;

const MS: Duration = Duration::from_millis(1);

#[test]
fn the_longest_gap_is_remembered_for_some_seconds() {
    let start = Instant::now();
    let mut gaps = Gaps::new(start);
    let mut now = start;
    for ms in [1, 2, 60, 1, 1] {
        now += ms * MS;
        gaps.look(now);
    }
    assert!(59 * MS < gaps.longest() && gaps.longest() <= 60 * MS);
    for _ in 0..10_000 {
        now += MS;
        gaps.look(now);
    }
    // Half of it after ten seconds.
    let half = gaps.longest();
    assert!(29 * MS < half && half < 31 * MS, "{half:?}");
}

#[test]
fn waiting_is_no_gap() {
    let start = Instant::now();
    let mut gaps = Gaps::new(start);
    gaps.look(start + 20 * MS);
    gaps.resume(start + 5_020 * MS);
    gaps.look(start + 5_021 * MS);
    let longest = gaps.longest();
    assert!(13 * MS < longest && longest < 15 * MS, "{longest:?}");
}
