use super::*;

const VECTORS: &str = include_str!("../../testdata/elo_vectors.tsv");

/// Numbers of an argument list such as `W=10 D=0 L=10`.
pub(super) fn numbers(args: &str) -> Vec<f64> {
    args.split(' ')
        .map(|arg| arg.split_once('=').unwrap().1.parse().unwrap())
        .collect()
}

/// The numbers of an argument list that are counts; others are rounded.
pub(super) fn counts(args: &str) -> Vec<u32> {
    numbers(args).iter().map(|number| *number as u32).collect()
}

/// The rows of one kind: arguments, field, expected value.
pub(super) fn vectors(kind: &str) -> Vec<(&'static str, &'static str, f64)> {
    let row = |line: &'static str| -> Option<(&str, &str, f64)> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [row_kind, args, field, expected] = columns[..] else {
            return None;
        };
        (row_kind == kind).then(|| (args, field, expected.parse().unwrap()))
    };
    VECTORS.lines().filter_map(row).collect()
}

fn tri_field(args: &str, field: &str) -> Option<f64> {
    let [wins, draws, losses] = counts(args)[..] else {
        panic!("three counts: {args}")
    };
    let estimate = Estimate::of_games(wins, draws, losses)?;
    match field {
        "err_delta" => estimate.elo_error_by_slope(),
        "los_decisive" => Some(los_of_decisive_games(wins, losses)),
        "p_sign" => sign_test(wins, losses),
        "draw_ratio" => Some(f64::from(draws) / f64::from(wins + draws + losses)),
        _ => estimate_field(&estimate, field),
    }
}

fn penta_field(args: &str, field: &str) -> Option<f64> {
    let pairs: [u32; 5] = counts(args).try_into().unwrap();
    estimate_field(&Estimate::of_pairs(&pairs)?, field)
}

fn estimate_field(estimate: &Estimate, field: &str) -> Option<f64> {
    match field {
        "score" => Some(estimate.score),
        "se" => Some(estimate.se),
        "elo" => Some(estimate.elo),
        "elo_lo" => Some(estimate.elo_low),
        "elo_hi" => Some(estimate.elo_high),
        "err" => estimate.elo_error,
        "los" => Some(estimate.los),
        "nelo" => estimate.normalized_elo,
        "nelo_err" => estimate.normalized_elo_error,
        _ => panic!("unknown field {field}"),
    }
}

#[track_caller]
fn check_vectors(kind: &str, n_rows: usize, field_of: fn(&str, &str) -> Option<f64>) {
    let rows = vectors(kind);
    assert_eq!(rows.len(), n_rows, "rows of kind {kind}");
    for (args, field, expected) in rows {
        let line = format!("{args} {field} {expected}");
        let found = field_of(args, field);
        if expected.is_nan() {
            // The reference leaves the sign test out above 1,000 decisive games; ours goes on.
            let beyond_reference = field == "p_sign" && counts(args)[0] > 1000;
            assert!(
                found.is_none() || beyond_reference,
                "{line}: found {found:?}"
            );
            continue;
        }
        let found = found.unwrap_or_else(|| panic!("{line}: undefined"));
        let close = (found - expected).abs() <= 1e-6 + 1e-6 * expected.abs();
        assert!(found == expected || close, "{line}: found {found}");
    }
}

#[test]
fn estimates_of_games_agree_with_the_reference_vectors() {
    check_vectors("tri", 286, tri_field);
}

#[test]
fn estimates_of_pairs_agree_with_the_reference_vectors() {
    check_vectors("penta", 108, penta_field);
}

#[test]
fn no_results_give_no_estimate() {
    assert_eq!(Estimate::of_games(0, 0, 0), None);
    assert_eq!(Estimate::of_pairs(&[0; 5]), None);
    assert_eq!(sign_test(0, 0), None);
}

#[test]
fn no_estimate_holds_nan() {
    for wins in 0..6 {
        for draws in 0..6 {
            for losses in 0..6 {
                let Some(estimate) = Estimate::of_games(wins, draws, losses) else {
                    continue;
                };
                for field in [
                    "score", "se", "elo", "elo_lo", "elo_hi", "err", "los", "nelo",
                ] {
                    let value = estimate_field(&estimate, field);
                    assert!(
                        value.is_none_or(|v| !v.is_nan()),
                        "{wins} {draws} {losses} {field}"
                    );
                }
            }
        }
    }
}

#[test]
fn sign_test_stays_defined_for_thousands_of_games() {
    let p = sign_test(34_500, 34_000).unwrap();
    assert!((p - 0.028).abs() < 0.002, "{p}");
}

#[test]
fn score_of_elo_inverts_elo_of_score() {
    for score in [0.01, 0.25, 0.5, 0.75, 0.99] {
        assert!((score_of_elo(elo_of_score(score)) - score).abs() < 1e-12);
    }
    assert_eq!(finite(elo_of_score(1.0)), None);
}
