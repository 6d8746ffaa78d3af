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

#[track_caller]
fn check_refused(change: impl FnOnce(&mut NetShape), expected: &str) {
    let mut shape = NetShape::default();
    change(&mut shape);
    let (key, message) = shape.check().unwrap_err();
    assert_eq!(format!("{key} = {message}"), expected);
}

#[test]
fn parts_that_do_not_fit_the_trunk_are_refused_by_key() {
    check_refused(
        |shape| shape.squeeze_ratio = 65,
        "squeeze_ratio = 65: expected a number from 0 to 64",
    );
    check_refused(
        |shape| shape.pool_every = 6,
        "pool_every = 6: expected a number from 0 to 5",
    );
    for channels in [0, 64] {
        check_refused(
            |shape| (shape.pool_every, shape.pool_channels) = (1, channels),
            &format!("pool_channels = {channels}: expected a number from 1 to below channels = 64"),
        );
    }
    check_refused(
        |shape| shape.attention_blocks = 33,
        "attention_blocks = 33: expected a number from 0 to 32",
    );
    for heads in [0, 5] {
        check_refused(
            |shape| (shape.attention_blocks, shape.attention_heads) = (1, heads),
            &format!("attention_heads = {heads}: expected a number that divides channels = 64"),
        );
    }
}

#[test]
fn keys_of_parts_that_are_absent_are_not_looked_at() {
    let shape = NetShape {
        channels: 3,
        pool_channels: 0,
        attention_heads: 0,
        ..NetShape::default()
    };
    assert_eq!(shape.check(), Ok(()));
}

#[test]
fn people_are_told_what_the_net_is_made_of() {
    assert_eq!(NetShape::default().to_string(), "5 blocks, 64 channels");
    let shape = NetShape {
        squeeze_ratio: 8,
        pool_every: 2,
        attention_blocks: 1,
        ..NetShape::default()
    };
    assert_eq!(
        shape.to_string(),
        "5 blocks, 64 channels, squeeze-excite through 8, 16 channels pooled in every block of 2, \
         attention blocks: 1 of 4 heads"
    );
}

#[test]
fn every_pair_of_squares_finds_its_distance() {
    let indices = position_indices();
    let of = |from: usize, to: usize| indices[81 * from + to];
    let (corner, opposite) = (0, 80);
    assert_eq!(of(corner, corner), 8 * 17 + 8);
    assert_eq!(of(opposite, corner), 0);
    assert_eq!(of(corner, opposite), 16 * 17 + 16);
    // From the first file and rank to the first file and the second rank.
    assert_eq!(of(0, 1), 8 * 17 + 9);
    assert_eq!(of(0, 9), 9 * 17 + 8);
}

#[test]
fn tensors_are_listed_in_the_order_of_the_forward_pass() {
    let shape = NetShape {
        blocks: 1,
        channels: 16,
        value_channels: 4,
        value_hidden: 32,
        ..NetShape::default()
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
    let names = |shape: &NetShape| {
        let tensors = expected_tensors(shape).into_iter();
        tensors.map(|(name, _)| name).collect::<Vec<_>>()
    };
    let full = NetShape {
        squeeze_ratio: 4,
        pool_every: 1,
        pool_channels: 6,
        attention_blocks: 1,
        ..shape
    };
    let plain = names(&shape);
    let listed: Vec<String> = expected_tensors(&full)
        .iter()
        .filter(|(name, _)| !plain.contains(name))
        .filter(|(name, _)| !name.contains("running") && !name.contains("bn"))
        .map(|(name, shape)| format!("{name} {shape:?}"))
        .collect();
    let expected = [
        "blocks.0.pool.weight [10, 12]",
        "blocks.0.pool.bias [10]",
        "blocks.0.se.fc1.weight [4, 16]",
        "blocks.0.se.fc1.bias [4]",
        "blocks.0.se.fc2.weight [16, 4]",
        "blocks.0.se.fc2.bias [16]",
        "attention.0.qkv.weight [48, 16, 1, 1]",
        "attention.0.out.weight [16, 16, 1, 1]",
        "attention.0.fc1.weight [32, 16, 1, 1]",
        "attention.0.fc2.weight [16, 32, 1, 1]",
        "attention.0.position [4, 17, 17]",
    ];
    assert_eq!(listed, expected);
}
