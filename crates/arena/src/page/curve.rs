//! A curve of strength as a picture: Elo over games, samples or hours, with its error as a band.

use std::fmt::Write as _;

use serde::Serialize;

use super::axis::{Axis, short};
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
