use super::{first_play_q, prior_weight, score};

#[track_caller]
fn check_close(found: f32, expected: f32) {
    assert!(
        (found - expected).abs() < 1e-5,
        "found {found}, expected {expected}"
    );
}

#[test]
fn the_prior_weight_follows_alphazero_s_schedule() {
    // ln((1 + 1 + 19652) / 19652) = 0.00010177
    check_close(prior_weight(1, 1.25, 19652.0), 1.2501018);
    // ln(2) + 1.25 at N = c_base - 1, times sqrt(99)
    check_close(
        prior_weight(99, 1.25, 100.0),
        (2f32.ln() + 1.25) * 99f32.sqrt(),
    );
}

#[test]
fn a_score_is_q_plus_the_prior_s_share() {
    check_close(score(0.25, 0.5, 2.0, 0), 1.25);
    check_close(score(0.25, 0.5, 2.0, 3), 0.5);
    check_close(score(-0.25, 0.0, 2.0, 3), -0.25);
}

#[test]
fn an_unvisited_move_counts_as_worse_than_its_parent() {
    check_close(first_play_q(0.5, 0.2, 0.0), 0.5);
    check_close(first_play_q(0.5, 0.2, 0.25), 0.4);
    check_close(first_play_q(-0.5, 0.2, 1.0), -0.7);
}
