use super::*;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn budget(go: &str, side: Color, ply: u32) -> Budget {
    Budget::new(&GoLimits::parse(go), side, ply, ms(120)).unwrap()
}

#[test]
fn pure_byoyomi_is_used_up_to_the_delay() {
    let budget = budget("btime 0 wtime 0 byoyomi 1000", Color::Black, 0);
    assert_eq!(
        budget,
        Budget {
            soft: ms(880),
            hard: ms(880),
            most: ms(880),
            saves: false
        }
    );
}

#[test]
fn of_a_very_short_time_half_stays_unused_and_a_fifth_if_it_is_fixed() {
    assert_eq!(budget("byoyomi 50", Color::White, 30).hard, ms(25));
    assert_eq!(budget("byoyomi 200", Color::White, 30).hard, ms(100));
    assert_eq!(budget("movetime 300", Color::White, 30).hard, ms(240));
}

#[test]
fn no_time_at_all_is_a_budget_of_nothing() {
    assert_eq!(
        budget("btime 0 wtime 0 byoyomi 0", Color::Black, 0).hard,
        ms(0)
    );
    assert_eq!(budget("btime -500 wtime -500", Color::Black, 0).hard, ms(0));
}

#[test]
fn the_clock_of_the_side_to_move_counts() {
    let go = "btime 600000 wtime 1000 binc 0 winc 0";
    assert!(budget(go, Color::White, 1).hard <= ms(880));
    assert!(budget(go, Color::Black, 1).soft > ms(5000));
}

#[test]
fn a_budget_never_exceeds_what_is_on_the_clock() {
    for clock in [0, 1, 10, 200, 3_000, 60_000, 100_000_000] {
        for extra in [0, 1, 50, 1_000, 30_000] {
            for ply in [0, 60, 300, 5_000] {
                let byoyomi = budget(&format!("btime {clock} byoyomi {extra}"), Color::Black, ply);
                assert!(byoyomi.hard <= ms(clock + extra));
                // The clock may or may not hold the increment already.
                let fischer = budget(&format!("btime {clock} binc {extra}"), Color::Black, ply);
                assert!(fischer.hard <= ms(clock.max(extra)));
                assert!(byoyomi.soft <= byoyomi.hard && fischer.soft <= fischer.hard);
            }
        }
    }
}

#[test]
fn huge_clocks_do_not_overflow() {
    let budget = budget(
        "btime 18446744073709551615 byoyomi 18446744073709551615",
        Color::Black,
        0,
    );
    assert!(budget.soft <= budget.hard);
}

#[test]
fn fixed_visits_have_no_time_budget() {
    assert_eq!(
        Budget::new(&GoLimits::parse("nodes 100"), Color::Black, 0, ms(120)),
        None
    );
}

#[test]
fn a_shortest_thinking_time_never_takes_more_than_the_clock_has() {
    let short = budget("btime 20000 wtime 20000", Color::Black, 0);
    assert_eq!(short.with_minimum(ms(0)), short);
    let longer = short.with_minimum(ms(3000));
    assert_eq!((longer.soft, longer.hard), (ms(3000), ms(3000)));
    let longest = short.with_minimum(ms(3_600_000));
    assert_eq!(longest.hard, short.most);
    let fixed = budget("movetime 100", Color::Black, 0);
    assert_eq!(fixed.with_minimum(ms(3000)), fixed);
}
