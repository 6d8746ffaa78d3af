//! Games of a run, the newest or some of all its stages, with what the search thought.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

use arena::page::{PageGame, PageThought};
use data::{GameRecord, PlyKind, PlyRecord, RecordReader, Shard, list_shards};
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
        for record in whole_games(shard)? {
            of_shard.push_front(record?);
            of_shard.truncate(n);
        }
        games.extend(of_shard);
    }
    games.truncate(n);
    Ok(games.iter().map(page_game).collect())
}

/// `n` games of the whole run, evenly apart as far as files can tell, the first and the newest among
/// them, in the order in which they were finished. Not more files are read than games are wanted.
///
/// # Errors
///
/// If a record file cannot be read.
pub fn of_all_stages(dir: &Path, n: usize) -> anyhow::Result<Vec<PageGame>> {
    let shards = list_shards(dir).refused()?;
    let mut games = Vec::new();
    for (at, quota) in quotas(shards.len(), n) {
        let shard = &shards[at];
        let is_newest = at + 1 == shards.len();
        let needed = if quota == 1 && !is_newest {
            1
        } else {
            usize::MAX
        };
        let read = whole_games(shard)?.take(needed);
        let of_shard = read.collect::<anyhow::Result<Vec<_>>>()?;
        let last = of_shard.len().saturating_sub(1);
        let places: BTreeSet<usize> = match quota {
            1 if is_newest => BTreeSet::from([last]),
            1 => BTreeSet::from([0]),
            _ => (0..quota).map(|i| i * last / (quota - 1)).collect(),
        };
        let chosen = places.iter().filter_map(|&place| of_shard.get(place));
        games.extend(chosen.map(page_game));
    }
    Ok(games)
}

/// The games of a file; of one that is being written those that are whole.
fn whole_games(shard: &Shard) -> anyhow::Result<impl Iterator<Item = anyhow::Result<GameRecord>>> {
    let sealed = shard.sealed;
    let records = RecordReader::open(&shard.path).refused()?;
    Ok(records
        .take_while(move |record| sealed || record.is_ok())
        .map(Refuse::refused))
}

/// Which of `files` are read for `n` games, and for how many of them.
fn quotas(files: usize, n: usize) -> Vec<(usize, usize)> {
    let read = files.min(n);
    let place = |i: usize| match read {
        1 => files - 1,
        _ => i * (files - 1) / (read - 1),
    };
    (0..read)
        .map(|i| (place(i), n / read + usize::from(i < n % read)))
        .collect()
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

#[cfg(test)]
mod tests {
    use data::{RecordWriter, WriterOptions};

    use super::*;
    use crate::testing::{games, test_folder};

    #[test]
    fn files_are_chosen_evenly_apart_from_the_first_to_the_last() {
        assert_eq!(quotas(9, 3), [(0, 1), (4, 1), (8, 1)]);
        assert_eq!(quotas(3, 5), [(0, 2), (1, 2), (2, 1)]);
        assert_eq!(quotas(4, 1), [(3, 1)]);
        assert_eq!(quotas(0, 5), []);
        assert_eq!(quotas(5, 0), []);
    }

    /// The numbers of the games, from their titles.
    fn ids(games: &[PageGame]) -> Vec<u64> {
        let id = |game: &PageGame| {
            let (_, id) = game.result.rsplit_once("(game ").unwrap();
            id.trim_end_matches(')').parse().unwrap()
        };
        games.iter().map(id).collect()
    }

    #[test]
    fn games_of_all_stages_are_the_first_the_newest_and_some_between() {
        let dir = test_folder("report-stages");
        let options = WriterOptions {
            max_games: 5,
            ..WriterOptions::default()
        };
        let (mut writer, _) = RecordWriter::open(&dir, options).unwrap();
        let mut written = Vec::new();
        for game in games(1, 18) {
            writer.append(&game.record).unwrap();
            written.push(game.record.id);
        }
        // Three files of five games, and one with three that is being written.
        writer.sync().unwrap();
        let of = |n| ids(&of_all_stages(&dir, n).unwrap());
        assert_eq!(of(1), [written[17]]);
        assert_eq!(of(2), [written[0], written[17]]);
        assert_eq!(of(4), [written[0], written[5], written[10], written[17]]);
        let six = [0, 4, 5, 9, 10, 17].map(|at: usize| written[at]);
        assert_eq!(of(6), six);
        // No game is shown twice.
        assert_eq!(of(1000), written);
        assert_eq!(ids(&newest(&dir, 2).unwrap()), [written[17], written[16]]);
    }
}
