use std::collections::HashSet;

use super::*;

/// Black mates by G*5b.
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

#[track_caller]
pub(super) fn check_choices(baseline: Baseline, sfen: &str, expected: &[&str]) {
    let position = position(sfen);
    let chosen: HashSet<String> = (0..200)
        .map(|seed| baseline.choose(&position, seed).unwrap().to_string())
        .collect();
    assert_eq!(chosen, expected.iter().map(|&mv| mv.to_owned()).collect());
}

#[track_caller]
fn check_gain(sfen: &str, mv: &str, expected: u32) {
    assert_eq!(gain(&position(sfen), mv.parse().unwrap()), expected, "{mv}");
}

#[test]
fn random_chooses_every_legal_move_about_equally_often() {
    let position = Position::startpos();
    let legal_moves = position.legal_moves();
    let mut counts = vec![0; legal_moves.len()];
    for seed in 0..3000 {
        let mv = Baseline::Random.choose(&position, seed).unwrap();
        counts[legal_moves.iter().position(|&legal| legal == mv).unwrap()] += 1;
    }
    // 100 expected of each, standard deviation 10: six of them.
    assert!(counts.iter().all(|&n| (40..160).contains(&n)), "{counts:?}");
}

#[test]
fn same_seed_gives_the_same_choice() {
    let position = Position::startpos();
    for seed in 0..20 {
        let choose = || Baseline::Greedy.choose(&position, seed);
        assert_eq!(choose(), choose());
    }
}

#[test]
fn all_but_random_give_mate_when_they_can() {
    for baseline in [Baseline::Mate1, Baseline::Greedy, Baseline::Material2] {
        let mut position = position(MATE_IN_ONE);
        let mate = baseline.choose(&position, 3).unwrap();
        position.do_move(mate);
        assert!(
            position.in_check() && position.legal_moves().is_empty(),
            "{mate}"
        );
    }
}

#[test]
fn nobody_moves_when_mated() {
    let mut mated = position(MATE_IN_ONE);
    mated.do_move("G*5b".parse().unwrap());
    for baseline in Baseline::ALL {
        assert_eq!(baseline.choose(&mated, 1), None);
    }
}

#[test]
fn greedy_takes_the_hanging_rook_rather_than_the_silver() {
    // The gold on 5e may take a rook on 5d, a silver on 4e or a pawn on 6e.
    let sfen = "k8/9/9/4r4/3pGs3/9/9/9/K8 b - 1";
    check_choices(Baseline::Greedy, sfen, &["5e5d"]);
}

#[test]
fn greedy_promotes_a_pawn_rather_than_capturing_a_knight() {
    // 2d2c+ gains 8, 5e5d takes a knight and gains 6.
    let sfen = "k8/9/9/4n2P1/4G4/9/9/9/K8 b - 1";
    check_choices(Baseline::Greedy, sfen, &["2d2c+"]);
}

#[test]
fn greedy_chooses_among_equal_gains_by_the_seed() {
    // Two pawns to take, both with the gold.
    let sfen = "k8/9/9/9/3pGp3/9/9/9/K8 b - 1";
    check_choices(Baseline::Greedy, sfen, &["5e6e", "5e4e"]);
}

#[test]
fn greedy_without_a_gain_chooses_any_move() {
    let position = Position::startpos();
    let chosen: HashSet<Move> = (0..1000)
        .filter_map(|seed| Baseline::Greedy.choose(&position, seed))
        .collect();
    assert_eq!(chosen.len(), 30);
}

#[test]
fn gain_adds_the_captured_piece_of_the_hand_and_the_promotion() {
    let sfen = "k8/9/4+p4/4P4/9/9/9/7R1/K8 b - 1";
    check_gain(sfen, "5d5c", 1);
    check_gain(sfen, "5d5c+", 9);
    check_gain(sfen, "2h2c+", 2);
    check_gain(sfen, "2h2d", 0);
    let sfen = "k6+r1/6S2/9/9/9/9/9/9/K8 b G 1";
    check_gain(sfen, "3b2a+", 16);
    check_gain(sfen, "G*5e", 0);
}

#[test]
fn gain_of_a_promotion_is_what_is_missing_to_a_gold() {
    check_gain("k8/9/9/4L4/9/9/9/9/K8 b - 1", "5d5c+", 4);
    check_gain("k8/9/9/9/4N4/9/9/9/K8 b - 1", "5e4c+", 3);
    check_gain("k8/9/9/4S4/9/9/9/9/K8 b - 1", "5d5c+", 1);
}
