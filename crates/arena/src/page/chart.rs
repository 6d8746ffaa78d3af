//! A chart: lines over one axis, as a picture that takes its colours from the page.

use std::fmt::Write as _;

use super::axis::{Axis, short};
use super::escape;

/// Lines over one axis.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the points are over, such as `minutes`.
    pub unit: String,
    /// Lines, at most six.
    pub lines: Vec<ChartLine>,
    /// Numbers that the vertical axis should always show, such as 0 and 1 for shares.
    pub shown: Vec<f64>,
}

/// One line of a chart.
#[derive(Debug, Clone, Default)]
pub struct ChartLine {
    /// What it is.
    pub name: String,
    /// Points, by rising x; each is finite.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 34.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 14.0;

/// Colours where there is no page around.
const COLOURS: [&str; 6] = [
    "#b3541e", "#2b6cb0", "#2f855a", "#97266d", "#975a16", "#4a5568",
];

impl Chart {
    /// Whether there is anything to see.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.points.is_empty())
    }

    /// The chart with its title and the names of its lines.
    pub(super) fn html(&self) -> String {
        let mut keys = String::new();
        let lines = self.lines.iter().enumerate();
        for (index, line) in lines.filter(|(_, line)| !line.points.is_empty()) {
            let last = line.points.last().map_or(String::new(), |&(_, y)| short(y));
            let _ = write!(
                keys,
                "<span class=\"key line{index}\">{} <b>{last}</b></span> ",
                escape(&line.name)
            );
        }
        format!(
            "<figure class=\"chart\">\n<figcaption>{}</figcaption>\n{}\n<p class=\"keys\">{keys}</p>\n</figure>\n",
            escape(&self.title),
            self.svg()
        )
    }

    fn svg(&self) -> String {
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let ys = || all().map(|&(_, y)| y).chain(self.shown.iter().copied());
        let x = Axis {
            low: all()
                .map(|&(x, _)| x)
                .fold(f64::INFINITY, f64::min)
                .min(0.0),
            high: all().map(|&(x, _)| x).fold(1e-9, f64::max),
            from: LEFT,
            to: WIDTH - RIGHT,
        };
        let y = Axis {
            low: ys().fold(f64::INFINITY, f64::min),
            high: ys().fold(f64::NEG_INFINITY, f64::max),
            from: HEIGHT - BOTTOM,
            to: TOP,
        };
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
             aria-label=\"{}\">\n",
            escape(&self.title)
        );
        text.push_str(&grid(&x, &y, &self.unit));
        for (index, line) in self.lines.iter().enumerate() {
            let place =
                |&(at, value): &(f64, f64)| format!("{:.1} {:.1}", x.place(at), y.place(value));
            let points: Vec<String> = line.points.iter().map(place).collect();
            let colour = COLOURS[index % COLOURS.len()];
            match points.as_slice() {
                [] => {}
                [only] => {
                    let (cx, cy) = only.split_once(' ').unwrap_or_default();
                    let _ = writeln!(
                        text,
                        "<circle class=\"line{index} dot\" fill=\"{colour}\" cx=\"{cx}\" cy=\"{cy}\" r=\"2.5\"/>"
                    );
                }
                many => {
                    let _ = writeln!(
                        text,
                        "<path class=\"line{index}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.7\" \
                         d=\"M{}\"><title>{}</title></path>",
                        many.join("L"),
                        escape(&line.name)
                    );
                }
            }
        }
        text.push_str("</svg>");
        text
    }
}

/// Lines of both axes, and what is written at them.
fn grid(x: &Axis, y: &Axis, unit: &str) -> String {
    let mut lines = String::from("<g fill=\"none\" stroke=\"#999\" stroke-width=\".6\">\n");
    let mut labels =
        String::from("<g fill=\"#777\" font-family=\"sans-serif\" font-size=\"11\">\n");
    let bottom = HEIGHT - BOTTOM;
    for mark in x.marks() {
        let at = x.place(mark);
        let _ = writeln!(
            lines,
            "<path class=\"axis\" d=\"M{at:.1} {TOP}V{bottom}\"/>"
        );
        let _ = writeln!(
            labels,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 15.0,
            short(mark)
        );
    }
    for mark in y.marks() {
        let at = y.place(mark);
        let _ = writeln!(
            lines,
            "<path class=\"axis\" d=\"M{LEFT} {at:.1}H{}\"/>",
            WIDTH - RIGHT
        );
        let _ = writeln!(
            labels,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            short(mark)
        );
    }
    let _ = writeln!(
        labels,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        WIDTH - RIGHT,
        HEIGHT - 4.0,
        escape(unit)
    );
    format!("{lines}</g>\n{labels}</g>\n")
}
