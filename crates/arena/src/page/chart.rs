//! A chart: lines over one axis, as a picture that takes its colours from the page.

use std::fmt::Write as _;

use super::axis::short;
use super::escape;
use super::frame::Frame;

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

const FRAME: Frame = Frame {
    width: 520.0,
    height: 230.0,
    left: 52.0,
    bottom: 34.0,
    top: 10.0,
    right: 14.0,
};

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
        let xs = || all().map(|&(x, _)| x);
        let x = FRAME.x(xs().fold(0.0, f64::min), xs().fold(1e-9, f64::max));
        let y = FRAME.y(
            ys().fold(f64::INFINITY, f64::min),
            ys().fold(f64::NEG_INFINITY, f64::max),
        );
        let mut text = String::new();
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
        FRAME.picture(&self.title, &self.unit, [&x, &y], &text)
    }
}
