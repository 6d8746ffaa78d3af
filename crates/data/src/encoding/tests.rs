use sha2::{Digest, Sha256};

use super::*;
use crate::testing::random_positions;

const FEATURES: &str = include_str!("../../testdata/dlshogi_features.tsv");

fn board(position: &Position) -> Vec<f32> {
    // Rubbish at first: every value must be written.
    let mut planes = vec![7.0; BOARD_PLANES * 81];
    encode_board(position, &mut planes);
    planes
}

fn board_mirrored(position: &Position) -> Vec<f32> {
    let mut planes = vec![7.0; BOARD_PLANES * 81];
    encode_board_mirrored(position, &mut planes);
    planes
}

fn hands(position: &Position) -> Vec<f32> {
    let mut planes = vec![7.0; HAND_PLANES];
    encode_hands(position, &mut planes);
    planes
}

fn sha256(values: &[f32]) -> String {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    format!("{:x}", Sha256::digest(bytes))
}

fn packed_hex(values: &[f32]) -> String {
    let byte = |values: &[f32]| {
        values
            .iter()
            .enumerate()
            .fold(0u8, |byte, (bit, &value)| byte | (value as u8) << bit)
    };
    values
        .chunks(8)
        .map(|values| format!("{:02x}", byte(values)))
        .collect()
}

fn joined(numbers: impl Iterator<Item = String>) -> String {
    numbers.collect::<Vec<_>>().join(",")
}

#[test]
fn planes_in_bytes_are_the_same_numbers() {
    for position in random_positions(6, 50) {
        let mut bytes = vec![7; BOARD_PLANES * 81];
        encode_board_bytes(&position, &mut bytes);
        let planes: Vec<f32> = bytes.into_iter().map(f32::from).collect();
        assert_eq!(planes, board(&position), "{position}");
    }
}

#[test]
fn packed_planes_are_the_planes_bit_by_bit() {
    for position in random_positions(5, 200) {
        let mut bytes = vec![0xff; PACKED_BYTES];
        encode_packed(&position, &mut bytes);
        let bits = (0..8 * PACKED_BYTES).map(|i| f32::from(bytes[i / 8] >> (i % 8) & 1));
        let mut planes = [board(&position), hands(&position)].concat();
        planes.resize(8 * PACKED_BYTES, 0.0);
        assert_eq!(bits.collect::<Vec<_>>(), planes, "{position}");
    }
}

#[test]
fn planes_are_dlshogis_in_its_sample_positions() {
    let mut n_rows = 0;
    for row in FEATURES.lines().filter(|line| !line.starts_with('#')) {
        let row: Vec<_> = row.split('\t').collect();
        let [id, sfen] = [row[0], row[1]];
        let position = Position::from_sfen(sfen).expect(sfen);

        let board = board(&position);
        let sums = board
            .chunks(81)
            .map(|plane| plane.iter().sum::<f32>().to_string());
        assert_eq!(joined(sums), row[5], "sums of board planes, {id}");
        assert_eq!(packed_hex(&board), row[7], "board planes, {id}");
        assert_eq!(sha256(&board), row[3], "board planes, {id}");

        let hands = hands(&position);
        let set = (0..HAND_PLANES).filter(|&plane| hands[plane] == 1.0);
        let set = joined(set.map(|plane| plane.to_string()));
        assert_eq!(
            if set.is_empty() { "-" } else { &set },
            row[6],
            "hand planes, {id}"
        );
        assert_eq!(packed_hex(&hands), row[8], "hand planes, {id}");
        let full: Vec<f32> = hands.iter().flat_map(|&value| [value; 81]).collect();
        assert_eq!(sha256(&full), row[4], "hand planes, {id}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 38);
}

#[test]
fn mirroring_planes_is_mirroring_the_position() {
    for position in random_positions(2, 100) {
        let mut expected = vec![0.0; BOARD_PLANES * 81];
        for (plane, mirrored) in board(&position).chunks(81).zip(expected.chunks_mut(81)) {
            for (file, squares) in plane.chunks(9).enumerate() {
                mirrored[9 * (8 - file)..][..9].copy_from_slice(squares);
            }
        }
        assert_eq!(board(&position.mirrored()), expected, "{position}");
        assert_eq!(board_mirrored(&position), expected, "{position}");
        assert_eq!(hands(&position.mirrored()), hands(&position), "{position}");
    }
}

#[test]
fn hand_planes_tell_check() {
    let check = Position::from_sfen("4k4/9/9/9/4r4/9/9/9/4K4 b - 1").unwrap();
    assert_eq!(hands(&check)[56], 1.0);
    assert_eq!(hands(&Position::startpos())[56], 0.0);
}
