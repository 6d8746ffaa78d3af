//! How games end.

use super::{Alarm, Vitals, deviations, percent};

/// Games below which shares of them say little.
const ENOUGH: u64 = 500;

/// The plies limit ends more games than this only where defence has run ahead of attack (AobaZero's
/// hump); the games teach little then.
const CAPPED: f64 = 0.2;

/// More repetitions than this: both sides prefer a draw to a risk.
const REPEATED: f64 = 0.15;

/// More draws than this, whatever their reason (leela-chess had 99 %).
const DRAWN: f64 = 0.4;

/// Black's share of decided games is at most this, or White's; strong play has 52 to 56 %.
const ONE_SIDED: f64 = 0.65;

/// The most frequent first ten plies begin no more games than this.
const ONE_LINE: f64 = 0.25;

/// Of 2,000 games at least so many begin with ten plies of their own. A run that went well had 84 to 92 %
/// until its nets had become sure of a few openings (docs/training-diary.md).
const DIFFERENT_LINES: f64 = 0.6;

pub(super) fn cap_share(vitals: &Vitals<'_>) -> Option<Alarm> {
    let games = &vitals.health.games;
    if games.games < ENOUGH || vitals.health.progress.generation == 0 || games.cap_share <= CAPPED {
        return None;
    }
    Alarm::warn(
        "cap-share",
        format!(
            "{} of the last {} games came to the ply limit: nobody finds the mate. Look for longer mates \
             (search.leaf_mate = \"three\") or begin games late (selfplay.late_start_share = 0.2); a higher \
             selfplay.max_ply does not help",
            percent(games.cap_share),
            games.games
        ),
    )
}

pub(super) fn draw_share(vitals: &Vitals<'_>) -> Option<Alarm> {
    let games = &vitals.health.games;
    if games.games < ENOUGH || vitals.health.progress.generation == 0 {
        return None;
    }
    let by_repetition = games.repetition_share > REPEATED;
    let by_other_ways = games.draw_share - games.cap_share > DRAWN;
    if !by_repetition && !by_other_ways {
        return None;
    }
    Alarm::warn(
        "draw-share",
        format!(
            "{} of the last {} games were drawn, {} by repetition: both sides prefer a draw to a risk. Vary the \
             openings (selfplay.random_opening_share) and trust values less (search.root.c_scale)",
            percent(games.draw_share),
            games.games,
            percent(games.repetition_share)
        ),
    )
}

pub(super) fn side_bias(vitals: &Vitals<'_>) -> Option<Alarm> {
    let games = &vitals.health.games;
    let black = games.black_of_decided().filter(|_| ENOUGH <= games.games)?;
    let decided = games.black_share + games.white_share;
    let is_far = !(1.0 - ONE_SIDED..=ONE_SIDED).contains(&black);
    // Five deviations: once in millions of looks at a fair coin.
    if !is_far || deviations(black, 0.5, decided * games.games as f64).abs() < 5.0 {
        return None;
    }
    let side = if black > 0.5 { "Black" } else { "White" };
    Alarm::warn(
        "side-bias",
        format!(
            "{side} wins {} of the decided games: one colour is played worse, as with a value or planes seen from \
             the wrong side, or all games follow one line. Look at games (narikin report), and run narikin doctor",
            percent(black.max(1.0 - black))
        ),
    )
}

pub(super) fn lines(vitals: &Vitals<'_>) -> Option<Alarm> {
    let games = &vitals.health.games;
    // None at all: no game has come to ply ten.
    let few_lines = 0.0 < games.lines_share && games.lines_share < DIFFERENT_LINES;
    if games.games < ENOUGH || (games.top_line_share <= ONE_LINE && !few_lines) {
        return None;
    }
    Alarm::warn(
        "openings",
        format!(
            "{} of the games begin with the same ten plies, and there are only {} as many such beginnings as \
             games: other openings are not learned. Raise selfplay.random_opening_share or selfplay.temperature",
            percent(games.top_line_share),
            percent(games.lines_share)
        ),
    )
}
