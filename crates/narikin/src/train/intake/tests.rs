use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{self, SyncSender};

use search::{SearchOptions, UniformEvaluator};
use selfplay::{GameIds, PlayEvent, SelfPlay, SelfPlayOptions};

use super::*;
use crate::exit;
use crate::testing::test_folder;

/// `n` short games, numbered from `first`.
fn games(first: u64, n: usize) -> Vec<Played> {
    let options = SelfPlayOptions {
        games_at_once: 2,
        max_ply: 12,
        ..SelfPlayOptions::default()
    };
    let search = SearchOptions {
        visits: 2,
        ..SearchOptions::default()
    };
    let mut play = SelfPlay::new(&options, &search, 1, 0, GameIds::starting_at(first));
    let mut games = Vec::new();
    while games.len() < n {
        play.advance(&mut UniformEvaluator, &mut |event| {
            let PlayEvent::GameFinished { record, searches } = event;
            games.push(Played { record, searches });
        })
        .unwrap();
    }
    games.truncate(n);
    games
}

/// An intake of an empty folder, and the way into it.
fn intake(name: &str) -> (PathBuf, SyncSender<Played>, Intake) {
    let folder = test_folder(name);
    let (sender, receiver) = mpsc::sync_channel(100);
    let intake = Intake::open(&folder, SampleOptions::default(), |_| 1000, receiver).unwrap();
    (folder, sender, intake)
}

#[test]
fn a_game_is_on_disk_before_anything_else_happens_to_it() {
    let (folder, sender, mut intake) = intake("intake-disk");
    for game in games(1, 3) {
        sender.send(game).unwrap();
    }
    intake.receive(Duration::ZERO).unwrap();
    let on_disk = count(&folder, &SampleOptions::default()).unwrap();
    assert_eq!(
        (on_disk.games, on_disk.positions),
        (3, intake.stored().positions)
    );
    assert_eq!(intake.stored().games, 3);
    assert_eq!(intake.unseen().len(), 3);
    assert_eq!(intake.window().n_games(), 0);
    intake.admit(1000);
    assert!(intake.unseen().is_empty());
    assert_eq!(
        intake.window().n_positions() as u64,
        intake.stored().positions
    );
}

#[test]
fn an_intake_opened_again_goes_on_with_the_next_number_and_a_full_window() {
    let (folder, sender, mut intake) = intake("intake-again");
    let games = games(5, 4);
    let highest = games.iter().map(|game| game.record.id).max().unwrap();
    for game in games {
        sender.send(game).unwrap();
    }
    intake.receive(Duration::ZERO).unwrap();
    let stored = intake.stored();
    assert_eq!(stored.next_id, 1, "only an opened folder is looked through");
    // As a killed process leaves it.
    std::mem::forget(intake);
    let (_sender, receiver) = mpsc::sync_channel(1);
    let again = Intake::open(&folder, SampleOptions::default(), |_| 1000, receiver).unwrap();
    assert_eq!(
        again.stored(),
        Stored {
            next_id: highest + 1,
            ..stored
        }
    );
    assert_eq!(again.window().n_positions() as u64, stored.positions);
}

#[test]
fn waiting_for_players_that_are_gone_is_an_error() {
    let (_folder, sender, mut intake) = intake("intake-alone");
    drop(sender);
    let error = intake.receive(Duration::ZERO).unwrap_err();
    assert_eq!(error.to_string(), "all self-play threads have ended");
}

#[test]
fn a_report_counts_the_games_since_the_last_one() {
    let (_folder, sender, mut intake) = intake("intake-report");
    assert!(intake.report(1.0, (0, 0)).is_none());
    for game in games(1, 2) {
        sender.send(game).unwrap();
    }
    intake.receive(Duration::ZERO).unwrap();
    let report = intake.report(2.0, (10, 20)).unwrap();
    assert_eq!((report.games, report.total_games), (2, 2));
    assert_eq!(report.games_per_s, 1.0);
    assert_eq!(report.evals_per_s, 5.0);
    assert_eq!(report.batch_fill, 0.5);
    assert_eq!(report.by_reason.values().sum::<u64>(), 2);
    let shares = report.black_share + report.white_share + report.draw_share;
    assert!((shares - 1.0).abs() < 1e-9);
    assert!(intake.report(1.0, (10, 20)).is_none());
}

#[test]
fn a_truncated_record_file_is_refused_with_its_name() {
    let (folder, sender, mut intake) = intake("intake-truncated");
    for game in games(1, 2) {
        sender.send(game).unwrap();
    }
    intake.receive(Duration::ZERO).unwrap();
    drop(intake);
    let open = data::list_shards(&folder).unwrap().pop().unwrap().path;
    let sealed = folder.join("000001.nkg");
    let bytes = fs::read(&open).unwrap();
    fs::remove_file(&open).unwrap();
    fs::write(&sealed, &bytes[..bytes.len() - 1]).unwrap();
    let (_sender, receiver) = mpsc::sync_channel(1);
    let opened = Intake::open(&folder, SampleOptions::default(), |_| 1000, receiver);
    let Err(error) = opened else {
        panic!("a truncated file was read")
    };
    let (code, message) = exit::classify(&error);
    assert_eq!(code, exit::REFUSED);
    assert!(message.unwrap().contains("000001.nkg"));
}
