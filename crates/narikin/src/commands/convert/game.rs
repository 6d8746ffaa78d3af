//! A game between two formats.

use data::{
    ConversionOptions, GameRecord, GameResult, Hcpe3Game, Hcpe3Ply, Opponent, PlyKind, PlyRecord,
    PositionRecord, SampleOptions, ValueWdl, WriteFault, positions_of,
};
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
    /// What dlshogi's training needs.
    Hcpe3(Box<Hcpe3Game>),
    /// One position of a game that nobody knows any more.
    Position(Box<PositionRecord>),
}

/// Why a game cannot become what the destination wants.
#[derive(Debug, thiserror::Error)]
pub enum NoGame {
    /// Broken off, or the file does not say how it ended.
    #[error("the game has no result, and a record needs one")]
    NoResult,
    /// There is only a position.
    #[error("single positions are no games: they become hcpe or psv only")]
    SinglePosition,
    /// The game is none, by our rules.
    #[error(transparent)]
    Fault(#[from] WriteFault),
}

impl Game {
    /// The game for people.
    ///
    /// # Errors
    ///
    /// If there is only a position.
    pub fn into_text(self, options: &ConversionOptions) -> Result<Record, NoGame> {
        match self {
            Game::Text(record) => Ok(*record),
            Game::Record(record) => Ok(text_of(&record)),
            Game::Hcpe3(game) => Ok(text_of_hcpe3(&game, options)),
            Game::Position(_) => Err(NoGame::SinglePosition),
        }
    }

    /// The game for training; `id` is its number where it has none.
    ///
    /// # Errors
    ///
    /// If it has no result, or there is only a position.
    pub fn into_record(self, id: u64, options: &ConversionOptions) -> Result<GameRecord, NoGame> {
        match self {
            Game::Text(record) => record_of(&record, id),
            Game::Record(record) => Ok(*record),
            Game::Hcpe3(game) => Ok(game.to_record(id, options)),
            Game::Position(_) => Err(NoGame::SinglePosition),
        }
    }

    /// The game as dlshogi trains on it.
    ///
    /// # Errors
    ///
    /// If it has no result, is no game, or there is only a position.
    pub fn into_hcpe3(self, options: &ConversionOptions) -> Result<Hcpe3Game, NoGame> {
        match self {
            Game::Text(record) => hcpe3_of_text(&record),
            Game::Record(record) => Ok(Hcpe3Game::of(&record, options)?),
            Game::Hcpe3(game) => Ok(*game),
            Game::Position(_) => Err(NoGame::SinglePosition),
        }
    }

    /// The positions that can be learnt from.
    ///
    /// # Errors
    ///
    /// If the game has no result.
    pub fn into_positions(
        self,
        options: &ConversionOptions,
    ) -> Result<Vec<PositionRecord>, NoGame> {
        Ok(match self {
            Game::Text(record) => hcpe3_of_text(&record)?.positions(),
            Game::Record(record) => positions_of(&record, &SampleOptions::default(), options),
            Game::Hcpe3(game) => game.positions(),
            Game::Position(position) => vec![*position],
        })
    }
}

/// A game of another program for training: the move played is the policy of each ply, and the
/// evaluation behind it, if one is there, that of the position before. An illegal last move is left
/// out.
fn hcpe3_of_text(record: &Record) -> Result<Hcpe3Game, NoGame> {
    let outcome = record.outcome().ok_or(NoGame::NoResult)?;
    let (game, _) = record.replay();
    let moves = game.moves().iter().zip(&record.main.plies).enumerate();
    let plies = moves.map(|(idx, (&mv, ply))| Hcpe3Ply {
        mv,
        eval: eval_of(ply, record.side_at(idx)),
        candidates: vec![(mv, 1)],
    });
    Ok(Hcpe3Game {
        start: record.start.clone(),
        result: GameResult::from(outcome),
        opponent: Opponent::Itself,
        plies: plies.collect(),
    })
}

/// The evaluation that stands behind a move of `side`, from its view; 0 where there is none.
fn eval_of(ply: &kifu::Ply, side: Color) -> i16 {
    const MATE: i32 = 30_000;
    let analysis = ply.notes.iter().find_map(|note| match note {
        Note::Analysis(analysis) => Some(analysis.score),
        _ => None,
    });
    let score = analysis.unwrap_or(0).clamp(-MATE, MATE) as i16;
    match side {
        Color::Black => score,
        Color::White => -score,
    }
}

/// A game of dlshogi for people, its evaluations behind the moves.
fn text_of_hcpe3(game: &Hcpe3Game, options: &ConversionOptions) -> Record {
    let mut record = Record::new(game.start.clone(), game.plies.iter().map(|ply| ply.mv));
    let side_at = |idx: usize| record_side(game, idx);
    for (idx, (ply, written)) in game.plies.iter().zip(&mut record.main.plies).enumerate() {
        if ply.candidates.is_empty() && ply.eval == 0 {
            continue;
        }
        let score = match side_at(idx) {
            Color::Black => i32::from(ply.eval),
            Color::White => -i32::from(ply.eval),
        };
        written.notes.push(Note::Analysis(Analysis {
            score,
            ..Analysis::default()
        }));
    }
    let outcome = game.to_record(0, options).outcome;
    let ending = Ending::of(outcome, record.side_at_end());
    record.main.end = Some(End::new(ending));
    record
}

fn record_side(game: &Hcpe3Game, idx: usize) -> Color {
    let first = game.start.side_to_move();
    if idx.is_multiple_of(2) {
        first
    } else {
        first.flipped()
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
fn record_of(record: &Record, id: u64) -> Result<GameRecord, NoGame> {
    let outcome = record.outcome().ok_or(NoGame::NoResult)?;
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
