use super::*;
use crate::naive::tensor;
use crate::testing::tiny;
use model::Model;
use tch::Device;

fn network(heads: bool) -> Network {
    let model = Model::random(tiny(), 3, heads);
    Network::new(&tiny(), &|_| false, &mut |name| {
        tensor(&model.tensors[name])
    })
}

fn inputs(n: i64) -> (Tensor, Tensor) {
    let float = (Kind::Float, Device::Cpu);
    (
        Tensor::ones([n, 62, 9, 9], float),
        Tensor::ones([n, 57], float),
    )
}

#[test]
fn outputs_are_a_logit_per_label_and_three_for_the_result() {
    for n in [1, 5] {
        let (board, hands) = inputs(n);
        let outputs = network(true).forward_t(&board, &hands, Statistics::Running);
        assert_eq!(outputs.policy.size(), [n, N_LABELS as i64]);
        assert_eq!(outputs.wdl.size(), [n, 3]);
    }
}

#[test]
fn an_untrained_network_prefers_nothing() {
    let (board, hands) = inputs(2);
    let outputs = network(false).forward_t(&board, &hands, Statistics::Batch(0.1));
    assert_eq!(outputs.policy.abs().max().double_value(&[]), 0.0);
    assert_eq!(outputs.wdl.abs().max().double_value(&[]), 0.0);
}

#[test]
fn policy_index_is_81_times_plane_plus_square() {
    let mut model = Model::random(tiny(), 3, true);
    // All channels of the trunk see one square only through their own 1x1 policy weight: a plane
    // of zeros in the weight leaves the bias of exactly its 81 labels.
    let weights = &mut model.tensors.get_mut("policy.weight").unwrap().data;
    weights[5 * 8..6 * 8].fill(0.0);
    let network = Network::new(&tiny(), &|_| false, &mut |name| {
        tensor(&model.tensors[name])
    });
    let (board, hands) = inputs(1);
    let outputs = network.forward_t(&board, &hands, Statistics::Running);
    let logits = crate::layout::to_vec(&outputs.policy);
    let biases = &model.tensors["policy.bias"].data;
    for label in 0..N_LABELS {
        let is_bias = logits[label] == biases[label];
        assert_eq!(is_bias, label / 81 == 5, "label {label}");
    }
}

#[test]
fn hands_act_like_constant_planes() {
    let model = Model::random(tiny(), 3, true);
    let get = |name: &str| tensor(&model.tensors[name]);
    let hands = Tensor::rand([2, 57], (Kind::Float, Device::Cpu));
    let planes = hands
        .unsqueeze(-1)
        .unsqueeze(-1)
        .expand([2, 57, 9, 9], false);
    let weight = get("stem.hands.weight");
    let by_planes = planes.conv2d(&weight, None::<Tensor>, [1, 1], [0, 0], [1, 1], 1);
    let by_numbers = hands.linear(&weight.flatten(1, 3), None::<Tensor>);
    let difference = by_planes - by_numbers.unsqueeze(-1).unsqueeze(-1);
    assert!(difference.abs().max().double_value(&[]) < 1e-5);
}

#[test]
fn channels_last_changes_memory_and_not_numbers() {
    let x = Tensor::rand([2, 3, 4, 5], (Kind::Float, Device::Cpu));
    let y = channels_last(&x);
    assert_eq!(y.stride(), [60, 1, 15, 3]);
    assert_eq!(x, y);
}
