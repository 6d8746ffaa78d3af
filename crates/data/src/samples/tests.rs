use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::batch::Batch;
use crate::foreign::{
    Handicaps, Hcpe3Game, Hcpe3Writer, PositionFormat, PositionWriter, positions_of,
};
use crate::testing::{chain, random_game, seeded, small_game};
use crate::{RecordWriter, WriterOptions};

const N_GAMES: u64 = 8;

fn games() -> Vec<GameRecord> {
    (0..N_GAMES).map(|seed| random_game(seed, 120)).collect()
}

fn options() -> ReadOptions {
    ReadOptions::default()
}

fn upright() -> SampleOptions {
    SampleOptions {
        mirror: false,
        ..SampleOptions::default()
    }
}

fn write_shards(folder: &Path, games: &[GameRecord]) {
    let (mut writer, _) = RecordWriter::open(folder, WriterOptions::default()).unwrap();
    games.iter().for_each(|game| writer.append(game).unwrap());
    writer.finish().unwrap();
}

fn write_positions(path: &Path, format: PositionFormat, games: &[GameRecord]) {
    let mut writer = PositionWriter::create(path, format, Handicaps::Refuse).unwrap();
    for game in games {
        for record in positions_of(game, &options().samples, &options().conversion) {
            writer.write(&record).unwrap();
        }
    }
    writer.finish().unwrap();
}

fn write_games(path: &Path, games: &[GameRecord]) {
    let mut writer = Hcpe3Writer::create(path, Handicaps::Refuse).unwrap();
    for game in games {
        let game = Hcpe3Game::of(game, &options().conversion).unwrap();
        writer.write(&game).unwrap();
    }
    writer.finish().unwrap();
}

fn read(paths: &[PathBuf]) -> Vec<Sample> {
    let samples = SampleReader::new(paths, options()).unwrap();
    samples.map(Result::unwrap).collect()
}

#[test]
fn files_of_all_formats_are_read_one_after_the_other() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let games = games();
    fs::create_dir(path("shards")).unwrap();
    write_shards(&path("shards"), &games);
    write_positions(&path("a.hcpe"), PositionFormat::Hcpe, &games);
    write_positions(&path("教師 b.psv"), PositionFormat::Psv, &games);
    write_games(&path("c.hcpe3"), &games);
    let n = |kinds: fn(&crate::PlyRecord) -> bool| {
        let plies = games.iter().flat_map(|game| &game.plies);
        plies.filter(|ply| kinds(ply)).count()
    };
    let n_records = n(|ply| ply.kind != PlyKind::Opening);
    let n_positions = n(|ply| ply.kind != PlyKind::Opening && ply.value.is_some());
    let n_games = n(|ply| ply.kind == PlyKind::Full);
    let paths = ["shards", "a.hcpe", "教師 b.psv", "c.hcpe3"].map(path);
    let samples = read(&paths);
    assert_eq!(samples.len(), n_records + 2 * n_positions + n_games);
    assert_eq!(samples[..n_records], read(&paths[..1])[..]);
    for sample in &samples {
        let legal = sample.position.legal_moves();
        assert!(sample.policy.iter().all(|(mv, _)| legal.contains(mv)));
        assert!((sample.value.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}

/// Rows in one order that does not depend on how they came about.
fn sorted_rows(batch: &Batch) -> Vec<Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = (0..batch.len())
        .map(|i| {
            let board = batch.board.index_axis(ndarray::Axis(0), i).to_owned();
            let parts = [
                board.into_iter().collect(),
                batch.hands.row(i).to_vec(),
                batch.legal.row(i).to_vec(),
                batch.policy.row(i).to_vec(),
                vec![batch.policy_weight[i], batch.value_weight[i]],
                batch.wdl.row(i).to_vec(),
                batch.outcome.row(i).to_vec(),
            ];
            parts.concat().into_iter().map(f32::to_bits).collect()
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn a_pool_gives_the_rows_that_a_window_gives() {
    let folder = TempDir::new().unwrap();
    write_shards(folder.path(), &[small_game(), random_game(3, 150)]);
    let shard = &list_shards(folder.path()).unwrap()[0].path;
    let games: Vec<_> = RecordReader::open(shard)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let samples = options().samples;
    let whole = crate::unseen_batch(&games, usize::MAX, &samples, &mut seeded(1));
    let mut source = SampleReader::new(&[folder.path().to_owned()], options()).unwrap();
    let mut pool = ShufflePool::new(10_000, &upright());
    let batch = pool
        .next_batch(&mut source, 10_000, &mut seeded(2))
        .unwrap()
        .unwrap();
    assert!(sorted_rows(&batch) == sorted_rows(&whole));
    assert!(
        pool.next_batch(&mut source, 1, &mut seeded(3))
            .unwrap()
            .is_none()
    );
}

#[test]
fn positions_that_do_not_fit_into_32_bytes_are_kept_whole() {
    let sample = Sample {
        position: Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b 3G 1").unwrap(),
        policy: vec![("G*5b".parse().unwrap(), 1.0)],
        value: [1.0, 0.0, 0.0],
        value_weight: 1.0,
        winner: Some(Color::Black),
        auxiliary: None,
    };
    let mut source = [Ok::<_, SampleError>(sample)].into_iter();
    let mut pool = ShufflePool::new(1, &upright());
    let batch = pool
        .next_batch(&mut source, 8, &mut seeded(1))
        .unwrap()
        .unwrap();
    assert_eq!(batch.len(), 1);
    // One king and one pawn on the board, three golds in hand.
    assert_eq!(batch.board.slice(ndarray::s![0, 0..14, ..]).sum(), 1.0);
    assert_eq!(batch.board.slice(ndarray::s![0, 31..45, ..]).sum(), 1.0);
    assert_eq!(batch.hands.sum(), 3.0);
}

#[test]
fn every_sample_is_drawn_once_in_an_order_that_follows_from_the_seed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("data");
    write_positions(&path, PositionFormat::Psv, &games());
    let n = read(std::slice::from_ref(&path)).len();
    let batches = |seed, mirror| {
        let mut source = SampleReader::new(std::slice::from_ref(&path), options()).unwrap();
        let options = SampleOptions {
            mirror,
            ..upright()
        };
        let (mut pool, mut rng) = (ShufflePool::new(64, &options), seeded(seed));
        let mut batches = Vec::new();
        while let Some(batch) = pool.next_batch(&mut source, 32, &mut rng).unwrap() {
            batches.push(batch);
        }
        batches
    };
    let drawn = batches(1, false);
    assert_eq!(drawn.iter().map(Batch::len).sum::<usize>(), n);
    assert!(
        drawn[..drawn.len() - 2]
            .iter()
            .all(|batch| batch.len() == 32)
    );
    assert!(drawn == batches(1, false));
    assert!(drawn != batches(2, false));
    let rows = |batches: &[Batch]| {
        let mut rows: Vec<_> = batches.iter().flat_map(sorted_rows).collect();
        rows.sort();
        rows
    };
    assert!(rows(&drawn) == rows(&batches(2, false)));
    assert!(rows(&drawn) != rows(&batches(1, true)));
}

#[test]
fn a_positions_value_mixes_its_evaluation_with_the_result() {
    let record = PositionRecord {
        position: Position::startpos(),
        best: Some("7g7f".parse().unwrap()),
        eval: 756,
        result: crate::GameResult {
            winner: Some(Color::White),
            ending: Ending::PlyLimit,
        },
    };
    let mut options = options();
    options.samples.lambda = 0.75;
    let sample = Sample::of(record, &options);
    // 1 / (1 + 1/e) of a win by the evaluation, a loss by the result.
    let win = 0.25 / (1.0 + (-756.0_f32 / 756.0865).exp());
    assert!((sample.value[0] - win).abs() < 1e-6);
    assert!((sample.value[2] - (1.0 - win)).abs() < 1e-6);
    assert_eq!(sample.policy, [("7g7f".parse().unwrap(), 1.0)]);
    assert_eq!(sample.value_weight, 0.5);
}

#[test]
fn a_damaged_file_stops_the_reader_after_its_good_samples() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("torn.psv");
    write_positions(&path, PositionFormat::Psv, &games());
    let mut content = fs::read(&path).unwrap();
    content.truncate(40 * 10 + 7);
    fs::write(&path, content).unwrap();
    let samples: Vec<_> = SampleReader::new(&[path], options()).unwrap().collect();
    assert_eq!(samples.len(), 11);
    let error = chain(samples[10].as_ref().unwrap_err());
    assert!(
        error.contains("at byte 400, record 10: the record ends after 7 bytes"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_missing_or_empty_is_named() {
    let folder = TempDir::new().unwrap();
    let (missing, empty) = (folder.path().join("missing"), folder.path().join("empty"));
    fs::write(&empty, b"").unwrap();
    let error = |path: &Path| {
        let mut samples = SampleReader::new(&[path.to_owned()], options()).unwrap();
        let error = samples.next().unwrap().unwrap_err();
        assert!(samples.next().is_none());
        chain(&error)
    };
    assert!(error(&missing).starts_with(&format!("cannot read {}", missing.display())));
    assert!(error(&empty).starts_with(&format!("{} is empty", empty.display())));
}

#[test]
fn a_stream_of_games_has_the_auxiliary_targets_of_a_window() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("shards");
    fs::create_dir(&path).unwrap();
    let games = games();
    write_shards(&path, &games);
    let mut options = options();
    options.samples = SampleOptions {
        auxiliary: true,
        ..upright()
    };
    let n = read(std::slice::from_ref(&path)).len();
    let mut source = SampleReader::new(&[path], options).unwrap();
    let mut pool = ShufflePool::new(10_000, &options.samples);
    let drawn = pool.next_batch(&mut source, n, &mut seeded(1)).unwrap();
    let expected = crate::unseen_batch(&games, n, &options.samples, &mut seeded(1));
    let sums = |batch: &Batch| {
        let auxiliary = batch.auxiliary.as_ref().unwrap();
        [
            auxiliary.reply_weight.sum(),
            auxiliary.moves_left.sum(),
            auxiliary.moves_left_weight.sum(),
            auxiliary.short_weight.sum(),
            (auxiliary.reply.sum() * 10.0).round(),
            (auxiliary.short_wdl.column(0).sum() * 10.0).round(),
        ]
    };
    assert_eq!(sums(&drawn.unwrap()), sums(&expected));
}

#[test]
fn positions_without_a_game_have_no_auxiliary_targets() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("data");
    write_positions(&path, PositionFormat::Psv, &games());
    let samples = SampleOptions {
        auxiliary: true,
        ..upright()
    };
    let options = ReadOptions {
        samples,
        ..options()
    };
    let mut source = SampleReader::new(&[path], options).unwrap();
    let mut pool = ShufflePool::new(100, &samples);
    let batch = pool.next_batch(&mut source, 10, &mut seeded(1)).unwrap();
    let auxiliary = batch.unwrap().auxiliary.unwrap();
    for weights in [
        auxiliary.reply_weight,
        auxiliary.moves_left_weight,
        auxiliary.short_weight,
    ] {
        assert_eq!(weights.to_vec(), [0.0; 10]);
    }
}

#[test]
fn batches_passed_over_leave_the_pool_as_batches_drawn() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("data");
    write_positions(&path, PositionFormat::Psv, &games());
    let after = |passed: usize| {
        let mut source = SampleReader::new(std::slice::from_ref(&path), options()).unwrap();
        let mut pool = ShufflePool::new(64, &SampleOptions::default());
        let mut rng = seeded(3);
        for batch in 0..3 {
            if batch < passed {
                assert_eq!(pool.pass_batch(&mut source, 16, &mut rng).unwrap(), 16);
            } else {
                pool.next_batch(&mut source, 16, &mut rng).unwrap();
            }
        }
        pool.next_batch(&mut source, 16, &mut rng).unwrap()
    };
    assert!(after(3) == after(0));
}

#[test]
fn samples_of_one_game_are_of_one_group() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let games = games();
    fs::create_dir(path("shards")).unwrap();
    write_shards(&path("shards"), &games);
    write_positions(&path("positions"), PositionFormat::Hcpe, &games);
    let n_positions = read(&[path("positions")]).len() as u64;
    let mut reader = SampleReader::new(&[path("shards"), path("positions")], options()).unwrap();
    let mut sizes = Vec::new();
    while let Some(sample) = reader.next() {
        sample.unwrap();
        sizes.resize(reader.group() as usize, 0);
        *sizes.last_mut().unwrap() += 1;
    }
    let of_games: Vec<u64> = games
        .iter()
        .map(|game| samples_of(game, &options().samples).len() as u64)
        .collect();
    assert_eq!(sizes[..games.len()], of_games);
    let of_positions = &sizes[games.len()..];
    assert_eq!(of_positions.len() as u64, n_positions.div_ceil(256));
    assert!(
        of_positions[..of_positions.len() - 1]
            .iter()
            .all(|&n| n == 256)
    );
    assert_eq!(of_positions.iter().sum::<u64>(), n_positions);
}
