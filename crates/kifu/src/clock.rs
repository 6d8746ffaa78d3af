//! Times of moves, and the time that players were given.

use std::time::Duration;

/// The time that a move took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// For this move. CSA V3 tells milliseconds, the other formats whole seconds.
    pub spent: Duration,
    /// For all moves of this side so far, if the file says so (KIF does).
    pub total: Option<Duration>,
}

impl Clock {
    /// A move's time alone.
    pub fn of(spent: Duration) -> Clock {
        Clock { spent, total: None }
    }
}

/// The time that a player has: at the start, per move once that is used up, and more per move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// At the start (持ち時間).
    pub initial: Duration,
    /// For each move when the rest is used up (秒読み).
    pub byoyomi: Duration,
    /// Added for each move (Fischer).
    pub increment: Duration,
}

/// More seconds than any clock shows; times beyond are no times.
const MAX_SECONDS: u64 = 100_000_000;

impl TimeControl {
    /// Reads what headers say: `300+0+5` (CSA V3), `00:25+30` (CSA V2.2), `25分`, `1時間30分`,
    /// `10分+5秒`, `各25分`. `None` for anything else: headers are free text.
    pub fn parse(text: &str) -> Option<TimeControl> {
        let text = text.trim();
        parse_seconds_list(text)
            .or_else(|| parse_hours_minutes(text))
            .or_else(|| parse_japanese(text))
    }

    /// As CSA V3 writes it: initial time, byoyomi and increment in seconds.
    pub fn to_csa3(self) -> String {
        let [initial, byoyomi, increment] =
            [self.initial, self.byoyomi, self.increment].map(seconds_text);
        format!("{initial}+{byoyomi}+{increment}")
    }

    /// As CSA V2.2 writes it, `HH:MM+SS`; `None` if it has an increment or no whole minutes.
    pub fn to_csa2(self) -> Option<String> {
        let minutes = self.initial.as_secs() / 60;
        let whole = self.initial == Duration::from_secs(60 * minutes)
            && self.byoyomi.subsec_nanos() == 0
            && self.increment.is_zero();
        whole.then(|| {
            let byoyomi = self.byoyomi.as_secs();
            format!("{:02}:{:02}+{byoyomi:02}", minutes / 60, minutes % 60)
        })
    }

    /// As KIF writes it: `1時間30分`, with `+30秒` for byoyomi; `None` if it has an increment or
    /// fractions of a second.
    pub fn to_kif(self) -> Option<String> {
        let fits = self.increment.is_zero()
            && self.initial.subsec_nanos() == 0
            && self.byoyomi.subsec_nanos() == 0;
        fits.then(|| {
            let seconds = self.initial.as_secs();
            let units = [
                (seconds / 3600, "時間"),
                (seconds / 60 % 60, "分"),
                (seconds % 60, "秒"),
            ];
            let parts = units.iter().filter(|(n, _)| *n > 0);
            let mut text: String = parts.map(|(n, unit)| format!("{n}{unit}")).collect();
            if text.is_empty() {
                text.push_str("0分");
            }
            if !self.byoyomi.is_zero() {
                text.push_str(&format!("+{}秒", self.byoyomi.as_secs()));
            }
            text
        })
    }
}

/// `300+0+5`
fn parse_seconds_list(text: &str) -> Option<TimeControl> {
    let mut parts = text.split('+').map(parse_seconds);
    let control = TimeControl {
        initial: parts.next()??,
        byoyomi: parts.next()??,
        increment: parts.next()??,
    };
    parts.next().is_none().then_some(control)
}

/// `00:25+30` and `00:25`
fn parse_hours_minutes(text: &str) -> Option<TimeControl> {
    let (clock, byoyomi) = text.split_once('+').unwrap_or((text, "0"));
    let (hours, minutes) = clock.split_once(':')?;
    let [hours, minutes] = [hours, minutes].map(parse_seconds);
    Some(TimeControl {
        initial: (hours? * 60 + minutes?) * 60,
        byoyomi: parse_seconds(byoyomi)?,
        increment: Duration::ZERO,
    })
}

/// `1時間30分`, `25分`, `各25分`, `10分+30秒`
fn parse_japanese(text: &str) -> Option<TimeControl> {
    let text = text.strip_prefix('各').unwrap_or(text);
    let (initial, byoyomi) = text.split_once('+').unwrap_or((text, ""));
    Some(TimeControl {
        initial: parse_units(initial)?,
        byoyomi: if byoyomi.is_empty() {
            Duration::ZERO
        } else {
            parse_units(byoyomi)?
        },
        increment: Duration::ZERO,
    })
}

fn parse_units(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut sum = Duration::ZERO;
    for (unit, seconds) in [("時間", 3600), ("分", 60), ("秒", 1)] {
        if let Some((number, behind)) = rest.split_once(unit) {
            sum += parse_seconds(number)? * seconds;
            rest = behind;
        }
    }
    (rest.is_empty() && !text.is_empty()).then_some(sum)
}

/// Reads seconds: digits, and a point with at most nine digits behind it, `12`, `1.250`, `0.`.
pub(crate) fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let seconds: u64 = whole.parse().ok().filter(|&s| s <= MAX_SECONDS)?;
    let nanos: u32 = format!("{fraction:0<9}").parse().ok()?;
    Some(Duration::new(seconds, nanos))
}

/// Reads a clock: `m:ss`, `h:mm:ss`, with a fraction of the seconds if there is one.
pub(crate) fn parse_clock(text: &str) -> Option<Duration> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (&seconds, larger) = parts.split_last()?;
    if larger.is_empty() || larger.len() > 2 {
        return None;
    }
    let mut sum = Duration::ZERO;
    for part in larger {
        sum = (sum + whole_seconds(part)?) * 60;
    }
    // As much in all as any other format takes in seconds.
    Some(sum + parse_seconds(seconds)?).filter(|time| time.as_secs() <= MAX_SECONDS)
}

fn whole_seconds(text: &str) -> Option<Duration> {
    parse_seconds(text).filter(|time| time.subsec_nanos() == 0)
}

/// Seconds with as many digits behind the point, at most three, as are not zero.
pub(crate) fn seconds_text(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        ms => {
            let text = format!("{}.{ms:03}", time.as_secs());
            text.trim_end_matches('0').to_owned()
        }
    }
}

#[cfg(test)]
mod tests;
