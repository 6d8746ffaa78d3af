use data::PlyRecord;
use rules::{Game, GameRules, Outcome, Position};

use super::*;

/// A game of `n` plies, always the first legal move, in which the side to move believes to win where
/// `believes` says so.
fn game(
    n: usize,
    winner: Option<Color>,
    reason: EndReason,
    believes: fn(Color) -> bool,
) -> GameRecord {
    let rules = GameRules::default();
    let mut game = Game::new(Position::startpos(), rules);
    let mut plies = Vec::new();
    for ply in 0..n {
        let legal = game.position().legal_moves();
        let win = if believes(game.position().side_to_move()) {
            0.9
        } else {
            0.1
        };
        plies.push(PlyRecord {
            mv: legal[ply % legal.len()],
            kind: PlyKind::Full,
            value: Some([win, 0.0, 1.0 - win]),
            policy: Vec::new(),
        });
        let mv = plies[ply].mv;
        game.play_unchecked(mv);
    }
    GameRecord {
        id: 1,
        seed: 1,
        generation: 1,
        start: Position::startpos(),
        rules,
        plies,
        outcome: Outcome { winner, reason },
    }
}

fn black(color: Color) -> bool {
    color == Color::Black
}

#[test]
fn shares_are_of_the_games_that_are_kept() {
    let mut recent = RecentGames::default();
    let totals = SearchTotals {
        n_networks: 10,
        entropy_nats: 20.0,
        kl_nats: 3.0,
        n_overridden: 4,
        n_visited_moves: 50,
        prior_ranks: 20,
        ..SearchTotals::default()
    };
    recent.add(
        &game(20, Some(Color::Black), EndReason::Resignation, black),
        &totals,
    );
    recent.add(&game(30, None, EndReason::PlyLimit, black), &totals);
    recent.add(&game(40, None, EndReason::Repetition, black), &totals);
    recent.add(
        &game(50, Some(Color::White), EndReason::Declaration, black),
        &totals,
    );
    let health = recent.health();
    assert_eq!(health.games, 4);
    let shares = [
        health.black_share,
        health.white_share,
        health.draw_share,
        health.cap_share,
        health.repetition_share,
        health.declared_share,
        health.resigned_share,
    ];
    assert_eq!(shares, [0.25, 0.25, 0.5, 0.25, 0.25, 0.25, 0.25]);
    assert_eq!((health.plies_median, health.plies_p90), (40, 50));
    assert_eq!(health.top_line_share, 1.0);
    assert_eq!(health.lines_share, 0.25);
    assert_eq!(health.network_entropy, Some(2.0));
    assert!((health.policy_divergence.unwrap() - 0.3).abs() < 1e-6);
    assert_eq!(health.overridden_share, Some(0.4));
    assert_eq!(
        (health.visited_moves, health.prior_rank),
        (Some(5.0), Some(2.0))
    );
}

#[test]
fn the_search_is_right_near_the_end_where_it_expects_the_winner() {
    let mut recent = RecentGames::default();
    let won = game(30, Some(Color::Black), EndReason::Resignation, black);
    recent.add(&won, &SearchTotals::default());
    let health = recent.health();
    assert_eq!(health.near_end_positions, NEAR_END as u64);
    assert_eq!(health.value_sign_near_end, Some(1.0));
    let mut recent = RecentGames::default();
    let lost = game(30, Some(Color::White), EndReason::Resignation, black);
    recent.add(&lost, &SearchTotals::default());
    assert_eq!(recent.health().value_sign_near_end, Some(0.0));
}

#[test]
fn without_games_nothing_is_known() {
    let health = RecentGames::default().health();
    assert_eq!(health, GameHealth::default());
}

#[test]
fn only_the_newest_games_are_kept() {
    let mut recent = RecentGames::default();
    let old = game(1, Some(Color::Black), EndReason::Resignation, black);
    let new = game(1, Some(Color::White), EndReason::Resignation, black);
    recent.add(&old, &SearchTotals::default());
    for _ in 0..KEPT {
        recent.add(&new, &SearchTotals::default());
    }
    let health = recent.health();
    assert_eq!(health.games, KEPT as u64);
    assert_eq!(health.black_share, 0.0);
}
