use std::cell::Cell;

use rules::{GameRules, Position};

use super::*;

const IN_FIVE: &str = "6+B1k/9/9/9/9/9/9/9/9 b S 1";

fn game(sfen: &str) -> Game {
    Game::new(Position::from_sfen(sfen).unwrap(), GameRules::default())
}

/// A clock that moves by a millisecond each time that it is read.
fn clock() -> impl Fn() -> Instant {
    let now = Cell::new(Instant::now());
    move || {
        now.set(now.get() + Duration::from_millis(1));
        now.get()
    }
}

#[test]
fn a_mate_is_found_beside_a_search_in_small_steps() {
    let mut mate = RootMate::new(&game(IN_FIVE), None, 100_000);
    let clock = clock();
    for _ in 0..10_000 {
        mate.search(Duration::ZERO, &clock);
    }
    let line = mate.line().unwrap();
    assert_eq!((line.len(), line[0].to_string()), (5, "S*2b".to_owned()));
}

#[test]
fn a_solver_keeps_to_its_nodes_and_to_nothing_if_there_are_none() {
    for (most_nodes, is_found) in [(0, false), (1, false), (100_000, true)] {
        // Nothing in the second position is a mate; its memory is used again for the first one.
        let spare = RootMate::new(&game("9/9/9/9/9/9/9/9/4K4 b RG 1"), None, 10).into_solver();
        let mut mate = RootMate::new(&game(IN_FIVE), spare, most_nodes);
        mate.search(Duration::from_secs(1), &clock());
        assert_eq!(mate.line().is_some(), is_found && 0 < most_nodes);
        let nodes = mate.into_solver().map_or(0, |solver| solver.nodes());
        assert!(most_nodes == 0 || nodes <= u64::from(most_nodes));
    }
}
