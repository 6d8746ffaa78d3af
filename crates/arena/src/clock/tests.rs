use super::*;

fn clock(text: &str) -> Clock {
    Clock::new(text.parse().unwrap())
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[track_caller]
fn check_left(clock: &Clock, left: u64, usable: u64) {
    assert_eq!((clock.left, clock.usable()), (ms(left), ms(usable)));
}

#[test]
fn byoyomi_begins_when_the_main_time_is_used_up() {
    let mut clock = clock("10+5");
    check_left(&clock, 10_000, 15_000);
    clock.charge(ms(4_000));
    check_left(&clock, 6_000, 11_000);
    clock.charge(ms(8_000));
    check_left(&clock, 0, 5_000);
    clock.charge(ms(4_999));
    check_left(&clock, 0, 5_000);
}

#[test]
fn fischers_clock_gives_back_the_increment_after_each_move() {
    let mut clock = clock("10+0+2");
    check_left(&clock, 10_000, 12_000);
    clock.charge(ms(500));
    check_left(&clock, 11_500, 13_500);
    clock.charge(ms(13_500));
    check_left(&clock, 0, 2_000);
}

#[test]
fn sudden_death_gives_nothing_back() {
    let mut clock = clock("3");
    clock.charge(ms(2_900));
    check_left(&clock, 100, 100);
    clock.charge(ms(500));
    check_left(&clock, 0, 0);
}

#[test]
fn the_stopwatch_rounds_each_move_down_to_whole_minutes() {
    let mut clock = clock("180+60/stopwatch");
    clock.charge(ms(59_999));
    check_left(&clock, 180_000, 240_000);
    clock.charge(ms(60_000));
    check_left(&clock, 120_000, 180_000);
    clock.charge(ms(179_000));
    check_left(&clock, 0, 60_000);
    clock.charge(ms(59_000));
    check_left(&clock, 0, 60_000);
}

#[test]
fn time_controls_are_written_as_they_are_read() {
    for text in ["600", "0+1", "300+0+5", "0.25+0.1", "3600+60/stopwatch"] {
        assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
    }
    let json: TimeControl = serde_json::from_str("\"1+2\"").unwrap();
    assert_eq!(serde_json::to_string(&json).unwrap(), "\"1+2\"");
    for text in [
        "",
        "0",
        "-1",
        "1+2+3+4",
        "1e99",
        "nan",
        "1+",
        "60/sandglass",
    ] {
        let error = text.parse::<TimeControl>().unwrap_err();
        assert!(error.to_string().contains("expected seconds"), "{text}");
    }
}

#[track_caller]
fn check_go(black: Option<&str>, white: Option<&str>, side: Color, expected: &str) {
    let clocks = [black, white].map(|text| text.map(clock));
    assert_eq!(go_limits(clocks, side).to_string(), expected);
}

#[test]
fn engines_are_told_both_clocks_in_the_plainest_form() {
    let black = Color::Black;
    check_go(
        Some("10+5"),
        Some("20+6"),
        black,
        "go btime 10000 wtime 20000 byoyomi 5000",
    );
    check_go(
        None,
        Some("0+1"),
        Color::White,
        "go btime 0 wtime 0 byoyomi 1000",
    );
    check_go(
        Some("10+0+2"),
        Some("10+0+3"),
        black,
        "go btime 10000 wtime 10000 binc 2000 winc 3000",
    );
    check_go(Some("9"), None, black, "go btime 9000 wtime 9000 byoyomi 0");
    check_go(None, Some("9"), black, "go");
}
