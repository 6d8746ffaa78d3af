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
fn a_budget_line_holds_time_spent_and_time_left() {
    let mut line = BudgetLine {
        label: "train",
        budget: Budget::default(),
        bar: None,
    };
    let progress = Progress {
        elapsed_s: 95.0,
        ..Progress::default()
    };
    assert_eq!(line.line(&progress, "net 3"), "1:35, 28:25 left, net 3");
    line.budget = Budget::endless();
    assert_eq!(line.line(&progress, "net 3"), "1:35, net 3");
}
