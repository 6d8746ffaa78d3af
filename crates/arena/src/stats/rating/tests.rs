use super::*;
use crate::stats::tests::{numbers, vectors};

/// First player, second player, first wins, draws, second wins: the tables of the vectors' head.
fn table(name: &str) -> (Vec<&'static str>, Vec<Encounter>) {
    let (players, rows): (Vec<&str>, Vec<[u32; 5]>) = match name {
        "A" => (
            vec!["A", "B", "C"],
            vec![
                [0, 1, 12, 2, 6],
                [1, 0, 9, 1, 10],
                [0, 2, 18, 0, 2],
                [2, 0, 5, 1, 14],
                [1, 2, 13, 3, 4],
                [2, 1, 8, 2, 10],
            ],
        ),
        "B" => (
            vec!["ck100", "ck200", "ck300", "ext"],
            vec![
                [0, 1, 3, 1, 16],
                [1, 0, 15, 0, 5],
                [1, 2, 7, 2, 11],
                [2, 1, 12, 1, 7],
                [2, 3, 9, 0, 11],
                [3, 2, 13, 0, 7],
                [0, 3, 1, 0, 19],
                [3, 0, 20, 0, 0],
            ],
        ),
        _ => (vec!["new", "old"], vec![[0, 1, 10, 0, 0], [1, 0, 0, 0, 10]]),
    };
    let encounters = rows
        .iter()
        .map(|&[black, white, black_wins, draws, white_wins]| Encounter {
            black: black as usize,
            white: white as usize,
            black_wins,
            draws,
            white_wins,
        })
        .collect();
    (players, encounters)
}

#[test]
fn ratings_agree_with_the_reference_vectors() {
    let rows = vectors("bt");
    assert_eq!(rows.len(), 42);
    for (args, field, expected) in rows {
        let name = args.split(['=', ' ']).nth(1).unwrap();
        let numbers = numbers(&args["table=X ".len()..]);
        let (players, encounters) = table(name);
        let options = RatingOptions {
            advantage: numbers[0] == 1.0,
            assumed: AssumedDraws::AgainstZero(numbers[1]),
        };
        let ratings = rate(&vec![None; players.len()], &encounters, &options);
        let found = if field == "advantage" {
            ratings.advantage.unwrap()
        } else {
            let (kind, player) = field.trim_end_matches(']').split_once('[').unwrap();
            let index = players.iter().position(|name| *name == player).unwrap();
            let rating = ratings.players[index].unwrap();
            if kind == "elo" { rating.elo } else { rating.se }
        };
        let close = (found - expected).abs() <= 1e-4 * expected.abs().max(1.0);
        assert!(close, "{args} {field}: {found}, expected {expected}");
    }
}

fn encounter(black: usize, white: usize, results: [u32; 3]) -> Encounter {
    let [black_wins, draws, white_wins] = results;
    Encounter {
        black,
        white,
        black_wins,
        draws,
        white_wins,
    }
}

const BARE: RatingOptions = RatingOptions {
    advantage: false,
    assumed: AssumedDraws::AgainstZero(0.0),
};

#[test]
fn anchors_keep_their_rating_and_carry_the_others() {
    // 10 to 1 is 400 Elo.
    let encounters = [encounter(0, 1, [10, 0, 100]), encounter(1, 2, [50, 20, 50])];
    let ratings = rate(&[Some(-300.0), None, None], &encounters, &BARE);
    let [first, second, third] = ratings.players[..] else {
        panic!("three players")
    };
    assert_eq!(
        first,
        Some(Rating {
            elo: -300.0,
            se: 0.0
        })
    );
    let (second, third) = (second.unwrap(), third.unwrap());
    assert!((second.elo - 100.0).abs() < 1e-6, "{second:?}");
    assert!((third.elo - 100.0).abs() < 1e-6, "{third:?}");
    assert!(third.se > second.se);
    let se = ratings.se_of_difference(1, 2);
    assert!((se.powi(2) + second.se.powi(2) - third.se.powi(2)).abs() < 1e-6);
}

#[test]
fn two_anchors_are_both_kept() {
    let encounters = [encounter(0, 1, [5, 0, 5]), encounter(1, 2, [5, 0, 5])];
    let ratings = rate(&[Some(0.0), None, Some(200.0)], &encounters, &BARE);
    assert!((ratings.players[1].unwrap().elo - 100.0).abs() < 1e-6);
    assert_eq!(ratings.players[2].unwrap().elo, 200.0);
}

#[test]
fn players_without_a_path_to_an_anchor_have_no_rating() {
    let encounters = [encounter(0, 1, [5, 0, 5]), encounter(2, 3, [5, 0, 5])];
    let ratings = rate(&[Some(0.0), None, None, None], &encounters, &BARE);
    let rated: Vec<bool> = ratings.players.iter().map(Option::is_some).collect();
    assert_eq!(rated, [true, true, false, false]);
    assert_eq!(ratings.information(0, 2), None);
}

#[test]
fn clean_scores_need_assumed_draws() {
    let encounters = [encounter(0, 1, [20, 0, 0])];
    let anchors = [Some(0.0), None];
    assert_eq!(rate(&anchors, &encounters, &BARE).players[1], None);
    let rating = rate(&anchors, &encounters, &RatingOptions::default()).players[1].unwrap();
    assert!(rating.elo < -400.0 && rating.elo.is_finite() && rating.se > 100.0);
}

#[test]
fn assumed_draws_do_not_pull_players_towards_zero_who_never_met_it() {
    let encounters = [encounter(0, 1, [20, 0, 20])];
    let ratings = rate(
        &[Some(1500.0), None],
        &encounters,
        &RatingOptions::default(),
    );
    assert!((ratings.players[1].unwrap().elo - 1500.0).abs() < 1e-6);
}

#[test]
fn nobody_played_means_no_ratings_but_anchors() {
    let ratings = rate(&[None, Some(7.0)], &[], &RatingOptions::default());
    assert_eq!(ratings.players[0], None);
    assert_eq!(ratings.players[1].unwrap().elo, 7.0);
    assert_eq!(rate(&[], &[], &BARE).players, []);
}

#[test]
fn an_advantage_that_nothing_tells_of_leaves_the_ratings_alone() {
    let options = RatingOptions {
        advantage: true,
        ..RatingOptions::default()
    };
    let anchors = [Some(100.0), None, None];
    let ratings = rate(&anchors, &[], &options);
    assert_eq!(ratings.players[0].unwrap().elo, 100.0);
    assert_eq!(ratings.players[1], None);
    // Games of players that nothing connects with the anchor do not matter either.
    let ratings = rate(&anchors, &[encounter(1, 2, [9, 0, 1])], &options);
    assert_eq!(ratings.players[0].unwrap().elo, 100.0);
    assert_eq!(ratings.players[1], None);
    assert_eq!(ratings.advantage, Some(0.0));
}

#[test]
fn most_is_learned_from_equal_players_about_whom_least_is_known() {
    let encounters = [
        encounter(0, 1, [50, 0, 50]),
        encounter(0, 2, [5, 0, 5]),
        encounter(0, 3, [1, 0, 9]),
    ];
    let ratings = rate(&[Some(0.0), None, None, None], &encounters, &BARE);
    let information = |b| ratings.information(0, b).unwrap();
    assert!(information(2) > information(1));
    assert!(information(2) > information(3));
}
