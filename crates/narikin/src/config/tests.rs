use std::fs;

use super::*;
use crate::testing::test_folder;

#[track_caller]
fn check_error(name: &str, text: &str, overrides: &[&str], expected: &str) {
    let folder = test_folder(name);
    let path = folder.join("x.toml");
    fs::write(&path, text).unwrap();
    let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
    let error = Config::load(Some(&path), &overrides)
        .unwrap_err()
        .to_string();
    let error = error.replace(&folder.display().to_string(), "");
    assert!(error.starts_with(expected), "{error}");
    assert!(!error.contains('\n'), "{error}");
}

#[test]
fn a_mistyped_key_is_named_with_file_line_table_and_what_was_expected() {
    check_error(
        "config-unknown",
        "seed = 3\n\n[search] # visits\nvisit = 100\n",
        &[],
        "/x.toml line 4: search.visit: unknown field `visit`, expected one of `visits`",
    );
}

#[test]
fn a_value_of_another_type_is_named_with_its_key() {
    check_error(
        "config-type",
        "[search]\nvisits = \"many\"\n",
        &[],
        "/x.toml line 2: search.visits: invalid type: string \"many\", expected u32",
    );
}

#[test]
fn a_text_that_is_not_toml_is_named_with_its_line() {
    check_error("config-toml", "seed = 3\nseed 4\n", &[], "/x.toml line 2: ");
}

#[test]
fn a_value_out_of_range_is_named_with_its_dotted_key() {
    check_error(
        "config-range",
        "[search]\nvisits = 0\n",
        &[],
        "search.visits = 0: expected",
    );
    check_error(
        "config-budget",
        "",
        &["budget.minutes=-1"],
        "budget.minutes = -1: expected",
    );
}

#[test]
fn a_wrong_override_is_shown_as_it_was_typed() {
    check_error(
        "config-set-key",
        "",
        &["search.visits=8", "search.visit=100"],
        "--set search.visit=100: unknown field `visit`, expected one of `visits`",
    );
    check_error(
        "config-set-type",
        "",
        &["seed=many"],
        "--set seed=many: invalid type: string",
    );
    check_error(
        "config-set-form",
        "",
        &["seed"],
        "--set seed: expected KEY=VALUE",
    );
    check_error(
        "config-set-path",
        "seed = 1",
        &["seed.x=1"],
        "--set seed.x=1: seed is not a table",
    );
}

#[test]
fn overrides_replace_values_of_the_file_and_words_need_no_quotes() {
    let path = test_folder("config-set").join("x.toml");
    fs::write(&path, "name = \"a\"\n[search]\nvisits = 4\n").unwrap();
    let config = Config::load(Some(&path), &["search.visits=8".into(), "name=b".into()]).unwrap();
    assert_eq!((config.search.visits, config.name.as_str()), (8, "b"));
}

#[test]
fn the_printed_config_reads_back_as_itself() {
    let mut config = Config {
        seed: 99,
        ..Config::default()
    };
    config.budget.games = Some(10);
    let text = config.to_toml();
    assert_eq!(Config::parse(&text, Path::new("x.toml")).unwrap(), config);
}

#[cfg(feature = "torch")]
#[test]
fn changes_show_numbers_as_they_were_written_inside_lists_too() {
    let stages = |c_scale: &str| {
        let text = format!("stages = [{{ from_games = 5, visits = 9, c_scale = {c_scale} }}]");
        Config::parse(&text, Path::new("x.toml")).unwrap()
    };
    let changes = stages("0.8").changes_to(&stages("0.3"));
    let shown = |c_scale: &str| {
        Some(format!(
            "[{{ c_scale = {c_scale}, from_games = 5, visits = 9 }}]"
        ))
    };
    assert_eq!(
        changes,
        [Change {
            key: "stages".to_owned(),
            from: shown("0.8"),
            to: shown("0.3"),
        }]
    );
}

#[test]
fn differences_are_dotted_keys() {
    let mut config = Config::default();
    config.search.visits += 1;
    config.budget.games = Some(10);
    assert_eq!(
        Config::default().differences(&config),
        ["budget.games", "search.visits"]
    );
    assert!(config.differences(&config).is_empty());
}

#[test]
fn parts_of_a_net_and_records_have_ranges_too() {
    check_error(
        "config-net-parts",
        "",
        &["net.pool_every=9"],
        "net.pool_every = 9: expected a number from 0 to 5",
    );
    check_error(
        "config-records",
        "[records]\nheld_out = 0.9\n",
        &[],
        "records.held_out = 0.9: expected a number from 0 to 0.5",
    );
    check_error(
        "config-records-epochs",
        "",
        &["records.epochs=0"],
        "records.epochs = 0: expected a whole number from 1 to 1000000",
    );
    check_error(
        "config-horizons",
        "",
        &["sample.short_horizons=[0.5, 16]"],
        "sample.short_horizons = [0.5, 16.0]: expected two numbers of at least 1",
    );
}

#[cfg(feature = "torch")]
#[test]
fn targets_for_auxiliary_heads_follow_from_their_weights() {
    let mut config = Config::default();
    assert!(!config.sampling().auxiliary);
    config.train.auxiliary.moves_left_weight = 0.1;
    assert!(config.sampling().auxiliary);
    assert_eq!(config.sampling().lambda, config.sample.lambda);
}
