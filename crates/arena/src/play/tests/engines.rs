//! Engines of other people, well and badly behaved.

use super::*;

#[track_caller]
fn check_engine(on_go: &str, openings: OpeningOptions, black_wins: bool, reason: &str) {
    let settings = script_engine(on_go, EngineLimit::Nodes(1));
    let options = MatchOptions {
        openings,
        ..options(4)
    };
    let engine = Player::usi("script", settings);
    let (report, games) = play(&options, engine, Player::baseline(Baseline::Random));
    assert_eq!(report.games, 4);
    // The engine is Black in games 0 and 2, and always answers at its first turn.
    for game in [&games[0], &games[2]] {
        assert_eq!(game.end.reason(), reason);
        assert_eq!(
            game.winner(),
            Some(if black_wins { Seat::A } else { Seat::B })
        );
    }
}

#[test]
fn engine_that_crashes_loses_each_game_with_the_reason() {
    let random = OpeningOptions::default;
    check_engine("exit 1", random(), false, "engine-crash");
    check_engine("echo bestmove resign", random(), false, "resignation");
    check_engine("echo bestmove 5e5e", random(), false, "illegal-move");
    check_engine("echo bestmove win", random(), false, "failed-declaration");
}

#[test]
fn engine_that_mates_or_declares_rightly_wins() {
    check_engine(
        "echo bestmove 'G*5b'",
        one_opening(MATE_IN_ONE),
        true,
        "checkmate",
    );
    check_engine(
        "echo bestmove win",
        one_opening(DECLARABLE),
        true,
        "declaration",
    );
}

#[test]
fn crash_is_named_in_the_finished_game() {
    let engine = Player::usi("script", script_engine("exit 1", EngineLimit::Nodes(1)));
    let (report, games) = play(&options(2), engine, Player::baseline(Baseline::Random));
    assert_eq!((report.losses, report.by_reason["engine-crash"]), (2, 2));
    let GameEnd::EngineFault { message, fault, .. } = &games[0].end else {
        panic!("no fault")
    };
    assert_eq!(*fault, EngineFault::Crash);
    assert!(
        message.contains("engine script crashed while bestmove was due"),
        "{message}"
    );
}

#[test]
fn engine_that_does_not_start_ends_the_match() {
    let settings = crate::EngineSettings::new("no-such-engine-here", EngineLimit::Nodes(1));
    let engine = Player::usi("ghost", settings);
    let random = Player::baseline(Baseline::Random);
    let error = play_match(&options(2), engine, random, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "ghost does not start");
}

#[test]
fn each_fault_of_an_engine_loses_its_game_and_the_match_goes_on() {
    // Plays the same legal move twice at its first turn: the second answer comes unasked.
    let first = "sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1";
    let twice = "echo bestmove 'P*5e'; echo bestmove 'P*5e'";
    let settings = script_engine(twice, EngineLimit::Nodes(1));
    let options = MatchOptions {
        openings: one_opening(first),
        ..options(2)
    };
    let engine = Player::usi("script", settings);
    let (report, games) = play(&options, engine, Player::baseline(Baseline::Random));
    assert_eq!(report.games, 2);
    assert_eq!(games[0].end.reason(), "engine-extra-answer");
    assert_eq!(games[0].winner(), Some(Seat::B));
    assert!(
        games[0]
            .end
            .message()
            .unwrap()
            .contains("without being asked")
    );

    let flood = "while :; do echo oops; done";
    let mut settings = script_engine(flood, EngineLimit::Nodes(1));
    settings.patience.quit = std::time::Duration::from_millis(50);
    let engine = Player::usi("script", settings);
    let (report, _) = play(
        &MatchOptions {
            max_ply: 20,
            ..options.clone()
        },
        engine,
        net(1, 1),
    );
    assert_eq!(report.by_reason["engine-rubbish"], 2);

    // Silent until told to stop, and for good.
    for (on_stop, reason) in [
        ("stop) echo bestmove resign;;", "time-forfeit"),
        ("", "engine-stall"),
    ] {
        let limit = EngineLimit::Clock("0+0.05".parse().unwrap());
        let mut settings = script_engine("true", limit);
        settings.command.args[1] =
            settings.command.args[1].replace("quit)", &format!("{on_stop} quit)"));
        settings.margin = std::time::Duration::ZERO;
        if on_stop.is_empty() {
            settings.patience.stop = std::time::Duration::from_millis(50);
        }
        let engine = Player::usi("script", settings);
        let (report, _) = play(&options, engine, Player::baseline(Baseline::Random));
        assert_eq!(
            (report.losses, report.by_reason[reason]),
            (2, 2),
            "{report}"
        );
    }
}

#[test]
fn engine_that_fails_to_come_back_loses_the_next_games_too() {
    // The first process crashes at its first turn; later ones at once.
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("started");
    let mut settings = script_engine("exit 1", EngineLimit::Nodes(1));
    let script = &settings.command.args[1];
    settings.command.args[1] = format!(
        "if [ -e '{0}' ]; then exit 2; fi; : > '{0}'; {script}",
        marker.display()
    );
    let engine = Player::usi("script", settings);
    let (report, _) = play(&options(6), engine, Player::baseline(Baseline::Random));
    assert_eq!(report.losses, 6);
    assert_eq!(report.by_reason["engine-crash"], 1);
    assert_eq!(report.by_reason["engine-not-ready"], 5);
}

#[test]
fn games_that_the_machine_spoils_do_not_count() {
    // Killed in its first game only.
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("killed");
    let on_go = format!(
        "if [ -e '{0}' ]; then echo bestmove resign; else : > '{0}'; kill -9 $$; fi",
        marker.display()
    );
    let engine = Player::usi("script", script_engine(&on_go, EngineLimit::Nodes(1)));
    let mut voided = Vec::new();
    let random = Player::baseline(Baseline::Random);
    let report = play_match(&options(2), engine, random, &mut |event| {
        if let ArenaEvent::GameVoided { game, message } = event {
            voided.push((game, message));
        }
    });
    assert_eq!(report.unwrap().by_reason["resignation"], 2);
    assert_eq!(voided.len(), 1);
    assert!(voided[0].1.contains("signal: 9"), "{voided:?}");

    let engine = Player::usi("script", script_engine("kill -9 $$", EngineLimit::Nodes(1)));
    let random = Player::baseline(Baseline::Random);
    let error = play_match(&options(2), engine, random, &mut |_| {}).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("game 0 could not be played: engine script crashed")
    );
}
