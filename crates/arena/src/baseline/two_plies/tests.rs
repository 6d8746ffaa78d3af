use super::super::Baseline;
use super::super::tests::check_choices;
use super::*;

#[track_caller]
fn check_swing(sfen: &str, mv: &str, expected: i32) {
    let position = Position::from_sfen(sfen).unwrap();
    assert_eq!(swing(&position, mv.parse().unwrap()), expected, "{mv}");
}

#[test]
fn material2_leaves_a_guarded_pawn_alone_where_greedy_takes_it() {
    // The rook on 5e may take a pawn that a gold guards, or another that nobody guards.
    let sfen = "k8/9/4g4/4p4/4R3p/9/9/9/K8 b - 1";
    check_choices(Baseline::Greedy, sfen, &["5e5d", "5e1e"]);
    check_choices(Baseline::Material2, sfen, &["5e1e"]);
}

#[test]
fn material2_takes_a_guarded_rook_with_a_silver() {
    let sfen = "k8/9/4g4/4r4/4S4/9/9/9/K8 b - 1";
    check_choices(Baseline::Material2, sfen, &["5e5d"]);
}

#[test]
fn material2_moves_out_of_an_attack_when_there_is_nothing_to_take() {
    // The bishop on 5e is attacked by the pawn on 5d and cannot take it.
    let position = Position::from_sfen("1k7/9/9/4p4/4B4/9/9/9/K8 b - 1").unwrap();
    for seed in 0..50 {
        let mv = Baseline::Material2.choose(&position, seed).unwrap();
        assert_eq!(mv.from().unwrap().to_string(), "5e", "{mv}");
    }
}

#[test]
fn material2_prevents_a_mate_in_one_rather_than_taking_a_rook() {
    // White threatens G*5h; the bishop could take the rook on 9g.
    let sfen = "k8/9/9/9/9/9/r3p4/1B7/4K4 b g 1";
    check_choices(Baseline::Greedy, sfen, &["8h9g"]);
    let position = Position::from_sfen(sfen).unwrap();
    for seed in 0..50 {
        let mv = Baseline::Material2.choose(&position, seed).unwrap();
        let mut after = position.clone();
        after.do_move(mv);
        assert_eq!(after.mate_in_one(), None, "{mv}");
    }
}

#[test]
fn a_swing_counts_what_one_side_loses_and_the_other_gets() {
    let sfen = "k8/9/4+p4/4P4/9/4b4/4G4/7R1/K8 b - 1";
    // A tokin, worth a gold to its owner, comes into the hand as a pawn.
    check_swing(sfen, "5d5c", 9 + 1);
    check_swing(sfen, "5d5c+", 9 + 1 + 8);
    check_swing(sfen, "5g5f", 13 + 13);
    check_swing(sfen, "2h2c+", 2);
    check_swing(sfen, "2h2d", 0);
}

#[test]
fn a_promoted_rook_counts_two_more_than_in_the_hand() {
    check_swing("k6+r1/6S2/9/9/9/9/9/9/K8 b - 1", "3b2a+", 17 + 15 + 1);
}
