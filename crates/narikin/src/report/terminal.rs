//! The terminal as a view: a bar where standard error is a terminal, else a line every 30 seconds.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::events::Progress;
use crate::config::Budget;

/// Time between two lines where standard error is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Writes one line for the user on standard error.
#[expect(
    clippy::print_stderr,
    reason = "the one place where commands talk beside the result"
)]
pub fn note(text: &str) {
    eprintln!("{text}");
}

/// How far a job is: done of total, rate and time left, and a few words.
pub struct ProgressLine {
    label: &'static str,
    unit: &'static str,
    total: u64,
    started: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    /// Starts a job of `total` steps of `unit`, such as `games`.
    pub fn new(label: &'static str, unit: &'static str, total: u64) -> ProgressLine {
        let template = format!(
            "{label} [{{bar:30}}] {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left  {{msg}}"
        );
        let bar = io::stderr().is_terminal().then(|| bar(&template, total));
        let now = Instant::now();
        ProgressLine {
            label,
            unit,
            total,
            started: now,
            last_line: now,
            bar,
        }
    }

    /// Shows that `done` steps are done, with `words` about how it goes.
    pub fn set(&mut self, done: u64, words: &str) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(words.to_owned());
            }
            None if self.last_line.elapsed() >= LINE_EVERY => {
                self.last_line = Instant::now();
                note(&self.line(done, words));
            }
            None => {}
        }
    }

    /// Ends the job: takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, done: u64, words: &str) -> String {
        let elapsed = self.started.elapsed().as_secs_f64();
        let rate = done as f64 / elapsed.max(1e-9);
        let left_s = self.total.saturating_sub(done) as f64 / rate.max(1e-9);
        let left = if done == 0 {
            "?".to_owned()
        } else {
            clock(left_s)
        };
        let ProgressLine {
            label, unit, total, ..
        } = self;
        let space = if words.is_empty() { "" } else { ", " };
        format!("{label}: {done}/{total} {unit}, {rate:.1} {unit}/s, {left} left{space}{words}")
    }
}

/// How far a run is within its budget, and a few words.
pub struct BudgetLine {
    label: &'static str,
    budget: Budget,
    bar: Option<ProgressBar>,
}

/// Parts of a budget that the bar tells apart.
const PARTS: u64 = 1000;

impl BudgetLine {
    /// A run that may spend `budget` in all.
    pub fn new(label: &'static str, budget: Budget) -> BudgetLine {
        let template = format!("{label} [{{bar:20}}] {{wide_msg}}");
        let bar = io::stderr().is_terminal().then(|| bar(&template, PARTS));
        BudgetLine { label, budget, bar }
    }

    /// Shows where the run stands and `words` about how it goes. Without a terminal each call is a
    /// line.
    pub fn show(&self, progress: &Progress, words: &str) {
        let text = self.line(progress, words);
        match &self.bar {
            Some(bar) => {
                let share = self.budget.share(progress).clamp(0.0, 1.0);
                bar.set_position((share * PARTS as f64) as u64);
                bar.set_message(text);
            }
            None => note(&format!("{}: {text}", self.label)),
        }
    }

    /// Writes `text` as a line of its own, above the bar if there is one.
    pub fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| note(text)),
            None => note(text),
        }
    }

    fn line(&self, progress: &Progress, words: &str) -> String {
        let spent = clock(progress.elapsed_s);
        match self.budget.seconds_left(progress) {
            Some(left) => format!("{spent}, {} left, {words}", clock(left)),
            None => format!("{spent}, {words}"),
        }
    }
}

impl Drop for BudgetLine {
    /// Takes the bar away.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(template: &str, total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(total).with_style(style.progress_chars("=> "));
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// Seconds as `m:ss` or `h:mm:ss`.
pub fn clock(seconds: f64) -> String {
    let s = seconds.max(0.0).round() as u64;
    match s / 3600 {
        0 => format!("{}:{:02}", s / 60, s % 60),
        hours => format!("{hours}:{:02}:{:02}", s / 60 % 60, s % 60),
    }
}

#[cfg(test)]
mod tests;
