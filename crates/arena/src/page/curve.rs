//! A curve of strength as a picture: Elo over games, samples or hours, with its error as a band.

use std::fmt::Write as _;

use serde::Serialize;

use super::axis::short;
use super::escape;
use super::frame::Frame;

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

const FRAME: Frame = Frame {
    width: 760.0,
    height: 320.0,
    left: 60.0,
    bottom: 40.0,
    top: 12.0,
    right: 20.0,
};

/// The curve as SVG that takes its colours from the page, and has some of its own without one.
pub fn svg(curve: &Curve) -> String {
    let points = &curve.points;
    let least = |f: &dyn Fn(&CurvePoint) -> f64| points.iter().map(f).fold(f64::INFINITY, f64::min);
    let most = |f: &dyn Fn(&CurvePoint) -> f64| -least(&|point| -f(point));
    let x = FRAME.x(0.0, most(&|point| point.at).max(1e-9));
    let y = FRAME.y(
        least(&|point| point.elo - point.error),
        most(&|point| point.elo + point.error),
    );
    let mut text = String::new();
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
    // Beside the marks of its axis, above them all.
    let _ = writeln!(
        text,
        "<text fill=\"#777\" font-family=\"sans-serif\" font-size=\"11\" x=\"4\" y=\"{}\">Elo</text>",
        FRAME.top + 4.0
    );
    FRAME.picture(&curve.title, &curve.unit, [&x, &y], &text)
}
