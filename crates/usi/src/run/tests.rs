use std::io::{BufReader, Cursor, PipeReader, PipeWriter, pipe};
use std::thread::JoinHandle;

use search::{Evaluator, UniformEvaluator};

use super::*;
use crate::options::Settings;

fn options() -> EngineOptions {
    EngineOptions {
        name: "test".to_owned(),
        author: "tester".to_owned(),
        settings: Settings::default(),
    }
}

fn uniform(_: &NetworkSettings) -> Result<Loaded, LoadError> {
    let evaluator: Box<dyn Evaluator> = Box::new(UniformEvaluator);
    Ok(evaluator.into())
}

/// Everything that is printed for this input, which then ends.
fn output_for(input: &[u8]) -> String {
    let mut output = Vec::new();
    run(Cursor::new(input.to_vec()), &mut output, options(), uniform).unwrap();
    String::from_utf8(output).unwrap()
}

/// An engine on two pipes.
struct Live {
    to_engine: PipeWriter,
    from_engine: BufReader<PipeReader>,
    engine: JoinHandle<Result<(), RunError>>,
}

impl Live {
    fn start(loader: impl EvaluatorLoader, patience: Duration) -> Live {
        let (input, to_engine) = pipe().unwrap();
        let (from_engine, output) = pipe().unwrap();
        let engine = thread::spawn(move || {
            run_with(
                BufReader::new(input),
                output,
                options(),
                loader,
                (patience, patience),
            )
        });
        Live {
            to_engine,
            from_engine: BufReader::new(from_engine),
            engine,
        }
    }

    fn say(&mut self, lines: &str) {
        self.to_engine.write_all(lines.as_bytes()).unwrap();
    }

    fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        let n_bytes = self.from_engine.read_line(&mut line).unwrap();
        (n_bytes > 0).then(|| line.trim_end_matches('\n').to_owned())
    }

    /// Reads up to the first line that starts with `word`.
    fn wait_for(&mut self, word: &str) -> String {
        loop {
            let line = self.next_line().expect(word);
            if line.starts_with(word) {
                return line;
            }
        }
    }
}

#[test]
fn a_whole_conversation_ends_with_quit() {
    let out =
        output_for(b"usi\r\nisready\r\nusinewgame\r\nposition startpos\r\ngo nodes 5\r\nquit\r\n");
    let usiok = out.find("usiok\n").unwrap();
    let readyok = out.find("readyok\n").unwrap();
    assert!(usiok < readyok, "{out}");
    assert!(
        out.ends_with("readyok\n"),
        "quit came before the search could begin: {out}"
    );
}

#[test]
fn the_end_of_input_ends_an_idle_and_a_thinking_engine() {
    assert_eq!(output_for(b""), "");
    let out = output_for(b"isready\nposition startpos\ngo infinite\n");
    assert_eq!(out, "readyok\n");
}

#[test]
fn quit_while_thinking_ends_at_once_without_an_answer() {
    let mut live = Live::start(uniform, KEEP_ALIVE);
    live.say("setoption name PV_Interval value 0\nposition startpos\ngo infinite\n");
    live.wait_for("info ");
    live.say("quit\n");
    while let Some(line) = live.next_line() {
        assert!(line.starts_with("info "), "{line}");
    }
    live.engine.join().unwrap().unwrap();
}

#[test]
fn stop_is_answered_while_the_engine_thinks() {
    let mut live = Live::start(uniform, KEEP_ALIVE);
    live.say("setoption name PV_Interval value 0\nisready\n");
    live.wait_for("readyok");
    for _ in 0..3 {
        live.say("position startpos moves 7g7f\ngo infinite\n");
        live.wait_for("info ");
        let asked = Instant::now();
        live.say("stop\n");
        live.wait_for("bestmove ");
        // 50 ms are wanted; the bound leaves room for a machine that is busy otherwise.
        assert!(asked.elapsed() < Duration::from_secs(1));
    }
    live.say("go btime 0 wtime 0 byoyomi 100\n");
    live.wait_for("bestmove ");
    drop(live.to_engine);
    live.engine.join().unwrap().unwrap();
}

#[test]
fn junk_bytes_and_endless_lines_are_survived() {
    let mut input = b"\xff\xfe\x00\x01 \x93\xfa\x96{\n".to_vec();
    input.extend(vec![b'x'; 100_000]);
    input.extend(b"\nisready\nisrea");
    assert_eq!(output_for(&input), "readyok\n");
}

#[test]
fn a_slow_load_shows_signs_of_life_and_later_lines_wait() {
    let (finish, wait) = mpsc::channel::<()>();
    let loader = move |settings: &NetworkSettings| {
        wait.recv()?;
        uniform(settings)
    };
    let mut live = Live::start(loader, Duration::from_millis(5));
    live.say("isready\nusi\n");
    for _ in 0..3 {
        assert_eq!(live.next_line().unwrap(), "");
    }
    finish.send(()).unwrap();
    live.wait_for("readyok");
    live.wait_for("usiok");
    live.say("quit\n");
    live.engine.join().unwrap().unwrap();
}

#[test]
fn a_gui_can_leave_during_a_slow_load() {
    for farewell in ["isready\nquit\n", "isready\n"] {
        let (_finish, wait) = mpsc::channel::<()>();
        let loader = move |settings: &NetworkSettings| {
            wait.recv()?;
            uniform(settings)
        };
        let mut live = Live::start(loader, Duration::from_millis(5));
        live.say(farewell);
        drop(live.to_engine);
        live.engine.join().unwrap().unwrap();
    }
}

#[test]
fn a_network_that_cannot_be_loaded_ends_the_engine_with_its_reason() {
    let loader = |settings: &NetworkSettings| -> Result<Loaded, LoadError> {
        Err(format!("no file {:?}", settings.model).into())
    };
    let mut live = Live::start(loader, KEEP_ALIVE);
    live.say("setoption name DNN_Model value a b.onnx\nisready\n");
    assert_eq!(
        live.wait_for("info "),
        r#"info string cannot load the network: no file Some("a b.onnx")"#
    );
    let error = live.engine.join().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "cannot load the network");
}

#[test]
fn a_loader_that_panics_is_noticed() {
    let loader =
        |_: &NetworkSettings| -> Result<Loaded, LoadError> { panic!("expected by the test") };
    let mut live = Live::start(loader, Duration::from_millis(5));
    live.say("isready\n");
    let error = live.engine.join().unwrap().unwrap_err();
    assert!(matches!(error, RunError::LoaderGone), "{error}");
}

#[test]
fn a_gui_that_no_longer_reads_is_gone() {
    let mut live = Live::start(uniform, KEEP_ALIVE);
    live.say("isready\n");
    live.wait_for("readyok");
    let Live {
        mut to_engine,
        from_engine,
        engine,
    } = live;
    drop(from_engine);
    to_engine.write_all(b"usi\n").unwrap();
    engine.join().unwrap().unwrap();
}

/// Row 17 of the list of other programs' faults: the next command may come before the client's own
/// clock has moved.
#[test]
fn a_client_that_asks_again_at_once_is_always_answered() {
    let mut live = Live::start(uniform, KEEP_ALIVE);
    live.say("isready\n");
    live.wait_for("readyok");
    for round in 0..200 {
        let go = [
            "go nodes 1",
            "go infinite\nstop",
            "go ponder\nponderhit byoyomi 1",
        ][round % 3];
        live.say(&format!("position startpos moves 7g7f 3c3d\n{go}\n"));
        live.wait_for("bestmove ");
    }
    live.say("isready\n");
    // Nothing is left over.
    assert_eq!(live.next_line().unwrap(), "readyok");
    live.say("quit\n");
    live.engine.join().unwrap().unwrap();
}

/// A network that is stuck from its third position on, as a process that gets no processor is.
struct Stuck {
    n_asked: usize,
    is_stuck: mpsc::Sender<()>,
    gate: mpsc::Receiver<()>,
}

impl Evaluator for Stuck {
    fn evaluate(
        &mut self,
        requests: &[search::EvalRequest<'_>],
        answers: &mut search::EvalAnswers,
    ) -> Result<(), search::EvaluatorError> {
        self.n_asked += requests.len();
        if 3 <= self.n_asked {
            // The test may have ended.
            let _ = self.is_stuck.send(());
            // Ends when the test lets go of the other end.
            let _ = self.gate.recv();
        }
        UniformEvaluator.evaluate(requests, answers)
    }
}

/// An engine whose network is stuck in a search that `go` has begun, and what lets go of it.
fn stuck_in(go: &str) -> (Live, mpsc::Sender<()>) {
    let (finish, gate) = mpsc::channel::<()>();
    let (is_stuck, told) = mpsc::channel::<()>();
    let mut ends = Some((gate, is_stuck));
    let loader = move |_: &NetworkSettings| -> Result<Loaded, LoadError> {
        let (gate, is_stuck) = ends.take().ok_or("loaded twice")?;
        let evaluator: Box<dyn Evaluator> = Box::new(Stuck {
            n_asked: 0,
            is_stuck,
            gate,
        });
        Ok(evaluator.into())
    };
    let mut live = Live::start(loader, KEEP_ALIVE);
    live.say("isready\n");
    live.wait_for("readyok");
    live.say(&format!("position startpos\n{go}\n"));
    told.recv().unwrap();
    (live, finish)
}

#[test]
fn stop_is_answered_though_the_engine_does_not_get_to_work() {
    let (mut live, finish) = stuck_in("go infinite");
    live.say("stop\n");
    live.wait_for("bestmove ");
    live.say("quit\n");
    drop(finish);
    while let Some(line) = live.next_line() {
        assert!(!line.starts_with("bestmove "), "{line}");
    }
    live.engine.join().unwrap().unwrap();
}

#[test]
fn the_answer_is_out_in_time_though_the_engine_does_not_get_to_work() {
    let (mut live, finish) = stuck_in("go ponder btime 0 wtime 0 byoyomi 100");
    live.say("ponderhit\n");
    assert!(live.wait_for("info ").contains(" nodes 2 "));
    live.wait_for("bestmove ");
    // Asked again while it is stuck: it does not even get to know of it.
    live.say("position startpos moves 7g7f\ngo btime 0 wtime 0 byoyomi 100\n");
    assert!(live.wait_for("info ").contains("rule of thumb"));
    live.wait_for("bestmove ");
    // Once more, and then it is not stuck any more: one answer each.
    live.say("position startpos moves 7g7f\ngo nodes 20\nisready\n");
    drop(finish);
    live.wait_for("bestmove ");
    live.say("go nodes 20\n");
    live.wait_for("bestmove ");
    live.say("quit\n");
    while let Some(line) = live.next_line() {
        assert!(!line.starts_with("bestmove "), "{line}");
    }
    live.engine.join().unwrap().unwrap();
}
