use super::*;

fn result(half_points: u32, black: Seat, reason: &'static str, plies: u32) -> Option<GameScore> {
    Some(GameScore {
        half_points,
        black,
        reason: reason.to_owned(),
        plies,
    })
}

/// Five pairs, two of them won, one even, one lost, one unfinished.
fn sample() -> MatchReport {
    let (a, b) = (Seat::A, Seat::B);
    MatchReport::new(
        "net",
        "greedy",
        &[
            result(2, a, "checkmate", 100),
            result(2, b, "checkmate", 60),
            result(2, a, "checkmate", 80),
            result(2, b, "no-moves", 80),
            result(2, a, "checkmate", 80),
            result(0, b, "checkmate", 80),
            result(0, a, "checkmate", 80),
            result(1, b, "repetition", 80),
            result(2, a, "repetition", 80),
            None,
        ],
    )
}

#[test]
fn report_counts_games_colours_pairs_and_reasons() {
    let report = sample();
    assert_eq!(
        (report.games, report.wins, report.draws, report.losses),
        (9, 6, 1, 2)
    );
    assert_eq!(
        report.as_black,
        Counts {
            wins: 4,
            draws: 0,
            losses: 1
        }
    );
    assert_eq!(
        report.as_white,
        Counts {
            wins: 2,
            draws: 1,
            losses: 1
        }
    );
    assert_eq!(report.pentanomial, [0, 1, 1, 0, 2]);
    assert_eq!(report.by_reason.values().sum::<u32>(), 9);
    assert_eq!(report.by_reason["repetition"], 2);
    assert_eq!(report.mean_plies, Some(80.0));
    assert_eq!(report.score, Some(6.5 / 9.0));
}

#[test]
fn rating_of_a_report_comes_from_the_finished_pairs() {
    let report = sample();
    let pairs = Estimate::of_pairs(&[0, 1, 1, 0, 2]).unwrap();
    assert_eq!(report.elo, Some(pairs.elo));
    assert_eq!(report.elo_low, finite(pairs.elo_low));
    assert_eq!(report.los, Some(pairs.los));
}

#[test]
fn report_without_games_has_no_rates() {
    let report = MatchReport::new("a", "b", &[None, None]);
    assert_eq!(report.games, 0);
    assert_eq!(
        (report.score, report.elo, report.los, report.mean_plies),
        (None, None, None, None)
    );
    assert_eq!(
        report.to_string(),
        "opponent  games  W-D-L  score  Elo  plies  ended by\n\
         b             0  0-0-0      –    –      –\n"
    );
}

#[test]
fn clean_score_has_no_finite_rating() {
    let won = [
        result(2, Seat::A, "checkmate", 50),
        result(2, Seat::B, "checkmate", 50),
    ];
    let report = MatchReport::new("a", "b", &won);
    assert_eq!((report.score, report.los), (Some(1.0), Some(1.0)));
    assert_eq!(
        (report.elo, report.elo_low, report.elo_high),
        (None, None, None)
    );
    let json = serde_json::to_string(&report).unwrap();
    assert!(json.contains(r#""elo":null"#), "{json}");
}

#[test]
fn table_is_aligned_and_names_the_main_reasons() {
    let won = [
        result(2, Seat::A, "checkmate", 150),
        result(2, Seat::B, "checkmate", 51),
    ];
    let reports = [MatchReport::new("net", "random", &won), sample()];
    assert_eq!(
        table(&reports),
        "opponent  games  W-D-L    score       Elo  plies  ended by\n\
         random        2  2-0-0  100.0 %         –    100  checkmate 2\n\
         greedy        9  6-1-2   72.2 %  +137 ± –     80  checkmate 6, repetition 2, no-moves 1\n"
    );
}

#[test]
fn serialised_report_has_the_documented_fields() {
    let json: serde_json::Value = serde_json::to_value(sample()).unwrap();
    let fields = [
        "schema",
        "a",
        "b",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "elo",
        "elo_low",
        "elo_high",
        "pentanomial",
        "by_reason",
    ];
    for field in fields {
        assert!(json.get(field).is_some(), "{field}");
    }
    assert_eq!(json["pentanomial"], serde_json::json!([0, 1, 1, 0, 2]));
    assert_eq!(json["by_reason"]["no-moves"], 1);
}

#[test]
fn the_summary_says_it_all_on_one_line() {
    assert_eq!(
        sample().summary(),
        "net - greedy: +6 =1 -2, 72.2 %, Elo +137 [-93, +inf], LOS 87.6 %, pairs [0 1 1 0 2]"
    );
    assert_eq!(
        MatchReport::new("a", "b", &[]).summary(),
        "a - b: +0 =0 -0, –, Elo –, LOS –, pairs [0 0 0 0 0]"
    );
}

#[test]
fn a_report_judged_by_a_test_holds_its_ratio_and_verdict() {
    let test = Sprt::default();
    let report = sample().judged_by(&test);
    let sprt = report.sprt.clone().unwrap();
    assert_eq!(sprt.verdict, None);
    assert_eq!(sprt.llr, test.llr(&[0, 1, 1, 0, 2]));
    assert!(report.summary().contains("SPRT [0, 50] LLR "));
    assert!(report.summary().ends_with("(-2.94, 2.94) goes on"));
}

#[test]
fn reasons_are_counted_by_result() {
    let report = sample();
    assert_eq!(
        report.reasons["repetition"],
        Counts {
            wins: 1,
            draws: 1,
            losses: 0
        }
    );
}

#[test]
fn the_details_give_results_by_side_and_by_reason() {
    assert_eq!(
        sample().details(),
        "  as Black    +4 =0 -1\n  as White    +2 =1 -1\n  checkmate   +4 =0 -2\n  \
         no-moves    +1 =0 -0\n  repetition  +1 =1 -0\n"
    );
}
