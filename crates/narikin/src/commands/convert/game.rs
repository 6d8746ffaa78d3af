//! A game between two formats.

use data::{GameRecord, PlyKind, PlyRecord, ValueWdl};
use kifu::{Analysis, End, Ending, HeaderKey, Note, Record};
use rules::{Color, DeclarationRule, GameRules};
use usi::{Score, Settings};

/// A game as its source has it. It is turned into what the destination wants, so that nothing is
/// lost between two formats of one kind.
#[derive(Debug)]
pub enum Game {
    /// What people exchange: names, times, remarks, variations.
    Text(Box<Record>),
    /// What training needs: rules, and what the search thought.
    Record(Box<GameRecord>),
}

/// Why a game is no record of self-play.
#[derive(Debug, thiserror::Error)]
pub enum NoRecord {
    /// Broken off, or the file does not say how it ended.
    #[error("the game has no result, and a record needs one")]
    NoResult,
}

impl Game {
    /// The game for people.
    pub fn into_text(self) -> Record {
        match self {
            Game::Text(record) => *record,
            Game::Record(record) => text_of(&record),
        }
    }

    /// The game for training; `id` is its number where it has none.
    ///
    /// # Errors
    ///
    /// If it has no result.
    pub fn into_record(self, id: u64) -> Result<GameRecord, NoRecord> {
        match self {
            Game::Text(record) => record_of(&record, id),
            Game::Record(record) => Ok(*record),
        }
    }
}

/// A game of self-play for people: the search's value of each move as an evaluation in centipawns,
/// by the scale that the USI engine has too.
fn text_of(game: &GameRecord) -> Record {
    let mut record = Record::new(game.start.clone(), game.plies.iter().map(|ply| ply.mv));
    let GameRecord {
        id,
        seed,
        generation,
        rules,
        ..
    } = game;
    let event = format!("self-play, game {id}, generation {generation}, seed {seed}");
    record.add_header(HeaderKey::Event, event);
    if let Some(max_ply) = rules.max_ply {
        record.add_header(HeaderKey::MaxMoves, max_ply.to_string());
    }
    let points = match rules.declaration {
        DeclarationRule::Points24 => Some("24"),
        DeclarationRule::Points27 => Some("27"),
        DeclarationRule::None | DeclarationRule::Try => None,
    };
    if let Some(points) = points {
        record.add_header(HeaderKey::Jishogi, points);
    }
    for (idx, (ply, written)) in game.plies.iter().zip(&mut record.main.plies).enumerate() {
        if let Some(value) = ply.value {
            let score = score_for_black(value, game.side_at(idx));
            written.notes.push(Note::Analysis(Analysis {
                score,
                ..Analysis::default()
            }));
        }
    }
    let ending = Ending::of(game.outcome, record.side_at_end());
    record.main.end = Some(End::new(ending));
    record
}

fn score_for_black([win, draw, _]: ValueWdl, side: Color) -> i32 {
    let expected = win + draw / 2.0;
    let score = Score::from_expected(expected, Settings::default().eval_coef);
    let Score::Cp(score) = score else {
        unreachable!("an expected score gives centipawns");
    };
    match side {
        Color::Black => score,
        Color::White => -score,
    }
}

/// The most that is known of a game for training: its moves and its result. There is no policy and
/// no value, the rules are those that the file names or the usual ones, and an illegal last move is
/// left out.
fn record_of(record: &Record, id: u64) -> Result<GameRecord, NoRecord> {
    let outcome = record.outcome().ok_or(NoRecord::NoResult)?;
    let (game, _) = record.replay();
    let plies = game.moves().iter().map(|&mv| PlyRecord {
        mv,
        kind: PlyKind::Full,
        value: None,
        policy: Vec::new(),
    });
    Ok(GameRecord {
        id,
        seed: 0,
        generation: 0,
        start: record.start.clone(),
        rules: rules_of(record, &game),
        plies: plies.collect(),
        outcome,
    })
}

/// A draw by the limit names it even where no header does.
fn rules_of(record: &Record, game: &rules::Game) -> GameRules {
    let told = record
        .header(&HeaderKey::MaxMoves)
        .and_then(|text| text.parse().ok());
    let reached = game.position().ply();
    let max_ply = match record.ending() {
        Some(Ending::MaxMoves) => Some(reached),
        _ => told.filter(|&limit: &u32| limit > reached),
    };
    let declaration = match record.header(&HeaderKey::Jishogi) {
        Some("24") => DeclarationRule::Points24,
        _ => DeclarationRule::Points27,
    };
    GameRules {
        declaration,
        max_ply,
        ..GameRules::default()
    }
}

#[cfg(test)]
mod tests;
