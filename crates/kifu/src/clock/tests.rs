use super::*;

fn control(initial: u64, byoyomi: u64, increment: u64) -> TimeControl {
    let [initial, byoyomi, increment] = [initial, byoyomi, increment].map(Duration::from_secs);
    TimeControl {
        initial,
        byoyomi,
        increment,
    }
}

#[test]
fn time_controls_are_read_in_all_their_spellings() {
    for (text, expected) in [
        ("300+0+5", control(300, 0, 5)),
        ("00:25+30", control(1500, 30, 0)),
        ("00:25", control(1500, 0, 0)),
        ("25分", control(1500, 0, 0)),
        ("各25分", control(1500, 0, 0)),
        ("1時間30分", control(5400, 0, 0)),
        ("10分+5秒", control(600, 5, 0)),
        ("0分+30秒", control(0, 30, 0)),
    ] {
        assert_eq!(TimeControl::parse(text), Some(expected), "{text}");
    }
    for text in [
        "",
        "25",
        "なし",
        "25分切れ負け",
        "1+2",
        "1+2+3+4",
        "-1+0+0",
        "分",
    ] {
        assert_eq!(TimeControl::parse(text), None, "{text}");
    }
}

#[test]
fn time_controls_are_written_where_the_format_has_words_for_them() {
    let fischer = control(300, 0, 5);
    assert_eq!(fischer.to_csa3(), "300+0+5");
    assert_eq!((fischer.to_csa2(), fischer.to_kif()), (None, None));
    let byoyomi = control(5400, 30, 0);
    assert_eq!(byoyomi.to_csa2().as_deref(), Some("01:30+30"));
    assert_eq!(byoyomi.to_kif().as_deref(), Some("1時間30分+30秒"));
    assert_eq!(control(90, 0, 0).to_csa2(), None);
    assert_eq!(control(90, 0, 0).to_kif().as_deref(), Some("1分30秒"));
    for control in [
        byoyomi,
        control(0, 10, 0),
        control(90, 0, 0),
        control(36_000, 60, 0),
    ] {
        assert_eq!(
            TimeControl::parse(&control.to_kif().unwrap()),
            Some(control)
        );
        assert_eq!(TimeControl::parse(&control.to_csa3()), Some(control));
    }
}

#[test]
fn seconds_have_digits_and_at_most_one_point() {
    let ms = Duration::from_millis;
    for (text, expected) in [
        ("0", Some(ms(0))),
        ("12", Some(ms(12_000))),
        ("1.250", Some(ms(1_250))),
        ("0.", Some(ms(0))),
        ("0.000000001", Some(Duration::from_nanos(1))),
        ("", None),
        (".5", None),
        ("1.2.3", None),
        ("-1", None),
        ("+1", None),
        ("1e3", None),
        ("99999999999999999999", None),
        ("999999999", None),
    ] {
        assert_eq!(parse_seconds(text), expected, "{text}");
    }
    assert_eq!(seconds_text(ms(1_250)), "1.25");
    assert_eq!(seconds_text(ms(12_000)), "12");
    assert_eq!(seconds_text(ms(7)), "0.007");
}

#[test]
fn clocks_have_minutes_or_hours_before_the_seconds() {
    let seconds = |n| Some(Duration::from_secs(n));
    assert_eq!(parse_clock("0:07"), seconds(7));
    assert_eq!(parse_clock("61:05"), seconds(3665));
    assert_eq!(parse_clock("01:01:05"), seconds(3665));
    assert_eq!(parse_clock("0: 7"), seconds(7));
    assert_eq!(parse_clock("1666666:40"), seconds(100_000_000));
    for text in ["", "7", "1:2:3:4", "0:x", "1.5:00", "-1:00", "1666666:41"] {
        assert_eq!(parse_clock(text), None, "{text}");
    }
}
