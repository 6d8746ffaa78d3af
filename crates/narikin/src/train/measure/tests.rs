use super::*;

fn report(wins: u32, draws: u32, losses: u32) -> MatchReport {
    let mut report = MatchReport::new("net", "greedy", &[]);
    report.games = wins + draws + losses;
    report.wins = wins;
    report.draws = draws;
    report.losses = losses;
    report
}

#[test]
fn a_clean_score_has_one_end_of_an_interval() {
    let all_won = measured(3, &report(40, 0, 0));
    assert!((all_won.elo_low.unwrap() - elo_of_score(40.0 / 43.0)).abs() < 1e-9);
    assert_eq!(all_won.elo_high, None);
    let all_lost = measured(3, &report(0, 0, 40));
    assert_eq!(all_lost.elo_low, None);
    assert!((all_lost.elo_high.unwrap() - elo_of_score(3.0 / 43.0)).abs() < 1e-9);
    assert_eq!(interval(&report(0, 0, 0)), (None, None));
}
