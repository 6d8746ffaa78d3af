//! Whether a game that somebody else played can be a game of a match: nothing it says is believed.

use rules::{Color, Declaration, Game, Outcome};
use usi::Score;

use crate::opening::OpeningOptions;
use crate::options::MatchOptions;
use crate::play::{game_seed, pair_seed};
use crate::player::Seat;
use crate::record::{StoredGame, StoredGameError, Winner};

/// Why a stored game is no game of a match.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// Its text is no game.
    #[error(transparent)]
    Text(#[from] StoredGameError),
    /// It says something that is otherwise in the match, or by the rules.
    #[error("game {game}: {what} is {found}, expected {expected}")]
    Differs {
        /// Number of the game.
        game: u32,
        /// What it says.
        what: &'static str,
        /// As the game has it.
        found: String,
        /// As it has to be.
        expected: String,
    },
    /// It goes on behind its end.
    #[error("game {game}: it is over before move {number}")]
    GoesOn {
        /// Number of the game.
        game: u32,
        /// Counted from 1.
        number: usize,
    },
    /// It ends without a reason.
    #[error("game {game}: it is not over after its last move, and {reason:?} does not end it")]
    NotOver {
        /// Number of the game.
        game: u32,
        /// The reason that it gives.
        reason: String,
    },
}

impl MatchOptions {
    /// The match cut down to one of its pairs, whose opening is named: it says all that there is to say of
    /// that pair. `None` if no opening can be played.
    ///
    /// Random openings are those of a match of this one pair; a longer match draws again where two of its
    /// pairs would have the same.
    pub fn only_pair(&self, pair: u32) -> Option<MatchOptions> {
        let seeds = [pair_seed(self.seed, pair)];
        let openings = self.openings.draw(self.rules(), pair as usize, &seeds)?;
        Some(MatchOptions {
            games: 2,
            parallel_games: 2,
            first_pair: pair,
            openings: OpeningOptions::List { openings },
            ..self.clone()
        })
    }
}

/// Looks at a game that is said to be one of the match `options`, which has one pair
/// ([`MatchOptions::only_pair`]), between players that lose by the rules only: no clocks, no engines, no
/// adjudication and no replays.
///
/// # Errors
///
/// The first thing that is not as it has to be.
///
/// # Panics
///
/// If the options do not name one opening.
pub fn audit(game: &StoredGame, options: &MatchOptions) -> Result<(), AuditError> {
    let OpeningOptions::List { openings } = &options.openings else {
        panic!("a match of one pair names its opening");
    };
    let [opening] = &openings[..] else {
        panic!(
            "a match of one pair has one opening, found {}",
            openings.len()
        );
    };
    let number = game.game;
    let same = |what, found: String, expected: String| match found == expected {
        true => Ok(()),
        false => Err(AuditError::Differs {
            game: number,
            what,
            found,
            expected,
        }),
    };
    let (start, moves) = game.moves()?;
    let n_opening = opening.moves().len();
    let own_seed = pair_seed(options.seed, options.first_pair);
    let seat = |seat| format!("{seat:?}");
    if number > 1 {
        return Err(AuditError::Differs {
            game: number,
            what: "its number",
            found: number.to_string(),
            expected: "0 or 1".to_owned(),
        });
    }
    same("its replay", game.replay.to_string(), "0".to_owned())?;
    same("replayed", game.replayed.to_string(), "false".to_owned())?;
    same(
        "its pair's seed",
        game.pair_seed.to_string(),
        own_seed.to_string(),
    )?;
    let expected = game_seed(own_seed, number);
    same("its seed", game.seed.to_string(), expected.to_string())?;
    same(
        "Black",
        seat(game.black),
        seat(Seat::ALL[(number % 2) as usize]),
    )?;
    same("its start", start.to_string(), opening.start().to_string())?;
    let opening_plies = game.opening_plies.to_string();
    same("its opening", opening_plies, n_opening.to_string())?;
    let is_opening = moves.starts_with(opening.moves());
    same(
        "beginning with the opening",
        is_opening.to_string(),
        "true".to_owned(),
    )?;
    let n_notes = (moves.len() - n_opening).to_string();
    same(
        "the number of scores",
        game.scores.len().to_string(),
        n_notes.clone(),
    )?;
    same(
        "the number of times",
        game.times_ms.len().to_string(),
        n_notes,
    )?;
    let readable = |score: &String| score.is_empty() || score.parse::<Score>().is_ok();
    let unread = game.scores.iter().find(|score| !readable(score));
    same(
        "a score",
        unread.cloned().unwrap_or_default(),
        String::new(),
    )?;
    let message = game.message.clone().unwrap_or_default();
    same("its message", message, String::new())?;
    let outcome = played(game, options, &start, &moves)?;
    let winner = match outcome.winner {
        Some(Color::Black) => Winner::Black,
        Some(Color::White) => Winner::White,
        None => Winner::Draw,
    };
    same(
        "its winner",
        format!("{:?}", game.winner),
        format!("{winner:?}"),
    )?;
    same(
        "its end",
        game.reason.clone(),
        outcome.reason.as_str().to_owned(),
    )
}

/// The outcome of the game by the rules.
fn played(
    game: &StoredGame,
    options: &MatchOptions,
    start: &rules::Position,
    moves: &[rules::Move],
) -> Result<Outcome, AuditError> {
    let mut replayed = Game::new(start.clone(), options.rules());
    for (index, &mv) in moves.iter().enumerate() {
        if replayed.outcome().is_some() {
            return Err(AuditError::GoesOn {
                game: game.game,
                number: index + 1,
            });
        }
        // That it is legal was looked at when it was read.
        replayed.play_unchecked(mv);
    }
    let declared = || {
        let wins = replayed.declaration() == Declaration::Win;
        let outcome = wins.then(|| replayed.declare())?;
        (game.reason == outcome.reason.as_str()).then_some(outcome)
    };
    replayed
        .outcome()
        .or_else(declared)
        .ok_or_else(|| AuditError::NotOver {
            game: game.game,
            reason: game.reason.clone(),
        })
}

#[cfg(test)]
mod tests;
