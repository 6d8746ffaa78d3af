use super::*;

#[track_caller]
fn check_time(text: &str, minutes: Option<f64>) {
    assert_eq!(parse_minutes(text).ok(), minutes, "{text}");
}

#[test]
fn times_are_numbers_with_units() {
    check_time("30m", Some(30.0));
    check_time("90s", Some(1.5));
    check_time("1h30m", Some(90.0));
    check_time("1.5h", Some(90.0));
    check_time("2d", Some(2880.0));
}

#[test]
fn a_time_without_unit_or_of_nothing_is_refused() {
    for text in ["", "30", "0m", "m", "1y", "-5m", "1h30", "9é"] {
        check_time(text, None);
    }
    assert!(parse_minutes("30").unwrap_err().contains("30m"));
}

fn at(elapsed_s: f64, games: u64, samples: u64) -> Progress {
    Progress {
        elapsed_s,
        games,
        samples,
        ..Progress::default()
    }
}

#[test]
fn a_run_ends_at_the_first_limit_that_is_reached() {
    let budget = Budget {
        minutes: 10.0,
        games: Some(100),
        samples: Some(5000),
        elo: Some(200.0),
    };
    assert!(!budget.is_spent(&at(599.0, 99, 4999), Some(199.0)));
    assert!(budget.is_spent(&at(600.0, 0, 0), None));
    assert!(budget.is_spent(&at(0.0, 100, 0), None));
    assert!(budget.is_spent(&at(0.0, 0, 5000), None));
    assert!(budget.is_spent(&at(0.0, 0, 0), Some(200.0)));
    assert!(!Budget::endless().is_spent(&at(1e9, 1 << 40, 1 << 50), Some(5000.0)));
}

#[test]
fn time_left_follows_from_the_limit_that_is_nearest() {
    let budget = Budget {
        minutes: 10.0,
        games: Some(100),
        ..Budget::endless()
    };
    assert_eq!(budget.seconds_left(&at(60.0, 50, 0)), Some(60.0));
    assert_eq!(budget.seconds_left(&at(60.0, 1, 0)), Some(540.0));
    assert_eq!(budget.seconds_left(&at(700.0, 1, 0)), Some(0.0));
    assert_eq!(Budget::endless().seconds_left(&at(60.0, 1, 0)), None);
    let games = Budget {
        games: Some(100),
        ..Budget::endless()
    };
    assert_eq!(games.seconds_left(&at(60.0, 25, 0)), Some(180.0));
}

#[test]
fn limits_are_told_in_words() {
    assert_eq!(Budget::default().words(), "30 minutes");
    assert_eq!(Budget::endless().words(), "no limit");
    let budget = Budget {
        games: Some(9),
        elo: Some(100.0),
        ..Budget::endless()
    };
    assert_eq!(budget.words(), "9 games or +100 Elo against greedy");
}
