use std::fs;
use std::path::PathBuf;

use super::*;
use crate::exit;
use crate::testing::{games, test_folder};

fn open(folder: &Path, state: Option<WindowState>) -> Intake {
    Intake::open(folder, SampleOptions::default(), |_| 1000, state).unwrap()
}

/// An intake of an empty folder.
fn intake(name: &str) -> (PathBuf, Intake) {
    let folder = test_folder(name);
    let intake = open(&folder, None);
    (folder, intake)
}

#[test]
fn a_game_is_on_disk_before_anything_else_happens_to_it() {
    let (folder, mut intake) = intake("intake-disk");
    for game in games(1, 3) {
        intake.store(game).unwrap();
    }
    let shard = list_shards(&folder).unwrap().pop().unwrap();
    let on_disk = RecordReader::open(&shard.path).unwrap();
    assert_eq!(on_disk.map(Result::unwrap).count(), 3);
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
    let (folder, mut intake) = intake("intake-again");
    let games = games(5, 4);
    let highest = games.iter().map(|game| game.record.id).max().unwrap();
    for game in games {
        intake.store(game).unwrap();
    }
    let stored = intake.stored();
    assert_eq!(stored.next_id, 1, "only an opened folder is looked through");
    // As a killed process leaves it.
    std::mem::forget(intake);
    let again = open(&folder, None);
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
fn a_window_comes_back_as_it_was_and_later_games_are_unseen() {
    let (folder, mut intake) = intake("intake-state");
    for game in games(1, 6) {
        intake.store(game).unwrap();
    }
    intake.admit(30);
    let state = intake.window_state();
    assert!(state.positions > 0 && state.positions <= 30);
    let before = intake.window().sample_batch(20, &mut seeded());
    for game in games(7, 2) {
        intake.store(game).unwrap();
    }
    std::mem::forget(intake);
    let again = open(&folder, Some(state));
    assert_eq!(again.window_state(), state);
    assert_eq!(again.unseen().len(), 2);
    assert_eq!(again.ages.len(), again.window().n_games());
    assert_eq!(again.window().sample_batch(20, &mut seeded()), before);
}

fn seeded() -> rand_xoshiro::Xoshiro256PlusPlus {
    rand::SeedableRng::seed_from_u64(1)
}

#[test]
fn the_age_of_a_window_is_the_mean_over_its_positions() {
    let (_folder, mut intake) = intake("intake-age");
    for (number, mut game) in games(1, 2).into_iter().enumerate() {
        game.record.generation = 4 * number as u32;
        intake.store(game).unwrap();
    }
    intake.admit(1000);
    let [(_, old), (_, new)] = [intake.ages[0], intake.ages[1]];
    let expected = (10 * old + 6 * new) as f64 / (old + new) as f64;
    assert!((intake.age_nets(10) - expected).abs() < 1e-9);
}

#[test]
fn a_report_counts_the_games_since_the_last_one() {
    let (_folder, mut intake) = intake("intake-report");
    assert!(intake.report(1.0, (0, 0)).is_none());
    for game in games(1, 2) {
        intake.store(game).unwrap();
    }
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
    let (folder, mut intake) = intake("intake-truncated");
    for game in games(1, 2) {
        intake.store(game).unwrap();
    }
    drop(intake);
    let open = data::list_shards(&folder).unwrap().pop().unwrap().path;
    let sealed = folder.join("000001.nkg");
    let bytes = fs::read(&open).unwrap();
    fs::remove_file(&open).unwrap();
    fs::write(&sealed, &bytes[..bytes.len() - 1]).unwrap();
    let opened = Intake::open(&folder, SampleOptions::default(), |_| 1000, None);
    let Err(error) = opened else {
        panic!("a truncated file was read")
    };
    let (code, message) = exit::classify(&error);
    assert_eq!(code, exit::REFUSED);
    assert!(message.unwrap().contains("000001.nkg"));
}
