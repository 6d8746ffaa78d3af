//! The newest games of a run, with what the search thought.

use std::collections::VecDeque;
use std::path::Path;

use arena::page::{PageGame, PageThought};
use data::{GameRecord, PlyKind, PlyRecord, RecordReader, list_shards};
use rules::Color;

use crate::exit::Refuse;

/// Moves of a policy that are shown.
const MOVES: usize = 8;

/// The newest `n` games in the folder of records, the newest first. Of a file that is being written
/// the whole games are taken.
///
/// # Errors
///
/// If a record file cannot be read.
pub fn newest(dir: &Path, n: usize) -> anyhow::Result<Vec<PageGame>> {
    let mut games = Vec::new();
    for shard in list_shards(dir).refused()?.iter().rev() {
        if games.len() >= n {
            break;
        }
        let mut of_shard = VecDeque::new();
        for record in RecordReader::open(&shard.path).refused()? {
            match record {
                Ok(record) => of_shard.push_front(record),
                Err(_) if !shard.sealed => break,
                Err(error) => return Err(error).refused(),
            }
            of_shard.truncate(n);
        }
        games.extend(of_shard);
    }
    games.truncate(n);
    Ok(games.iter().map(page_game).collect())
}

fn page_game(record: &GameRecord) -> PageGame {
    let winner = match record.outcome.winner {
        Some(Color::Black) => "Black wins",
        Some(Color::White) => "White wins",
        None => "draw",
    };
    let is_opening = |ply: &&PlyRecord| ply.kind == PlyKind::Opening;
    let opening = record.plies.iter().take_while(is_opening).count();
    let moves: Vec<String> = record.plies.iter().map(|ply| ply.mv.to_string()).collect();
    let thoughts = record.plies.iter().enumerate().skip(opening);
    let name = format!("net {}", record.generation);
    PageGame {
        black: name.clone(),
        white: name,
        result: format!(
            "{winner}, {} (game {})",
            record.outcome.reason.as_str(),
            record.id
        ),
        start: record.start.to_string(),
        moves: moves.join(" "),
        opening: opening as u32,
        scores: Vec::new(),
        thoughts: thoughts
            .map(|(ply, played)| thought(played, record.side_at(ply)))
            .collect(),
    }
}

fn thought(ply: &PlyRecord, side: Color) -> PageThought {
    let black = ply.value.map(|[win, draw, loss]| match side {
        Color::Black => win + 0.5 * draw,
        Color::White => loss + 0.5 * draw,
    });
    let mut policy: Vec<(String, f32)> = ply
        .policy
        .iter()
        .map(|(mv, share)| (mv.to_string(), *share))
        .collect();
    policy.sort_by(|a, b| b.1.total_cmp(&a.1));
    policy.truncate(MOVES);
    PageThought { black, policy }
}
