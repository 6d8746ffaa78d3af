//! Files of games and positions.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use data::{
    ForeignFormat, GameRecord, Hcpe3Game, Hcpe3Reader, MoveCode, PositionFormat, PositionReader,
    PositionRecord, RECORD_VERSION, RecordReader,
};
use kifu::{Format, Games, Record};
use rules::Color;

use super::Depth;
use super::content::{Content, First, Records, winner_name};

/// Our own records. They are read as a whole, however closely one wants to look.
pub fn records(files: &[PathBuf], n_drawn: usize) -> anyhow::Result<Content> {
    Ok(Content::Records(read_records(files, n_drawn)?))
}

/// All records of some files.
pub fn read_records(files: &[PathBuf], n_drawn: usize) -> anyhow::Result<Records> {
    let mut records = Records {
        version: RECORD_VERSION,
        files: files.len(),
        games: 0,
        plies: 0,
        black_wins: 0,
        white_wins: 0,
        draws: 0,
        first: Vec::new(),
    };
    for file in files {
        for game in RecordReader::open(file)? {
            let game = game?;
            records.games += 1;
            records.plies += game.plies.len() as u64;
            match game.outcome.winner {
                Some(Color::Black) => records.black_wins += 1,
                Some(Color::White) => records.white_wins += 1,
                None => records.draws += 1,
            }
            if records.first.is_empty() {
                records.first = first_of_record(&game, n_drawn);
            }
        }
    }
    Ok(records)
}

/// Games as people exchange them. They are read as a whole, however closely one wants to look.
pub fn texts(file: &Path, format: Format, n_drawn: usize) -> anyhow::Result<Content> {
    let [
        mut games,
        mut plies,
        mut black_wins,
        mut white_wins,
        mut draws,
        mut unfinished,
    ] = [0; 6];
    let mut first = Vec::new();
    let context = || format!("cannot read {}", file.display());
    let source = BufReader::new(File::open(file).with_context(context)?);
    for game in Games::new(source, format) {
        let game = game.with_context(context)?;
        if games == 0 {
            first = first_of_text(&game, n_drawn);
        }
        games += 1;
        plies += game.main.plies.len() as u64;
        match game.outcome() {
            None => unfinished += 1,
            Some(outcome) => match outcome.winner {
                Some(Color::Black) => black_wins += 1,
                Some(Color::White) => white_wins += 1,
                None => draws += 1,
            },
        }
    }
    ensure!(games > 0, "found no game in {}", file.display());
    Ok(Content::Games {
        format: match format {
            Format::Csa(_) => "csa",
            Format::Kif => "kif",
            Format::Ki2 => "ki2",
            Format::Usi => "usi",
            Format::Pgn => "pgn",
        },
        games,
        plies,
        positions: None,
        black_wins,
        white_wins,
        draws,
        unfinished,
        first,
    })
}

/// Training data of another program.
pub fn foreign(file: &Path, depth: Depth, n_drawn: usize) -> anyhow::Result<Content> {
    Ok(match ForeignFormat::detect(file)? {
        ForeignFormat::Positions(format) => positions(file, format, depth, n_drawn)?,
        ForeignFormat::Hcpe3 => hcpe3(file, depth, n_drawn)?,
    })
}

fn positions(
    file: &Path,
    format: PositionFormat,
    depth: Depth,
    n_drawn: usize,
) -> anyhow::Result<Content> {
    let mut records = PositionReader::open(file, format)?;
    let moves = match records.move_code() {
        MoveCode::Apery => "dlshogi",
        MoveCode::YaneuraOu => "YaneuraOu",
        MoveCode::Shifted => "dlshogi, but with drops one higher,",
    };
    let first = records
        .by_ref()
        .take(n_drawn)
        .map(|record| record.map(First::of_position));
    let first = first.collect::<Result<Vec<_>, _>>()?;
    let counts = PositionReader::count(file, format)?;
    if depth == Depth::Check {
        records.try_for_each(|record| record.map(drop))?;
    }
    Ok(Content::Positions {
        format: ForeignFormat::Positions(format).name(),
        moves,
        positions: counts.positions,
        black_wins: counts.black_wins,
        white_wins: counts.white_wins,
        draws: counts.positions - counts.black_wins - counts.white_wins,
        first,
    })
}

fn hcpe3(file: &Path, depth: Depth, n_drawn: usize) -> anyhow::Result<Content> {
    let counts = Hcpe3Reader::count(file)?;
    let mut games = Hcpe3Reader::open(file)?;
    let first = match games.next().transpose()? {
        Some(game) => first_of_game(&game, n_drawn),
        None => Vec::new(),
    };
    if depth == Depth::Check {
        games.try_for_each(|game| game.map(drop))?;
    }
    Ok(Content::Games {
        format: ForeignFormat::Hcpe3.name(),
        games: counts.games,
        plies: counts.plies,
        positions: Some(counts.positions),
        black_wins: counts.black_wins,
        white_wins: counts.white_wins,
        draws: counts.games - counts.black_wins - counts.white_wins,
        unfinished: 0,
        first,
    })
}

impl First {
    fn of_position(record: PositionRecord) -> Self {
        Self {
            sfen: record.position.to_string(),
            mv: record.best.map(|mv| mv.to_string()),
            eval: Some(record.eval),
            value: None,
            winner: winner_name(record.result.winner),
            position: record.position,
        }
    }
}

fn first_of_record(game: &GameRecord, n: usize) -> Vec<First> {
    let mut position = game.start.clone();
    let mut first = Vec::new();
    for ply in game.plies.iter().take(n) {
        first.push(First {
            sfen: position.to_string(),
            mv: Some(ply.mv.to_string()),
            eval: None,
            value: ply.value,
            winner: winner_name(game.outcome.winner),
            position: position.clone(),
        });
        position.do_move(ply.mv);
    }
    first
}

fn first_of_text(game: &Record, n: usize) -> Vec<First> {
    let mut position = game.start.clone();
    let mut first = Vec::new();
    // The last move may be an illegal one.
    for ply in game.main.plies.iter().take(n) {
        first.push(First {
            sfen: position.to_string(),
            mv: Some(ply.mv.to_string()),
            eval: None,
            value: None,
            winner: game
                .outcome()
                .map_or("unknown", |end| winner_name(end.winner)),
            position: position.clone(),
        });
        if !position.is_legal(ply.mv) {
            break;
        }
        position.do_move(ply.mv);
    }
    first
}

fn first_of_game(game: &Hcpe3Game, n: usize) -> Vec<First> {
    let mut position = game.start.clone();
    let mut first = Vec::new();
    for ply in game.plies.iter().take(n) {
        first.push(First {
            sfen: position.to_string(),
            mv: Some(ply.mv.to_string()),
            eval: Some(ply.eval),
            value: None,
            winner: winner_name(game.result.winner),
            position: position.clone(),
        });
        position.do_move(ply.mv);
    }
    first
}
