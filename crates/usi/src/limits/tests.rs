use super::*;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn keys_are_read_in_any_order() {
    let limits = GoLimits::parse("binc 10 winc 20 wtime 2000 btime 1000 ponder");
    assert_eq!(limits.clock(Color::Black), ms(1000));
    assert_eq!(limits.clock(Color::White), ms(2000));
    assert_eq!(limits.increment(Color::Black), ms(10));
    assert_eq!(limits.increment(Color::White), ms(20));
    assert!(limits.ponder);
}

#[test]
fn written_limits_are_read_back() {
    for line in [
        "go btime 1 wtime 2 byoyomi 3",
        "go ponder btime 1 wtime 2 binc 3 winc 4",
        "go movetime 100",
        "go nodes 5 depth 6",
        "go infinite",
        "go",
    ] {
        let limits = GoLimits::parse(line.trim_start_matches("go"));
        assert_eq!(limits.to_string(), line);
    }
}

#[test]
fn silly_numbers_do_no_harm() {
    assert_eq!(GoLimits::parse("byoyomi"), GoLimits::default());
    assert_eq!(
        GoLimits::parse("btime abc wtime def byoyomi ghi"),
        GoLimits::default()
    );
    assert_eq!(
        GoLimits::parse("btime -500").clock(Color::Black),
        Duration::ZERO
    );
    assert_eq!(GoLimits::parse("nodes -1").nodes, Some(1));
    assert_eq!(
        GoLimits::parse("nodes 99999999999999999999").nodes,
        Some(u64::MAX)
    );
    assert_eq!(GoLimits::parse("depth 99999999999").depth, Some(u32::MAX));
    assert_eq!(
        GoLimits::parse("byoyomi btime 5").clock(Color::Black),
        ms(5)
    );
}

#[test]
fn unknown_words_are_skipped() {
    let limits = GoLimits::parse("searchmoves 7g7f 2g2f movetime 40 rtime 5");
    assert_eq!(
        limits,
        GoLimits {
            movetime: Some(ms(40)),
            ..GoLimits::default()
        }
    );
}

#[test]
fn only_infinite_and_bare_go_are_unlimited() {
    for limited in [
        "btime 0",
        "byoyomi 0",
        "winc 5",
        "movetime 1",
        "nodes 1",
        "depth 1",
    ] {
        assert!(GoLimits::parse(limited).is_limited(), "{limited}");
    }
    for unlimited in ["", "infinite", "infinite nodes 5", "ponder"] {
        assert!(!GoLimits::parse(unlimited).is_limited(), "{unlimited}");
    }
}
