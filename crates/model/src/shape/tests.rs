use super::*;

#[test]
fn a_shape_out_of_range_is_refused_by_key() {
    let shape = NetShape {
        channels: 2000,
        ..NetShape::default()
    };
    assert_eq!(
        shape.check(),
        Err((
            "channels",
            "2000: expected a number from 1 to 1024".to_owned()
        ))
    );
    assert_eq!(NetShape::default().check(), Ok(()));
}

#[test]
fn tensors_are_listed_in_the_order_of_the_forward_pass() {
    let shape = NetShape {
        blocks: 1,
        channels: 16,
        value_channels: 4,
        value_hidden: 32,
    };
    let listed: Vec<String> = expected_tensors(&shape)
        .iter()
        .filter(|(name, _)| !name.contains("running") && !name.contains("bn"))
        .map(|(name, shape)| format!("{name} {shape:?}"))
        .collect();
    let expected = [
        "stem.board.weight [16, 62, 3, 3]",
        "stem.hands.weight [16, 57, 1, 1]",
        "blocks.0.conv1.weight [16, 16, 3, 3]",
        "blocks.0.conv2.weight [16, 16, 3, 3]",
        "policy.weight [27, 16, 1, 1]",
        "policy.bias [2187]",
        "value.conv.weight [4, 16, 1, 1]",
        "value.fc1.weight [32, 324]",
        "value.fc1.bias [32]",
        "value.fc2.weight [3, 32]",
        "value.fc2.bias [3]",
    ];
    assert_eq!(listed, expected);
}
