use rules::Color;

use super::{ResignMemory, ResignOptions, ResignTuner, ResignWatch};

const EAGER: ResignOptions = ResignOptions {
    mistakes: 0.05,
    played_out_share: 0.1,
    highest: 0.4,
    moves_in_row: 2,
};

/// A game that is played out in which Black never expected more than `score` at two moves in a row.
fn watched(tuner: &ResignTuner, score: f32) -> ResignWatch {
    let mut watch = ResignWatch::new(true);
    for expected in [0.9, score, score / 2.0, 0.9] {
        assert!(!watch.resigns(Color::Black, expected, tuner));
        assert!(!watch.resigns(Color::White, 1.0 - expected, tuner));
    }
    watch
}

#[test]
fn nobody_resigns_before_enough_games_are_played_out() {
    let mut tuner = ResignTuner::new(EAGER, ResignMemory::default());
    for n_games in 1..=40 {
        tuner.add(&watched(&tuner, 0.05), Some(Color::White));
        // (0 + 1) / (n + 2) <= 0.05 from 18 games on.
        assert_eq!(tuner.threshold() > 0.0, 18 <= n_games, "{n_games}");
    }
    assert_eq!(tuner.threshold(), 0.4);
    let stats = tuner.stats();
    assert_eq!(
        (stats.n_played_out, stats.n_resigning, stats.n_mistakes),
        (80, 40, 0)
    );
}

#[test]
fn the_threshold_stays_below_scores_that_are_saved_too_often() {
    let mut tuner = ResignTuner::new(EAGER, ResignMemory::default());
    for game in 0..200 {
        // At 0.3 a fifth of the games is saved, at 0.05 none.
        let (score, saved) = if game % 2 == 0 {
            (0.05, false)
        } else {
            (0.3, game % 10 == 1)
        };
        let winner = if saved { None } else { Some(Color::White) };
        tuner.add(&watched(&tuner, score), winner);
    }
    let stats = tuner.stats();
    assert!((0.05..=0.31).contains(&stats.threshold), "{stats:?}");
    assert_eq!((stats.n_resigning, stats.n_mistakes), (100, 0));
}

#[test]
fn a_draw_is_a_mistake_and_a_win_as_well() {
    for winner in [None, Some(Color::Black)] {
        let mut tuner = ResignTuner::new(EAGER, ResignMemory::default());
        for _ in 0..100 {
            tuner.add(&watched(&tuner, 0.05), winner);
        }
        assert_eq!(tuner.threshold(), 0.0);
    }
}

#[test]
fn one_low_score_is_not_enough_and_a_good_one_begins_anew() {
    let mut tuner = ResignTuner::new(EAGER, ResignMemory::default());
    for _ in 0..100 {
        tuner.add(&watched(&tuner, 0.05), Some(Color::White));
    }
    let mut watch = ResignWatch::new(false);
    for (expected, resigns) in [(0.1, false), (0.5, false), (0.1, false), (0.1, true)] {
        assert_eq!(watch.resigns(Color::Black, expected, &tuner), resigns);
    }
    // The other side's scores are its own.
    assert!(!watch.resigns(Color::White, 0.1, &tuner));
    let mut plays_out = ResignWatch::new(true);
    assert!((0..9).all(|_| !plays_out.resigns(Color::Black, 0.0, &tuner)));
}

#[test]
fn what_is_measured_follows_the_last_games() {
    let mut tuner = ResignTuner::new(EAGER, ResignMemory::default());
    for _ in 0..100 {
        tuner.add(&watched(&tuner, 0.05), None);
    }
    assert_eq!(tuner.threshold(), 0.0);
    for _ in 0..super::KEPT_SIDES / 2 {
        tuner.add(&watched(&tuner, 0.05), Some(Color::White));
    }
    assert_eq!(tuner.stats().n_played_out, super::KEPT_SIDES);
    assert_eq!(tuner.threshold(), 0.4);
}

#[test]
fn values_out_of_range_are_refused_by_name() {
    let refused = |options: ResignOptions| options.check().unwrap_err().0;
    let default = ResignOptions::default;
    assert_eq!(default().check(), Ok(()));
    assert_eq!(
        refused(ResignOptions {
            mistakes: 0.0,
            ..default()
        }),
        "resign.mistakes"
    );
    let none = ResignOptions {
        played_out_share: 0.0,
        ..default()
    };
    assert_eq!(refused(none), "resign.played_out_share");
    assert_eq!(
        refused(ResignOptions {
            highest: 0.6,
            ..default()
        }),
        "resign.highest"
    );
    assert_eq!(
        refused(ResignOptions {
            moves_in_row: 0,
            ..default()
        }),
        "resign.moves_in_row"
    );
}

#[test]
fn what_was_measured_outlives_a_restart() {
    let mut tuner = ResignTuner::new(EAGER, ResignMemory::default());
    for _ in 0..30 {
        tuner.add(&watched(&tuner, 0.05), Some(Color::White));
    }
    let resumed = ResignTuner::new(EAGER, tuner.memory());
    assert!(resumed.threshold() > 0.0);
    assert_eq!(resumed.threshold(), tuner.threshold());
    assert_eq!(resumed.stats(), tuner.stats());
    assert_eq!(resumed.memory(), tuner.memory());
}
