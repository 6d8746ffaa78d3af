use search::Wdl;

use super::*;

fn root_move(usi: &str, visits: u32, win: f32) -> RootMove {
    RootMove {
        mv: usi.parse().unwrap(),
        visits,
        prior: 0.1,
        value: (0 < visits).then_some(Wdl {
            win,
            draw: 0.0,
            loss: 1.0 - win,
        }),
        mate: None,
    }
}

/// How often each move comes in 4,000 draws, `best` by the draws that gave no other.
fn counts(moves: &[RootMove], settings: &Settings) -> Vec<usize> {
    let best = moves[0].mv;
    let mut counts = vec![0; moves.len()];
    for seed in 0..4000 {
        let drawn = draw(moves, best, settings, seed).unwrap_or(best);
        let idx = moves.iter().position(|root_move| root_move.mv == drawn);
        counts[idx.unwrap()] += 1;
    }
    counts
}

fn moves() -> [RootMove; 4] {
    [
        root_move("7g7f", 600, 0.55),
        root_move("2g2f", 300, 0.54),
        root_move("5g5f", 100, 0.30),
        root_move("9g9f", 0, 0.0),
    ]
}

#[test]
fn moves_are_drawn_by_visits_and_bad_ones_never() {
    let counts = counts(&moves(), &Settings::default());
    assert_eq!(counts[2..], [0, 0]);
    // 2 to 1; the bound is more than eight standard deviations wide.
    assert!((2400..=2930).contains(&counts[0]), "{counts:?}");
}

#[test]
fn a_low_temperature_draws_the_best_and_a_high_one_all_alike() {
    let with = |temperature| Settings {
        random_temperature: temperature,
        random_cutoff: 1000,
        ..Settings::default()
    };
    let cold = counts(&moves(), &with(10));
    assert_eq!(cold, [4000, 0, 0, 0]);
    let hot = counts(&moves(), &with(100_000));
    assert!(hot[..3].iter().all(|&n| 1100 < n), "{hot:?}");
}

#[test]
fn a_move_known_to_lose_is_not_drawn() {
    let mut moves = moves();
    moves[1].mate = Some(-4);
    assert_eq!(counts(&moves, &Settings::default())[1], 0);
}

#[test]
fn the_book_is_drawn_from_by_how_often_moves_were_played() {
    let entry = |usi: &str, count| BookMove {
        mv: usi.parse().unwrap(),
        reply: None,
        score_cp: None,
        depth: 0,
        count,
    };
    let moves = [entry("7g7f", 3), entry("2g2f", 1)];
    let n_first = (0..4000)
        .filter(|&seed| draw_from_book(&moves, seed) == Some(moves[0]))
        .count();
    assert!((2770..=3230).contains(&n_first), "{n_first}");
    assert_eq!(draw_from_book(&[], 1), None);
}
