use tempfile::TempDir;

use super::*;
use crate::shard::RecordReader;
use crate::testing::{chain, small_game};

fn game(id: u64) -> GameRecord {
    GameRecord { id, ..small_game() }
}

fn ids(path: &Path) -> Vec<u64> {
    RecordReader::open(path)
        .unwrap()
        .map(|game| game.unwrap().id)
        .collect()
}

#[test]
fn failed_write_costs_no_game_before_it_and_later_games_go_elsewhere() {
    let dir = TempDir::new().unwrap();
    let (mut writer, _) = RecordWriter::open(dir.path(), WriterOptions::default()).unwrap();
    writer.append(&game(1)).unwrap();
    let shard = writer.open.as_mut().unwrap();
    // A handle that cannot write stands for a disk that does not.
    shard.file = File::open(&shard.path).unwrap();
    let error = chain(&writer.append(&game(2)).unwrap_err());
    let broken = dir.path().join("000001.nkg.open");
    assert!(error.starts_with(&format!("cannot write record file {}: ", broken.display())));
    writer.append(&game(3)).unwrap();
    writer.finish().unwrap();
    assert_eq!(ids(&broken), [1]);
    assert_eq!(ids(&dir.path().join("000002.nkg")), [3]);

    let (_, recovered) = RecordWriter::open(dir.path(), WriterOptions::default()).unwrap();
    assert_eq!(recovered.len(), 1);
    assert_eq!(ids(&dir.path().join("000001.nkg")), [1]);
}

#[test]
fn half_written_game_is_cut_off_again() {
    let dir = TempDir::new().unwrap();
    let (mut writer, _) = RecordWriter::open(dir.path(), WriterOptions::default()).unwrap();
    writer.append(&game(1)).unwrap();
    let shard = writer.open.as_mut().unwrap();
    shard.file.write_all(b"GAME half").unwrap();
    cut_back(shard).unwrap();
    writer.append(&game(2)).unwrap();
    writer.finish().unwrap();
    assert_eq!(ids(&dir.path().join("000001.nkg")), [1, 2]);
}
