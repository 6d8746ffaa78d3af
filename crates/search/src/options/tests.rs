use super::{GumbelOptions, PuctOptions, RootOptions, SearchOptions};

#[track_caller]
fn check_refused(options: SearchOptions, message: &str) {
    let error = options.check().expect_err(message);
    assert_eq!(error.within("search").to_string(), message);
}

#[test]
fn the_defaults_are_within_their_ranges() {
    assert_eq!(SearchOptions::default().check(), Ok(()));
    let puct = RootOptions::Puct(PuctOptions::default());
    assert_eq!(
        SearchOptions {
            root: puct,
            ..SearchOptions::default()
        }
        .check(),
        Ok(())
    );
}

#[test]
fn a_value_out_of_range_is_named_with_its_key_and_range() {
    let default = SearchOptions::default;
    check_refused(
        SearchOptions {
            c_init: -1.0,
            ..default()
        },
        "search.c_init = -1: expected a number above 0",
    );
    check_refused(
        SearchOptions {
            c_base: f32::NAN,
            ..default()
        },
        "search.c_base = NaN: expected a number above 0",
    );
    check_refused(
        SearchOptions {
            visits: 0,
            ..default()
        },
        "search.visits = 0: expected a whole number of at least 1",
    );
    check_refused(
        SearchOptions {
            draw_value: 1.5,
            ..default()
        },
        "search.draw_value = 1.5: expected a number from -1 to 1",
    );
    check_refused(
        SearchOptions {
            max_nodes: 1,
            ..default()
        },
        "search.max_nodes = 1: expected a number from 2 to 7000000",
    );
    let puct = PuctOptions {
        noise_weight: 1.5,
        ..PuctOptions::default()
    };
    check_refused(
        SearchOptions {
            root: RootOptions::Puct(puct),
            ..default()
        },
        "search.root.noise_weight = 1.5: expected a number from 0 to 1",
    );
    let gumbel = GumbelOptions {
        c_visit: -1.0,
        ..GumbelOptions::default()
    };
    check_refused(
        SearchOptions {
            root: RootOptions::Gumbel(gumbel),
            ..default()
        },
        "search.root.c_visit = -1: expected a number of at least 0",
    );
}

#[test]
fn options_survive_a_round_trip_through_toml() {
    let puct = RootOptions::Puct(PuctOptions {
        noise_alpha: 0.5,
        ..PuctOptions::default()
    });
    for root in [RootOptions::default(), puct] {
        let options = SearchOptions {
            root,
            visits: 7,
            ..SearchOptions::default()
        };
        let text = toml::to_string(&options).unwrap();
        assert_eq!(
            toml::from_str::<SearchOptions>(&text).unwrap(),
            options,
            "{text}"
        );
    }
}

#[test]
fn absent_keys_keep_their_defaults() {
    let options: SearchOptions =
        toml::from_str("visits = 5\n[root]\nkind = \"gumbel\"\nc_scale = 0.3\n").unwrap();
    let root = RootOptions::Gumbel(GumbelOptions {
        c_scale: 0.3,
        ..GumbelOptions::default()
    });
    assert_eq!(
        options,
        SearchOptions {
            visits: 5,
            root,
            ..SearchOptions::default()
        }
    );
}

#[test]
fn a_mistyped_key_is_refused_at_every_level() {
    for text in [
        "visit = 100",
        "[root]\nkind = \"gumbel\"\nnoise_alpha = 0.3",
        "[root]\nkind = \"ucb\"",
    ] {
        let error = toml::from_str::<SearchOptions>(text)
            .expect_err(text)
            .to_string();
        assert!(error.contains("unknown"), "{text}: {error}");
    }
}
