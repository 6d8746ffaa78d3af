use super::*;

fn net(seed: u64, heads: bool) -> Model {
    Model::random(NetShape::default(), seed, heads)
}

#[test]
fn a_random_net_fits_its_shape_and_depends_on_its_seed_only() {
    assert_eq!(net(1, true).check(), Ok(()));
    assert_eq!(net(1, true), net(1, true));
    assert_ne!(net(1, true), net(2, true));
}

#[test]
fn last_layers_are_zero_unless_asked_for() {
    for (heads, is_zero) in [(false, true), (true, false)] {
        let net = net(1, heads);
        for name in ["policy.weight", "value.fc2.weight"] {
            let all_zero = net.tensors[name].data.iter().all(|&x| x == 0.0);
            assert_eq!(all_zero, is_zero, "{name}");
        }
    }
}

#[test]
fn convolutions_have_the_variance_of_their_fan_in() {
    let weights = &net(1, true).tensors["blocks.3.conv2.weight"].data;
    let n = weights.len() as f32;
    let mean = weights.iter().sum::<f32>() / n;
    let variance = weights.iter().map(|x| x * x).sum::<f32>() / n;
    // 36,864 numbers: the mean strays by 5 of its standard deviations once in 1.7 million.
    let expected = 2.0 / (64.0 * 9.0);
    assert!(mean.abs() < 5.0 * (expected / n).sqrt(), "{mean}");
    assert!((variance / expected - 1.0).abs() < 0.04, "{variance}");
}
