//! Playing a recorded game again.

use data::GameRecord;
use rules::{EndReason, Position};
use search::{Evaluator, Pool, Search, SearchOptions};

use super::{GameIds, LiveGame, PlayError, PlayEvent, SelfPlay};
use crate::SelfPlayOptions;
use crate::opening::LateStarts;

/// How a game was played that is to be played again.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'a> {
    /// The options of self-play then; how many games were played at once does not matter.
    pub options: &'a SelfPlayOptions,
    /// The options of the search then.
    pub search: &'a SearchOptions,
    /// The master seed then.
    pub master_seed: u64,
}

/// Plays a game again from its number alone, and returns its record.
///
/// With the same evaluator it is the same record. What a game takes from earlier ones is taken from
/// `record`: a late start, and where a side resigned. A game in which the net changed on the way comes
/// out different from there on.
///
/// # Errors
///
/// If the evaluator fails or answers nonsense.
pub fn replay(
    record: &GameRecord,
    replay: &Replay<'_>,
    evaluator: &mut dyn Evaluator,
) -> Result<GameRecord, PlayError> {
    let mut play = alone(record, replay);
    let resigned = record.outcome.reason == EndReason::Resignation;
    let mut finished = None;
    loop {
        play.advance(evaluator, &mut |PlayEvent::GameFinished {
                                          record, ..
                                      }| {
            finished.get_or_insert(*record);
        })?;
        if let Some(finished) = finished {
            return Ok(finished);
        }
        if resigned && play.games[0].plies.len() == record.plies.len() {
            let done = play.games.swap_remove(0);
            return Ok(done.into_record(record.outcome));
        }
    }
}

/// Self-play that is about to begin the recorded game, and no other.
fn alone(record: &GameRecord, replay: &Replay<'_>) -> SelfPlay {
    let &Replay {
        options,
        search,
        master_seed,
    } = replay;
    let options = SelfPlayOptions {
        games_at_once: 1,
        ..options.clone()
    };
    let ids = || GameIds::starting_at(record.id);
    let mut play = SelfPlay::new(&options, search, master_seed, record.generation, ids());
    if record.start != Position::startpos() {
        play.seen.late_starts = LateStarts::only(record.start.clone());
    }
    let mut live = LiveGame::begin(&options, master_seed, record.generation, &ids(), &play.seen);
    let search = live.next_search(&options, search);
    play.pool = Pool::new(vec![Search::new(&live.game, &search, live.search_seed())]);
    play.games = vec![live];
    play
}

#[cfg(test)]
mod tests;
