//! Probabilities as 16-bit numbers that still sum to one.

/// The value that stands for probability 1.
pub(crate) const ONE: u16 = u16::MAX;

/// Rounds a distribution to multiples of 1/65,535 that sum to exactly one, by largest remainder
/// (ties go to the earlier entry). A distribution made of such multiples comes back unchanged.
///
/// `probabilities` must be finite, not negative, and have a positive sum; they are scaled to sum
/// to 1.
pub(crate) fn quantize(probabilities: &[f32]) -> Vec<u16> {
    let sum: f64 = probabilities.iter().map(|&p| f64::from(p)).sum();
    let scaled: Vec<f64> = probabilities
        .iter()
        .map(|&p| f64::from(p) / sum * f64::from(ONE))
        .collect();
    let mut rounded: Vec<u16> = scaled.iter().map(|&s| s as u16).collect();
    let given: u32 = rounded.iter().map(|&r| u32::from(r)).sum();
    let left = (u32::from(ONE).saturating_sub(given)) as usize;
    let mut by_remainder: Vec<usize> = (0..scaled.len()).collect();
    by_remainder.sort_by(|&a, &b| {
        scaled[b]
            .fract()
            .total_cmp(&scaled[a].fract())
            .then(a.cmp(&b))
    });
    for &entry in by_remainder.iter().take(left) {
        rounded[entry] = rounded[entry].saturating_add(1);
    }
    rounded
}

/// The probability that a 16-bit number stands for.
pub(crate) fn probability(rounded: u16) -> f32 {
    f32::from(rounded) / f32::from(ONE)
}
