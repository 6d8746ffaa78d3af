use super::*;
use crate::run::ledger::Turn;

fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|&line| line.to_owned()).collect()
}

fn promise(until: Instant) -> Promise {
    Promise {
        turn: Some(Turn {
            since: until,
            until,
        }),
        lines: lines(&["info depth 1", "bestmove 7g7f"]),
    }
}

fn written(desk: Desk<Vec<u8>>) -> String {
    String::from_utf8(desk.output.into_inner().unwrap()).unwrap()
}

/// Keeps what is due, and returns.
fn keep_what_is_due(desk: &Desk<Vec<u8>>) {
    std::thread::scope(|scope| {
        let keeper = scope.spawn(|| desk.keep_promises());
        while desk.agenda.lock().ledger.due().is_some() {
            std::thread::yield_now();
        }
        desk.close();
        keeper.join().unwrap();
    });
    desk.agenda.lock().is_closed = false;
}

#[test]
fn an_answer_in_time_is_the_only_one() {
    let desk = Desk::new(Vec::new());
    desk.promise(promise(Instant::now() + Duration::from_secs(3600)));
    desk.print(&mut lines(&["info depth 2", "bestmove 2g2f"]))
        .unwrap();
    desk.close();
    desk.keep_promises();
    assert_eq!(written(desk), "info depth 2\nbestmove 2g2f\n");
}

#[test]
fn a_promise_that_is_due_is_kept_and_the_late_answer_left_out() {
    let desk = Desk::new(Vec::new());
    desk.promise(promise(Instant::now()));
    keep_what_is_due(&desk);
    // What is said before the loop that thinks comes to its answer.
    desk.print(&mut lines(&["info depth 2", "readyok"]))
        .unwrap();
    // Its answer, and what the next search has to say.
    desk.print(&mut lines(&[
        "info depth 3",
        "bestmove 2g2f",
        "info depth 1",
    ]))
    .unwrap();
    desk.print(&mut lines(&["info depth 2", "bestmove 3c3d"]))
        .unwrap();
    assert_eq!(
        written(desk),
        "info depth 1\nbestmove 7g7f\nreadyok\ninfo depth 1\ninfo depth 2\nbestmove 3c3d\n"
    );
}

#[test]
fn what_is_on_standby_goes_out_for_a_loop_that_does_not_come() {
    let desk = Desk::new(Vec::new());
    desk.set_loading(false);
    let Promise { turn, lines } = promise(Instant::now());
    desk.agenda().stand_by(Call::Go {
        n_go: 1,
        answer: turn.map(|turn| (turn, lines)),
    });
    keep_what_is_due(&desk);
    assert_eq!(written(desk), "info depth 1\nbestmove 7g7f\n");
}

#[test]
fn without_a_promise_everything_is_written_as_it_comes() {
    let desk = Desk::new(Vec::new());
    desk.print(&mut lines(&["", "info string x"])).unwrap();
    desk.print(&mut Vec::new()).unwrap();
    desk.print(&mut lines(&["bestmove resign"])).unwrap();
    assert_eq!(written(desk), "\ninfo string x\nbestmove resign\n");
}
