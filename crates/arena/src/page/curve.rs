//! A curve of strength as a picture: Elo over games, samples or hours, with its error as a band.

use std::fmt::Write as _;

use serde::Serialize;

use super::escape;

/// A curve of Elo over something.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Curve {
    /// What it shows.
    pub title: String,
    /// What the points are over, such as `hours`.
    pub unit: String,
    /// Points, by rising `at`.
    pub points: Vec<CurvePoint>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurvePoint {
    /// Where: games, samples or hours.
    pub at: f64,
    /// Elo.
    pub elo: f64,
    /// Half the width of Elo's 95 % interval.
    pub error: f64,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 20.0;

/// Marks on an axis, about.
const MARKS: f64 = 6.0;

/// A range of numbers, laid onto a range of the picture.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let span = self.high - self.low;
        let share = if span > 0.0 {
            (value - self.low) / span
        } else {
            0.5
        };
        self.from + share * (self.to - self.from)
    }

    /// Round numbers within the range: 1, 2 or 5 times a power of ten apart.
    fn marks(&self) -> Vec<f64> {
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

/// The curve as SVG that takes its colours from the page, and has some of its own without one.
pub fn svg(curve: &Curve) -> String {
    let points = &curve.points;
    let least = |f: &dyn Fn(&CurvePoint) -> f64| points.iter().map(f).fold(f64::INFINITY, f64::min);
    let most = |f: &dyn Fn(&CurvePoint) -> f64| -least(&|point| -f(point));
    let x = Axis {
        low: 0.0,
        high: most(&|point| point.at).max(1e-9),
        from: LEFT,
        to: WIDTH - RIGHT,
    };
    let y = Axis {
        low: least(&|point| point.elo - point.error),
        high: most(&|point| point.elo + point.error),
        from: HEIGHT - BOTTOM,
        to: TOP,
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{}\">\n<g fill=\"none\" stroke=\"#999\">\n",
        escape(&curve.title)
    );
    let mut labels = String::new();
    for mark in x.marks() {
        let at = x.place(mark);
        let _ = writeln!(
            text,
            "<path class=\"axis\" d=\"M{at:.1} {TOP}V{}\"/>",
            HEIGHT - BOTTOM
        );
        let label = short(mark);
        let below = HEIGHT - BOTTOM + 18.0;
        let _ = writeln!(
            labels,
            "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{label}</text>"
        );
    }
    for mark in y.marks() {
        let at = y.place(mark);
        let _ = writeln!(
            text,
            "<path class=\"axis\" d=\"M{LEFT} {at:.1}H{}\"/>",
            WIDTH - RIGHT
        );
        let (beside, base) = (LEFT - 8.0, at + 4.0);
        let _ = writeln!(
            labels,
            "<text x=\"{beside}\" y=\"{base:.1}\" text-anchor=\"end\">{mark}</text>"
        );
    }
    let _ = writeln!(
        labels,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        WIDTH - RIGHT,
        HEIGHT - 6.0,
        escape(&curve.unit)
    );
    text.push_str("</g>\n");
    let place =
        |point: &CurvePoint, elo: f64| format!("{:.1} {:.1}", x.place(point.at), y.place(elo));
    let upper = points
        .iter()
        .map(|point| place(point, point.elo + point.error));
    let lower = points
        .iter()
        .rev()
        .map(|point| place(point, point.elo - point.error));
    let band: Vec<String> = upper.chain(lower).collect();
    let line: Vec<String> = points.iter().map(|point| place(point, point.elo)).collect();
    let _ = writeln!(
        text,
        "<path class=\"band\" fill=\"#b3541e\" fill-opacity=\".2\" d=\"M{}Z\"/>",
        band.join("L")
    );
    let _ = writeln!(
        text,
        "<path class=\"curve\" fill=\"none\" stroke=\"#b3541e\" stroke-width=\"2\" d=\"M{}\"/>",
        line.join("L")
    );
    for point in points {
        let (cx, cy) = (x.place(point.at), y.place(point.elo));
        let _ = writeln!(
            text,
            "<circle class=\"dot\" fill=\"#b3541e\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3\"><title>{} {}: {:+.0} ± {:.0}</title></circle>",
            short(point.at),
            escape(&curve.unit),
            point.elo,
            point.error
        );
    }
    let _ = write!(
        text,
        "<g fill=\"#777\" font-family=\"sans-serif\" font-size=\"12\">\n{labels}</g>\n</svg>"
    );
    text
}

/// A number with few digits: `1.5M`, `20k`, `0.25`.
fn short(value: f64) -> String {
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
