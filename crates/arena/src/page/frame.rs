//! The frame of a picture: its size, and the lines and numbers of its axes.

use std::fmt::Write as _;

use super::axis::{Axis, short};
use super::escape;

/// Size of a picture and the room around what it shows, in units of the picture.
pub(super) struct Frame {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) bottom: f64,
    pub(super) top: f64,
    pub(super) right: f64,
}

impl Frame {
    /// The horizontal axis from `low` to `high`.
    pub(super) fn x(&self, low: f64, high: f64) -> Axis {
        Axis {
            low,
            high,
            from: self.left,
            to: self.width - self.right,
        }
    }

    /// The vertical axis from `low` to `high`.
    pub(super) fn y(&self, low: f64, high: f64) -> Axis {
        Axis {
            low,
            high,
            from: self.height - self.bottom,
            to: self.top,
        }
    }

    /// The picture around `content`, which lies over the lines and numbers of both axes. Its colours
    /// are those of the page; it has some of its own without one.
    pub(super) fn picture(
        &self,
        title: &str,
        unit: &str,
        [x, y]: [&Axis; 2],
        content: &str,
    ) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n\
             {}{content}</svg>",
            self.width,
            self.height,
            escape(title),
            self.grid(x, y, unit)
        )
    }

    fn grid(&self, x: &Axis, y: &Axis, unit: &str) -> String {
        let mut lines = String::from("<g fill=\"none\" stroke=\"#999\" stroke-width=\".6\">\n");
        let mut labels =
            String::from("<g fill=\"#777\" font-family=\"sans-serif\" font-size=\"11\">\n");
        let (bottom, right) = (self.height - self.bottom, self.width - self.right);
        for mark in x.marks() {
            let at = x.place(mark);
            let _ = writeln!(
                lines,
                "<path class=\"axis\" d=\"M{at:.1} {}V{bottom}\"/>",
                self.top
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
                "<path class=\"axis\" d=\"M{} {at:.1}H{right}\"/>",
                self.left
            );
            let _ = writeln!(
                labels,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                self.left - 6.0,
                at + 4.0,
                short(mark)
            );
        }
        let _ = writeln!(
            labels,
            "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            self.height - 4.0,
            escape(unit)
        );
        format!("{lines}</g>\n{labels}</g>\n")
    }
}
