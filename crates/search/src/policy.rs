//! Arithmetic with policies: softmax, entropy, divergence, the best of many.

/// Turns logits into probabilities in place: `exp(x - max) / sum`.
pub fn softmax(logits: &mut [f32]) {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for x in logits.iter_mut() {
        *x = (*x - max).exp();
        sum += *x;
    }
    logits.iter_mut().for_each(|x| *x /= sum);
}

/// Entropy of a distribution, in nats.
pub(crate) fn entropy(policy: &[f32]) -> f32 {
    policy.iter().map(|&p| -x_ln_y(p, p)).sum()
}

/// Kullback-Leibler divergence `sum(target * ln(target / reference))`, in nats, at least 0.
pub fn kl_divergence(target: impl Iterator<Item = f32>, reference: &[f32]) -> f32 {
    let divergence: f32 = target
        .zip(reference)
        .map(|(p, &r)| x_ln_y(p, p) - x_ln_y(p, r))
        .sum();
    // Rounding of two nearly equal policies can leave a hair below 0.
    divergence.max(0.0)
}

/// `x * ln(y)`, 0 where `x` is; a `y` that underflowed counts as the smallest number.
fn x_ln_y(x: f32, y: f32) -> f32 {
    if x == 0.0 {
        0.0
    } else {
        x * y.max(f32::MIN_POSITIVE).ln()
    }
}

/// The index with the highest score, the first of equals; `None` without candidates.
pub fn argmax(candidates: impl Iterator<Item = (usize, f32)>) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (idx, score) in candidates {
        if best.is_none_or(|(_, best_score)| best_score < score) {
            best = Some((idx, score));
        }
    }
    best.map(|(idx, _)| idx)
}

#[cfg(test)]
mod tests;
