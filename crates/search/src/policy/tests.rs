use super::{argmax, entropy, kl_divergence, softmax};

#[track_caller]
fn check_close(found: f32, expected: f32) {
    assert!(
        (found - expected).abs() < 1e-5,
        "found {found}, expected {expected}"
    );
}

#[test]
fn softmax_sums_to_one_for_any_logits() {
    for mut logits in [vec![0.0], vec![1e30, -1e30, 0.0], vec![-500.0, -500.0]] {
        softmax(&mut logits);
        check_close(logits.iter().sum(), 1.0);
    }
    let mut logits = [0.0, f32::ln(3.0)];
    softmax(&mut logits);
    check_close(logits[1], 0.75);
}

#[test]
fn entropy_is_that_of_the_textbook() {
    check_close(entropy(&[0.25; 4]), f32::ln(4.0));
    check_close(entropy(&[1.0, 0.0]), 0.0);
}

#[test]
fn divergence_is_zero_for_equal_policies_and_positive_for_others() {
    assert_eq!(kl_divergence([0.3, 0.7].into_iter(), &[0.3, 0.7]), 0.0);
    check_close(
        kl_divergence([1.0, 0.0].into_iter(), &[0.25, 0.75]),
        f32::ln(4.0),
    );
    assert!(kl_divergence([1.0, 0.0].into_iter(), &[0.0, 1.0]).is_finite());
}

#[test]
fn the_first_of_equals_is_the_best() {
    assert_eq!(argmax([(4, 1.0), (7, 2.0), (2, 2.0)].into_iter()), Some(7));
    assert_eq!(argmax(std::iter::empty()), None);
}
