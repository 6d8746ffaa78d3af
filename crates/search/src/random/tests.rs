use super::{Noise, mix_seed};

#[test]
fn seeds_of_neighbouring_streams_differ_and_arguments_do_not_commute() {
    assert_ne!(mix_seed(1, 2), mix_seed(2, 1));
    assert_ne!(mix_seed(0, 0), mix_seed(0, 1));
    assert_ne!(mix_seed(0, 0), 0);
    let differing_bits = (mix_seed(7, 8) ^ mix_seed(7, 9)).count_ones();
    assert!(
        (16..=48).contains(&differing_bits),
        "{differing_bits} bits differ"
    );
}

/// The records of a run name their seeds: this number may only change with their format.
#[test]
fn the_seed_of_a_stream_never_changes() {
    assert_eq!(mix_seed(0, 0), 0xa706_dd2f_4d19_7e6f);
    assert_eq!(mix_seed(42, 1234), 0x0ce7_b060_8261_a696);
}

/// Mean and variance of a sample.
fn moments(samples: &[f32]) -> (f32, f32) {
    let n = samples.len() as f32;
    let mean = samples.iter().sum::<f32>() / n;
    (
        mean,
        samples.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / n,
    )
}

/// 10,000 samples: the bounds are six standard errors, so a right generator fails for about one
/// seed in 10^8; the seed is fixed.
#[test]
fn gumbel_noise_has_the_moments_of_the_standard_gumbel_distribution() {
    let mut noise = vec![0.0; 10_000];
    Noise::new(1).fill_gumbel(&mut noise);
    let (mean, variance) = moments(&noise);
    assert!((mean - 0.5772).abs() < 0.077, "mean {mean}");
    assert!((variance - 1.6449).abs() < 0.21, "variance {variance}");
}

/// A component of Dirichlet(0.15, 80 times) has mean 1/80 and variance
/// (1/80)(79/80)/(80 * 0.15 + 1) = 0.00095; 2,000 draws, bounds at five standard errors.
#[test]
fn dirichlet_noise_sums_to_one_and_has_the_right_spread() {
    let mut rng = Noise::new(2);
    let mut noise = vec![0.0; 80];
    let mut firsts = Vec::new();
    for _ in 0..2_000 {
        rng.fill_dirichlet(0.15, &mut noise);
        assert!((noise.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(noise.iter().all(|&x| 0.0 <= x));
        firsts.push(noise[0]);
    }
    let (mean, variance) = moments(&firsts);
    assert!((mean - 0.0125).abs() < 0.0035, "mean {mean}");
    assert!((variance - 0.00095).abs() < 0.0006, "variance {variance}");
}

#[test]
fn dirichlet_noise_with_a_vanishing_parameter_is_still_a_distribution() {
    let mut noise = vec![0.0; 5];
    Noise::new(3).fill_dirichlet(1e-6, &mut noise);
    assert_eq!(noise.iter().sum::<f32>(), 1.0);
}

#[test]
fn the_same_seed_gives_the_same_noise() {
    let (mut first, mut second) = (vec![0.0; 10], vec![0.0; 10]);
    Noise::new(4).fill_gumbel(&mut first);
    Noise::new(4).fill_gumbel(&mut second);
    assert_eq!(first, second);
    Noise::new(5).fill_gumbel(&mut second);
    assert_ne!(first, second);
}
