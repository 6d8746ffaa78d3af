use rules::{DeclarationRule, EndReason, PlyLimitStyle};

use super::*;
use crate::testing::{chain, random_game, small_game};

/// Set to rewrite the expected bytes of this crate's tests from what the code writes now.
const UPDATE: &str = "NARIKIN_UPDATE_GOLDEN";
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game_v1.hex");

fn hex(bytes: &[u8]) -> String {
    let lines = bytes.chunks(16).map(|line| {
        line.iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .join(" ")
            + "\n"
    });
    lines.collect()
}

#[test]
fn bytes_of_a_game_are_what_version_1_promises() {
    let found = hex(&encode_game(&small_game()));
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(GOLDEN, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(GOLDEN).unwrap());
}

#[test]
fn game_comes_back_as_it_was() {
    let game = small_game();
    let back = decode_game(&encode_game(&game)).unwrap();
    assert_eq!(
        (back.id, back.seed, back.generation),
        (game.id, game.seed, game.generation)
    );
    assert_eq!(back.start.to_string(), game.start.to_string());
    assert_eq!((back.rules, back.outcome), (game.rules, game.outcome));
    assert_eq!(back.plies.len(), game.plies.len());
    for (back, ply) in back.plies.iter().zip(&game.plies) {
        assert_eq!((back.mv, back.kind), (ply.mv, ply.kind));
        assert_eq!(back.value.is_some(), ply.value.is_some());
        let moves = |ply: &PlyRecord| ply.policy.iter().map(|&(mv, _)| mv).collect::<Vec<_>>();
        assert_eq!(moves(back), moves(ply));
        let numbers = |ply: &PlyRecord| {
            let policy = ply.policy.iter().map(|&(_, p)| p);
            ply.value
                .into_iter()
                .flatten()
                .chain(policy)
                .collect::<Vec<_>>()
        };
        for (back, number) in numbers(back).into_iter().zip(numbers(ply)) {
            assert!((back - number).abs() <= 1.0 / 65_535.0, "{back} {number}");
        }
    }
}

#[test]
fn game_that_was_read_is_written_with_the_same_bytes() {
    for seed in 0..50 {
        let bytes = encode_game(&random_game(seed, 80));
        let game = decode_game(&bytes).unwrap();
        game.check().unwrap();
        assert_eq!(encode_game(&game), bytes, "seed {seed}");
    }
}

#[test]
fn every_truncated_game_is_refused() {
    let bytes = encode_game(&small_game());
    for length in 0..bytes.len() {
        let fault = decode_game(&bytes[..length]).unwrap_err();
        assert!(
            matches!(fault, CodecFault::Truncated { .. }),
            "{length}: {fault}"
        );
    }
}

#[track_caller]
fn check_fault(change: impl FnOnce(&mut Vec<u8>), message: &str) {
    let mut bytes = encode_game(&small_game());
    change(&mut bytes);
    assert_eq!(chain(&decode_game(&bytes).unwrap_err()), message);
}

#[test]
fn faults_name_place_found_and_expected() {
    check_fault(
        |bytes| bytes.push(0),
        "1 bytes follow the end of the game at byte 127",
    );
    check_fault(
        |bytes| bytes[20] = 3,
        "found 3 as winner at byte 20, expected 0 to 2",
    );
    check_fault(
        |bytes| bytes[21] = 15,
        "found 15 as reason at byte 21, expected 0 to 14 or 32 to 44",
    );
    check_fault(
        |bytes| bytes[22] = 4,
        "found 4 as rules at byte 22, expected 0 to 3, plus 16 or 32 or both",
    );
    check_fault(
        |bytes| bytes[29] = 0xff,
        "the start position at byte 29 is not UTF-8",
    );
    check_fault(
        |bytes| bytes.truncate(10),
        "the game ends at byte 8 where 8 more bytes were expected",
    );
}

#[test]
fn game_without_ply_limit_comes_back_without_one() {
    let mut game = small_game();
    game.rules = GameRules {
        declaration: DeclarationRule::None,
        max_ply: None,
        ..game.rules
    };
    assert_eq!(decode_game(&encode_game(&game)).unwrap().rules, game.rules);
}

#[test]
fn game_comes_back_with_its_rules_and_its_end() {
    for declaration in DeclarationRule::ALL {
        for max_ply_style in PlyLimitStyle::ALL {
            for credit_handicap in [false, true] {
                let mut game = small_game();
                game.rules = GameRules {
                    declaration,
                    credit_handicap,
                    max_ply: Some(500),
                    max_ply_style,
                };
                let back = decode_game(&encode_game(&game)).unwrap();
                assert_eq!(back.rules, game.rules);
            }
        }
    }
    for reason in EndReason::ALL {
        let mut game = small_game();
        game.outcome = Outcome::draw(reason);
        let back = decode_game(&encode_game(&game)).unwrap();
        assert_eq!(back.outcome, game.outcome);
    }
}

/// Row 14 of the rules' list of other programs' faults.
#[test]
fn a_start_in_check_comes_back_in_check() {
    let mut game = small_game();
    let sfen = "4k4/4P4/9/9/9/9/9/9/4K4 w Gg 1";
    game.start = Position::from_sfen(sfen).unwrap();
    game.plies.clear();
    let back = decode_game(&encode_game(&game)).unwrap();
    assert!(back.start.in_check());
    assert_eq!(back.start.legal_moves().len(), 5);
}

#[test]
fn quantized_policy_sums_to_exactly_one_and_drops_what_is_nothing() {
    let game = random_game(1, 40);
    for ply in game.plies.iter().filter(|ply| !ply.policy.is_empty()) {
        let policy = quantized_policy(&ply.policy);
        assert_eq!(
            policy
                .iter()
                .map(|&(_, rounded)| u32::from(rounded))
                .sum::<u32>(),
            65_535
        );
        assert!(policy.iter().all(|&(_, rounded)| rounded > 0));
    }
    assert!(quantized_policy(&[]).is_empty());
}
