use tempfile::TempDir;

use super::*;
use crate::hash::RunId;

const RUN: RunId = RunId([1; 8]);

fn chunk(run: RunId, worker: u32) -> Vec<u8> {
    let (models, games) = (Vec::new(), Vec::new());
    Chunk {
        run,
        worker,
        models,
        games,
    }
    .encode()
}

fn emptied(mut spool: Spool) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    while let Some(chunk) = spool.first().unwrap() {
        chunks.push(chunk);
        spool.remove_first().unwrap();
    }
    assert_eq!((spool.len(), spool.bytes()), (0, 0));
    chunks
}

#[test]
fn chunks_leave_in_the_order_in_which_they_came() {
    let dir = TempDir::new().unwrap();
    let spools = [Spool::in_memory(100), Spool::open(dir.path(), 100).unwrap()];
    for mut spool in spools {
        assert!(spool.is_empty() && spool.has_room());
        for worker in 1..=12 {
            spool.push(chunk(RUN, worker)).unwrap();
        }
        assert!(!spool.has_room());
        let expected: Vec<_> = (1..=12).map(|worker| chunk(RUN, worker)).collect();
        assert_eq!(emptied(spool), expected);
    }
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "only the lock is left");
}

#[test]
fn the_next_process_finds_whole_chunks_and_no_halves() {
    let dir = TempDir::new().unwrap();
    let mut spool = Spool::open(dir.path(), 1).unwrap();
    spool.push(chunk(RUN, 1)).unwrap();
    spool.push(chunk(RUN, 2)).unwrap();
    drop(spool);
    let torn = dir.path().join("000000003.chunk.tmp");
    fs::write(&torn, "torn").unwrap();
    fs::write(dir.path().join("notes.txt"), "kept").unwrap();

    let mut spool = Spool::open(dir.path(), 1).unwrap();
    assert!(!torn.exists() && dir.path().join("notes.txt").exists());
    assert_eq!(spool.len(), 2);
    spool.push(chunk(RUN, 3)).unwrap();
    let expected = [1, 2, 3].map(|worker| chunk(RUN, worker));
    assert_eq!(emptied(spool), expected);
}

#[test]
fn a_spool_has_one_process() {
    let dir = TempDir::new().unwrap();
    let spool = Spool::open(dir.path(), 1).unwrap();
    let error = Spool::open(dir.path(), 1).unwrap_err();
    assert!(error.to_string().contains("another process"), "{error}");
    drop(spool);
    Spool::open(dir.path(), 1).unwrap();
}

#[test]
fn chunks_of_other_runs_stay_in_the_folder() {
    let dir = TempDir::new().unwrap();
    let mut spool = Spool::open(dir.path(), 1000).unwrap();
    let other = RunId([2; 8]);
    for (run, worker) in [(other, 1), (RUN, 2), (other, 3), (RUN, 4)] {
        spool.push(chunk(run, worker)).unwrap();
    }
    assert_eq!(spool.leave_others(RUN).unwrap(), 2);
    assert_eq!(emptied(spool), [2, 4].map(|worker| chunk(RUN, worker)));
    let mut spool = Spool::open(dir.path(), 1000).unwrap();
    assert_eq!(spool.leave_others(other).unwrap(), 0);
    assert_eq!(emptied(spool), [1, 3].map(|worker| chunk(other, worker)));
}

#[test]
fn starts_are_counted_across_processes_and_not_beyond_the_last() {
    let folder = tempfile::TempDir::new().unwrap();
    for expected in 0..3 {
        let mut spool = Spool::open(folder.path(), 1000).unwrap();
        assert_eq!(spool.count_start().unwrap(), expected);
    }
    let refused = |text: &str| {
        fs::write(folder.path().join("starts"), text).unwrap();
        let error = Spool::open(folder.path(), 1000).unwrap().count_start();
        error.unwrap_err().to_string()
    };
    let last = MAX_STARTS.to_string();
    assert!(refused(&last).contains("has \"16384\", expected a number below 16384"));
    assert!(refused("x").contains("has \"x\""));
    assert!(Spool::in_memory(1000).count_start().is_err());
}
