use super::*;
use crate::testing::mv;

const VECTORS: &str = include_str!("../../../testdata/move16.tsv");

/// USI move, Apery's number, YaneuraOu's number.
fn vectors() -> Vec<(Move, u16, u16)> {
    VECTORS
        .lines()
        .take_while(|line| *line != "#special")
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (
                mv(fields[0]),
                fields[1].parse().unwrap(),
                fields[3].parse().unwrap(),
            )
        })
        .collect()
}

#[test]
fn both_codes_are_those_of_the_published_vectors() {
    assert_eq!(vectors().len(), 34);
    for (mv, apery, yaneuraou) in vectors() {
        for (code, raw) in [(MoveCode::Apery, apery), (MoveCode::YaneuraOu, yaneuraou)] {
            assert_eq!(code.write(Some(mv)), raw, "{mv} {code:?}");
            assert_eq!(code.read(raw), Some(Some(mv)), "{mv} {code:?}");
        }
    }
}

#[test]
fn a_drop_in_the_shifted_code_is_one_higher_than_in_aperys() {
    assert_eq!(MoveCode::Shifted.write(Some(mv("P*5e"))), 0x2928);
    assert_eq!(MoveCode::Shifted.read(0x2928), Some(Some(mv("P*5e"))));
    // Apery's pawn drop has no meaning there.
    assert_eq!(MoveCode::Shifted.read(0x28a8), None);
    assert_eq!(MoveCode::Shifted.read(0x480a), Some(Some(mv("2h2b+"))));
}

#[test]
fn words_that_are_no_moves_are_read_as_none() {
    for code in MoveCode::ALL {
        assert_eq!(code.read(0), Some(None));
        assert_eq!(code.write(None), 0);
    }
    for word in [129, 258, 387] {
        assert_eq!(MoveCode::YaneuraOu.read(word), Some(None));
        assert_eq!(MoveCode::Apery.read(word), None);
    }
}

#[test]
fn every_number_is_a_move_of_its_code_or_refused() {
    for code in MoveCode::ALL {
        let moves = (1..=u16::MAX).filter(|&raw| match code.read(raw) {
            Some(Some(mv)) => {
                assert_eq!(code.write(Some(mv)), raw, "{code:?} {mv}");
                true
            }
            _ => false,
        });
        // 81 * 80 pairs of squares, with and without promotion, and seven kinds of drops.
        assert_eq!(moves.count(), 2 * 81 * 80 + 7 * 81, "{code:?}");
    }
}
