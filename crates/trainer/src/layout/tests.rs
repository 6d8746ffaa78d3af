use super::*;
use crate::testing::tiny_with_all_parts;
use model::Model;

fn shape() -> NetShape {
    NetShape {
        blocks: 2,
        channels: 5,
        value_channels: 2,
        value_hidden: 3,
        ..NetShape::default()
    }
}

#[test]
fn unpacked_tensors_are_those_that_were_packed() {
    let model = Model::random(shape(), 1, true);
    let layout = Layout::new(shape(), &AuxiliaryOptions::default());
    let weights = layout.pack(&model.tensors, Device::Cpu);
    assert_eq!(weights.parameters.size(), [layout.n_parameters() as i64]);
    assert_eq!(weights.statistics.size(), [2 * (5 * 5 + 2)]);
    assert_eq!(layout.unpack(&weights), model.tensors);
    let model = Model::random(tiny_with_all_parts(), 1, true);
    let layout = Layout::new(tiny_with_all_parts(), &AuxiliaryOptions::default());
    let weights = layout.pack(&model.tensors, Device::Cpu);
    assert_eq!(layout.unpack(&weights), model.tensors);
}

#[test]
fn weight_decay_covers_convolutions_and_fully_connected_weights_only() {
    for shape in [shape(), tiny_with_all_parts()] {
        check_decayed(shape);
    }
}

#[track_caller]
fn check_decayed(shape: NetShape) {
    let layout = Layout::new(shape, &AuxiliaryOptions::default());
    let decayed: usize = expected_tensors(&shape)
        .iter()
        .filter(|(name, _)| name.ends_with(".weight") && !name.contains("bn"))
        .map(|(_, shape)| shape.iter().product::<usize>())
        .sum();
    assert_eq!(layout.n_decayed(), decayed);
    let mut marks = vec![0.0_f32; layout.n_parameters()];
    marks[..decayed].fill(1.0);
    for (name, tensor) in layout.unpack_parameters(&Tensor::from_slice(&marks)) {
        let expected = name.ends_with(".weight") && !name.contains("bn");
        let mark = if expected { 1.0 } else { 0.0 };
        assert!(tensor.data.iter().all(|&x| x == mark), "{name}");
    }
}

#[test]
fn convolution_views_are_channels_last_without_a_copy() {
    let model = Model::random(shape(), 1, true);
    let layout = Layout::new(shape(), &AuxiliaryOptions::default());
    let weights = layout.pack(&model.tensors, Device::Cpu);
    let slot = &layout.slots[0];
    assert_eq!(slot.name, "stem.board.weight");
    let view = slot.view(&weights.parameters.narrow(0, 0, slot.len as i64));
    assert_eq!(view.size(), [5, 62, 3, 3]);
    assert_eq!(view.stride(), [62 * 9, 1, 3 * 62, 62]);
    assert_eq!(view.data_ptr(), weights.parameters.data_ptr());
    assert_eq!(
        to_vec(&view.contiguous()),
        model.tensors["stem.board.weight"].data
    );
}
