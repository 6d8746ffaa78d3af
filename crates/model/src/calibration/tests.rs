use super::*;
use crate::testing::{SMALL, library, lively_net};

#[test]
fn there_are_whole_batches_of_positions_of_both_sides() {
    let positions: Vec<Position> = POSITIONS
        .lines()
        .map(|sfen| Position::from_sfen(sfen).unwrap())
        .collect();
    assert!(positions.len() >= 8 * BATCH);
    assert_eq!(positions.len() % BATCH, 0);
    let black = positions
        .iter()
        .filter(|position| position.side_to_move() == rules::Color::Black);
    assert!((positions.len() / 3..2 * positions.len() / 3).contains(&black.count()));
}

#[test]
fn every_activation_gets_a_range_that_its_numbers_fill() {
    if library().is_none() {
        return;
    }
    let model = lively_net(SMALL, 1);
    let ranges = calibrate(&model).unwrap();
    let (_, names) = to_observed_onnx(&model);
    assert_eq!(ranges.len(), names.len() + 1);
    assert_eq!(ranges[INPUT_BOARD], 255.0);
    for name in &names {
        assert!(
            (0.1..100.0).contains(&ranges[name]),
            "{name}: {}",
            ranges[name]
        );
    }
    // Twice the activations, twice the range: here by the batch normalisation before them.
    let mut louder = model.clone();
    for part in ["weight", "bias"] {
        let tensor = louder
            .tensors
            .get_mut(&format!("blocks.1.bn1.{part}"))
            .unwrap();
        tensor.data.iter_mut().for_each(|x| *x *= 2.0);
    }
    let doubled = calibrate(&louder).unwrap()["blocks.1.relu1"] / ranges["blocks.1.relu1"];
    assert!((1.9..2.1).contains(&doubled), "{doubled}");
}
