use super::*;
use crate::report::events::{Entry, Event, Started, Warning};

fn history() -> History {
    let progress = Progress {
        generation: 7,
        steps: 40,
        samples: 640,
        games: 50,
        elapsed_s: 900.0,
    };
    let events = [
        Event::Started(Started {
            version: String::new(),
            commit: String::new(),
            resumed: false,
            progress,
        }),
        Event::Measured(Measured {
            generation: 6,
            opponent: "greedy".to_owned(),
            games: 40,
            wins: 30,
            draws: 0,
            losses: 10,
            elo: Some(191.0),
            elo_low: Some(80.0),
            elo_high: None,
        }),
        Event::Warning(Warning {
            sentinel: "cap-share".to_owned(),
            message: "too many".to_owned(),
            over: false,
        }),
    ];
    let entry = |event| Entry {
        time_s: 1000.0,
        event,
    };
    History::of(events.into_iter().map(entry).collect())
}

#[test]
fn a_status_says_where_the_run_stands_and_what_to_look_at() {
    let (config, history) = (Config::default(), history());
    let status = Status::new(Path::new("runs/x"), &config, &history, true, 1030.0);
    let expected = "\
run       run in runs/x: running
time      15:00 spent of 30 minutes, 15:00 left at this pace; last heard of 0:30 ago
games     50
samples   640 in 40 steps
net       7
rating    net 6 against greedy: 75.0 % of 40 games, Elo +191 [+80, +∞]
warning   cap-share: too many
";
    assert_eq!(status.text(), expected);
}

#[test]
fn a_run_that_said_no_last_word_was_stopped() {
    let (config, history) = (Config::default(), history());
    let state =
        |is_running| Status::new(Path::new("x"), &config, &history, is_running, 900.0).state;
    assert_eq!(state(true), State::Running);
    assert_eq!(state(false), State::Stopped);
}

#[test]
fn a_clock_set_back_makes_no_negative_times() {
    let (config, history) = (Config::default(), history());
    let status = Status::new(Path::new("x"), &config, &history, true, 500.0);
    assert_eq!(status.told_s, 0.0);
}
