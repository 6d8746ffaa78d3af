use super::*;

const MS: Duration = Duration::from_millis(1);

fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|&line| line.to_owned()).collect()
}

/// An answer due a tenth of a second after `since`.
fn promise(since: Instant, answer: &str) -> Promise {
    Promise {
        turn: Some(Turn::new(since, 100 * MS)),
        lines: lines(&[answer]),
    }
}

/// With a network.
fn ready(now: Instant) -> Ledger {
    let mut ledger = Ledger::new(now);
    ledger.set_loading(false);
    ledger
}

/// The same on standby.
fn go(n_go: u64, since: Instant, answer: &str) -> Call {
    Call::Go {
        n_go,
        answer: Some((Turn::new(since, 100 * MS), lines(&[answer]))),
    }
}

fn admitted(ledger: &mut Ledger, text: &[&str]) -> Vec<String> {
    let mut lines = lines(text);
    ledger.admit(&mut lines);
    lines
}

#[test]
fn the_search_s_promise_goes_before_what_is_on_standby() {
    let start = Instant::now();
    let mut ledger = ready(start);
    assert_eq!(ledger.due(), None);
    ledger.stand_by(go(1, start, "bestmove 9g9f"));
    assert_eq!(ledger.due(), Some(start + 100 * MS));
    ledger.promise(promise(start, "bestmove 7g7f"));
    ledger.promise(promise(start, "bestmove 2g2f"));
    assert_eq!(ledger.take_due(start + 99 * MS), None);
    assert_eq!(
        ledger.take_due(start + 100 * MS).unwrap(),
        ["bestmove 2g2f"]
    );
    // Nothing is left of this `go`.
    assert_eq!(ledger.due(), None);
    assert_eq!(
        admitted(&mut ledger, &["info depth 2", "readyok", "bestmove 7g7f"]),
        ["readyok"]
    );
}

#[test]
fn a_go_that_the_loop_has_not_heard_of_is_answered_from_standby() {
    let start = Instant::now();
    let mut ledger = ready(start);
    ledger.promise(promise(start, "bestmove 7g7f"));
    assert!(ledger.take_due(start + 100 * MS).is_some());
    // The loop is still at its first search, whose promises are of no use any more.
    ledger.stand_by(go(2, start + 200 * MS, "bestmove 3g3f"));
    ledger.promise(promise(start, "bestmove 5g5f"));
    assert_eq!(
        ledger.take_due(start + 300 * MS).unwrap(),
        ["bestmove 3g3f"]
    );
    // It comes to both answers, and then to a third, which nobody has given.
    let said = [
        "info depth 3",
        "bestmove 7g7f",
        "info depth 1",
        "bestmove 1g1f",
        "info depth 4",
        "bestmove 4g4f",
    ];
    assert_eq!(
        admitted(&mut ledger, &said),
        ["info depth 4", "bestmove 4g4f"]
    );
    assert_eq!(ledger.due(), None);
}

#[test]
fn an_answer_in_time_ends_all_promises() {
    let start = Instant::now();
    let mut ledger = ready(start);
    ledger.stand_by(go(1, start, "bestmove 9g9f"));
    ledger.promise(promise(start, "bestmove 7g7f"));
    assert_eq!(
        admitted(&mut ledger, &["info depth 3", "bestmove 2g2f"]),
        ["info depth 3", "bestmove 2g2f"]
    );
    assert_eq!(ledger.due(), None);
    // The reader may come to the `go` after its answer is out.
    ledger.stand_by(go(1, start, "bestmove 9g9f"));
    assert_eq!(ledger.due(), None);
    // Nor is there one for a `go` without a clock.
    let n_go = 2;
    ledger.stand_by(Call::Go { n_go, answer: None });
    assert_eq!(ledger.due(), None);
}

#[test]
fn a_search_that_ponders_is_held_to_the_clock_that_it_has_not_heard_of() {
    let start = Instant::now();
    let mut ledger = ready(start);
    ledger.promise(Promise {
        turn: None,
        lines: lines(&["bestmove 7g7f"]),
    });
    assert_eq!(ledger.due(), None);
    // `ponderhit`.
    ledger.stand_by(go(1, start + 900 * MS, "bestmove 9g9f"));
    assert_eq!(ledger.due(), Some(start + 1000 * MS));
    assert_eq!(
        ledger.take_due(start + 1000 * MS).unwrap(),
        ["bestmove 7g7f"]
    );
}

#[test]
fn stop_calls_a_promise_in() {
    let start = Instant::now();
    let mut ledger = ready(start);
    // Without a promise the search has to find something first.
    ledger.stand_by(Call::Stop { n_go: 1, at: start });
    assert_eq!(ledger.due(), None);
    let untimed = |answer| Promise {
        turn: None,
        lines: lines(&[answer]),
    };
    ledger.promise(untimed("bestmove 7g7f"));
    assert_eq!(ledger.due(), Some(start + STOP_GRACE));
    assert!(ledger.take_due(start + STOP_GRACE).is_some());
    assert!(admitted(&mut ledger, &["bestmove 7g7f"]).is_empty());
    // It was not meant for the next one.
    ledger.promise(untimed("bestmove 2g2f"));
    assert_eq!(ledger.due(), None);
}

#[test]
fn a_machine_that_wakes_late_gets_its_answers_out_earlier() {
    let start = Instant::now();
    let mut ledger = ready(start);
    ledger.promise(promise(start, "bestmove 7g7f"));
    ledger.woken(start + 10 * MS, start + 25 * MS);
    ledger.woken(start + 35 * MS, start + 36 * MS);
    // Twice 15 ms.
    let due = ledger.due().unwrap() - start;
    assert!(70 * MS <= due && due < 71 * MS, "{due:?}");
    // A quarter of the time stays.
    ledger.woken(start + 46 * MS, start + 346 * MS);
    assert_eq!(ledger.due(), Some(start + 25 * MS));
    // Without a search's answer, half of it.
    assert!(ledger.take_due(start + 25 * MS).is_some());
    ledger.stand_by(go(2, start, "bestmove 9g9f"));
    assert_eq!(ledger.due(), Some(start + 50 * MS));
}

#[test]
fn nothing_is_on_standby_for_what_was_asked_before_a_network_is_there() {
    let start = Instant::now();
    let mut ledger = Ledger::new(start);
    ledger.stand_by(go(1, start, "bestmove 9g9f"));
    assert_eq!(ledger.due(), None);
    ledger.set_loading(false);
    assert_eq!(ledger.due(), None);
    ledger.stand_by(go(1, start, "bestmove 9g9f"));
    assert!(ledger.due().is_some());
    // Another one.
    ledger.set_loading(true);
    assert_eq!(ledger.due(), None);
}
