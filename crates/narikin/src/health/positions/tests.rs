use super::*;

fn scored(plies_to_end: u32, expected: f32, came: f32) -> Scored {
    Scored {
        plies_to_end,
        black: true,
        expected,
        came,
        ..Scored::default()
    }
}

fn health(positions: &[Scored]) -> PositionHealth {
    let mut recent = RecentPositions::default();
    recent.add(positions.iter().copied());
    recent.health().unwrap()
}

#[test]
fn signs_are_told_apart_by_the_distance_to_the_end() {
    let health = health(&[
        scored(1, 0.9, 1.0),
        scored(10, 0.9, 0.0),
        scored(11, 0.2, 0.0),
        scored(31, 0.2, 1.0),
        scored(5, 0.9, 0.5),
    ]);
    assert_eq!(health.sign_near, Some(0.5));
    assert_eq!(health.near_positions, 2);
    assert_eq!(health.sign_middle, Some(1.0));
    assert_eq!(health.sign_far, Some(0.0));
}

#[test]
fn calibration_compares_what_was_expected_with_what_came() {
    let health = health(&[
        scored(1, 0.75, 1.0),
        scored(1, 0.75, 0.0),
        scored(1, 0.25, 0.0),
        scored(1, 0.25, 0.0),
    ]);
    let bin = |expected, came| CalibrationBin {
        expected,
        came,
        positions: 2,
    };
    assert_eq!(health.calibration, [bin(0.25, 0.0), bin(0.75, 0.5)]);
    assert_eq!(health.calibration_error, 0.25);
    assert_eq!(health.bias, 0.25);
    let squares = [0.0625, 0.5625, 0.0625, 0.0625];
    assert_eq!(health.brier, squares.iter().sum::<f64>() / 4.0);
}

#[test]
fn love_for_a_colour_is_no_bias_of_the_side_to_move() {
    let white = Scored {
        black: false,
        ..scored(1, 0.25, 0.5)
    };
    let health = health(&[scored(1, 0.75, 0.5), white]);
    assert_eq!(health.bias, 0.0);
    assert_eq!(health.black_bias, 0.25);
}

#[test]
fn a_policy_is_learned_by_its_way_from_knowing_nothing_to_its_target() {
    let with = |loss: f32, mates: bool| Scored {
        policy: Some(ScoredPolicy {
            loss,
            target_entropy: 1.0,
            uniform_loss: 3.0,
            mates,
            agrees: mates,
        }),
        ..scored(1, 0.5, 0.5)
    };
    assert_eq!(health(&[with(3.0, false)]).policy_learned, Some(0.0));
    let half = health(&[with(2.0, true), with(2.0, false)]);
    assert_eq!(half.policy_learned, Some(0.5));
    assert_eq!(half.top1_share, Some(0.5));
    assert_eq!(half.mate_top1_share, Some(1.0));
    assert_eq!(health(&[scored(1, 0.5, 0.5)]).policy_learned, None);
}

#[test]
fn nothing_scored_is_nothing_known() {
    assert_eq!(RecentPositions::default().health(), None);
}
