use std::ops::Range;

use tempfile::TempDir;

use super::*;
use crate::record::GameRecord;
use crate::testing::{chain, mv, random_game, small_game};

/// Set to rewrite the expected bytes of this crate's tests from what the code writes now.
const UPDATE: &str = "NARIKIN_UPDATE_GOLDEN";
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/shard_v1.hex");

fn games(ids: Range<u64>) -> Vec<GameRecord> {
    ids.map(|id| GameRecord { id, ..small_game() }).collect()
}

fn writer(dir: &TempDir) -> (RecordWriter, Vec<Recovery>) {
    RecordWriter::open(dir.path(), WriterOptions::default()).unwrap()
}

/// Writes games and lets go of the writer as a killed process would.
fn write_and_die(dir: &TempDir, ids: Range<u64>) {
    let (mut writer, _) = writer(dir);
    games(ids)
        .iter()
        .for_each(|game| writer.append(game).unwrap());
    std::mem::forget(writer);
}

fn write(dir: &TempDir, ids: Range<u64>) {
    let (mut writer, _) = writer(dir);
    games(ids)
        .iter()
        .for_each(|game| writer.append(game).unwrap());
    writer.finish().unwrap();
}

fn read(path: &Path) -> Result<Vec<u64>, RecordError> {
    RecordReader::open(path)?
        .map(|game| game.map(|game| game.id))
        .collect()
}

fn names(dir: &TempDir) -> Vec<String> {
    let shards = list_shards(dir.path()).unwrap();
    shards
        .iter()
        .map(|s| s.path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect()
}

fn ids(dir: &TempDir) -> Vec<u64> {
    let shards = list_shards(dir.path()).unwrap();
    shards
        .iter()
        .flat_map(|shard| read(&shard.path).unwrap())
        .collect()
}

/// The error of reading `bytes` as a sealed shard, without the path.
fn refusal(bytes: &[u8]) -> String {
    refusal_in(&TempDir::new().unwrap(), bytes)
}

fn refusal_in(dir: &TempDir, bytes: &[u8]) -> String {
    let path = dir.path().join("000001.nkg");
    fs::write(&path, bytes).unwrap();
    let error = read(&path).expect_err("the shard was read");
    chain(&error).replace(&*path.to_string_lossy(), "SHARD")
}

fn sealed_bytes(n_games: u64) -> Vec<u8> {
    let dir = TempDir::new().unwrap();
    write(&dir, 0..n_games);
    fs::read(dir.path().join("000001.nkg")).unwrap()
}

/// Where the games of a shard end, the header's end first.
fn block_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = vec![16];
    while bytes[*ends.last().unwrap()..].starts_with(b"GAME") {
        let at = ends.last().unwrap();
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap());
        ends.push(at + 16 + length as usize);
    }
    ends
}

#[test]
fn games_come_back_in_order() {
    let dir = TempDir::new().unwrap();
    write(&dir, 0..5);
    assert_eq!(names(&dir), ["000001.nkg"]);
    assert_eq!(ids(&dir), [0, 1, 2, 3, 4]);
}

#[test]
fn shard_of_version_1_is_read() {
    if std::env::var_os(UPDATE).is_some() {
        let bytes = sealed_bytes(2);
        let lines = bytes.chunks(16).map(|line| {
            line.iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<Vec<_>>()
                .join(" ")
                + "\n"
        });
        fs::write(GOLDEN, lines.collect::<String>()).unwrap();
    }
    let text = fs::read_to_string(GOLDEN).unwrap();
    let bytes: Vec<u8> = text
        .split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect();
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("000001.nkg");
    fs::write(&path, bytes).unwrap();
    assert_eq!(read(&path).unwrap(), [0, 1]);
}

#[test]
fn full_shard_is_sealed_and_the_next_begun() {
    let dir = TempDir::new().unwrap();
    let options = WriterOptions {
        max_games: 2,
        ..WriterOptions::default()
    };
    let (mut writer, _) = RecordWriter::open(dir.path(), options).unwrap();
    games(0..5)
        .iter()
        .for_each(|game| writer.append(game).unwrap());
    assert_eq!(names(&dir), ["000001.nkg", "000002.nkg", "000003.nkg.open"]);
    writer.rotate().unwrap();
    assert_eq!(names(&dir), ["000001.nkg", "000002.nkg", "000003.nkg"]);
    writer.finish().unwrap();
    assert_eq!(ids(&dir), [0, 1, 2, 3, 4]);
}

#[test]
fn shard_is_full_by_bytes_too() {
    let dir = TempDir::new().unwrap();
    let options = WriterOptions {
        max_bytes: 1,
        ..WriterOptions::default()
    };
    let (mut writer, _) = RecordWriter::open(dir.path(), options).unwrap();
    games(0..2)
        .iter()
        .for_each(|game| writer.append(game).unwrap());
    assert_eq!(names(&dir), ["000001.nkg", "000002.nkg"]);
}

#[test]
fn writer_without_games_leaves_no_file() {
    let dir = TempDir::new().unwrap();
    write(&dir, 0..0);
    assert_eq!(names(&dir), [""; 0]);
}

#[test]
fn killed_writer_loses_no_finished_game() {
    let dir = TempDir::new().unwrap();
    write_and_die(&dir, 0..3);
    assert_eq!(names(&dir), ["000001.nkg.open"]);
    assert_eq!(
        ids(&dir),
        [0, 1, 2],
        "readable before anything is recovered"
    );

    let (mut writer, recovered) = writer(&dir);
    assert_eq!(recovered.len(), 1);
    assert_eq!(recovered[0].n_games, 3);
    assert!(recovered[0].cut.is_none());
    games(3..4)
        .iter()
        .for_each(|game| writer.append(game).unwrap());
    writer.finish().unwrap();
    assert_eq!(names(&dir), ["000001.nkg"]);
    assert_eq!(ids(&dir), [0, 1, 2, 3]);
}

#[test]
fn writer_killed_at_any_byte_keeps_the_whole_games() {
    let bytes = sealed_bytes(2);
    let ends = block_ends(&bytes);
    for length in 0..=bytes.len() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("000001.nkg.open");
        fs::write(&path, &bytes[..length]).unwrap();
        let n_whole = ends.iter().skip(1).filter(|&&end| end <= length).count();
        let is_torn = length != bytes.len() && !ends.contains(&length);

        let (mut writer, recovered) = writer(&dir);
        assert_eq!(recovered[0].n_games as usize, n_whole, "{length} bytes");
        assert_eq!(recovered[0].path, path);
        let kept = if length < 16 { 0 } else { ends[n_whole] };
        let cut = recovered[0]
            .cut
            .as_ref()
            .map(|cut| (cut.offset, cut.n_bytes));
        assert_eq!(
            cut,
            is_torn.then_some((kept as u64, (length - kept) as u64)),
            "{length} bytes"
        );

        // Syncing is slow: the new writer goes on only behind whole games and some torn ones.
        if is_torn && length % 8 != 0 {
            continue;
        }
        writer.append(&games(7..8)[0]).unwrap();
        writer.finish().unwrap();
        let expected: Vec<u64> = (0..n_whole as u64).chain([7]).collect();
        assert_eq!(ids(&dir), expected, "{length} bytes");
    }
}

#[test]
fn zeros_behind_the_last_game_are_cut() {
    let dir = TempDir::new().unwrap();
    write_and_die(&dir, 0..2);
    let path = dir.path().join("000001.nkg.open");
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([0; 100]);
    fs::write(&path, bytes).unwrap();
    let (_, recovered) = writer(&dir);
    let cut = recovered[0].cut.as_ref().unwrap();
    assert_eq!(cut.n_bytes, 100);
    assert_eq!(
        cut.damage.to_string(),
        "found [00, 00, 00, 00], expected a game or the end of the shard"
    );
    assert_eq!(ids(&dir), [0, 1]);
}

#[test]
fn older_left_overs_are_sealed_and_the_newest_continued() {
    let dir = TempDir::new().unwrap();
    write_and_die(&dir, 0..1);
    let open = dir.path().join("000001.nkg.open");
    fs::copy(&open, dir.path().join("000002.nkg.open")).unwrap();
    let (writer, recovered) = writer(&dir);
    assert_eq!(recovered.len(), 2);
    assert_eq!(names(&dir), ["000001.nkg", "000002.nkg.open"]);
    writer.finish().unwrap();
    assert_eq!(names(&dir), ["000001.nkg", "000002.nkg"]);
}

#[test]
fn sealing_never_overwrites() {
    let dir = TempDir::new().unwrap();
    write_and_die(&dir, 0..1);
    fs::write(dir.path().join("000001.nkg"), "mine").unwrap();
    let (writer, _) = writer(&dir);
    let error = chain(&writer.finish().unwrap_err());
    assert!(
        error.ends_with("000001.nkg: a file of that name exists"),
        "{error}"
    );
    assert_eq!(fs::read(dir.path().join("000001.nkg")).unwrap(), b"mine");
}

#[test]
fn left_over_of_another_version_is_not_touched() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("000001.nkg.open");
    let mut bytes = sealed_bytes(1);
    bytes[8] = 2;
    fs::write(&path, &bytes).unwrap();
    let error = RecordWriter::open(dir.path(), WriterOptions::default())
        .err()
        .unwrap();
    let error = chain(&error);
    assert!(
        error.ends_with("at byte 0: found format version 2, this build reads 1"),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn sealed_shard_truncated_anywhere_is_refused() {
    let bytes = sealed_bytes(2);
    for length in 0..bytes.len() {
        refusal(&bytes[..length]);
    }
    let before_end_mark = bytes.len() - 16;
    assert_eq!(
        refusal(&bytes[..before_end_mark]),
        format!(
            "damaged record file SHARD at byte {before_end_mark}: found the end of the file, \
             expected the end mark of a sealed shard"
        )
    );
}

#[test]
fn every_flipped_bit_is_noticed() {
    let dir = TempDir::new().unwrap();
    let mut bytes = sealed_bytes(1);
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        refusal_in(&dir, &bytes);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn refusals_name_file_place_found_and_expected() {
    let bytes = sealed_bytes(2);
    let ends = block_ends(&bytes);
    let changed = |at: usize, value: u8| {
        let mut changed = bytes.clone();
        changed[at] = value;
        refusal(&changed)
    };
    assert_eq!(
        changed(1, b'X'),
        "damaged record file SHARD at byte 0: found [89, 58, 4b, 47, 0d, 0a, 1a, 0a] where a \
         record file has [89, 4e, 4b, 47, 0d, 0a, 1a, 0a]"
    );
    assert_eq!(
        changed(8, 9),
        "damaged record file SHARD at byte 0: found format version 9, this build reads 1"
    );
    let marker = changed(ends[1], b'X');
    let expected = format!(
        "damaged record file SHARD at byte {}: found [58, 41, 4d, 45], expected a game or the end \
         of the shard",
        ends[1]
    );
    assert_eq!(marker, expected);
    let checksum = changed(ends[1] + 40, !bytes[ends[1] + 40]);
    let start = format!(
        "damaged record file SHARD at byte {}: the block has the checksum",
        ends[1]
    );
    assert!(checksum.starts_with(&start), "{checksum}");
    assert_eq!(
        changed(23, 0xff),
        "damaged record file SHARD at byte 16: found a block of 4278190186 bytes, expected at most \
         67108864"
            .replace("4278190186", &(0xff00_0000 + ends[1] - 32).to_string())
    );
    assert_eq!(
        refusal(&[&bytes[..], b"rubbish"].concat()),
        format!(
            "damaged record file SHARD at byte {}: found 7 bytes after the end mark, expected none",
            bytes.len()
        )
    );
    let one_missing = [&bytes[..ends[1]], &bytes[ends[2]..]].concat();
    assert_eq!(
        refusal(&one_missing),
        format!(
            "damaged record file SHARD at byte {}: found 1 games before the end mark, expected 2",
            ends[1]
        )
    );
    assert_eq!(
        refusal(&[]),
        "damaged record file SHARD at byte 0: the file header ends after 0 bytes, expected 16"
    );
}

#[test]
fn exchanged_games_are_noticed() {
    let bytes = sealed_bytes(2);
    let ends = block_ends(&bytes);
    let [first, second] = [&bytes[ends[0]..ends[1]], &bytes[ends[1]..ends[2]]];
    let exchanged = [&bytes[..16], second, first, &bytes[ends[2]..]].concat();
    let error = refusal(&exchanged);
    assert!(
        error.contains("the list of games has the checksum"),
        "{error}"
    );
}

/// A shard with one game that no writer would take.
fn shard_with(game: &GameRecord) -> Vec<u8> {
    let (block, checksum) = blocks::game_block(&crate::codec::encode_game(game));
    let mut tally = blocks::Tally::default();
    tally.add(checksum);
    [blocks::header(), block, tally.end_mark()].concat()
}

#[test]
fn game_with_an_illegal_move_is_refused_by_the_reader() {
    let mut game = small_game();
    game.id = 7;
    game.plies[0].mv = mv("5i5g");
    assert_eq!(
        refusal(&shard_with(&game)),
        "impossible game 7 in record file SHARD at byte 16: ply 0: found the move 5i5g, which is \
         illegal in 4k4/9/4P4/p8/9/9/P8/9/4K4 b G 3"
    );
}

#[test]
fn game_with_a_bad_policy_is_refused_by_the_writer() {
    let dir = TempDir::new().unwrap();
    let (mut writer, _) = writer(&dir);
    let mut game = small_game();
    game.id = 9;
    game.plies[3].policy[0].1 = 0.5;
    let error = chain(&writer.append(&game).unwrap_err());
    let expected = format!(
        "will not write game 9 to {}: ply 3: the policy sums to 0.5, expected 1 within 0.001",
        dir.path().display()
    );
    assert_eq!(error, expected);
    assert_eq!(names(&dir), [""; 0], "nothing is written");
}

#[test]
fn disk_errors_name_the_path() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = RecordWriter::open(&file, WriterOptions::default())
        .err()
        .unwrap();
    let start = format!("cannot create the folder {}: ", file.display());
    assert!(chain(&error).starts_with(&start), "{}", chain(&error));

    let absent = dir.path().join("000009.nkg");
    let error = chain(&read(&absent).unwrap_err());
    assert!(error.starts_with(&format!("cannot open record file {}: ", absent.display())));
    assert!(list_shards(&absent).is_err());
}

#[test]
fn listing_passes_over_other_files_and_sorts_by_number() {
    let dir = TempDir::new().unwrap();
    for name in [
        "1000000.nkg",
        "000010.nkg",
        "000002.nkg",
        "000011.nkg.open",
        "x.nkg",
        "7.nkg",
    ] {
        fs::write(dir.path().join(name), "").unwrap();
    }
    assert_eq!(
        names(&dir),
        ["000002.nkg", "000010.nkg", "000011.nkg.open", "1000000.nkg"]
    );
}

#[test]
fn random_games_come_back_with_the_same_bytes() {
    let dir = TempDir::new().unwrap();
    let (mut writer, _) = writer(&dir);
    let games: Vec<_> = (0..10).map(|seed| random_game(seed, 150)).collect();
    games.iter().for_each(|game| writer.append(game).unwrap());
    writer.finish().unwrap();
    let back = RecordReader::open(&dir.path().join("000001.nkg")).unwrap();
    for (back, game) in back.map(Result::unwrap).zip(&games) {
        assert_eq!(
            crate::codec::encode_game(&back),
            crate::codec::encode_game(game)
        );
    }
}
