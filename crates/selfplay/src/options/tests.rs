use rules::{DeclarationRule, GameRules, Handicap, PlyLimitStyle};

use super::{SelfPlayOptions, Start};

#[test]
fn the_defaults_are_within_their_ranges() {
    assert_eq!(SelfPlayOptions::default().check(), Ok(()));
}

#[test]
fn a_value_out_of_range_is_refused_with_its_key() {
    let options = SelfPlayOptions {
        random_opening_share: 1.5,
        ..SelfPlayOptions::default()
    };
    let expected = (
        "random_opening_share",
        "1.5: expected a number from 0 to 1".to_owned(),
    );
    assert_eq!(options.check(), Err(expected));
    let options = SelfPlayOptions {
        games_at_once: 0,
        ..SelfPlayOptions::default()
    };
    assert_eq!(options.check().unwrap_err().0, "games_at_once");
    let options = SelfPlayOptions {
        temperature: f32::NAN,
        ..SelfPlayOptions::default()
    };
    assert_eq!(options.check().unwrap_err().0, "temperature");
}

#[test]
fn the_rules_of_training_games_are_the_ones_of_the_options() {
    let options = SelfPlayOptions {
        max_ply: 500,
        max_ply_style: PlyLimitStyle::Jsa,
        declaration: DeclarationRule::Points24,
        ..SelfPlayOptions::default()
    };
    let expected = GameRules {
        declaration: DeclarationRule::Points24,
        credit_handicap: true,
        max_ply: Some(500),
        max_ply_style: PlyLimitStyle::Jsa,
    };
    assert_eq!(options.rules(), expected);
}

#[test]
fn starts_are_checked_with_the_shares_that_use_them() {
    let refused = |options: SelfPlayOptions| options.check().unwrap_err();
    let default = SelfPlayOptions::default;
    let mated: Start = "8k/8G/8P/9/9/9/9/9/K8 w - 1".parse().unwrap();
    let (key, message) = refused(SelfPlayOptions {
        starts: vec![mated],
        ..default()
    });
    assert_eq!(key, "starts");
    assert!(
        message.starts_with("8k/8G/8P/9/9/9/9/9/K8 w - 1: "),
        "{message}"
    );
    let empty = SelfPlayOptions {
        handicap_share: 0.5,
        ..default()
    };
    assert_eq!(
        refused(empty),
        (
            "handicap_share",
            "0.5: expected 0, as handicaps is empty".to_owned()
        )
    );
    let too_much = SelfPlayOptions {
        handicaps: vec![Handicap::ALL[1]],
        handicap_share: 0.5,
        late_start_share: 0.6,
        ..default()
    };
    assert_eq!(refused(too_much).0, "late_start_share");
    let turned = SelfPlayOptions {
        late_start_nearest: 61,
        ..default()
    };
    assert_eq!(refused(turned).0, "late_start_farthest");
}

#[test]
fn the_temperature_goes_down_in_equal_steps() {
    let options = SelfPlayOptions {
        temperature_plies: 4,
        temperature: 1.0,
        temperature_end: Some(0.2),
        ..SelfPlayOptions::default()
    };
    let all: Vec<Option<f32>> = (0..5).map(|ply| options.temperature_at(ply)).collect();
    assert_eq!(
        all,
        [Some(1.0), Some(0.8), Some(0.6), Some(0.39999998), None]
    );
    let constant = SelfPlayOptions {
        temperature_end: None,
        ..options
    };
    assert_eq!(constant.temperature_at(3), Some(1.0));
}
