//! What ends a search: the words behind `go`, read and written.

use std::fmt;
use std::time::Duration;

use rules::Color;

#[cfg(test)]
mod tests;

/// Limits of one search, as in `go btime 60000 wtime 60000 byoyomi 5000`.
///
/// `Display` writes the `go` line, and [`GoLimits::parse`] reads what stands behind `go`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GoLimits {
    /// Time left on Black's clock before this move, whoever moves.
    pub btime: Option<Duration>,
    /// Time left on White's clock before this move, whoever moves.
    pub wtime: Option<Duration>,
    /// Time for each move once the clock is used up.
    pub byoyomi: Option<Duration>,
    /// Black's increment for each move.
    pub binc: Option<Duration>,
    /// White's increment for each move.
    pub winc: Option<Duration>,
    /// Exactly this long, clocks or not.
    pub movetime: Option<Duration>,
    /// Visits of the root, at least 1.
    pub nodes: Option<u64>,
    /// Length of the principal variation at which to stop.
    pub depth: Option<u32>,
    /// Until `stop`.
    pub infinite: bool,
    /// On a guessed move: no answer before `ponderhit` or `stop`.
    pub ponder: bool,
}

impl GoLimits {
    /// Reads the words behind `go` or `ponderhit`, in any order. A number that cannot be read
    /// leaves its limit unset, a negative one counts as 0, one that is too big as the biggest.
    pub fn parse(words: &str) -> GoLimits {
        let mut limits = GoLimits::default();
        let mut words = words.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let mut number = || {
                let value = parse_number(words.peek()?)?;
                words.next();
                Some(value)
            };
            match word {
                "btime" => limits.btime = number().map(Duration::from_millis),
                "wtime" => limits.wtime = number().map(Duration::from_millis),
                "byoyomi" => limits.byoyomi = number().map(Duration::from_millis),
                "binc" => limits.binc = number().map(Duration::from_millis),
                "winc" => limits.winc = number().map(Duration::from_millis),
                "movetime" => limits.movetime = number().map(Duration::from_millis),
                "nodes" => limits.nodes = number().map(|n| n.max(1)),
                "depth" => limits.depth = number().map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
                "infinite" => limits.infinite = true,
                "ponder" => limits.ponder = true,
                _ => {}
            }
        }
        limits
    }

    /// The clock of `side`: what is left of its time, 0 if not given.
    pub fn clock(&self, side: Color) -> Duration {
        let clock = match side {
            Color::Black => self.btime,
            Color::White => self.wtime,
        };
        clock.unwrap_or_default()
    }

    /// The increment of `side`, 0 if not given.
    pub fn increment(&self, side: Color) -> Duration {
        let increment = match side {
            Color::Black => self.binc,
            Color::White => self.winc,
        };
        increment.unwrap_or_default()
    }

    /// Whether there is a clock, a byoyomi or an increment for anyone.
    pub fn has_clock(&self) -> bool {
        [self.btime, self.wtime, self.byoyomi, self.binc, self.winc]
            .iter()
            .any(Option::is_some)
    }

    /// Whether anything at all ends this search before `stop`.
    pub fn is_limited(&self) -> bool {
        !self.infinite
            && (self.has_clock()
                || self.movetime.is_some()
                || self.nodes.is_some()
                || self.depth.is_some())
    }
}

impl fmt::Display for GoLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (word, value) in [
            ("btime", self.btime),
            ("wtime", self.wtime),
            ("byoyomi", self.byoyomi),
            ("binc", self.binc),
            ("winc", self.winc),
            ("movetime", self.movetime),
        ] {
            if let Some(value) = value {
                write!(f, " {word} {}", value.as_millis())?;
            }
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        Ok(())
    }
}

/// A whole number; negative ones are 0, too big ones the biggest. `None` if it is no number.
pub(crate) fn parse_number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if negative {
        return Some(0);
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}
