//! Counting numbers from 0 on whose size is not known beforehand.

/// Bins: far more than the 256 steps that 8 bits have.
const BINS: usize = 4096;

/// Ends of a range that are tried, evenly spread up to the largest number.
const TRIED: usize = 128;

/// How often numbers of which size occur.
#[derive(Debug, Clone)]
pub(super) struct Histogram {
    /// Where the last bin ends: a power of two.
    top: f32,
    bins: Vec<u64>,
    largest: f32,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            top: 1.0,
            bins: vec![0; BINS],
            largest: 0.0,
        }
    }
}

impl Histogram {
    /// Counts numbers; those below 0 count as 0.
    pub(super) fn add(&mut self, values: &[f32]) {
        let largest = values.iter().copied().fold(0.0, f32::max);
        self.largest = self.largest.max(largest);
        while self.top < largest && largest.is_finite() {
            self.double();
        }
        let per_unit = BINS as f32 / self.top;
        for value in values {
            self.bins[((value * per_unit) as usize).min(BINS - 1)] += 1;
        }
    }

    /// Lets each bin take what two had.
    fn double(&mut self) {
        self.top *= 2.0;
        for bin in 0..BINS {
            let pair = self.bins.get(2 * bin..2 * bin + 2);
            self.bins[bin] = pair.map_or(0, |pair| pair.iter().sum());
        }
    }

    /// The end of the range of 255 equal steps from 0 on that the numbers fit best: with the smallest
    /// sum of squares of what rounding to a step and cutting off at the end change.
    ///
    /// A range up to the very largest number would be wasted where few are anywhere near it.
    pub(super) fn best_range(&self) -> f32 {
        let tried = (1..=TRIED).map(|n| self.largest * n as f32 / TRIED as f32);
        let best = tried.min_by(|&a, &b| self.loss(a).total_cmp(&self.loss(b)));
        // A channel of zeros fits any range.
        best.filter(|&range| range > 0.0).unwrap_or(1.0)
    }

    fn loss(&self, range: f32) -> f64 {
        let step = f64::from(range) / 255.0;
        // The mean square of numbers between -1/2 and 1/2 step.
        let rounding = step * step / 12.0;
        let width = f64::from(self.top) / BINS as f64;
        // Zero, which most activations are, is exact.
        let counted = self.bins.iter().enumerate().skip(1);
        counted
            .map(|(bin, &count)| {
                let value = (bin as f64 + 0.5) * width;
                let beyond = (value - f64::from(range)).max(0.0);
                let lost = if beyond > 0.0 {
                    beyond * beyond
                } else {
                    rounding
                };
                count as f64 * lost
            })
            .sum()
    }
}

#[cfg(test)]
mod tests;
