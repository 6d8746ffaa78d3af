//! Axes of pictures: where numbers lie, and which of them are written.

/// Marks on an axis, about.
const MARKS: f64 = 6.0;

/// A range of numbers, laid onto a range of the picture.
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Axis {
    pub(super) fn place(&self, value: f64) -> f64 {
        let span = self.high - self.low;
        let share = if span > 0.0 {
            (value - self.low) / span
        } else {
            0.5
        };
        self.from + share * (self.to - self.from)
    }

    /// Round numbers within the range: 1, 2 or 5 times a power of ten apart.
    pub(super) fn marks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / MARKS;
        if !(rough > 0.0 && rough.is_finite()) {
            return vec![self.low];
        }
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// A number with few digits: `1.5M`, `20k`, `0.25`.
pub(super) fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        large if large >= 1e9 => (value / 1e9, "G"),
        large if large >= 1e6 => (value / 1e6, "M"),
        large if large >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{scaled:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{unit}")
}
