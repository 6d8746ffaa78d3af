use super::{HalvingSchedule, mixed_value, policy_deficit, sigma, value_weight};
use crate::GumbelOptions;
use crate::policy::softmax;

#[track_caller]
fn check_close(found: f32, expected: f32) {
    assert!(
        (found - expected).abs() < 1e-5,
        "found {found}, expected {expected}"
    );
}

/// Expected: per run of walks the required visit count and the length of the run.
#[track_caller]
fn check_schedule(n_considered: u32, n_walks: u32, expected: &[(u32, usize)]) {
    let mut runs: Vec<(u32, usize)> = Vec::new();
    for level in HalvingSchedule::new(n_considered, n_walks) {
        match runs.last_mut() {
            Some((last, length)) if *last == level => *length += 1,
            _ => runs.push((level, 1)),
        }
    }
    assert_eq!(runs, expected);
}

#[test]
fn halving_gives_the_published_visit_counts() {
    check_schedule(16, 16, &[(0, 16)]);
    check_schedule(16, 32, &[(0, 16), (1, 8), (2, 4), (3, 4)]);
    check_schedule(
        16,
        64,
        &[
            (0, 16),
            (1, 8),
            (2, 8),
            (3, 4),
            (4, 4),
            (5, 4),
            (6, 4),
            (7, 2),
            (8, 2),
            (9, 2),
            (10, 2),
            (11, 2),
            (12, 2),
            (13, 2),
            (14, 2),
        ],
    );
    check_schedule(8, 8, &[(0, 8)]);
    check_schedule(
        8,
        32,
        &[
            (0, 8),
            (1, 4),
            (2, 4),
            (3, 2),
            (4, 2),
            (5, 2),
            (6, 2),
            (7, 2),
            (8, 2),
            (9, 2),
            (10, 2),
        ],
    );
    check_schedule(4, 8, &[(0, 4), (1, 2), (2, 2)]);
    check_schedule(2, 5, &[(0, 2), (1, 2), (2, 1)]);
}

#[test]
fn an_odd_number_of_moves_is_halved_downwards_but_never_below_two() {
    // Three phases; 5 moves: 20 / 15 = 1 round, then 2 moves: 20 / 6 = 3 rounds at a time.
    check_schedule(
        5,
        20,
        &[
            (0, 5),
            (1, 2),
            (2, 2),
            (3, 2),
            (4, 2),
            (5, 2),
            (6, 2),
            (7, 2),
            (8, 1),
        ],
    );
    check_schedule(3, 4, &[(0, 3), (1, 1)]);
}

#[test]
fn a_single_move_gets_every_visit() {
    check_schedule(1, 4, &[(0, 1), (1, 1), (2, 1), (3, 1)]);
    check_schedule(1, 0, &[]);
}

#[test]
fn an_endless_schedule_costs_nothing() {
    let mut schedule = HalvingSchedule::new(16, u32::MAX);
    assert_eq!(
        schedule.by_ref().take(17).collect::<Vec<_>>(),
        [[0; 16].as_slice(), &[1]].concat()
    );
}

#[test]
fn values_weigh_more_the_more_visits_there_are() {
    let options = GumbelOptions {
        c_scale: 0.5,
        ..GumbelOptions::default()
    };
    check_close(value_weight(&options, 0), 25.0);
    check_close(value_weight(&options, 10), 30.0);
}

#[test]
fn sigma_is_zero_for_a_loss_and_the_weight_for_a_win() {
    check_close(sigma(50.0, -1.0), 0.0);
    check_close(sigma(50.0, 0.0), 25.0);
    check_close(sigma(50.0, 1.0), 50.0);
}

#[test]
fn the_mixed_value_weighs_visited_moves_by_their_prior() {
    check_close(mixed_value(0.3, std::iter::empty()), 0.3);
    // (0.3 + 4 * (0.4 * 0.5 + 0.1 * -1.0) / 0.5) / 5
    check_close(
        mixed_value(0.3, [(3, 0.4, 0.5), (1, 0.1, -1.0)].into_iter()),
        0.22,
    );
    check_close(mixed_value(0.0, [(1, 0.0, 1.0)].into_iter()), 0.5);
}

#[test]
fn beyond_the_schedule_visits_follow_the_policy() {
    check_close(policy_deficit(0.6, 2, 4), 0.2);
    let policy = [0.5, 0.3, 0.2];
    let mut visits = [0u32; 3];
    for n in 0..1_000 {
        let deficit = |idx: usize| policy_deficit(policy[idx], visits[idx], n);
        let next = (0..3)
            .max_by(|&a, &b| deficit(a).total_cmp(&deficit(b)))
            .unwrap();
        visits[next] += 1;
    }
    assert_eq!(visits, [500, 300, 200]);
}

/// The rows of a table of numbers that mctx 0.0.71 gave, split at tabs, without their head.
fn mctx_rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|row| row.split('\t').collect())
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split(' ').map(|word| word.parse().unwrap()).collect()
}

#[test]
fn the_schedule_is_mctx_s_for_every_number_of_moves_and_walks() {
    let table = include_str!("../../testdata/mctx/halving.tsv");
    let mut n_rows = 0;
    for row in mctx_rows(table) {
        let [considered, walks, runs] = row[..] else {
            panic!("expected three columns, found {row:?}")
        };
        let expected = runs.split_whitespace().flat_map(|run| {
            let (level, length) = run.split_once('x').unwrap();
            std::iter::repeat_n(level.parse().unwrap(), length.parse().unwrap())
        });
        let expected: Vec<u32> = expected.collect();
        let schedule = HalvingSchedule::new(considered.parse().unwrap(), walks.parse().unwrap());
        let found: Vec<u32> = schedule.collect();
        assert_eq!(found, expected, "{considered} moves, {walks} walks");
        n_rows += 1;
    }
    assert!(300 < n_rows, "{n_rows} rows");
}

#[test]
fn the_improved_policy_is_mctx_s() {
    let table = include_str!("../../testdata/mctx/improved_policy.tsv");
    for row in mctx_rows(table) {
        let [network_q, c_visit, c_scale, logits, visits, q, expected] = row[..] else {
            panic!("expected seven columns, found {row:?}")
        };
        let (logits, visits): (Vec<f32>, Vec<u32>) = (numbers(logits), numbers(visits));
        let (q, expected): (Vec<f32>, Vec<f32>) = (numbers(q), numbers(expected));
        let mut prior = logits.clone();
        softmax(&mut prior);
        let visited = (0..logits.len()).filter(|&idx| 0 < visits[idx]);
        let mixed = mixed_value(
            network_q.parse().unwrap(),
            visited.map(|idx| (visits[idx], prior[idx], q[idx])),
        );
        let options = GumbelOptions {
            c_visit: c_visit.parse().unwrap(),
            c_scale: c_scale.parse().unwrap(),
            ..GumbelOptions::default()
        };
        let weight = value_weight(&options, visits.iter().copied().max().unwrap());
        let mut improved: Vec<f32> = (0..logits.len())
            .map(|idx| {
                let q = if 0 < visits[idx] { q[idx] } else { mixed };
                logits[idx] + sigma(weight, q)
            })
            .collect();
        softmax(&mut improved);
        for (found, expected) in improved.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{found}, {row:?}");
        }
    }
}
