use super::*;

fn totals() -> SearchTotals {
    SearchTotals {
        n_searches: 10,
        n_evaluations: 300,
        n_networks: 9,
        entropy_nats: 20.5,
        kl_nats: 3.25,
        n_overridden: 2,
        n_visited_moves: 100,
        prior_ranks: 15,
    }
}

#[test]
fn what_a_worker_says_of_a_game_comes_back() {
    let bytes = remarks_of(&totals());
    assert_eq!(bytes.len(), REMARKS_LEN);
    assert_eq!(read_remarks(&bytes, 10, 32), Some(totals()));
}

#[test]
fn impossible_sums_are_refused() {
    let bytes = remarks_of(&totals());
    assert_eq!(read_remarks(&bytes[1..], 10, 32), None);
    assert_eq!(
        read_remarks(&bytes, 5, 32),
        None,
        "more searches than plies"
    );
    assert_eq!(
        read_remarks(&bytes, 10, 27),
        None,
        "more evaluations than visits"
    );
    let refused = |change: fn(&mut SearchTotals)| {
        let mut totals = totals();
        change(&mut totals);
        assert_eq!(read_remarks(&remarks_of(&totals), 10, 32), None);
    };
    refused(|totals| totals.entropy_nats = f32::NAN);
    refused(|totals| totals.kl_nats = f32::NAN);
    refused(|totals| totals.kl_nats = f32::INFINITY);
    refused(|totals| totals.entropy_nats = -1.0);
    refused(|totals| totals.n_visited_moves = u32::MAX);
}
