use rules::{GameRules, Position};

use super::*;

/// Long enough for a shell on a busy machine.
const LONG: Duration = Duration::from_secs(20);
/// Short enough to be waited out.
const SHORT: Duration = Duration::from_millis(150);

const PATIENT: Patience = Patience {
    start: LONG,
    ready: LONG,
    stop: LONG,
    quit: LONG,
};

/// An engine made of a shell script: `case` branches for the first word of each line.
fn shell_engine(branches: &str) -> EngineCommand {
    let script = format!(
        r#"while read -r word rest; do case "$word" in {branches}
           usi) echo "id name sh engine"; echo "option name Level type spin default 1 min 0 max 9"
                echo "id author nobody"; echo usiok ;;
           isready) echo readyok ;;
           quit) exit 0 ;;
           esac; done"#
    );
    shell(&script)
}

fn shell(script: &str) -> EngineCommand {
    EngineCommand {
        program: "sh".into(),
        args: vec!["-c".to_owned(), script.to_owned()],
        dir: None,
    }
}

fn started(branches: &str, patience: Patience) -> EngineDriver {
    EngineDriver::start(&shell_engine(branches), patience).unwrap()
}

fn startpos() -> Game {
    Game::new(Position::startpos(), GameRules::default())
}

fn byoyomi() -> GoLimits {
    GoLimits {
        byoyomi: Some(Duration::from_secs(1)),
        ..GoLimits::default()
    }
}

fn go(driver: &mut EngineDriver, limit: Duration) -> Result<Reply, DriverError> {
    driver.go(&startpos(), &byoyomi(), limit)
}

#[test]
fn a_good_engine_is_introduced_and_answers() {
    let mut driver = started(
        "go) echo info depth 3 score cp 42 nodes 7 pv 7g7f 3c3d; echo info depth 4;
             echo bestmove 7g7f ponder 3c3d ;;",
        PATIENT,
    );
    assert_eq!((driver.name(), driver.author()), ("sh engine", "nobody"));
    assert!(driver.offers("Level"));
    assert!(!driver.offers("MaxMovesToDraw"));
    driver.new_game().unwrap();
    let reply = go(&mut driver, LONG).unwrap();
    assert_eq!(reply.best, BestMove::Move("7g7f".parse().unwrap()));
    assert_eq!(reply.ponder, Some("3c3d".parse().unwrap()));
    assert_eq!(reply.score, Some(Score::Cp(42)));
    assert_eq!(reply.info, "info depth 3 score cp 42 nodes 7 pv 7g7f 3c3d");
    driver.game_over(GameResult::Win);
    driver.quit();
}

#[test]
fn an_engine_hears_positions_options_and_limits() {
    let mut driver = started(
        r#"setoption|position|gameover) echo "$word $rest" >&2 ;;
           go) echo "$word $rest" >&2; echo bestmove resign ;;"#,
        PATIENT,
    );
    driver.set_option("Level", "3");
    driver.set_option("BookFile", "");
    driver.new_game().unwrap();
    let mut game = startpos();
    game.play("7g7f".parse().unwrap()).unwrap();
    let reply = driver.go(&game, &byoyomi(), LONG).unwrap();
    assert_eq!(reply.best, BestMove::Resign);
    driver.process.send("quit");
    let (status, stderr) = driver.process.post_mortem();
    assert!(status.unwrap().success());
    assert_eq!(
        stderr,
        "setoption name Level value 3\nsetoption name BookFile value <empty>\n\
         position startpos moves 7g7f\ngo byoyomi 1000"
    );
}

#[test]
fn resign_and_win_are_answers() {
    let mut driver = started("go) echo bestmove win ;;", PATIENT);
    assert_eq!(go(&mut driver, LONG).unwrap().best, BestMove::Win);
}

#[test]
fn a_program_that_is_not_there_cannot_be_started() {
    let command = EngineCommand {
        program: "no-such-engine".into(),
        args: vec![],
        dir: None,
    };
    let error = EngineDriver::start(&command, PATIENT).err().unwrap();
    assert_eq!(error.to_string(), "cannot start engine no-such-engine");
}

#[test]
fn an_engine_that_is_dead_at_once_has_crashed_with_its_last_words() {
    let error = EngineDriver::start(&shell("echo no net >&2; exit 3"), PATIENT)
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "engine sh crashed while usiok was due (exit status: 3); stderr: no net"
    );
}

#[test]
fn an_engine_that_dies_while_thinking_has_crashed() {
    let mut driver = started("go) echo panic >&2; kill -9 $$ ;;", PATIENT);
    let error = go(&mut driver, LONG).unwrap_err();
    let DriverError::Crashed {
        awaited,
        status,
        stderr,
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!((awaited, stderr.as_str()), (Awaited::BestMove, "panic"));
    assert!(!status.unwrap().success());
}

#[test]
fn an_engine_that_has_died_fails_every_later_call() {
    let mut driver = started("go) exit 1 ;;", PATIENT);
    for _ in 0..3 {
        assert!(matches!(
            go(&mut driver, LONG),
            Err(DriverError::Crashed { .. })
        ));
    }
    assert!(matches!(
        driver.new_game(),
        Err(DriverError::Crashed { .. })
    ));
    driver.quit();
}

#[test]
fn a_silent_engine_times_out_by_name_at_each_stage() {
    let silent = shell("sleep 1000");
    let hasty = Patience {
        start: SHORT,
        ready: SHORT,
        stop: SHORT,
        quit: SHORT,
    };
    let error = EngineDriver::start(&silent, hasty).err().unwrap();
    assert_eq!(
        error.to_string(),
        "engine sh did not send usiok within 150 ms"
    );

    let hasty = Patience {
        ready: SHORT,
        stop: SHORT,
        quit: SHORT,
        ..PATIENT
    };
    let error = started("isready) sleep 1000 ;;", hasty)
        .new_game()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "engine sh engine did not send readyok within 150 ms"
    );

    let error = go(&mut started("go) sleep 1000 ;;", hasty), SHORT).unwrap_err();
    let DriverError::TimedOut {
        awaited, late_by, ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!((awaited, late_by), (Awaited::BestMove, None));
}

#[test]
fn an_answer_to_stop_is_late_but_the_engine_can_be_used_on() {
    // Silent at the first `go`, prompt later.
    let mut driver = started(
        r#"go) n="x$n"; if [ "$n" != x ]; then echo bestmove 2g2f; fi ;;
           stop) echo bestmove 7g7f ;;"#,
        PATIENT,
    );
    let error = go(&mut driver, SHORT).unwrap_err();
    assert!(
        matches!(
            error,
            DriverError::TimedOut {
                late_by: Some(_),
                ..
            }
        ),
        "{error}"
    );
    driver.new_game().unwrap();
    let reply = go(&mut driver, LONG).unwrap();
    assert_eq!(reply.best, BestMove::Move("2g2f".parse().unwrap()));
}

#[test]
fn an_overdue_answer_is_not_taken_for_the_next_one() {
    // Ignores `stop`; the answer to the first `go` comes just before `readyok`, or just after.
    for isready in [
        "isready) echo bestmove 9g9f; echo readyok ;;",
        "isready) echo readyok; echo bestmove 9g9f ;;",
    ] {
        let branches =
            format!(r#"{isready} go) n="x$n"; if [ "$n" != x ]; then echo bestmove 2g2f; fi ;;"#);
        let mut driver = started(
            &branches,
            Patience {
                stop: SHORT,
                ..PATIENT
            },
        );
        let error = go(&mut driver, SHORT).unwrap_err();
        assert!(
            matches!(error, DriverError::TimedOut { late_by: None, .. }),
            "{error}"
        );
        driver.new_game().unwrap();
        let reply = go(&mut driver, LONG).unwrap();
        assert_eq!(reply.best, BestMove::Move("2g2f".parse().unwrap()));
    }
}

#[test]
fn rubbish_is_skipped_up_to_an_answer() {
    let mut driver = started(
        r#"go) echo; echo hello; echo info string bestmove 1a1b; echo info score; printf '\377\376\n';
             echo bestmovement 1a1b; echo bestmove 7g7f ;;"#,
        PATIENT,
    );
    let reply = go(&mut driver, LONG).unwrap();
    assert_eq!(reply.best, BestMove::Move("7g7f".parse().unwrap()));
    assert_eq!(reply.score, None);
}

#[test]
fn a_flood_does_not_stop_the_clock() {
    let patience = Patience {
        stop: SHORT,
        quit: SHORT,
        ..PATIENT
    };
    let mut driver = started("go) while :; do echo info depth 1; done ;;", patience);
    let error = go(&mut driver, SHORT).unwrap_err();
    assert!(matches!(error, DriverError::TimedOut { .. }), "{error}");
    driver.quit();
}

#[test]
fn an_engine_that_never_reads_cannot_block_the_driver() {
    let patience = Patience {
        stop: SHORT,
        quit: SHORT,
        ..PATIENT
    };
    let mut driver = EngineDriver::start(&shell("echo usiok; sleep 1000"), patience).unwrap();
    for _ in 0..1000 {
        driver.set_option("Big", &"x".repeat(1000));
    }
    assert!(matches!(
        go(&mut driver, SHORT),
        Err(DriverError::TimedOut { .. })
    ));
}

#[test]
fn answers_that_are_no_legal_moves_are_named() {
    for (answer, why) in [
        ("bestmove", "not a move"),
        ("bestmove (none)", "not a move"),
        ("bestmove P@5e", "not a move"),
        (
            "bestmove 7g7e",
            "not a legal move: the piece does not move that way,",
        ),
        (
            "bestmove P*5e",
            "not a legal move: no such piece is in hand,",
        ),
    ] {
        let mut driver = started(&format!("go) echo '{answer}' ;;"), PATIENT);
        let error = go(&mut driver, LONG).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "engine sh engine answered {answer:?}, {why} in {}",
                Position::startpos()
            )
        );
    }
}

#[test]
fn an_engine_that_ignores_quit_is_killed_with_all_that_it_has_started() {
    let script = "sleep 1000 & echo usiok; while :; do read -r line || sleep 1; done";
    let mut driver = EngineDriver::start(&shell(script), PATIENT).unwrap();
    driver.process.send("quit");
    let status = driver.process.end(SHORT).unwrap();
    assert!(!status.success());
    // The shell's child holds the other end of the pipe: it closes when both are gone.
    let heard = driver.process.hear(Instant::now() + LONG);
    assert!(matches!(heard, Heard::Closed));
}

#[test]
fn a_second_answer_is_told_from_the_next_one() {
    // Whether the second answer comes before the next `go` or just behind it.
    for pause in ["", "sleep 0.05;"] {
        let branches = format!("go) echo bestmove 7g7f; {pause} echo bestmove 7g7f ;;");
        let mut driver = started(&branches, PATIENT);
        assert!(go(&mut driver, LONG).is_ok());
        let mut game = startpos();
        for mv in ["7g7f", "3c3d"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let error = driver.go(&game, &byoyomi(), LONG).unwrap_err();
        assert_eq!(
            error.to_string(),
            "engine sh engine sent \"bestmove 7g7f\" without being asked"
        );
    }
}

#[test]
fn rubbish_instead_of_an_answer_is_called_so() {
    let patience = Patience {
        stop: SHORT,
        quit: SHORT,
        ..PATIENT
    };
    for lines in [200, 10_000] {
        let branches =
            format!("go) i=0; while [ $i -lt {lines} ]; do i=$((i+1)); echo oops; done ;;");
        let mut driver = started(&branches, patience);
        let limit = if lines == 200 {
            Duration::from_secs(2)
        } else {
            LONG
        };
        let error = go(&mut driver, limit).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "engine sh engine printed {lines} lines that are not USI instead of an answer, \
                 last \"oops\""
            )
        );
    }
}

#[test]
fn an_engine_that_outlives_its_input_is_told_from_one_that_leaves() {
    let good = started("quit) exit 0 ;;", PATIENT);
    assert_eq!(good.quit(), Farewell::Left);
    let deaf_to_quit = EngineDriver::start(
        &shell("echo usiok; while read -r line; do :; done"),
        PATIENT,
    );
    assert_eq!(deaf_to_quit.unwrap().quit(), Farewell::Left);
    let patience = Patience {
        quit: SHORT,
        ..PATIENT
    };
    let immortal = EngineDriver::start(&shell("echo usiok; sleep 1000"), patience);
    assert_eq!(immortal.unwrap().quit(), Farewell::Killed);
}

#[test]
fn a_long_move_can_be_interrupted() {
    let mut driver = started("go) read -r word; echo bestmove 7g7f ;;", PATIENT);
    driver.set_interrupt(|| true);
    let since = Instant::now();
    let error = go(&mut driver, Duration::from_secs(3600)).unwrap_err();
    assert_eq!(error.to_string(), "engine sh engine was interrupted");
    assert!(since.elapsed() < LONG);
    // The answer to `stop` is not taken for the next one.
    driver.set_interrupt(|| false);
    driver.new_game().unwrap();
}
