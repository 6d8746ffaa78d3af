use super::*;

#[test]
fn clock_shows_hours_only_when_there_are_any() {
    assert_eq!(clock(0.4), "0:00");
    assert_eq!(clock(61.0), "1:01");
    assert_eq!(clock(3_723.0), "1:02:03");
}

#[test]
fn a_plain_line_holds_done_total_rate_time_left_and_words() {
    let now = Instant::now();
    let started = now.checked_sub(Duration::from_secs(10)).unwrap();
    let line = ProgressLine {
        label: "arena",
        unit: "games",
        total: 40,
        started,
        last_line: now,
        bar: None,
    };
    assert_eq!(
        line.line(20, "8-4-8"),
        "arena: 20/40 games, 2.0 games/s, 0:10 left, 8-4-8"
    );
    assert_eq!(line.line(0, ""), "arena: 0/40 games, 0.0 games/s, ? left");
}

#[test]
fn a_budget_line_holds_time_spent_and_budget() {
    let line = BudgetLine {
        label: "train",
        budget: Duration::from_secs(1800),
        bar: None,
    };
    assert_eq!(
        line.line(Duration::from_secs(95), "net 3"),
        "1:35 of 30:00, net 3"
    );
}
