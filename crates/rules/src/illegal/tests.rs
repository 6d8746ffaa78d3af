use std::collections::BTreeMap;

use super::*;

/// Every move that could be written down: all squares to all squares, and all drops.
fn all_moves() -> Vec<Move> {
    (0..1 << 15).filter_map(Move::from_raw).collect()
}

/// Positions with everything that makes moves illegal: those of the perft list, which has pins,
/// checks, pawn-drop mates and near misses for both sides, and those of random games.
fn positions() -> Vec<Position> {
    let perft = include_str!("../../testdata/perft.tsv");
    let mut sfens: Vec<&str> = perft
        .lines()
        .skip(1)
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    sfens.dedup();
    let mut positions: Vec<Position> = sfens
        .into_iter()
        .map(|sfen| Position::from_sfen(sfen).unwrap())
        .collect();
    let mut stream = 11_u64;
    for _ in 0..3 {
        let mut position = Position::startpos();
        while position.has_legal_move() && position.ply() < 240 {
            let moves = position.legal_moves();
            stream = stream
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            // The generator's order may change: choose by the moves themselves.
            let mut sorted = moves.to_vec();
            sorted.sort_unstable();
            position.do_move(sorted[(stream >> 33) as usize % sorted.len()]);
            if position.ply().is_multiple_of(8) {
                positions.push(position.clone());
            }
        }
    }
    positions
}

#[test]
fn exactly_the_moves_that_are_not_generated_have_a_reason() {
    let all = all_moves();
    let mut seen = BTreeMap::new();
    let positions = positions();
    assert!(positions.len() > 120, "{}", positions.len());
    for position in &positions {
        let legal = position.legal_moves();
        let mut is_legal = vec![false; 1 << 15];
        for mv in &legal {
            is_legal[usize::from(mv.raw())] = true;
        }
        for &mv in &all {
            let reason = position.why_illegal(mv);
            assert_eq!(
                reason.is_none(),
                is_legal[usize::from(mv.raw())],
                "{mv} in {position}: {reason:?}"
            );
            if let Some(reason) = reason {
                *seen.entry(reason).or_insert(0) += 1;
            }
        }
    }
    let seen: Vec<IllegalReason> = seen.into_keys().collect();
    assert_eq!(seen, IllegalReason::ALL, "every reason came up");
}

#[track_caller]
fn check(sfen: &str, mv: &str, expected: IllegalReason) {
    let position = Position::from_sfen(sfen).unwrap();
    assert_eq!(position.why_illegal(mv.parse().unwrap()), Some(expected));
}

const STARTPOS: &str = crate::STARTPOS_SFEN;

#[test]
fn a_move_must_begin_with_a_piece_of_the_side_to_move() {
    check(STARTPOS, "5e5d", IllegalReason::EmptyOrigin);
    check(STARTPOS, "3c3d", IllegalReason::WrongTurn);
}

#[test]
fn a_piece_moves_its_way_and_over_nothing() {
    check(STARTPOS, "7g7e", IllegalReason::WrongMovement);
    check(STARTPOS, "2i3g", IllegalReason::OntoOwnPiece);
    check(STARTPOS, "8h3c+", IllegalReason::BlockedPath);
    check(STARTPOS, "2h2c+", IllegalReason::BlockedPath);
    check(STARTPOS, "4i4h+", IllegalReason::CannotPromote);
    check(STARTPOS, "2h3h+", IllegalReason::PromotionOutsideZone);
    check(STARTPOS, "1i1h+", IllegalReason::PromotionOutsideZone);
    // Its own piece stands there, but it could not go there anyway.
    check(STARTPOS, "1i1g", IllegalReason::OntoOwnPiece);
    check(STARTPOS, "1i2h", IllegalReason::WrongMovement);
}

#[test]
fn a_piece_that_could_never_move_again_must_promote() {
    let sfen = "k8/2P1L4/4P1N2/6N2/9/9/9/9/8K b NLP 1";
    check(sfen, "5b5a", IllegalReason::DeadPiece);
    check(sfen, "7b7a", IllegalReason::DeadPiece);
    check(sfen, "3d2b", IllegalReason::DeadPiece);
    check(sfen, "P*1a", IllegalReason::DeadPiece);
    check(sfen, "L*1a", IllegalReason::DeadPiece);
    check(sfen, "N*1b", IllegalReason::DeadPiece);
}

#[test]
fn a_drop_needs_a_piece_in_hand_and_an_empty_square() {
    let sfen = "k8/9/9/9/9/9/2P6/9/K8 b PS 1";
    check(sfen, "G*5e", IllegalReason::NotInHand);
    check(sfen, "S*7g", IllegalReason::DropOntoPiece);
    check(sfen, "P*7d", IllegalReason::TwoPawns);
    // The square is the first thing that is wrong.
    check(sfen, "P*7g", IllegalReason::DropOntoPiece);
}

#[test]
fn the_own_king_must_not_be_takable_after_the_move() {
    // Left in check, stepping into check, and opening a pin.
    check(
        "4r4/9/9/9/9/9/9/9/k3K3P b - 1",
        "1i1h",
        IllegalReason::LeftInCheck,
    );
    check(
        "3r5/9/9/9/9/9/9/9/k3K4 b - 1",
        "5i6i",
        IllegalReason::LeftInCheck,
    );
    check(
        "4r4/9/9/9/9/9/4G4/9/k3K4 b - 1",
        "5g4g",
        IllegalReason::LeftInCheck,
    );
    // A drop that does not come between.
    check(
        "4r4/9/9/9/9/9/9/9/k3K4 b G 1",
        "G*1e",
        IllegalReason::LeftInCheck,
    );
}

#[test]
fn only_a_dropped_pawn_must_not_mate() {
    let sfen = "8k/9/7+R1/9/9/9/9/9/K8 b LP 1";
    check(sfen, "P*1b", IllegalReason::PawnDropMate);
    let position = Position::from_sfen(sfen).unwrap();
    assert_eq!(position.why_illegal("L*1b".parse().unwrap()), None);
    assert_eq!(position.why_illegal("P*9h".parse().unwrap()), None);
}

#[test]
fn a_reason_is_a_sentence_behind_the_move() {
    let mut game = crate::Game::new(
        Position::from_sfen("8k/9/7+R1/9/9/9/9/9/K8 b P 1").unwrap(),
        crate::GameRules::default(),
    );
    let error = game.play("P*1b".parse().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "move P*1b is illegal in 8k/9/7+R1/9/9/9/9/9/K8 b P 1: a dropped pawn may not mate \
         (uchifuzume)"
    );
    for reason in IllegalReason::ALL {
        let sentence = reason.to_string();
        assert!(!sentence.ends_with('.'), "{sentence}");
        assert!(
            sentence.starts_with(|c: char| c.is_lowercase()),
            "{sentence}"
        );
    }
}
