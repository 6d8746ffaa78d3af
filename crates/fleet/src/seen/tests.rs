use std::collections::BTreeSet;

use super::*;
use crate::ids::game_id;

#[test]
fn every_game_is_new_once_in_whatever_order() {
    let mut seen = SeenGames::default();
    let mut slow = BTreeSet::new();
    // A generator of Knuth's; only its disorder matters.
    let mut state = 1_u64;
    for _ in 0..20_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let id = game_id(1 + (state >> 60) as u32, (state >> 40) as u32 % 1000);
        assert_eq!(seen.contains(id), slow.contains(&id));
        assert_eq!(seen.insert(id), slow.insert(id));
        assert!(seen.contains(id));
    }
    assert_eq!(seen.highest_worker(), 16);
}

#[test]
fn games_in_a_row_take_one_place() {
    let mut seen = SeenGames::default();
    for sequence in (0..1000).step_by(2).chain((1..1000).step_by(2)) {
        assert!(seen.insert(game_id(5, sequence)));
    }
    assert_eq!(seen.n_rows(), 1);
    for end in [u32::MAX, u32::MAX - 1] {
        assert!(seen.insert(game_id(5, end)));
        assert!(!seen.insert(game_id(5, end)));
    }
    assert_eq!(seen.n_rows(), 2);
    assert!(!seen.contains(game_id(6, 3)));
}
