//! What must hold for any lines that a GUI sends.

use std::cell::Cell;
use std::time::{Duration, Instant};

use search::{Evaluator, UniformEvaluator};
use usi::{Command, EngineOptions, Go, Next, Settings, UsiEngine};

/// Lines of one conversation that are looked at.
const MOST_LINES: usize = 60;

/// How far the engine may think between two lines.
const STEPS: usize = 3;

/// Reads `data` as the lines of a GUI.
pub(crate) fn check(data: &[u8]) {
    let mut engine = engine();
    let mut out = Vec::new();
    let (mut n_go, mut n_mate, mut n_ready) = (0, 0, 0);
    let text = String::from_utf8_lossy(data);
    for line in text.split('\n').take(MOST_LINES) {
        match Command::parse(line) {
            // Memory would be all that such a line costs.
            Some(Command::SetOption { name, .. }) if name.eq_ignore_ascii_case("USI_Hash") => {
                continue;
            }
            Some(Command::Go(Go::Search(_))) => n_go += 1,
            Some(Command::Go(Go::Mate(_))) => n_mate += 1,
            Some(Command::IsReady) => n_ready += 1,
            Some(Command::Quit) => break,
            _ => {}
        }
        say(&mut engine, line, &mut out);
        for _ in 0..STEPS {
            if engine.is_thinking() {
                engine.think(&mut out);
            }
        }
    }
    // A GUI counts the answers: each question has one, never early, never late.
    say(&mut engine, "stop", &mut out);
    assert!(!engine.is_thinking());
    let count = |word: &str| out.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!(count("bestmove "), n_go, "{out:#?}");
    assert_eq!(count("checkmate "), n_mate, "{out:#?}");
    assert_eq!(count("readyok"), n_ready, "{out:#?}");
    for line in &out {
        assert!(line.is_ascii() && !line.contains(['\n', '\r']), "{line:?}");
        let words = [
            "id ",
            "option ",
            "usiok",
            "readyok",
            "info ",
            "bestmove ",
            "checkmate ",
        ];
        assert!(words.iter().any(|word| line.starts_with(word)), "{line:?}");
    }
}

/// An engine whose clock moves by a millisecond each time that it is read.
fn engine() -> UsiEngine {
    let now = Cell::new(Instant::now());
    let clock = move || {
        now.set(now.get() + Duration::from_millis(1));
        now.get()
    };
    let settings = Settings {
        hash_mib: 1,
        root_mate_nodes: 0,
        ..Settings::default()
    };
    let options = EngineOptions {
        name: "fuzzed".to_owned(),
        author: "nobody".to_owned(),
        settings,
    };
    UsiEngine::new(options, Box::new(clock))
}

fn say(engine: &mut UsiEngine, line: &str, out: &mut Vec<String>) {
    match engine.handle(line, Instant::now(), out) {
        Next::GoOn | Next::Quit => {}
        Next::Load(_) => {
            let evaluator: Box<dyn Evaluator> = Box::new(UniformEvaluator);
            engine.network_loaded(evaluator, out);
        }
    }
}
