use model::NetShape;

use super::*;
use crate::testing::tiny_shape;

fn net() -> Model {
    Model::random(tiny_shape(), 1, true)
}

#[test]
fn the_same_net_has_not_moved() {
    let health = NetHealth::of(&net(), Some(&net()));
    assert_eq!(health.change, Some(0.0));
    assert!(health.weight_norm > 0.0);
}

#[test]
fn running_statistics_are_no_parameters() {
    let (mut moved, before) = (net(), net());
    let variances = moved
        .tensors
        .iter_mut()
        .find(|(name, _)| name.ends_with("running_var"));
    variances.unwrap().1.data[0] = 0.25;
    let health = NetHealth::of(&moved, Some(&before));
    assert_eq!(health.change, Some(0.0));
    assert_eq!(health.variance_min, 0.25);
}

#[test]
fn change_is_a_share_of_the_weights() {
    let (mut moved, before) = (net(), net());
    for (name, tensor) in &mut moved.tensors {
        if !name.contains("running") {
            tensor.data.iter_mut().for_each(|number| *number *= 2.0);
        }
    }
    let change = NetHealth::of(&moved, Some(&before)).change.unwrap();
    assert!((change - 0.5).abs() < 1e-9, "{change}");
}

#[test]
fn of_a_net_without_one_of_its_shape_before_it_no_change_is_told() {
    assert_eq!(NetHealth::of(&net(), None).change, None);
    let other = NetShape {
        channels: 12,
        ..tiny_shape()
    };
    let other = Model::random(other, 1, true);
    let health = NetHealth::of(&net(), Some(&other));
    assert_eq!(health.change, None);
    let kept: NetHealth = serde_json::from_str(&serde_json::to_string(&health).unwrap()).unwrap();
    assert_eq!(kept, health);
}

#[test]
fn events_of_early_versions_did_not_know_a_change_of_one() {
    let told = |change: &str| {
        let text = format!(
            "{{\"weight_norm\":3.0,\"change\":{change},\"variance_min\":1.0,\"variance_max\":1.0,\
             \"policy_distance\":null,\"value_distance\":null,\"strangers\":0}}"
        );
        serde_json::from_str::<NetHealth>(&text).unwrap().change
    };
    assert_eq!(told("1.0"), None);
    assert_eq!(told("0.25"), Some(0.25));
}

#[test]
fn flipped_scores_are_correlated_the_wrong_way_however_small_they_are() {
    let flipped = [0.49, 0.50, 0.51, 0.52].map(|score| (score, 1.0 - score));
    assert!((correlation(&flipped).unwrap() + 1.0).abs() < 1e-9);
    let same = [0.4, 0.5, 0.6].map(|score| (score, score));
    assert!((correlation(&same).unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(correlation(&[(0.5, 0.5), (0.5, 0.501)]), None);
    assert_eq!(correlation(&[]), None);
}
