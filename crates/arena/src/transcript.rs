//! Stored games as records in the formats that people and other programs exchange.

use std::time::Duration;

use jiff::Timestamp;
use kifu::{Analysis, Clock, End, Ending, HeaderKey, Note, Ply, Record};
use rules::{Color, EndReason, Outcome};
use usi::Score;

use crate::clock::{Charge, TimeControl};
use crate::player::Seat;
use crate::record::{StoredGame, StoredGameError, Winner};

/// What a record says besides the game.
#[derive(Debug, Clone, Default)]
pub struct Heading {
    /// What was played.
    pub event: String,
    /// Name of the player that sat at A.
    pub a: String,
    /// Name of the player that sat at B.
    pub b: String,
    /// A's clock, if it had one.
    pub time_a: Option<TimeControl>,
    /// B's clock, if it had one.
    pub time_b: Option<TimeControl>,
    /// Plies after which the game would have been drawn; 0 for no limit.
    pub max_ply: u32,
}

/// The record of a game. Scores stand behind the moves that they led to, from Black's view; times
/// where they were measured; what there is to say about an engine's failure behind the end.
///
/// # Errors
///
/// [`StoredGameError`] for a text that is no game.
pub fn record(game: &StoredGame, heading: &Heading) -> Result<Record, StoredGameError> {
    let (start, moves) = game.moves()?;
    let first = start.side_to_move();
    let mut record = Record::new(start, moves);
    add_headers(&mut record, game, heading);
    let notes = game.notes();
    let is_timed = notes.iter().any(|note| !note.time.is_zero());
    let opening = game.opening_plies as usize;
    let mut spent = [Duration::ZERO; 2];
    let mut side = first;
    for (index, ply) in record.main.plies.iter_mut().enumerate() {
        if let Some(note) = index
            .checked_sub(opening)
            .and_then(|index| notes.get(index))
        {
            spent[side.index()] += note.time;
            annotate(ply, note.score, side);
        }
        ply.clock = is_timed.then(|| Clock {
            spent: index
                .checked_sub(opening)
                .and_then(|index| notes.get(index))
                .map_or(Duration::ZERO, |note| note.time),
            total: Some(spent[side.index()]),
        });
        side = side.flipped();
    }
    let mut end = End::new(Ending::of(outcome(game), side));
    end.notes.push(Note::Text(game.reason.clone()));
    end.notes.extend(game.message.clone().map(Note::Text));
    record.main.end = Some(end);
    Ok(record)
}

fn add_headers(record: &mut Record, game: &StoredGame, heading: &Heading) {
    let Heading {
        event,
        a,
        b,
        time_a,
        time_b,
        max_ply,
    } = heading;
    let seats = match game.black {
        Seat::A => [(a, time_a), (b, time_b)],
        Seat::B => [(b, time_b), (a, time_a)],
    };
    let [(black, black_time), (white, white_time)] = seats;
    record.add_header(HeaderKey::Black, black);
    record.add_header(HeaderKey::White, white);
    record.add_header(HeaderKey::Event, format!("{event} game {}", game.game + 1));
    if let Some(ended) = game.ended_s.and_then(csa_date) {
        record.add_header(HeaderKey::EndTime, ended);
    }
    match (black_time, white_time) {
        (Some(time), Some(other)) if time == other => {
            record.add_header(HeaderKey::TimeLimit, csa_time(*time));
        }
        _ => {
            for (key, time) in [
                (HeaderKey::BlackTimeLimit, black_time),
                (HeaderKey::WhiteTimeLimit, white_time),
            ] {
                if let Some(time) = time {
                    record.add_header(key, csa_time(*time));
                }
            }
        }
    }
    if *max_ply > 0 {
        record.add_header(HeaderKey::MaxMoves, max_ply.to_string());
    }
}

/// `2026/01/02 03:04:05`, in UTC, of seconds since 1970; `None` for a time that no calendar has.
fn csa_date(unix_s: f64) -> Option<String> {
    // A cast saturates, and the calendar ends long before the integers do.
    let time = Timestamp::from_second(unix_s as i64).ok()?;
    Some(time.strftime("%Y/%m/%d %H:%M:%S").to_string())
}

/// A clock in the words of CSA V3. It has none for the stopwatch.
fn csa_time(control: TimeControl) -> String {
    let TimeControl {
        main,
        byoyomi,
        increment,
        charge: Charge::Exact | Charge::WholeMinutes,
    } = control;
    kifu::TimeControl {
        initial: main,
        byoyomi,
        increment,
    }
    .to_csa3()
}

fn annotate(ply: &mut Ply, score: Option<Score>, side: Color) {
    let Some(score) = score else { return };
    let own = centipawns(score);
    ply.notes.push(Note::Analysis(Analysis {
        score: if side == Color::Black { own } else { -own },
        ..Analysis::default()
    }));
}

/// Hundredths of a pawn of a score, as records have them: proven ones count from 30,000 (a mate at
/// hand) down to nothing less than 29,000.
fn centipawns(score: Score) -> i32 {
    const MATE: i32 = 30_000;
    let mate = |plies: i32| MATE - plies.clamp(0, 1000);
    match score {
        Score::Cp(cp) => cp.clamp(-28_999, 28_999),
        Score::Won => mate(0),
        Score::Lost => -mate(0),
        Score::Mate(plies) if plies > 0 => mate(plies),
        Score::Mate(plies) => -mate(-plies),
    }
}

/// The end in the words of the rules.
fn outcome(game: &StoredGame) -> Outcome {
    let winner = match game.winner {
        Winner::Black => Some(Color::Black),
        Winner::White => Some(Color::White),
        Winner::Draw => None,
    };
    Outcome {
        winner,
        reason: rule_of(&game.reason, winner.is_some()),
    }
}

/// What a reason of this crate is by the rules; see [`crate::GameEnd::outcome`].
fn rule_of(reason: &str, decided: bool) -> EndReason {
    match reason {
        "adjudicated" if decided => EndReason::Resignation,
        "adjudicated" => EndReason::Agreement,
        "engine-stall" => EndReason::TimeForfeit,
        "engine-not-ready" => EndReason::Forfeit,
        // A failure of an engine, or a word of a later version: it has lost all the same.
        word => word.parse().unwrap_or(EndReason::IllegalMove),
    }
}

#[cfg(test)]
mod tests;
