use std::time::Instant;

use rules::{GameRules, Position};

use super::*;

/// Settings of an engine that is a shell script: it shakes hands, and answers `go` by `on_go`.
pub(crate) fn script_engine(on_go: &str, limit: EngineLimit) -> EngineSettings {
    let script = format!(
        "while read -r word rest; do case \"$word\" in \
         usi) echo 'id name script'; echo 'option name Level type spin default 1 min 0 max 9'; \
         echo usiok;; \
         isready) echo readyok;; \
         go) {on_go};; \
         quit) exit 0;; \
         esac; done"
    );
    let mut settings = EngineSettings::new("sh -c", limit);
    settings.command.args.push(script);
    // Generous, so that a loaded machine does not decide a test.
    settings.patience.stop = Duration::from_secs(20);
    settings.patience.quit = Duration::from_secs(40);
    settings
}

const NODES: EngineLimit = EngineLimit::Nodes(1);

fn startpos() -> Game {
    Game::new(Position::startpos(), GameRules::default())
}

/// Clocks of both sides as the engine's own.
fn clocks(external: &External) -> [Option<Clock>; 2] {
    [external.settings().time_control().map(Clock::new); 2]
}

#[track_caller]
fn check_fault(settings: EngineSettings, expected: EngineFault, words: &str) {
    let mut external = External::new(settings);
    external.begin_game().unwrap();
    let Answer::Fault(fault, message) = external.think(&startpos(), clocks(&external)) else {
        panic!("no fault")
    };
    assert_eq!(fault, expected, "{message}");
    assert!(
        message.contains("script") && message.contains(words),
        "{message}"
    );
    // And the next game can begin all the same.
    external.begin_game().unwrap();
}

#[test]
fn command_lines_are_cut_at_blanks_outside_quotes() {
    let words = split_words(r#"  ./engine  --net "my nets/a.nn" '' x'y z' "#);
    assert_eq!(words, ["./engine", "--net", "my nets/a.nn", "", "xy z"]);
    assert!(split_words(" ").is_empty());
}

#[test]
fn engines_answer_with_moves() {
    let mut external = External::new(script_engine("echo bestmove 7g7f", NODES));
    external.begin_game().unwrap();
    let Answer::Best { best, .. } = external.think(&startpos(), [None; 2]) else {
        panic!("a fault")
    };
    assert_eq!(best, BestMove::Move("7g7f".parse().unwrap()));
    external.end_game(GameResult::Win);
    external.begin_game().unwrap();
}

#[test]
fn engine_that_exits_has_crashed() {
    check_fault(
        script_engine("exit 3", NODES),
        EngineFault::Crash,
        "crashed",
    );
}

#[test]
fn engine_that_answers_an_illegal_move_is_at_fault() {
    let settings = script_engine("echo bestmove 7g7d", NODES);
    check_fault(settings, EngineFault::IllegalAnswer, "7g7d");
}

#[test]
fn the_rule_that_an_engine_breaks_is_named() {
    // The bishop's way is closed by its own pawn on 7g.
    let settings = script_engine("echo bestmove 8h2b+", NODES);
    check_fault(
        settings,
        EngineFault::IllegalAnswer,
        "not a legal move: another piece stands in the way",
    );
    let settings = script_engine("echo bestmove nonsense", NODES);
    check_fault(settings, EngineFault::IllegalAnswer, "not a move in");
}

#[test]
fn engine_that_stays_silent_is_stuck() {
    let mut settings = script_engine("true", NODES);
    settings.stuck_after = Duration::from_millis(50);
    settings.patience.stop = Duration::from_millis(50);
    check_fault(settings, EngineFault::Stall, "50 ms");
}

#[test]
fn engine_that_answers_after_its_time_is_late() {
    let mut settings = script_engine("read -r word; echo bestmove 7g7f", NODES);
    settings.limit = EngineLimit::Clock("0+0.02".parse().unwrap());
    settings.margin = Duration::from_millis(20);
    check_fault(settings, EngineFault::Late, "40 ms");
}

#[track_caller]
fn check_limits(settings: EngineSettings, line: &str, too_late_ms: u64) {
    let clock = settings.time_control().map(Clock::new);
    let (limits, limit) = settings.limits([clock, clock], Color::White);
    assert_eq!(limits.to_string(), line);
    assert_eq!(limit, Duration::from_millis(too_late_ms));
}

#[test]
fn limits_are_sent_as_engines_expect_them() {
    let with = |limit| EngineSettings::new("engine", limit);
    let clock = |text: &str| EngineLimit::Clock(text.parse().unwrap());
    check_limits(with(clock("0+1")), "go btime 0 wtime 0 byoyomi 1000", 1500);
    check_limits(
        with(clock("9+0+1")),
        "go btime 9000 wtime 9000 binc 1000 winc 1000",
        10_500,
    );
    check_limits(with(NODES), "go nodes 1", 120_000);
    check_limits(with(EngineLimit::Depth(3)), "go depth 3", 120_000);
    check_limits(with(EngineLimit::Options), "go", 120_000);
    let second = Duration::from_secs(1);
    check_limits(
        with(EngineLimit::MoveTime(second)),
        "go movetime 1000",
        1500,
    );
}

#[test]
fn clocks_are_exchanged_for_engines_that_mix_them_up() {
    let limit = EngineLimit::Clock("10+1".parse().unwrap());
    let mut settings = EngineSettings::new("engine", limit);
    settings.swapped_clocks = true;
    let clocks = ["20+1", "30+1"].map(|text| Some(Clock::new(text.parse().unwrap())));
    let (limits, _) = settings.limits(clocks, Color::White);
    assert_eq!(
        limits.to_string(),
        "go btime 30000 wtime 20000 byoyomi 1000"
    );
}

#[test]
fn engine_killed_from_outside_is_not_at_fault() {
    let mut external = External::new(script_engine("kill -9 $$", NODES));
    external.begin_game().unwrap();
    let Answer::Void(message) = external.think(&startpos(), [None; 2]) else {
        panic!("it counts")
    };
    assert!(message.contains("crashed"), "{message}");
    external.begin_game().unwrap();
}

#[test]
fn engine_that_talks_nonsense_is_at_fault() {
    let flood = "while :; do echo oops; done";
    let mut settings = script_engine(flood, NODES);
    settings.patience.quit = Duration::from_millis(50);
    check_fault(settings, EngineFault::Rubbish, "10000 lines");
}

#[test]
fn engine_that_answers_without_being_asked_is_at_fault() {
    let settings = script_engine("echo bestmove 7g7f; echo bestmove 7g7f", NODES);
    let mut external = External::new(settings);
    external.begin_game().unwrap();
    let mut game = startpos();
    assert!(matches!(
        external.think(&game, [None; 2]),
        Answer::Best { .. }
    ));
    for mv in ["7g7f", "3c3d"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let Answer::Fault(fault, message) = external.think(&game, [None; 2]) else {
        panic!("no fault")
    };
    assert_eq!(fault, EngineFault::ExtraAnswer, "{message}");
}

#[test]
fn engine_that_outlives_its_end_is_killed_and_remarked_upon() {
    let mut settings = script_engine("true", NODES);
    let script = &mut settings.command.args[1];
    *script = script.replace("quit) exit 0;;", "") + "; sleep 1000";
    settings.patience.quit = Duration::from_millis(50);
    let mut external = External::new(settings);
    external.begin_game().unwrap();
    external.dismiss();
    assert_eq!(
        external.take_remarks(),
        ["engine script outlived quit and the end of its input, and was killed"]
    );
    assert!(external.take_remarks().is_empty());
}

#[test]
fn options_that_the_engine_lacks_are_refused() {
    let mut settings = script_engine("echo bestmove resign", NODES);
    settings.options = vec![("Level".to_owned(), "2".to_owned())];
    External::new(settings.clone()).begin_game().unwrap();
    settings.options.push(("Depth".to_owned(), "2".to_owned()));
    let error = External::new(settings).begin_game().unwrap_err();
    assert_eq!(error.to_string(), "engine script has no option \"Depth\"");
}

#[test]
fn program_that_does_not_exist_is_an_error() {
    let mut external = External::new(EngineSettings::new("no-such-engine-here", NODES));
    let error = external.begin_game().unwrap_err();
    assert_eq!(error.to_string(), "cannot start engine no-such-engine-here");
}

#[test]
fn engine_leaves_when_the_player_is_dropped() {
    let mut external = External::new(script_engine("true", NODES));
    external.begin_game().unwrap();
    let since = Instant::now();
    drop(external);
    assert!(since.elapsed() < Duration::from_secs(20));
}

#[test]
fn engines_are_told_the_rules_that_they_have_options_for() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut settings = script_engine("echo bestmove resign", NODES);
    let offers = "echo 'option name EnteringKingRule type combo default CSARule27 var CSARule27'; \
                  echo 'option name Draw_Ply type spin default 0 min 0 max 9999'; echo usiok";
    let script = settings.command.args[1].replace("echo usiok", offers);
    let logged = format!("setoption) echo \"$rest\" >> '{}';; quit)", log.display());
    settings.command.args[1] = script.replace("quit)", &logged);
    settings.options = vec![("Level".to_owned(), "2".to_owned())];
    let mut external = External::new(settings);
    external.rules = GameRules {
        declaration: rules::DeclarationRule::Try,
        max_ply: Some(400),
        ..GameRules::default()
    };
    external.begin_game().unwrap();
    assert_eq!(
        std::fs::read_to_string(log).unwrap(),
        "name EnteringKingRule value TryRule\nname Draw_Ply value 400\nname Level value 2\n"
    );
}
