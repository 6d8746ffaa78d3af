use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::stats::tests::{counts, numbers, vectors};
use crate::stats::{Estimate, elo_of_score};

/// A test from the last two numbers of an argument list.
fn test_of(args: &str, scale: EloScale) -> Sprt {
    let all = numbers(args);
    let [elo0, elo1] = all[all.len() - 2..] else {
        panic!("two bounds: {args}")
    };
    Sprt {
        elo0,
        elo1,
        scale,
        ..Sprt::default()
    }
}

fn check_close(what: &str, found: f64, expected: f64) {
    let close = (found - expected).abs() <= 2e-6 + 1e-5 * expected.abs();
    assert!(close, "{what}: found {found}, expected {expected}");
}

#[test]
fn bounds_agree_with_the_reference_vectors() {
    let rows = vectors("bounds");
    assert_eq!(rows.len(), 10);
    for (args, field, expected) in rows {
        let [alpha, beta] = numbers(args)[..] else {
            panic!("two errors: {args}")
        };
        let test = Sprt {
            alpha,
            beta,
            ..Sprt::default()
        };
        let (lower, upper) = test.bounds();
        let found = if field == "lower" { lower } else { upper };
        check_close(args, found, expected);
    }
}

#[test]
fn ratios_of_pairs_agree_with_the_reference_vectors() {
    let rows = vectors("llr_penta");
    assert_eq!(rows.len(), 24);
    for (args, field, expected) in rows {
        let pairs: [u32; 5] = counts(args)[..5].try_into().unwrap();
        let logistic = test_of(args, EloScale::Logistic);
        let found = match field {
            "logistic" => logistic.llr(&pairs),
            "normalized" => test_of(args, EloScale::Normalized).llr(&pairs),
            _ => llr_by_moments(&logistic, &pairs),
        };
        check_close(&format!("{args} {field}"), found, expected);
    }
}

#[test]
fn ratios_of_games_agree_with_the_reference_vectors() {
    let rows = vectors("llr_tri");
    assert_eq!(rows.len(), 50);
    for (args, field, expected) in rows {
        let results: [u32; 3] = counts(args)[..3].try_into().unwrap();
        let [wins, draws, losses] = results;
        let logistic = test_of(args, EloScale::Logistic);
        let found = match field {
            "logistic" => logistic.llr_of_games(wins, draws, losses),
            "normalized" => test_of(args, EloScale::Normalized).llr_of_games(wins, draws, losses),
            "approx" => llr_of_games_by_moments(&logistic, wins, draws, losses),
            "bayes" => llr_by_drawelo(&logistic, results, DrawModel::Bare),
            _ => llr_by_drawelo(&logistic, results, DrawModel::Scaled),
        };
        check_close(&format!("{args} {field}"), found, expected);
    }
}

#[test]
fn no_test_ends_before_fifty_games() {
    let test = Sprt::default();
    assert_eq!(test.decide(&[0, 0, 0, 0, 24]), None);
    assert_eq!(test.decide(&[0, 0, 0, 0, 25]), Some(Verdict::Accepted));
    assert_eq!(test.decide(&[25, 0, 0, 0, 0]), Some(Verdict::Rejected));
    assert_eq!(test.decide(&[0; 5]), None);
    assert_eq!(test.llr(&[0; 5]), 0.0);
}

#[test]
fn swapping_the_players_mirrors_the_ratio() {
    let test = Sprt {
        elo0: -20.0,
        elo1: 20.0,
        ..Sprt::default()
    };
    for scale in [EloScale::Logistic, EloScale::Normalized] {
        let test = Sprt { scale, ..test };
        let ratio = test.llr(&[3, 1, 10, 2, 9]);
        check_close("mirrored", -ratio, test.llr(&[9, 2, 10, 1, 3]));
    }
}

#[test]
fn tests_that_make_no_sense_are_refused() {
    let check = |test: Sprt| test.check().unwrap_err().to_string();
    let good = Sprt::default();
    assert!(good.check().is_ok());
    assert_eq!(
        check(Sprt { elo1: 0.0, ..good }),
        "elo1 = 0: expected a number above elo0"
    );
    assert_eq!(
        check(Sprt { alpha: 0.5, ..good }),
        "alpha = 0.5: expected a number above 0 and below 0.5"
    );
    assert_eq!(
        check(Sprt {
            elo0: f64::NAN,
            ..good
        }),
        "elo0 = NaN: expected a number"
    );
}

/// Matches between players of known strength. Openings favour one side by a normally distributed
/// number of Elo, so that the games of a pair are correlated; 2 % of the games are drawn.
struct Matches {
    rng: Xoshiro256PlusPlus,
    elo: f64,
}

const DRAWS: f64 = 0.02;
const OPENING_ELO: f64 = 80.0;

impl Matches {
    fn new(seed: u64, elo: f64) -> Matches {
        Matches {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            elo,
        }
    }

    fn uniform(&mut self) -> f64 {
        ((self.rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Half points of one game of the player measured.
    fn game(&mut self, elo: f64) -> usize {
        if self.uniform() < DRAWS {
            1
        } else if self.uniform() < score_of_elo(elo) {
            2
        } else {
            0
        }
    }

    fn pair(&mut self) -> usize {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        let opening = OPENING_ELO * radius * (std::f64::consts::TAU * self.uniform()).cos();
        self.game(self.elo + opening) + self.game(self.elo - opening)
    }

    /// The Elo that long matches come to: openings and draws move scores towards one half.
    fn true_elo(&mut self) -> f64 {
        let n = 2_000_000;
        let points: usize = (0..n).map(|_| self.pair()).sum();
        elo_of_score(points as f64 / (4 * n) as f64)
    }

    /// The verdict of one test.
    fn sprt(&mut self, test: &Sprt) -> Verdict {
        let mut pairs = [0; 5];
        loop {
            pairs[self.pair()] += 1;
            if let Some(verdict) = test.decide(&pairs) {
                return verdict;
            }
        }
    }
}

/// Matches that each simulation consists of: few in a quick run.
fn n_matches() -> u32 {
    if std::env::var_os("RUN_SLOW_TESTS").is_some() {
        2000
    } else {
        200
    }
}

/// The most of `n` that an event of chance `p` happens without surprise: by the normal
/// approximation it happens more often once in 3,000 cases (3.4 standard errors).
fn at_most(n: u32, p: f64) -> f64 {
    let n = f64::from(n);
    n * p + 3.4 * (n * p * (1.0 - p)).sqrt()
}

#[test]
fn the_interval_covers_the_true_strength_in_19_of_20_matches() {
    for (seed, elo) in [(1, 0.0), (2, 100.0), (3, -250.0)] {
        let mut matches = Matches::new(seed, elo);
        let true_elo = matches.true_elo();
        let n = n_matches();
        let mut missed = 0;
        for _ in 0..n {
            let mut pairs = [0; 5];
            (0..150).for_each(|_| pairs[matches.pair()] += 1);
            let estimate = Estimate::of_pairs(&pairs).unwrap();
            missed += u32::from(!(estimate.elo_low..=estimate.elo_high).contains(&true_elo));
        }
        // The normal approximation costs up to half a percent at 150 pairs.
        let (low, high) = (f64::from(n) - at_most(n, 0.955), at_most(n, 0.055));
        assert!(
            (low..=high).contains(&f64::from(missed)),
            "{missed} of {n} missed at {elo} Elo"
        );
    }
}

#[track_caller]
fn check_errors(test: &Sprt, seed: u64) {
    let n = n_matches();
    for (elo, wrong, chance) in [
        (test.elo0, Verdict::Accepted, test.alpha),
        (test.elo1, Verdict::Rejected, test.beta),
    ] {
        // Strength of single games that gives `elo` over all openings.
        let mut matches = Matches::new(seed, elo);
        for _ in 0..3 {
            matches.elo += elo - matches.true_elo();
        }
        let mut errors = 0;
        for _ in 0..n {
            errors += u32::from(matches.sprt(test) == wrong);
        }
        assert!(
            f64::from(errors) <= at_most(n, chance),
            "{errors} of {n} tests wrong at {elo} Elo, promised {chance}"
        );
    }
}

#[test]
fn the_sequential_test_errs_as_rarely_as_promised() {
    check_errors(
        &Sprt {
            elo1: 35.0,
            ..Sprt::default()
        },
        11,
    );
}

#[test]
fn the_default_test_errs_as_rarely_as_promised() {
    check_errors(&Sprt::default(), 12);
}

#[test]
fn wide_tests_and_tests_of_other_errors_err_as_rarely_as_promised() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    let tests = [
        Sprt {
            elo1: 100.0,
            ..Sprt::default()
        },
        Sprt {
            elo0: -20.0,
            elo1: 20.0,
            ..Sprt::default()
        },
        Sprt {
            elo1: 20.0,
            alpha: 0.1,
            beta: 0.1,
            ..Sprt::default()
        },
    ];
    for (test, seed) in tests.iter().zip(21..) {
        check_errors(test, seed);
    }
}
