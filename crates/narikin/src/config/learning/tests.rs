use search::{RootOptions, SearchOptions};

use super::*;

fn stage(from_games: u64, visits: u32, c_scale: Option<f32>) -> Stage {
    Stage {
        from_games,
        visits,
        c_scale,
    }
}

#[test]
fn the_newest_stage_that_has_begun_holds() {
    let base = SearchOptions::default();
    let stages = [stage(10, 8, Some(0.25)), stage(20, 64, None)];
    assert_eq!(search_at(&base, &stages, 9), base);
    let early = search_at(&base, &stages, 10);
    assert_eq!(early.visits, 8);
    assert!(matches!(early.root, RootOptions::Gumbel(root) if root.c_scale == 0.25));
    assert_eq!(
        search_at(&base, &stages, 1000),
        SearchOptions { visits: 64, ..base }
    );
}

#[test]
fn stages_out_of_order_or_out_of_range_are_refused_with_their_place() {
    let base = SearchOptions::default();
    let refused = |stages: &[Stage]| check_stages(&base, stages).unwrap_err();
    let twice = [stage(5, 8, None), stage(5, 16, None)];
    assert_eq!(
        refused(&twice),
        (
            "stages[1].from_games".to_owned(),
            "5: expected more than the stage before".to_owned()
        )
    );
    assert_eq!(refused(&[stage(0, 0, None)]).0, "stages[0].visits");
    assert_eq!(
        refused(&[stage(0, 8, Some(-1.0))]).0,
        "stages[0].root.c_scale"
    );
}

#[test]
fn the_window_grows_with_the_positions_between_its_bounds() {
    let options = LoopOptions {
        window_share: 0.5,
        window_min: 100,
        window_max: 1000,
        ..LoopOptions::default()
    };
    assert_eq!(options.window_positions(0), 100);
    assert_eq!(options.window_positions(600), 300);
    assert_eq!(options.window_positions(1_000_000), 1000);
}

#[test]
fn loop_options_out_of_range_are_refused() {
    let refused = |options: LoopOptions| options.check(&SearchOptions::default()).unwrap_err().0;
    assert_eq!(
        refused(LoopOptions {
            reuse: 0.0,
            ..LoopOptions::default()
        }),
        "reuse"
    );
    assert_eq!(
        refused(LoopOptions {
            window_max: 1,
            ..LoopOptions::default()
        }),
        "window_max"
    );
    assert_eq!(
        refused(LoopOptions {
            window_share: 1.1,
            ..LoopOptions::default()
        }),
        "window_share"
    );
    assert_eq!(
        LoopOptions::default().check(&SearchOptions::default()),
        Ok(())
    );
}

#[test]
fn trust_in_values_follows_the_distance_of_the_search_from_the_network() {
    let rule = Sharpness::default();
    let next = |divergence, value_sign| rule.next(0.5, divergence, value_sign);
    assert_eq!(next(Some(0.3), Some(0.6)), 0.5);
    assert_eq!(next(Some(0.6), Some(0.6)), 0.5 / rule.step);
    assert_eq!(next(Some(0.1), Some(0.6)), 0.5 * rule.step);
    // A value that knows nothing, or of which nothing is known, deserves no more trust.
    assert_eq!(next(Some(0.1), Some(0.5)), 0.5);
    assert_eq!(next(Some(0.1), None), 0.5);
    assert_eq!(next(Some(0.6), None), 0.5 / rule.step);
    assert_eq!(next(None, Some(0.6)), 0.5);
    assert_eq!(rule.next(rule.most, Some(0.0), Some(1.0)), rule.most);
    assert_eq!(rule.next(rule.least, Some(9.0), Some(1.0)), rule.least);
}

#[test]
fn a_rule_for_trust_is_refused_out_of_range_or_without_a_gumbel_root() {
    let refused = |sharpness: Sharpness, search: &SearchOptions| {
        let options = LoopOptions {
            sharpness: Some(sharpness),
            ..LoopOptions::default()
        };
        options.check(search).unwrap_err().0
    };
    let gumbel = SearchOptions::default();
    let narrow = Sharpness {
        high: 0.1,
        ..Sharpness::default()
    };
    assert_eq!(refused(narrow, &gumbel), "sharpness.high");
    let puct = SearchOptions {
        root: RootOptions::Puct(search::PuctOptions::default()),
        ..SearchOptions::default()
    };
    assert_eq!(refused(Sharpness::default(), &puct), "sharpness");
}
