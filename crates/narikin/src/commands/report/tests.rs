use super::*;
use crate::health::{GameHealth, Health, PositionHealth};
use crate::report::events::{Entry, Event, Learned, Warning};

fn history() -> History {
    let learned = |steps: u64| {
        Event::Learned(Learned {
            steps,
            policy_loss: 4.0 - steps as f64 / 100.0,
            ..Learned::default()
        })
    };
    let mut health = Health {
        games: GameHealth {
            games: 100,
            black_share: 0.3,
            white_share: 0.1,
            ..GameHealth::default()
        },
        positions: Some(PositionHealth::default()),
        ..Health::default()
    };
    health.progress.elapsed_s = 60.0;
    let warning = Warning {
        sentinel: "cap-share".to_owned(),
        message: "too <many>".to_owned(),
        over: false,
    };
    let events = [
        learned(10),
        Event::Health(Box::new(health)),
        learned(20),
        Event::Warning(warning),
    ];
    let entry = |event| Entry { time_s: 1.0, event };
    History::of(events.into_iter().map(entry).collect())
}

#[test]
fn a_page_has_curves_health_settings_and_the_warnings_that_stand() {
    let html = page(&Config::default(), &history()).html();
    for part in [
        "<h1>Run run</h1>",
        "Policy loss",
        "<td>Black wins, of decided games</td><td>75.0 %</td>",
        "<td>learn.reuse</td><td>4.0</td><td></td>",
        "cap-share: too &lt;many&gt;",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn a_run_that_has_said_nothing_yet_has_a_page_too() {
    let html = page(&Config::default(), &History::default()).html();
    assert!(html.contains("Settings"));
    assert!(!html.contains("<figure"));
}

#[test]
fn of_games_that_there_are_not_yet_nothing_is_shown() {
    let health = Event::Health(Box::default());
    let entry = Entry {
        time_s: 1.0,
        event: health,
    };
    let html = page(&Config::default(), &History::of(vec![entry])).html();
    assert!(html.contains("<td>games looked at</td><td>0</td>"));
    for part in [
        "<td>drawn</td>",
        "<td>median length</td>",
        "Black wins",
        "Variety",
    ] {
        assert!(!html.contains(part), "{part}");
    }
}
