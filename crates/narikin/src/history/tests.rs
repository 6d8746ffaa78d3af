use super::*;
use crate::report::events::{Started, Warning};

fn progress(steps: u64, elapsed_s: f64) -> Progress {
    Progress {
        steps,
        elapsed_s,
        ..Progress::default()
    }
}

fn started(steps: u64, elapsed_s: f64) -> Event {
    Event::Started(Started {
        version: String::new(),
        commit: String::new(),
        resumed: steps > 0,
        progress: progress(steps, elapsed_s),
    })
}

fn learned(steps: u64) -> Event {
    Event::Learned(Learned {
        steps,
        ..Learned::default()
    })
}

fn warning(sentinel: &str, over: bool) -> Event {
    Event::Warning(Warning {
        sentinel: sentinel.to_owned(),
        message: format!("{sentinel}!"),
        over,
    })
}

/// Events told a second apart, but by a clock that jumps back a year before the third.
fn history(events: Vec<Event>) -> History {
    let time = |index: usize| index as f64 + if index < 2 { 1.8e9 } else { 1.77e9 };
    let entries = events.into_iter().enumerate().map(|(index, event)| Entry {
        time_s: time(index),
        event,
    });
    History::of(entries.collect())
}

#[test]
fn steps_that_a_killed_run_takes_again_are_told_once() {
    let history = history(vec![
        started(0, 0.0),
        learned(10),
        learned(20),
        learned(30),
        started(20, 60.0),
        learned(25),
        learned(35),
    ]);
    let steps: Vec<u64> = history
        .learned
        .iter()
        .map(|point| point.what.steps)
        .collect();
    assert_eq!(steps, [10, 20, 25, 35]);
    assert_eq!(history.starts, 2);
}

#[test]
fn a_clock_that_jumps_changes_no_curve() {
    let history = history(vec![
        started(0, 0.0),
        Event::Health(Box::new(Health {
            progress: progress(10, 30.0),
            ..Health::default()
        })),
        learned(20),
        Event::Health(Box::new(Health {
            progress: progress(30, 60.0),
            ..Health::default()
        })),
    ]);
    let elapsed: Vec<f64> = history.health.iter().map(|point| point.elapsed_s).collect();
    assert_eq!(elapsed, [30.0, 60.0]);
    assert_eq!(history.learned[0].elapsed_s, 30.0);
    assert_eq!(history.progress.elapsed_s, 60.0);
}

#[test]
fn warnings_stand_until_they_are_over_or_the_run_starts_again() {
    let told = vec![
        started(0, 0.0),
        warning("cap-share", false),
        warning("batch-fill", false),
        warning("cap-share", true),
    ];
    let now = history(told.clone());
    let standing: Vec<&String> = now.standing.keys().collect();
    assert_eq!(standing, ["batch-fill"]);
    assert_eq!(now.warnings.len(), 2);
    let later = history([told, vec![started(0, 0.0)]].concat());
    assert!(later.standing.is_empty());
}

#[test]
fn the_ending_is_the_last_thing_told() {
    let finished = Event::Finished(progress(5, 5.0));
    let done = history(vec![started(0, 0.0), finished.clone()]);
    assert_eq!(done.ending, Ending::Finished);
    let again = history(vec![started(0, 0.0), finished, started(5, 5.0)]);
    assert_eq!(again.ending, Ending::None);
}
