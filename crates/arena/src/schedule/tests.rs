use super::*;
use crate::stats::rating::{Encounter, RatingOptions, rate};

fn encounter(black: usize, white: usize, black_wins: u32, white_wins: u32) -> Encounter {
    Encounter {
        black,
        white,
        black_wins,
        draws: 0,
        white_wins,
    }
}

fn next(
    anchors: &[Option<f64>],
    games: &[Encounter],
    busy: &[(usize, usize)],
) -> Option<(usize, usize)> {
    let options = RatingOptions {
        advantage: true,
        ..RatingOptions::default()
    };
    let ratings = rate(anchors, games, &options);
    next_pairing(&ratings, anchors, busy, &[])
}

#[test]
fn newcomers_meet_the_middle_of_the_table_first() {
    let anchors = [Some(0.0), Some(1000.0), Some(500.0), None, None];
    assert_eq!(next(&anchors, &[], &[]), Some((2, 3)));
    assert_eq!(next(&anchors, &[], &[(2, 3)]), Some((2, 4)));
    assert_eq!(next(&[None, None, None], &[], &[]), Some((0, 1)));
}

#[test]
fn players_apart_from_all_anchors_are_brought_to_one() {
    let games = [encounter(0, 1, 100, 20)];
    let anchors = [None, None, Some(0.0), None];
    assert_eq!(next(&anchors, &games, &[]), Some((0, 2)));
}

#[test]
fn close_opponents_of_little_known_players_come_first() {
    let anchors = [Some(0.0), Some(400.0), None, None];
    // 2 is near anchor 1 and hardly known; 3 is near anchor 0 and well known.
    let games = [encounter(1, 2, 3, 3), encounter(0, 3, 300, 300)];
    assert_eq!(next(&anchors, &games, &[]), Some((1, 2)));
    assert_ne!(next(&anchors, &games, &[(1, 2)]), Some((1, 2)));
}

#[test]
fn anchors_never_meet_and_two_players_always_have_each_other() {
    assert_eq!(next(&[Some(0.0), Some(9.0)], &[], &[]), None);
    assert_eq!(next(&[Some(0.0)], &[], &[]), None);
    let games = [encounter(0, 1, 1, 1)];
    assert_eq!(next(&[Some(0.0), None], &games, &[(0, 1)]), Some((0, 1)));
}

#[test]
fn players_that_are_absent_are_not_paired() {
    let options = RatingOptions::default();
    let absent = |anchors: &[Option<f64>], games: &[Encounter], absent: &[usize]| {
        next_pairing(&rate(anchors, games, &options), anchors, &[], absent)
    };
    let anchors = [Some(0.0), Some(1000.0), Some(500.0), None, None];
    assert_eq!(absent(&anchors, &[], &[2, 3]), Some((1, 4)));
    // Nobody is rated and the one in between is away.
    assert_eq!(absent(&[None, None, None], &[], &[1]), Some((0, 2)));
    let games = [encounter(0, 1, 3, 3), encounter(1, 2, 3, 3)];
    let free = [Some(0.0), None, None];
    assert_eq!(absent(&free, &games, &[1]), Some((0, 2)));
    assert_eq!(absent(&free, &games, &[1, 2]), None);
    assert_eq!(absent(&free, &games, &[0, 1, 2]), None);
}

/// Games by chance between players of known strength, scheduled one by one.
#[test]
fn a_scheduled_pool_finds_the_true_ratings() {
    let truth = [0.0, 400.0, 150.0, 700.0, -300.0, 380.0];
    let anchors = [Some(0.0), Some(400.0), None, None, None, None];
    let mut games: Vec<Encounter> = Vec::new();
    let mut ratings = rate(&anchors, &games, &RatingOptions::default());
    for number in 0..400u64 {
        let (a, b) = next_pairing(&ratings, &anchors, &[], &[]).unwrap();
        let mut results = [0; 2];
        for game in 0..4 {
            let draw = search::mix_seed(number, game) as f64 / u64::MAX as f64;
            let wins = draw < crate::stats::score_of_elo(truth[a] - truth[b]);
            results[usize::from(!wins)] += 1;
        }
        games.push(encounter(a, b, results[0], results[1]));
        ratings = rate(&anchors, &games, &RatingOptions::default());
    }
    for (player, truth) in truth.iter().enumerate() {
        let rating = ratings.players[player].unwrap();
        // 3.5 standard errors: wrong once in 2,000 players.
        assert!(
            (rating.elo - truth).abs() <= 3.5 * rating.se,
            "{player}: {rating:?}"
        );
        assert!(rating.se < 25.0, "{player}: {rating:?}");
    }
}
