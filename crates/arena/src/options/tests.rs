use super::*;

#[track_caller]
fn check_refusal(options: &MatchOptions, expected: &str) {
    assert_eq!(options.check().unwrap_err().to_string(), expected);
}

#[test]
fn defaults_pass_the_check() {
    MatchOptions::default().check().unwrap();
}

#[test]
fn values_out_of_range_are_refused_with_their_key() {
    let options = MatchOptions::default();
    check_refusal(
        &MatchOptions {
            games: 3,
            ..options.clone()
        },
        "games = 3: expected an even number of at least 2",
    );
    check_refusal(
        &MatchOptions {
            parallel_games: 0,
            ..options.clone()
        },
        "parallel_games = 0: expected a whole number of at least 1",
    );
    check_refusal(
        &MatchOptions {
            max_ply: 6,
            ..options.clone()
        },
        "max_ply = 6: expected 0 or more than openings.plies",
    );
    check_refusal(
        &MatchOptions {
            openings: OpeningOptions::Random { plies: 41 },
            ..options.clone()
        },
        "openings.plies = 41: expected a whole number from 0 to 40",
    );
    check_refusal(
        &MatchOptions {
            openings: OpeningOptions::List {
                openings: Vec::new(),
            },
            ..options
        },
        "openings.openings = 0: expected a list of at least one opening",
    );
}

#[test]
fn options_survive_serialisation() {
    let list = vec!["startpos moves 7g7f".parse().unwrap()];
    let options = MatchOptions {
        games: 8,
        openings: OpeningOptions::List { openings: list },
        ..MatchOptions::default()
    };
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(
        serde_json::from_str::<MatchOptions>(&text).unwrap(),
        options
    );
}

#[test]
fn rules_are_chosen_by_their_names() {
    let read = |text: &str| serde_json::from_str::<MatchOptions>(text);
    let options = read(r#"{"declaration": 24, "max_ply": 500, "max_ply_style": "jsa"}"#).unwrap();
    let rules = options.rules();
    assert_eq!(rules.declaration, DeclarationRule::Points24);
    assert_eq!(
        (rules.max_ply, rules.max_ply_style),
        (Some(500), PlyLimitStyle::Jsa)
    );
    let error = read(r#"{"declaration": "25"}"#).unwrap_err().to_string();
    assert!(error.contains("expected 27, 24, try or none"), "{error}");
    let error = read(r#"{"declaration": true}"#).unwrap_err().to_string();
    assert!(error.contains("expected a word or a number"), "{error}");
}

#[test]
fn absent_keys_take_their_defaults_and_unknown_ones_are_refused() {
    let options: MatchOptions = serde_json::from_str(r#"{"games": 20}"#).unwrap();
    assert_eq!(
        options,
        MatchOptions {
            games: 20,
            ..MatchOptions::default()
        }
    );
    let error = serde_json::from_str::<MatchOptions>(r#"{"game": 20}"#).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `game`"),
        "{error}"
    );
    let opening = r#"{"openings": {"kind": "random", "ply": 4}}"#;
    assert!(serde_json::from_str::<MatchOptions>(opening).is_err());
}
