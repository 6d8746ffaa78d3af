use rules::{DeclarationRule, GameRules, PlyLimitStyle};

use super::SelfPlayOptions;

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
