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
    let refused = |options: LoopOptions| options.check().unwrap_err().0;
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
    assert_eq!(LoopOptions::default().check(), Ok(()));
}
