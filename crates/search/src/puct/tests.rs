use super::{first_play_q, forced_visits, prior_weight, pruned_visits, score};

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

#[test]
fn forced_visits_grow_with_the_root_of_prior_and_visits() {
    check_close(forced_visits(2.0, 0.08, 100), 4.0);
    check_close(forced_visits(2.0, 0.08, 0), 0.0);
    check_close(forced_visits(0.0, 0.5, 100), 0.0);
}

#[test]
fn forced_visits_are_taken_away_until_the_move_would_be_wanted() {
    // Score 0.1 + 4 * 0.1 / (1 + n): above 0.18 for n <= 3, below it from n = 5 on (0.167; 0.18 at 4).
    let score_at = |n| score(0.1, 0.1, 4.0, n);
    assert_eq!(pruned_visits(9, 5.9, 0.181, score_at), 4);
    assert_eq!(
        pruned_visits(9, 2.0, 0.181, score_at),
        7,
        "no more than were forced"
    );
    assert_eq!(
        pruned_visits(9, 9.0, 0.0, score_at),
        9,
        "a move that is wanted keeps all"
    );
    assert_eq!(pruned_visits(9, 9.0, 1.0, score_at), 0);
    assert_eq!(
        pruned_visits(1, 0.5, 0.0, score_at),
        0,
        "a single visit was only a look"
    );
}
